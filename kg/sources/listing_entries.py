"""Blocks grouped into entries, one paper each, and strays: headings, navigation, leftovers."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from kg.model.record import Identifiers
from kg.sources import identifiers
from kg.sources.listing_blocks import Block
from kg.sources.listing_head import find_head
from kg.sources.listing_layout import (
    Layout,
    bullet_of,
    has_paper_label,
    is_abstract,
    number_of,
    part_block,
)
from kg.sources.listing_lines import (
    abstract_language,
    ends_sentence,
    is_names,
    is_page_talk,
    is_sentence,
    label,
    may_be_title,
    starts_section,
)
from kg.sources.listing_pages import is_furniture

ARXIV_LINE = re.compile(
    r"\s*(?:\[\d+\]\s*)?arXiv:\s?(?:\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})", re.I
)
META_LINE = re.compile(
    r"\s*[(<\[]?\s*(?:Submitted \d.*announced.*|\(?\s*https?://\S+\s*,\s*\d+\s*kb\)|https?://\S+|(?:doi|arxiv|pmid)\s*[:.]?\s*\S+|\S+@\S+|10\.\d{4,}/\S+)\s*",
    re.IGNORECASE,
)


_ADDRESS = re.compile(
    r"\s*(?:[-*•]\s+|\d+[.)]\s+)?<?(?:https?://\S+|(?:doi|arxiv)\s?:\s?\S+|10\.\d{4,}/\S+)>?\s*",
    re.IGNORECASE,
)
_CONNECTIVE = re.compile(
    r"(?:furthermore|moreover|in addition|additionally|finally|lastly|however|importantly|overall|together,"
    r"|these results|these findings|as a result|specifically|our code|the code|code (?:is|and)|we also|we further"
    r"|as an application|taken together|in summary|in conclusion)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Entry:
    """The blocks of one paper."""

    blocks: tuple[Block, ...]
    kind: str  # labelled, marked, ruled or plain
    titled: bool = False  # a title stands in its head, by the layout

    @property
    def line(self) -> int:
        """Its first line."""
        return self.blocks[0].line

    @property
    def text(self) -> str:
        """The blocks as they stand in the file."""
        return "\n".join(block.raw for block in self.blocks)


@dataclass(frozen=True, slots=True)
class Stray:
    """A block that belongs to no paper."""

    block: Block
    reason: str

    @property
    def line(self) -> int:
        """Its first line."""
        return self.block.line

    @property
    def text(self) -> str:
        """The block as it stands in the file."""
        return self.block.raw


def entries(blocks: Sequence[Block], layout: Layout) -> Iterator[Entry | Stray]:
    """Yield entries and strays in the order of their lines."""
    group = _Group(layout)
    for whole in blocks:
        if whole.huge:
            yield from group.close()
            yield Stray(whole, "a line longer than any abstract")
            continue
        for index, block in enumerate(_parts(whole, layout)):
            yield from group.add(block, first=index == 0)
    yield from group.close()


def is_list_of_addresses(block: Block) -> bool:
    """Whether every line is an address or an identifier, and two or more of them name papers."""
    if len(block.lines) < 2 or not all(map(_ADDRESS.fullmatch, block.lines)):
        return False
    found = {identifiers.find(line)[0] for line in block.lines} - {Identifiers()}
    return len(found) >= 2


def is_meta(block: Block) -> bool:
    """Whether a block holds nothing but labelled lines, addresses and identifiers."""
    found = [label(line) for line in block.lines]
    return all(
        META_LINE.fullmatch(line) is not None
        or (mark is not None and mark.field not in ("title", "abstract"))
        or (index > 0 and found[index - 1] is not None)
        for index, (line, mark) in enumerate(zip(block.lines, found, strict=True))
    )


def _parts(block: Block, layout: Layout) -> list[Block]:
    """Cut a block where entries start within it."""
    parts = part_block(block, layout.numbered, layout.bullet, layout.usual)
    if layout.bullet:
        parts = [piece for part in parts for piece in _bulleted_parts(part, len(layout.bullet))]
    return [piece for part in parts for piece in _label_parts(part)]


def _bulleted_parts(block: Block, depth: int) -> list[Block]:
    """Cut where bullets within a bullet stand, and take these off."""
    marks = [len(bullet_of(line)) for line in block.lines]
    cuts = [
        i for i, mark in enumerate(marks) if i > 0 and mark > depth and not label(block.lines[i])
    ]
    edges = [0, *cuts]
    parts = [block.part(a, b) for a, b in zip(edges, [*edges[1:], None], strict=True)]
    return [parts[0], *map(_without_bullet, parts[1:])]


def _without_bullet(block: Block) -> Block:
    lines = (block.lines[0][len(bullet_of(block.lines[0])) :].lstrip(), *block.lines[1:])
    return replace(block, lines=lines, quoted=block.quoted or block.lines)


def _label_parts(block: Block) -> list[Block]:
    """Cut where labelled lines begin again, or the line of an arXiv listing stands."""
    cuts: list[int] = []
    seen: set[str] = set()
    previous = ""
    run = 0
    for index, line in enumerate(block.lines):
        name = _label_name(line)
        if not name:
            previous = ""
            continue
        if not previous:
            run = index
        starts = name == "arxiv:" or (name in seen and name != previous)
        if starts and index > 0:
            cut = index if name == "arxiv:" or not _reaches(block, run, index, seen) else run
            if seen & {"title", "abstract", "arxiv:"}:
                cuts.append(cut)
                seen = set()
        seen.add(name)
        previous = name
    edges = [0, *cuts]
    return (
        [block.part(a, b) for a, b in zip(edges, [*edges[1:], None], strict=True)]
        if cuts
        else [block]
    )


def _reaches(block: Block, run: int, index: int, seen: set[str]) -> bool:
    """Whether the labels before a repeated one are new, and so open the next entry with it."""
    before = {_label_name(line) for line in block.lines[run:index]}
    return bool(before) and not before & {"abstract"} and run < index and "title" in seen


def _label_name(line: str) -> str:
    if ARXIV_LINE.match(line):
        return "arxiv:"
    found = label(line)
    if found is None:
        return ""
    return (
        found.field
        if found.field in ("title", "abstract", "authors")
        else line[: found.value_at].strip(" *_:").lower()
    )


class _Group:
    """Collects blocks until the entry that they make is whole."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._blocks: list[Block] = []
        self._kind = ""
        self._labels: set[str] = set()
        self._aside: list[Stray] = []  # parts of the page between the blocks of one paper

    def add(self, block: Block, *, first: bool) -> Iterator[Entry | Stray]:
        """Take the next block; yield what it closes."""
        layout = self._layout
        if is_furniture(block) or (block.paged and _short(block) and self._unfinished()):
            self._aside.append(Stray(block, "part of the page, not a paper"))
        elif (
            (self._aside or block.paged)
            and self._unfinished()
            and block.text.lstrip()[:1].islower()
        ):
            self._take(block)  # the text goes on after the end of a page
        elif is_list_of_addresses(block):
            yield from self.close()
            for index in range(len(block.lines)):
                line = block.part(index, index + 1)
                named = identifiers.find(line.text)[0] != Identifiers()
                yield Entry((line,), "plain") if named else Stray(line, "an address of no paper")
        elif self._is_translation(block):
            yield from self.close()
            yield Stray(block, "a translation of the abstract above")
        elif self._is_marked(block.lines[0]):
            yield from self._open("marked", block)
        elif layout.ruled and block.ruled and first:
            yield from self._open("ruled", block)
        elif _label_name(block.lines[0]) == "arxiv:" or has_paper_label(block):
            yield from self._labelled(block)
        elif is_abstract(block) and not (layout.sentence_titles and is_sentence(block.text)):
            yield from self._prose(block)
        else:
            yield from self._short(block)

    def close(self) -> Iterator[Entry | Stray]:
        """Yield what is left, in the order of its lines."""
        aside, self._aside = self._aside, []
        yield from sorted([*aside, *self._closed()], key=lambda part: part.line)

    def _closed(self) -> Iterator[Entry | Stray]:
        blocks, kind = self._blocks, self._kind
        self._blocks, self._kind, self._labels = [], "", set()
        if not blocks:
            return
        if kind != "plain":
            yield Entry(tuple(blocks), kind, titled=True)
            return
        heads = next((i for i, b in enumerate(blocks) if self._counts(b)), len(blocks))
        keep = min(heads, self._layout.titles_above) if heads < len(blocks) else 0
        for block in blocks[: heads - keep]:
            if names_a_paper(block):
                yield Entry((block,), "plain", titled=True)
            else:
                yield Stray(block, stray_reason(block))
        if heads < len(blocks):
            yield Entry(tuple(blocks[heads - keep :]), "plain", titled=keep > 0)

    def _unfinished(self) -> bool:
        """Whether an abstract was broken off within a sentence."""
        if not self._blocks or not self._has_text():
            return False
        last = self._blocks[-1]
        return is_abstract(last) and not ends_sentence(last.text) and not is_meta(last)

    def _counts(self, block: Block) -> bool:
        short = self._layout.sentence_titles and is_sentence(block.text)
        return is_abstract(block) and not short

    def _is_translation(self, block: Block) -> bool:
        """Whether a block is the abstract once more, under the head of another language."""
        language = abstract_language(block.lines[0])
        if language in ("", "abstract") or not self._blocks or not self._has_text():
            return False
        lines = (line for held in self._blocks for line in held.lines)
        return language not in map(abstract_language, lines)

    def _is_marked(self, line: str) -> bool:
        if self._layout.numbered:
            return number_of(line, self._layout.numbered) is not None
        return bool(self._layout.bullet) and bullet_of(line) == self._layout.bullet

    def _open(self, kind: str, block: Block) -> Iterator[Entry | Stray]:
        yield from self.close()
        self._kind = kind
        self._take(block)

    def _take(self, block: Block) -> None:
        self._blocks.append(block)
        self._labels |= {name for line in block.lines if (name := _label_name(line))}

    def _labelled(self, block: Block) -> Iterator[Entry | Stray]:
        names = {name for line in block.lines if (name := _label_name(line))}
        again = names & self._labels & {"title", "abstract", "arxiv:"}
        if (self._kind in ("marked", "ruled") and not again) or (
            self._kind == "labelled" and not again and not self._has_text()
        ):
            self._take(block)
        elif (
            self._kind == "plain"
            and "title" not in names
            and not may_be_title(block.lines[0])
            and not self._has_text()
            and may_be_title(self._blocks[-1].text)
            and len(self._blocks[-1].lines) <= 3
        ):
            # A title of its own, then "Authors: ..." and "Abstract: ...".
            *above, title = self._blocks
            self._blocks = []
            for stray in above:
                yield Stray(stray, stray_reason(stray))
            self._kind = "labelled"
            self._take(title)
            self._take(block)
        else:
            yield from self._open("labelled", block)

    def _prose(self, block: Block) -> Iterator[Entry | Stray]:
        if self._kind in ("marked", "ruled"):
            self._take(block)
        elif self._kind == "labelled":
            if not self._has_text() or goes_on(block.text):
                self._take(block)
            else:
                yield from self._open("plain", block)
        elif (self._kind == "plain" and not self._has_text()) or (
            self._kind == "plain" and self._goes_on(block)
        ):
            self._take(block)
        else:
            yield from self._open("plain", block)

    def _goes_on(self, block: Block) -> bool:
        """Whether a paragraph belongs to the abstract before it; in doubt it is a paper's own."""
        titled = self._layout.titles_above > 0 and len(self._blocks) > 1
        if self._layout.signed and titled:
            return True
        return starts_section(block.text) or (titled and goes_on(block.text))

    def _short(self, block: Block) -> Iterator[Entry | Stray]:
        if (
            self._kind in ("marked", "ruled")
            or (self._kind and self._has_text() and is_meta(block))
            or (self._kind == "plain" and self._layout.titles_below)
            or (self._kind == "labelled" and not self._has_text())
            or (self._kind == "plain" and not self._has_text())
        ):
            self._take(block)
        else:
            yield from self._open("plain", block)

    def _has_text(self) -> bool:
        if self._kind == "labelled":
            return any(_abstract_under_label(block) for block in self._blocks) or any(
                self._counts(block) and not has_paper_label(block) for block in self._blocks[1:]
            )
        return any(self._counts(block) for block in self._blocks)


