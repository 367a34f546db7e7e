"""What is compared of a record: title, first author, year and abstract, folded."""

import re
from collections.abc import Mapping
from functools import cached_property
from typing import Any, Final

from kg.model.identity import digest, fold

Row = Mapping[str, Any]

# A reply, an erratum or a second part is another paper, however alike the titles are.
_MARKS: Final = frozenset(
    "erratum errata corrigendum corrigenda correction corrections retraction retracted withdrawn reply"
    " response comment comments commentary addendum editorial rejoinder discussion review author authors".split()
)
_ROMAN: Final = re.compile(r"[ivx]{1,4}")
_CUT: Final = re.compile(r"(?:\.{3}|…)\s*$")
_JOINT: Final = re.compile(r"\s*(?::|[-–—]\s|(?<=[?!.])\s)\s*")


class Folded:
    """What is compared of a record; of most records only a part is ever asked for."""

    def __init__(self, row: Row) -> None:
        self._row = row
        self.title = fold(row["title"])
        first = row["authors"][0] if row["authors"] else None
        name = fold(" ".join((first["given"], first["family"], first["name"]))) if first else ""
        family = _names(fold(first["family"] or first["name"])) if first else []
        self.family: str = family[-1] if family else ""
        self.names = frozenset(_names(name)) | frozenset(family[-1:])
        self.year: int | None = row["year"]

    @cached_property
    def digest(self) -> str:
        """A digest of what tells a record from others, for an order that the input does not set."""
        row = self._row
        place = (row["file"], str(row["line"]), str(row["ordinal"]))
        ids = (value or "" for _, value in sorted(row["ids"].items()))
        return digest(row["title"], row["text"], *place, *ids)

    @cached_property
    def words(self) -> list[str]:
        """The words of the title."""
        return self.title.split()

    @cached_property
    def numbers(self) -> tuple[str, ...]:
        """The numbers of the title, in order."""
        return numbers_of(self.words)

    @cached_property
    def marks(self) -> frozenset[str]:
        """Words of the title that make it another paper than one without them."""
        return marks_of(self.words)

    @cached_property
    def is_cut(self) -> bool:
        """Whether the title ends in points: there was more of it."""
        return bool(_CUT.search(self._row["title"]))

    @cached_property
    def parts(self) -> tuple[str, ...]:
        """The title and the subtitle, where there is one."""
        head, *rest = _JOINT.split(self._row["title"], maxsplit=1)
        parts = (fold(head), *(fold(part) for part in rest))
        return parts if len(parts) == 2 and all(parts) else ()

    @cached_property
    def sentences(self) -> tuple[str, ...]:
        """The sentences of the abstract."""
        parts = re.split(r"[.!?]\s+", self._row["text"])
        return tuple(sentence for part in parts if (sentence := fold(part)))

    @cached_property
    def text(self) -> str:
        """The abstract."""
        return " ".join(self.sentences)


def numbers_of(words: list[str]) -> tuple[str, ...]:
    """Return the numbers among folded words, Roman ones too, in order."""
    return tuple(w for w in words if w.isdigit() or _ROMAN.fullmatch(w))


def marks_of(words: list[str]) -> frozenset[str]:
    """Return which folded words make a title that of a reply, an erratum and the like."""
    return _MARKS.intersection(words)


def _names(folded: str) -> list[str]:
    """The words of a name that are more than an initial or a namesake's number."""
    words = [word for word in folded.split() if not word.isdigit()]
    return [word for word in words if len(word) > 1] or words
