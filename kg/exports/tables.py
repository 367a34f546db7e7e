"""What the formats that write a folder of tables have in common; and Parquet, one of them."""

import json
from collections.abc import Iterator
from pathlib import Path

import pyarrow.parquet as pq

from kg.exports import lists
from kg.graph.changes import Snapshot
from kg.graph.tables import TABLES, Table, arrow_schema
from kg.graph.target import MARK
from kg.model.schema import SCHEMA_VERSION, EdgeTable


def held_tables(snapshot: Snapshot) -> Iterator[Table]:
    """Yield the tables that have rows, in the schema's order."""
    counts = snapshot.counts()
    yield from (table for name, table in TABLES.items() if counts[name])


def write_parquet(snapshot: Snapshot, folder: Path) -> None:
    """Write every table that has rows as one Parquet file, with the types of the schema."""
    for table in held_tables(snapshot):
        path = folder / f"{table.name}.parquet"
        with pq.ParquetWriter(path, arrow_schema(table), compression="zstd") as writer:
            for batch in snapshot.batches(table.name):
                writer.write_batch(batch.cast(arrow_schema(table)))
    write_schema(snapshot, folder, suffix=".parquet")


def write_schema(snapshot: Snapshot, folder: Path, *, suffix: str) -> None:
    """Say beside the files what each holds: columns, types, meanings and rows."""
    counts = snapshot.counts()
    tables = [
        {
            "file": f"{table.name}{suffix}",
            "rows": counts[table.name],
            **(
                {"type": table.type.value, "head": table.head.value, "tail": table.tail.value}
                if isinstance(table, EdgeTable)
                else {"label": table.label.value}
            ),
            "columns": [
                {"name": p.name, "type": p.type.value, "meaning": p.meaning}
                for p in table.properties
            ],
        }
        for table in held_tables(snapshot)
    ]
    described = {
        "schema_version": SCHEMA_VERSION,
        "build": snapshot.build,
        "list_separator": lists.SEPARATOR if suffix == ".csv" else None,
        "tables": tables,
    }
    text = json.dumps(described, indent=2, ensure_ascii=False)
    (folder / MARK).write_text(text + "\n", encoding="utf-8")
