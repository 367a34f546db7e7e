"""What a reader of one format is, and what it sees of a file before it is chosen."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import Any, Protocol

from kg.errors import InputError
from kg.model.record import Record, Rejected


class Takes(Enum):
    """What a reader is given."""

    LINES = "lines"  # Iterator[str], without line ends, in any encoding, never failing
    UTF8 = "utf8"  # BinaryIO, UTF-8 without byte order mark; for JSON
    BYTES = "bytes"  # BinaryIO as it is in the file; for XML, which declares its encoding
    FILE = "file"  # BinaryIO that can seek; for Parquet


@dataclass(frozen=True, slots=True)
class Note:
    """A word about the file that a reader yields beside its records, for the FileReport."""

    text: str


Item = Record | Rejected | Note
Read = Callable[..., Iterator[Item]]
# Given beside the lines or the stream to readers that ask for it: {"abstract": "Summary"}.
Fields = dict[str, str]

GIVES = ("abstract", "authors", "year", "venue", "identifiers", "references")


class Sample:
    """The start of a file, from which its format is told."""

    def __init__(self, name: str, data: bytes, text: str, *, whole: bool) -> None:
        self.name = name  # as the user named it; only breaks ties
        self.data = data
        self.text = text  # decoded; empty where the bytes are no text
        self.whole = whole  # nothing follows

    @cached_property
    def lines(self) -> list[str]:
        """The lines; the last may be cut where the sample is not whole."""
        return re.split(r"\r\n|\r|\n", self.text)

    @cached_property
    def start(self) -> str:
        """The text without leading white space."""
        return self.text.lstrip("\ufeff \t\r\n")

    @cached_property
    def keys(self) -> frozenset[str]:
        """Names of JSON fields at any depth; empty where the text is no JSON."""
        if not self.start.startswith(("{", "[")):
            return frozenset()
        return frozenset(re.findall(r'"([^"\\\n]{1,60})"\s*:', self.text))

    @cached_property
    def tags(self) -> tuple[str, ...]:
        """Names of the XML elements that open, in order; the first is the root."""
        if not self.start.startswith("<"):
            return ()
        return tuple(re.findall(r"<([A-Za-z_][\w.:-]*)[\s/>]", self.text))

    @property
    def is_json_lines(self) -> bool:
        """Whether the first line is a whole JSON object and another one follows."""
        lines = [line.strip() for line in self.lines if line.strip()]
        return (
            bool(lines)
            and lines[0].startswith("{")
            and lines[0].endswith("}")
            and (len(lines) == 1 or lines[1].startswith("{"))
        )


class Cut(Protocol):
    """A block as it was cut out of a file."""

    @property
    def line(self) -> int:
        """Its first line, from 1; 0 where the format has no lines."""
        ...

    @property
    def text(self) -> str:
        """The block as it stands in the file."""
        ...


def guarded(make: Callable[..., Iterable[Item]], block: Cut, *more: Any) -> Iterable[Item]:
    """Return what `make` reads in a block; a fault costs that block and no other."""
    try:
        return tuple(make(block, *more))
    except Exception as error:  # the edge between one block and all the others
        return (Rejected(fault(error), block.text, line=block.line),)


def placed(record: Record, **place: str | int) -> Record:
    """Say where a record stands, in the record itself: it was just made, and nobody else has it."""
    for name, value in place.items():
        object.__setattr__(record, name, value)
    return record


def fault(error: Exception) -> str:
    """Say what went wrong in reading a block that looked sound."""
    said = " ".join(str(error).split())[:200]
    return f"reading it failed: {type(error).__name__}{': ' if said else ''}{said}"


def never(_sample: Sample) -> float:
    """Claim no file: the reader is only chosen by name."""
    return 0.0


@dataclass(frozen=True, slots=True)
class Reader:
    """A reader of one format."""

    name: str
    about: str
    takes: Takes
    suffixes: tuple[str, ...]
    gives: tuple[str, ...]
    mapped: bool  # takes fields=, the user's --map
    sniff: Callable[[Sample], float]
    read: Read


_READERS: dict[str, Reader] = {}


def reader(
    name: str,
    *,
    about: str,
    gives: tuple[str, ...],
    takes: Takes = Takes.LINES,
    suffixes: tuple[str, ...] = (),
    sniff: Callable[[Sample], float] = never,
    mapped: bool = False,
) -> Callable[[Read], Read]:
    """Register the function below as the reader of a format.

    Args:
        name: what --format takes.
        about: one line for `kg formats`.
        gives: which of GIVES its records can hold.
        takes: what the function is called with.
        suffixes: usual file names; they only break ties.
        sniff: how sure the format is, from 0 to 1. 1: a signature that nothing else has. 0.9: names
            that only this format uses. 0.5: a family (any JSON lines, any CSV). 0.1: any text.
        mapped: whether the function takes `fields`, the mapping that the user gave.
    """
    unknown = set(gives) - set(GIVES)
    if unknown:
        raise ValueError(f"{name}: gives holds {sorted(unknown)}")

    def register(function: Read) -> Read:
        if name in _READERS:
            raise ValueError(f"two readers are called {name}")
        _READERS[name] = Reader(name, about, takes, suffixes, gives, mapped, sniff, function)
        return function

    return register


def registered() -> dict[str, Reader]:
    """The readers of all modules imported so far, by name."""
    return _READERS


class NoRecordError(ValueError):
    """A block that gives no record; the message says why."""


class BrokenInputError(InputError):
    """The bytes of a file or a member cannot be had."""
