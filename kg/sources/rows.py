"""A record out of a row: strings of a CSV file, or nested values of JSON and Parquet."""

import math
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from kg.model.record import Identifiers, Person, Record, Reference, Rejected
from kg.sources import identifiers
from kg.sources.columns import ColumnMap
from kg.sources.dates import date_of, year_of
from kg.sources.json_blocks import parse
from kg.sources.names import people, person
from kg.sources.openalex import inverted_index
from kg.sources.reader import Cut
from kg.sources.text import abstract, one_line

# A small letter, and a capital that begins a name; but McDonald Roe, DeVito Poe.
_GLUED = re.compile(r"(?<=[^\W\d_A-Z])(?<!\bMc)(?<!\bMac)(?<!\bDe)(?<!\bLa)(?=[A-Z][^\W\d_]*\.? )")
_INDEX = re.compile(r'\s*\{\s*"[^"]*"\s*:\s*\[\s*\d')
_LIST = re.compile(r"\s*[;|\n]\s*")


def row_record(row: Mapping[str, Any], columns: ColumnMap, block: Cut) -> Record | Rejected:
    """Return the record of a row that was cut out of the file as `block`, or why there is none."""
    taken = columns.take(row)
    title = one_line(_text(_first(taken.get("title"))))
    text, original = abstract(_abstract(taken.get("abstract")))
    if not any(map(str.isalpha, text)):
        text = original = ""  # a year that slid into the column, a dash for nothing
    ids, version = _identifiers(taken)
    if not (title or text or _named(ids)):
        return Rejected("no title, no abstract and no identifier", block.text, line=block.line)
    when = date_of(_text(taken.get("date"))) or date_of(_text(taken.get("year")))
    return Record(
        title=title,
        text=text,
        original=original,
        authors=tuple(_people(taken.get("authors"))),
        year=year_of(_text(taken.get("year"))) or year_of(when),
        date=when,
        venue=one_line(_text(taken.get("venue"))),
        ids=ids,
        arxiv_version=version,
        isbns=_unique(identifiers.isbn(part) for part in _strings(taken.get("isbn"))),
        urls=_addresses(taken.get("url")),
        topics=_unique(one_line(part) for part in _strings(taken.get("topics"))),
        references=tuple(_references(taken.get("references"))),
        language=_text(taken.get("language")).strip(),
        kind=_text(taken.get("kind")).strip(),
        line=block.line,
    )


def _identifiers(taken: Mapping[str, Any]) -> tuple[Identifiers, str]:
    given = {name: _text(taken[name]).strip() for name in _FORMS if name in taken}
    number, version = identifiers.arxiv(given["arxiv"]) if "arxiv" in given else ("", "")
    key = _text(taken.get("key")).strip()
    found = {name: _FORMS[name](value) for name, value in given.items() if name != "arxiv"}
    ids = Identifiers(**found, arxiv=number, key=key)
    if key and not key.isdecimal():
        # Files of one service call its own identifier "id".
        of_key, version_of_key = identifiers.arxiv(key)
        version = version or version_of_key
        ids = identifiers.merge(
            ids,
            Identifiers(arxiv=of_key, openalex=identifiers.openalex(key), s2=identifiers.s2(key)),
        )
    if "url" in taken:
        ids = identifiers.merge(ids, identifiers.from_urls(_addresses(taken["url"])))
    return identifiers.complete(ids), version


_FORMS: dict[str, Callable[[str], str]] = {
    "arxiv": lambda value: identifiers.arxiv(value)[0],
    "doi": identifiers.doi,
    "pmid": identifiers.pmid,
    "pmcid": identifiers.pmcid,
    "openalex": identifiers.openalex,
    "s2": identifiers.s2,
    "corpus": identifiers.corpus,
    "mag": identifiers.mag,
    "dblp": identifiers.dblp,
    "acl": identifiers.acl,
    "openreview": identifiers.openreview,
    "wos": identifiers.wos,
    "scopus": identifiers.scopus,
}


def _named(ids: Identifiers) -> bool:
    return ids != Identifiers(key=ids.key)


def _text(value: Any) -> str:
    """A value as text; of a list its parts, of an object its own text."""
    if isinstance(value, str):
        return value
    if value is None or isinstance(value, bool):
        return ""
    if isinstance(value, int | float):
        if not math.isfinite(value):
            return ""  # what pandas writes where there is nothing
        return str(int(value)) if value == int(value) else str(value)
    if isinstance(value, list | tuple):
        return "\n\n".join(part for part in map(_text, value) if part)
    if isinstance(value, Mapping):
        for name in ("text", "value", "name", "title", "display_name", "en", "#text"):
            if isinstance(value.get(name), str):
                return str(value[name])
        return ""
    return str(value)


def _first(value: Any) -> Any:
    """The first of several titles, of which the others are translations."""
    return value[0] if isinstance(value, list) and value else value


