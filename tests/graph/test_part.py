"""A part of a graph is a graph: nothing dangles."""

import pyarrow as pa

from kg.graph.part import Part, at_least
from kg.graph.snapshot import MemorySnapshot
from kg.graph.tables import TABLES
from kg.model.schema import NodeLabel

GRAPH = MemorySnapshot.of_rows(
    {
        "Paper": [{"id": "p1"}, {"id": "p2"}],
        "Method": [{"id": "m1"}, {"id": "m2"}, {"id": "m3"}],
        "Claim": [{"id": "c1", "confidence": 0.9}, {"id": "c2", "confidence": 0.1}],
        "USES.Paper.Method": [
            {"id": "e1", "head": "p1", "tail": "m1", "confidence": 0.9},
            {"id": "e2", "head": "p2", "tail": "m2", "confidence": 0.2},
        ],
        "MAKES.Paper.Claim": [
            {"id": "e3", "head": "p1", "tail": "c1", "confidence": 0.9},
            {"id": "e4", "head": "p1", "tail": "c2", "confidence": 0.9},
        ],
        "ABOUT.Claim.Method": [{"id": "e5", "head": "c2", "tail": "m3", "confidence": 0.9}],
        "CITES.Paper.Paper": [{"id": "e6", "head": "p1", "tail": "p2"}],
    }
)


def _ids(snapshot: MemorySnapshot | Part) -> dict[str, list[str]]:
    return {
        name: snapshot.table(name)["id"].to_pylist()
        for name in TABLES
        if snapshot.table(name).num_rows
    }


def test_what_is_uncertain_goes_with_all_that_rested_on_it() -> None:
    """m2 loses its only edge, m3 the claim it was known from; no edge may point to nothing."""
    assert _ids(at_least(GRAPH, 0.5)) == {  # type: ignore[arg-type]
        "Paper": ["p1", "p2"],
        "Method": ["m1"],
        "Claim": ["c1"],
        "USES.Paper.Method": ["e1"],
        "MAKES.Paper.Claim": ["e3"],
        "CITES.Paper.Paper": ["e6"],
    }


def test_at_least_nothing_is_the_whole_graph() -> None:
    """An entity that no edge touches is kept when nobody asked for certainty."""
    assert at_least(GRAPH, 0.0) is GRAPH


def test_a_part_holds_the_chosen_nodes_and_the_edges_between_them() -> None:
    """What is exported of a neighbourhood."""
    part = Part(GRAPH, {NodeLabel.PAPER: pa.array(["p1"]), NodeLabel.METHOD: pa.array(["m1"])})

    assert _ids(part) == {"Paper": ["p1"], "Method": ["m1"], "USES.Paper.Method": ["e1"]}


def test_the_counts_are_those_of_the_rows() -> None:
    """Writers skip tables by their count."""
    part = at_least(GRAPH, 0.5)

    assert dict(part.counts()) == {name: part.table(name).num_rows for name in TABLES}
