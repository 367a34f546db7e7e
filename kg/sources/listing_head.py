"""Where a title and its authors end and the abstract begins, in lines that no blank line parts."""

from collections.abc import Sequence
from dataclasses import dataclass

from kg.sources.listing_lines import (
    BOLD_LINE,
    MARKDOWN_HEAD,
    ends_sentence,
    is_names,
    is_prose,
    label,
    may_be_title,
    words,
)

_WIDEST_WRAP = 130  # columns; longer lines were not wrapped


@dataclass(frozen=True, slots=True)
class Head:
    """The first `size` lines of a block stand over the abstract; of these, `title` are its title."""

    title: int = 0
    size: int = 0
    marked: bool = False  # by # or **, so that nothing had to be guessed


def find_head(lines: Sequence[str]) -> Head:
    """Return how many lines of a block are a title and what stands under it, none if in doubt.

    A line that a wrapper broke is full: the next word had no room. A title's last line is not, ends
    without a stop, and sentences follow it. An abstract's first sentence fails one of these.
    """
    if len(lines) < 2:
        return Head()
    if MARKDOWN_HEAD.fullmatch(lines[0]) or _bold(lines[0]):
        size = _under_title(lines, 1)
        return Head(1, size, marked=True) if size < len(lines) else Head(1, 1, marked=True)
    for count in (1, 2, 3):
        if count >= len(lines) or not _broken_on_purpose(lines, count):
            continue
        title = " ".join(line.strip() for line in lines[:count])
        size = _under_title(lines, count)
        body = lines[size:]
        if not body or not may_be_title(title) or words(title) < 2:
            return Head()
        if not is_prose(" ".join(body)) or not _starts_sentence(body[0]):
            return Head()
        if words(" ".join(body)) < 1.5 * words(title):
            return Head()
        return Head(count, size)
    return Head()


def _bold(line: str) -> bool:
    return BOLD_LINE.fullmatch(line) is not None


def _under_title(lines: Sequence[str], count: int) -> int:
    """The index of the first line of the abstract, past authors and labelled lines."""
    while count < len(lines) - 1:
        line = lines[count]
        found = label(line)
        if (
            (found is not None and found.field != "abstract")
            or (is_names(line) and not ends_sentence(line.rstrip(" .") + " "))
            or (count > 0 and _looks_like_venue(line, lines[count + 1]))
        ):
            count += 1
        else:
            break
    return count


def _looks_like_venue(line: str, following: str) -> bool:
    """A short line with a year or an address, and a sentence after it."""
    text = line.strip()
    return (
        len(text) < 120
        and not ends_sentence(text)
        and (any(c.isdigit() for c in text) or "://" in text)
        and _starts_sentence(following)
        and not is_prose(text)
        and words(text) <= 14
    )


def _broken_on_purpose(lines: Sequence[str], count: int) -> bool:
    """Whether the line end after `count` lines was not made by a wrapper."""
    widest = max(len(line.rstrip()) for line in lines)
    last = lines[count - 1].rstrip()
    following = lines[count].split()
    if not following:
        return False
    if widest > _WIDEST_WRAP:
        return len(last) <= 300
    room = widest - len(last) - 1
    if room < len(following[0]) + 2:
        return False
    # Lines that are ragged throughout were broken by hand, one sentence a line.
    body = [line.rstrip() for line in lines[count:-1]]
    ragged = sum(
        widest - len(line) - 1 >= len(lines[count + index + 1].split()[0])
        for index, line in enumerate(body)
        if lines[count + index + 1].split()
    )
    return ragged <= max(1, len(body) // 3)


def _starts_sentence(line: str) -> bool:
    text = line.strip().lstrip("\"'“‘([{$\\*_")
    return bool(text) and (text[0].isupper() or text[0].isdigit() or ord(text[0]) > 0x2E7F)
