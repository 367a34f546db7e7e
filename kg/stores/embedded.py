"""The embedded store: a ladybug database that caches the tables of one build."""

import contextlib
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Self, cast

import ladybug

from kg.errors import KgError, QueryError, StoreError
from kg.graph.changes import Changes, Snapshot
from kg.stores.cypher.dialect import Translated, to_ladybug
from kg.stores.cypher.functions import OWN, own_functions
from kg.stores.cypher.guard import require_reading, statements
from kg.stores.cypher.hints import refused
from kg.stores.cypher.tokens import tokenize
from kg.stores.embedded_cache import Cache, State, described
from kg.stores.embedded_sync import apply_changes, fill, opened, table_counts
from kg.stores.embedded_tables import fingerprint
from kg.stores.embedded_values import plain_row
from kg.stores.parameters import checked
from kg.stores.protocol import Answer

Notice = Callable[[str], None]
_ENGINE = str(ladybug.__version__)


def _silent(_: str) -> None:
    pass


class EmbeddedStore:
    """One build of a graph in a ladybug file; opened read-only unless it is filled or edited."""

    def __init__(self, folder: Path, *, notice: Notice = _silent) -> None:
        """Point at the folder db/ of a graph; nothing is opened before it is needed.

        Args:
            folder: where the database file and state.json live.
            notice: called with one line when the cache has to be made again.
        """
        self._cache = Cache(folder)
        self._notice = notice
        self._state: State | None = None
        self._database: ladybug.Database | None = None
        self._connection: ladybug.Connection | None = None
        self._scratch: tempfile.TemporaryDirectory[str] | None = None

    @classmethod
    def synced(
        cls,
        folder: Path,
        snapshot: Snapshot,
        *,
        changes_since: Callable[[str], Changes | None] = lambda _: None,
        notice: Notice = _silent,
    ) -> Self:
        """Return a store that holds the snapshot: as it is, brought up to date, or made anew.

        Args:
            folder: the folder db/ of the graph.
            snapshot: the build that is wanted.
            changes_since: gives the difference from a build to the snapshot, None when
                that build is no longer known.
            notice: called with one line when the cache has to be made again.
        """
        place, scratch = _writable(folder, notice)
        store = cls(place, notice=notice)
        store._scratch = scratch
        if not store._current(snapshot):
            with store._cache.lock(lambda: notice("Waiting for another process to update db/.")):
                store._bring_up(snapshot, changes_since)
                # Opened while no other process can swap the file for another build's.
                store._open()
        return store

    def build(self) -> str | None:
        """Return the build that the current file holds; None when it cannot be used."""
        state = self._cache.state()
        return state.build if state and not self._problem(state) else None

    def load(self, snapshot: Snapshot) -> None:
        """Make the database anew from the Parquet files of the snapshot."""
        path = self._cache.fresh_path(snapshot.build)
        with _making(path), tempfile.TemporaryDirectory(prefix="kg-load-") as scratch:
            with opened(path) as connection:
                fill(connection, snapshot, Path(scratch))
                counts = table_counts(connection)
            self._publish(path, snapshot.build, counts, dict(snapshot.counts()))

    def apply(self, changes: Changes) -> None:
        """Bring a copy of the current file from changes.old to changes.new, then swap."""
        state = self._cache.state()
        if state is None or state.build != changes.old:
            held = state.build if state else None
            raise StoreError(
                f"the embedded database holds build {held}, not {changes.old}",
                "Load the whole build instead.",
            )
        path = self._cache.fresh_path(changes.new)
        with _making(path), tempfile.TemporaryDirectory(prefix="kg-sync-") as scratch:
            shutil.copyfile(self._cache.path(state), path)
            with opened(path) as connection:
                apply_changes(connection, changes.tables, Path(scratch))
                counts = table_counts(connection)
            expected = dict(state.counts)
            for change in changes.tables:
                expected[change.table.name] += change.came.num_rows - change.went.num_rows
            self._publish(path, changes.new, counts, expected)

    def rows(self, cypher: str, parameters: Mapping[str, Any] | None = None) -> Answer:
        """Answer a reading query."""
        tokens = tokenize(cypher)
        require_reading(tokens)
        given = checked(tokens, parameters or {})
        return _ask(self._open(), to_ladybug(tokens, cypher), cypher, given)

    def write(self, cypher: str, parameters: Mapping[str, Any] | None = None) -> Answer:
        """Run a query that may change the database, on a copy that then becomes current.

        The tables know nothing of it: the next build makes the database from them again.
        """
        state = self._cache.state()
        tokens = tokenize(cypher)
        given = checked(tokens, parameters or {})
        if state is None:
            raise _nothing(self._cache.folder)
        if len(statements(tokens)) != 1:
            raise QueryError("the query is not one statement", "Pass one statement at a time.")
        with self._cache.lock(lambda: self._notice("Waiting for another process.")):
            path = self._cache.fresh_path(state.build)
            with _making(path):
                shutil.copyfile(self._cache.path(state), path)
                with opened(path) as connection:
                    answer = _ask(connection, to_ladybug(tokens, cypher), cypher, given)
                    counts = table_counts(connection)
                self._publish(path, state.build, counts, counts, edited=True)
        return answer

    def counts(self) -> dict[str, int]:
        """Count every table in the database."""
        return table_counts(self._open())

    def close(self) -> None:
        """Close the file; the store opens it again when it is asked again."""
        self._let_go()
        if self._scratch is not None:
            self._scratch.cleanup()

    def _let_go(self) -> None:
        if self._connection is not None:
            self._connection.close()
        if self._database is not None:
            self._database.close()
        self._connection = self._database = self._state = None

    def _open(self) -> ladybug.Connection:
        if self._connection is None:
            for _ in range(20):  # the file may be swapped between reading its name and opening it
                state = self._cache.state()
                if state is None:
                    break
                with contextlib.suppress(RuntimeError):
                    self._database = ladybug.Database(str(self._cache.path(state)), read_only=True)
                    self._connection = ladybug.Connection(self._database)
                    self._state = state
                    return self._connection
            raise _nothing(self._cache.folder)
        return self._connection

    def _problem(self, state: State) -> str:
        if state.engine != _ENGINE:
            return "was written by another version"
        if state.tables != fingerprint():
            return "has the tables of another version"
        return self._cache.damage(state)

    def _current(self, snapshot: Snapshot) -> bool:
        state = self._cache.state()
        if state is None or state.build != snapshot.build or self._problem(state):
            return False
        try:
            self._open()
        except KgError:
            return False
        return self._state == state

    def _bring_up(self, snapshot: Snapshot, changes_since: Callable[[str], Changes | None]) -> None:
        if self._current(snapshot):  # the process that was waited for has done it
            return
        self._let_go()
        state = self._cache.state()
        problem = self._problem(state) if state else ""
        if state and not problem and state.build == snapshot.build:
            problem = "cannot be opened"
        if state and not problem and not state.edited and state.build != snapshot.build:
            changes = changes_since(state.build)
            if changes is not None:
                try:
                    self.apply(changes)
                except StoreError:
                    problem = "could not be brought up to date"
                else:
                    return
        if problem:
            self._notice(f"The embedded database {problem}; it is made again from the tables.")
        self.load(snapshot)

    def _publish(
        self,
        path: Path,
        build: str,
        counts: dict[str, int],
        expected: dict[str, int],
        *,
        edited: bool = False,
    ) -> None:
        wrong = [name for name, count in expected.items() if counts.get(name, 0) != count]
        if wrong:
            name = wrong[0]
            raise StoreError(
                f"the embedded database holds {counts.get(name, 0)} rows of {name}, "
                f"the tables {expected[name]}",
                "Delete db/ in the graph's folder and run the command again.",
            )
        self._cache.publish(
            path,
            described(
                path,
                build=build,
                engine=_ENGINE,
                tables=fingerprint(),
                counts=counts,
                edited=edited,
            ),
        )
        self._let_go()


