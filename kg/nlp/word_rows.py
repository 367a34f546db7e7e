"""Numbers that depend on a word alone: made once per word, then looked up for all words of a text."""

from collections.abc import Callable, Sequence
from itertools import repeat
from threading import Lock
from typing import Final

import numpy as np
import numpy.typing as npt

Doubles = npt.NDArray[np.float64]

_MOST_CACHED: Final = 20_000  # words
_FIRST: Final = 256  # rows that there is room for at first


class _Table:
    """Rows by word. A word is known once its row is there, so that threads may read meanwhile."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        self.at: dict[str, int] = {}
        self.rows: Doubles = np.empty((_FIRST, *shape))

    def add(self, words: Sequence[str], made: Doubles) -> None:
        count = len(self.at)
        while count + len(words) > len(self.rows):
            self.rows = np.concatenate((self.rows, np.empty_like(self.rows)))
        self.rows[count : count + len(words)] = made
        self.at.update(zip(words, range(count, count + len(words)), strict=True))


class WordRows:
    """Rows of numbers of words; forgotten, and made again, when there are too many."""

    def __init__(self, make: Callable[[Sequence[str]], Doubles], most: int = _MOST_CACHED) -> None:
        """Take what makes the rows, shape (n, ...), of n words."""
        self._make = make
        self._most = most
        self._lock = Lock()
        self._table: _Table | None = None

    def __call__(self, words: Sequence[str]) -> Doubles:
        """Return the row of each word; at least one word."""
        table = self._table
        if table is not None:
            at = list(map(table.at.get, words, repeat(-1)))
            if -1 not in at:
                found: Doubles = table.rows[at]
                return found
        with self._lock:
            table = self._with(words)
        learnt: Doubles = table.rows[[table.at[word] for word in words]]
        return learnt

    def _with(self, words: Sequence[str]) -> _Table:
        """Return a table that knows the words."""
        table = self._table
        known = {} if table is None else table.at
        new = [word for word in dict.fromkeys(words) if word not in known]
        if table is None or len(known) + len(new) > self._most:
            new = list(dict.fromkeys(words))
            made = self._make(new)
            table = _Table(made.shape[1:])
            table.add(new, made)
            self._table = table
        elif new:
            table.add(new, self._make(new))
        return table
