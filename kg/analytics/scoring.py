"""Compare extractions with annotation: how much was found, and how much of it is right.

Rows are the JSON objects of ``kg extract`` and of annotation files: an abstract with entities,
claims and relations. What is counted, over all abstracts together:

| figure | one is |
| --- | --- |
| entity, entity:TYPE | a surface form with its type in an abstract; case and spaces folded |
| named | the same for proper names: found among those annotated, right among those predicted |
| claim | a claim; two are the same when they share half of their joint characters |
| value | a number of a claim that both have |
| link:FIELD | an entity that a claim which both have names in that field |
| relation, relation:TYPE | head, type and tail; ends are the same by any shared surface form |
| role, claim kind | right ones among what both have: an accuracy, not an F1 |
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

Row = Mapping[str, Any]

LINKS: Final = ("about", "compared_to", "on", "metrics")
ACCURACIES: Final = ("role", "claim kind")
_HALF: Final = 0.5


@dataclass(frozen=True, slots=True)
class Outcome:
    """How often both sides agree, and how often one stands alone.

    For an accuracy, `both` are the right ones and `missed` the wrong ones.
    """

    both: int = 0
    spurious: int = 0  # predicted, not annotated
    missed: int = 0  # annotated, not predicted

    @property
    def precision(self) -> float:
        """Right ones among the predicted; 0.0 when nothing is."""
        return self.both / max(1, self.both + self.spurious)

    @property
    def recall(self) -> float:
        """Found ones among the annotated; for an accuracy, the accuracy."""
        return self.both / max(1, self.both + self.missed)

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall."""
        return 2 * self.both / max(1, 2 * self.both + self.spurious + self.missed)


# (figure, side) -> how often; sides are the fields of Outcome.
Tally = Counter[tuple[str, str]]


def score(gold: Mapping[str, Row], predicted: Mapping[str, Row]) -> dict[str, Outcome]:
    """Return every figure over all annotated abstracts, by name, sorted.

    Args:
        gold: annotation by id; each row has its text.
        predicted: by id; an abstract that is missing has nothing in it.
    """
    total: Tally = Counter()
    for key, row in gold.items():
        total.update(tally(row, predicted.get(key, {})))
    return outcomes(total)


def outcomes(total: Tally) -> dict[str, Outcome]:
    """Return the outcome of each figure, sorted by name."""
    names = sorted({name for name, _ in total})
    return {
        name: Outcome(total[name, "both"], total[name, "spurious"], total[name, "missed"])
        for name in names
    }


def tally(gold: Row, predicted: Row) -> Tally:
    """Return the counts of one abstract."""
    counts: Tally = Counter()
    _count_entities(counts, typed_surfaces(gold), typed_surfaces(predicted))
    pairs, left = claim_pairs(gold, predicted)
    counts["claim", "both"] += len(pairs)
    counts["claim", "missed"] += len(gold.get("claims") or ()) - len(pairs)
    counts["claim", "spurious"] += len(left)
    for ours, theirs in pairs:
        agree = ours["kind"] == theirs.get("kind")
        counts["claim kind", "both" if agree else "missed"] += 1
        _count_sets(counts, "value", numbers(ours), numbers(theirs))
        for field in LINKS:
            _count_links(counts, f"link:{field}", _links(gold, ours, field),
                         _links(predicted, theirs, field))  # fmt: skip
    _count_relations(counts, gold, predicted)
    return counts


def folded(text: str) -> str:
    """Return the text without case and with single spaces."""
    return " ".join(text.casefold().split())


def surface_forms(entity: Row) -> frozenset[str]:
    """Return an entity's folded surface forms, from `surfaces`, else `mentions`, else its name."""
    written = entity.get("surfaces") or [m["text"] for m in entity.get("mentions") or ()]
    return frozenset(map(folded, written)) or frozenset((folded(entity["name"]),))


def typed_surfaces(row: Row) -> dict[tuple[str, str], Row]:
    """Return the entity of each (surface form, type)."""
    return {
        (form, entity["type"].lower()): entity
        for entity in row.get("entities") or ()
        for form in surface_forms(entity)
    }


def numbers(claim: Row) -> set[str]:
    """Return the numbers of a claim without signs, units and spaces."""
    written = claim.get("values") or [r.get("raw") or "" for r in claim.get("results") or ()]
    plain = (number.replace("\\", "").replace(" ", "") for number in written if number)
    return {number.strip("%+-x×") for number in plain}


def overlap(first: str, second: str, text: str) -> float:
    """Return which share of their joint characters two parts of a text have in common."""
    starts = text.find(first), text.find(second)
    if min(starts) < 0:
        return 0.0
    ends = starts[0] + len(first), starts[1] + len(second)
    common = min(ends) - max(starts)
    return common / (len(first) + len(second) - common) if common > 0 else 0.0


