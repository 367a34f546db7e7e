"""The embedded store of a graph's folder, brought to its current build first."""

import os
import tempfile
from collections.abc import Callable
from pathlib import Path

from kg.graph.changes import Changes
from kg.graph.folder import DATABASE, open_snapshot
from kg.stores.embedded import EmbeddedStore, Notice


def open_store(graph: Path, *, notice: Notice = lambda _: None) -> EmbeddedStore:
    """Open the embedded store of a graph for queries.

    What the cache lacks is applied to it. In a folder that may not be written, a database is made
    in a temporary place for this process.

    Args:
        graph: the folder of a built graph.
        notice: called with one line when the cache has to be made again.
    """
    snapshot = open_snapshot(graph)
    return EmbeddedStore.synced(
        _place(graph, notice), snapshot, changes_since=_changes_since(graph), notice=notice
    )


def _changes_since(graph: Path) -> Callable[[str], Changes | None]:
    def since(build: str) -> Changes | None:
        from kg.errors import NotFoundError
        from kg.graph.diff import diff

        try:
            return diff(open_snapshot(graph, build), open_snapshot(graph))
        except NotFoundError:
            return None

    return since


def _place(graph: Path, notice: Notice) -> Path:
    folder = graph / DATABASE
    try:
        folder.mkdir(exist_ok=True)
        if os.access(folder, os.W_OK):
            return folder
    except OSError:
        pass
    notice(f"{graph}: cannot be written, so its database is made in a temporary place.")
    return Path(tempfile.mkdtemp(prefix="kg-db-"))
