"""A part of the graph around some nodes, and any part as a networkx graph.

Everything up to the chosen rows happens on Arrow tables, a batch at a time: what becomes Python
objects is what was asked for, however large the graph is.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import networkx as nx
import pyarrow as pa
import pyarrow.compute as pc

from kg.graph.changes import Snapshot
from kg.graph.part import Part, confident, flat
from kg.model.schema import EDGE_TABLES, NODE_TABLES, EdgeTable, NodeLabel

# A venue joins papers that have nothing else in common: it is reached, but not gone through.
NOT_THROUGH = frozenset({NodeLabel.VENUE})

Ids = Mapping[NodeLabel, pa.Array]


@dataclass(frozen=True, slots=True)
class Reach:
    """The nodes within some hops of the first ones; `rings[d]` holds those at distance d."""

    rings: tuple[Ids, ...]

    @property
    def ids(self) -> Ids:
        """All of them, by label."""
        return _union(self.rings)

    def count(self) -> int:
        """How many nodes there are."""
        return sum(len(ids) for ring in self.rings for ids in ring.values())


def reach(
    snapshot: Snapshot,
    start: Iterable[str],
    hops: int = 1,
    *,
    labels: Collection[NodeLabel] = tuple(NodeLabel),
    min_confidence: float = 0.0,
) -> Reach:
    """Return the nodes within `hops` edges of the start, whatever the direction of the edges.

    Args:
        snapshot: the graph.
        start: ids of nodes; those that the graph does not hold are left out.
        hops: how far to go.
        labels: go to nodes of these labels only; the start may have others.
        min_confidence: go along edges that are at least so certain.
    """
    rings: list[Ids] = [_labelled(snapshot, start)]
    for _ in range(hops):
        known = _union(rings)
        ring: dict[NodeLabel, list[pa.Array]] = {}
        for table in EDGE_TABLES:
            for here, there, near, far in _ways(table):
                frontier = rings[-1].get(near)
                if not frontier or far not in labels or (near in NOT_THROUGH and len(rings) > 1):
                    continue
                for batch in _ends(snapshot, table):
                    mask = pc.is_in(batch[here], value_set=frontier)
                    if "confidence" in batch.schema.names:
                        mask = pc.and_(mask, confident(batch["confidence"], min_confidence))
                    found = pc.unique(batch[there].filter(mask))
                    if len(found):
                        ring.setdefault(far, []).append(found)
        new = {}
        for label, parts in ring.items():
            ids = pc.unique(pa.concat_arrays(parts))
            if label in known:
                ids = ids.filter(pc.invert(pc.is_in(ids, value_set=known[label])))
            if len(ids):
                new[label] = ids.take(pc.sort_indices(ids))
        rings.append(new)
    return Reach(tuple(rings))


def neighbourhood(
    snapshot: Snapshot,
    start: Iterable[str],
    hops: int = 1,
    *,
    labels: Collection[NodeLabel] = tuple(NodeLabel),
    min_confidence: float = 0.0,
) -> "nx.MultiDiGraph[str]":
    """Return the nodes within some hops and every edge between them, as a networkx graph."""
    found = reach(snapshot, start, hops, labels=labels, min_confidence=min_confidence)
    return to_networkx(Part(snapshot, found.ids, min_confidence=min_confidence))


def to_networkx(snapshot: Snapshot) -> "nx.MultiDiGraph[str]":
    """Return a graph, or a part of one, as networkx has it.

    A node has `label` and its properties, an edge `type`, `id` and its properties; the edge's key
    is its id. A property that is null is left out.
    """
    graph: nx.MultiDiGraph[str] = nx.MultiDiGraph(build=snapshot.build)
    for node_table in NODE_TABLES:
        for row in _rows(snapshot, node_table.name):
            graph.add_node(row.pop("id"), label=node_table.label.value, **row)
    for edge_table in EDGE_TABLES:
        for row in _rows(snapshot, edge_table.name):
            head, tail = row.pop("head"), row.pop("tail")
            graph.add_edge(head, tail, key=row["id"], type=edge_table.type.value, **row)
    return graph


def _rows(snapshot: Snapshot, name: str) -> Iterator[dict[str, Any]]:
    for batch in snapshot.batches(name):
        for row in batch.to_pylist():
            yield {key: value for key, value in row.items() if value is not None}


def _labelled(snapshot: Snapshot, ids: Iterable[str]) -> Ids:
    wanted = pa.array(sorted(set(ids)), pa.string())
    found = {}
    for table in NODE_TABLES:
        held = [
            batch["id"].filter(pc.is_in(batch["id"], value_set=wanted))
            for batch in snapshot.batches(table.name, ["id"])
        ]
        together = pa.concat_arrays([flat(part) for part in held]) if held else None
        if together is not None and len(together):
            found[table.label] = together
    return found


def _ways(table: EdgeTable) -> tuple[tuple[str, str, NodeLabel, NodeLabel], ...]:
    return (("head", "tail", table.head, table.tail), ("tail", "head", table.tail, table.head))


def _ends(snapshot: Snapshot, table: EdgeTable) -> Iterator[pa.RecordBatch]:
    confidence = [p.name for p in table.properties if p.name == "confidence"]
    return snapshot.batches(table.name, ["head", "tail", *confidence])


def _union(rings: Iterable[Ids]) -> Ids:
    together: dict[NodeLabel, list[pa.Array]] = {}
    for ring in rings:
        for label, ids in ring.items():
            together.setdefault(label, []).append(ids)
    return {label: pa.concat_arrays(parts) for label, parts in together.items()}
