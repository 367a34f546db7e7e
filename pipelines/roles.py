"""Train the model that gives each entity its role."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from kg.nlp.linear import stack
from kg.nlp.role_features import role_features
from kg.nlp.roles import RoleModel, context_features
from kg.nlp.scores import ROLES, Floats
from pipelines.dense import fit_dense
from pipelines.examples import Example, honest, parts_of, weights_of
from pipelines.linear import fit_linear, take

_STRENGTH = 1.0
_SILVER = 0.5  # weight of what a teacher annotated
_CONTEXT_STRENGTH = 0.1


def train_roles(
    examples: Sequence[Example], out_dir: Path, *, with_scores: bool
) -> tuple[dict[str, float], list[list[str]]]:
    """Write the files of kg_roles.

    Entities that are not in the annotation have no role, and teach nothing.

    Args:
        examples: annotated abstracts with the entities that the pipeline would find in them.
        out_dir: the component's folder.
        with_scores: learn from the encoder's scores too, of those examples that have some.

    Returns:
        Figures measured on folds, and the roles of the entities of each example by a model that
        has not seen it.
    """
    labels = np.array([label for e in examples for label in _labels(e)], np.int64)
    owner = np.array([i for i, e in enumerate(examples) for _ in e.match], np.int64)
    parts = parts_of(examples)[owner]
    weights = weights_of(examples, _SILVER)[owner]
    fewest = 2 if not examples[-1].silver else 6
    rows = stack(role_features([e.layout]) for e in examples)
    known = labels >= 0
    unseen = np.zeros((len(labels), len(ROLES)), np.float32)
    for part in np.unique(parts[parts >= 0]):
        others = known & (parts != part)
        model = fit_linear(
            take(rows, others),
            labels[others],
            ROLES,
            strength=_STRENGTH,
            fewest=fewest,
            weights=weights[others],
        )
        unseen[parts == part] = model(take(rows, parts == part))
    words = fit_linear(
        take(rows, known),
        labels[known],
        ROLES,
        strength=_STRENGTH,
        fewest=fewest,
        weights=weights[known],
    )

    chosen = honest(examples, with_scores=with_scores)
    numbers: Floats = np.vstack(
        [
            context_features(
                examples[i].layout,
                unseen[owner == i],
                examples[i].scores if with_scores else None,
            )
            for i in chosen
            if examples[i].match
        ]
    )
    inside = np.flatnonzero(np.isin(owner, chosen))
    found = unseen.copy()
    for part in np.unique(parts[inside]):
        learnt = known[inside] & (parts[inside] != part)
        context = fit_dense(
            numbers[learnt], labels[inside][learnt], len(ROLES), strength=_CONTEXT_STRENGTH
        )
        asked = parts[inside] == part
        found[inside[asked]] = context(numbers[asked])
    learnt = known[inside]
    context = fit_dense(
        numbers[learnt], labels[inside][learnt], len(ROLES), strength=_CONTEXT_STRENGTH
    )
    out_dir.mkdir(parents=True, exist_ok=True)
    RoleModel(words, context).save(out_dir)
    best = np.where(parts < 0, labels, found.argmax(1))
    figures = {"role": float((best == labels)[inside][learnt].mean())}
    return figures, [[ROLES[r] for r in best[owner == i]] for i in range(len(examples))]


def _labels(example: Example) -> list[int]:
    entities = example.row["entities"]
    return [-1 if m is None else ROLES.index(entities[m]["role"]) for m in example.match]
