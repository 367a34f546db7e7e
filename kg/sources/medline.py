"""MEDLINE, PubMed's tagged text (.nbib)."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain, islice

from kg.model.record import Identifiers, Person, Record
from kg.sources import identifiers
from kg.sources.dates import date_of, year_of
from kg.sources.names import person
from kg.sources.reader import Item, Sample, guarded, reader
from kg.sources.tagged import Style, Tagged, record_or_rejected, tagged_records
from kg.sources.text import abstract, one_line

_STYLE = Style(
    tag=re.compile(r"(?P<tag>[A-Z][A-Z0-9]{1,3}) {0,2}-(?: (?P<value>.*)|\s*)$"),
    starts=frozenset({"PMID"}),
    ends=frozenset(),
)


def _sniff(sample: Sample) -> float:
    if re.search(r"(?m)^TY {1,3}- ?[A-Z]", sample.text):
        return 0.0  # RIS with a PMID in it
    starts = re.search(r"(?m)^(?:PMID ?- ?\d+|OWN - ERIC\b)", sample.text)
    others = re.search(r"(?m)^(?:OWN |STAT|TI  |FAU |LID |JT  |EDAT)- ?", sample.text)
    return 0.97 if starts and others else 0.0


@reader(
    "medline",
    about="MEDLINE, PubMed's tagged text",
    gives=("abstract", "authors", "year", "venue", "identifiers"),
    suffixes=(".nbib", ".medline", ".txt"),
    sniff=_sniff,
)
def read_medline(lines: Iterable[str]) -> Iterator[Item]:
    """Yield one Record or Rejected per PMID line; in ERIC's files, which have none, per OWN line."""
    lines = iter(lines)
    head = list(islice(lines, 100))
    named = any(line.startswith("PMID") for line in head)
    style = _STYLE if named else replace(_STYLE, starts=frozenset({"OWN"}))
    for found in tagged_records(chain(head, lines), style):
        yield from guarded(_items, found)


def _items(found: Tagged) -> Iterator[Item]:
    yield record_or_rejected(found, _record(found))


def _record(found: Tagged) -> Record | None:
    text, original = abstract(found.first("AB", "OAB"))
    title = _title(one_line(found.first("TI", "BTI", "CTI", "TT")))
    ids = identifiers.complete(
        Identifiers(
            doi=_located(found, "doi"),
            pmid=identifiers.pmid(found.first("PMID")),
            pmcid=identifiers.pmcid(found.first("PMC")) if found.first("PMC") else "",
        )
    )
    if not (title or text or ids != Identifiers()):
        return None
    when = date_of(found.first("DP", "DEP"))
    return Record(
        title=title,
        text=text,
        original=original,
        authors=_authors(found),
        year=year_of(found.first("DP")) or year_of(when),
        date=when,
        venue=one_line(found.first("JT", "TA", "BTI")),
        ids=ids,
        isbns=tuple(
            dict.fromkeys(i for value in found.all("ISBN") if (i := identifiers.isbn(value)))
        ),
        topics=tuple(dict.fromkeys(one_line(v).replace("*", "") for v in found.all("OT", "MH"))),
        language=one_line(found.first("LA")),
        kind=one_line(found.first("PT")),
        line=found.line,
    )


def _located(found: Tagged, what: str) -> str:
    """The identifier of a kind among those that state their kind: 10.1000/x [doi]."""
    for value in found.all("LID", "AID"):
        if value.rstrip().lower().endswith(f"[{what}]"):
            return identifiers.doi(value.rpartition("[")[0])
    return identifiers.find(found.first("SO"))[0].doi


def _title(line: str) -> str:
    """Without the full stop that PubMed adds, and the brackets that it sets about translations."""
    bare = line.removesuffix(".")
    return bare[1:-1].removesuffix(".") if bare[:1] == "[" and bare[-1:] == "]" else bare


def _authors(found: Tagged) -> tuple[Person, ...]:
    """Full names where they are given; an ORCID iD stands in a line under its author's."""
    orcids = dict(_orcids(found))
    names = found.all("FAU") or found.all("AU")
    groups = [Person(name=one_line(name)) for name in found.all("CN")]
    return (*(person(one_line(name), orcid=orcids.get(name, "")) for name in names), *groups)


def _orcids(found: Tagged) -> Iterator[tuple[str, str]]:
    name = ""
    for line in found.raw if "AUID" in found.tags else ():
        tag, value = line[:4].strip(), line[6:].strip()
        name = value if tag == "FAU" or (tag == "AU" and not found.tags.get("FAU")) else name
        if tag == "AUID" and (orcid := identifiers.orcid(value)):
            yield name, orcid
