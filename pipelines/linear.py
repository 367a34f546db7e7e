"""Train the linear models of kg.nlp.linear."""

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from kg.nlp.linear import Linear, Packed
from kg.nlp.scores import Floats

_STEPS = 30  # more of them gain nothing on folds
_NEVER = -30.0  # the score of a class without examples


def fit_linear(
    rows: Packed,
    labels: Sequence[int] | npt.NDArray[np.int64],
    classes: Sequence[str],
    *,
    strength: float = 1.0,
    fewest: int = 2,
    rare: float = 0.5,
    weights: Floats | None = None,
) -> Linear:
    """Return a logistic regression over the features of at least ``fewest`` rows.

    Args:
        rows: of the examples.
        labels: index into classes of each row; two classes give one score.
        classes: names; with two, the score is that of the second.
        strength: inverse of the regularisation.
        fewest: rows that a feature must be in.
        rare: how much more a rare feature may weigh: inverse document frequency to this power.
        weights: of the rows; all one if not given.
    """
    from scipy.sparse import csr_matrix
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.linear_model import LogisticRegression

    known, counts = np.unique(rows.hashes, return_counts=True)
    kept = counts >= fewest
    known, counts = known[kept], counts[kept]
    scale = (np.log(len(rows) / counts) + 1) ** rare
    at = np.minimum(np.searchsorted(known, rows.hashes), len(known) - 1)
    hit = known[at] == rows.hashes
    matrix = csr_matrix(
        (
            (rows.values * scale[at].astype(np.float32))[hit],
            at[hit],
            np.concatenate(([0], np.cumsum(hit)))[rows.starts],
        ),
        shape=(len(rows), len(known)),
    )
    if len(np.unique(labels)) == 1:
        weight, bias = only_class(int(labels[0]), len(classes), len(known), one_score=True)
    else:
        model = LogisticRegression(C=strength, max_iter=_STEPS, tol=1e-3)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)  # it is stopped early on purpose
            model.fit(matrix, np.asarray(labels), sample_weight=weights)
        weight, bias = of_all_classes(model, len(classes), one_score=True)
    coefficients = (weight * scale).T
    # What rounds to nothing is not worth its bytes.
    strong = np.abs(coefficients).max(1) > 1e-3
    return Linear(
        known[strong],
        coefficients[strong].astype(np.float16),
        bias.astype(np.float32),
        tuple(classes) if len(classes) > 2 else (classes[1],),
    )


def of_all_classes(
    model: Any, count: int, *, one_score: bool = False
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return weights and biases of every class; one without examples is never the answer.

    Args:
        model: a fitted logistic regression, whose labels are 0 to count - 1.
        count: of classes.
        one_score: of two classes give the score of the second alone.
    """
    weight, bias = model.coef_, model.intercept_
    if len(model.classes_) == 2:
        # The one score is the second's; the first has none.
        if count == 2 and one_score:
            return weight, bias
        weight, bias = np.vstack((np.zeros_like(weight), weight)), np.array([0.0, bias[0]])
    whole = np.zeros((count, weight.shape[1]))
    biases = np.full(count, _NEVER)
    whole[model.classes_], biases[model.classes_] = weight, bias
    return whole, biases


def only_class(
    label: int, count: int, width: int, *, one_score: bool = False
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return weights and biases of a model that always gives the one class that it has seen."""
    if count == 2 and one_score:
        return np.zeros((1, width)), np.array([-_NEVER if label else _NEVER])
    bias = np.full(count, _NEVER)
    bias[label] = 0.0
    return np.zeros((count, width)), bias


def take(rows: Packed, chosen: npt.NDArray[np.bool_]) -> Packed:
    """Return the chosen rows."""
    sizes = np.diff(rows.starts)
    entries = np.repeat(chosen, sizes)
    return Packed(
        rows.hashes[entries],
        rows.values[entries],
        np.concatenate(([0], np.cumsum(sizes[chosen]))),
    )


def cross_validated(
    rows: Packed,
    labels: npt.NDArray[np.int64],
    parts: npt.NDArray[np.int64],
    classes: Sequence[str],
    *,
    strength: float = 1.0,
    fewest: int = 2,
    rare: float = 0.5,
    weights: Floats | None = None,
) -> Floats:
    """Return the scores of each row by a model that has not seen its part.

    Rows of a part below 0 are learned from, and have no scores.
    """
    width = len(classes) if len(classes) > 2 else 1
    scores = np.zeros((len(rows), width), np.float32)
    for part in np.unique(parts[parts >= 0]):
        inside = parts == part
        model = fit_linear(
            take(rows, ~inside),
            labels[~inside],
            classes,
            strength=strength,
            fewest=fewest,
            rare=rare,
            weights=None if weights is None else weights[~inside],
        )
        scores[inside] = model(take(rows, inside))
    return scores
