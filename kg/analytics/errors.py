"""List what an extraction gets wrong, and in which way."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from kg.analytics.scoring import Row, typed_surfaces

KINDS: Final = ("missed", "spurious", "too short", "too long", "wrong type")
_CONTEXT: Final = 60  # characters on each side


@dataclass(frozen=True, slots=True)
class EntityError:
    """A surface form that is annotated, predicted or both, but not the same.

    Attributes:
        id: of the abstract.
        kind: one of KINDS.
        type: annotated type; of a spurious one the predicted type.
        gold: annotated form, empty for a spurious one.
        predicted: predicted form, with its type where that is wrong; empty for a missed one.
        context: the text around the first occurrence.
    """

    id: str
    kind: str
    type: str
    gold: str
    predicted: str
    context: str


def entity_errors(gold: Mapping[str, Row], predicted: Mapping[str, Row]) -> Iterator[EntityError]:
    """Yield the errors in the entities of each abstract, in the order of the annotation."""
    for key, row in gold.items():
        yield from _of_abstract(key, row, predicted.get(key, {}))


def _of_abstract(key: str, gold: Row, predicted: Row) -> Iterator[EntityError]:
    text = gold["text"]
    left, right = typed_surfaces(gold), typed_surfaces(predicted)
    missed = sorted(left.keys() - right.keys())
    spurious = sorted(right.keys() - left.keys())
    explained = set()
    for form, kind in missed:
        near = _nearest(form, kind, spurious)
        if near is None:
            yield EntityError(key, "missed", kind, form, "", _around(text, form))
            continue
        explained.add(near)
        name = near[0] if near[1] == kind else f"{near[0]} ({near[1]})"
        yield EntityError(
            key, _difference(form, kind, *near), kind, form, name, _around(text, form)
        )
    for form, kind in spurious:
        if (form, kind) not in explained:
            yield EntityError(key, "spurious", kind, "", form, _around(text, form))


def _nearest(form: str, kind: str, spurious: list[tuple[str, str]]) -> tuple[str, str] | None:
    """Return the predicted form that stands for an annotated one, if any does."""
    same = [other for other in spurious if other[0] == form]
    if same:
        return same[0]
    held = [
        other
        for other in spurious
        if other[1] == kind and _within(other[0], form) != _within(form, other[0])
    ]
    return min(held, key=lambda other: (abs(len(other[0]) - len(form)), other), default=None)


def _within(part: str, whole: str) -> bool:
    """Say whether a form stands in another as whole words."""
    at = whole.find(part)
    while at >= 0:
        end = at + len(part)
        if not whole[at - 1 : at].isalnum() and not whole[end : end + 1].isalnum():
            return True
        at = whole.find(part, at + 1)
    return False


def _difference(form: str, kind: str, other: str, other_kind: str) -> str:
    if kind != other_kind:
        return "wrong type"
    return "too short" if len(other) < len(form) else "too long"


def _around(text: str, form: str) -> str:
    """Return the text around a folded form, on one line; empty where it cannot be found."""
    lower = text.lower()
    at = lower.find(form)
    if at < 0 or len(lower) != len(text):
        return ""
    start, end = max(0, at - _CONTEXT), at + len(form) + _CONTEXT
    return " ".join(text[start:end].split())
