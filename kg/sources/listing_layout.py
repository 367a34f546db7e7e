"""How a listing is laid out: numbered, bulleted, ruled, titles within blocks or above them."""

import itertools
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from kg.sources.listing_blocks import Block
from kg.sources.listing_head import WIDEST_WRAP, find_head
from kg.sources.listing_lines import (
    BULLET,
    NUMBER,
    ends_sentence,
    is_names,
    is_one_name,
    is_page_talk,
    is_prose,
    is_sentence,
    label,
    may_be_title,
    starts_abstract,
    starts_section,
    starts_structured,
    words,
)
from kg.sources.listing_pages import is_furniture


@dataclass(frozen=True, slots=True)
class Layout:
    """What most entries of a listing have in common."""

    numbered: str = ""  # the signs around the number, such as [] or .
    bullet: str = ""
    ruled: bool = False  # a rule parts papers, blank lines only paragraphs
    inline_titles: bool = False  # the first line of a block is its title
    titles_above: int = 0  # so many short blocks stand above each abstract
    signed: bool = (
        False  # title and authors share the block above, paragraphs follow up to the next
    )
    titles_below: bool = False  # the title stands under its abstract
    sentence_titles: bool = False  # those blocks end with a full stop
    labelled: bool = False  # Title: ..., Abstract: ...
    wrapped: bool = True  # lines were broken at a width
    usual: int = 0  # characters of an abstract, 0 where there are too few to say


