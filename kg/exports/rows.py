"""The rows of a snapshot, table by table, as Python values in pieces of constant size."""

from collections.abc import Iterator
from typing import Any

from kg.graph.changes import Snapshot
from kg.model.schema import EDGE_TABLES, NODE_TABLES, EdgeTable, NodeTable

# Small enough that a piece of the widest table takes a few megabytes as Python objects.
_ROWS = 2048

Row = dict[str, Any]


def nodes(snapshot: Snapshot) -> Iterator[tuple[NodeTable, Row]]:
    """Yield every node with its table, in the schema's order and by id."""
    for table in NODE_TABLES:
        for row in rows(snapshot, table.name):
            yield table, row


def edges(snapshot: Snapshot) -> Iterator[tuple[EdgeTable, Row]]:
    """Yield every edge with its table, in the schema's order and by id."""
    for table in EDGE_TABLES:
        for row in rows(snapshot, table.name):
            yield table, row


def rows(snapshot: Snapshot, name: str) -> Iterator[Row]:
    """Yield the rows of one table, by id."""
    for batch in snapshot.batches(name):
        for start in range(0, batch.num_rows, _ROWS):
            yield from batch.slice(start, _ROWS).to_pylist()


def display_name(row: Row) -> str:
    """Return what a person would call the node."""
    for key in ("name", "title", "text", "raw"):
        value = row.get(key)
        if value:
            return str(value)
    return str(row["id"])
