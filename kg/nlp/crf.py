"""A linear-chain CRF that CRFsuite trained, evaluated with arrays.

The features of a word depend mostly on the word alone, so their weights are summed once per word
and added up at the places from which it is seen; CRFsuite itself looks every feature up again.

Source: Rabiner 1989, A Tutorial on Hidden Markov Models, Proc. IEEE, for the two passes; Okazaki
2007, CRFsuite, for the file.
"""

import struct
from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

Doubles = npt.NDArray[np.float64]
# Of each word the features that others see of it, by step; its own at the middle.
Parts = tuple[Sequence[str], ...]

_HEADER: Final = struct.Struct("<4sI4s9I")
_TABLES: Final = 256  # of a CQDB, each a hash table, of which only the way back is read here
_STATE: Final = 0  # a feature of a word, not of two labels in a row
_MOST_CACHED: Final = 20_000  # words


class Crf:
    """Weights of features and of labels that follow each other."""

    def __init__(self, model: bytes) -> None:
        """Read the bytes of a CRFsuite model; ValueError if they are none."""
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
        # By identity, which is quick; what is held here keeps its own.
        self._known: dict[int, tuple[int, Parts]] = {}
        self._sums: Doubles = np.zeros((0, 0, 0))

    def marginals(self, parts: Sequence[Parts], extras: Sequence[Sequence[str]]) -> Doubles:
        """Return (n, k): the probability of each label at each word.

        Args:
            parts: of each word what is seen of it from -m, ..., 0, ..., +m words away; equal
                words share one object.
            extras: of each word the features that depend on more than a word.
        """
        if not parts:
            return np.zeros((0, len(self.labels)))
        return marginals(self._states(parts, extras), self._follows)

    def _states(self, parts: Sequence[Parts], extras: Sequence[Sequence[str]]) -> Doubles:
        """Return (n, k): the sum of the weights of each word's features."""
        seen = self._sums_of(parts)
        middle = seen.shape[1] // 2
        states: Doubles = seen[:, middle].copy()
        for step in range(1, middle + 1):
            states[step:] += seen[:-step, middle - step]
            states[:-step] += seen[step:, middle + step]
        row = self._row.get
        pairs = [(i, at) for i, own in enumerate(extras) for name in own
                 if (at := row(name)) is not None]  # fmt: skip
        if pairs:
            words, rows = np.array(pairs).T
            np.add.at(states, words, self._weights[rows])
        return states

    def _sums_of(self, parts: Sequence[Parts]) -> Doubles:
        """Return (n, 2m + 1, k): the sum of each part's weights."""
        if len(self._known) > _MOST_CACHED:
            self._known.clear()
        rows = []
        new: list[Parts] = []
        for one in parts:
            found = self._known.get(id(one))
            if found is None:
                found = self._known[id(one)] = (len(self._known), one)
                new.append(one)
            rows.append(found[0])
        if new:
            self._add(new)
        sums: Doubles = self._sums[rows]
        return sums

    def _add(self, new: Sequence[Parts]) -> None:
        width = len(new[0])
        pairs = [
            (place, at)
            for place, names in enumerate(part for one in new for part in one)
            for name in names
            if (at := self._row.get(name)) is not None
        ]
        flat = np.zeros((len(new) * width, len(self.labels)))
        if pairs:
            places, rows = np.array(pairs).T
            np.add.at(flat, places, self._weights[rows])
        sums = flat.reshape(len(new), width, -1)
        before = len(self._known) - len(new)
        self._sums = np.concatenate((self._sums[:before], sums)) if before else sums


def marginals(states: Doubles, follows: Doubles) -> Doubles:
    """Return (n, k): the probability of each label at each of n places.

    The sequence is cut into about sqrt(n) stretches whose products of matrices are made side by
    side, so that n places take about sqrt(n) steps.

    Args:
        states: (n, k), weights of labels at places.
        follows: (k, k), weights of label j right behind label i.

    >>> marginals(np.log([[1.0, 3.0]]), np.zeros((2, 2))).tolist()
    [[0.25, 0.75]]
    """
    width = states.shape[1]
    factors = np.exp(states - states.max(1, keepdims=True))
    steps = np.exp(follows) * factors[:, None, :]  # from label i there to label j here
    forward = _products(steps[1:], factors[0] / factors[0].sum())
    # The same from the end: from label j to label i of the place before.
    backward = _products(steps[:0:-1].transpose(0, 2, 1), np.full(width, 1.0 / width))[::-1]
    both: Doubles = forward * backward
    found: Doubles = both / both.sum(1, keepdims=True)
    return found


def _products(steps: Doubles, start: Doubles) -> Doubles:
    """Return start and each start @ steps[0] @ ... @ steps[i], every one scaled to a sum of one.

    Args:
        steps: (n, k, k), not negative.
        start: (k,).
    """
    count, width = len(steps), len(start)
    if not count:
        return start[None]
    length = int(np.ceil(np.sqrt(count)))
    stretches = -(-count // length)
    padded = np.tile(np.eye(width), (stretches * length, 1, 1))
    padded[:count] = steps
    blocks = padded.reshape(stretches, length, width, width)
    for i in range(1, length):
        joined = blocks[:, i - 1] @ blocks[:, i]
        blocks[:, i] = joined / joined.max((1, 2), keepdims=True)
    starts = np.empty((stretches, width))
    starts[0] = start
    for i in range(1, stretches):
        joined = starts[i - 1] @ blocks[i - 1, -1]
        starts[i] = joined / joined.sum()
    found = (starts[:, None, None, :] @ blocks).reshape(stretches * length, width)[:count]
    return np.concatenate((start[None], found / found.sum(1, keepdims=True)))


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
