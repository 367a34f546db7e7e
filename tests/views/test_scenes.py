"""What each page shows."""

import pytest

from kg.errors import NotFoundError
from kg.graph.snapshot import MemorySnapshot
from kg.model.schema import NodeLabel
from kg.views.page import render
from kg.views.scenes import scene


def test_a_small_graph_is_drawn_whole(snapshot: MemorySnapshot) -> None:
    """Papers and entities; claims, results, authors and venues on demand."""
    shown = scene(snapshot)

    assert shown.drawn == {"doi:10.1/a", "method:walker", "method:runner", "dataset:track"}
    assert shown.left_out == {}


def test_a_large_graph_becomes_a_map_of_what_most_papers_name(fields: MemorySnapshot) -> None:
    """The four that many papers name, joined field by field, with papers as evidence."""
    shown = scene(fields, max_nodes=4)

    assert shown.drawn == {"m0", "m1", "d0", "d1"}
    together = {
        (head, tail): data["count"]
        for head, tail, data in shown.graph.edges(data=True)
        if data["type"] == "NAMED_TOGETHER"
    }
    assert together == {("d0", "m0"): 20, ("d1", "m1"): 20} or together == {
        ("m0", "d0"): 20,
        ("m1", "d1"): 20,
    }
    assert shown.left_out == {NodeLabel.METHOD: 40, NodeLabel.PAPER: 40}
    evidence = [d for _, _, d in shown.graph.edges(data=True) if d["type"] != "NAMED_TOGETHER"]
    assert evidence
    assert all(d["sentence"] for d in evidence)


def test_the_map_counts_what_is_certain_enough(fields: MemorySnapshot) -> None:
    """A tie of ten doubtful papers is not a tie."""
    shown = scene(fields, max_nodes=4, min_confidence=0.5)

    counts = [d["count"] for _, _, d in shown.graph.edges(data=True) if "count" in d]
    assert counts == [15, 15]


def test_a_papers_page_shows_all_that_is_its_own(snapshot: MemorySnapshot) -> None:
    """Results are two steps from the paper, but they are its results."""
    shown = scene(snapshot, "doi:10.1/a")

    assert shown.kind == "paper"
    assert {shown.graph.nodes[n]["label"] for n in shown.drawn} == {
        "Paper",
        "Method",
        "Dataset",
        "Claim",
        "Result",
    }


def test_a_names_page_has_the_claims_about_it_but_does_not_draw_them(
    snapshot: MemorySnapshot,
) -> None:
    """They stand in the table, with their results."""
    shown = scene(snapshot, "method:walker")

    claims = [n for n in shown.graph if shown.graph.nodes[n]["label"] == "Claim"]
    assert len(claims) == 1
    assert not shown.drawn & set(claims)


def test_labels_choose_what_is_drawn(snapshot: MemorySnapshot) -> None:
    """Only the methods around it, please."""
    shown = scene(snapshot, "method:walker", labels=[NodeLabel.METHOD])

    assert shown.drawn == {"method:walker", "method:runner"}


def test_a_node_that_is_not_there_is_named(snapshot: MemorySnapshot) -> None:
    """An id from another graph."""
    with pytest.raises(NotFoundError, match="method:nobody"):
        scene(snapshot, "method:nobody")


def test_an_overview_of_papers_shows_those_with_most_edges(fields: MemorySnapshot) -> None:
    """A map needs entities; whoever asks for papers gets papers."""
    shown = scene(fields, labels=[NodeLabel.PAPER], max_nodes=5, min_confidence=0.5)

    # The first thirty have three certain edges each, the others two.
    assert shown.drawn == {"p00", "p01", "p02", "p03", "p04"}
    assert shown.left_out == {NodeLabel.PAPER: 35}


def test_a_graph_of_nothing_has_a_page() -> None:
    """Every abstract was rejected, or a confidence was asked for that nothing has."""
    shown = scene(MemorySnapshot("memory", {}))

    assert shown.drawn == frozenset()
    assert "0 nodes" in render(shown)
