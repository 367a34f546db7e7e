"""Linear models over sparse features that are words: small files, numpy alone, no training here.

A feature is a string; the model knows those it was trained with by a 32-bit hash of it, and gives
nothing for the others. Features come in groups, each scaled by the root of its size, so that a
long sentence weighs no more than a short one.
"""

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

import numpy as np
import numpy.typing as npt

from kg.nlp.hashing import Hashes, Ints, hashed
from kg.nlp.scores import Floats

_MOST_BITS = 20  # of the table that says where a hash is looked for

# Groups of features of one row, each with its weight; no feature twice in a group.
Groups = Sequence[tuple[float, Collection[str]]]


@dataclass(frozen=True, slots=True, eq=False)
class Packed:
    """Sparse rows: of row i the entries [starts[i], starts[i + 1])."""

    hashes: Hashes
    values: Floats
    starts: npt.NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.starts) - 1


class Rows:
    """Rows of features that are collected by group, in any order; a feature counts once a group."""

    def __init__(self, count: int, weights: Sequence[float]) -> None:
        """Take the number of rows, and the weight of each group."""
        self._count = count
        self._weights = np.array(weights)
        self._groups: list[Ints] = []  # row * number of groups + group, of each feature
        self._hashes: list[Hashes] = []
        self._named: list[int] = []
        self._sizes: list[int] = []
        self._owners: list[int] = []

    def add(self, group: int, rows: Ints, hashes: Hashes) -> None:
        """Add features to a group of rows: to each row those that stand beside it.

        Args:
            group: index of its weight.
            rows: shape (n,).
            hashes: shape (n,) or (n, several).
        """
        owners = rows * len(self._weights) + group
        self._groups.append(owners if hashes.ndim == 1 else np.repeat(owners, hashes.shape[1]))
        self._hashes.append(hashes.ravel())

    def name(self, group: int, row: int, hashes: Sequence[int]) -> None:
        """Add features to a group of one row."""
        self._owners.append(row * len(self._weights) + group)
        self._sizes.append(len(hashes))
        self._named += hashes

    def packed(self) -> Packed:
        """Return the rows."""
        groups = np.concatenate((*self._groups, np.repeat(_ints(self._owners), self._sizes)))
        hashes = np.concatenate((*self._hashes, np.array(self._named, np.uint32)))
        # Groups in one order, since sums of floats depend on theirs.
        keys = groups.astype(np.uint64) << np.uint64(32) | hashes
        keys.sort()
        keys = keys[np.append(True, keys[1:] != keys[:-1])[: len(keys)]]
        groups = (keys >> np.uint64(32)).astype(np.int64)
        counts = np.bincount(groups, minlength=self._count * len(self._weights))
        shares = np.tile(self._weights, self._count) / np.sqrt(np.maximum(counts, 1))
        each = counts.reshape(self._count, len(self._weights)).sum(1)
        return Packed(
            keys.astype(np.uint32),
            np.repeat(shares.astype(np.float32), counts),
            np.concatenate(([0], np.cumsum(each))),
        )


def pack(rows: Iterable[Groups]) -> Packed:
    """Return rows of named features as hashes and values."""
    whole = list(rows)
    weights = [weight for weight, _ in max(whole, key=len, default=())]
    found = Rows(len(whole), weights)
    for row, groups in enumerate(whole):
        for group, (weight, names) in enumerate(groups):
            if weight != weights[group]:
                raise ValueError("a group has one weight in all rows")
            found.name(group, row, hashed(names))
    return found.packed()


def stack(parts: Iterable[Packed]) -> Packed:
    """Return the rows of all, one after the other."""
    whole = list(parts)
    sizes = [np.diff(part.starts) for part in whole]
    return Packed(
        np.concatenate([np.zeros(0, np.uint32), *(part.hashes for part in whole)]),
        np.concatenate([np.zeros(0, np.float32), *(part.values for part in whole)]),
        np.cumsum(np.concatenate([np.zeros(1, np.int64), *sizes])),
    )


