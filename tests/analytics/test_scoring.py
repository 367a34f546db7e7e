"""The figures of `kg eval` are those of the annotation's own scorer.

The second implementation below was written from the words of that scorer, counts with lists
instead of counters, and must give the same numbers.
"""

import random
from typing import Any

import pytest

from kg.analytics.scoring import LINKS, Outcome, overlap, score

TEXT = (
    "We present LeafNet, a tree network. LeafNet (LN) reaches 91.5% accuracy on OpenTrees. "
    "It beats RootNet by 3.2 points. Trees are hard to parse."
)
GOLD: dict[str, Any] = {
    "id": "t1",
    "text": TEXT,
    "entities": [
        {"name": "LeafNet", "surfaces": ["LeafNet", "LN"], "type": "method", "named": True,
         "role": "proposed"},
        {"name": "RootNet", "surfaces": ["RootNet"], "type": "method", "named": True,
         "role": "compared"},
        {"name": "OpenTrees", "surfaces": ["OpenTrees"], "type": "dataset", "named": True,
         "role": "evaluated_on"},
        {"name": "accuracy", "surfaces": ["accuracy"], "type": "metric", "named": False,
         "role": "used"},
    ],
    "claims": [
        {"text": "LeafNet (LN) reaches 91.5% accuracy on OpenTrees.", "kind": "performance",
         "about": ["LeafNet"], "compared_to": [], "on": ["OpenTrees"], "metrics": ["accuracy"],
         "values": ["91.5%"]},
        {"text": "It beats RootNet by 3.2 points.", "kind": "performance", "about": ["LeafNet"],
         "compared_to": ["RootNet"], "on": [], "metrics": [], "values": ["3.2"]},
    ],
    "relations": [["LeafNet", "OUTPERFORMS", "RootNet"], ["LeafNet", "EVALUATED_ON", "OpenTrees"]],
}  # fmt: skip
PREDICTED: dict[str, Any] = {
    "id": "t1",
    "entities": [
        {"name": "LN", "type": "method", "named": True, "role": "proposed",
         "mentions": [{"start": 46, "end": 48, "text": "LN"}]},
        {"name": "Trees", "surfaces": ["Trees"], "type": "dataset", "named": True,
         "role": "used"},
        {"name": "accuracy", "surfaces": ["Accuracy"], "type": "metric", "named": False,
         "role": "addressed"},
    ],
    "claims": [
        {"text": "LeafNet (LN) reaches 91.5% accuracy on OpenTrees.", "kind": "finding",
         "about": ["LN"], "on": ["Trees"], "metrics": ["accuracy"],
         "results": [{"raw": "91.5\\%"}, {"raw": "2024"}]},
        {"text": "Trees are hard to parse.", "kind": "finding"},
    ],
    "relations": [{"head": "LN", "type": "EVALUATED_ON", "tail": "Trees"}],
}  # fmt: skip


def test_an_abstract_worked_out_by_hand() -> None:
    """Every figure, counted on fingers."""
    assert score({"t1": GOLD}, {"t1": PREDICTED}) == {
        # both: ln, accuracy; spurious: trees; missed: leafnet, rootnet, opentrees
        "entity": Outcome(2, 1, 3),
        "entity:method": Outcome(1, 0, 2),
        "entity:dataset": Outcome(0, 1, 1),
        "entity:metric": Outcome(1, 0, 0),
        # of leafnet, ln, rootnet, opentrees only ln; trees is said to be named and is not there
        "named": Outcome(1, 1, 3),
        "role": Outcome(1, 0, 1),
        "claim": Outcome(1, 1, 1),
        "claim kind": Outcome(0, 0, 1),
        "value": Outcome(1, 1, 0),
        "link:about": Outcome(1, 0, 0),
        "link:compared_to": Outcome(0, 0, 0),
        "link:on": Outcome(0, 1, 1),
        "link:metrics": Outcome(1, 0, 0),
        "relation": Outcome(0, 1, 2),
        "relation:OUTPERFORMS": Outcome(0, 0, 1),
        "relation:EVALUATED_ON": Outcome(0, 1, 1),
    }


def test_an_abstract_that_was_not_predicted_is_missed_whole() -> None:
    """A pipeline that skips hard texts must not look better for it."""
    figures = score({"t1": GOLD}, {})
    assert figures["entity"] == Outcome(0, 0, 5)
    assert figures["claim"] == Outcome(0, 0, 2)
    assert figures["relation"] == Outcome(0, 0, 2)


def test_f1_precision_and_recall_by_hand() -> None:
    """3 of 4 predicted are right, 3 of 6 annotated are found: 2 * .75 * .5 / 1.25 = .6."""
    outcome = Outcome(both=3, spurious=1, missed=3)
    assert (outcome.precision, outcome.recall) == (0.75, 0.5)
    assert outcome.f1 == pytest.approx(0.6)
    assert Outcome().f1 == 0.0


def test_overlap_counts_joint_characters() -> None:
    """Of 'abcd' and 'cdef' two of six characters are common."""
    assert overlap("abcd", "cdef", "abcdef") == pytest.approx(2 / 6)
    assert overlap("ab", "ef", "abcdef") == 0.0
    assert overlap("ab", "zz", "abcdef") == 0.0


