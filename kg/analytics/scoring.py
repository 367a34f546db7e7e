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
from collections.abc import Iterable, Mapping, Sequence
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
    for left, right in _same_claims(counts, gold, predicted):
        agree = left["kind"] == right.get("kind")
        counts["claim kind", "both" if agree else "missed"] += 1
        _count_sets(counts, "value", numbers(left), numbers(right))
        for field in LINKS:
            _count_links(counts, f"link:{field}", _links(gold, left, field),
                         _links(predicted, right, field))  # fmt: skip
    _count_relations(counts, _triples(gold), _triples(predicted))
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


def _same_claims(counts: Tally, gold: Row, predicted: Row) -> Iterable[tuple[Row, Row]]:
    """Yield the claims that both sides have; each annotated one takes the nearest that is left."""
    left = list(predicted.get("claims") or ())
    for claim in gold.get("claims") or ():
        shares = [overlap(claim["text"], other["text"], gold["text"]) for other in left]
        best = max(range(len(left)), key=shares.__getitem__, default=-1)
        if best < 0 or shares[best] < _HALF:
            counts["claim", "missed"] += 1
            continue
        counts["claim", "both"] += 1
        yield claim, left.pop(best)
    counts["claim", "spurious"] += len(left)


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


def _triples(row: Row) -> list[Triple]:
    forms = {entity["name"]: surface_forms(entity) for entity in row.get("entities") or ()}
    found = []
    for relation in row.get("relations") or ():
        if isinstance(relation, Mapping):
            head, kind, tail = relation["head"], relation["type"], relation["tail"]
        else:
            head, kind, tail = relation
        if head in forms and tail in forms:
            found.append((forms[head], str(kind), forms[tail]))
    return found


def _count_relations(counts: Tally, gold: list[Triple], predicted: list[Triple]) -> None:
    for head, kind, tail in gold:
        hit = next(
            (one for one in predicted if one[1] == kind and one[0] & head and one[2] & tail), None
        )
        if hit is not None:
            predicted.remove(hit)
        for name in ("relation", f"relation:{kind}"):
            counts[name, "both" if hit is not None else "missed"] += 1
    for _, kind, _ in predicted:
        for name in ("relation", f"relation:{kind}"):
            counts[name, "spurious"] += 1
