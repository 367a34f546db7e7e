"""The Cochrane Library's export as plain text."""

import re
from collections.abc import Iterable, Iterator

from kg.model.record import Identifiers, Record
from kg.sources import identifiers
from kg.sources.dates import year_of
from kg.sources.names import person
from kg.sources.reader import Item, Sample, guarded, reader
from kg.sources.tagged import Style, Tagged, record_or_rejected, tagged_records, topics
from kg.sources.text import abstract, one_line

_STYLE = Style(
    tag=re.compile(
        r"(?P<tag>Record(?= #\d+ of \d+\s*$)|(?:[A-Z]{2}|DOI|CRG)(?=:(?:\s|$))):?(?P<value>.*)$"
    ),
    starts=frozenset({"Record"}),
    ends=frozenset(),
)


def _sniff(sample: Sample) -> float:
    starts = re.search(r"(?m)^Record #\d+ of \d+\s*$", sample.text)
    return 0.95 if starts and re.search(r"(?m)^(?:TI|AB|ID): \S", sample.text) else 0.0


@reader(
    "cochrane",
    about="The Cochrane Library's plain text",
    gives=("abstract", "authors", "year", "venue", "identifiers"),
    suffixes=(".txt",),
    sniff=_sniff,
)
def read_cochrane(lines: Iterable[str]) -> Iterator[Item]:
    """Yield one Record or Rejected per "Record #1 of 9" line."""
    for found in tagged_records(lines, _STYLE):
        yield from guarded(_items, found)


def _items(found: Tagged) -> Iterator[Item]:
    yield record_or_rejected(found, _record(found))


def _record(found: Tagged) -> Record | None:
    title = one_line(found.first("TI"))
    text, original = abstract(found.first("AB"))
    pubmed = found.first("PM").upper().removeprefix("PUBMED").strip(" :")
    ids = identifiers.complete(
        Identifiers(
            doi=identifiers.doi(found.first("DOI")),
            pmid=identifiers.pmid(pubmed),
            key=found.first("ID"),
        )
    )
    if not (title or text or ids != Identifiers(key=ids.key)):
        return None
    year = year_of(found.first("YR"))
    return Record(
        title=title,
        text=text,
        original=original,
        authors=tuple(person(one_line(name)) for name in found.all("AU")),
        year=year,
        date=f"{year:04d}" if year else "",
        venue=one_line(found.first("SO")),
        ids=ids,
        urls=identifiers.urls(" ".join(found.all("US"))),
        topics=topics(found.all("KY")),
        kind=one_line(found.first("PT")),
        line=found.line,
    )
