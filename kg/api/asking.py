"""The embedded store of a graph for a query, with nothing loaded that the query does not need."""

from collections.abc import Callable
from pathlib import Path

from kg.errors import KgError
from kg.graph.manifest import DATABASE, MANIFEST, Manifest
from kg.stores.embedded import EmbeddedStore


def current_store(path: Path, say: Callable[[str], None]) -> EmbeddedStore:
    """Return the embedded store of the current build of a graph.

    Where it holds that build, which is nearly always, neither the tables nor Arrow are touched:
    importing Arrow takes longer than the query.
    """
    try:
        manifest = Manifest.from_json((path / MANIFEST).read_bytes(), path)
    except (OSError, KgError):
        pass  # opened below, which says what is wrong
    else:
        held = EmbeddedStore.holding(path / DATABASE, manifest.build, notice=say)
        if held is not None:
            return held
    from kg import api

    return api.open(path, say=say).store
