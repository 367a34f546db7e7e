"""Train what tells that two entities of one text are one thing."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from kg.analytics import scoring
from kg.nlp.abbreviations import find_abbreviations
from kg.nlp.grouping import Group, SpanScore, group_mentions
from kg.nlp.sameness import FEATURES, Sameness, pairs_to_judge
from kg.nlp.scores import TYPES, Floats
from kg.nlp.trees import Trees
from pipelines.corpora import Abstract, fold_of
from pipelines.trees import TreeSettings, export_trees, train_trees

THRESHOLD = 0.5
_FOLDS = 3
_SETTINGS = TreeSettings(trees=150, leaves=15, learning_rate=0.06, fewest=30)


@dataclass(frozen=True, slots=True)
class JudgesOfSameness:
    """The trees, and for each fold of abstracts trees that have not seen it."""

    trees: bytes
    folds: tuple[bytes, ...]

    def unseen(self, identifiers: Iterable[str]) -> list[Sameness]:
        """Return for each abstract what judges its pairs without having learned from it."""
        judges = [Sameness(Trees(trees), THRESHOLD) for trees in self.folds]
        return [judges[_fold(identifier)] for identifier in identifiers]


def train_sameness(
    abstracts: Sequence[Abstract], found: Mapping[str, Sequence[Group]]
) -> JudgesOfSameness:
    """Return trees that judge pairs of entities.

    Args:
        abstracts: annotated ones.
        found: by id, entities that were found in an abstract; elsewhere the annotated ones teach.
    """
    rows: list[list[float]] = []
    right: list[bool] = []
    home: list[int] = []
    for one in abstracts:
        groups = found.get(one.id)
        own_rows, own_right = examples(one, annotated_groups(one) if groups is None else groups)
        rows += own_rows
        right += own_right
        home += [_fold(one.id)] * len(own_rows)
    columns = np.array(rows, np.float32).reshape(-1, FEATURES)
    yes, fold = np.array(right, bool), np.array(home, np.int64)
    return JudgesOfSameness(
        trees=_trained(columns, yes),
        folds=tuple(_trained(columns[fold != k], yes[fold != k]) for k in range(_FOLDS)),
    )


def annotated_groups(abstract: Abstract) -> list[Group]:
    """Return the annotated mentions as spelling and plain abbreviations group them."""
    mentions = [
        SpanScore(m.start, m.end, TYPES.index(m.type), 1.0, float(m.named))
        for m in abstract.mentions
    ]
    return group_mentions(abstract.text, mentions, find_abbreviations(abstract.text))


def examples(abstract: Abstract, groups: Sequence[Group]) -> tuple[list[list[float]], list[bool]]:
    """Return the rows of the pairs that are annotated, and whether they are one entity."""
    annotated: dict[str, set[int]] = defaultdict(set)
    for number, entity in enumerate(abstract.row["entities"]):
        for surface in entity["surfaces"]:
            annotated[scoring.folded(surface)].add(number)
    meant: list[set[int]] = [
        set().union(
            *(
                annotated.get(scoring.folded(abstract.text[m.start : m.end]), ())
                for m in group.mentions
            )
        )
        for group in groups
    ]
    pairs, rows = pairs_to_judge(abstract.text, groups, find_abbreviations(abstract.text))
    known = [k for k, (one, other) in enumerate(pairs) if meant[one] and meant[other]]
    return (
        [rows[k] for k in known],
        [not meant[pairs[k][0]].isdisjoint(meant[pairs[k][1]]) for k in known],
    )


def _trained(rows: Floats, right: np.ndarray) -> bytes:
    return export_trees(train_trees(rows, right, _SETTINGS), FEATURES)


def _fold(identifier: str) -> int:
    return fold_of(f"{identifier} same", _FOLDS)
