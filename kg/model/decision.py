"""What the user decided: refuse, join, retype, rename, and undo.

A decision names things by label and surface form, not by id, so that it holds after the graph
was built again from other papers, in another order or by another model.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from kg.errors import DecisionError
from kg.model.schema import ENTITY_LABELS, NodeLabel


class DecisionKind(StrEnum):
    """What is decided."""

    REFUSE = "refuse"  # first and second are two things
    JOIN = "join"  # first and second are one thing
    RETYPE = "retype"  # the entity of first has the label `to`
    RENAME = "rename"  # the entity of first is shown as `to`
    UNDO = "undo"  # the decision numbered `undoes` no longer holds


@dataclass(frozen=True, slots=True, order=True)
class Form:
    """A surface form under a label; of a paper the label Paper and its id."""

    label: NodeLabel
    surface: str

    def __str__(self) -> str:
        return f"{self.label.value} '{self.surface}'"


@dataclass(frozen=True, slots=True)
class Decision:
    """One line of decisions.jsonl; numbers rise from 1 and are never used again."""

    number: int
    kind: DecisionKind
    first: Form | None = None
    second: Form | None = None
    to: str = ""
    undoes: int = 0
    note: str = ""

    @property
    def about_papers(self) -> bool:
        """It says which papers are one, not which entities."""
        return self.first is not None and self.first.label is NodeLabel.PAPER

    @property
    def forms(self) -> tuple[Form, ...]:
        """The forms it names."""
        return tuple(form for form in (self.first, self.second) if form is not None)

    def __str__(self) -> str:
        match self.kind:
            case DecisionKind.REFUSE:
                return f"{self.first} and {self.second} are two things"
            case DecisionKind.JOIN:
                return f"{self.first} and {self.second} are one thing"
            case DecisionKind.RETYPE:
                return f"{self.first} is a {self.to}"
            case DecisionKind.RENAME:
                return f"{self.first} is shown as '{self.to}'"
            case DecisionKind.UNDO:
                return f"decision {self.undoes} no longer holds"


def check(decision: Decision) -> None:
    """Raise DecisionError when the decision says nothing that can be done."""
    number, kind = decision.number, decision.kind
    if number < 1:
        raise _senseless(number, "its number is not positive")
    if kind is DecisionKind.UNDO:
        if not 0 < decision.undoes < number:
            raise _senseless(number, "it undoes no earlier decision")
        return
    if decision.first is None or not decision.first.surface.strip():
        raise _senseless(number, "it names nothing")
    if kind in (DecisionKind.REFUSE, DecisionKind.JOIN):
        if decision.second is None or not decision.second.surface.strip():
            raise _senseless(number, f"a {kind.value} needs two names")
        if decision.first == decision.second:
            raise _senseless(number, "both names are the same")
        papers = sum(form.label is NodeLabel.PAPER for form in decision.forms)
        entities = sum(form.label in ENTITY_LABELS for form in decision.forms)
        if 2 not in (papers, entities):
            raise _senseless(number, "its names are neither two papers nor two entities")
        return
    if decision.second is not None:
        raise _senseless(number, f"a {kind.value} takes one name")
    if decision.first.label not in ENTITY_LABELS:
        raise _senseless(number, f"a {kind.value} is of a method, dataset, task or metric")
    if kind is DecisionKind.RETYPE and decision.to not in {x.value for x in ENTITY_LABELS}:
        raise _senseless(number, f"'{decision.to}' is no label of an entity")
    if not decision.to.strip():
        raise _senseless(number, "the new name is empty")


def in_force(decisions: Sequence[Decision]) -> tuple[Decision, ...]:
    """Return the decisions that hold, by number, without undos and what they undo.

    Raises:
        DecisionError: one cannot be done, two have one number, or two contradict each other.
    """
    ordered = sorted(decisions, key=lambda decision: decision.number)
    numbers: set[int] = set()
    for decision in ordered:
        check(decision)
        if decision.number in numbers:
            raise _senseless(decision.number, "two decisions have that number")
        numbers.add(decision.number)
    for decision in ordered:
        if decision.kind is DecisionKind.UNDO and decision.undoes not in numbers:
            raise _senseless(decision.number, f"there is no decision {decision.undoes}")
    gone = taken_back(ordered)
    holding = tuple(
        decision
        for decision in ordered
        if decision.number not in gone and decision.kind is not DecisionKind.UNDO
    )
    _refuse_contradictions(holding)
    return holding


def taken_back(decisions: Sequence[Decision]) -> set[int]:
    """Return the numbers of decisions that an undo took back; undos may be among them."""
    # From the last to the first: an undo of an undo lets the first hold again.
    gone: set[int] = set()
    for decision in sorted(decisions, key=_number, reverse=True):
        if decision.kind is DecisionKind.UNDO and decision.number not in gone:
            gone.add(decision.undoes)
    return gone


def _refuse_contradictions(holding: tuple[Decision, ...]) -> None:
    for kind in (DecisionKind.RETYPE, DecisionKind.RENAME):
        said: dict[Form, Decision] = {}
        for decision in _of_kind(holding, kind):
            assert decision.first is not None  # noqa: S101  check() saw to it
            earlier = said.setdefault(decision.first, decision)
            if earlier.to != decision.to:
                raise _contradiction(earlier, decision)
    group: dict[Form, Form] = {}

    def root(form: Form) -> Form:
        while group.get(form, form) != form:
            form = group[form]
        return form

    joins = list(_of_kind(holding, DecisionKind.JOIN))
    for decision in joins:
        one, two = (root(form) for form in decision.forms)
        group[max(one, two)] = min(one, two)
    for decision in _of_kind(holding, DecisionKind.REFUSE):
        one, two = (root(form) for form in decision.forms)
        if one == two:
            joined = [j for j in joins if root(j.forms[0]) == one]
            direct = [j for j in joined if set(j.forms) == set(decision.forms)]
            raise _contradiction(*sorted((decision, (direct or joined)[-1]), key=_number))


def _of_kind(decisions: Iterable[Decision], kind: DecisionKind) -> Iterator[Decision]:
    return (decision for decision in decisions if decision.kind is kind)


def _number(decision: Decision) -> int:
    return decision.number


def _senseless(number: int, why: str) -> DecisionError:
    return DecisionError(
        f"decision {number} cannot be taken: {why}",
        "Correct that line of decisions.jsonl, or take it out.",
    )


def _contradiction(earlier: Decision, later: Decision) -> DecisionError:
    return DecisionError(
        f"decision {later.number} ({later}) contradicts decision {earlier.number} ({earlier})",
        f"Undo one of the two: kg merges undo GRAPH {earlier.number}",
    )
