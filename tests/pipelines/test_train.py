"""Training gives the same bytes again, and goes on where it was stopped."""

from pathlib import Path

import pytest

from kg.model.extraction import (
    Entity,
    EntityType,
    Extraction,
    Mention,
    Relation,
    RelationType,
    Role,
)
from pipelines.corpora import held_out, in_one_form, mentions, spread_out
from pipelines.examples import honest, parts_of, weights_of
from pipelines.names import gold_rows, merged
from pipelines.silver import silver_examples
from pipelines.steps import Steps
from tests.made_model import train_made


def files_of(folder: Path) -> dict[str, bytes]:
    """Every file of a folder."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_trained_twice_a_model_has_the_same_bytes(made_model: Path, tmp_path: Path) -> None:
    """What ships can be made again by anybody."""
    again = files_of(train_made(tmp_path))
    before = files_of(made_model)
    assert again.keys() == before.keys()
    assert [name for name in again if again[name] != before[name]] == []


def test_a_step_is_done_once(tmp_path: Path) -> None:
    """A run that was stopped does not begin anew; other inputs do."""
    done = []

    def make() -> int:
        done.append(1)
        return 7

    for _ in range(2):
        assert Steps(tmp_path).do("step", {"a": 1}, make) == 7
    assert len(done) == 1
    assert Steps(tmp_path).do("step", {"a": 2}, make) == 7
    assert len(done) == 2


def test_a_step_that_fails_leaves_nothing(tmp_path: Path) -> None:
    """Half a result must not be taken for a whole one."""

    def fail() -> int:
        raise RuntimeError("stopped")

    with pytest.raises(RuntimeError):
        Steps(tmp_path).do("step", 1, fail)
    assert list(tmp_path.iterdir()) == []


def test_every_occurrence_is_a_mention_and_the_longest_wins() -> None:
    """The annotation lists forms; training needs places."""
    row = {
        "text": "A tree kernel on trees: tree kernel, tree.",
        "entities": [
            {"surfaces": ["tree kernel"], "type": "method", "named": False, "role": "used"},
            {"surfaces": ["tree"], "type": "dataset", "named": True, "role": "used"},
        ],
    }
    assert [(m.start, m.end, m.type) for m in mentions(row)] == [
        (2, 13, "method"),
        (24, 35, "method"),
        (37, 41, "dataset"),
    ]


def test_about_three_tenths_are_held_out_by_id_alone() -> None:
    """Another order or more abstracts must not change who is held out."""
    share = sum(held_out(f"a{i}") for i in range(2_000)) / 2_000
    assert 0.27 < share < 0.33


def test_tables_of_names_add_up() -> None:
    """A name that two sources know has the counts of both."""
    row = (1,) + (0,) * 14
    assert merged({"a": row}, {"a": row, "b": row}) == {"a": (2,) + (0,) * 14, "b": row}
    assert gold_rows([]) == {}


def test_raw_texts_are_taken_from_all_over() -> None:
    """The first thousand of a corpus are all of one year."""
    assert spread_out((str(i) for i in range(10)), 3) == ["0", "3", "6"]
    assert spread_out(range(19), 10) == [0, 1, 3, 5, 7, 9, 11, 13, 15, 17]
    assert spread_out(iter(["a"]), 5) == ["a"]
    assert spread_out(iter(["a"]), 0) == []


def test_what_kg_extract_writes_is_annotation() -> None:
    """A reading that was put right by hand is training input, with mentions and results."""
    row = in_one_form(
        {
            "text": "Foo beats Bar by 3%.",
            "entities": [{"name": "Foo", "mentions": [{"start": 0, "end": 3, "text": "Foo"}]}],
            "claims": [{"text": "Foo beats Bar by 3%.", "results": [{"raw": "3%"}]}],
            "relations": [{"head": "Foo", "type": "OUTPERFORMS", "tail": "Bar"}],
        }
    )
    assert row["entities"][0]["surfaces"] == ["Foo"]
    assert row["claims"][0]["values"] == ["3%"]
    assert row["claims"][0]["about"] == []
    assert row["relations"] == [["Foo", "OUTPERFORMS", "Bar"]]


def test_what_a_teacher_read_is_learned_from_and_never_asked() -> None:
    """Silver examples are in no part of a cross-validation, and count less."""
    sentence = (0, 20)
    foo = Entity("Foo", EntityType.METHOD, True, Role.PROPOSED, 0.9, (Mention(0, 3, "Foo"),))
    bar = Entity("Bar", EntityType.METHOD, True, Role.COMPARED, 0.8, (Mention(10, 13, "Bar"),))
    beats = Relation("Foo", RelationType.OUTPERFORMS, "Bar", 0, 20, 0.7)
    whole = Extraction("teacher", (foo, bar), (), (beats,), (), (sentence,))
    flagged = Extraction("teacher", (), (), (), (), (sentence,), ("language",))
    text = "Foo beats Bar by 3%."
    examples = silver_examples([(text, whole), (text, flagged)])
    assert [e.row["id"] for e in examples] == ["silver0"]
    assert examples[0].row["relations"] == [["Foo", "OUTPERFORMS", "Bar"]]
    assert examples[0].match == (0, 1)
    assert parts_of(examples).tolist() == [-1]
    assert weights_of(examples, 0.5).tolist() == [0.5]
    assert honest(examples, with_scores=False) == []


def test_rows_in_one_form_stay_as_they_are() -> None:
    """Confidences of what a model read survive a second reading."""
    row = {
        "entities": [],
        "relations": [{"head": "A", "type": "USES", "tail": "B", "confidence": 0.6}],
    }
    once = in_one_form(row)
    assert once["confidences"] == [0.6]
    assert in_one_form(once) == once


def test_a_relation_without_confidence_is_certain_and_one_of_nought_is_not() -> None:
    """Nought is a number, null is none."""
    relation = {"head": "A", "type": "USES", "tail": "B"}
    given = [relation, relation | {"confidence": None}, relation | {"confidence": 0.0}]
    row = {"entities": [], "relations": [*given, ["A", "USES", "C"]]}
    assert in_one_form(row)["confidences"] == [1.0, 1.0, 0.0, 1.0]
