"""Finding and removing what a graph in Neo4j has and its snapshot has not."""

from typing import Any, cast

import pyarrow as pa
import pyarrow.compute as pc

from kg.graph.changes import Snapshot
from kg.graph.tables import Table, arrow_schema
from kg.model.schema import EdgeTable
from kg.stores.neo4j_load import Sessions
from kg.stores.neo4j_statements import all_tables, delete_statement, read_statement
from kg.stores.neo4j_sync import write_rows

_CHUNK = 20000


def remove_strays(sessions: Sessions, graph: str, snapshot: Snapshot) -> int:
    """Delete the rows of this graph that the snapshot does not have; return how many."""
    removed = 0
    for table in reversed(all_tables()):
        strays = _strays(sessions, graph, table, _ids(snapshot, table))
        removed += strays.num_rows
        if strays.num_rows:
            write_rows(sessions, graph, table, delete_statement(table), strays)
    return removed


def _ids(snapshot: Snapshot, table: Table) -> pa.ChunkedArray:
    batches = [batch.column("id") for batch in snapshot.batches(table.name)]
    return pa.chunked_array(batches, pa.string())


def _strays(sessions: Sessions, graph: str, table: Table, known: pa.ChunkedArray) -> pa.Table:
    """Return rows that hold keys only, read in pieces; what is not known is few."""
    keys = ("id", "head", "tail") if isinstance(table, EdgeTable) else ("id",)
    schema = arrow_schema(table)
    found: list[pa.Table] = []

    def sift(rows: list[list[Any]]) -> None:
        columns = dict(zip(keys, zip(*rows, strict=True), strict=True))
        given = pa.table({k: pa.array(v, pa.string()) for k, v in columns.items()})
        strays = given.filter(pc.invert(pc.is_in(given["id"], value_set=known)))
        if strays.num_rows:
            found.append(
                pa.Table.from_arrays(
                    [
                        strays[f.name].combine_chunks()
                        if f.name in keys
                        else pa.nulls(strays.num_rows, f.type)
                        for f in schema
                    ],
                    schema=schema,
                )
            )

    with sessions() as session:
        result = session.run(cast("Any", read_statement(table, keys)), {"graph": graph})
        rows: list[list[Any]] = []
        for record in result:
            rows.append(record.values())
            if len(rows) >= _CHUNK:
                sift(rows)
                rows = []
        if rows:
            sift(rows)
    return pa.concat_tables(found) if found else schema.empty_table()
