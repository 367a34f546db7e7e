"""A graph that lives in memory only, as a snapshot like any other."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa

from kg.graph.tables import TABLES, arrow_schema, empty
from kg.model.identity import digest


class MemorySnapshot:
    """Tables in memory; those that are not given are empty."""

    def __init__(self, tables: Mapping[str, pa.Table], *, build: str = "") -> None:
        unknown = set(tables) - set(TABLES)
        if unknown:
            raise ValueError(f"no such tables: {', '.join(sorted(unknown))}")
        self._tables = {name: table.sort_by("id") for name, table in tables.items()}
        counts = (f"{name}={table.num_rows}" for name, table in sorted(self._tables.items()))
        self._build = build or digest(*counts)

    @classmethod
    def of_rows(cls, rows: Mapping[str, Iterable[Mapping[str, Any]]]) -> "MemorySnapshot":
        """Make the tables from rows; a property that a row leaves out is null."""
        return cls(
            {
                name: pa.Table.from_pylist([dict(row) for row in given], arrow_schema(TABLES[name]))
                for name, given in rows.items()
            }
        )

    @property
    def build(self) -> str:
        """Id of the build."""
        return self._build

    def table(self, name: str) -> pa.Table:
        """All rows of a table, sorted by id."""
        return self._tables[name] if name in self._tables else empty(TABLES[name])

    def batches(self, name: str) -> Iterator[pa.RecordBatch]:
        """The same rows in pieces."""
        yield from self.table(name).to_batches()

    def files(self, name: str) -> tuple[Path, ...]:
        """No files."""
        return ()

    def counts(self) -> Mapping[str, int]:
        """Rows of every table."""
        return {name: self.table(name).num_rows for name in TABLES}
