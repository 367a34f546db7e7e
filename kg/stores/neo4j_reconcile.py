"""Finding and removing what a graph in Neo4j has and its snapshot has not, or has once only."""

import functools
import itertools
from collections.abc import Iterable
from typing import Any, cast

import neo4j
import numpy as np
import pyarrow as pa

from kg.graph.changes import Snapshot
from kg.graph.tables import Table, arrow_schema
from kg.model.schema import EdgeTable
from kg.stores.neo4j_connection import read
from kg.stores.neo4j_lease import Lease
from kg.stores.neo4j_statements import (
    all_tables,
    delete_statement,
    read_statement,
    single_statement,
)
from kg.stores.neo4j_sync import write_rows

_CHUNK = 20000

Keys = tuple[Any, ...]  # of one row: its id, and of an edge its ends


def remove_strays(lease: Lease, snapshot: Snapshot) -> None:
    """Delete the rows of this graph that the snapshot does not have, and of doubled ones all but one."""
    for table in reversed(all_tables()):
        known = _keys(snapshot, table)
        odd = functools.partial(_odd, graph=lease.graph, table=table, known=known)
        strays, doubles = read(lease.sessions, odd)
        if strays:
            write_rows(lease, table, delete_statement(table), _keyed_rows(table, strays))
        if doubles and isinstance(table, EdgeTable):
            write_rows(lease, table, single_statement(table), _keyed_rows(table, doubles))


def _names(table: Table) -> tuple[str, ...]:
    return ("id", "head", "tail") if isinstance(table, EdgeTable) else ("id",)


def _keys(snapshot: Snapshot, table: Table) -> "np.ndarray[Any, np.dtype[np.int64]]":
    """Return a sorted hash of each row's keys, as millions of texts would take too much memory."""
    names = list(_names(table))
    found = [
        np.fromiter(map(hash, zip(*(batch.column(n).to_pylist() for n in names), strict=True)),
                    np.int64, batch.num_rows)
        for batch in snapshot.batches(table.name, names)
    ]  # fmt: skip
    return np.sort(np.concatenate(found)) if found else np.empty(0, np.int64)


def _odd(
    tx: neo4j.ManagedTransaction,
    graph: str,
    table: Table,
    known: "np.ndarray[Any, np.dtype[np.int64]]",
) -> tuple[list[Keys], list[Keys]]:
    """Return the keys of rows that are not known and of those met again, which are few."""
    strays: list[Keys] = []
    doubles: list[Keys] = []
    met = np.zeros(len(known), bool)
    statement = cast("Any", read_statement(table, _names(table)))
    records = (tuple(record.values()) for record in tx.run(statement, {"graph": graph}))
    while rows := list(itertools.islice(records, _CHUNK)):
        hashes = np.fromiter(map(hash, rows), np.int64, len(rows))
        places = np.searchsorted(known, hashes)
        for row, place, hashed in zip(rows, places.tolist(), hashes.tolist(), strict=True):
            if place == len(known) or known[place] != hashed:
                strays.append(row)
            elif met[place]:
                doubles.append(row)
            else:
                met[place] = True
    return strays, doubles


def _keyed_rows(table: Table, keys: Iterable[Keys]) -> pa.Table:
    """Return rows that hold their keys and nothing else."""
    names = _names(table)
    given = dict(zip(names, zip(*set(keys), strict=True), strict=True))
    count = len(given["id"])
    schema = arrow_schema(table)
    return pa.Table.from_arrays(
        [
            pa.array(given[f.name], f.type) if f.name in given else pa.nulls(count, f.type)
            for f in schema
        ],
        schema=schema,
    )
