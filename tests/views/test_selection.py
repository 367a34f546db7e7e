"""Which nodes stay when there are too many."""

import pytest

from kg.graph.snapshot import MemorySnapshot
from kg.model.schema import NodeLabel
from kg.views.selection import Selection, around

LABELS = (NodeLabel.PAPER, NodeLabel.METHOD)


def _uses(
    paper: str, method: str, kind: str = "USES", confidence: float = 0.9
) -> dict[str, object]:
    return {
        "id": f"{kind} {paper} {method}",
        "head": paper,
        "tail": method,
        "confidence": confidence,
    }


# Ten papers name m0; m1 is named by eight of them, m2 by four, each mN by one more.
USES = [_uses(f"p{i}", "m0") for i in range(1, 10)]
USES += [_uses(f"p{i}", "m1") for i in range(8)] + [_uses(f"p{i}", "m2") for i in range(4)]
USES += [_uses(f"p{i}", f"x{i}") for i in range(10)]
GRAPH = MemorySnapshot.of_rows(
    {
        "Paper": [{"id": f"p{i}"} for i in range(10)],
        "Method": [{"id": m} for m in ("m0", "m1", "m2", *(f"x{i}" for i in range(10)))],
        "USES.Paper.Method": USES,
        "PROPOSES.Paper.Method": [_uses("p0", "m0", "PROPOSES", 0.5)],
    }
)


def _names(chosen: Selection) -> set[str]:
    return {i for ids in chosen.ids.values() for i in ids.to_pylist()}


def test_everything_is_shown_when_it_fits() -> None:
    """Nothing is left out behind the reader's back."""
    chosen = around(GRAPH, ["m0"], 2, labels=LABELS, max_nodes=500)

    assert len(_names(chosen)) == 23
    assert chosen.left_out == {}


def test_a_ring_leaves_room_for_the_next() -> None:
    """A star of papers without what they have in common shows nothing."""
    chosen = around(GRAPH, ["m0"], 2, labels=LABELS, max_nodes=9)

    assert len(_names(chosen)) == 9
    assert len(chosen.ids[NodeLabel.PAPER]) == 4
    assert {"m1", "m2"} <= _names(chosen)
    assert chosen.left_out == {NodeLabel.PAPER: 6, NodeLabel.METHOD: 8}


def test_the_paper_that_proposes_it_comes_first() -> None:
    """Its role outweighs a higher confidence."""
    chosen = around(GRAPH, ["m0"], 1, labels=LABELS, max_nodes=2)

    assert _names(chosen) == {"m0", "p0"}


def test_what_most_shown_nodes_share_comes_first() -> None:
    """m1 and m2 are in many of the papers, an x in one."""
    chosen = around(GRAPH, ["m0"], 2, labels=LABELS, max_nodes=13, min_confidence=0.6)

    assert {"m1", "m2"} <= _names(chosen)


@pytest.mark.parametrize("most", [1, 2, 3, 7, 12, 22])
def test_it_is_never_more_than_asked_for(most: int) -> None:
    """And the count of what is missing closes."""
    chosen = around(GRAPH, ["m0"], 2, labels=LABELS, max_nodes=most)

    assert len(_names(chosen)) == most
    assert sum(chosen.left_out.values()) == 23 - most


def test_outer_rings_can_be_kept_to_some_labels() -> None:
    """What a paper cites is not what one asks about a name."""
    chosen = around(GRAPH, ["p0"], 2, labels=LABELS, max_nodes=99, outer=(NodeLabel.METHOD,))

    assert _names(chosen) == {"p0", "m0", "m1", "m2", "x0"}
