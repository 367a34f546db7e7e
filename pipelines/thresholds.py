"""Choose the least probability at which something is kept."""

import numpy as np
import numpy.typing as npt


def best_threshold(
    probabilities: npt.NDArray[np.floating], right: npt.NDArray[np.bool_], missed: int = 0
) -> tuple[float, float]:
    """Return the threshold of the best F1, and that F1.

    Args:
        probabilities: of each candidate.
        right: whether it is in the annotation.
        missed: how much of the annotation is no candidate at all.
    """
    order = np.argsort(-probabilities, kind="stable")
    hits = np.cumsum(right[order])
    kept = np.arange(1, len(order) + 1)
    scores = 2 * hits / (kept + int(right.sum()) + missed)
    # Only after the last of equal probabilities can a threshold lie.
    sorted_ = probabilities[order]
    last = np.append(sorted_[1:] < sorted_[:-1], True)
    best = int(np.where(last, scores, -1).argmax())
    following = sorted_[best + 1] if best + 1 < len(order) else 0.0
    return float((sorted_[best] + following) / 2), float(scores[best])
