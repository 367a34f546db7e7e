"""EndNote's export for reference tools (.enw), which is also refer's."""

import re
from collections.abc import Iterable, Iterator

from kg.model.record import Identifiers, Record
from kg.sources import identifiers
from kg.sources.dates import date_of, year_of
from kg.sources.reader import Item, Sample, guarded, reader
from kg.sources.tagged import Style, Tagged, people, record_or_rejected, tagged_records, topics
from kg.sources.text import abstract, one_line

_STYLE = Style(
    tag=re.compile(r"%(?P<tag>[0-9A-Za-z@!#$&()*+:<>?\[\]^=~,.])(?:[ \t]+(?P<value>.*)|\s*)$"),
    starts=frozenset({"0"}),
    ends=frozenset(),
    joins=lambda _tag, _line: "\n",
)


def _sniff(sample: Sample) -> float:
    tags = re.findall(r"(?m)^%([0TADJBXRU@]) \S", sample.text)
    first = next((line for line in sample.lines if line.strip()), "")
    if not first.startswith("%") or not {"T", "A"} & set(tags):
        return 0.0
    return 0.95 if "0" in tags else 0.6


@reader(
    "enw",
    about="EndNote .enw, refer",
    gives=("abstract", "authors", "year", "venue", "identifiers"),
    suffixes=(".enw", ".refer"),
    sniff=_sniff,
)
def read_enw(lines: Iterable[str]) -> Iterator[Item]:
    """Yield one Record or Rejected per block; %0 opens one, and in refer a blank line closes it."""
    for found in _records(lines):
        yield from guarded(_items, found)


def _items(found: Tagged) -> Iterator[Item]:
    yield record_or_rejected(found, _record(found))


def _records(lines: Iterable[str]) -> Iterator[Tagged]:
    """Records; in files without %0, a blank line parts them."""
    lines = iter(lines)
    head: list[str] = []
    for line in lines:
        head.append(line)
        if line.strip():
            break
    style = _STYLE
    if head and not head[-1].startswith("%0"):
        style = Style(_STYLE.tag, frozenset(), frozenset(), blank_ends=True, joins=_STYLE.joins)
    yield from tagged_records((line for part in (head, lines) for line in part), style)


def _record(found: Tagged) -> Record | None:
    # In exports of ADS, %B is the abstract, %Y an identifier and %F a list of addresses.
    text, original = abstract(found.first("X") or (found.first("B") if found.first("J") else ""))
    spoken, version = identifiers.find(" ".join(found.all("U", ">", "R", "Z", "Y")))
    ids = Identifiers(
        doi=identifiers.doi(found.first("R")),
        wos=identifiers.wos(found.first("M")),
        key="" if " " in found.first("F") else found.first("F"),
    )
    ids = identifiers.merge(identifiers.complete(ids), spoken)
    title = one_line(found.first("T", "!"))
    if not (title or text or ids != Identifiers(key=ids.key)):
        return None
    when = date_of(found.first("8"))
    year = year_of(found.first("D")) or year_of(when)
    return Record(
        title=title,
        text=text,
        original=original,
        authors=people(found.all("A")),
        year=year,
        date=when if year_of(when) == year else f"{year:04d}" if year else "",
        venue=one_line(found.first("J", "B", "S", "I")),
        ids=ids,
        arxiv_version=version,
        isbns=tuple(dict.fromkeys(i for value in found.all("@") if (i := identifiers.isbn(value)))),
        urls=identifiers.urls(" ".join(found.all("U", ">"))),
        topics=topics(found.all("K")),
        language=one_line(found.first("G")),
        kind=found.first("0"),
        line=found.line,
    )
