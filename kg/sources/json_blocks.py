"""JSON cut into its records: lines, arrays, and the envelopes that services put around arrays.

A whole document need not fit in memory, and one broken record spoils only itself: braces are
matched in the bytes, and each record is parsed on its own.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO, Final

import orjson

# A record longer than this is no record of a paper, or lost its closing brace.
LONGEST_RECORD: Final = 64 * 1024 * 1024

_CHUNK: Final = 1024 * 1024
_LINES_CHUNK: Final = 256 * 1024  # what a processor keeps at hand
# Possessive, so that a string of megabytes takes no memory for ways to read it otherwise.
_TOKEN: Final = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"|["{}\[\]:]', re.DOTALL)
# Arrays under these names at the top of a document hold records; services and exports use them.
_ENVELOPES: Final = frozenset(
    b"results data items notes works papers records recommendedPapers articles publications".split()
)
# And under these in an object of such a document: of Crossref, Europe PMC, search engines, Scopus.
_INNER_ENVELOPES: Final = frozenset(b"items result hits docs entry".split())
_DEEPEST_INDENT: Final = 80
_FIRST_KEY: Final = re.compile(rb'\{\s*("(?:[^"\\]|\\.){1,80}")\s*:')


@dataclass(frozen=True, slots=True)
class JsonBlock:
    """One record: its value, or why it has none. `line` counts from 1."""

    value: Any
    problem: str
    raw: bytes
    line: int

    @property
    def text(self) -> str:
        """The raw text, for the list of what was rejected."""
        return self.raw.decode("utf-8", "replace")


def json_blocks(stream: BinaryIO) -> Iterator[JsonBlock]:
    """Yield every record of a stream in UTF-8, in order.

    JSON lines give a record a line; an array gives its items; an object that holds an array
    under a name such as `results` or `data` gives that array's items; any other object is one
    record. Objects that follow each other without commas are read, too.
    """
    head = stream.read(_CHUNK)
    if _is_lines(head):
        yield from _lines(head, stream)
    else:
        scanner = _Scanner()
        while head:
            yield from scanner.feed(head)
            head = stream.read(_CHUNK)
        yield from scanner.close()


def parse(raw: bytes) -> tuple[Any, str]:
    """Return a value and an empty string, or None and what is wrong with the bytes."""
    try:
        return orjson.loads(raw), ""
    except orjson.JSONDecodeError as error:
        problem = str(error)
    try:
        # Python's parser also takes NaN, raw control characters and, replaced, broken UTF-8.
        return json.loads(raw.decode("utf-8", "replace"), strict=False), ""
    except RecursionError:
        return None, "not JSON that can be read: nested too deeply"
    except ValueError:
        return None, f"not JSON: {problem}"


def _is_lines(head: bytes) -> bool:
    first, newline, rest = head.lstrip().partition(b"\n")
    if not first.startswith(b"{") or not newline or not rest.strip():
        return False
    if parse(first)[1] == "":
        return True
    # A broken first line among whole ones: the second line tells.
    second = rest.lstrip().partition(b"\n")[0]
    return second.startswith(b'{"') and parse(second)[1] == ""


def _lines(head: bytes, stream: BinaryIO) -> Iterator[JsonBlock]:
    number = 1
    held: list[bytes] = []  # pieces of the open line; joined once, not with every chunk
    size = 0
    chunk = head
    while chunk:
        *ends, rest = chunk.split(b"\n")
        for end in ends:
            if size:
                end = b"".join((*held, end)) if size <= LONGEST_RECORD else b""
                held, size = [], 0
            if line := end.strip():
                yield _block(line, number)
            number += 1
        was, size = size, size + len(rest)
        if size <= LONGEST_RECORD:
            held.append(rest)
        elif was <= LONGEST_RECORD:
            yield JsonBlock(None, "not JSON: longer than any record", b"".join(held), number)
            held = []  # what follows up to the end of the line is dropped as it comes
        chunk = stream.read(_LINES_CHUNK)
    if size <= LONGEST_RECORD and (line := b"".join(held).strip()):
        yield _block(line, number)


def _block(raw: bytes, line: int) -> JsonBlock:
    value, problem = parse(raw)
    return JsonBlock(value, problem, raw, line)


class _Scanner:
    """Matches braces over chunks; `_items` is the depth at which records start."""

    def __init__(self) -> None:
        self._data = b""
        self._at = 0
        self._line = 1  # at `_counted`
        self._counted = 0
        self._stack = b""  # open braces, innermost last
        self._start = -1
        self._key = b""
        self._last = b""  # token before this one
        self._items = 0  # depth of the open array of records, 0 outside of one
        self._first_key = b""
        self._longest = 4096  # bytes of a record so far
        self._damaged = False  # a record was given up; from then on each has a fence
        self._fence = -1  # where the open record must have ended

    def feed(self, chunk: bytes) -> Iterator[JsonBlock]:
        self._data += chunk
        yield from self._scan()
        self._drop(self._at if self._start < 0 else self._line_of(self._start))
        if self._start >= 0 and len(self._data) > LONGEST_RECORD:
            yield from self._give_up("longer than any record, or a brace is missing")
        elif len(self._data) > LONGEST_RECORD:
            line = self._line_at(0)
            yield JsonBlock(None, "not JSON: text or a string that does not end", self._data, line)
            self._at = len(self._data)
            self._drop(self._at)

    def close(self) -> Iterator[JsonBlock]:
        while self._start >= 0:
            yield from self._give_up("the file ends before the record does; was it cut short?")
        # What stands outside of every brace is no record, but must not vanish either.
        rest = self._data[self._at :].strip(b" \t\r\n,]}\x00")
        if rest and not self._stack:
            yield JsonBlock(
                None, "not JSON: text outside of any record", rest, self._line_at(self._at)
            )

    def _scan(self) -> Iterator[JsonBlock]:
        while True:
            if self._fence < 0:
                match = _TOKEN.search(self._data, self._at)
            else:
                match = _TOKEN.search(self._data, self._at, self._fence)
                if match is None or match.group() == b'"':
                    yield self._cut(self._fence, "a brace or a quote is missing")
                    continue
            if match is None:
                return
            token = match.group()
            if token == b'"':
                # The string ends in a later chunk, or never.
                self._at = match.start()
                return
            self._at = match.end()
            if token in (b"{", b"["):
                self._open(token, match.start())
            elif token in (b"}", b"]"):
                yield from self._shut(match.end())
            elif token == b":":
                self._key = self._last
            self._last = token

    def _open(self, token: bytes, place: int) -> None:
        depth = len(self._stack)
        if token == b"[" and self._last == b":" and self._is_envelope(depth):
            self._items, self._start = depth + 1, -1
        elif depth == 0 and token == b"[":
            self._items = 1
        elif token == b"{" and self._start < 0 and depth == self._items:
            self._start = place
            self._fence = self._fence_after(place) if self._damaged else -1
        self._stack += token

    def _is_envelope(self, depth: int) -> bool:
        name = self._key.strip(b'"')
        top = depth == 1 and self._stack == b"{"
        inner = depth == 2 and self._stack == b"{{" and name in _INNER_ENVELOPES
        return not self._items and ((top and name in _ENVELOPES) or inner)

    def _shut(self, end: int) -> Iterator[JsonBlock]:
        self._stack = self._stack[:-1]
        if self._start >= 0 and len(self._stack) == self._items:
            raw = self._data[self._start : end]
            self._longest = max(self._longest, len(raw))
            block = _block(raw, self._line_at(self._start))
            if not block.problem and not self._first_key and (found := _FIRST_KEY.match(raw)):
                self._first_key = found.group(1)
            self._start = self._fence = -1
            yield block
        elif len(self._stack) < self._items:
            self._items = 0
            if self._stack:
                # The rest of the envelope is no record of its own.
                self._start = self._fence = -1

    def _give_up(self, problem: str) -> Iterator[JsonBlock]:
        """Reject what is open, and go on where the next record seems to start."""
        self._damaged = True
        again = self._next_line(self._start)
        if again < 0 and self._first_key:
            starts = re.compile(rb"\{\s*" + re.escape(self._first_key) + rb"\s*:")
            found = starts.search(self._data, self._start + 1)
            again = found.start() if found else -1
        yield self._cut(again if again >= 0 else len(self._data), problem)
        self._drop(self._at)
        yield from self._scan()

    def _cut(self, end: int, problem: str) -> JsonBlock:
        """The open record up to a place, as a rejection; what follows is read as if nothing was open."""
        line = self._line_at(self._start)
        block = JsonBlock(None, f"not JSON: {problem}", self._data[self._start : end], line)
        self._stack = self._stack[: self._items]
        self._start = self._fence = -1
        self._last = b""
        self._at = end
        return block

    def _next_line(self, start: int) -> int:
        """The end of the line before the next record, where records stand on lines of their own; else -1."""
        head = self._data[self._line_of(start) : start]
        key = _FIRST_KEY.match(self._data, start)
        if key is None or not head:
            return -1
        head = re.escape(head) + rb"\{\s*" + re.escape(key.group(1)) + rb"\s*:"
        found = re.compile(head).search(self._data, start)
        return found.start() if found else -1

    def _line_of(self, start: int) -> int:
        """The line end before a record that has its line for itself, else the record's own place."""
        end = self._data.rfind(b"\n", max(0, start - _DEEPEST_INDENT), start)
        return end if end >= 0 and not self._data[end:start].strip() else start

    def _fence_after(self, start: int) -> int:
        """Where a record must have ended: at such a line, or far behind all that were whole."""
        line, far = self._next_line(start), start + 16 * self._longest
        return line if line >= 0 else far if far < len(self._data) else -1

    def _line_at(self, place: int) -> int:
        self._line += self._data.count(b"\n", self._counted, place)
        self._counted = place
        return self._line

    def _drop(self, end: int) -> None:
        self._line_at(end)
        self._data = self._data[end:]
        self._at -= end
        self._counted = 0
        if self._start >= 0:
            self._start -= end
        if self._fence >= 0:
            self._fence -= end
