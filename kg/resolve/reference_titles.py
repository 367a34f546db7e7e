"""Whether a reference may mean a paper, by title, authors, year and venue."""

from collections import Counter
from typing import Any, Final

from rapidfuzz import fuzz

from kg.resolve.paper_index import Known, family_key

_TITLE_SURE: Final = 95.0
_TITLE_LIKELY: Final = 86.0
_LONG_TITLE: Final = 5  # words of a title that needs neither author nor year beside it
_SHORT_TITLE: Final = 2  # words of a title that needs both

Row = dict[str, Any]
Verdict = tuple[float, str]


def judge_title(paper: Known, title: str, line: str, row: Row) -> Verdict | None:
    """How sure a paper is meant whose title is like the reference's; None when it is not."""
    words = paper.title.split()
    alike = fuzz.ratio(title, paper.title) if title else 0.0
    if line and alike < _TITLE_SURE and len(words) > _SHORT_TITLE:
        # Where the title ends in a printed line is a guess; that it stands there is not.
        inside = fuzz.partial_ratio(paper.title, line) if len(paper.title) <= len(line) else 0.0
        alike = max(alike, inside - 1.0)
    if alike < _TITLE_LIKELY:
        return None
    year = _years(paper.year, row["year"])
    author = _authors(paper, row, line)
    if year is False or author is False:
        return None
    if [w for w in words if w.isdigit()] != _digits_of(title, line, words):
        return None
    if len(words) <= _SHORT_TITLE and not (author and year and title == paper.title):
        return None
    if alike >= _TITLE_SURE and (author or year or len(words) >= _LONG_TITLE):
        agreeing = [n for n, a in (("first author", author), ("year", year)) if a]
        return 0.9 + 0.04 * len(agreeing), " and ".join(["title", *agreeing])
    if author and year:
        return 0.85, f"first author and year, the title {alike:.0f}% alike"
    return None


def _digits_of(title: str, line: str, words: list[str]) -> list[str]:
    """The numbers of the reference's title; of a printed line only those that the paper has."""
    if title and not line:
        return [w for w in title.split() if w.isdigit()]
    held = Counter(line.split())
    return [w for w in words if w.isdigit() and held[w]]


def _years(known: int | None, said: int | None) -> bool | None:
    # A preprint is cited by the year of its journal, and the other way round.
    return None if known is None or said is None else abs(known - said) <= 1


def _authors(paper: Known, row: Row, line: str) -> bool | None:
    if not paper.families:
        return None
    if row["authors"]:
        first = family_key(row["authors"][0])
        if first in paper.names or paper.families[0] in {family_key(a) for a in row["authors"]}:
            return True
        # Names may be misread in a printed line, but then they stand in it.
        return bool(line) and paper.families[0] in line.split()
    return paper.families[0] in line.split() if line else None


def abbreviates(short: str, long: str) -> bool:
    """Whether a folded venue may be the abbreviation of another, whichever is the longer.

    >>> abbreviates("j mach learn res", "journal of machine learning research")
    True
    """
    one, two = sorted((short.split(), long.split()), key=len)
    if not one:
        return False
    rest = iter(two)
    return all(any(_shortens(part, word) or _shortens(word, part) for word in rest) for part in one)


def _shortens(part: str, word: str) -> bool:
    """Whether a word is cut or contracted to a part: journal to j, national to natl."""
    letters = iter(word)
    return part[:1] == word[:1] and all(letter in letters for letter in part)
