"""Train the model that links claims to entities."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from kg.nlp.linear import stack
from kg.nlp.link_features import Linked, Made, link_features
from kg.nlp.links import CLASSES, FIELDS, LinkModel, candidate_rows
from kg.nlp.trees import Trees
from pipelines.examples import Example, claims_of_sentences, honest, parts_of, weights_of
from pipelines.linear import cross_validated, fit_linear
from pipelines.thresholds import best_threshold
from pipelines.trees import TreeSettings, crossed_trees, export_trees, train_trees

_STRENGTH = 1.0
_SILVER = 0.5  # weight of what a teacher annotated
_TREES = TreeSettings(trees=120, leaves=12, learning_rate=0.06, fewest=40)


def train_links(
    examples: Sequence[Example],
    roles: Sequence[Sequence[str]],
    out_dir: Path,
    *,
    with_scores: bool,
) -> dict[str, float]:
    """Write the files of kg_links; return figures measured on folds, of the annotated claims.

    Args:
        examples: annotated abstracts with the entities that the pipeline would find in them.
        roles: of the entities of each example, by a model that has not seen it.
        out_dir: the component's folder.
        with_scores: learn from the encoder's scores too, of those examples that have some.
    """
    claims = [claims_made(e) for e in examples]
    labels = np.array(
        [
            next((f + 1 for f in range(len(FIELDS)) if (i, f) in wanted), 0)
            for e, own in zip(examples, claims, strict=True)
            for _, wanted, _ in own
            for i in range(len(e.layout.entities))
        ],
        np.int64,
    )
    owner = np.array(
        [
            at
            for at, (e, own) in enumerate(zip(examples, claims, strict=True))
            for _ in range(len(own) * len(e.layout.entities))
        ],
        np.int64,
    )
    parts = parts_of(examples)
    weights = weights_of(examples, _SILVER)[owner]
    rows = stack(
        link_features([Linked(e.layout, [made for made, _, _ in own], ranks)])
        for e, own, ranks in zip(examples, claims, roles, strict=True)
    )
    fewest = 2 if not examples[-1].silver else 6
    unseen = cross_validated(
        rows, labels, parts[owner], CLASSES, strength=_STRENGTH, fewest=fewest, weights=weights
    )
    words = fit_linear(rows, labels, CLASSES, strength=_STRENGTH, fewest=fewest, weights=weights)

    numbers, right, kinds, origin = [], [], [], []
    total = np.zeros(len(FIELDS), np.int64)
    for at in honest(examples, with_scores=with_scores):
        e, own = examples[at], claims[at]
        for _, _, counts in own:
            total += counts
        if not own or not e.layout.entities:
            continue
        made = [one for one, _, _ in own]
        judged = None
        if with_scores and e.linked is not None:
            judged = e.linked[[one.sentence for one in made]]
        found, columns = candidate_rows(e.layout, made, roles[at], unseen[owner == at], judged)
        numbers.append(columns)
        right += [(c.entity, c.field) in own[c.claim][1] for c in found]
        kinds += [c.field for c in found]
        origin += [at] * len(found)
    stacked = np.vstack(numbers)
    yes, kind = np.array(right), np.array(kinds)
    probabilities = crossed_trees(stacked, yes, parts[np.array(origin)], _TREES)
    thresholds, figures = {}, {}
    for f, name in enumerate(FIELDS):
        mine = kind == f
        missed = int(total[f] - yes[mine].sum())
        thresholds[name], figures[f"link:{name}"] = best_threshold(
            probabilities[mine], yes[mine], missed
        )
    trees = export_trees(train_trees(stacked, yes, _TREES), stacked.shape[1])
    out_dir.mkdir(parents=True, exist_ok=True)
    LinkModel(words, Trees(trees), thresholds).save(out_dir, trees)
    figures["links"] = float(np.mean(list(figures.values())))
    return figures


def claims_made(
    example: Example,
) -> list[tuple[Made, set[tuple[int, int]], list[int]]]:
    """Return each claim with its (entity, field) links and its number of links per field."""
    names = {entity["name"]: i for i, entity in enumerate(example.row["entities"])}
    found: dict[int, int] = {}
    for index, match in enumerate(example.match):
        if match is not None:
            found.setdefault(match, index)
    made = []
    for sentence, number in enumerate(claims_of_sentences(example.row, example.layout.sentences)):
        if number is None:
            continue
        claim = example.row["claims"][number]
        wanted = {
            (found[names[name]], f)
            for f, field in enumerate(FIELDS)
            for name in claim[field]
            if name in names and names[name] in found
        }
        counts = [len(claim[field]) for field in FIELDS]
        made.append((Made(sentence, claim["kind"]), wanted, counts))
    return made