def find_layout(blocks: Sequence[Block]) -> Layout:
    """Return the layout that most of the blocks follow."""
    blocks = [block for block in blocks if not is_furniture(block)]
    labelled = sum(has_paper_label(block) for block in blocks)
    prose = [block for block in blocks if is_abstract(block)]
    numbered = _numbering(blocks, prose)
    bullet = "" if numbered else _bullets(blocks, prose)
    lengths = sorted(sum(map(len, block.lines)) for block in prose)
    usual = lengths[(len(lengths) - 1) // 2] if len(lengths) >= 3 else 0
    parted = [part for block in blocks for part in part_block(block, numbered, bullet, usual)]
    prose = [block for block in parted if is_abstract(block) and not has_paper_label(block)]
    heads = sum(find_head(block.lines).title > 0 for block in prose)
    likely = sum(find_head(block.lines, expected=True).title > 0 for block in prose)
    # Some titles fill their line; capitals tell those, once enough others are certain.
    inline = bool(prose) and heads >= 0.3 * len(prose) and likely >= 0.6 * len(prose)
    signed = not inline and _signed(parted)
    above, stops = (1, False) if signed else (0, False) if inline else _titles_above(parted)
    return Layout(
        numbered=numbered,
        bullet=bullet,
        ruled=_ruled(blocks),
        inline_titles=inline,
        titles_above=above,
        signed=signed,
        titles_below=not (inline or signed or numbered or bullet or labelled)
        and _titles_below(parted),
        sentence_titles=stops,
        labelled=labelled >= 2 and labelled >= 0.5 * len(prose),
        wrapped=all(len(line) <= WIDEST_WRAP for block in prose for line in block.lines),
        usual=usual,
    )


def is_abstract(block: Block) -> bool:
    """Whether a block is running text."""
    text = block.text
    return is_prose(text) or (
        (starts_section(text) or starts_structured(text)) and ends_sentence(text)
    )


def has_paper_label(block: Block) -> bool:
    """Whether a line of the block says Title: or Abstract:."""
    fields = {found.field for line in block.lines if (found := label(line)) is not None}
    return bool(fields & {"title", "abstract"})


def part_block(block: Block, numbered: str, bullet: str, usual: int = 0) -> list[Block]:
    """Cut a block where a number, a bullet or an indented first line starts the next entry."""
    if numbered:
        cuts = _number_cuts(block, numbered)
    elif bullet:
        cuts = [i for i, line in enumerate(block.lines) if bullet_of(line) == bullet]
    else:
        cuts = _indent_cuts(block) or _line_cuts(block) or _missing_blank_cuts(block, usual)
    edges = sorted({0, *cuts})
    parts = [block.part(a, b) for a, b in zip(edges, [*edges[1:], None], strict=True)]
    return [block] if len(parts) == 1 else parts


def number_of(line: str, numbered: str) -> int | None:
    """Return the number with which a line starts, if it is written in this style."""
    found = NUMBER.match(line)
    if found is None or _style_of(found) != numbered:
        return None
    return _value(found.group("number"))


def bullet_of(line: str) -> str:
    """Return the bullet with which a line starts, with its indentation."""
    found = BULLET.match(line)
    return "" if found is None else line[: found.start("bullet")] + found.group("bullet")


def _style_of(found: re.Match[str]) -> str:
    """The signs around a number, and what counts: [], ., (a), I."""
    letter = "" if found["number"].isdigit() else "a" if found["number"].islower() else "I"
    return f"{(found['open'] or '').strip().lower()[:1]}{letter}{found['close']}"


def _value(number: str) -> int:
    if number.isdigit():
        return int(number)
    if number.islower():
        return ord(number) - ord("a") + 1
    values = [{"I": 1, "V": 5, "X": 10}[sign] for sign in number]
    return sum(-a if a < b else a for a, b in itertools.pairwise([*values, 0]))


def _numbering(blocks: Sequence[Block], prose: Sequence[Block]) -> str:
    """The style of numbers that count the entries up, one by one."""
    chains: dict[str, int] = {}
    expected: dict[str, int] = {}
    members: dict[str, set[int]] = {}
    for block in blocks:
        for index, line in enumerate(block.lines):
            found = NUMBER.match(line)
            if found is None:
                continue
            style, number = _style_of(found), _value(found["number"])
            if style not in expected and not _heads_block(block, index):
                continue  # the first number of a list starts a block, or stands under a heading
            if number == expected.get(style, number):
                chains[style] = chains.get(style, 0) + 1
                expected[style] = number + 1
                members.setdefault(style, set()).add(block.line)
    for style, count in sorted(chains.items(), key=lambda item: -item[1]):
        without = sum(block.line not in members[style] for block in prose)
        # Titles may bear the numbers, and the abstracts follow in blocks of their own.
        if count >= 2 and without <= 1.5 * count:
            return style
    return ""


def _heads_block(block: Block, index: int) -> bool:
    return index == 0 or (index <= 2 and may_be_title("\n".join(block.lines[:index])))


def _number_cuts(block: Block, numbered: str) -> list[int]:
    """Where the numbers of a list stand: one by one, after whole texts where there is a choice."""
    places = [
        (i, n) for i, line in enumerate(block.lines) if (n := number_of(line, numbered)) is not None
    ]
    cuts: list[int] = []
    expected: int | None = None
    for index, number in places:
        if cuts and number != expected:
            continue
        if cuts and not _text_ends(block.lines[index - 1]):
            # "(1) this,\n(2) that" within an abstract, unless no better place comes.
            later = [i for i, n in places if i > index and n == number]
            if any(_text_ends(block.lines[i - 1]) for i in later):
                continue
        cuts.append(index)
        expected = number + 1
    return cuts


def _text_ends(line: str) -> bool:
    return ends_sentence(line) or "://" in line.split(" ")[-1]


def _bullets(blocks: Sequence[Block], prose: Sequence[Block]) -> str:
    counts = Counter(
        bullet
        for block in blocks
        # A heading may stand over them, a text does not: that ends with a dash and its source.
        if bullet_of(block.lines[0])
        or (
            len(block.lines) > 1 and bullet_of(block.lines[1]) and not ends_sentence(block.lines[0])
        )
        for line in block.lines
        if (bullet := bullet_of(line)) and label(line) is None
    )
    # Bullets within bullets hold the parts of one paper.
    shallow = min((len(bullet) for bullet, count in counts.items() if count >= 2), default=0)
    outer = Counter({b: count for b, count in counts.items() if len(b) <= shallow})
    for bullet, count in outer.most_common(1):
        without = sum(bullet not in map(bullet_of, block.lines[:2]) for block in prose)
        bare = sum(bullet_of(block.lines[0]) == bullet for block in prose)
        # Titles may bear the bullets, and the abstracts follow in blocks of their own.
        if count >= 2 and without <= (0.5 if bare else 1.5) * count:
            return bullet
    return ""


def _indent_cuts(block: Block) -> list[int]:
    """Paragraphs that only an indented first line parts, or only a hanging indent."""
    lines = block.lines
    if len(lines) < 4:
        return []
    deep = [len(line) - len(line.lstrip()) for line in lines]
    least, most = min(deep), max(deep)
    if most - least < 2 or any(depth not in (least, most) for depth in deep):
        return []
    for marker in (most, least):
        cuts = [index for index, depth in enumerate(deep) if depth == marker]
        # A heading may stand over the first paragraph.
        if cuts[0] > 2 or len(cuts) < 2:
            continue
        if cuts[0] == 0 and may_be_title(lines[0]) and len(cuts) > 2 and cuts[1] == 1:
            cuts.pop(0)
        edges = [*cuts, len(lines)]
        parts = [" ".join(lines[a:b]) for a, b in itertools.pairwise(edges)]
        whole = sum(words(part) >= 30 and ends_sentence(part) for part in parts)
        if whole >= 0.8 * len(parts) and all(words(part) >= 8 for part in parts):
            return cuts
    return []


def _line_cuts(block: Block) -> list[int]:
    """Abstracts of one long line each, titles above them or not, without blank lines.

    The paragraphs of one abstract are that, too, but together they are no longer than one.
    """
    if len(block.lines) < 3 or max(map(len, block.lines)) <= 2 * WIDEST_WRAP:
        return []
    long = [i for i, line in enumerate(block.lines) if words(line) >= 40 and ends_sentence(line)]
    total = sum(words(block.lines[i]) for i in long)
    if len(long) < 3 or total < 400 or any(starts_section(block.lines[i]) for i in long):
        return []
    # What stands between two of them is the title and the authors of the second.
    return [0, *(i + 1 for i in long[:-1])] if len(block.lines) <= 4 * len(long) else []


def _missing_blank_cuts(block: Block, usual: int) -> list[int]:
    """Where a second abstract begins, with or without a title, in a block far longer than others."""
    lines = block.lines
    if not usual or sum(map(len, lines)) < 1.5 * usual or has_paper_label(block):
        return []
    titled = find_head(lines, expected=True).title > 0
    start = 0
    cuts: list[int] = []
    for index in range(1, len(lines)):
        if not ends_sentence(lines[index - 1]):
            continue
        above, below = "\n".join(lines[start:index]), "\n".join(lines[index:])
        if min(len(above), len(below)) < max(150, 0.5 * usual):
            continue
        if find_head(lines[index:]).title > 0 if titled else _ends_paragraph(lines, index):
            cuts.append(index)
            start = index
    return cuts


def _ends_paragraph(lines: Sequence[str], index: int) -> bool:
    """Whether a wrapper would have gone on in the line before, and broke all the others."""
    following = lines[index].strip()
    if starts_section(following) or not following[:1].isupper():
        return False
    widest = max(map(len, lines))
    if widest > WIDEST_WRAP:
        return all(words(line) >= 20 and ends_sentence(line) for line in lines)
    room = [
        widest - len(line.rstrip()) - 1 >= len(after.split()[0])
        for line, after in itertools.pairwise(lines)
    ]
    return room[index - 1] and sum(room) <= 1 + len(room) // 8


def _titles_below(blocks: Sequence[Block]) -> bool:
    """Whether abstracts and titles take turns, and an abstract is first."""
    prose = [is_abstract(block) for block in blocks]
    return (
        len(blocks) >= 4
        and all(is_text == (index % 2 == 0) for index, is_text in enumerate(prose))
        and not prose[-1]
        and all(may_be_title(block.lines[0]) for block in blocks[1::2])
    )


def _ruled(blocks: Sequence[Block]) -> bool:
    """Whether rules part papers: between two of them stands one abstract, as a rule."""
    segments: list[int] = [0]
    for block in blocks:
        if block.ruled:
            segments.append(0)
        segments[-1] += is_abstract(block) and not starts_section(block.text)
    filled = [count for count in segments if count]
    single = sum(count == 1 for count in filled)
    return len(filled) >= 2 and single >= 0.5 * len(filled) and max(filled) <= 4


def _signed(blocks: Sequence[Block]) -> bool:
    """Whether every abstract, of one paragraph or a few, stands under a title with its authors.

    Without the names a paragraph could as well be the next paper's, whose title is missing.
    """
    runs: list[int] = []
    for block in blocks:
        if _is_signed(block):
            runs.append(0)
        elif is_abstract(block):
            if not runs:
                return False
            runs[-1] += 1
    return len(runs) >= 2 and min(runs) >= 1 and 1 < max(runs) <= 4


def _is_signed(block: Block) -> bool:
    return (
        2 <= len(block.lines) <= 6
        and not is_abstract(block)
        and may_be_title(block.lines[0])
        and any(is_names(line) or is_one_name(line) for line in block.lines[1:])
    )


def _titles_above(blocks: Sequence[Block]) -> tuple[int, bool]:
    """How many short blocks stand above most abstracts, and whether they end with a full stop."""
    for stops in (False, True):
        runs = _runs(blocks, stops=stops)
        if not runs:
            continue
        titled = [run for run in runs if run]
        enough = len(titled) >= 0.6 * len(runs) if len(runs) > 2 else len(titled) == len(runs)
        if enough and (not stops or (len(runs) >= 3 and len(titled) >= 0.8 * len(runs))):
            # The first run also holds the heading of the page.
            later = titled[1:] or titled
            return Counter(later).most_common(1)[0][0], stops
    return 0, False


def _runs(blocks: Sequence[Block], *, stops: bool) -> list[int]:
    """How many short blocks that may belong to a title stand before each abstract."""
    runs: list[int] = []
    run, titles = 0, 0
    for block in blocks:
        short = stops and is_sentence(block.text) and not starts_abstract(block.text)
        if is_abstract(block) and not short:
            if not starts_section(block.text) or not runs:
                runs.append(run if titles else 0)
            run, titles = 0, 0
        elif not is_page_talk(block.text):
            run += 1
            titles += may_be_title(block.text) or short
    return runs