def _abstract(value: Any) -> str:
    """A text, or what OpenAlex has for it: the places of each word, as an object or as JSON in a cell."""
    if isinstance(value, str) and _INDEX.match(value):
        value = parse(value.encode("utf-8", "replace"))[0] or value
    if (
        isinstance(value, list)
        and value
        and all(isinstance(p, tuple) and len(p) == 2 for p in value)
    ):
        value = dict(value)  # a map of Arrow
    if isinstance(value, Mapping) and all(isinstance(places, list) for places in value.values()):
        return inverted_index(value)
    return _text(value)


def _strings(value: Any) -> Iterator[str]:
    """The parts of a list, which a CSV file writes as one string."""
    if isinstance(value, list | tuple):
        for part in value:
            yield from _strings(part)
        return
    text = _text(value).strip()
    if text.startswith("[") and text.endswith("]"):
        text = re.sub(r"['\"]\s*,\s*['\"]", ";", text.strip("[]")).strip("'\" ")
    parts = _LIST.split(text)
    if len(parts) == 1 and text.count(",") >= 1 and max(map(len, text.split(","))) < 60:
        parts = text.split(",")
    yield from (part.strip() for part in parts if part.strip())


def _people(value: Any) -> Iterator[Person]:
    if isinstance(value, Mapping):
        # XML that became JSON: authorList holds author, which holds the list.
        value = next((inner for inner in value.values() if isinstance(inner, list)), [value])
    if isinstance(value, list | tuple):
        found = (_person(p) if isinstance(p, Mapping) else person(_text(p)) for p in value)
        yield from (each for each in found if each.display)
    else:
        text = _text(value).strip()
        if text.startswith("[") and text.endswith("]"):
            # Python's and JSON's lists, as pandas writes them into a cell.
            text = re.sub(r"['\"]\s*,\s*['\"]", ";", text.strip("[]")).strip("'\" ")
        text = re.sub(r"\s*\(\d{6,}\)", "", text)  # Scopus numbers its authors
        yield from people(one_line_list(_parted(text)))


def _parted(text: str) -> str:
    """Names that stand one behind the other, Ann RoeBo Poe, as SpringerLink's tables have them."""
    if any(mark in text for mark in ",;|\n"):
        return text
    parts = _GLUED.split(text)
    return "\n".join(parts) if all(" " in part.strip() for part in parts) else text


def one_line_list(text: str) -> str:
    """Clean every part of a list and keep its line ends, which part it."""
    return "\n".join(one_line(part) for part in text.splitlines()) if text else ""


_WHOLE_NAMES = ("name", "display_name", "fullname", "full_name", "fullName", "author", "creator")


def _person(value: Mapping[str, Any]) -> Person:
    def get(*names: str) -> str:
        return next((one_line(_text(value[n])) for n in names if value.get(n)), "")

    if isinstance(value.get("author"), Mapping):
        return _person(value["author"])  # an authorship of OpenAlex
    orcid = identifiers.orcid(get("orcid", "ORCID", "ORCID iD"))
    family = get("family", "last", "lastName", "last_name", "surname", "familyName", "lastname")
    given = get("given", "first", "firstName", "first_name", "forename", "givenName", "firstname")
    if family:
        return Person(family=family, given=given, orcid=orcid)
    return person(get(*_WHOLE_NAMES), orcid=orcid)


def _addresses(value: Any) -> tuple[str, ...]:
    parts = value if isinstance(value, list | tuple) else [value]
    found = (address for part in parts for address in identifiers.urls(_flat(part)))
    return _unique(found)


def _flat(value: Any) -> str:
    return " ".join(map(_flat, value)) if isinstance(value, list | tuple) else _text(value)


def _references(value: Any) -> Iterator[Reference]:
    if isinstance(value, list | tuple):
        for part in value:
            if isinstance(part, list | tuple):
                yield from _references(part)
            elif isinstance(part, Mapping):
                yield _reference_of(part)
            else:
                yield from _references(_text(part))
        return
    for part in re.split(r"\s*[;\n]\s+|\s*\n\s*|\s*\|\s*", _text(value).strip()):
        if part.strip(" ;"):
            yield reference(part.strip(" ;"))


def reference(text: str) -> Reference:
    """Return a reference for its printed form or its bare identifier."""
    found, _ = identifiers.find(text)
    bare = Identifiers(openalex=identifiers.openalex(text), s2=identifiers.s2(text))
    return Reference(raw=one_line(text), ids=identifiers.merge(found, bare))


def _reference_of(value: Mapping[str, Any]) -> Reference:
    if isinstance(value.get("reference"), Mapping):
        value = value["reference"]
    taken = ColumnMap().take(value)
    ids, _ = _identifiers(taken)
    title = one_line(_text(taken.get("title")))
    raw = _text(value.get("raw") or value.get("unstructured") or value.get("text")) or title
    return Reference(
        raw=one_line(raw),
        ids=ids,
        title=title,
        authors=tuple(p.family or p.name for p in _people(taken.get("authors"))),
        year=year_of(_text(taken.get("year")) or _text(taken.get("date"))),
        venue=one_line(_text(taken.get("venue"))),
    )


def _unique(values: Iterator[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(value for value in values if value))
