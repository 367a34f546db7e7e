"""Comparing every id and property in a Neo4j with the tables of a build."""

import hashlib
import struct
from collections.abc import Iterable
from typing import Any, cast

import neo4j

from kg.graph.changes import Snapshot
from kg.graph.tables import Table
from kg.stores.neo4j import Neo4jStore
from kg.stores.neo4j_rows import rows_of
from kg.stores.neo4j_statements import all_tables, columns, read_statement

_MASK = (1 << 128) - 1


class ContentHash:
    """A hash over rows that does not depend on their order."""

    def __init__(self) -> None:
        self.count = 0
        self._sum = 0

    def add(self, row: Iterable[Any]) -> None:
        """Take one row in."""
        hashed = hashlib.blake2b(digest_size=16)
        for value in row:
            hashed.update(_bytes(value))
        # A sum, not xor: a row that is there twice must not cancel out.
        self._sum = (self._sum + int.from_bytes(hashed.digest(), "big")) & _MASK
        self.count += 1

    def hexdigest(self) -> str:
        """Return the hash of all rows so far."""
        return f"{self._sum:032x}"


def _bytes(value: Any) -> bytes:
    match value:
        case None | []:
            return b"n"  # bulk import takes an empty list for no value
        case bool():
            return b"t" if value else b"f"
        case int():
            return b"i%d;" % value
        case float():
            return b"d" + struct.pack(">d", value)
        case str():
            text = value.encode("utf-8", "surrogatepass")
            return b"s%d:" % len(text) + text
        case _:
            return b"l%d:" % len(value) + b"".join(map(_bytes, value))


def snapshot_hash(snapshot: Snapshot, table: Table) -> ContentHash:
    """Hash the rows of a table."""
    total = ContentHash()
    for batch in snapshot.batches(table.name):
        for row in rows_of(batch, columns(table)):
            total.add(row)
    return total


def database_hash(store: Neo4jStore, table: Table) -> ContentHash:
    """Hash the rows of a table as the database holds them, reading a piece at a time."""

    def read(tx: neo4j.ManagedTransaction) -> ContentHash:
        total = ContentHash()
        statement = cast("Any", read_statement(table, columns(table)))
        for record in tx.run(statement, {"graph": store.graph}):
            total.add(record.values())
        return total

    return store.reading(read)


def differing_content(store: Neo4jStore, snapshot: Snapshot) -> tuple[str, ...]:
    """Return the names of the tables of which a row, an id or a property differs."""
    return tuple(
        table.name
        for table in all_tables()
        if snapshot_hash(snapshot, table).hexdigest() != database_hash(store, table).hexdigest()
    )
