"""What is asked of a ladybug connection: filling its tables, counting them, applying changes."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import ladybug
import pyarrow as pa
import pyarrow.parquet as pq

from kg.graph.changes import Snapshot, TableChange
from kg.graph.tables import TABLES
from kg.model.schema import EDGE_TABLES, NODE_TABLES, EdgeTable
from kg.stores.cypher.tokens import quote
from kg.stores.embedded_tables import (
    copy_edges_statement,
    copy_statement,
    create_statements,
    scanned,
)


@contextlib.contextmanager
def opened(path: Path, *, read_only: bool = False) -> Iterator[ladybug.Connection]:
    """Open a database file and close it again, whatever happens."""
    database = ladybug.Database(str(path), read_only=read_only)
    try:
        connection = ladybug.Connection(database)
        try:
            yield connection
        finally:
            connection.close()
    finally:
        database.close()


def fill(connection: ladybug.Connection, snapshot: Snapshot, scratch: Path) -> None:
    """Make all tables and fill them from Parquet, in one transaction."""
    for statement in create_statements():
        connection.execute(statement)
    connection.execute("BEGIN TRANSACTION")
    for name, count in snapshot.counts().items():
        if count:
            files = snapshot.files(name) or (_written(snapshot.table(name), scratch, name),)
            connection.execute(copy_statement(TABLES[name], files))
    connection.execute("COMMIT")


def table_counts(connection: ladybug.Connection) -> dict[str, int]:
    """Count the rows of every table."""
    counts = {}
    for node in NODE_TABLES:
        counts[node.name] = _single(connection, f"MATCH (n:{quote(node.name)}) RETURN count(*)")
    for edge in EDGE_TABLES:
        counts[edge.name] = _single(
            connection,
            f"MATCH (:{quote(edge.head)})-[r:{quote(edge.type)}]->(:{quote(edge.tail)}) "
            "RETURN count(*)",
        )
    return counts


def _single(connection: ladybug.Connection, cypher: str) -> int:
    result = cast("ladybug.QueryResult", connection.execute(cypher))
    return int(cast("list[Any]", result.get_next())[0])


def apply_changes(
    connection: ladybug.Connection, tables: tuple[TableChange, ...], scratch: Path
) -> None:
    """Take away edges, then nodes; then bring nodes, then edges: in one transaction."""
    nodes = [c for c in tables if not isinstance(c.table, EdgeTable)]
    edges = [(c.table, c) for c in tables if isinstance(c.table, EdgeTable)]
    connection.execute("BEGIN TRANSACTION")
    for table, change in edges:
        for rows in (change.went, change.before):
            if rows.num_rows:
                connection.execute(_delete_edges(table, _scan(rows, scratch)))
    for change in nodes:
        name = change.table.name
        if change.went.num_rows:
            connection.execute(_delete_nodes(name, _scan(change.went, scratch)))
        if change.changed.num_rows:
            connection.execute(_set_nodes(change, _scan(change.changed, scratch)))
        if change.came.num_rows:
            connection.execute(f"COPY {quote(name)} FROM {_scan(change.came, scratch)}")
    for table, change in edges:
        for rows in (change.came, change.changed):
            if rows.num_rows:
                connection.execute(copy_edges_statement(table, _scan(rows, scratch)))
    connection.execute("COMMIT")


def _written(rows: pa.Table, scratch: Path, name: str) -> Path:
    path = scratch / f"{name}.parquet"
    pq.write_table(rows, path)
    return path


def _scan(rows: pa.Table, scratch: Path) -> str:
    return scanned([_written(rows, scratch, f"{len(list(scratch.iterdir()))}")])


def _delete_edges(table: EdgeTable, source: str) -> str:
    return (
        f"LOAD FROM {source} WITH id AS kg_id, head AS kg_head, tail AS kg_tail "
        f"MATCH (h:{quote(table.head)} {{id: kg_head}})-[r:{quote(table.type)}]->"
        f"(t:{quote(table.tail)} {{id: kg_tail}}) WHERE r.id = kg_id DELETE r"
    )


def _delete_nodes(name: str, source: str) -> str:
    return f"LOAD FROM {source} WITH id AS kg_id MATCH (n:{quote(name)} {{id: kg_id}}) DELETE n"


def _set_nodes(change: TableChange, source: str) -> str:
    names = [p.name for p in change.table.properties if p.name != "id"]
    columns = ", ".join(f"{quote(name)} AS kg_{i}" for i, name in enumerate(names))
    values = ", ".join(f"n.{quote(name)} = kg_{i}" for i, name in enumerate(names))
    return (
        f"LOAD FROM {source} WITH id AS kg_id, {columns} "
        f"MATCH (n:{quote(change.table.name)} {{id: kg_id}}) SET {values}"
    )
