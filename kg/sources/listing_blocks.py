"""A listing cut into blocks: lines between blank lines and rules."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from kg.sources.listing_lines import is_rule, underline_level

# An abstract of more is none; the text goes on in another block, so that memory stays bounded.
LONGEST_BLOCK = 5_000  # lines
LONGEST_TEXT = 400_000  # characters
_SHOWN = 1_000  # characters that are kept of a line longer than that


_INVISIBLE = frozenset("\u200b\u200c\u200d\u200e\u200f\u2060\xad")
_QUOTE = re.compile(r"[ \t]*(?:>[ \t]?)+")
# [05/05/2025, 09:10:00] Anna: ..., as messengers export.
_CHAT = re.compile(
    r"\[?\d{1,4}[/.-]\d{1,2}[/.-]\d{2,4},? \d{1,2}:\d\d(?::\d\d)?(?:\s?[AP]M)?\]?(?: [-–])? [^:\]]{1,40}: "
)
_ENVIRONMENT = re.compile(
    r"\s*\\(?:(?:begin|end)\{(?:abstract|document|itemize|enumerate|quote|quotation|center)\}|maketitle|item)\s*"
)
_MAIL_EDGE = re.compile(r"\\\\\s*(?:\(\s*https?://.*)?")


@dataclass(frozen=True, slots=True)
class Block:
    """Consecutive lines; `line` is the number of the first, from 1."""

    line: int
    lines: tuple[str, ...]
    ruled: bool = False  # a rule stands before it
    level: int = 0  # underlined as a heading
    huge: bool = False  # longer than any abstract, and cut
    paged: bool = False  # a form feed stands before it: a page begins
    quoted: tuple[str, ...] = ()  # the lines with the marks of a quotation, where they had some

    @property
    def text(self) -> str:
        """The lines as they are."""
        return "\n".join(self.lines)

    @property
    def raw(self) -> str:
        """The lines as the file has them."""
        return "\n".join(self.quoted or self.lines)

    @property
    def end(self) -> int:
        """The number of the line after the last."""
        return self.line + len(self.lines)

    def part(self, start: int, stop: int | None = None) -> "Block":
        """Some of the lines as a block of their own."""
        return replace(
            self,
            line=self.line + start,
            lines=self.lines[start:stop],
            quoted=self.quoted[start:stop],
            level=0,
        )


def blocks(lines: Iterable[str]) -> Iterator[Block]:
    """Yield the blocks of a listing, in order."""
    held = _Held()
    quoting = False
    for number, line in enumerate(lines, start=1):
        plain = line.replace("\ufeff", "")
        if "\f" in plain:
            yield from held.close()
            plain, held.paged = plain.replace("\f", " "), True
        if plain.startswith("\\\\") and _MAIL_EDGE.fullmatch(plain):
            # Two backslashes edge the parts of arXiv's mails; an address may follow the last.
            yield from held.close()
            plain = plain[2:].lstrip()
        if len(plain) > LONGEST_TEXT:
            yield from held.close()
            yield Block(number, (plain[:_SHOWN],), huge=True)
            continue
        raw = plain
        if said := _CHAT.match(plain):
            yield from held.close()
            plain = plain[said.end() :]
        mark = _QUOTE.match(plain)
        quoting = mark is not None and (quoting or _opens_quote(plain[mark.end() :]))
        if mark is not None and quoting:
            plain = plain[mark.end() :]
        if _ENVIRONMENT.fullmatch(plain):
            plain = ""
        if not _blank(plain) and not is_rule(plain):
            held.add(number, plain, raw)
            if len(held.lines) >= LONGEST_BLOCK or held.size > LONGEST_TEXT:
                yield from held.close()
            continue
        level = underline_level(plain) if _heading(held.lines) else 0
        yield from held.close(level)
        held.ruled = held.ruled or (not _blank(plain) and not level)
    yield from held.close()


@dataclass(slots=True)
class _Held:
    """The lines of the block that is being read."""

    start: int = 1
    lines: list[str] = field(default_factory=list)
    raw: list[str] = field(default_factory=list)
    size: int = 0  # characters
    ruled: bool = False
    paged: bool = False

    def add(self, number: int, line: str, raw: str) -> None:
        if not self.lines:
            self.start = number
        self.lines.append(line)
        self.raw.append(raw)
        self.size += len(line)

    def close(self, level: int = 0) -> Iterator[Block]:
        """Yield the block, if there is one, and start the next."""
        if not self.lines:
            return
        yield Block(
            self.start,
            tuple(self.lines),
            self.ruled,
            level,
            paged=self.paged,
            quoted=tuple(self.raw) if self.raw != self.lines else (),
        )
        self.lines, self.raw, self.size = [], [], 0
        self.ruled = self.paged = False


def _blank(line: str) -> bool:
    """Whether a line shows nothing: blanks, and signs without a width."""
    return all(sign.isspace() or sign in _INVISIBLE for sign in line)


def _opens_quote(rest: str) -> bool:
    """Whether what stands behind > is quoted; "> 90% of them" goes on with a sentence."""
    return not rest.strip() or not (rest.lstrip()[0].isdigit() or rest[0].islower())


def _heading(held: list[str]) -> bool:
    """Whether what stands above an underline can be a heading."""
    return (
        1 <= len(held) <= 2 and sum(map(len, held)) <= 200 and not held[-1].rstrip().endswith(".")
    )
