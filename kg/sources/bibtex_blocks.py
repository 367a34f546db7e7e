"""A BibTeX file cut into its entries and their fields; what is broken costs one entry."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

_START = re.compile(r"(?<![\w.])@\s*([A-Za-z][\w.-]*)\s*([{(])")
_LINE_START = re.compile(r"\s{0,4}@\s*[A-Za-z][\w.-]*\s*[{(]")
_SPECIAL = re.compile(r"[{}()\"]")
_BRACE = re.compile(r"[{}]")
_BRACE_OR_QUOTE = re.compile(r"[{}\"]")
_JOIN = re.compile(r"\s*#\s*")
# Values that hold no brace, quote or backslash, up to what closes them.
_FLAT_IN_BRACES = re.compile(r"[^{}\\]*(?=\})")
_FLAT_IN_QUOTES = re.compile(r"[^{}\"\\]*(?=\")")
# A comma stands behind the key, but some forget it.
_KEY = re.compile(
    r"\s*([^,={}\"]*?)\s*(?:,|$)|\s*([^\s,={}\"#]+)(?=\s+[A-Za-z][\w-]*\s*=\s*[{\"\w])"
)
# Scopus puts commas into keys: @ARTICLE{Ribeiro, Jr2022,
_REST_OF_KEY = re.compile(r"([^,={}\"#\n]+),(?=\s*[A-Za-z][\w-]*\s*=)")
_COMMENTS = re.compile(r"(?:[\s,]*%[^\n]*(?:\n|$))+")
_LONGEST = 4_000_000  # characters; an entry of more has lost its brace
_NAME = re.compile(r"\s*,*\s*([^\s=,{}\"#]+)\s*=\s*")
_PIECE = re.compile(r"\s*(?:(\{)|(\")|([^\s,{}\"#=]+))")
MONTHS = {
    name: name.capitalize() for name in "jan feb mar apr may jun jul aug sep oct nov dec".split()
}


@dataclass(frozen=True, slots=True)
class Block:
    """One @...{...}: its kind in lower case, its first line, its text, and what is wrong."""

    kind: str
    line: int
    raw: str
    problem: str = ""
    signs: bool = (
        False  # \\{ and \\} stand for signs; by BibTeX's rules they are braces all the same
    )

    @property
    def text(self) -> str:
        """The block as it stands in the file."""
        return self.raw


def bibtex_blocks(lines: Iterable[str]) -> Iterator[Block]:
    """Yield every block of a file, in order; text between blocks is comment and is skipped.

    A brace that is never closed ends its entry where the next one starts on a line of its own.
    """
    cutter = _Cutter()
    for number, line in enumerate(lines, start=1):
        yield from cutter.feed(line, number)
    yield from cutter.close()


class _Cutter:
    """Follows braces and quotes through the lines of a file."""

    def __init__(self) -> None:
        self._kind = ""
        self._closing = "}"
        self._line = 0
        self._held: list[str] = []
        self._size = 0
        self._depth = 0
        self._bare = 0  # the depth where braces behind a backslash are not counted
        self._signs = False  # whether that depth is the one that closes
        self._early: tuple[int, int] | None = None  # held lines and place where it was closed first
        self._quoted = False

    def feed(self, line: str, number: int) -> Iterator[Block]:
        """Take the next line; yield what it closes."""
        if self._kind and "@" in line and self._held and _LINE_START.match(line):
            yield self._broken("its brace is never closed")
        rest = line
        while True:
            if not self._kind:
                if "@" not in rest:
                    return
                if rest.lstrip().startswith("%"):
                    return
                found = _START.search(rest)
                if found is None:
                    return
                self._open(found, number)
                rest = rest[found.start() :]
                begin = found.end() - found.start()
            else:
                begin = 0
            end = self._scan(rest, begin)
            if end < 0:
                self._held.append(rest)
                self._size += len(rest)
                if self._size > _LONGEST:
                    yield self._broken("it is longer than any entry; is a brace missing?")
                return
            self._held.append(rest[:end])
            yield Block(self._kind, self._line, "\n".join(self._held), signs=self._signs)
            self._reset()
            rest = rest[end:]

    def close(self) -> Iterator[Block]:
        """Yield what the end of the file cut off."""
        if self._kind:
            yield self._broken("its brace is never closed; is the file cut short?")

    def _open(self, found: re.Match[str], number: int) -> None:
        self._kind = found.group(1).lower()
        self._closing = "}" if found.group(2) == "{" else ")"
        self._line = number
        self._depth = self._bare = 1 if self._closing == "}" else 0

    def _reset(self) -> None:
        self._kind, self._held, self._size, self._depth, self._quoted = "", [], 0, 0, False
        self._bare, self._signs, self._early = 0, False, None

    def _broken(self, problem: str) -> Block:
        if self._early is not None:
            count, place = self._early
            raw = "\n".join([*self._held[:count], self._held[count][:place]])
            block = Block(self._kind, self._line, raw, signs=True)
            self._reset()
            return block
        block = Block(self._kind, self._line, "\n".join(self._held), problem)
        self._reset()
        return block

    def _scan(self, text: str, begin: int) -> int:
        """Return where the block ends in this line, -1 if it goes on."""
        if self._closing == "}" and "\\" not in text:
            depth = least = self._depth
            for sign in _BRACE.findall(text, begin):
                depth += 1 if sign == "{" else -1
                least = min(least, depth)
                if depth <= 0:
                    break
            # Where both depths stay open, this line moves them alike.
            if depth > 0 and self._bare + least - self._depth > 0:
                self._bare += depth - self._depth
                self._depth = depth
                return -1
        for match in _SPECIAL.finditer(text, begin):
            sign, place = match.group(), match.start()
            if sign in "{}":
                if (end := self._brace(text, place)) >= 0:
                    return end
            elif sign == '"' and self._depth == 0:
                self._quoted = not self._quoted
            elif sign == ")" and self._closing == ")" and self._depth == 0 and not self._quoted:
                return match.end()
        return -1

    def _brace(self, text: str, place: int) -> int:
        r"""Count a brace; return where the block ends with it, else -1.

        By BibTeX's rules a backslash before a brace changes nothing, but exports write \{ for a
        sign and do not balance it. The rules are followed until they leave half a line over.
        """
        step = 1 if text[place] == "{" else -1
        sign = place and text[place - 1] == "\\" and not text[: place - 1].endswith("\\")
        before = self._bare
        self._bare += 0 if sign else step
        self._depth = self._bare if self._signs else self._depth + step
        if self._closing == ")":
            self._depth = self._bare = max(0, self._bare)
            return -1
        end = place + 1
        if self._depth <= 0 and self._bare > 0:
            if not text[end:].strip():
                return end
            self._signs, self._depth = True, self._bare
        elif self._depth <= 0:
            return end
        elif self._bare <= 0 < before and self._early is None:
            self._early = len(self._held), end
        return -1


@dataclass(frozen=True, slots=True)
class Fields:
    """The key and the fields of an entry, names in lower case, and where reading stopped."""

    key: str
    values: Mapping[str, str]
    problem: str = ""


def fields_of(block: Block, macros: Mapping[str, str]) -> Fields:
    """Read the fields of a block; macros are put in, values are not decoded otherwise."""
    start = _START.match(block.raw)
    if start is None:
        return Fields("", {}, "no brace after the entry's kind")
    body = block.raw[start.end() : -1]
    at = 0
    key = ""
    head = _KEY.match(body)
    if head is not None:
        key, at = head.group(1) or head.group(2) or "", head.end()
        if (more := _REST_OF_KEY.match(body, at)) is not None:
            key, at = f"{key},{more.group(1)}".rstrip(), more.end()
    values: dict[str, str] = {}
    problem = ""
    while (name := _field(body, at)) is not None:
        value, at, fault = _value(body, name.end(), macros, block.signs)
        # Of a doubled field the first counts, as for BibTeX.
        values.setdefault(name.group(1).lower(), value)
        if fault:
            problem = f"field {name.group(1)}: {fault}"
            break
    if (comments := _COMMENTS.match(body, at)) is not None:
        at = comments.end()
    rest = body[at:].strip(" \t\r\n,")
    if rest and not problem:
        problem = f"what follows cannot be read: {' '.join(rest.split())[:60]}"
    return Fields(key, values, problem)


def _field(body: str, at: int) -> re.Match[str] | None:
    """The next field's name; lines that somebody commented out are passed over."""
    if (name := _NAME.match(body, at)) is None and (comments := _COMMENTS.match(body, at)):
        return _NAME.match(body, comments.end())
    return name