def _ask(
    connection: ladybug.Connection, query: Translated, cypher: str, parameters: dict[str, Any]
) -> Answer:
    try:
        for name in own_functions(query.cypher):
            with contextlib.suppress(RuntimeError):  # it is there from an earlier query
                _define(connection, name)
        result = cast("ladybug.QueryResult", connection.execute(query.cypher, parameters))
        columns = tuple(result.get_column_names())
        rows = cast("list[list[Any]]", result.get_all())
    except (RuntimeError, ValueError, TypeError) as error:
        raise refused(str(error), cypher) from error
    twice = next((name for name in columns if columns.count(name) > 1), None)
    if twice is not None:
        raise QueryError(
            f"two columns are called {twice}", "Name each column of its own with AS, as Neo4j asks."
        )
    return Answer(columns, tuple(plain_row(row, query.sparse) for row in rows))


def _writable(
    folder: Path, notice: Notice
) -> tuple[Path, "tempfile.TemporaryDirectory[str] | None"]:
    """Return the folder, or one for this process alone where nothing may be written."""
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder, None
    notice(f"{folder}: cannot be written, so the database is made in a temporary folder.")
    scratch = tempfile.TemporaryDirectory(prefix="kg-db-")
    return Path(scratch.name), scratch


def _define(connection: ladybug.Connection, name: str) -> None:
    function, types, returned = OWN[name]
    # A lambda, as the database does not understand the annotations of the function itself.
    connection.create_function(name, lambda argument: function(argument), [*types], returned)


def _nothing(folder: Path) -> StoreError:
    return StoreError(
        f"{folder}: there is no embedded database",
        "Open the graph's folder, not its db/; it is then made from the tables.",
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
