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


def best_thresholds(
    probabilities: npt.NDArray[np.floating],
    right: npt.NDArray[np.bool_],
    kinds: npt.NDArray[np.int64],
    count: int,
    total: int,
) -> tuple[list[float], float]:
    """Return a threshold per kind for the best F1 over all kinds together, and that F1.

    Args:
        probabilities: of each candidate.
        right: whether it is in the annotation.
        kinds: of each candidate, below count.
        count: of kinds.
        total: what the annotation holds, of all kinds.
    """
    # F1 = 2 hits / (kept + total): for the best F1 f, a candidate helps when it is right with
    # a probability above f / 2. A shared threshold gives f; each kind then takes its own best.
    shared, f1 = best_threshold(probabilities, right, total - int(right.sum()))
    thresholds = [shared] * count
    for _ in range(5):
        for kind in range(count):
            mine = kinds == kind
            if not mine.any():
                continue
            limits = np.array(thresholds)[kinds]
            others = ~mine & (probabilities >= limits)
            hits, kept = int((others & right).sum()), int(others.sum())
            order = np.argsort(-probabilities[mine], kind="stable")
            sorted_ = probabilities[mine][order]
            scores = (
                2
                * (hits + np.concatenate(([0], np.cumsum(right[mine][order]))))
                / (kept + np.arange(len(order) + 1) + total)
            )
            best = int(scores.argmax())
            high = sorted_[best - 1] if best else 1.0
            low = sorted_[best] if best < len(order) else 0.0
            thresholds[kind] = float((high + low) / 2)
            f1 = float(scores[best])
    return thresholds, f1