def _short(block: Block) -> bool:
    return len(block.lines) == 1 and len(block.text) <= 120


def _abstract_under_label(block: Block) -> bool:
    """Whether a labelled block holds the abstract itself, after its label or as plain prose."""
    for index, line in enumerate(block.lines):
        found = label(line)
        if found is not None and found.field == "abstract":
            return bool(line[found.value_at :].strip() or block.lines[index + 1 :])
    tail = [line for line in block.lines if label(line) is None]
    return _label_name(block.lines[0]) == "arxiv:" and is_abstract(
        Block(0, tuple(tail[1:] or ("",)))
    )


def goes_on(text: str) -> bool:
    """Whether a paragraph opens as only a second one does."""
    return starts_section(text) or _CONNECTIVE.match(text) is not None


def names_a_paper(block: Block) -> bool:
    """Whether a block without abstract is a title with people, a year or an identifier under it."""
    if not 2 <= len(block.lines) <= 8 or not may_be_title(block.lines[0]):
        return False
    below = "\n".join(block.lines[1:])
    ids, _ = identifiers.find(below)
    signed = is_names(block.lines[1]) or " et al" in below
    dated = re.search(r"\b(?:19|20)\d\d\b", below) is not None
    return len(block.lines[0].split()) >= 2 and (ids != Identifiers() or (signed and dated))


def stray_reason(block: Block) -> str:
    """Say why a block is no paper."""
    if is_page_talk(block.text) or is_furniture(block):
        return "part of the page, not a paper"
    if is_names(block.text):
        return "names without an abstract"
    if may_be_title(block.text) or block.level or find_head(block.lines).marked:
        return "a heading, or a title without an abstract"
    return "too short for an abstract"
