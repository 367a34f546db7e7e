"""Train the model that tells which numbers carry a claim."""

import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from kg.model.extraction import Claim, ClaimKind
from kg.nlp.linear import pack, sigmoid
from kg.nlp.quantities import Quantity
from kg.nlp.result_features import number_features
from kg.nlp.results import ResultModel, numbers_of
from kg.nlp.scores import Floats
from pipelines.examples import Example, Row, claim_spans, part_of
from pipelines.linear import cross_validated, fit_linear

_STRENGTH = 1.0
_CLASSES = ("no", "yes")


def train_results(examples: Sequence[Example], out_dir: Path) -> dict[str, float]:
    """Write the files of kg_results; return figures measured on folds, of the annotated claims.

    Args:
        examples: annotated abstracts with the entities that the pipeline would find in them.
        out_dir: the component's folder.
    """
    numbers: list[tuple[Quantity, int]] = []
    features, labels, parts = [], [], []
    wanted: list[set[str]] = []
    for one in examples:
        claims = annotated_claims(one.row)
        spans = [_spans(one.row, claim, index) for claim, index in claims]
        base = len(wanted)
        wanted += [{bare(v) for v in one.row["claims"][index]["values"]} for _, index in claims]
        made = [claim for claim, _ in claims]
        for at, quantity, named in numbers_of(one.layout, made):
            claim = made[at]
            numbers.append((quantity, base + at))
            features.append(
                number_features(
                    one.layout.text, quantity, (claim.start, claim.end), claim.kind.value, named
                )
            )
            labels.append(
                any(a < quantity.end and quantity.start < b for a, b in spans[at])
                and (bare(quantity.raw) in wanted[base + at] or not bare(quantity.raw).isdigit())
            )
            parts.append(part_of(one.row["id"]))
    rows = pack(features)
    yes = np.array(labels, np.int64)
    unseen = cross_validated(rows, yes, np.array(parts), _CLASSES, strength=_STRENGTH)[:, 0]
    slope = _slope(unseen, yes)
    probabilities = sigmoid(unseen * slope)
    scored = [(_f1(probabilities, numbers, wanted, t), t) for t in np.arange(0.2, 0.8, 0.05)]
    f1, threshold = max(scored)
    out_dir.mkdir(parents=True, exist_ok=True)
    words = fit_linear(rows, yes, _CLASSES, strength=_STRENGTH)
    ResultModel(words, slope, float(threshold)).save(out_dir)
    return {"value": f1}


def bare(raw: str) -> str:
    """Return a number without its percent or times sign, as values are compared."""
    return raw.replace("\\", "").replace(" ", "").strip("%+-x×")


def annotated_claims(row: Row) -> list[tuple[Claim, int]]:
    """Return the annotated claims that stand in the text, each with its index."""
    return [
        (
            Claim(start, end, row["text"][start:end], ClaimKind(row["claims"][index]["kind"]), 1.0),
            index,
        )
        for start, end, index in claim_spans(row)
    ]


def _spans(row: Row, claim: Claim, index: int) -> list[tuple[int, int]]:
    """Where the annotated numbers of a claim may stand."""
    return [
        (claim.start + match.start(), claim.start + match.end())
        for value in row["claims"][index]["values"]
        for match in re.finditer(
            r"(?<![\d.,])" + re.escape(value) + r"(?!\d)(?![.,]\d)", claim.text
        )
    ]


def _slope(scores: Floats, yes: np.ndarray) -> float:
    """The factor that makes scores on unseen texts probabilities."""
    slopes = np.arange(0.3, 2.01, 0.02)
    losses = []
    for slope in slopes:
        p = np.clip(sigmoid(scores * np.float32(slope)), 1e-6, 1 - 1e-6)
        losses.append(-np.where(yes == 1, np.log(p), np.log(1 - p)).mean())
    return float(slopes[int(np.argmin(losses))])


def _f1(
    probabilities: np.ndarray,
    numbers: Sequence[tuple[Quantity, int]],
    wanted: Sequence[set[str]],
    threshold: float,
) -> float:
    found: list[set[str]] = [set() for _ in wanted]
    for p, (quantity, claim) in zip(probabilities, numbers, strict=True):
        if p >= threshold:
            found[claim].add(bare(quantity.raw))
    hits = sum(len(a & b) for a, b in zip(found, wanted, strict=True))
    return 2 * hits / max(1, sum(map(len, found)) + sum(map(len, wanted)))
