"""What the pages of a graph show: the neighbourhood of a name, a paper, or the whole."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

import networkx as nx
import pyarrow as pa
import pyarrow.compute as pc

from kg.errors import NotFoundError
from kg.graph.changes import Snapshot
from kg.graph.part import Part
from kg.graph.subgraph import to_networkx
from kg.model.schema import ENTITY_LABELS, NODE_TABLES, NodeLabel
from kg.views import selection
from kg.views.entity_map import entity_map

DRAWN = (NodeLabel.PAPER, *ENTITY_LABELS)
# Claims in the table of an entity's page; more is reading the corpus.
CLAIMS = 100


@dataclass(frozen=True, slots=True)
class Scene:
    """A graph, which of its nodes are drawn, and what was left out by which rule.

    Nodes that are not drawn are there for the evidence: papers, claims, results.
    """

    kind: str  # entity, paper, overview or part
    graph: "nx.MultiDiGraph[str]"
    drawn: frozenset[str]
    centre: str | None = None
    left_out: Mapping[NodeLabel, int] = field(default_factory=dict)
    rule: str = ""


def scene(
    snapshot: Snapshot,
    node: str | None = None,
    *,
    hops: int | None = None,
    max_nodes: int = 500,
    min_confidence: float = 0.0,
    labels: Collection[NodeLabel] = (),
) -> Scene:
    """Choose what the page of a node, or of the graph, shows.

    Args:
        snapshot: the graph.
        node: id of the node in the middle; None for an overview.
        hops: how far from it; by default 1 around a paper and 2 around anything else.
        max_nodes: draw at most so many; a rule says which.
        min_confidence: leave out what is less certain.
        labels: draw nodes of these labels only; by default papers and entities, around a paper all.
    """
    if node is None:
        return _overview(snapshot, max_nodes, min_confidence, labels or DRAWN)
    label = _label(snapshot, node)
    if label is NodeLabel.PAPER:
        own = _own(snapshot, node)
        chosen = selection.around(
            snapshot,
            [node, *own],
            1 if hops is None else hops,
            labels=labels or tuple(NodeLabel),
            max_nodes=max_nodes,
            min_confidence=min_confidence,
        )
        return _around(snapshot, "paper", node, chosen, min_confidence)
    chosen = selection.around(
        snapshot,
        [node],
        2 if hops is None else hops,
        labels=labels or DRAWN,
        max_nodes=max_nodes,
        min_confidence=min_confidence,
        # The papers that its papers cite are a step further than what one asks about a name.
        outer=labels or (ENTITY_LABELS if hops is None else DRAWN),
    )
    return _around(snapshot, "entity", node, chosen, min_confidence)


def of_networkx(graph: "nx.MultiDiGraph[str]", centre: str | None = None) -> Scene:
    """Show all of a networkx graph that has the attributes of `kg.graph.subgraph`."""
    label = graph.nodes[centre]["label"] if centre is not None else ""
    kind = "part" if centre is None else ("paper" if label == "Paper" else "entity")
    return Scene(kind, graph, frozenset(graph), centre)


def _around(
    snapshot: Snapshot,
    kind: str,
    centre: str,
    chosen: selection.Selection,
    min_confidence: float,
) -> Scene:
    graph = to_networkx(Part(snapshot, chosen.ids, min_confidence=min_confidence))
    drawn = frozenset(graph)
    if kind == "entity":
        around = _claims_about(snapshot, centre, min_confidence)
        around.update(graph)
        graph = around
    return Scene(
        kind,
        _with_papers(snapshot, graph),
        drawn,
        centre,
        chosen.left_out,
        selection.RULE,
    )


def _overview(
    snapshot: Snapshot, max_nodes: int, min_confidence: float, labels: Collection[NodeLabel]
) -> Scene:
    counts = snapshot.counts()
    if sum(counts[label.value] for label in labels) <= max_nodes:
        ids = {label: _ids(snapshot, label) for label in labels}
        graph = to_networkx(Part(snapshot, ids, min_confidence=min_confidence))
        return Scene("overview", _with_papers(snapshot, graph), frozenset(graph))
    if not set(labels) & set(ENTITY_LABELS):
        chosen = selection.busiest(
            snapshot, labels, max_nodes=max_nodes, min_confidence=min_confidence
        )
        graph = to_networkx(Part(snapshot, chosen.ids, min_confidence=min_confidence))
        drawn = frozenset(graph)
        graph = _with_papers(snapshot, graph)
        return Scene("overview", graph, drawn, None, chosen.left_out, selection.BUSIEST)
    found = entity_map(snapshot, max_nodes, min_confidence, labels)
    graph = _with_papers(snapshot, found.graph)
    return Scene("overview", graph, found.drawn, None, found.left_out, found.rule)


def _claims_about(snapshot: Snapshot, entity: str, min_confidence: float) -> "nx.MultiDiGraph[str]":
    """Return the surest claims about an entity, with their results and all that they name."""
    around = [NodeLabel.CLAIM]
    claims = selection.around(
        snapshot,
        [entity],
        1,
        labels=around,
        max_nodes=CLAIMS + 1,
        min_confidence=min_confidence,
    ).ids.get(NodeLabel.CLAIM)
    if claims is None:
        return nx.MultiDiGraph()
    results = selection.around(
        snapshot, claims.to_pylist(), 1, labels=[NodeLabel.RESULT], max_nodes=CLAIMS * 10
    ).ids.get(NodeLabel.RESULT, pa.array([], pa.string()))
    start = [*claims.to_pylist(), *results.to_pylist()]
    ids = selection.around(
        snapshot, start, 1, labels=ENTITY_LABELS, max_nodes=len(start) + CLAIMS * 20
    ).ids
    return to_networkx(Part(snapshot, ids, min_confidence=min_confidence))


def _with_papers(snapshot: Snapshot, graph: "nx.MultiDiGraph[str]") -> "nx.MultiDiGraph[str]":
    """Add the papers that the evidence in the graph comes from."""
    wanted = {data["paper"] for _, _, data in graph.edges(data=True) if data.get("paper")}
    wanted |= {data["paper"] for _, data in graph.nodes(data=True) if data.get("paper")}
    missing = pa.array(sorted(wanted - set(graph)), pa.string())
    if len(missing):
        papers = to_networkx(Part(snapshot, {NodeLabel.PAPER: missing}))
        graph.add_nodes_from(papers.nodes(data=True))
    return graph


def _label(snapshot: Snapshot, node: str) -> NodeLabel:
    for table in NODE_TABLES:
        for batch in snapshot.batches(table.name, ["id"]):
            if pc.any(pc.equal(batch["id"], node)).as_py():
                return table.label
    raise NotFoundError(f"{node}: the graph holds no such node", "Look it up with kg show NAME.")


def _own(snapshot: Snapshot, paper: str) -> list[str]:
    """Return the claims and results of a paper."""
    found: list[str] = []
    for label in (NodeLabel.CLAIM, NodeLabel.RESULT):
        for batch in snapshot.batches(label.value, ["id", "paper"]):
            found += batch["id"].filter(pc.equal(batch["paper"], paper)).to_pylist()
    return found


def _ids(snapshot: Snapshot, label: NodeLabel) -> pa.Array:
    parts = [batch["id"] for batch in snapshot.batches(label.value, ["id"])]
    return pa.concat_arrays(parts) if parts else pa.array([], pa.string())
