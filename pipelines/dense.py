"""Train the small models of kg.nlp.dense."""

import numpy as np
import numpy.typing as npt

from kg.nlp.dense import Dense
from kg.nlp.scores import Floats
from pipelines.linear import of_all_classes, only_class


def fit_dense(
    rows: Floats, labels: npt.NDArray[np.int64], classes: int, *, strength: float = 0.1
) -> Dense:
    """Return a logistic regression over standardised columns, told in the columns as they are."""
    from sklearn.linear_model import LogisticRegression

    mean, spread = rows.mean(0), rows.std(0) + 1e-6
    if len(np.unique(labels)) == 1:
        coefficients, bias = only_class(int(labels[0]), classes, rows.shape[1])
    else:
        model = LogisticRegression(C=strength, max_iter=500).fit((rows - mean) / spread, labels)
        coefficients, bias = of_all_classes(model, classes)
    weights = (coefficients / spread).T
    return Dense(weights.astype(np.float32), (bias - mean @ weights).astype(np.float32))


def cross_validated_dense(
    rows: Floats,
    labels: npt.NDArray[np.int64],
    parts: npt.NDArray[np.int64],
    classes: int,
    *,
    strength: float = 0.1,
) -> Floats:
    """Return the probabilities of each row by a model that has not seen its part."""
    found = np.zeros((len(rows), classes), np.float32)
    for part in np.unique(parts):
        inside = parts == part
        model = fit_dense(rows[~inside], labels[~inside], classes, strength=strength)
        found[inside] = model(rows[inside])
    return found