def _count_entities(
    counts: Tally, gold: Mapping[tuple[str, str], Row], predicted: Mapping[tuple[str, str], Row]
) -> None:
    for pair in gold.keys() | predicted.keys():
        side = _side(pair in gold, pair in predicted)
        counts["entity", side] += 1
        counts[f"entity:{pair[1]}", side] += 1
    for pair, entity in gold.items():
        if entity.get("named"):
            counts["named", _side(True, pair in predicted)] += 1
    for pair, entity in predicted.items():
        if entity.get("named") and pair not in gold:
            counts["named", "spurious"] += 1
    for pair in gold.keys() & predicted.keys():
        agree = gold[pair].get("role") == predicted[pair].get("role")
        counts["role", "both" if agree else "missed"] += 1


def _side(annotated: bool, predicted: bool) -> str:
    return "both" if annotated and predicted else "missed" if annotated else "spurious"


def claim_pairs(gold: Row, predicted: Row) -> tuple[list[tuple[Row, Row]], list[Row]]:
    """Return the claims that both sides have, and the predicted ones that are left.

    Each annotated claim takes the predicted one that shares most with it, in text order.
    """
    left = list(predicted.get("claims") or ())
    pairs = []
    for claim in gold.get("claims") or ():
        shares = [overlap(claim["text"], other["text"], gold["text"]) for other in left]
        best = max(range(len(left)), key=shares.__getitem__, default=-1)
        if best >= 0 and shares[best] >= _HALF:
            pairs.append((claim, left.pop(best)))
    return pairs, left


def relation_outcomes(gold: Row, predicted: Row) -> tuple[list[tuple[Row, bool]], list[str]]:
    """Return the predicted relations, each with whether it is right, and the types of the missed.

    A relation whose ends are no entities of its abstract does not count.
    """
    rest = [(triple, row) for row in predicted.get("relations") or ()
            if (triple := _triple(predicted, row)) is not None]  # fmt: skip
    outcomes = []
    missed = []
    for relation in gold.get("relations") or ():
        ours = _triple(gold, relation)
        if ours is None:
            continue
        head, kind, tail = ours
        hit = next(
            (i for i, (t, _) in enumerate(rest) if t[1] == kind and t[0] & head and t[2] & tail), -1
        )
        if hit < 0:
            missed.append(kind)
        else:
            outcomes.append((_as_row(rest.pop(hit)[1]), True))
    return [*outcomes, *((_as_row(row), False) for _, row in rest)], missed


def _count_sets(counts: Tally, name: str, gold: set[str], predicted: set[str]) -> None:
    counts[name, "both"] += len(gold & predicted)
    counts[name, "spurious"] += len(predicted - gold)
    counts[name, "missed"] += len(gold - predicted)


def _links(row: Row, claim: Row, field: str) -> list[frozenset[str]]:
    """Return the surface forms of each entity that a claim names in a field."""
    forms = {entity["name"]: surface_forms(entity) for entity in row.get("entities") or ()}
    names = dict.fromkeys(claim.get(field) or ())
    return [forms.get(name, frozenset((folded(name),))) for name in names]


def _count_links(
    counts: Tally, name: str, gold: Sequence[frozenset[str]], predicted: list[frozenset[str]]
) -> None:
    for forms in gold:
        hit = next((other for other in predicted if other & forms), None)
        if hit is not None:
            predicted.remove(hit)
        counts[name, "both" if hit is not None else "missed"] += 1
    counts[name, "spurious"] += len(predicted)


Triple = tuple[frozenset[str], str, frozenset[str]]


def _triple(row: Row, relation: Any) -> Triple | None:
    """Return the surface forms of a relation's ends, and its type; None if an end is unknown."""
    told = _as_row(relation)
    ends: list[Row | None] = [None, None]
    for entity in row.get("entities") or ():
        for at, end in enumerate(("head", "tail")):
            if entity["name"] == told[end]:
                ends[at] = entity
    head, tail = ends
    if head is None or tail is None:
        return None
    return surface_forms(head), str(told["type"]), surface_forms(tail)


def _as_row(relation: Any) -> Row:
    """Return a relation as a mapping; annotation writes [head, type, tail]."""
    if isinstance(relation, Mapping):
        return relation
    head, kind, tail = relation
    return {"head": head, "type": kind, "tail": tail}


def _count_relations(counts: Tally, gold: Row, predicted: Row) -> None:
    told, missed = relation_outcomes(gold, predicted)
    for row, right in told:
        for name in ("relation", f"relation:{row['type']}"):
            counts[name, "both" if right else "spurious"] += 1
    for kind in missed:
        for name in ("relation", f"relation:{kind}"):
            counts[name, "missed"] += 1
