"""RIS, as Zotero, Mendeley, EndNote, Scopus, Ovid, Embase, ProQuest, IEEE and others write it."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain, islice

from kg.model.record import Identifiers, Record, Reference, Rejected
from kg.sources import identifiers
from kg.sources.dates import date_of, year_of
from kg.sources.names import person, split_names
from kg.sources.reader import GIVES, Item, Note, Sample, guarded, reader
from kg.sources.rows import reference
from kg.sources.tagged import Style, Tagged, tagged_records, topics
from kg.sources.text import abstract, one_line

# A blank stands before the dash or behind it: "T2-weighted" begins many a line of an abstract.
_TAG = r"\s?(?P<tag>[A-Z][A-Z0-9])(?: {1,3}-[ \t]*|-[ \t]+|-$)(?P<value>.*)$"
_STYLE = Style(
    tag=re.compile(_TAG),
    starts=frozenset({"TY"}),
    ends=frozenset({"ER"}),
    joins=lambda _tag, _line: "\n",
)
_DENSE = replace(_STYLE, tag=re.compile(r"\s?(?P<tag>[A-Z][A-Z0-9]) {0,3}-[ \t]*(?P<value>.*)$"))
_BOOKS = ("BOOK", "EBOOK", "EDBOOK", "WHOLE")
# What Wiley, JSTOR, Cochrane and APA write before each record, and Ovid behind it.
_SERVICE = re.compile(
    r"\s*(?:(?:Provider|Database|Content)\s*:.*|Record #\d+ of \d+|Link to the Ovid .*)\s*"
)


def _sniff(sample: Sample) -> float:
    starts = len(re.findall(r"(?m)^\s{0,2}TY {0,3}-", sample.text))
    others = len(re.findall(r"(?m)^(?:T[I1]|A[UB1]|ER|[PY][Y1]|N[12]|D[OA]) {0,3}-", sample.text))
    return 0.95 if starts and others else 0.0


@reader("ris", about="RIS of any service or manager", gives=GIVES, suffixes=(".ris",), sniff=_sniff)
def read_ris(lines: Iterable[str]) -> Iterator[Item]:
    """Yield one Record or Rejected per block, in file order.

    Every TY line in the file is accounted for; one block is held in memory.
    """
    unmarked = headed = 0
    marked = False  # some record before ended with ER
    for found in _records(lines):
        if _is_service(found):
            headed += 1
            continue
        marked = marked or found.closed
        whole = _is_whole(found, marked=marked)
        unmarked += "TY" in found.tags and whole and not found.closed
        yield from guarded(_items, found, whole)
    if unmarked:
        yield Note(f"{unmarked} records end without ER, at a blank line or where the next begins")
    if headed:
        yield Note(f"{headed} times the service speaks of itself between records")


def _is_service(found: Tagged) -> bool:
    """Whether lines outside of records speak of the service, or of the search that found them."""
    if set(found.tags) == {"C1"} and found.first("C1").startswith("Database:"):
        return True
    return not found.tags and all(map(_SERVICE.fullmatch, filter(str.strip, found.raw)))


def _records(lines: Iterable[str]) -> Iterator[Tagged]:
    """Records; a file that writes TY-JOUR has no blanks around the dashes of other tags either."""
    lines = iter(lines)
    head = list(islice(lines, 100))
    first = next((line.strip() for line in head if line.strip().startswith("TY")), "")
    style = _DENSE if re.match(r"TY-\w", first) else _STYLE
    yield from tagged_records(chain(head, lines), style)


def _is_whole(found: Tagged, *, marked: bool) -> bool:
    """Whether nothing seems to be missing at the end, for want of which the file was cut short.

    The last record of a file in which none is marked is as whole as the others.
    """
    told = found.first("TI", "T1") and found.first("AU", "A1", "PY", "Y1", "AB", "N2")
    return found.closed or found.parted or bool((found.followed or not marked) and told)


def _items(found: Tagged, whole: bool) -> Iterator[Item]:
    if "TY" not in found.tags:
        reason = "no TY line: the record has no beginning"
    elif not whole:
        reason = "no ER line; is the file cut short?"
    else:
        record = _record(found)
        if record is not None:
            yield record
            return
        reason = "no title, no abstract and no identifier"
    yield Rejected(reason, found.text, line=found.line)


def _record(found: Tagged) -> Record | None:
    kind = found.first("TY")
    title = found.first("TI", "T1", "CT") or found.first("ST")
    if not title and kind in _BOOKS:
        title = found.first("BT", "T2")
    text, original = abstract(found.first("AB", "N2"))
    ids, version = _identifiers(found)
    if not (title or text or ids != Identifiers(key=ids.key)):
        return None
    years = found.all("PY", "Y1", "DA")
    dates = sorted((d for value in years if (d := date_of(value))), key=len)
    year = next((y for value in years if (y := year_of(value))), None)
    when = next((d for d in reversed(dates) if year is None or year_of(d) == year), "")
    return Record(
        title=one_line(title),
        text=text,
        original=original,
        authors=tuple(
            person(one_line(name)) for value in _authors(found) for name in _names(value)
        ),
        year=year,
        date=when,
        venue=one_line(found.first("JF", "T2", "JO", "BT", "J2", "JA", "PB")),
        ids=ids,
        arxiv_version=version,
        isbns=_unique(identifiers.isbn(value) for value in found.all("SN")),
        urls=identifiers.urls(" ".join(found.all("UR", "L1", "L2", "LK", "L4"))),
        topics=topics(found.all("KW")),
        references=tuple(_references(found)),
        language=one_line(found.first("LA")),
        kind=kind,
        line=found.line,
    )


def _authors(found: Tagged) -> list[str]:
    """The values of AU and A1; where a record has both, in the order of their lines."""
    values = found.all("AU", "A1")
    if found.tags.get("AU") and found.tags.get("A1"):
        text = found.text
        values.sort(key=lambda value: text.find(f"- {value}"))
    return values


def _names(value: str) -> list[str]:
    """The names of an AU line: one by the standard, but some exports put all into one line."""
    return split_names(value) if ";" in value or "\n" in value or " and " in value else [value]


def _identifiers(found: Tagged) -> tuple[Identifiers, str]:
    addresses = " ".join(found.all("UR", "L1", "L2", "LK", "L3", "M3", "N1", "C1", "M1"))
    spoken, version = identifiers.find(f"{addresses} {found.first('JO', 'T2')}")
    accession, base = found.first("AN").strip(), " ".join(found.all("DB", "DP")).lower()
    pubmed = accession if "pubmed" in base or "medline" in base else ""
    ids = Identifiers(
        doi=identifiers.doi(found.first("DO", "DI")),
        pmid=identifiers.pmid(pubmed or (found.first("C2") if "scopus" in base else "")),
        pmcid=next(
            (p for v in found.all("C2") if v[:3] == "PMC" and (p := identifiers.pmcid(v))), ""
        ),
        wos=identifiers.wos(accession),
        key=found.first("ID"),
    )
    return identifiers.merge(identifiers.complete(ids), spoken), version


def _references(found: Tagged) -> Iterator[Reference]:
    for value in found.all("N1"):
        head, _, rest = value.partition(":")
        if head.strip().lower() in ("references", "cited references", "bibliography"):
            yield from _printed(rest)
    for value in found.all("CR"):
        yield from _printed(value)


def _printed(text: str) -> Iterator[Reference]:
    for part in re.split(r";\s+|\n", text):
        if part.strip(" ;"):
            yield reference(part.strip(" ;"))


def _unique(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(value for value in values if value))
