"""Logistic regression over a few numbers per row: puts scores of several models together.

It learns from scores that the models gave on texts they had not seen, so that its probabilities
are as good as they say.
"""

import json
from pathlib import Path

import numpy as np

from kg.nlp.linear import softmax
from kg.nlp.scores import Floats


class Dense:
    """Probabilities of k classes from d numbers."""

    def __init__(self, weights: Floats, bias: Floats) -> None:
        """Take weights of shape (d, k) and biases of shape (k,)."""
        self.weights = weights
        self.bias = bias

    def __call__(self, rows: Floats) -> Floats:
        """Return (n, k) for rows of shape (n, d)."""
        return softmax(rows @ self.weights + self.bias)

    @classmethod
    def load(cls, path: Path) -> "Dense":
        """Read what ``save`` wrote."""
        kept = json.loads(path.read_text("utf-8"))
        return cls(np.array(kept["weights"], np.float32), np.array(kept["bias"], np.float32))

    def save(self, path: Path) -> None:
        """Write six digits of every number; the same model gives the same bytes."""
        kept = {
            "weights": [[round(float(x), 6) for x in row] for row in self.weights],
            "bias": [round(float(x), 6) for x in self.bias],
        }
        path.write_text(json.dumps(kept) + "\n", "utf-8")
