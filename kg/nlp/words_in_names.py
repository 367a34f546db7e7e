"""How often a word begins, ends, stands inside and stands beside the names of the annotation."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import numpy as np

from kg.nlp.word_rows import Doubles, WordRows

# Counts per word: at all, first in a name, last in one, only word of one, inside one, right
# before one, right after one.
ALL, FIRST, LAST, ALONE, INSIDE, BEFORE, AFTER = range(7)
WIDTH: Final = 7
Counts = tuple[int, ...]
NOTHING: Final[Counts] = (0,) * WIDTH


def count_words(
    forms: list[str], spans: Iterable[tuple[int, int]], total: dict[str, list[int]]
) -> None:
    """Add one text to the counts.

    Args:
        forms: the lower-case words of the text.
        spans: the word ranges of its names.
        total: the counts so far, changed in place.

    >>> total: dict[str, list[int]] = {}
    >>> count_words(["the", "penn", "treebank"], [(1, 3)], total)
    >>> total["treebank"], total["the"]
    ([1, 0, 1, 0, 0, 0, 0], [1, 0, 0, 0, 0, 1, 0])
    """
    for form in forms:
        total.setdefault(form, [0] * WIDTH)[ALL] += 1
    for first, last in spans:
        if last - first == 1:
            total[forms[first]][ALONE] += 1
        else:
            total[forms[first]][FIRST] += 1
            total[forms[last - 1]][LAST] += 1
            for form in forms[first + 1 : last - 1]:
                total[form][INSIDE] += 1
        if first:
            total[forms[first - 1]][BEFORE] += 1
        if last < len(forms):
            total[forms[last]][AFTER] += 1


class WordTable:
    """Smoothed shares from the counts, as features of the ends of a span."""

    def __init__(self, counts: Mapping[str, Counts], own: Mapping[str, Counts] | None = None):
        self._counts = counts
        self._own = own or {}
        self.rows = WordRows(self._rows)

    def less(self, own: Mapping[str, Counts]) -> "WordTable":
        """Return the table without one text's own counts."""
        return WordTable(self._counts, own)

    def shares(self, word: str) -> tuple[float, ...]:
        """Return the share of occurrences in each place, and how many there were at most 99."""
        counts = self._counts.get(word, NOTHING)
        own = self._own.get(word)
        if own is not None:
            counts = tuple(max(0, a - b) for a, b in zip(counts, own, strict=True))
        whole = counts[ALL]
        # Two occurrences of nothing: a word seen once says little.
        return (*(count / (whole + 2.0) for count in counts[1:]), float(min(whole, 99)))

    def _rows(self, words: Sequence[str]) -> Doubles:
        return np.array([self.shares(word) for word in words])
