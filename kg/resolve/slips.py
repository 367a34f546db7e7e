"""Slips of the keys: a letter too few or too many, or two changed over, in a long common word.

A letter for another is no slip that shows: modality and morality are two words.
"""

from collections.abc import Iterable
from functools import lru_cache

from kg.resolve.normalise import fold_word

_SHORTEST = 6
_BEGINNING, _END = 2, 1  # letters that no slip is looked for in


class Slips:
    """Tells which word was meant, by a list of common words."""

    def __init__(self, words: Iterable[str]) -> None:
        self._words = {*words}
        self._words |= {fold_word(word) for word in self._words}
        self._shortened: dict[str, tuple[str, ...]] = {}
        for word in sorted(self._words):
            if len(word) > _SHORTEST:
                for less in _shortened(word):
                    self._shortened[less] = (*self._shortened.get(less, ()), word)

    def meant(self, word: str) -> tuple[str, ...]:
        """Return the words that may be meant, as keys spell them; none where it is no slip."""
        if len(word) < _SHORTEST or word in self._words or not word.isalpha():
            return ()
        found = {*self._shortened.get(word, ())}
        found.update(less for less in _shortened(word) if less in self._words)
        found.update(other for other in _changed_over(word) if other in self._words)
        return tuple(sorted({fold_word(each) for each in found}))


@lru_cache(maxsize=4)
def slips_of(words: frozenset[str]) -> Slips:
    """Return the slips of a list of words, made once."""
    return Slips(words)


def _shortened(word: str) -> set[str]:
    return {word[:i] + word[i + 1 :] for i in range(_BEGINNING, len(word) - _END)}


def _changed_over(word: str) -> list[str]:
    return [
        word[:i] + word[i + 1] + word[i] + word[i + 2 :]
        for i in range(_BEGINNING, len(word) - _END - 1)
    ]
