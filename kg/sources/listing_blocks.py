"""A listing cut into blocks: lines between blank lines and rules."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from kg.sources.listing_lines import is_rule, underline_level

# An abstract of more is none; the text goes on in another block, so that memory stays bounded.
LONGEST_BLOCK = 5_000  # lines
LONGEST_TEXT = 400_000  # characters
_SHOWN = 1_000  # characters that are kept of a line longer than that


_MAIL_EDGE = re.compile(r"\\\\\s*(?:\(\s*https?://.*)?")


@dataclass(frozen=True, slots=True)
class Block:
    """Consecutive lines; `line` is the number of the first, from 1."""

    line: int
    lines: tuple[str, ...]
    ruled: bool = False  # a rule stands before it
    level: int = 0  # underlined as a heading
    huge: bool = False  # longer than any abstract, and cut

    @property
    def text(self) -> str:
        """The lines as they are."""
        return "\n".join(self.lines)

    @property
    def end(self) -> int:
        """The number of the line after the last."""
        return self.line + len(self.lines)

    def part(self, start: int, stop: int | None = None) -> "Block":
        """Some of the lines as a block of their own."""
        return replace(self, line=self.line + start, lines=self.lines[start:stop], level=0)


def blocks(lines: Iterable[str]) -> Iterator[Block]:
    """Yield the blocks of a listing, in order."""
    held: list[str] = []
    start, ruled, size = 1, False, 0
    for number, line in enumerate(lines, start=1):
        plain = line.replace("\f", " ").replace("\ufeff", "")
        if plain.startswith("\\\\") and _MAIL_EDGE.fullmatch(plain):
            # Two backslashes edge the parts of arXiv's mails; an address may follow the last.
            if held:
                yield Block(start, tuple(held), ruled)
                held, ruled = [], False
            plain = plain[2:].lstrip()
        if len(plain) > LONGEST_TEXT:
            if held:
                yield Block(start, tuple(held), ruled)
                held, ruled = [], False
            yield Block(number, (plain[:_SHOWN],), huge=True)
            continue
        if plain.strip() and not is_rule(plain):
            if not held:
                start, size = number, 0
            held.append(plain)
            size += len(plain)
            if len(held) >= LONGEST_BLOCK or size > LONGEST_TEXT:
                yield Block(start, tuple(held), ruled)
                held, ruled = [], False
            continue
        level = underline_level(plain) if _heading(held) else 0
        if held:
            yield Block(start, tuple(held), ruled, level)
            ruled = False
        held = []
        ruled = ruled or (bool(plain.strip()) and not level)
    if held:
        yield Block(start, tuple(held), ruled)


def _heading(held: list[str]) -> bool:
    """Whether what stands above an underline can be a heading."""
    return (
        1 <= len(held) <= 2 and sum(map(len, held)) <= 200 and not held[-1].rstrip().endswith(".")
    )
