"""Train the model that relates entities to each other."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from kg.nlp.linear import stack
from kg.nlp.pair_features import Pairs, closest, outline, pair_features, pairs
from kg.nlp.relations import CLASSES, RELATIONS, RelationModel, candidate_rows
from kg.nlp.trees import Trees
from pipelines.examples import Example, honest, parts_of, weights_of
from pipelines.linear import cross_validated, fit_linear
from pipelines.thresholds import best_thresholds
from pipelines.trees import TreeSettings, crossed_trees, export_trees, train_trees

_STRENGTH = 0.5
_SILVER = 0.5  # weight of what a teacher annotated
_RAREST = 0.01  # share of the pairs of an outline that must have a relation
_TREES = TreeSettings(trees=150, leaves=12, learning_rate=0.06, fewest=60)


def train_relations(
    examples: Sequence[Example],
    roles: Sequence[Sequence[str]],
    out_dir: Path,
    *,
    with_scores: bool,
) -> dict[str, float]:
    """Write the files of kg_relations; return figures measured on folds.

    Args:
        examples: annotated abstracts with the entities that the pipeline would find in them.
        roles: of the entities of each example, by a model that has not seen it.
        out_dir: the component's folder.
        with_scores: learn from the encoder's scores too, of those examples that have some.
    """
    outlines = worth_a_look(examples, roles)
    chosen = [
        [pair for pair in pairs(e.layout) if outline(e.layout, *pair, own) in outlines]
        for e, own in zip(examples, roles, strict=True)
    ]
    wanted = [annotated(e) for e in examples]
    labels = np.array(
        [
            next((k + 1 for k, _ in enumerate(RELATIONS) if (*pair, k) in own), 0)
            for own, pairs_ in zip(wanted, chosen, strict=True)
            for pair in pairs_
        ],
        np.int64,
    )
    owner = np.array([i for i, pairs_ in enumerate(chosen) for _ in pairs_], np.int64)
    parts = parts_of(examples)
    weights = weights_of(examples, _SILVER)[owner]
    near = [closest(e.layout, pairs_) for e, pairs_ in zip(examples, chosen, strict=True)]
    rows = stack(
        pair_features([Pairs(e.layout, pairs_, own_near, own)])
        for e, pairs_, own_near, own in zip(examples, chosen, near, roles, strict=True)
    )
    fewest = 3 if not examples[-1].silver else 8
    unseen = cross_validated(
        rows, labels, parts[owner], CLASSES, strength=_STRENGTH, fewest=fewest, weights=weights
    )
    words = fit_linear(rows, labels, CLASSES, strength=_STRENGTH, fewest=fewest, weights=weights)

    numbers, right, kinds, origin, total = [], [], [], [], 0
    for i in honest(examples, with_scores=with_scores):
        e = examples[i]
        total += len(e.row["relations"])
        if not chosen[i]:
            continue
        found, columns = candidate_rows(
            e.layout,
            chosen[i],
            near[i],
            roles[i],
            unseen[owner == i],
            e.related if with_scores else None,
        )
        numbers.append(columns)
        right += [(c.head, c.tail, c.type) in wanted[i] for c in found]
        kinds += [c.type for c in found]
        origin += [i] * len(found)
    stacked = np.vstack(numbers)
    yes, kind = np.array(right), np.array(kinds)
    found_ = crossed_trees(stacked, yes, parts[np.array(origin)], _TREES)
    thresholds, f1 = best_thresholds(found_, yes, kind, len(RELATIONS), total)
    trees = export_trees(train_trees(stacked, yes, _TREES), stacked.shape[1])
    out_dir.mkdir(parents=True, exist_ok=True)
    named = dict(zip(RELATIONS, thresholds, strict=True))
    RelationModel(words, Trees(trees), frozenset(outlines), named).save(out_dir, trees)
    return {"relation": f1, "pairs": len(labels) / len(examples)}


def annotated(example: Example) -> set[tuple[int, int, int]]:
    """Return the annotated relations as (head, tail, type) among the entities that were found."""
    names = {entity["name"]: i for i, entity in enumerate(example.row["entities"])}
    found: dict[int, list[int]] = {}
    for index, match in enumerate(example.match):
        if match is not None:
            found.setdefault(match, []).append(index)
    return {
        (one, other, RELATIONS.index(kind))
        for head, kind, tail in example.row["relations"]
        if head in names and tail in names
        for one in found.get(names[head], ())[:1]
        for other in found.get(names[tail], ())[:1]
    }


def worth_a_look(examples: Sequence[Example], roles: Sequence[Sequence[str]]) -> set[str]:
    """Return the outlines of pairs of which at least some have a relation."""
    seen: Counter[str] = Counter()
    related: Counter[str] = Counter()
    for e, own in zip(examples, roles, strict=True):
        if e.silver:
            continue
        joined = {(head, tail) for head, tail, _ in annotated(e)}
        for pair in pairs(e.layout):
            name = outline(e.layout, *pair, own)
            seen[name] += 1
            related[name] += pair in joined
    return {name for name, count in seen.items() if related[name] >= max(2, _RAREST * count)}
