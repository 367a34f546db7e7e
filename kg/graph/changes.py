"""What differs between two builds, as a value that stores apply."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import pyarrow as pa

from kg.graph.tables import Table


class Snapshot(Protocol):
    """One whole build of a graph, as it stands in its tables."""

    @property
    def build(self) -> str:
        """Id of the build: a hash of its content."""
        ...

    def table(self, name: str) -> pa.Table:
        """All rows of a table, sorted by id; the columns are arrow_schema's."""
        ...

    def batches(self, name: str, columns: list[str] | None = None) -> Iterator[pa.RecordBatch]:
        """The same rows in pieces, so that memory stays constant; all columns or some."""
        ...

    def files(self, name: str) -> tuple[Path, ...]:
        """The Parquet files that hold the table, in row order."""
        ...

    def counts(self) -> Mapping[str, int]:
        """Rows of every table, empty ones too."""
        ...


@dataclass(frozen=True, slots=True)
class TableChange:
    """Rows of one table that came, went and changed; whole rows, sorted by id.

    An edge whose ends changed has another id: it went and came.
    """

    table: Table
    came: pa.Table
    went: pa.Table
    changed: pa.Table  # the new rows
    before: pa.Table  # the old rows of `changed`, in the same order

    @property
    def size(self) -> int:
        """How many rows differ."""
        return int(self.came.num_rows + self.went.num_rows + self.changed.num_rows)


@dataclass(frozen=True, slots=True)
class Changes:
    """The difference between two builds; `old` is None when there was none."""

    old: str | None
    new: str
    tables: tuple[TableChange, ...]  # only those that differ, in the schema's order

    @property
    def size(self) -> int:
        """How many rows differ in all tables."""
        return sum(table.size for table in self.tables)
