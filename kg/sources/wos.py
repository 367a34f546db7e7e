"""Web of Science: tagged plain text and tab-delimited tables."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice

from kg.model.record import Identifiers, Person, Record, Reference, Rejected
from kg.sources import identifiers
from kg.sources.dates import iso, month_of, year_of
from kg.sources.names import person
from kg.sources.reader import GIVES, Item, Sample, guarded, reader
from kg.sources.table_rows import Row, Table
from kg.sources.tagged import Style, Tagged, tagged_records
from kg.sources.text import abstract, one_line

# Tags whose continuation lines are values of their own.
_LISTS = frozenset("AU AF BA BF BE GP CR RI OI C1 C3".split())
_STYLE = Style(
    tag=re.compile(r"(?P<tag>[A-Z][A-Z0-9])(?:[ \t](?P<value>.*))?$"),
    starts=frozenset({"PT"}),
    ends=frozenset({"ER"}),
    joins=lambda tag, _line: "\n" if tag in _LISTS else " ",
    outside=frozenset({"FN", "VR", "EF"}),
)
_CITED = re.compile(
    r"(?P<author>[^,]+)?,?\s*(?P<year>1[5-9]\d\d|20\d\d)\s*,\s*(?P<venue>[^,]+)"
    r"(?:,\s*V(?P<volume>[\w-]+))?(?:,\s*[PE](?P<page>[\w-]+))?",
)


def _sniff(sample: Sample) -> float:
    text = sample.start
    tagged = re.search(r"(?m)^PT[ \t][A-Z]\s*$", text) and re.search(
        r"(?m)^(?:AU|TI|SO|UT)[ \t]\S", text
    )
    return 0.96 if tagged and (text.startswith("FN ") or re.search(r"(?m)^ER\s*$", text)) else 0.0


def _sniff_table(sample: Sample) -> float:
    first = sample.start.split("\n", 1)[0]
    header = {cell.strip().strip('"') for cell in first.split(_delimiter(first))}
    own = {"AU", "TI", "SO"} <= header and not header.isdisjoint({"PT", "UT", "DT", "CR"})
    return 0.96 if own else 0.0


def _delimiter(header: str) -> str:
    """What parts the tags of a header; programs that read tables save them with other signs."""
    return max("\t,;|", key=header.count)


@reader(
    "wos",
    about="Web of Science plain text",
    gives=GIVES,
    suffixes=(".txt", ".isi", ".ciw"),
    sniff=_sniff,
)
def read_wos(lines: Iterable[str]) -> Iterator[Item]:
    """Yield one Record or Rejected per PT line."""
    for found in tagged_records(lines, _STYLE):
        yield from guarded(_items, found)


def _items(found: Tagged) -> Iterator[Item]:
    if not found.tags:
        yield Rejected("lines without a tag", found.text, line=found.line)
    elif not found.closed:
        yield Rejected("no ER line; is the file cut short?", found.text, line=found.line)
    else:
        yield _item(found)


@reader(
    "wos-tab",
    about="Web of Science, tab-delimited or saved as CSV",
    gives=GIVES,
    suffixes=(".txt", ".tsv"),
    sniff=_sniff_table,
)
def read_wos_table(lines: Iterable[str]) -> Iterator[Item]:
    """Yield one Record or Rejected per row under the header."""
    lines = iter(lines)
    first = next(lines, "")
    rows = iter(Table(chain([first], lines), _delimiter(first)))
    header = [cell.strip() for row in islice(rows, 1) for cell in row.cells]
    while header and not header[-1]:
        header.pop()
    for row in rows:
        yield from guarded(_row_items, row, header)


def _row_items(row: Row, header: Sequence[str]) -> Iterator[Item]:
    if row.problem or not len(header) / 2 <= len(row.cells) <= len(header) + 1:
        reason = row.problem or f"{len(row.cells)} cells where the header has {len(header)}"
        yield Rejected(reason, row.raw, line=row.line)
        return
    found = Tagged(row.line, raw=[row.raw], closed=True)
    for tag, cell in zip(header, row.cells, strict=False):
        if cell.strip():
            found.tags[tag] = [re.sub(r";\s+", "\n", cell) if tag in _LISTS else cell.strip()]
    yield _item(found)


def _medline(accession: str) -> str:
    """The PubMed id that MEDLINE's collection gives its records."""
    return identifiers.pmid(accession) if accession.upper().startswith("MEDLINE:") else ""


def _item(found: Tagged) -> Record | Rejected:
    title = one_line(found.first("TI"))
    text, original = abstract(found.first("AB"))
    ids = identifiers.complete(
        Identifiers(
            doi=identifiers.doi(found.first("DI")),
            pmid=identifiers.pmid(found.first("PM")) or _medline(found.first("UT")),
            wos=identifiers.wos(found.first("UT")),
        )
    )
    if not (title or text or ids != Identifiers()):
        reason = "no title, no abstract and no identifier"
        return Rejected(reason, found.text, line=found.line)
    year = year_of(found.first("PY"))
    published = found.first("PD")
    day = re.search(r"\b([12]?\d|3[01])\b", published)
    month = month_of(re.sub(r"\d", " ", published)) if published else None
    return Record(
        title=title,
        text=text,
        original=original,
        authors=_authors(found),
        year=year,
        date=iso(year, month, int(day.group(1)) if day and month else None),
        venue=one_line(found.first("SO", "JI", "J9")),
        ids=ids,
        isbns=tuple(
            dict.fromkeys(
                i for part in found.first("BN").split(";") if (i := identifiers.isbn(part))
            )
        ),
        topics=tuple(
            dict.fromkeys(
                topic
                for value in found.all("DE", "ID")
                for part in value.split(";")
                if (topic := one_line(part))
            )
        ),
        references=tuple(
            cited(line) for value in found.all("CR") for line in value.split("\n") if line.strip()
        ),
        language=one_line(found.first("LA")),
        kind=one_line(found.first("DT", "PT")),
        line=found.line,
    )


def cited(text: str) -> Reference:
    """Read a cited reference: Doe J, 2000, J WALKS, V45, P425, DOI 10.1000/x."""
    text = " ".join(text.split())
    found = _CITED.match(text)
    ids, _ = identifiers.find(text)
    if found is None:
        return Reference(raw=text, ids=ids)
    author = (found.group("author") or "").strip(" *")
    family = re.sub(r"(?:\s+(?:[A-Z]{1,4}|(?:[A-Z][.-]\s?)+))+$", "", author)
    return Reference(
        raw=text,
        ids=ids,
        authors=(family or author,) if author and not author.startswith("[") else (),
        year=int(found.group("year")),
        venue=found.group("venue").strip(),
        volume=found.group("volume") or "",
        page=found.group("page") or "",
    )


def _authors(found: Tagged) -> tuple[Person, ...]:
    names = [n for value in found.all("AF") or found.all("AU") for n in value.split("\n") if n]
    people = (person(one_line(name)) for name in names)
    orcids = dict(_orcids(found))
    return tuple(
        Person(
            each.family, each.given, each.name, orcids.get(_initial(each.family, each.given), "")
        )
        for each in people
    )


def _orcids(found: Tagged) -> Iterator[tuple[str, str]]:
    """Pairs of a name and an iD, written as Doe, Jane/0000-0002-1825-0097."""
    for value in found.all("OI"):
        for part in re.split(r"[;\n]", value):
            name, _, code = part.partition("/")
            family, _, given = name.partition(",")
            if found_id := identifiers.orcid(code):
                yield _initial(family, given), found_id


def _initial(family: str, given: str) -> str:
    return f"{family.strip().casefold()} {given.strip()[:1].casefold()}"
