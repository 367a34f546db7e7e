"""What is asked of a ladybug connection: filling its tables, applying changes."""

import contextlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

import ladybug
import pyarrow as pa
import pyarrow.parquet as pq

from kg.graph.changes import Snapshot, TableChange
from kg.graph.tables import TABLES
from kg.model.schema import EDGE_TABLES, EdgeTable
from kg.stores.cypher.tokens import quote
from kg.stores.embedded_tables import (
    copy_statement,
    create_statements,
    scanned,
)

# The most that the engine keeps in memory while it writes; a load takes some 500 MB besides.
_POOL_BYTES = 1700 * 1024 * 1024
# What a COPY of edges keeps in memory for each byte of its rows: they are sorted by both ends.
_EDGE_BYTES = 4.5
_RAM_SHARE = 0.7


@contextlib.contextmanager
def opened(
    path: Path, *, keep_log: bool = False, pool_bytes: int = _POOL_BYTES
) -> Iterator[ladybug.Connection]:
    """Open a database for writing and close it again, whatever happens.

    `pool_bytes` is the most that the engine keeps in memory. With keep_log the file stays as it is, and everything goes into the log. The engine writes
    nothing of a COPY there: only CREATE, SET and DELETE last then.
    """
    database = ladybug.Database(
        str(path), buffer_pool_size=pool_bytes, auto_checkpoint=not keep_log
    )
    try:
        connection = ladybug.Connection(database)
        try:
            if keep_log:
                connection.execute("CALL force_checkpoint_on_close=false")
            yield connection
        finally:
            connection.close()
    finally:
        database.close()


def pool_bytes(snapshot: Snapshot) -> int:
    """Return what a load should be given: enough for the largest table of edges, if there is it."""
    largest = max(_edge_bytes(snapshot, table) for table in EDGE_TABLES)
    return max(_POOL_BYTES, min(int(largest * _EDGE_BYTES), int(_ram_bytes() * _RAM_SHARE)))


def fill(
    connection: ladybug.Connection, snapshot: Snapshot, scratch: Path, *, pool_bytes: int
) -> None:
    """Make all tables and fill them from Parquet, each by one COPY.

    A second COPY into a table of edges takes many times as long as the first, since it merges
    them; only where memory is too small for all of a table's edges are they brought in parts.
    """
    for statement in create_statements():
        connection.execute(statement)
    for name, count in snapshot.counts().items():
        if not count:
            continue
        table = TABLES[name]
        part_bytes = pool_bytes / _EDGE_BYTES
        if isinstance(table, EdgeTable) and _edge_bytes(snapshot, table) > part_bytes:
            for part in _parts(snapshot.batches(name), part_bytes / 2):
                path = _written(part, scratch, name)
                connection.execute(copy_statement(table, (path,)))
                path.unlink()
        else:
            files = snapshot.files(name) or (_written(snapshot.table(name), scratch, name),)
            connection.execute(copy_statement(table, files))


def _edge_bytes(snapshot: Snapshot, table: EdgeTable) -> float:
    """Return what the rows of a table take in memory, going by the first of them."""
    first = next(snapshot.batches(table.name), None)
    if first is None or not first.num_rows:
        return 0.0
    return float(first.nbytes / first.num_rows * snapshot.counts()[table.name])


def _ram_bytes() -> int:
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):  # not on Windows
        return 8 * 1024**3


def _parts(batches: Iterable[pa.RecordBatch], most_bytes: float) -> Iterator[pa.Table]:
    held: list[pa.RecordBatch] = []
    for batch in batches:
        if held and sum(each.nbytes for each in (*held, batch)) > most_bytes:
            yield pa.Table.from_batches(held)
            held = []
        held.append(batch)
    if held:
        yield pa.Table.from_batches(held)


def apply_changes(
    connection: ladybug.Connection, tables: tuple[TableChange, ...], scratch: Path
) -> None:
    """Take away edges, then nodes; then bring nodes, then edges: in one transaction.

    By CREATE and not by COPY, as `opened` asks.
    """
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
        differing = _differing(change)
        if differing:
            rows = change.changed.select(["id", *differing])
            connection.execute(_set_nodes(name, differing, _scan(rows, scratch)))
        if change.came.num_rows:
            connection.execute(_create_nodes(change, _scan(change.came, scratch)))
    for table, change in edges:
        for rows in (change.came, change.changed):
            if rows.num_rows:
                connection.execute(_create_edges(table, _scan(rows, scratch)))
    connection.execute("COMMIT")


def _written(rows: pa.Table, scratch: Path, name: str) -> Path:
    path = scratch / f"{name}.parquet"
    # Read once and thrown away: neither smaller nor sorted out is worth the time.
    pq.write_table(rows, path, compression="none", use_dictionary=False, write_statistics=False)
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


def _create_nodes(change: TableChange, source: str) -> str:
    columns, values = _named([p.name for p in change.table.properties])
    return f"LOAD FROM {source} WITH {columns} CREATE (:{quote(change.table.name)} {{{values}}})"


def _create_edges(table: EdgeTable, source: str) -> str:
    names = [p.name for p in table.properties]
    columns, values = _named(names)
    kept = ", ".join(["h", "kg_tail", *(f"kg_{i}" for i in range(len(names)))])
    # One end after the other, each by its key: with both in one MATCH all pairs are formed.
    return (
        f"LOAD FROM {source} WITH head AS kg_head, tail AS kg_tail, {columns} "
        f"MATCH (h:{quote(table.head)} {{id: kg_head}}) WITH {kept} "
        f"MATCH (t:{quote(table.tail)} {{id: kg_tail}}) "
        f"CREATE (h)-[:{quote(table.type)} {{{values}}}]->(t)"
    )


def _named(names: list[str]) -> tuple[str, str]:
    """Return columns under names that no property has, and the properties that they give."""
    columns = ", ".join(f"{quote(name)} AS kg_{i}" for i, name in enumerate(names))
    return columns, ", ".join(f"{quote(name)}: kg_{i}" for i, name in enumerate(names))


def _differing(change: TableChange) -> list[str]:
    """Return the properties that some changed row has another value of: the log holds each."""
    return [
        p.name
        for p in change.table.properties
        if not change.before[p.name].equals(change.changed[p.name])
    ]


def _set_nodes(name: str, names: list[str], source: str) -> str:
    columns = ", ".join(f"{quote(name)} AS kg_{i}" for i, name in enumerate(names))
    values = ", ".join(f"n.{quote(name)} = kg_{i}" for i, name in enumerate(names))
    return (
        f"LOAD FROM {source} WITH id AS kg_id, {columns} "
        f"MATCH (n:{quote(name)} {{id: kg_id}}) SET {values}"
    )
