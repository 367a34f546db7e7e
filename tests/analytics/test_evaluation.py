"""Groups, and the floor of names that were seen before."""

from typing import Any

import pytest

from kg.analytics.evaluation import NOT_SAID, evaluate
from kg.analytics.floor import Floor
from kg.analytics.scoring import Outcome
from kg.errors import InputError


def row(text: str, *entities: tuple[str, str], **more: Any) -> dict[str, Any]:
    """An abstract with these surface forms and types."""
    named = [
        {"name": form, "surfaces": [form], "type": kind, "named": True, "role": "used"}
        for form, kind in entities
    ]
    return {"text": text, "entities": named, **more}


def test_the_floor_is_every_name_as_what_it_most_often_is() -> None:
    """Twice a task is a task, whatever it was once; whole words only."""
    train = [
        row("", ("parsing", "method")),
        row("", ("parsing", "task")),
        row("", ("Parsing", "task")),
        row("", ("tree parsing", "task"), ("SAM", "method")),
    ]
    found = Floor(train).read("Sam likes parsing, tree parsing, reparsing and SAM. Parsing wins.")
    assert {(e["name"], e["type"], tuple(e["surfaces"])) for e in found["entities"]} == {
        ("parsing", "task", ("parsing", "Parsing")),
        ("tree parsing", "task", ("tree parsing",)),
        ("SAM", "method", ("SAM",)),
    }
    assert Floor([]).read("Parsing wins.") == {"entities": []}


def test_abstracts_are_grouped_by_a_field_of_theirs() -> None:
    """The largest group first, of a list its first value, and nothing is left out."""
    gold = {
        "1": row("A", ("A", "task"), field=["cs.CL", "cs.LG"]),
        "2": row("A", ("A", "task"), field="cs.CV"),
        "3": row("A", ("A", "task"), field="cs.CV"),
        "4": row("A", ("A", "task"), field=[]),
        "5": row("A", ("A", "task")),
        "6": row("A", ("A", "task"), field=""),
    }
    predicted = {key: row("A", ("A", "task")) for key in "23"}
    found = evaluate(gold, predicted, by="field", train={"t": row("", ("a", "task"))})
    assert [(name, f.abstracts, f.outcomes["entity"]) for name, f in found.groups.items()] == [
        ("cs.CV", 2, Outcome(2, 0, 0)),
        ("cs.CL", 1, Outcome(0, 0, 1)),
        (NOT_SAID, 3, Outcome(0, 0, 3)),
    ]
    assert found.whole.outcomes["entity"] == Outcome(2, 0, 4)
    assert found.floor["entity"] == Outcome(6, 0, 0)


@pytest.mark.parametrize(
    "broken",
    [
        {"entities": [{"type": "task"}]},
        {"entities": [1]},
        {"claims": [{"kind": "finding"}]},
        {"relations": [["a", "b"]]},
    ],
)
def test_a_broken_abstract_is_named(broken: dict[str, Any]) -> None:
    """Not a traceback: which one it is, and what it should hold."""
    whole = row("A claim.", claims=[{"text": "A claim.", "kind": "finding"}])
    with pytest.raises(InputError, match="abstract x7"):
        evaluate({"x7": {"text": "A claim.", **broken}}, {"x7": whole})
    with pytest.raises(InputError, match="abstract x7"):
        evaluate({"x7": whole}, {"x7": broken})
