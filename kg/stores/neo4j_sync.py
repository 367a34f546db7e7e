"""Applying the difference of two builds to a Neo4j; every transaction can be repeated."""

from typing import Any, cast

import neo4j
import pyarrow as pa

from kg.graph.changes import Changes, TableChange
from kg.graph.tables import Table
from kg.model.schema import EdgeTable
from kg.stores.neo4j_lease import Lease
from kg.stores.neo4j_load import Progress
from kg.stores.neo4j_rows import Row, sized
from kg.stores.neo4j_statements import (
    columns,
    delete_statement,
    merge_statement,
    return_statement,
)


def apply_changes(lease: Lease, changes: Changes, progress: Progress) -> None:
    """Take away edges, then nodes; then write nodes, then edges."""
    edges = [c for c in changes.tables if isinstance(c.table, EdgeTable)]
    nodes = [c for c in changes.tables if not isinstance(c.table, EdgeTable)]
    for change in (*edges, *nodes):
        if change.went.num_rows:
            write_rows(lease, change.table, delete_statement(change.table), change.went)
    for change in (*nodes, *edges):
        _bring(lease, change)
        progress(change.table.name, change.size, change.size)


def _bring(lease: Lease, change: TableChange) -> None:
    table = change.table
    for rows in (change.came, change.changed):
        if not rows.num_rows:
            continue
        if not isinstance(table, EdgeTable):
            write_rows(lease, table, return_statement(table), rows)
        write_rows(lease, table, merge_statement(table), rows)


def write_rows(lease: Lease, table: Table, statement: str, rows: pa.Table) -> None:
    """Run a statement over all rows, batch by batch."""

    def write(tx: neo4j.ManagedTransaction, batch: list[Row]) -> None:
        given = {"rows": batch, "graph": lease.graph, "label": table.name}
        tx.run(cast("Any", statement), given).consume()

    for batch in sized([rows], columns(table)):
        lease.run(write, batch)
