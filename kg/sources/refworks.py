"""RefWorks' tagged text, which ProQuest, Gale and publishers' pages write, too."""

import re
from collections.abc import Iterable, Iterator
from itertools import chain, islice

from kg.model.record import Identifiers, Record, Rejected
from kg.sources import identifiers
from kg.sources.dates import date_of, month_of, year_of
from kg.sources.reader import Item, Note, Sample, guarded, reader
from kg.sources.tagged import Style, Tagged, people, tagged_records, topics
from kg.sources.text import abstract, one_line

# No dash stands behind a tag: only the tags that there are tell a field from a line of its text.
_TAGS = (
    "RT|SR|ID|A[1-6DNVB]|T[1-3]|J[FO]|YR|FD|VO|IS|SP|OP|K1|NO|P[BP]|ED|SN|L[ALK]|C[LNRT]|SF|OT|D[OBS]"
    "|IP|RD|ST|U\\d{1,2}|[UOS]L|W[TVP]|PMC?ID|ER"
)
_STYLE = Style(
    tag=re.compile(rf"\s?(?P<tag>{_TAGS})(?:[ \t]+(?P<value>.*)|\s*)$"),
    starts=frozenset({"RT"}),
    ends=frozenset({"ER"}),
    joins=lambda _tag, _line: "\n",
)


def _sniff(sample: Sample) -> float:
    head = next((line for line in sample.lines if line.strip()), "")
    others = re.findall(r"(?m)^\s?(A1|T1|JF|YR|AB|PB|SP|K1|DO) \S", sample.text)
    if not re.search(r"(?m)^\s?RT [A-Z]", sample.text) or len(set(others)) < 2:
        return 0.0
    return 0.95 if head.strip().startswith("RT ") else 0.7


@reader(
    "refworks",
    about="RefWorks' tagged text",
    gives=("abstract", "authors", "year", "venue", "identifiers"),
    suffixes=(".txt", ".refworks"),
    sniff=_sniff,
)
def read_refworks(lines: Iterable[str]) -> Iterator[Item]:
    """Yield one Record or Rejected per RT line, in file order."""
    lines = iter(lines)
    head = list(islice(lines, 500))
    start = next((n for n, line in enumerate(head) if re.match(r"\s?RT\s", line)), 0)
    if any(line.strip() for line in head[:start]):
        yield Note("what stands before the first record is a legend, no paper")
    for found in tagged_records(chain([""] * start, head[start:], lines), _STYLE):
        yield from guarded(_items, found)


def _items(found: Tagged) -> Iterator[Item]:
    record = _record(found) if "RT" in found.tags else None
    if record is not None:
        yield record
        return
    reason = "no title, no abstract and no identifier"
    if "RT" not in found.tags:
        reason = "no RT line: the record has no beginning"
    yield Rejected(reason, found.text, line=found.line)


def _record(found: Tagged) -> Record | None:
    title = one_line(found.first("T1", "T2", "OT"))
    text, original = abstract(found.first("AB"))
    ids, version = _identifiers(found)
    if not (title or text or ids != Identifiers(key=ids.key)):
        return None
    year = year_of(found.first("YR", "FD"))
    return Record(
        title=title,
        text=text,
        original=original,
        authors=people(found.all("A1")),
        year=year,
        date=_date(year, found.first("FD")),
        venue=one_line(found.first("JF", "JO", "T2", "PB")),
        ids=ids,
        arxiv_version=version,
        isbns=tuple(dict.fromkeys(i for v in found.all("SN") if (i := identifiers.isbn(v)))),
        urls=identifiers.urls(" ".join(found.all("LK", "UL"))),
        topics=topics(found.all("K1")),
        language=one_line(found.first("LA")),
        kind=one_line(found.first("RT")),
        line=found.line,
    )


def _identifiers(found: Tagged) -> tuple[Identifiers, str]:
    spoken, version = identifiers.find(" ".join(found.all("LK", "UL", "NO", "AN")))
    ids = Identifiers(
        doi=identifiers.doi(found.first("DO")),
        pmid=identifiers.pmid(found.first("PMID")),
        pmcid=identifiers.pmcid(found.first("PMCID")),
        wos=identifiers.wos(found.first("AN")),
        key=found.first("ID"),
    )
    return identifiers.merge(identifiers.complete(ids), spoken), version


def _date(year: int | None, free: str) -> str:
    """The free date, "May 2" or "2019/05/02", where it agrees with the year."""
    if year is None:
        return ""
    whole = date_of(free)
    if not whole and month_of(free):
        whole = date_of(f"{free}, {year}")
    return whole if year_of(whole) == year else f"{year:04d}"
