"""Zotero's and Better BibTeX's JSON, and OpenReview's notes."""

import datetime
import re
from collections.abc import Mapping
from typing import Any

from kg.model.record import Identifiers, Person, Record
from kg.sources import identifiers
from kg.sources.dates import date_of
from kg.sources.json_values import line, mapping, mappings, string, strings, year
from kg.sources.latex import words_of_tex
from kg.sources.names import people, person
from kg.sources.reader import NoRecordError
from kg.sources.text import abstract, one_line, tex_abstract


def is_zotero(value: Mapping[str, Any]) -> bool:
    """Whether an object is an item of Zotero; notes and attachments are, too."""
    return isinstance(mapping(value.get("data") or value).get("itemType"), str)


def zotero_record(item: Mapping[str, Any]) -> Record:
    """Read one item; the web service wraps it in `data`.

    Raises:
        NoRecordError: the item is a note, an attachment or an annotation, not a publication.
    """
    item = mapping(item.get("data") or item)
    kind = string(item.get("itemType"))
    if kind in {"note", "attachment", "annotation"}:
        raise NoRecordError(f"a Zotero {kind}, not a publication")
    text, original = abstract(string(item.get("abstractNote")))
    url = string(item.get("url"))
    extra = string(item.get("extra"))
    own = Identifiers(
        doi=identifiers.doi(string(item.get("DOI"))),
        arxiv=identifiers.arxiv(string(item.get("archiveID")))[0],
        pmid=identifiers.pmid(string(item.get("PMID"))),
        key=string(item.get("citationKey"))
        or string(item.get("citekey"))
        or string(item.get("key")),
    )
    found, version = identifiers.find(f"{url} {extra}")
    names = list(mappings(item.get("creators")))
    authors = [
        n for n in names if n.get("creatorType") in (None, "author", "presenter", "inventor")
    ]
    venues = (
        "publicationTitle",
        "proceedingsTitle",
        "conferenceName",
        "bookTitle",
        "university",
        "repository",
    )
    day = string(item.get("date"))
    return Record(
        title=line(item.get("title")),
        text=text,
        original=original,
        authors=tuple(_creator(n) for n in authors or names),
        year=year(day),
        date=date_of(day),
        venue=next((v for field in venues if (v := line(item.get(field)))), ""),
        ids=identifiers.complete(identifiers.merge(own, found)),
        arxiv_version=version,
        isbns=tuple(
            isbn for part in string(item.get("ISBN")).split() if (isbn := identifiers.isbn(part))
        ),
        urls=strings(url),
        topics=strings([tag.get("tag") for tag in mappings(item.get("tags"))]),
        language=string(item.get("language")),
        kind=kind,
    )


def _creator(creator: Mapping[str, Any]) -> Person:
    family = line(creator.get("lastName"))
    given = line(creator.get("firstName"))
    return Person(family, given) if family else person(line(creator.get("name")) or given)


def is_openreview(value: Mapping[str, Any]) -> bool:
    """Whether an object is a note of OpenReview."""
    content = value.get("content")
    return (
        isinstance(content, dict)
        and "title" in content
        and bool({"forum", "invitation", "invitations", "signatures"} & value.keys())
    )


def openreview_record(note: Mapping[str, Any]) -> Record:
    """Read one submission; version 2 of the service wraps each field in {value: ...}.

    Raises:
        NoRecordError: the note is about a submission.
    """
    content = {
        key: value.get("value") if isinstance(value, dict) and "value" in value else value
        for key, value in mapping(note.get("content")).items()
    }
    replies = bool(note.get("replyto")) and note.get("id") != note.get("forum")
    if replies or not (string(content.get("title")) or string(content.get("abstract"))):
        raise NoRecordError("a review, comment or decision, not a submission")
    text, original = tex_abstract(string(content.get("abstract")))
    forum = string(note.get("forum")) or string(note.get("id"))
    keywords = content.get("keywords")
    authors = content.get("authors")
    created = note.get("pdate") or note.get("cdate") or note.get("tcdate")
    return Record(
        title=one_line(words_of_tex(string(content.get("title")))),
        text=text,
        original=original,
        authors=people(line(authors))
        if isinstance(authors, str)
        else tuple(person(line(a)) for a in strings(authors)),
        year=_year(content) or _milliseconds_year(created),
        venue=line(content.get("venue")),
        ids=Identifiers(openreview=forum),
        urls=strings([content.get("code"), content.get("html")]),
        topics=strings(
            [k.strip() for k in keywords.split(",")] if isinstance(keywords, str) else keywords
        ),
        kind="submission",
    )


def _year(content: Mapping[str, Any]) -> int | None:
    """The year of the conference, which the service's own BibTeX says: it is the year after, mostly."""
    printed = re.search(r"\byear\s*=\s*\{?\s*(\d{4})", string(content.get("_bibtex")))
    return year(printed.group(1)) if printed else year(line(content.get("venue")))


def _milliseconds_year(value: Any) -> int | None:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 < value < 4_000_000_000_000:
        return None
    return datetime.datetime.fromtimestamp(value / 1000, tz=datetime.UTC).year
