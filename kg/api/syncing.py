"""The embedded store follows the tables."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from kg.errors import NotFoundError, StoreError
from kg.graph.changes import Changes
from kg.graph.diff import diff
from kg.graph.folder import DATABASE, open_snapshot
from kg.graph.snapshot import FolderSnapshot

if TYPE_CHECKING:
    from kg.stores.embedded import EmbeddedStore


def embedded(snapshot: FolderSnapshot, say: Callable[[str], None]) -> "EmbeddedStore":
    """Return the embedded store of a graph, holding the snapshot."""
    from kg.stores.embedded import EmbeddedStore

    def changes_since(build: str) -> Changes | None:
        try:
            return diff(open_snapshot(snapshot.path, build), snapshot)
        except NotFoundError:
            return None

    return EmbeddedStore.synced(
        snapshot.path / DATABASE, snapshot, changes_since=changes_since, notice=say
    )


def sync_embedded(snapshot: FolderSnapshot, say: Callable[[str], None]) -> None:
    """Bring the embedded store to the snapshot; it is a cache, so that a failure is told only."""
    try:
        embedded(snapshot, say).close()
    except StoreError as error:
        say(f"The embedded database was not brought up to date: {error.problem}")
