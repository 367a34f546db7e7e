"""What the trees for two names of one thing learn from, and that they are judged unseen."""

import numpy as np

from kg.nlp.grouping import Group
from kg.nlp.sameness import FEATURES
from kg.nlp.trees import Trees
from pipelines.corpora import Abstract, mentions
from pipelines.sameness import annotated_groups, examples, train_sameness


def abstract(number: int) -> Abstract:
    """A coined name with its long form, and two other methods that share a word."""
    text = f"We present Zor{'abcdefghij'[number % 10]}, a sparse routing layer. Dense layer norm and sparse coding follow."
    row = {
        "id": str(number),
        "text": text,
        "entities": [
            {"name": text[11:15], "surfaces": [text[11:15], "sparse routing layer"], "type": "method",
             "named": True, "role": "proposed"},
            {"name": "Dense layer norm", "surfaces": ["Dense layer norm"], "type": "method",
             "named": False, "role": "used"},
            {"name": "sparse coding", "surfaces": ["sparse coding"], "type": "method",
             "named": False, "role": "used"},
        ],
        "relations": [],
        "claims": [],
    }  # fmt: skip
    return Abstract(str(number), text, mentions(row), row)


def test_pairs_are_right_where_annotators_made_them_one() -> None:
    """The coined name and its long form are one; what shares a word with it is not."""
    one = abstract(0)
    groups = annotated_groups(one)
    rows, right = examples(one, groups)
    assert [g.name for g in groups] == [
        "Zora",
        "sparse routing layer",
        "Dense layer norm",
        "sparse coding",
    ]
    assert all(len(row) == FEATURES for row in rows)
    assert sum(right) == 1
    assert len(right) > 2


def test_entities_that_nobody_annotated_teach_nothing() -> None:
    """Whether a mistake is the same as a name has no answer."""
    one = abstract(0)
    strange = [Group("We", 0, annotated_groups(one)[0].mentions[:0], abbreviated=False)]
    assert examples(one, strange) == ([], [])


def test_what_was_taught_is_told_apart() -> None:
    """On abstracts of the same kind, by the trees and by those of the other folds."""
    taught = [abstract(number) for number in range(60)]
    made = train_sameness(taught, {})
    assert len(made.folds) == 3
    rows, right = examples(abstract(3), annotated_groups(abstract(3)))
    found = Trees(made.trees)(np.array(rows, np.float32)) >= 0.5
    assert found.tolist() == right
    for one, join in zip(taught, made.unseen([one.id for one in taught]), strict=True):
        assert [len(g.mentions) for g in join(one.text, annotated_groups(one), ())] == [2, 1, 1]
