"""arXiv: Atom feeds, OAI-PMH harvests, the metadata snapshot and daily listings in JSON."""

import re
from collections.abc import Mapping
from typing import Any

from lxml import etree

from kg.model.record import Identifiers, Person, Record
from kg.sources import identifiers
from kg.sources.dates import date_of
from kg.sources.json_values import first, line, mapping, string, strings, year
from kg.sources.latex import decoded, words_of_tex
from kg.sources.names import people, person
from kg.sources.reader import NoRecordError
from kg.sources.text import one_line, tex_abstract
from kg.sources.xml_text import child_line, element_abstract, element_line


def is_arxiv(value: Mapping[str, Any]) -> bool:
    """Whether an object is a row of the metadata snapshot or of a daily listing."""
    known = identifiers.arxiv(string(value.get("id")))[0]
    return bool(known) and ("authors_parsed" in value or "categories" in value)


def arxiv_record(row: Mapping[str, Any]) -> Record:
    """Read one row of the metadata snapshot (abstract) or of a daily listing (summary)."""
    text, original = tex_abstract(string(row.get("abstract")) or string(row.get("summary")))
    number, version = identifiers.arxiv(string(row.get("id")))
    versions = row.get("versions")
    dates = [mapping(v) for v in versions] if isinstance(versions, list) else []
    version = version or (string(dates[-1].get("version")) if dates else "")
    created = string(dates[0].get("created")) if dates else ""
    day = first([row.get("published"), row.get("first_listed")])[:10]
    categories = row.get("categories")
    return Record(
        title=one_line(words_of_tex(string(row.get("title")))),
        text=text,
        original=original,
        authors=_json_authors(row),
        year=year(created) or year(day) or id_year(number),
        date=date_of(created) or date_of(day),
        venue=line(row.get("journal-ref")),
        ids=Identifiers(arxiv=number, doi=identifiers.doi(string(row.get("doi")).split(" ")[0])),
        arxiv_version=version,
        urls=strings([row.get("abs")]),
        topics=strings(categories.split() if isinstance(categories, str) else categories),
        kind="preprint",
    )


def atom_record(element: etree._Element) -> Record:
    """Read one entry of an Atom feed."""
    address = element.findtext("id") or ""
    number, version = identifiers.arxiv(address)
    if not number and not child_line(element, "title"):
        raise NoRecordError("an entry without id and title")
    if "api/errors" in address:
        raise NoRecordError(f"the service reports an error: {child_line(element, 'summary')}")
    summary = element.find("summary")
    text, original = _element_text(summary)
    published = (element.findtext("published") or element.findtext("updated") or "")[:10]
    return Record(
        title=words_of_tex(child_line(element, "title")),
        text=text,
        original=original,
        authors=tuple(
            person(name) for e in element.findall("author") if (name := child_line(e, "name"))
        ),
        year=year(published) or id_year(number),
        date=published,
        venue=child_line(element, "journal_ref"),
        ids=identifiers.complete(
            Identifiers(arxiv=number, doi=identifiers.doi(element.findtext("doi") or ""))
        ),
        arxiv_version=version,
        urls=() if number else strings([address]),
        topics=tuple(dict.fromkeys(c.get("term") or "" for c in element.findall("category"))),
        kind="preprint" if number else "",
    )


def _element_text(element: etree._Element | None) -> tuple[str, str]:
    if element is None:
        return "", ""
    text, original = element_abstract(element)
    read = words_of_tex(text)
    return (text, original) if read == text else (read, original or text)


def oai_record(element: etree._Element) -> Record:
    """Read one record of an OAI-PMH harvest: arXiv, arXivRaw or Dublin Core metadata."""
    header = element.find("header")
    if header is not None and header.get("status") == "deleted":
        raise NoRecordError("the source says that the record was deleted")
    metadata = element.find("metadata")
    if metadata is None or not len(metadata):
        raise NoRecordError("no metadata in the record")
    inner = metadata[0]
    if inner.tag == "dc":
        return _dublin_core(inner, header)
    text, original = _element_text(inner.find("abstract"))
    number = identifiers.arxiv(inner.findtext("id") or "")[0]
    created = (inner.findtext("created") or inner.findtext("version/date") or "").strip()
    versions = [v.get("version") or "" for v in inner.findall("version")]
    return Record(
        title=words_of_tex(child_line(inner, "title")),
        text=text,
        original=original,
        authors=_oai_authors(inner),
        year=year(created) or id_year(number),
        date=date_of(created),
        venue=child_line(inner, "journal-ref"),
        ids=Identifiers(
            arxiv=number, doi=identifiers.doi((inner.findtext("doi") or "").split(" ")[0])
        ),
        arxiv_version=versions[-1] if versions else "",
        topics=tuple((inner.findtext("categories") or "").split()),
        kind="preprint",
    )


def _oai_authors(inner: etree._Element) -> tuple[Person, ...]:
    listed = inner.findall("authors/author")
    if not listed:
        return people(_without_places(child_line(inner, "authors")))
    return tuple(
        Person(
            child_line(a, "keyname"),
            ", ".join(part for name in ("forenames", "suffix") if (part := child_line(a, name))),
        )
        for a in listed
    )


def _without_places(authors: str) -> str:
    """A list of names without the affiliations that stand in brackets behind them."""
    names, depth = [], 0
    for piece in re.split(r"([()])", decoded(authors)):
        depth = max(0, depth + (piece == "(") - (piece == ")"))
        if not depth and piece != ")":
            names.append(piece)
    return " ".join("".join(names).split()).replace(" ,", ",")


def _dublin_core(inner: etree._Element, header: etree._Element | None) -> Record:
    values: dict[str, list[str]] = {}
    for child in inner:
        if isinstance(child.tag, str):
            values.setdefault(child.tag, []).append(element_line(child))
    descriptions = inner.findall("description")
    # Comments stand beside the abstract; the abstract is the long one.
    longest = max(descriptions, key=lambda e: len(e.text or ""), default=None)
    text, original = element_abstract(longest) if longest is not None else ("", "")
    own = identifiers.from_urls(values.get("identifier", []))
    name = header.findtext("identifier") if header is not None else ""
    number = identifiers.arxiv(name or "")[0]
    days = sorted(values.get("date", []))
    return Record(
        title=first(values.get("title", [])),
        text=text,
        original=original,
        authors=tuple(person(one) for one in values.get("creator", [])),
        year=year(days[0]) if days else id_year(number),
        date=days[0] if days else "",
        ids=identifiers.complete(identifiers.merge(Identifiers(arxiv=number), own)),
        urls=tuple(v for v in values.get("identifier", []) if v.startswith("http")),
        topics=tuple(values.get("subject", [])),
        language=first(values.get("language", [])),
        kind=first(values.get("type", [])),
    )


def _json_authors(row: Mapping[str, Any]) -> tuple[Person, ...]:
    parsed = row.get("authors_parsed")
    if isinstance(parsed, list):
        return tuple(
            Person(line(p[0]), ", ".join(part for part in map(line, p[1:3]) if part))
            for p in parsed
            if isinstance(p, list) and p and string(p[0])
        )
    authors = row.get("authors")
    if isinstance(authors, str):
        return people(_without_places(line(authors)))
    return tuple(person(one_name) for name in strings(authors) if (one_name := line(name)))


def id_year(number: str) -> int | None:
    """The year that an arXiv id tells."""
    digits = re.search(r"(?:^|/)(\d\d)\d\d", number)
    if digits is None:
        return None
    short = int(digits.group(1))
    return 1900 + short if short > 90 else 2000 + short
