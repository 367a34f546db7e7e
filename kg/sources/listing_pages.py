"""What a page prints around its papers: buttons, page numbers, heads that every page repeats."""

import re
from collections.abc import Iterable, Sequence

from kg.model.record import Identifiers
from kg.sources import identifiers
from kg.sources.listing_blocks import Block
from kg.sources.listing_lines import bare_abstract, ends_sentence, is_page_talk, label

_BUTTON_WORDS = frozenset(
    "pdf bib abs bibtex html tex ps other code data dataset poster slides video software model"
    " supplementary attachment link links doi expand collapse save saved alert cite copy share"
    " bookmark semantic reader publisher view arxiv tldr download open access project page demo".split()
)
_HOST = re.compile(r"\[(?:PDF|HTML|DOC|BOOK|CITATION)\]\s+[\w-]+(?:\.[\w-]+)+(?:/\S*)?", re.I)
_NUMBER = re.compile(r"(?:(?:p\.|page|pp\.)\s*)?\d{1,5}(?:\s*(?:/|of)\s*\d{1,5})?", re.I)
_SENT_BY = re.compile(
    r"(?:Submitted|Posted|Shared) by \S+(?: \S+)?|\d+ upvotes?|\W*\d+ authors?", re.I
)
# Over the talks of a programme, and over the papers of a day.
_TIME = re.compile(
    r"(?:\d{1,2}[:.]\d\d(?:\s?[ap]m)?(?:\s*[-–—]\s*\d{1,2}[:.]\d\d(?:\s?[ap]m)?)?)"
    r"|(?:[A-Z][a-z]{2,8},?\s+)?(?:\d{1,2}\.?\s+[A-Z][a-z]{2,8}\.?,?\s+\d{4}"
    r"|[A-Z][a-z]{2,8}\.?\s+\d{1,2},?\s+\d{4}|\d{4}-\d\d-\d\d)",
)
_LONGEST = 120  # characters of a button
_SAME = 3  # so many blocks with one first line have it from the page


def is_page_number(text: str) -> bool:
    """Whether a text is the number of a page, or of an entry that stands alone."""
    return _NUMBER.fullmatch(text.strip()) is not None


def is_button(line: str) -> bool:
    """Whether a line says what can be done with a paper, or counts, and nothing of the paper."""
    text = line.strip()
    if len(text) > _LONGEST:
        return False
    if not any(map(str.isalnum, text)) or is_page_number(text) or _HOST.fullmatch(text):
        return True
    if _SENT_BY.fullmatch(text) or is_page_talk(text):
        return True
    found = re.findall(r"\w+", text.lower())
    return _BUTTON_WORDS.issuperset(found)


def is_furniture(block: Block) -> bool:
    """Whether every line of a block belongs to the page."""
    return len(block.text) < 2_000 and all(map(is_button, block.lines))


def without_furniture(blocks: Sequence[Block]) -> list[Block]:
    """Return the blocks without buttons and running heads on their first and last lines.

    A block that holds nothing else stays as it is, to be listed as a part of the page.
    """
    heads = _running_heads(blocks)
    return [_trimmed(block, heads) for block in blocks]


def _trimmed(block: Block, heads: frozenset[str]) -> Block:
    start, stop = 0, len(block.lines)
    if is_furniture(block):
        return block
    while stop - start > 1 and (
        is_button(block.lines[start])
        or _TIME.fullmatch(block.lines[start].strip())
        or not heads.isdisjoint(_keys(block.lines[start]))
    ):
        start += 1
    while (
        stop - start > 1
        and is_button(block.lines[stop - 1])
        # The last word of a sentence may be a number, and "Code" a line of its own.
        and (
            ends_sentence(block.lines[stop - 2])
            or any(map(is_button, block.lines[stop - 2 : stop - 1]))
        )
    ):
        stop -= 1
    return block if stop - start == len(block.lines) else block.part(start, stop)


def _running_heads(blocks: Iterable[Block]) -> frozenset[str]:
    """First lines that stand over different texts, where pages begin or again and again."""
    below: dict[str, set[str]] = {}
    paged: set[str] = set()
    for block in blocks:
        lines = [line for line in block.lines if not is_button(line)][:2]
        if not lines or len(lines[0]) > 120 or label(lines[0]) or bare_abstract(lines[0]):
            continue
        if identifiers.find(lines[0])[0] != Identifiers():
            continue
        if block.paged:
            paged.add(_key(lines[0]))
        for key in _keys(lines[0]):
            below.setdefault(key, set()).update(lines[1:])
    return frozenset(
        key
        for key, texts in below.items()
        if (key in paged and len(texts) >= 2) or (not key.startswith("\0") and len(texts) >= _SAME)
    )


def _keys(line: str) -> tuple[str, str]:
    return _key(line), line.strip()


def _key(line: str) -> str:
    """The line, whatever its numbers and capitals are."""
    return "\0" + re.sub(r"\d+", "0", " ".join(line.split()).lower())