def _ints(numbers: Sequence[int]) -> Ints:
    return np.array(numbers, np.intp)


class Linear:
    """Scores of k classes per row: a bias and a sum over the features that are known."""

    FILES = ("features.npy", "weights.npy", "linear.json")

    def __init__(
        self,
        known: npt.NDArray[np.uint32],
        weights: npt.NDArray[np.float16],
        bias: Floats,
        classes: tuple[str, ...],
    ) -> None:
        """Take the sorted hashes of m known features, their (m, k) weights and k classes."""
        self.known = known
        self.weights = weights
        self.bias = bias
        self.classes = classes
        self._table = weights.astype(np.float32)
        # Hashes are spread evenly: their first bits say where they stand, but for a few steps.
        self._shift = np.uint32(32 - min(_MOST_BITS, max(1, len(known).bit_length() + 2)))
        firsts = np.arange(1 << (32 - int(self._shift)), dtype=np.uint64) << np.uint64(self._shift)
        self._first = np.searchsorted(known, firsts.astype(np.uint32)).astype(np.int32)
        self._sorted = np.append(known, np.uint32(0xFFFFFFFF))

    def __call__(self, rows: Packed) -> Floats:
        """Return (n, k): the scores before any squashing."""
        if not len(rows) or not len(self.known):
            return np.tile(self.bias, (len(rows), 1))
        at = self._places(rows.hashes)
        known = (self._sorted[at] == rows.hashes) & (at < len(self.known))
        terms = self._table[at[known]] * rows.values[known, None]
        starts = np.concatenate(([0], np.cumsum(known)))[rows.starts]
        sums = np.zeros((len(rows), len(self.bias)), np.float32)
        full = np.flatnonzero(np.diff(starts))
        if len(full):
            sums[full] = np.add.reduceat(terms, starts[full], axis=0)
        return sums + self.bias

    def _places(self, hashes: npt.NDArray[np.uint32]) -> npt.NDArray[np.int32]:
        """Return what np.searchsorted would: where each hash stands among those that are known."""
        at: npt.NDArray[np.int32] = self._first[hashes >> self._shift]
        behind = np.flatnonzero(self._sorted[at] < hashes)
        while len(behind):
            at[behind] += 1
            behind = behind[self._sorted[at[behind]] < hashes[behind]]
        return at

    @classmethod
    def load(cls, folder: Path, prefix: str = "") -> "Linear":
        """Read what ``save`` wrote."""
        features, weights, settings = (folder / f"{prefix}{name}" for name in cls.FILES)
        kept = json.loads(settings.read_text("utf-8"))
        return cls(
            np.load(features),
            np.load(weights),
            np.array(kept["bias"], np.float32),
            tuple(kept["classes"]),
        )

    def save(self, folder: Path, prefix: str = "") -> None:
        """Write three files; the same model gives the same bytes."""
        features, weights, settings = (folder / f"{prefix}{name}" for name in self.FILES)
        np.save(features, self.known)
        np.save(weights, self.weights)
        kept = {"bias": [float(b) for b in self.bias], "classes": list(self.classes)}
        settings.write_text(json.dumps(kept) + "\n", "utf-8")


def parted(rows: Floats, sizes: Sequence[int]) -> list[Floats]:
    """Return rows of several texts as those of each."""
    ends = [*accumulate(sizes)]
    return [rows[end - size : end] for size, end in zip(sizes, ends, strict=True)]


def softmax(scores: Floats) -> Floats:
    """Return probabilities of each row."""
    shifted = np.exp(scores - scores.max(-1, keepdims=True, initial=-np.inf))
    found: Floats = shifted / shifted.sum(-1, keepdims=True)
    return found


def sigmoid(scores: Floats) -> Floats:
    """Return probabilities of single scores."""
    found: Floats = 0.5 * (1 + np.tanh(0.5 * scores))
    return found
