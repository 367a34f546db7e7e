"""Evaluate gradient-boosted trees that were exported for ONNX Runtime."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final, TypeVar

import numpy as np

from kg.nlp.scores import Floats

_BATCH: Final = 4_096  # rows that are judged at a time, so that memory stays bounded
Candidate = TypeVar("Candidate")


class Trees:
    """The probability that a row of numbers is a yes."""

    def __init__(self, model: bytes) -> None:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        # One thread: rows are few, and the order of additions must not depend on the machine.
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        self._session = onnxruntime.InferenceSession(
            model, options, providers=["CPUExecutionProvider"]
        )
        self.width: int = self._session.get_inputs()[0].shape[1]

    def __call__(self, rows: Floats) -> Floats:
        """Return the probability of each row, shape (n,).

        Args:
            rows: shape (n, width).
        """
        if not len(rows):
            return np.zeros(0, np.float32)
        parts = [
            self._session.run(None, {"rows": rows[at : at + _BATCH]})[0][:, 0]
            for at in range(0, len(rows), _BATCH)
        ]
        raw: Floats = np.concatenate(parts)
        found: Floats = 0.5 * (1 + np.tanh(0.5 * raw))
        return found

    @classmethod
    def load(cls, path: Path) -> "Trees":
        """Read an exported model."""
        return cls(path.read_bytes())


def judged_by(
    trees: Trees, texts: Sequence[tuple[Sequence[Candidate], Floats]]
) -> list[list[tuple[Candidate, float]]]:
    """Return the candidates of each text with their probabilities.

    Args:
        trees: that judge them.
        texts: of each the candidates and their rows.
    """
    rows = [own for candidates, own in texts if len(candidates)]
    found = iter(trees(np.concatenate(rows)).tolist() if rows else ())
    return [[(one, next(found)) for one in candidates] for candidates, _ in texts]
