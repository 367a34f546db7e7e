"""Crossref works; and CSL-JSON, whose names of fields Crossref shares."""

from collections.abc import Mapping
from typing import Any

from kg.model.record import Identifiers, Person, Record, Reference
from kg.sources import identifiers
from kg.sources.dates import date_of
from kg.sources.json_values import date, first, line, mapping, mappings, string, strings, year
from kg.sources.names import person
from kg.sources.text import abstract, one_line

_DATES = ("issued", "published", "published-online", "published-print", "posted", "created")


def is_crossref(value: Mapping[str, Any]) -> bool:
    """Whether an object is a work of Crossref: a DOI, and a title that is a list or counts."""
    return "DOI" in value and ("reference-count" in value or "is-referenced-by-count" in value)


def is_csl(value: Mapping[str, Any]) -> bool:
    """Whether an object is an item of CSL-JSON."""
    if not isinstance(value.get("type"), str) or "itemType" in value:
        return False
    named = {"title", "author", "issued", "container-title", "DOI", "editor"} & value.keys()
    return "id" in value and bool(named) and not {"paperId", "abs", "pdf"} & value.keys()


def crossref_record(work: Mapping[str, Any]) -> Record:
    """Read one work of Crossref; the abstract's JATS tags are taken out."""
    text, original = abstract(string(work.get("abstract")))
    title = ": ".join(part for part in (first_line(work.get("title")), _subtitle(work)) if part)
    day = _day(work)
    return Record(
        title=title,
        text=text,
        original=original,
        authors=_authors(work),
        year=year(day),
        date=day,
        venue=first_line(work.get("container-title")) or first_line(work.get("institution")),
        ids=identifiers.complete(Identifiers(doi=identifiers.doi(string(work.get("DOI"))))),
        isbns=_isbns(work),
        urls=strings(work.get("URL")),
        topics=strings(work.get("subject")),
        references=tuple(_reference(r) for r in mappings(work.get("reference"))),
        language=string(work.get("language")),
        kind=string(work.get("type")),
    )


def csl_record(item: Mapping[str, Any]) -> Record:
    """Read one item of CSL-JSON, as Zotero, doi.org and reference managers write it."""
    text, original = abstract(string(item.get("abstract")))
    day = _day(item)
    url = string(item.get("URL"))
    note = string(item.get("note"))
    ids = identifiers.merge(
        Identifiers(
            doi=identifiers.doi(string(item.get("DOI"))),
            pmid=identifiers.pmid(string(item.get("PMID"))),
            pmcid=identifiers.pmcid(string(item.get("PMCID"))),
            arxiv=identifiers.arxiv(string(item.get("number")))[0],
            key=string(item.get("citation-key")) or string(item.get("id")),
        ),
        identifiers.from_urls([url]),
        identifiers.find(note)[0],
    )
    return Record(
        title=first_line(item.get("title")),
        text=text,
        original=original,
        authors=_authors(item),
        year=year(day),
        date=day,
        venue=first_line(item.get("container-title")) or line(item.get("event-title")),
        ids=identifiers.complete(ids),
        isbns=_isbns(item),
        urls=strings(url),
        topics=tuple(
            t.strip() for t in string(item.get("keyword")).replace(";", ",").split(",") if t.strip()
        ),
        references=tuple(_reference(r) for r in mappings(item.get("reference"))),
        language=string(item.get("language")),
        kind=string(item.get("type")),
    )


def first_line(value: Any) -> str:
    """Return the first string of a list, or the string itself, as a human reads it."""
    return one_line(first(value)) if not isinstance(value, dict) else ""


def _subtitle(work: Mapping[str, Any]) -> str:
    subtitle = first_line(work.get("subtitle"))
    title = first_line(work.get("title"))
    return "" if subtitle.casefold() in title.casefold() else subtitle


def _day(work: Mapping[str, Any]) -> str:
    for field in _DATES:
        value = work.get(field)
        if isinstance(value, str):
            if year(value):
                return value[:10]
            continue
        for parts in _date_parts(value):
            found = date(*parts)
            if found:
                return found
    return ""


def _date_parts(value: Any) -> list[list[Any]]:
    if isinstance(value, list):  # CSL-YAML: [{year: 2017, month: 6}]
        return [[v.get("year"), v.get("month"), v.get("day")] for v in mappings(value)]
    if "year" in mapping(value):
        return [[value.get("year"), value.get("month"), value.get("day")]]
    parts = mapping(value).get("date-parts")
    if not isinstance(parts, list):
        parts = []
    elif parts and not isinstance(parts[0], list):
        parts = [parts]  # one date, not in a list of dates
    found = [part for part in parts if isinstance(part, list)]
    raw = string(mapping(value).get("raw")) or string(mapping(value).get("literal"))
    if not found and raw:
        found = [list(date_of(raw).split("-"))]
    return found


def _authors(work: Mapping[str, Any]) -> tuple[Person, ...]:
    people = list(mappings(work.get("author"))) or list(mappings(work.get("editor")))
    return tuple(_author(one) for one in people)


def _author(author: Mapping[str, Any]) -> Person:
    orcid = identifiers.orcid(string(author.get("ORCID")))
    family = line(author.get("family"))
    particles = [line(author.get("dropping-particle")), line(author.get("non-dropping-particle"))]
    family = " ".join(part for part in (*particles, family) if part)
    given = line(author.get("given"))
    suffix = line(author.get("suffix"))
    if family:
        return Person(family, f"{given}, {suffix}" if suffix else given, "", orcid)
    whole = line(author.get("name")) or line(author.get("literal"))
    return Person(name=whole, orcid=orcid) if whole else person(given, orcid=orcid)


def _isbns(work: Mapping[str, Any]) -> tuple[str, ...]:
    values = [part for value in strings(work.get("ISBN")) for part in value.split()]
    return tuple(dict.fromkeys(found for value in values if (found := identifiers.isbn(value))))


def _reference(cited: Mapping[str, Any]) -> Reference:
    raw = line(cited.get("unstructured"))
    found = identifiers.find(raw)[0] if raw else Identifiers()
    author = line(cited.get("author"))
    title = (
        line(cited.get("article-title"))
        or line(cited.get("volume-title"))
        or line(cited.get("title"))
    )
    family = person(author)
    return Reference(
        raw=raw,
        ids=identifiers.complete(
            identifiers.merge(Identifiers(doi=identifiers.doi(string(cited.get("DOI")))), found)
        ),
        title=title,
        authors=(family.family or family.name,) if author else (),
        year=year(cited.get("year")),
        venue=line(cited.get("journal-title")) or line(cited.get("series-title")),
        volume=string(cited.get("volume")),
        page=string(cited.get("first-page")),
    )
