"""Exports of Ovid as text: fields under their full names, or behind tags of two letters."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain, islice

from kg.model.record import Identifiers, Person, Record
from kg.sources import identifiers
from kg.sources.dates import date_of, year_of
from kg.sources.names import person, split_names
from kg.sources.reader import Item, Note, Sample, guarded, reader
from kg.sources.tagged import Style, Tagged, record_or_rejected, tagged_records
from kg.sources.text import abstract, one_line

_NUMBER = r"<(?=\d{1,7} ?\.? ?>\s*$)"  # <12>, <12. >: the number of a record
_TAGGED = Style(
    tag=re.compile(
        rf"\s?(?P<tag>{_NUMBER}|[A-Z][A-Z0-9](?= {{1,3}}-(?:\s|$)))(?: +-)?(?P<value>.*)$"
    ),
    starts=frozenset({"<"}),
    ends=frozenset(),
)
# Whatever is not indented is the name of a field.
_NAMED = replace(
    _TAGGED, tag=re.compile(rf"(?P<tag>{_NUMBER}|[A-Z][^<>\n]{{1,70}}(?=\s*$))(?P<value>.*)$")
)
_TITLE = ("TI", "Title", "Article Title", "Title of Publication")
_ABSTRACT = ("AB", "Abstract")
_FULL_NAMES = ("FA", "Authors Full Name", "Author Full Name", "Full Name")
_NAMES = ("AU", "Authors", "Author", "Author/Editors")
_SOURCE = ("SO", "Source")
_JOURNAL = ("JT", "JN", "Journal Name", "Journal Title", "NLM Journal Name", "BT", "Book Title")
_YEAR = ("YR", "Year of Publication", "Publication Year")
_DATE = ("DP", "Date of Publication", "Publication Date", "DG")
_DOI = ("DO", "DI", "Digital Object Identifier", "DOI", "DOI Number")
_PMID = ("PM", "PMID", "PubMed ID")
_ACCESSION = ("UI", "Unique Identifier", "AN", "Accession Number")
_DATABASE = ("DB", "Database")
_TOPICS = ("KW", "Keyword Heading", "Keywords", "Key Concepts", "MH", "MeSH Subject Headings", "SH")
_KIND = ("PT", "Publication Type", "Document Type")
_ISBN = ("IB", "ISBN")
# What ends the name of a journal: ". 12(3)", ", 2013(1)", " June 2015;58", " 12, Winter", ".:371-397".
_ISSUE = re.compile(
    r"[.,;]\s+(?=\(?\d|\(pp|[Vv]ol\b|(?:[A-Z][a-z]{2,8}\.? )?(?:1[89]|20)\d\d\b)|\.?:(?=\d)"
    r"|\s+(?=(?:[A-Z][a-z]{2,8}(?:[/-][A-Z][a-z]{2,8})? (?:\d{1,2}, )?)?(?:1[89]|20)\d\d;|\d+, )"
)
_BEFORE_BOOK = re.compile(r"^.*\[Ed[^\]]*\]\.?\s*(?:\(\d{4}\)\.\s*)?")
_LONGEST_VENUE = 150
_LABEL = re.compile(r"\.?\s*\[(?:[A-Z][a-z]+(?: [A-Z][a-z]+)?)\]\.?$")
_ROLE = re.compile(r"\s*\[.*$|[\d,+*\s]+$")
_DEGREE = re.compile(r",?\s+(?:MD|Ph\.?D\.?|[BM]Sc|MPH|RN|DrPH)\b.*$")


def _sniff(sample: Sample) -> float:
    if re.search(r"(?m)^\s?VN {1,3}- ?Ovid Technologies", sample.text):
        return 0.98
    starts = re.search(rf"(?m)^{_NUMBER}", sample.text)
    names = "|".join(map(re.escape, (*_ACCESSION, *_TITLE, *_NAMES, *_SOURCE, *_ABSTRACT)))
    fields = re.findall(rf"(?m)^({names})[ \t]*\r?\n[ \t]+\S", sample.text)
    return 0.95 if starts and len(set(fields)) >= 2 else 0.0


@reader(
    "ovid",
    about="Ovid's text exports, with fields named or tagged",
    gives=("abstract", "authors", "year", "venue", "identifiers"),
    suffixes=(".txt", ".ovd", ".cgi"),
    sniff=_sniff,
)
def read_ovid(lines: Iterable[str]) -> Iterator[Item]:
    """Yield one Record or Rejected per number in angle brackets, or per VN line where there are none."""
    lines = iter(lines)
    head = list(islice(lines, 500))
    numbered = any(re.match(rf"\s?{_NUMBER}", line) for line in head)
    tagged = any(re.match(r"\s?(?:VN|TI) {1,3}-", line) for line in head)
    style = _TAGGED if tagged else _NAMED
    if not numbered:
        style = replace(style, starts=frozenset({"VN"}))
    start = next((n for n, line in enumerate(head) if _opens(line, style)), 0)
    if any(line.strip() for line in head[:start]):
        yield Note("what stands before the first record is a search, no paper")
    for found in tagged_records(chain([""] * start, head[start:], lines), style):
        yield from guarded(_items, found)


def _opens(line: str, style: Style) -> bool:
    found = style.tag.match(line)
    return found is not None and found.group("tag") in style.starts


def _items(found: Tagged) -> Iterator[Item]:
    yield record_or_rejected(found, _record(found))


def _record(found: Tagged) -> Record | None:
    title = _LABEL.sub("", one_line(found.first(*_TITLE))).removesuffix(".")
    text, original = abstract(found.first(*_ABSTRACT))
    ids = _identifiers(found)
    if not (title or text or ids != Identifiers(key=ids.key)):
        return None
    source = one_line(found.first(*_SOURCE))
    when = date_of(found.first(*_DATE))
    year = year_of(found.first(*_YEAR)) or year_of(when) or year_of(_after_venue(source))
    return Record(
        title=title,
        text=text,
        original=original,
        authors=tuple(_authors(found)),
        year=year,
        date=when if year_of(when) == year else f"{year:04d}" if year else "",
        venue=one_line(found.first(*_JOURNAL)) or _venue(source),
        ids=ids,
        isbns=tuple(dict.fromkeys(i for v in found.all(*_ISBN) if (i := identifiers.isbn(v)))),
        topics=tuple(
            dict.fromkeys(
                topic
                for value in found.all(*_TOPICS)
                for part in re.split(r"[\n;]", value)
                if (topic := one_line(part).strip("*. "))
            )
        ),
        language=one_line(found.first("LG", "Language")).removesuffix("."),
        kind=one_line(found.first(*_KIND)).removesuffix("."),
        line=found.line,
    )


def _authors(found: Tagged) -> Iterator[Person]:
    """Full names where they are given; roles, addresses and degrees go."""
    for value in found.all(*_FULL_NAMES) or found.all(*_NAMES):
        bare = re.sub(r"\s*\[[^\]]*\]", "", value)
        # "Berg A.  Lund C." was how names stood in older exports.
        names = split_names(bare) if ";" in bare else re.split(r"(?<=\.)\s{2,}", bare)
        for name in names:
            plain = _DEGREE.sub("", _ROLE.sub("", one_line(name)))
            if plain:
                yield person(plain.removesuffix(".") if "," not in plain else plain)


def _identifiers(found: Tagged) -> Identifiers:
    accession = found.first(*_ACCESSION).strip()
    base = found.first(*_DATABASE).lower()
    # Only MEDLINE's accession numbers are those of PubMed; nothing else is called unique.
    medline = "medline" in base or "Unique Identifier" in found.tags or "UI" in found.tags
    ids = Identifiers(
        doi=next((d for value in found.all(*_DOI) if (d := identifiers.doi(value))), ""),
        pmid=identifiers.pmid(found.first(*_PMID))
        or identifiers.pmid(accession if medline else ""),
        key=accession,
    )
    return identifiers.complete(ids)


def _venue(source: str) -> str:
    """The journal in "Journal of Ice. Part B. 12(3):101-9, 2019", the book after its editors."""
    bare = _BEFORE_BOOK.sub("", source)
    name = bare[: len(bare) - len(_after_venue(bare))].strip(" .,;")
    return name if len(name) < _LONGEST_VENUE else ""  # a whole citation in some form of its own


def _after_venue(source: str) -> str:
    """Where in a source the volume, issue, date or pages begin, and all that follows."""
    found = _ISSUE.search(source)
    return source[found.start() :] if found else ""