def string_of(block: Block, macros: Mapping[str, str]) -> tuple[str, str]:
    """Return the name and value of a @string; both empty where it defines nothing."""
    read = fields_of(
        Block(block.kind, block.line, re.sub(r"([{(])", r"\1,", block.raw, count=1)), macros
    )
    for name, value in read.values.items():
        return name, value
    return "", ""


def _value(body: str, at: int, macros: Mapping[str, str], signs: bool) -> tuple[str, int, str]:
    """Read pieces joined by #; return the value, the place after it, and what is wrong."""
    pieces: list[str] = []
    while True:
        piece = _PIECE.match(body, at)
        if piece is None:
            return "".join(pieces), at, "" if pieces else "no value"
        if piece.group(3) is not None:
            word = piece.group(3)
            pieces.append(word if word.isdecimal() else macros.get(word.lower(), word))
            at = piece.end()
        else:
            end = _close(body, piece.end(), quoted=piece.group(2) is not None, signs=signs)
            if end < 0:
                return "".join(pieces) + body[piece.end() :], len(body), "never closed"
            pieces.append(body[piece.end() : end])
            at = end + 1
        joined = _JOIN.match(body, at)
        if joined is None:
            return "".join(pieces) if len(pieces) > 1 else pieces[0], at, ""
        at = joined.end()


def _is_accent(body: str, place: int) -> bool:
    """Whether a quote is LaTeX's diaeresis; by BibTeX's rules braces should stand around it."""
    return (
        body[place - 1 : place] == "\\"
        and re.match(r'"(?:\{?\\?[A-Za-z])', body[place:][:4]) is not None
    )


def _close(body: str, at: int, *, quoted: bool, signs: bool) -> int:
    """The place of the brace or quote that closes a value opened before `at`; -1 without one."""
    flat = (_FLAT_IN_QUOTES if quoted else _FLAT_IN_BRACES).match(body, at)
    if flat is not None:
        return flat.end()
    depth = 0
    for match in _BRACE_OR_QUOTE.finditer(body, at):
        sign, place = match.group(), match.start()
        if (
            signs
            and sign != '"'
            and place
            and body[place - 1] == "\\"
            and body[place - 2 : place - 1] != "\\"
        ):
            continue
        if sign == "{":
            depth += 1
        elif sign == "}":
            if depth == 0 and not quoted:
                return place
            depth = max(0, depth - 1)
        elif quoted and depth == 0 and not _is_accent(body, place):
            return place
    return -1
