"""Bringing a Neo4j to a build by the shortest safe way."""

from collections.abc import Callable

from kg.errors import NotFoundError
from kg.graph.changes import Snapshot
from kg.graph.diff import diff
from kg.stores.neo4j import SYNCING, WHOLE, Neo4jStore


def catch_up(store: Neo4jStore, snapshot: Snapshot, snapshot_of: Callable[[str], Snapshot]) -> str:
    """Bring the database to the snapshot; return in words how.

    Args:
        store: the database.
        snapshot: the build that is wanted.
        snapshot_of: opens an earlier build; NotFoundError when it is no longer kept.
    """
    with store.writing():
        return _caught_up(store, snapshot, snapshot_of)


def _caught_up(
    store: Neo4jStore, snapshot: Snapshot, snapshot_of: Callable[[str], Snapshot]
) -> str:
    state = store.state()
    try:
        if state.get("state") == SYNCING:
            # The rows of the sync that broke off come first, whatever is wanted now.
            begun = snapshot_of(state["target"])
            store.apply(diff(snapshot_of(state["build"]), begun))
            state = store.state()
        if state.get("state") != WHOLE:
            raise NotFoundError("no whole build in the database", "Load it.")
        if state["build"] == snapshot.build:
            return "nothing to do"
        changes = diff(snapshot_of(state["build"]), snapshot)
    except NotFoundError:
        store.load(snapshot)
        return "loaded, as the build in the database is not known"
    store.apply(changes)
    return f"synced {changes.size} rows"
