"""Train the model that finds claims."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from kg.nlp.claim_features import sentence_features
from kg.nlp.claims import ClaimModel, context_features
from kg.nlp.dense import Dense
from kg.nlp.linear import stack
from kg.nlp.scores import KINDS, Floats
from pipelines.dense import cross_validated_dense, fit_dense
from pipelines.examples import Example, claims_of_sentences, honest, parts_of, weights_of
from pipelines.linear import cross_validated, fit_linear
from pipelines.thresholds import best_threshold

_STRENGTH = 1.0
_SILVER = 0.5  # weight of what a teacher annotated
_CONTEXT_STRENGTH = 0.1


def train_claims(
    examples: Sequence[Example], out_dir: Path, *, with_scores: bool
) -> dict[str, float]:
    """Write the files of kg_claims; return figures measured on folds.

    Args:
        examples: annotated abstracts with the entities that the pipeline would find in them.
        out_dir: the component's folder.
        with_scores: learn from the encoder's scores too, of those examples that have some.
    """
    labels = np.array([label for e in examples for label in _labels(e)], np.int64)
    owner = np.array([i for i, e in enumerate(examples) for _ in e.layout.sentences], np.int64)
    parts = parts_of(examples)[owner]
    weights = weights_of(examples, _SILVER)[owner]
    rows = stack(sentence_features([e.layout]) for e in examples)
    fewest = 2 if not examples[-1].silver else 6
    unseen = cross_validated(
        rows, labels, parts, KINDS, strength=_STRENGTH, fewest=fewest, weights=weights
    )
    words = fit_linear(rows, labels, KINDS, strength=_STRENGTH, fewest=fewest, weights=weights)

    chosen = honest(examples, with_scores=with_scores)
    inside = np.isin(owner, chosen)
    numbers = np.vstack(
        [
            context_features(
                examples[i].layout,
                unseen[owner == i],
                examples[i].scores if with_scores else None,
            )
            for i in chosen
        ]
    )
    probabilities = cross_validated_dense(
        numbers, labels[inside], parts[inside], len(KINDS), strength=_CONTEXT_STRENGTH
    )
    context: Dense = fit_dense(numbers, labels[inside], len(KINDS), strength=_CONTEXT_STRENGTH)
    threshold, figures = _judged(probabilities, labels[inside])
    out_dir.mkdir(parents=True, exist_ok=True)
    ClaimModel(words, context, threshold).save(out_dir)
    return figures


def _labels(example: Example) -> list[int]:
    claims = example.row["claims"]
    found = claims_of_sentences(example.row, example.layout.sentences)
    return [0 if c is None else KINDS.index(claims[c]["kind"]) for c in found]


def _judged(probabilities: Floats, labels: npt.NDArray[np.int64]) -> tuple[float, dict[str, float]]:
    """The threshold with the best F1, and what it gives."""
    threshold, f1 = best_threshold(1 - probabilities[:, 0], labels > 0)
    found = (1 - probabilities[:, 0] >= threshold) & (labels > 0)
    kinds = 1 + probabilities[found, 1:].argmax(1)
    return threshold, {"claim": f1, "claim kind": float((kinds == labels[found]).mean())}
