"""DataCite's metadata of DOIs: papers, preprints, data sets and programs of repositories."""

from collections.abc import Iterator, Mapping
from typing import Any

from kg.model.record import Identifiers, Person, Record, Reference
from kg.sources import identifiers
from kg.sources.dates import date_of
from kg.sources.json_values import line, mapping, mappings, string, strings, year
from kg.sources.names import person
from kg.sources.text import abstract

# The inverse (IsCitedBy) is no reference, and a part or a supplement is none either.
_CITES = ("Cites", "References")
_SAME = ("IsIdenticalTo", "IsVersionOf")


def is_datacite(value: Mapping[str, Any]) -> bool:
    """Whether an object is a DOI of DataCite: titles and creators are lists of objects."""
    work = _work(value)
    return (
        isinstance(work.get("titles"), list)
        and isinstance(work.get("creators"), list)
        and bool({"types", "publicationYear", "relatedIdentifiers", "schemaVersion"} & work.keys())
    )


def datacite_record(value: Mapping[str, Any]) -> Record:
    """Read one DOI; the service's interface wraps it in `attributes`."""
    work = _work(value)
    text, original = abstract(_abstract(work))
    doi = identifiers.doi(string(work.get("doi")) or string(work.get("id")))
    day = _day(work)
    return Record(
        title=_title(work),
        text=text,
        original=original,
        authors=tuple(_author(each) for each in mappings(work.get("creators"))),
        year=year(work.get("publicationYear")) or year(day),
        date=day,
        venue=_venue(work),
        ids=identifiers.complete(identifiers.merge(Identifiers(doi=doi), _others(work))),
        urls=strings(work.get("url")),
        topics=tuple(
            dict.fromkeys(
                name
                for each in mappings(work.get("subjects"))
                if (name := line(each.get("subject")))
            )
        ),
        references=tuple(_references(work)),
        language=string(work.get("language")),
        kind=_kind(work),
    )


def _work(value: Mapping[str, Any]) -> Mapping[str, Any]:
    value = mapping(value.get("data") or value)
    return mapping(value.get("attributes") or value)


def _title(work: Mapping[str, Any]) -> str:
    """The title and its subtitle; translations stay out."""
    titles = mappings(work.get("titles"))
    own = [t for t in titles if string(t.get("titleType")) in ("", "Title")] or titles
    subtitles = [t for t in titles if t.get("titleType") == "Subtitle"]
    parts = [line(each.get("title")) for each in (*own[:1], *subtitles[:1])]
    return ": ".join(dict.fromkeys(part for part in parts if part))


def _abstract(work: Mapping[str, Any]) -> str:
    found = mappings(work.get("descriptions"))
    own = [each for each in found if each.get("descriptionType") == "Abstract"]
    return next((text for each in own if (text := string(each.get("description")))), "")


def _day(work: Mapping[str, Any]) -> str:
    days = {string(d.get("dateType")): string(d.get("date")) for d in mappings(work.get("dates"))}
    printed = year(work.get("publicationYear"))
    for name in ("Issued", "Available", "Created", "Submitted"):
        found = date_of(days.get(name, ""))
        if found and printed in (None, year(found)):
            return found
    return f"{printed:04d}" if printed else ""


def _author(creator: Mapping[str, Any]) -> Person:
    marks = [
        string(each.get("nameIdentifier")) for each in mappings(creator.get("nameIdentifiers"))
    ]
    orcid = next((found for each in marks if (found := identifiers.orcid(each))), "")
    family, given = line(creator.get("familyName")), line(creator.get("givenName"))
    if family:
        return Person(family, given, "", orcid)
    name = line(creator.get("name"))
    if creator.get("nameType") == "Organizational":
        return Person(name=name, orcid=orcid)
    return person(name, orcid=orcid)


def _venue(work: Mapping[str, Any]) -> str:
    """The journal or book, else the archive."""
    for item in mappings(work.get("relatedItems")):
        if item.get("relationType") == "IsPublishedIn" and (title := _title(item)):
            return title
    if title := line(mapping(work.get("container")).get("title")):
        return title
    publisher = work.get("publisher")
    return line(mapping(publisher).get("name")) or line(publisher)


def _others(work: Mapping[str, Any]) -> Identifiers:
    """What else the same work is called."""
    named = [*mappings(work.get("identifiers")), *mappings(work.get("alternateIdentifiers"))]
    texts = [string(e.get("identifier") or e.get("alternateIdentifier")) for e in named]
    related = mappings(work.get("relatedIdentifiers"))
    texts += [string(e.get("relatedIdentifier")) for e in related if e.get("relationType") in _SAME]
    found = [identifiers.find(text)[0] for text in texts]
    # Its own DOI stands in the work; another one may be that of all its versions.
    return Identifiers(
        arxiv=next((ids.arxiv for ids in found if ids.arxiv), ""),
        pmid=next((ids.pmid for ids in found if ids.pmid), ""),
    )


def _references(work: Mapping[str, Any]) -> Iterator[Reference]:
    for each in mappings(work.get("relatedIdentifiers")):
        if string(each.get("relationType")) not in _CITES:
            continue
        raw = string(each.get("relatedIdentifier")).strip()
        ids = identifiers.find(raw)[0]
        if ids != Identifiers():
            yield Reference(raw=raw, ids=ids)


def _kind(work: Mapping[str, Any]) -> str:
    types = mapping(work.get("types"))
    return string(types.get("resourceType")) or string(types.get("resourceTypeGeneral"))
