"""Decisions: which hold, and which cannot."""

import pytest

from kg.errors import DecisionError
from kg.model.decision import Decision, DecisionKind, Form, in_force
from kg.model.schema import NodeLabel

ADAM = Form(NodeLabel.METHOD, "Adam")
SGD = Form(NodeLabel.METHOD, "SGD")
LBFGS = Form(NodeLabel.METHOD, "L-BFGS")
PAPER = Form(NodeLabel.PAPER, "doi:10.1/a")


def refuse(number: int, one: Form = ADAM, two: Form = SGD) -> Decision:
    """They are two things."""
    return Decision(number, DecisionKind.REFUSE, one, two)


def join(number: int, one: Form = ADAM, two: Form = SGD) -> Decision:
    """They are one thing."""
    return Decision(number, DecisionKind.JOIN, one, two)


def undo(number: int, undoes: int) -> Decision:
    """That no longer holds."""
    return Decision(number, DecisionKind.UNDO, undoes=undoes)


def test_what_was_undone_does_not_hold_and_an_undone_undo_does_not_either() -> None:
    """The last word counts."""
    assert in_force([refuse(1), undo(2, 1)]) == ()
    assert in_force([undo(3, 2), refuse(1), undo(2, 1)]) == (refuse(1),)


def test_after_an_undo_the_opposite_may_be_decided() -> None:
    """Minds change."""
    assert in_force([refuse(1), undo(2, 1), join(3)]) == (join(3),)


@pytest.mark.parametrize(
    "decisions",
    [
        [refuse(1), join(2)],
        [join(1), join(2, SGD, LBFGS), refuse(3, ADAM, LBFGS)],
        [
            Decision(1, DecisionKind.RETYPE, ADAM, to="Dataset"),
            Decision(2, DecisionKind.RETYPE, ADAM, to="Task"),
        ],
        [
            Decision(1, DecisionKind.RENAME, ADAM, to="A"),
            Decision(2, DecisionKind.RENAME, ADAM, to="B"),
        ],
    ],
)
def test_contradictions_are_named(decisions: list[Decision]) -> None:
    """What cannot all hold must not hold by luck."""
    with pytest.raises(DecisionError, match="contradicts decision"):
        in_force(decisions)


@pytest.mark.parametrize(
    "decision",
    [
        refuse(0),
        refuse(1, ADAM, ADAM),
        refuse(1, ADAM, PAPER),
        Decision(1, DecisionKind.JOIN, ADAM),
        Decision(1, DecisionKind.JOIN, ADAM, Form(NodeLabel.METHOD, " ")),
        Decision(1, DecisionKind.RETYPE, ADAM, to="Paper"),
        Decision(1, DecisionKind.RENAME, ADAM),
        Decision(1, DecisionKind.RENAME, PAPER, to="x"),
        undo(1, 1),
    ],
)
def test_a_decision_that_says_nothing_is_refused(decision: Decision) -> None:
    """Files are edited by hand."""
    with pytest.raises(DecisionError):
        in_force([decision])


def test_papers_may_be_joined() -> None:
    """Which records are one paper is decided the same way."""
    other = Form(NodeLabel.PAPER, "arxiv:2401.00001")
    assert in_force([join(1, PAPER, other)])[0].about_papers


def test_decisions_read_as_sentences() -> None:
    """They stand in listings and in the history."""
    assert str(refuse(1)) == "Method 'Adam' and Method 'SGD' are two things"
    assert str(undo(2, 1)) == "decision 1 no longer holds"
