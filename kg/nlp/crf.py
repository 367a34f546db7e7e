"""A linear-chain CRF that CRFsuite trained, evaluated with arrays.

The features of a word depend mostly on the word alone, so their weights are summed once per word
and added up at the places from which it is seen; CRFsuite itself looks every feature up again.

Source: Rabiner 1989, A Tutorial on Hidden Markov Models, Proc. IEEE, for the two passes; Okazaki
2007, CRFsuite, for the file.
"""

import struct
from collections.abc import Callable, Sequence
from itertools import chain, repeat
from typing import Final

import numpy as np

from kg.nlp.word_rows import Doubles, WordRows

# Of each word the features that others see of it, by step; its own at the middle.
Parts = tuple[Sequence[str], ...]

_HEADER: Final = struct.Struct("<4sI4s9I")
_TABLES: Final = 256  # of a CQDB, each a hash table, of which only the way back is read here
_STATE: Final = 0  # a feature of a word, not of two labels in a row
_MOST_CACHED: Final = 20_000  # words


class Crf:
    """Weights of features and of labels that follow each other."""

    def __init__(self, model: bytes, parts: Callable[[str], Parts]) -> None:
        """Read the bytes of a CRFsuite model; ValueError if they are none.

        Args:
            model: the bytes.
            parts: of a word what is seen of it from -m, ..., 0, ..., +m words away.
        """
        try:
            magic, size, kind, *numbers = _HEADER.unpack_from(model)
            if magic != b"lCRF" or kind != b"FOMC" or size != len(model):
                raise ValueError("no whole CRFsuite model")
            at_features, at_labels, at_attributes = numbers[4:7]
            self.labels = tuple(_strings(model, at_labels))
            names = _strings(model, at_attributes)
            weights, self._follows = _weights(model, at_features, len(names), len(self.labels))
        except (struct.error, IndexError, UnicodeDecodeError) as error:
            raise ValueError(f"the CRFsuite model is not whole: {error}") from error
        self._weights = weights
        self._row = {name: row for row, name in enumerate(names)}
        self._parts = parts
        self._seen = WordRows(self._sums, _MOST_CACHED)

    def marginals(self, words: Sequence[str], extras: Sequence[Sequence[str]]) -> Doubles:
        """Return (n, k): the probability of each label at each word.

        Args:
            words: of the text.
            extras: of each word the features that depend on more than a word.
        """
        if not words:
            return np.zeros((0, len(self.labels)))
        return marginals(self._states(words, extras), self._follows)

    def _states(self, words: Sequence[str], extras: Sequence[Sequence[str]]) -> Doubles:
        """Return (n, k): the sum of the weights of each word's features."""
        seen = self._seen(words)
        middle = seen.shape[1] // 2
        states: Doubles = seen[:, middle].copy()
        for step in range(1, middle + 1):
            states[step:] += seen[:-step, middle - step]
            states[:-step] += seen[step:, middle + step]
        return self._added(extras, states)

    def _sums(self, words: Sequence[str]) -> Doubles:
        """Return (n, 2m + 1, k): the sum of the weights of each part of a word."""
        parts = [self._parts(word) for word in words]
        names = [own for one in parts for own in one]
        found = self._added(names, np.zeros((len(names), len(self.labels))))
        return found.reshape(len(words), -1, len(self.labels))

    def _added(self, names: Sequence[Sequence[str]], sums: Doubles) -> Doubles:
        """Return the sums with the weights of the features of each row, from left to right."""
        counts = np.array(list(map(len, names)))
        rows = np.fromiter(map(self._row.get, chain.from_iterable(names), repeat(-1)), np.intp)
        known = rows >= 0
        owner = np.repeat(np.arange(len(names)), counts)[known]
        # Each row of sums stands before the weights that are added to it.
        places = np.arange(len(owner)) + owner + 1
        starts = np.arange(len(names)) + np.searchsorted(owner, np.arange(len(names)))
        terms = np.empty((len(names) + len(owner), sums.shape[1]))
        terms[starts] = sums
        terms[places] = self._weights[rows[known]]
        added: Doubles = np.add.reduceat(terms, starts, axis=0)
        return added


