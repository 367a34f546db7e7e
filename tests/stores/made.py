"""Small graphs made for the tests of stores, as snapshots with Parquet files."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from kg.graph.changes import Changes, Snapshot, TableChange
from kg.graph.folder import writing
from kg.graph.manifest import Manifest
from kg.graph.tables import TABLES, arrow_schema
from kg.model.identity import digest, edge_id
from kg.model.schema import EdgeTable, RelationshipType, edge_table

Rows = Mapping[str, list[dict[str, Any]]]


class MadeSnapshot:
    """A build whose rows a test wrote down."""

    def __init__(self, folder: Path, rows: Rows) -> None:
        self._tables: dict[str, pa.Table] = {}
        self._files: dict[str, tuple[Path, ...]] = {}
        folder.mkdir(parents=True, exist_ok=True)
        for name, table in TABLES.items():
            made = sorted(rows.get(name, []), key=lambda row: str(row["id"]))
            schema = arrow_schema(table)
            columns = [[row.get(field.name) for row in made] for field in schema]
            self._tables[name] = pa.Table.from_arrays(
                [pa.array(c, f.type) for c, f in zip(columns, schema, strict=True)], schema=schema
            )
            # As in a graph's folder, a file's name tells its content.
            content = digest(repr(self._tables[name].to_pylist()))
            path = folder / f"{name}-{content}.parquet"
            pq.write_table(self._tables[name], path)
            self._files[name] = (path,)
        self.build = digest(*(repr(t.to_pylist()) for t in self._tables.values()), size=32)

    def table(self, name: str) -> pa.Table:
        """All rows."""
        return self._tables[name]

    def batches(self, name: str, columns: list[str] | None = None) -> Iterator[pa.RecordBatch]:
        """The rows in small pieces."""
        table = self._tables[name].select(columns) if columns else self._tables[name]
        yield from table.to_batches(max_chunksize=100)

    def files(self, name: str) -> tuple[Path, ...]:
        """One file."""
        return self._files[name]

    def counts(self) -> dict[str, int]:
        """Rows of every table."""
        return {name: table.num_rows for name, table in self._tables.items()}


def stored(path: Path, snapshot: Snapshot) -> Path:
    """Return a graph's folder with this one build in it."""
    with writing(path, create=True) as writer:
        tables = writer.store_tables({n: snapshot.table(n) for n in snapshot.counts()})
        writer.commit(Manifest(0, "", "", "build", tables))
    return path


def difference(old: MadeSnapshot | None, new: MadeSnapshot) -> Changes:
    """What a diff of two builds gives, worked out row by row."""
    tables = []
    for name, table in TABLES.items():
        before = {r["id"]: r for r in old.table(name).to_pylist()} if old else {}
        after = {r["id"]: r for r in new.table(name).to_pylist()}
        schema = arrow_schema(table)
        came = [after[k] for k in sorted(after.keys() - before.keys())]
        went = [before[k] for k in sorted(before.keys() - after.keys())]
        both = [k for k in sorted(after.keys() & before.keys()) if after[k] != before[k]]
        change = TableChange(
            table,
            pa.Table.from_pylist(came, schema),
            pa.Table.from_pylist(went, schema),
            pa.Table.from_pylist([after[k] for k in both], schema),
            pa.Table.from_pylist([before[k] for k in both], schema),
        )
        if change.size:
            tables.append(change)
    return Changes(old.build if old else None, new.build, tuple(tables))


def edge(name: str, head: str, tail: str, **properties: Any) -> dict[str, Any]:
    """One row of an edge table with its id."""
    table = edge_table(name)
    own = {"id": edge_id(table.type, head, tail, properties.get("paper", ""))}
    return {**own, "head": head, "tail": tail, **properties}


def entity(id_: str, name: str, **properties: Any) -> dict[str, Any]:
    """One row of Method, Dataset, Task or Metric."""
    base = {"named": True, "surfaces": [name], "surface_counts": [1], "reasons": ["as written"]}
    return {
        "id": id_,
        "name": name,
        "papers": 1,
        "mentions": 1,
        "aliases": [],
        **base,
        **properties,
    }


def read(paper: str, sentence: str, **properties: Any) -> dict[str, Any]:
    """The evidence of an edge."""
    base = {"component": "test", "model": "made-1", "confidence": 0.9, "start": 0}
    return {"paper": paper, "sentence": sentence, "end": len(sentence), **base, **properties}


__all__ = [
    "EdgeTable",
    "MadeSnapshot",
    "RelationshipType",
    "difference",
    "edge",
    "entity",
    "read",
    "stored",
]
