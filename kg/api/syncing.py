"""The embedded store follows the tables."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from kg.errors import GraphFolderError, NotFoundError, StoreError
from kg.graph.changes import Changes
from kg.graph.diff import diff
from kg.graph.folder import kept_numbers, open_snapshot
from kg.graph.manifest import DATABASE
from kg.graph.snapshot import HISTORY, FolderSnapshot

if TYPE_CHECKING:
    from kg.stores.embedded import EmbeddedStore


def embedded(
    snapshot: FolderSnapshot,
    say: Callable[[str], None],
    *,
    new: bool = False,
    to_ask: bool = True,
    known: Changes | None = None,
) -> "EmbeddedStore":
    """Return the embedded store of a graph, holding the snapshot.

    Args:
        snapshot: the build that it holds.
        say: told when the database has to be made again.
        new: the graph was just built.
        to_ask: open it; otherwise it is only brought up to date.
        known: a difference to the snapshot, from a build that may be gone.
    """
    from kg.stores.embedded import EmbeddedStore

    def changes_since(build: str) -> Changes | None:
        if known is not None and known.old == build:
            return known
        try:
            return diff(open_snapshot(snapshot.path, build), snapshot)
        except NotFoundError:
            return None

    return EmbeddedStore.synced(
        database_folder(snapshot),
        snapshot,
        changes_since=changes_since,
        new=new,
        to_ask=to_ask,
        notice=say,
    )


def database_folder(snapshot: FolderSnapshot) -> Path:
    """Return where the embedded store of a build lives.

    An earlier build has its own, beside its tables: looking back must not take the current
    build's database away from everybody else.
    """
    current = open_snapshot(snapshot.path)
    if snapshot.build == current.build:
        return snapshot.path / DATABASE
    return snapshot.path / HISTORY / f"{DATABASE}-{snapshot.build}"


def way_back(current: FolderSnapshot) -> Changes | None:
    """Return the difference from the current build to the one before, if the store will want it."""
    from kg.stores.embedded import EmbeddedStore

    kept = kept_numbers(current.path, current.manifest)
    if len(kept) < 2 or EmbeddedStore(database_folder(current)).build() != current.build:
        return None
    try:
        return diff(current, open_snapshot(current.path, str(kept[-2])))
    except GraphFolderError:  # a table is damaged: one more reason to go back
        return None


def sync_embedded(
    snapshot: FolderSnapshot, say: Callable[[str], None], *, known: Changes | None = None
) -> None:
    """Bring the embedded store to the snapshot; it is a cache, so that a failure is told only.

    Args:
        snapshot: the build that it is to hold.
        say: told of a failure, and when the database has to be made again.
        known: a difference to the snapshot, from a build that may be gone.
    """
    from kg.stores.embedded import EmbeddedStore

    if EmbeddedStore(database_folder(snapshot)).build() == snapshot.build:
        return  # without opening it, which reads its log
    try:
        new = not snapshot.manifest.past
        embedded(snapshot, say, new=new, to_ask=False, known=known).close()
    except StoreError as error:
        say(f"The embedded database was not brought up to date: {error.problem}")
