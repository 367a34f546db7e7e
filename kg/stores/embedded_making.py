"""Making the files of the embedded store: from the tables, from a difference, by a query.

A file that is being made has a name that no state.json names, so that nobody reads half of it: the
swap of state.json is what makes a load whole, not a transaction. One transaction over all tables
would hold all edges in memory until its end.

A difference goes into the engine's log and stays there. Merging it into the file would write nearly
every edge anew, since an edge stands in the order of both its ends, and take as long as a load;
each opening reads the log instead, until it holds so much that a load is due.
"""

import contextlib
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import ladybug

from kg.errors import StoreError
from kg.graph.changes import Changes, Snapshot
from kg.stores.embedded_cache import Cache, State, described
from kg.stores.embedded_sync import apply_changes, fill, opened, pool_bytes
from kg.stores.embedded_tables import ENGINE, fingerprint, table_counts

# Rows that a log may hold, and the share of all rows where that is more: each opening reads them,
# at 45 microseconds a row.
_LOG_ROWS = 20_000
_LOG_SHARE = 0.02


def load(cache: Cache, snapshot: Snapshot) -> None:
    """Make a file of the tables and let it be the current one."""
    path = cache.fresh_path(snapshot.build)
    with _making(path), tempfile.TemporaryDirectory(prefix="kg-load-") as scratch:
        pool = pool_bytes(snapshot)
        with opened(path, pool_bytes=pool) as connection:
            fill(connection, snapshot, Path(scratch), pool_bytes=pool)
            counts = table_counts(connection)
        _require(counts, dict(snapshot.counts()))
        _publish(cache, path, snapshot.build, counts)


def worth_applying(state: State, changes: Changes) -> bool:
    """Say whether the log can take the difference too."""
    most = max(_LOG_ROWS, _LOG_SHARE * sum(state.counts.values()))
    return state.log_rows + changes.size <= most


def apply(cache: Cache, state: State, changes: Changes) -> None:
    """Bring the database from changes.old to changes.new by what its log says.

    The large file stays as it is and gets a second name, unless somebody reads it: the engine
    lets nobody write then, and it is copied.
    """
    path = cache.fresh_path(changes.new)
    expected = dict(state.counts)
    for change in changes.tables:
        expected[change.table.name] += change.came.num_rows - change.went.num_rows
    with _making(path), tempfile.TemporaryDirectory(prefix="kg-sync-") as scratch:
        with cache.alone() as alone:
            cache.duplicate(state, path, link=alone)
            before = path.stat()
            with opened(path, keep_log=True) as connection:
                apply_changes(connection, changes.tables, Path(scratch))
                counts = table_counts(connection)
            after = path.stat()
        if (before.st_size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns):
            raise StoreError(
                "the embedded database was changed outside its log", "Load the whole build."
            )
        _require(counts, expected)
        base = state if before.st_mtime_ns == state.mtime_ns else None
        cache.publish(
            path,
            described(
                path,
                build=changes.new,
                engine=ENGINE,
                tables=fingerprint(),
                counts=counts,
                log_rows=state.log_rows + changes.size,
                base=base,
            ),
        )


def edit(cache: Cache, state: State, change: Callable[[ladybug.Connection], None]) -> None:
    """Change a copy of the current file, which then is the current one."""
    path = cache.fresh_path(state.build)
    with _making(path):
        cache.duplicate(state, path, link=False)
        with opened(path) as connection:
            change(connection)
            counts = table_counts(connection)
        _publish(cache, path, state.build, counts, edited=True)


def _publish(
    cache: Cache, path: Path, build: str, counts: dict[str, int], *, edited: bool = False
) -> None:
    state = described(
        path, build=build, engine=ENGINE, tables=fingerprint(), counts=counts, edited=edited
    )
    cache.publish(path, state)


def _require(counts: dict[str, int], expected: dict[str, int]) -> None:
    """Raise StoreError unless every table has as many rows as it should."""
    for name, count in expected.items():
        if counts.get(name, 0) != count:
            raise StoreError(
                f"the embedded database holds {counts.get(name, 0)} rows of {name}, "
                f"the tables {count}",
                "Delete db/ in the graph's folder and run the command again.",
            )


@contextlib.contextmanager
def _making(path: Path) -> Iterator[None]:
    """Leave nothing of a file whose making fails; say of a failure of the engine what it is."""
    try:
        yield
    except BaseException as error:
        for leftover in path.parent.glob(f"{path.name}*"):
            with contextlib.suppress(OSError):
                leftover.unlink()
        if isinstance(error, RuntimeError | OSError):
            raise StoreError(
                f"{path.parent}: the embedded database cannot be made: {error}",
                "Is the disk full? The tables are whole; the next query tries again.",
            ) from error
        raise
