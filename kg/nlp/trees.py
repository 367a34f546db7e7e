"""Evaluate gradient-boosted trees that were exported for ONNX Runtime."""

from pathlib import Path

import numpy as np

from kg.nlp.scores import Floats


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
        raw: Floats = self._session.run(None, {"rows": rows})[0][:, 0]
        found: Floats = 0.5 * (1 + np.tanh(0.5 * raw))
        return found

    @classmethod
    def load(cls, path: Path) -> "Trees":
        """Read an exported model."""
        return cls(path.read_bytes())
