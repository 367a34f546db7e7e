"""Whether confidences mean what they say: of what is told with 0.8, eight in ten are right."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from kg.analytics.scoring import (
    Row,
    claim_pairs,
    folded,
    numbers,
    relation_outcomes,
    typed_surfaces,
)

# What has a confidence of its own.
KINDS: Final = ("entity", "role", "claim", "value", "relation")
BINS: Final = 10

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Bin:
    """Predictions with confidences from `low` to `high`: how many, their mean, and how many are right."""

    low: float
    high: float
    count: int
    confidence: float
    accuracy: float


@dataclass(frozen=True, slots=True)
class Calibration:
    """How confidences of one kind compare with what is right.

    Attributes:
        count: predictions.
        confidence: their mean.
        accuracy: share of right ones.
        error: expected calibration error.
        bins: those that are not empty, by rising confidence.
    """

    count: int
    confidence: float
    accuracy: float
    error: float
    bins: tuple[Bin, ...]


def calibrations(gold: Mapping[str, Row], predicted: Mapping[str, Row]) -> dict[str, Calibration]:
    """Return the calibration of each kind of which there are predictions with a confidence.

    An entity is right when its name is annotated with its type, the role of such an entity when
    it is the annotated one; a claim when it is one of the annotation's, a value when such a claim
    has the number; a relation when the annotation has it.

    Args:
        gold: annotation by id.
        predicted: by id; what has no confidence is left out.
    """
    told: dict[str, list[tuple[float, bool]]] = {kind: [] for kind in KINDS}
    for key, row in gold.items():
        for kind, confidence, right in _outcomes(row, predicted.get(key, {})):
            told[kind].append((confidence, right))
    return {
        kind: calibration(np.array([c for c, _ in pairs]), np.array([r for _, r in pairs], bool))
        for kind, pairs in told.items()
        if pairs
    }


def calibration(confidence: Floats, correct: Bools, *, bins: int = BINS) -> Calibration:
    """Return how confidences compare with what is right.

    Args:
        confidence: shape (n,), each in [0, 1].
        correct: shape (n,).
        bins: number of equal-width bins over [0, 1].

    Raises:
        ValueError: the shapes differ, or a confidence lies outside [0, 1].

    The expected calibration error is the mean of |accuracy - mean confidence| over the bins,
    weighted by their size; 0.0 when n is 0.

    Source: Guo et al. 2017, On Calibration of Modern Neural Networks, ICML.

    >>> calibration(np.array([0.9, 0.9]), np.array([True, False])).error
    0.4
    """
    if confidence.shape != correct.shape:
        raise ValueError(f"{confidence.shape} confidences, {correct.shape} answers")
    if confidence.size and not (confidence.min() >= 0.0 and confidence.max() <= 1.0):
        raise ValueError("a confidence lies outside [0, 1]")
    count = int(confidence.size)
    if not count:
        return Calibration(0, 0.0, 0.0, 0.0, ())
    places = np.minimum((confidence * bins).astype(np.int64), bins - 1)
    found = []
    for place in np.unique(places).tolist():
        inside = places == place
        found.append(
            Bin(
                low=place / bins,
                high=(place + 1) / bins,
                count=int(inside.sum()),
                confidence=float(confidence[inside].mean()),
                accuracy=float(correct[inside].mean()),
            )
        )
    error = sum(one.count * abs(one.accuracy - one.confidence) for one in found) / count
    return Calibration(
        count=count,
        confidence=float(confidence.mean()),
        accuracy=float(correct.mean()),
        error=round(error, 6),
        bins=tuple(found),
    )


def _outcomes(gold: Row, predicted: Row) -> Iterator[tuple[str, float, bool]]:
    """Yield kind, confidence and whether it is right, of what is predicted of one abstract."""
    annotated = typed_surfaces(gold)
    for entity in predicted.get("entities") or ():
        same = annotated.get((folded(entity["name"]), entity["type"].lower()))
        if "confidence" in entity:
            yield "entity", entity["confidence"], same is not None
        if same is not None and "role_confidence" in entity:
            yield "role", entity["role_confidence"], same.get("role") == entity.get("role")
    pairs, spurious = claim_pairs(gold, predicted)
    claims = [(theirs, numbers(ours)) for ours, theirs in pairs]
    yield from _claims(claims, right=True)
    yield from _claims([(claim, set()) for claim in spurious], right=False)
    for relation, right in relation_outcomes(gold, predicted)[0]:
        if "confidence" in relation:
            yield "relation", relation["confidence"], right


def _claims(
    claims: Sequence[tuple[Row, set[str]]], *, right: bool
) -> Iterator[tuple[str, float, bool]]:
    for claim, values in claims:
        if "confidence" in claim:
            yield "claim", claim["confidence"], right
        if not right:
            continue  # nobody annotated the numbers of what is no claim
        for result in claim.get("results") or ():
            if "confidence" in result:
                yield "value", result["confidence"], bool(numbers({"results": [result]}) & values)
