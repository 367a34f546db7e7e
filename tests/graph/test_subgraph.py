"""What lies around a node, and as networkx."""

import pytest

from kg.graph.snapshot import MemorySnapshot
from kg.graph.subgraph import neighbourhood, reach, to_networkx
from kg.model.schema import NodeLabel

# m1 - p1 - m2 - p2 - m3, and one venue that published both papers.
GRAPH = MemorySnapshot.of_rows(
    {
        "Paper": [{"id": "p1", "title": "One", "year": 2024}, {"id": "p2", "title": "Two"}],
        "Method": [{"id": "m1"}, {"id": "m2"}, {"id": "m3"}],
        "Venue": [{"id": "v"}],
        "USES.Paper.Method": [
            {"id": "e1", "head": "p1", "tail": "m1", "confidence": 0.9},
            {"id": "e2", "head": "p1", "tail": "m2", "confidence": 0.9},
            {"id": "e3", "head": "p2", "tail": "m2", "confidence": 0.3},
            {"id": "e4", "head": "p2", "tail": "m3", "confidence": 0.9},
        ],
        "PUBLISHED_IN.Paper.Venue": [
            {"id": "e5", "head": "p1", "tail": "v"},
            {"id": "e6", "head": "p2", "tail": "v"},
        ],
    }
)


def _rings(start: str, hops: int, *labels: NodeLabel, min_confidence: float = 0.0) -> list[str]:
    found = reach(
        GRAPH, [start], hops, labels=labels or tuple(NodeLabel), min_confidence=min_confidence
    )
    return [
        " ".join(sorted(i for ids in ring.values() for i in ids.to_pylist()))
        for ring in found.rings
    ]


def test_a_ring_holds_what_is_exactly_so_far() -> None:
    """Edges are followed both ways: who uses a method is around it."""
    assert _rings("m1", 3) == ["m1", "p1", "m2 v", "p2"]


def test_a_venue_is_reached_but_not_gone_through() -> None:
    """Everything on arXiv is not a neighbourhood; asked for itself, a venue has one."""
    assert _rings("m1", 3, min_confidence=0.5) == ["m1", "p1", "m2 v", ""]
    assert _rings("v", 1) == ["v", "p1 p2"]


def test_labels_bound_where_it_goes() -> None:
    """A page of methods and papers must not spend its places on venues."""
    assert _rings("p1", 2, NodeLabel.METHOD) == ["p1", "m1 m2", ""]


def test_an_unknown_start_reaches_nothing() -> None:
    """An id from another graph."""
    assert _rings("nobody", 2) == ["", "", ""]


def test_a_neighbourhood_is_a_networkx_graph_with_what_the_tables_say() -> None:
    """The form that people analyse."""
    graph = neighbourhood(GRAPH, ["m1"], 1)

    assert {n: graph.nodes[n] for n in graph} == {
        "p1": {"label": "Paper", "title": "One", "year": 2024},
        "m1": {"label": "Method"},
    }
    assert list(graph.edges(keys=True, data=True)) == [
        ("p1", "m1", "e1", {"type": "USES", "id": "e1", "confidence": 0.9})
    ]


@pytest.mark.parametrize(("hops", "edges"), [(0, 0), (1, 1), (2, 3), (9, 6)])
def test_every_edge_between_the_nodes_is_there(hops: int, edges: int) -> None:
    """Also those that no shortest path uses."""
    assert neighbourhood(GRAPH, ["m1"], hops).number_of_edges() == edges


def test_the_whole_graph_can_be_had() -> None:
    """Small graphs are analysed whole."""
    graph = to_networkx(GRAPH)

    assert (graph.number_of_nodes(), graph.number_of_edges()) == (6, 6)
