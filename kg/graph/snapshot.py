"""One whole build, read from a folder or held in memory."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import pyarrow as pa

from kg.errors import GraphFolderError
from kg.graph.manifest import Manifest, StoredFile
from kg.graph.parquet import read_batches, read_parquet
from kg.graph.tables import TABLES, arrow_schema, empty

HISTORY = "history"


@dataclass(frozen=True, slots=True)
class FolderSnapshot:
    """A build in a folder; later builds do not change it.

    Its files are kept while it is among the last builds of the folder. Files that only earlier
    builds use stand in history/, where they are looked for when they have been moved.
    """

    path: Path
    manifest: Manifest

    @property
    def build(self) -> str:
        """Id of the build: a hash of its content."""
        return self.manifest.build

    def table(self, name: str) -> pa.Table:
        """All rows of a table, sorted by id."""
        stored = self.stored(name)
        if stored is None:
            return empty(TABLES[name])
        return read_stored(self.path, stored)

    def batches(self, name: str, columns: list[str] | None = None) -> Iterator[pa.RecordBatch]:
        """The same rows in pieces, so that memory stays constant."""
        stored = self.stored(name)
        if stored is not None:
            try:
                try:
                    yield from read_batches(locate(self.path, stored), columns)
                except FileNotFoundError:  # moved after it was located, and before it was opened
                    yield from read_batches(locate(self.path, stored), columns)
            except (pa.ArrowInvalid, OSError) as error:
                raise _damaged(self.path, stored, error) from error

    def files(self, name: str) -> tuple[Path, ...]:
        """The Parquet files that hold the table, in row order; none for an empty table.

        A build that ends in the meantime may move them: ask again when one is not found.
        """
        stored = self.stored(name)
        return () if stored is None else (locate(self.path, stored),)

    def counts(self) -> Mapping[str, int]:
        """Rows of every table, empty ones too."""
        rows = {table.table: table.stored.rows for table in self.manifest.tables}
        return {name: rows.get(name, 0) for name in TABLES}

    def report(self, name: str) -> pa.Table:
        """What resolution said: merges, references or matches."""
        stored = next((r.stored for r in self.manifest.reports if r.table == name), None)
        if stored is None:
            raise KeyError(name)
        return read_stored(self.path, stored)

    def hash(self, name: str) -> str:
        """Hash of the table's bytes; two builds with one hash have the same rows."""
        stored = self.stored(name)
        return "" if stored is None else stored.sha256

    def stored(self, name: str) -> StoredFile | None:
        """The file that holds the table; None for an empty table."""
        if name not in TABLES:
            raise KeyError(name)
        return self.manifest.table(name)


@dataclass(frozen=True, slots=True)
class MemorySnapshot:
    """A build that was never written; its tables are sorted by id and have arrow_schema."""

    build: str
    tables: Mapping[str, pa.Table]

    @classmethod
    def of_rows(cls, rows: Mapping[str, Iterable[Mapping[str, Any]]]) -> Self:
        """Make the tables of these names from rows; a property that a row leaves out is null."""
        tables = {}
        for name, given in rows.items():
            listed = [dict(row) for row in given]
            tables[name] = pa.Table.from_pylist(listed, arrow_schema(TABLES[name])).sort_by("id")
        return cls("memory", tables)

    def table(self, name: str) -> pa.Table:
        """All rows of a table, sorted by id."""
        return self.tables[name] if name in self.tables else empty(TABLES[name])

    def batches(self, name: str, columns: list[str] | None = None) -> Iterator[pa.RecordBatch]:
        """The same rows in pieces."""
        table = self.table(name)
        yield from (table.select(columns) if columns else table).to_batches()

    def files(self, name: str) -> tuple[Path, ...]:
        """No files."""
        return ()

    def counts(self) -> Mapping[str, int]:
        """Rows of every table, empty ones too."""
        return {name: self.table(name).num_rows for name in TABLES}


def locate(folder: Path, stored: StoredFile) -> Path:
    """Return where a file of a build stands now.

    Raises:
        GraphFolderError: it is gone.
    """
    # Twice, since a writer may move it from the first place to the second in between.
    for _ in range(2):
        for path in (folder / stored.file, folder / HISTORY / stored.file):
            if path.exists():
                return path
    raise GraphFolderError(
        f"{folder / stored.file}: the file is missing; the build it belongs to was cleared away, "
        "or somebody removed it",
        "Open the graph again; if that fails, run kg build again with its inputs.",
    )


def read_stored(folder: Path, stored: StoredFile, columns: list[str] | None = None) -> pa.Table:
    """Return the rows of a file of a build, wherever it stands.

    Raises:
        GraphFolderError: it is gone or damaged.
    """
    try:
        try:
            return read_parquet(locate(folder, stored), columns)
        except FileNotFoundError:  # moved after it was located
            return read_parquet(locate(folder, stored), columns)
    except (pa.ArrowInvalid, OSError) as error:
        raise _damaged(folder, stored, error) from error


def _damaged(folder: Path, stored: StoredFile, error: Exception) -> GraphFolderError:
    return GraphFolderError(
        f"{folder / stored.file}: cannot be read ({error})",
        f"Run kg build -o {folder}, which writes damaged tables anew; where records are "
        "damaged, go back with kg undo, or build the graph anew from its inputs.",
    )
