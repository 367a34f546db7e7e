"""Slips of the keys: a letter too few or too many, or two changed over, in a long common word.

A letter for another is no slip that shows: modality and morality are two words.
"""

from collections.abc import Iterable
from functools import lru_cache

from kg.resolve.normalise import fold_word

_SHORTEST = 6
_KEPT = 2  # letters at the beginning, and at the end, where words are inflected


class Slips:
    """Tells which word was meant, by a list of common words."""

    def __init__(self, words: Iterable[str]) -> None:
        self._words = {*words}
        self._words |= {fold_word(word) for word in self._words}
        self._shortened: dict[str, str] = {}
        for word in sorted(self._words):
            if len(word) > _SHORTEST:
                for less in _shortened(word):
                    # Two words that lose a letter to one thing tell nothing.
                    self._shortened[less] = "" if less in self._shortened else word

    def meant(self, word: str) -> str:
        """Return the word that was meant, in a key's spelling; empty where it is no slip."""
        if len(word) < _SHORTEST or word in self._words or not word.isalpha():
            return ""
        found = {self._shortened.get(word, "")}
        found.update(less for less in _shortened(word) if less in self._words)
        found.update(other for other in _changed_over(word) if other in self._words)
        found = {fold_word(each) for each in found if each}
        return found.pop() if len(found) == 1 else ""


@lru_cache(maxsize=4)
def slips_of(words: frozenset[str]) -> Slips:
    """Return the slips of a list of words, made once."""
    return Slips(words)


def _shortened(word: str) -> set[str]:
    return {word[:i] + word[i + 1 :] for i in range(_KEPT, len(word) - _KEPT)}


def _changed_over(word: str) -> list[str]:
    return [
        word[:i] + word[i + 1] + word[i] + word[i + 2 :]
        for i in range(_KEPT, len(word) - _KEPT - 1)
    ]
