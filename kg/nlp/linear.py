"""Linear models over sparse features that are words: small files, numpy alone, no training here.

A feature is a string; the model knows those it was trained with by a 32-bit hash of it, and gives
nothing for the others. Features come in groups, each scaled by the root of its size, so that a
long sentence weighs no more than a short one.
"""

import json
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from kg.nlp.scores import Floats

# Groups of features of one row, each with its weight.
Groups = Sequence[tuple[float, Sequence[str]]]


@dataclass(frozen=True, slots=True, eq=False)
class Packed:
    """Sparse rows: of row i the entries [starts[i], starts[i + 1])."""

    hashes: npt.NDArray[np.uint32]
    values: Floats
    starts: npt.NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.starts) - 1


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
                # In one order, since sums of floats depend on theirs, and sets have none.
                hashes += sorted(map(crc, map(str.encode, names)))
                sizes.append(len(names))
                weights.append(weight / len(names) ** 0.5)
        starts.append(len(hashes))
    return Packed(
        np.array(hashes, np.uint32),
        np.repeat(np.array(weights, np.float32), np.array(sizes, np.int64)),
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
        # A row of zeros for whatever is not known.
        self._table = np.vstack((weights, np.zeros((1, weights.shape[1])))).astype(np.float32)

    def __call__(self, rows: Packed) -> Floats:
        """Return (n, k): the scores before any squashing."""
        count = len(self.known)
        if not len(rows) or not count:
            return np.tile(self.bias, (len(rows), 1))
        at = np.searchsorted(self.known, rows.hashes)
        at[at == count] = 0
        at[self.known[at] != rows.hashes] = count
        terms = self._table[at] * rows.values[:, None]
        sums = np.zeros((len(rows), len(self.bias)), np.float32)
        full = np.flatnonzero(np.diff(rows.starts))
        if len(full):
            sums[full] = np.add.reduceat(terms, rows.starts[full], axis=0)
        return sums + self.bias

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
