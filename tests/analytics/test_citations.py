"""Pairs of papers by citations, worked out by hand."""

import math

from kg.analytics.cocitation import cocitation
from kg.analytics.coupling import coupling
from kg.graph.snapshot import MemorySnapshot

# a cites x, y, z; b cites x, y; c cites z. a cites itself by mistake, and x twice.
CITES = ["a x", "a y", "a z", "b x", "b y", "c z", "a a"]
GRAPH = MemorySnapshot.of_rows(
    {
        "CITES.Paper.Paper": [
            *({"id": pair, "head": pair[0], "tail": pair[2]} for pair in CITES),
            {"id": "again", "head": "a", "tail": "x"},
        ]
    }
)


def test_papers_that_cite_the_same_are_coupled() -> None:
    """Papers a and b share two of three and two citations: 2 / sqrt(3 * 2)."""
    assert coupling(GRAPH, least=1).to_pylist() == [
        {"paper": "a", "other": "b", "shared": 2, "strength": 2 / math.sqrt(6)},
        {"paper": "a", "other": "c", "shared": 1, "strength": 1 / math.sqrt(3)},
    ]


def test_papers_that_are_cited_together_are_cocited() -> None:
    """Papers a and b cite x and y; z is cited by a with each of them."""
    assert cocitation(GRAPH, least=1).to_pylist() == [
        {"paper": "x", "other": "y", "shared": 2, "strength": 1.0},
        {"paper": "x", "other": "z", "shared": 1, "strength": 0.5},
        {"paper": "y", "other": "z", "shared": 1, "strength": 0.5},
    ]


def test_weak_pairs_are_left_out() -> None:
    """One shared citation is chance."""
    assert coupling(GRAPH)["other"].to_pylist() == ["b"]


def test_a_graph_without_citations_has_no_pairs() -> None:
    """Abstracts alone often cite nothing."""
    empty = MemorySnapshot("memory", {})

    assert coupling(empty).num_rows == 0
    assert cocitation(empty).column_names == ["paper", "other", "shared", "strength"]
