"""What one source says of a paper, and what could not be read."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self


@dataclass(frozen=True, slots=True)
class Person:
    """An author as one record gives it; `name` is the whole name where the parts are unknown."""

    family: str = ""
    given: str = ""
    name: str = ""
    orcid: str = ""

    @property
    def display(self) -> str:
        """Given and family name, or the whole name."""
        return self.name or " ".join(part for part in (self.given, self.family) if part)


@dataclass(frozen=True)
class Identifiers:
    """Normalised identifiers of a paper; an empty string where there is none.

    DOIs are lower-case without resolver, arXiv ids without version, ISBNs 13 digits.
    """

    doi: str = ""
    arxiv: str = ""
    pmid: str = ""
    pmcid: str = ""
    openalex: str = ""
    s2: str = ""
    corpus: str = ""  # Semantic Scholar CorpusId, digits
    mag: str = ""
    dblp: str = ""
    acl: str = ""
    openreview: str = ""
    wos: str = ""
    scopus: str = ""
    key: str = ""  # citation key, item key or record id: unique within its file only

    @classmethod
    def only(cls, name: str, value: str) -> Self:
        """Return what `cls(**{name: value})` does, in a fifth of the time: bibliographies are long."""
        made = object.__new__(cls)
        made.__dict__[name] = value  # the others are the class's
        return made


@dataclass(frozen=True)
class Reference:
    """A line in a bibliography: its identifiers, its printed form, what is known of its parts."""

    raw: str = ""
    ids: Identifiers = Identifiers()
    title: str = ""
    authors: tuple[str, ...] = ()  # family names
    year: int | None = None
    venue: str = ""
    volume: str = ""
    page: str = ""

    @classmethod
    def to(cls, ids: Identifiers) -> Self:
        """Return a reference of which no more is known, as `cls(ids=ids)` does."""
        made = object.__new__(cls)
        made.__dict__["ids"] = ids
        return made

    @classmethod
    def to_each(cls, name: str, values: Iterable[str]) -> tuple[Self, ...]:
        """Return `to(Identifiers.only(name, value))` of each value."""
        new, found = object.__new__, []
        for value in values:
            ids, made = new(Identifiers), new(cls)
            ids.__dict__[name], made.__dict__["ids"] = value, ids
            found.append(made)
        return tuple(found)


@dataclass(frozen=True, slots=True)
class Record:
    """What one source says of a paper.

    `text` is the abstract as a human reads it, and offsets point into it. `original` is what
    the file said, where tags or entities were taken out of it; empty where they are the same.
    `title` is empty where the source gives none.
    """

    title: str = ""
    text: str = ""
    original: str = ""
    authors: tuple[Person, ...] = ()
    year: int | None = None
    date: str = ""  # ISO 8601, as exact as known: 2024, 2024-05 or 2024-05-01
    venue: str = ""
    ids: Identifiers = Identifiers()
    arxiv_version: str = ""  # v2
    isbns: tuple[str, ...] = ()
    urls: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    references: tuple[Reference, ...] = ()
    language: str = ""
    kind: str = ""  # the source's own word: article, preprint, book, ...
    format: str = ""  # name of the reader
    file: str = ""  # as the user named it; archive members as archive.zip!member
    line: int = 0  # of the block's first line, from 1; 0 where the format has no lines
    ordinal: int = 0  # of the block in its file, from 1


@dataclass(frozen=True, slots=True)
class Rejected:
    """A block of input that did not become a record; its raw text is kept."""

    reason: str
    raw: str = ""
    file: str = ""
    line: int = 0
    ordinal: int = 0


@dataclass(frozen=True, slots=True)
class FileReport:
    """How the count of one file closes: blocks = records + rejected."""

    file: str
    format: str
    sha256: str
    records: int
    rejected: int
    notes: tuple[str, ...] = ()  # the field mapping that was guessed, encodings, headings

    @property
    def blocks(self) -> int:
        """Every block that the file holds."""
        return self.records + self.rejected

    @classmethod
    def empty(cls, file: str, reason: str) -> Self:
        """A file of which nothing could be read."""
        return cls(file, "", "", 0, 0, (reason,))
