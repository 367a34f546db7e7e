"""Linear models over sparse features that are words: small files, numpy alone, no training here.

A feature is a string; the model knows those it was trained with by a 32-bit hash of it, and gives
nothing for the others. Features come in groups, each scaled by the root of its size, so that a
long sentence weighs no more than a short one.
"""

import json
import zlib
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from kg.nlp.scores import Floats

_MOST_BITS = 20  # of the table that says where a hash is looked for


class Hashes(list[int]):
    """Features of which the hashes were taken already: those that many rows share."""


# Groups of features of one row, each with its weight; no feature twice in a group.
Groups = Sequence[tuple[float, Collection[str] | Hashes]]


@dataclass(frozen=True, slots=True, eq=False)
class Packed:
    """Sparse rows: of row i the entries [starts[i], starts[i + 1])."""

    hashes: npt.NDArray[np.uint32]
    values: Floats
    starts: npt.NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.starts) - 1


def hashed(names: Iterable[str]) -> Hashes:
    """Return the hashes of features."""
    return Hashes(map(zlib.crc32, map(str.encode, names)))


def pack(rows: Iterable[Groups]) -> Packed:
    """Return rows of named features as hashes and values."""
    crc = zlib.crc32
    hashes: list[int] = []
    sizes: list[int] = []
    weights: list[float] = []
    starts = [0]
    for groups in rows:
        for weight, names in groups:
            if names:
                hashes += names if isinstance(names, Hashes) else map(crc, map(str.encode, names))
                sizes.append(len(names))
                weights.append(weight / len(names) ** 0.5)
        starts.append(len(hashes))
    counts = np.array(sizes, np.int64)
    # Groups in one order, since sums of floats depend on theirs, and sets have none.
    keys = np.repeat(np.arange(len(sizes), dtype=np.uint64) << np.uint64(32), counts)
    keys |= np.fromiter(hashes, np.uint64, len(hashes))
    keys.sort()
    return Packed(
        keys.astype(np.uint32),
        np.repeat(np.array(weights, np.float32), counts),
        np.array(starts, np.int64),
    )


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


def softmax(scores: Floats) -> Floats:
    """Return probabilities of each row."""
    shifted = np.exp(scores - scores.max(-1, keepdims=True, initial=-np.inf))
    found: Floats = shifted / shifted.sum(-1, keepdims=True)
    return found


def sigmoid(scores: Floats) -> Floats:
    """Return probabilities of single scores."""
    found: Floats = 0.5 * (1 + np.tanh(0.5 * scores))
    return found
