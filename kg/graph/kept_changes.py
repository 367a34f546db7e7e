"""What differs between a table and that of the build before, kept beside the build.

A build has its tables in memory when it writes them. Comparing them then with the files of the
build before costs half of what it costs later, and who follows the build reads only the rows that
differ. Like db/ it is a cache: where a file is missing, damaged, or of other tables, the tables
themselves are compared. No hashes of rows stand for rows: every value has been compared.
"""

import contextlib
import hashlib
from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from kg.errors import GraphFolderError
from kg.graph.changes import TableChange
from kg.graph.compare import compared
from kg.graph.durable import remove_temporary
from kg.graph.manifest import Manifest, StoredFile
from kg.graph.parquet import GROUP_ROWS, read_batches, write_parquet
from kg.graph.snapshot import HISTORY, locate
from kg.graph.tables import Table, arrow_schema

CHANGES = "changes"
# Smaller tables are compared faster than a file more is read.
LEAST_ROWS = 10_000
# Of a table's rows: the folder must not grow by more than can be told from its tables.
MOST_SHARE = 0.03

_KIND = "difference"  # column of the kind of a row; no property is called so
_KINDS = ("came", "went", "changed", "before")


class ChangeKeeper:
    """Compares tables that were just written with those of the build before, in a thread.

    Arrow lets go of the interpreter meanwhile, so that the next table is written beside it.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._thread = ThreadPoolExecutor(1)
        self._running: list[Future[None]] = []

    def compare(
        self, table: Table, earlier: StoredFile | None, rows: pa.Table, later: StoredFile
    ) -> None:
        """Keep what differs between the rows of an earlier file and these, if that is little."""
        if earlier is None or earlier.file == later.file:
            return
        if min(earlier.rows, later.rows) >= LEAST_ROWS:
            self._running.append(
                self._thread.submit(_keep, self._path, table, earlier, rows, later)
            )

    def finish(self) -> None:
        """Wait until everything is compared."""
        running, self._running = self._running, []
        for each in running:
            each.result()

    def close(self) -> None:
        """Compare nothing more."""
        self._thread.shutdown(cancel_futures=True)


def kept_change(
    path: Path, table: Table, old: StoredFile | None, new: StoredFile | None
) -> TableChange | None:
    """Return what differs between two files of a table; None where that is not kept whole.

    What leads from a build to the next leads back, too.

    Args:
        path: the folder of the graph that `new` belongs to.
        table: which table it is.
        old: the file to begin with.
        new: the file to come to.
    """
    if old is None or new is None:
        return None
    found = _read(path, table, old, new)
    if found is not None:
        return found
    back = _read(path, table, new, old)
    if back is None:
        return None
    return TableChange(
        table, came=back.went, went=back.came, changed=back.before, before=back.changed
    )


def _read(path: Path, table: Table, old: StoredFile, new: StoredFile) -> TableChange | None:
    for file in (path / HISTORY / CHANGES).glob(f"{_stem(table.name, old, new)}-*.parquet"):
        with contextlib.suppress(OSError, pa.ArrowException):
            content = file.read_bytes()
            if file.stem.endswith(hashlib.sha256(content).hexdigest()[:16]):
                return _unpacked(table, pq.read_table(pa.BufferReader(content)))
    return None


def sweep(path: Path, current: Manifest | None, earlier: Iterable[Manifest]) -> None:
    """Remove what is of no use to the current build."""
    place = path / HISTORY / CHANGES
    remove_temporary(place)
    now = _files(() if current is None else (current,))
    before = _files(earlier)
    for file in place.glob("*"):
        name, old, new = (*file.stem.rsplit("-", 3), "", "")[:3]
        if (name, new) not in now or (name, old) not in before:
            file.unlink(missing_ok=True)


def _files(builds: Iterable[Manifest]) -> set[tuple[str, str]]:
    return {(t.table, t.stored.sha256[:16]) for build in builds for t in build.tables}


def _stem(name: str, old: StoredFile, new: StoredFile) -> str:
    return f"{name}-{old.sha256[:16]}-{new.sha256[:16]}"


def _keep(path: Path, table: Table, earlier: StoredFile, rows: pa.Table, later: StoredFile) -> None:
    most = int(MOST_SHARE * later.rows)
    # A build does not fail for want of a cache: not by a damaged file of the build before, which
    # it may be about to mend, or with other columns, and not by a full disk, on which it fails
    # soon enough.
    with contextlib.suppress(GraphFolderError, OSError, ValueError, pa.ArrowException):
        before = read_batches(locate(path, earlier))
        pieces = iter(rows.to_batches(max_chunksize=GROUP_ROWS))
        change = compared(table, before, pieces, most=most)
        if change is not None:
            write_parquet(
                path / HISTORY / CHANGES, _stem(table.name, earlier, later), _packed(change)
            )


def _packed(change: TableChange) -> pa.Table:
    sides = [getattr(change, kind) for kind in _KINDS]
    kinds = np.repeat(np.arange(len(_KINDS), dtype=np.int8), [rows.num_rows for rows in sides])
    return pa.concat_tables(sides).append_column(_KIND, pa.array(kinds))


def _unpacked(table: Table, packed: pa.Table) -> TableChange:
    kinds = packed[_KIND]
    rows = packed.drop_columns([_KIND]).cast(arrow_schema(table))
    return TableChange(
        table, *(rows.filter(pc.equal(kinds, number)) for number in range(len(_KINDS)))
    )