@pytest.mark.parametrize("seed", range(8))
def test_both_implementations_count_the_same(seed: int) -> None:
    """On abstracts that were damaged at random."""
    rng = random.Random(seed)  # noqa: S311 - not for secrets
    gold = {str(i): GOLD for i in range(6)}
    predicted = {str(i): _damaged(rng) for i in range(5)}
    figures = score(gold, predicted)
    expected = _by_lists(gold, predicted)
    assert {n: (o.both, o.spurious, o.missed) for n, o in figures.items()} == {
        name: tuple(counts) for name, counts in expected.items()
    }


def _damaged(rng: random.Random) -> dict[str, Any]:
    """The annotation with things left out, added and changed."""
    row: dict[str, Any] = {"text": TEXT, "entities": [], "claims": [], "relations": []}
    for entity in GOLD["entities"]:
        if rng.random() < 0.8:
            changed = dict(entity, surfaces=list(entity["surfaces"]))
            if rng.random() < 0.3:
                changed["type"] = rng.choice(["task", "metric"])
            if rng.random() < 0.3:
                changed["role"] = "mentioned"
            if rng.random() < 0.3:
                changed["surfaces"].append("TREE  networks")
                changed["named"] = True
            row["entities"].append(changed)
    for claim in GOLD["claims"]:
        if rng.random() < 0.8:
            changed = dict(claim)
            cut = rng.choice([0, 8, 20])
            changed["text"] = claim["text"][cut:]
            changed["kind"] = rng.choice(["performance", "finding"])
            changed["values"] = rng.choice([[], ["91.5 %", "7"], claim["values"]])
            changed["about"] = rng.choice([[], ["LeafNet", "RootNet"], ["nothing"]])
            row["claims"].append(changed)
    for head, kind, tail in GOLD["relations"]:
        if rng.random() < 0.8:
            row["relations"].append(rng.choice([[head, kind, tail], [tail, kind, head]]))
    return row


def _by_lists(gold: dict[str, Any], predicted: dict[str, Any]) -> dict[str, list[int]]:
    """The same figures, counted another way."""
    counts: dict[str, list[int]] = {}

    def add(name: str, in_gold: bool, in_predicted: bool) -> None:
        held = counts.setdefault(name, [0, 0, 0])
        held[0 if in_gold and in_predicted else 2 if in_gold else 1] += 1

    def forms(entity: dict[str, Any]) -> list[str]:
        return [" ".join(s.lower().split()) for s in entity["surfaces"]]

    def named(row: dict[str, Any], name: str) -> list[str]:
        return next((forms(e) for e in row["entities"] if e["name"] == name), [name.lower()])

    for key, right in gold.items():
        left = predicted.get(key, {"entities": [], "claims": [], "relations": []})
        ours = {(f, e["type"]): e for e in right["entities"] for f in forms(e)}
        theirs = {(f, e["type"]): e for e in left["entities"] for f in forms(e)}
        for pair in [*ours, *(p for p in theirs if p not in ours)]:
            for name in ("entity", f"entity:{pair[1]}"):
                add(name, pair in ours, pair in theirs)
            if pair in ours and ours[pair]["named"]:
                add("named", True, pair in theirs)
            elif pair not in ours and theirs[pair]["named"]:
                add("named", False, True)
            if pair in ours and pair in theirs:
                add("role", True, ours[pair]["role"] == theirs[pair]["role"])
        rest = list(left["claims"])
        for claim in right["claims"]:
            shares = {id(c): overlap(claim["text"], c["text"], TEXT) for c in rest}
            rest.sort(key=lambda c: -shares[id(c)])
            hit = bool(rest) and overlap(claim["text"], rest[0]["text"], TEXT) >= 0.5
            add("claim", True, hit)
            if not hit:
                continue
            other = rest.pop(0)
            add("claim kind", True, claim["kind"] == other["kind"])
            a, b = ([v.replace(" ", "").strip("%") for v in c["values"]] for c in (claim, other))
            counts.setdefault("value", [0, 0, 0])
            for value in dict.fromkeys(a + b):
                add("value", value in a, value in b)
            for field in LINKS:
                counts.setdefault(f"link:{field}", [0, 0, 0])
                free = [named(left, n) for n in dict.fromkeys(other[field])]
                for name in dict.fromkeys(claim[field]):
                    same = [f for f in free if set(f) & set(named(right, name))]
                    add(f"link:{field}", True, bool(same))
                    if same:
                        free.remove(same[0])
                for _ in free:
                    add(f"link:{field}", False, True)
        for _ in rest:
            add("claim", False, True)
        known = {e["name"] for e in left["entities"]}
        free_relations = [r for r in left["relations"] if r[0] in known and r[2] in known]
        for head, kind, tail in right["relations"]:
            hits = [
                r
                for r in free_relations
                if r[1] == kind
                and set(named(right, head)) & set(named(left, r[0]))
                and set(named(right, tail)) & set(named(left, r[2]))
            ]
            for name in ("relation", f"relation:{kind}"):
                add(name, True, bool(hits))
            if hits:
                free_relations.remove(hits[0])
        for relation in free_relations:
            for name in ("relation", f"relation:{relation[1]}"):
                add(name, False, True)
    return counts
