"""A node with everything that touches it, each edge with its evidence, out of the tables."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from kg.graph.changes import Snapshot
from kg.model.schema import EDGE_TABLES, EdgeTable, NodeLabel, RelationshipType, node_table

_SHOWN = {
    NodeLabel.PAPER: "title",
    NodeLabel.CLAIM: "text",
    NodeLabel.RESULT: "raw",
}


@dataclass(frozen=True, slots=True)
class Touching:
    """An edge, seen from one of its ends."""

    type: RelationshipType
    outward: bool  # from the node to the other
    other_label: NodeLabel
    other: str  # id
    other_name: str
    properties: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Description:
    """A node and the edges that touch it, in the schema's order, the most certain first."""

    label: NodeLabel
    properties: dict[str, Any]
    edges: tuple[Touching, ...]


def describe(snapshot: Snapshot, label: NodeLabel, node: str) -> Description:
    """Return what the graph says of a node that it holds."""
    row = _row(snapshot, label, node)
    edges = [edge for table in EDGE_TABLES for edge in _touching(snapshot, table, label, node)]
    names = _names(snapshot, {(edge.other_label, edge.other) for edge in edges})
    named = (
        Touching(
            edge.type,
            edge.outward,
            edge.other_label,
            edge.other,
            names[edge.other_label, edge.other],
            edge.properties,
        )
        for edge in edges
    )
    return Description(label, row, tuple(named))


def count_without_text(snapshot: Snapshot) -> tuple[int, int]:
    """Return how many known papers have no abstract that was read, and how many there are."""
    bare = known = 0
    for batch in snapshot.batches("Paper", ["known", "model"]):
        rows = batch.filter(pc.fill_null(batch["known"], False))
        known += rows.num_rows
        bare += rows["model"].null_count
    return bare, known


def _row(snapshot: Snapshot, label: NodeLabel, node: str) -> dict[str, Any]:
    for batch in snapshot.batches(node_table(label).name):
        rows = batch.filter(pc.equal(batch["id"], node))
        if rows.num_rows:
            found: dict[str, Any] = rows.to_pylist()[0]
            return found
    raise KeyError(node)


def _touching(
    snapshot: Snapshot, table: EdgeTable, label: NodeLabel, node: str
) -> Iterator[Touching]:
    for end, other, own, there in (
        ("head", "tail", table.head, table.tail),
        ("tail", "head", table.tail, table.head),
    ):
        if own is not label:
            continue
        rows = []
        for batch in snapshot.batches(table.name):
            rows += batch.filter(pc.equal(batch[end], node)).to_pylist()
        rows.sort(key=lambda row: (-(row.get("confidence") or 0.0), row["id"]))
        for row in rows:
            yield Touching(table.type, end == "head", there, row[other], "", row)


def _names(
    snapshot: Snapshot, wanted: set[tuple[NodeLabel, str]]
) -> dict[tuple[NodeLabel, str], str]:
    """Return what to call nodes: by name, title or words, else by id."""
    names = {key: key[1] for key in wanted}
    for label in sorted({label for label, _ in wanted}):
        shown = _SHOWN.get(label, "name")
        ids = pa.array(sorted(id_ for own, id_ in wanted if own is label), pa.string())
        for batch in snapshot.batches(node_table(label).name):
            rows = batch.filter(pc.is_in(batch["id"], ids))
            for id_, name in zip(rows["id"].to_pylist(), rows[shown].to_pylist(), strict=True):
                names[label, id_] = name or id_
    return names
