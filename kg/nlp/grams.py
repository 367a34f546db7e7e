"""Words, pairs and triples of words of the sentences of a text, as hashes in arrays."""

from collections.abc import Sequence
from itertools import accumulate, chain
from typing import Final

import numpy as np

from kg.nlp.hashing import Ints, Prefixes, Strings, strings

EDGE: Final = 4  # signs that stand for the words before the first and behind the last
_BEFORE: Final = ("^",) * EDGE
_AFTER: Final = ("$",) * EDGE
_SPACE: Final = Prefixes([" "])


class Grams:
    """Every sentence with EDGE signs "^" before it and "$" behind it, one after the other.

    Attributes:
        starts: place of the first sign of each sentence.
        counts: signs of each sentence.
        ones: the sign at each place.
        twos: the sign at each place and the next, a space between; likewise threes.
        begins: the first two signs of each sentence.
    """

    def __init__(self, signs: Sequence[Sequence[str]]) -> None:
        """Take the signs of each sentence."""
        self.counts: Ints = np.array([len(own) for own in signs], np.intp)
        self.starts: Ints = np.cumsum(self.counts + 2 * EDGE) - self.counts - EDGE
        whole = chain.from_iterable((*_BEFORE, *own, *_AFTER) for own in signs)
        self.ones = strings(whole)
        self.twos, self.threes = several(self.ones)
        self.begins = strings(" ".join(own[:2]) for own in signs)


def several(words: Strings) -> tuple[Strings, Strings]:
    """Return pairs of neighbours and triples of n words, n of each; the last are not whole.

    >>> twos, threes = several(strings(["a", "b", "c"]))
    >>> twos.hashes[0] == strings(["a b"]).hashes[0], threes.sizes.tolist()
    (True, [5, 3, 1])
    """
    spaced = _SPACE.whole(0, words)
    twos = _behind(words, spaced, 1)
    return twos, _behind(twos, spaced, 2)


def _behind(words: Strings, spaced: Strings, steps: int) -> Strings:
    """Return words with those some steps on behind them, where there are any."""
    many = max(0, len(words.sizes) - steps)
    whole = Strings(words.hashes[:many], words.sizes[:many]) + Strings(
        spaced.hashes[steps:], spaced.sizes[steps:]
    )
    return Strings(
        np.concatenate((whole.hashes, words.hashes[many:])),
        np.concatenate((whole.sizes, words.sizes[many:])),
    )


class Signs(tuple[tuple[str, ...], ...]):
    """Of each sentence of a text its signs."""

    kept: tuple[Grams, int] | None = None  # hashes of several texts, and where this one begins


def keep_together(texts: Sequence[Signs]) -> None:
    """Make the hashes of several texts, and keep them for all who ask for them."""
    grams, firsts = together(texts)
    for signs, first in zip(texts, firsts, strict=True):
        signs.kept = (grams, first)


def together(texts: Sequence[Signs]) -> tuple[Grams, list[int]]:
    """Return the sentences of several texts as one, and the number of the first of each text."""
    kept = [signs.kept for signs in texts if signs.kept is not None]
    if len(kept) == len(texts) and len({id(grams) for grams, _ in kept}) == 1:
        return kept[0][0], [first for _, first in kept]
    firsts = [0, *accumulate(map(len, texts))]
    return Grams([own for signs in texts for own in signs]), firsts[:-1]
