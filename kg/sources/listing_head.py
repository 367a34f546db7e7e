"""Where a title and its authors end and the abstract begins, in lines that no blank line parts."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from kg.sources.listing_lines import (
    BOLD_LINE,
    MARKDOWN_HEAD,
    SCHOLAR,
    TLDR,
    capitals,
    ends_sentence,
    is_names,
    is_one_name,
    is_page_talk,
    is_prose,
    label,
    may_be_title,
    starts_abstract,
    words,
)

WIDEST_WRAP = 130  # columns; longer lines were not wrapped


@dataclass(frozen=True, slots=True)
class Head:
    """The first `size` lines of a block stand over the abstract; of these, `title` are its title."""

    title: int = 0
    size: int = 0
    marked: bool = False  # by # or **, so that nothing had to be guessed


def find_head(lines: Sequence[str], *, expected: bool = False) -> Head:
    """Return how many lines of a block are a title and what stands under it, none if in doubt.

    A line that a wrapper broke is full: the next word had no room. A title's last line is not, ends
    without a stop, and sentences follow it. An abstract's first sentence fails one of these.
    Where a title is `expected`, since most blocks have one, capitals may stand in for the room.
    """
    return _find_head(tuple(lines), expected)


@lru_cache(maxsize=1 << 12)
def _find_head(lines: tuple[str, ...], expected: bool) -> Head:
    if len(lines) < 2:
        return Head()
    if MARKDOWN_HEAD.fullmatch(lines[0]) or _bold(lines[0]):
        size = _under_title(lines, 1)
        return Head(1, size, marked=True) if size < len(lines) else Head(1, 1, marked=True)
    most = min(4, len(lines))
    counts = [count for count in range(1, most) if _broken_on_purpose(lines, count)]
    named = next(
        (n for n in range(1, most) if _signed(lines[n]) and may_be_title(" ".join(lines[:n]))), 0
    )
    if named and named < len(lines) - 1:
        counts = [named]  # a line of names under it tells a title, however full its last line is
    if expected and not counts:
        counts = [count for count in range(1, most) if _in_capitals(lines, count)][:1]
    if not counts:
        return Head()
    count = counts[0]
    while count + 1 in counts and not _stands_under(lines, count):
        count += 1  # a title in a narrower column than its abstract
    return _head(lines, count)


def _signed(line: str) -> bool:
    return is_names(line) or SCHOLAR.fullmatch(line) is not None


def _stands_under(lines: Sequence[str], index: int) -> bool:
    """Whether a line is no part of the title above it, but says who and where."""
    line = lines[index]
    return (
        label(line) is not None
        or _signed(line)
        or is_one_name(line)
        or ends_sentence(line)
        or _looks_like_venue(line, lines[index + 1])
    )


def _head(lines: Sequence[str], count: int) -> Head:
    """The head with a title of so many lines, none where it or what follows does not fit."""
    title = " ".join(line.strip() for line in lines[:count])
    size = _under_title(lines, count)
    body = list(lines[size:])
    while len(body) > 1 and is_page_talk(body[-1]):
        body.pop()
    fits = (
        bool(body)
        and may_be_title(title)
        and words(title) >= 2
        and is_prose(" ".join(body))
        and _starts_sentence(body[0])
        and words(" ".join(body)) >= words(title)
    )
    return Head(count, size) if fits else Head()


def _bold(line: str) -> bool:
    return BOLD_LINE.fullmatch(line) is not None


def _under_title(lines: Sequence[str], count: int) -> int:
    """The index of the first line of the abstract, past authors and labelled lines."""
    tldr = next(
        (i for i in range(count, min(count + 12, len(lines) - 1)) if TLDR.fullmatch(lines[i])), 0
    )
    if tldr:
        return tldr + 1
    while count < len(lines) - 1:
        line = lines[count]
        found = label(line)
        if size := _names(lines, count):
            count += size
        elif (
            (found is not None and found.field != "abstract")
            or SCHOLAR.fullmatch(line)
            or _looks_like_venue(line, lines[count + 1])
        ):
            count += 1
        else:
            break
    return count


def _names(lines: Sequence[str], start: int) -> int:
    """How many lines from `start` on are one list of names."""
    if not (
        is_names(lines[start]) or (is_one_name(lines[start]) and _starts_sentence(lines[start + 1]))
    ):
        return 0
    for stop in range(min(len(lines) - 1, start + 30), start, -1):
        if is_names(" ".join(lines[start:stop])):
            return stop - start
    return 1


def _in_capitals(lines: Sequence[str], count: int) -> bool:
    """Whether lines are capitalised as titles are, or the abstract opens as abstracts do."""
    title = " ".join(lines[:count])
    return starts_abstract(lines[count]) or (
        capitals(title) >= 0.6 and capitals(lines[count]) <= 0.5
    )


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
    column = max(len(line.rstrip()) for line in lines[count:])
    last = lines[count - 1].rstrip()
    following = lines[count].split()
    if not following:
        return False
    if count == 1 and column + 2 < len(last) <= 2 * WIDEST_WRAP and _full(lines[1:], column):
        return True  # the abstract was wrapped, and the title above it was not
    if widest > WIDEST_WRAP:
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
    if ragged <= max(1, len(body) // 3):
        return True
    return not ends_sentence(last) and all(map(ends_sentence, lines[count:]))


def _full(lines: Sequence[str], column: int) -> bool:
    """Whether some lines were broken by a wrapper: in almost none but the last was there room."""
    room = [
        column - len(line.rstrip()) - 1 >= len((following.split() or [""])[0])
        for line, following in pairwise(lines)
    ]
    return len(room) >= 2 and sum(room) <= max(1, len(room) // 4)


def _starts_sentence(line: str) -> bool:
    text = line.strip().lstrip("\"'“‘[{$\\*_")
    return bool(text) and (
        text[0].isupper() or text[0].isdigit() or text[0] == "…" or ord(text[0]) > 0x2E7F
    )