def marginals(states: Doubles, follows: Doubles) -> Doubles:
    """Return (n, k): the probability of each label at each of n places.

    The sequence is cut into about sqrt(n) stretches whose products of matrices are made side by
    side, so that n places take about sqrt(n) steps; both ways at the same time.

    Args:
        states: (n, k), weights of labels at places.
        follows: (k, k), weights of label j right behind label i.

    >>> marginals(np.log([[1.0, 3.0]]), np.zeros((2, 2))).tolist()
    [[0.25, 0.75]]
    """
    count, width = states.shape
    factors = np.exp(states - states.max(1, keepdims=True))
    # From label i there to label j here, and from the end: to label i of the place before.
    steps = np.empty((2, count - 1, width, width))
    np.multiply(np.exp(follows), factors[1:, None, :], out=steps[0])
    steps[1] = steps[0, ::-1].transpose(0, 2, 1)
    ends = np.stack((factors[0] / factors[0].sum(), np.full(width, 1.0 / width)))
    forward, backward = _products(steps, ends)
    both: Doubles = forward * backward[::-1]
    found: Doubles = both / both.sum(1, keepdims=True)
    return found


def _products(steps: Doubles, start: Doubles) -> Doubles:
    """Return start and each start @ steps[0] @ ... @ steps[i], every one scaled to a sum of one.

    Args:
        steps: (m, n, k, k), not negative; m sequences.
        start: (m, k).

    Returns:
        Shape (m, n + 1, k).
    """
    many, count, width, _ = steps.shape
    if not count:
        return start[:, None]
    length = int(np.ceil(np.sqrt(count)))
    stretches = -(-count // length)
    blocks = np.zeros((many, stretches * length, width, width))
    blocks[:, :count] = steps
    blocks[:, count:] = np.eye(width)
    blocks = blocks.reshape(many, stretches, length, width, width)
    for i in range(1, length):
        joined = blocks[:, :, i - 1] @ blocks[:, :, i]
        most = joined.reshape(many, stretches, -1).max(2)
        np.divide(joined, most[:, :, None, None], out=blocks[:, :, i])
    starts = np.empty((many, stretches, width))
    starts[:, 0] = start
    for i in range(1, stretches):
        reached = (starts[:, i - 1, None] @ blocks[:, i - 1, -1])[:, 0]
        starts[:, i] = reached / reached.sum(1, keepdims=True)
    found = (starts[:, :, None, None] @ blocks).reshape(many, -1, width)[:, :count]
    return np.concatenate((start[:, None], found / found.sum(2, keepdims=True)), axis=1)


def _strings(model: bytes, start: int) -> list[str]:
    """Return the strings of a constant quark database by their number."""
    if model[start : start + 4] != b"CQDB":
        raise ValueError("no CQDB where one should be")
    count, at = struct.unpack_from("<II", model, start + 16)
    found = []
    for offset in np.frombuffer(model, "<u4", count, start + at).tolist():
        size = int.from_bytes(model[start + offset + 4 : start + offset + 8], "little")
        first = start + offset + 8
        found.append(model[first : first + size - 1].decode())
    return found


def _weights(model: bytes, start: int, names: int, labels: int) -> tuple[Doubles, Doubles]:
    """Return (names, labels) of words' features and (labels, labels) of those of two labels."""
    feature = np.dtype([("type", "<u4"), ("source", "<u4"), ("target", "<u4"), ("weight", "<f8")])
    if model[start : start + 4] != b"FEAT":
        raise ValueError("no features where they should be")
    (count,) = struct.unpack_from("<I", model, start + 8)
    found = np.frombuffer(model, feature, count, start + 12)
    of_words = found[found["type"] == _STATE]
    of_labels = found[found["type"] != _STATE]
    weights, follows = np.zeros((names, labels)), np.zeros((labels, labels))
    weights[of_words["source"], of_words["target"]] = of_words["weight"]
    follows[of_labels["source"], of_labels["target"]] = of_labels["weight"]
    return weights, follows
