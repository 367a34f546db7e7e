"""The embedded store: a ladybug database that caches the tables of one build."""

import contextlib
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, cast

import ladybug

from kg.errors import KgError, QueryError, StoreError
from kg.stores.cypher.dialect import Translated, to_ladybug
from kg.stores.cypher.functions import OWN, own_functions
from kg.stores.cypher.guard import require_reading, statements
from kg.stores.cypher.hints import refused
from kg.stores.cypher.tokens import tokenize
from kg.stores.embedded_cache import Cache, State
from kg.stores.embedded_tables import ENGINE, fingerprint, table_counts
from kg.stores.embedded_values import plain_row
from kg.stores.parameters import checked
from kg.stores.protocol import Answer

# What makes files needs Arrow, whose import takes longer than a query: it is imported when a file
# has to be made.
if TYPE_CHECKING:
    from kg.graph.changes import Changes, Snapshot

Notice = Callable[[str], None]
_TRIES = 100
_PAUSE_S = 0.02


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
        self._reading = contextlib.ExitStack()
        self._scratch: tempfile.TemporaryDirectory[str] | None = None

    @classmethod
    def synced(
        cls,
        folder: Path,
        snapshot: "Snapshot",
        *,
        changes_since: "Callable[[str], Changes | None]" = lambda _: None,
        new: bool = False,
        to_ask: bool = True,
        notice: Notice = _silent,
    ) -> Self:
        """Return a store that holds the snapshot: as it is, brought up to date, or made anew.

        Args:
            folder: the folder db/ of the graph.
            snapshot: the build that is wanted.
            changes_since: gives the difference from a build to the snapshot, None when
                that build is no longer known.
            new: the graph was just built, so that a database that is not there is no news.
            to_ask: open it at once, while nobody can swap the file for another build's; opening
                reads the log, which is not worth it where nothing is asked.
            notice: called with one line when the cache has to be made again.
        """
        held = cls.holding(folder, snapshot.build, notice=notice)
        if held is not None:
            return held
        place, scratch = _writable(folder, notice)
        store = cls(place, notice=notice)
        store._scratch = scratch
        with store._cache.lock(lambda: notice("Waiting for another process to update db/.")):
            store._bring_up(snapshot, changes_since, new=new or scratch is not None)
            if to_ask:
                store._open()
        return store

    @classmethod
    def holding(cls, folder: Path, build: str, *, notice: Notice = _silent) -> Self | None:
        """Return the store as it is if it holds the build and can be opened; else None."""
        store = cls(folder, notice=notice)
        return store if store._holds(build) else None

    def build(self) -> str | None:
        """Return the build that the current file holds; None when it cannot be used."""
        state = self._cache.state()
        return state.build if state and not self._problem(state) else None

    def load(self, snapshot: "Snapshot") -> None:
        """Make the database anew from the Parquet files of the snapshot."""
        from kg.stores.embedded_making import load

        load(self._cache, snapshot)
        self._let_go()

    def apply(self, changes: "Changes") -> None:
        """Bring the database from changes.old to changes.new."""
        from kg.stores.embedded_making import apply

        state = self._cache.state()
        if state is None or state.build != changes.old:
            held = state.build if state else None
            raise StoreError(
                f"the embedded database holds build {held}, not {changes.old}",
                "Load the whole build instead.",
            )
        self._let_go()
        apply(self._cache, state, changes)

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
        from kg.stores.embedded_making import edit

        state = self._cache.state()
        tokens = tokenize(cypher)
        given = checked(tokens, parameters or {})
        if state is None:
            raise _nothing(self._cache.folder)
        if len(statements(tokens)) != 1:
            raise QueryError("the query is not one statement", "Pass one statement at a time.")
        answers = []

        def change(connection: ladybug.Connection) -> None:
            answers.append(_ask(connection, to_ladybug(tokens, cypher), cypher, given))

        with self._cache.lock(lambda: self._notice("Waiting for another process.")):
            edit(self._cache, state, change)
        self._let_go()
        return answers[0]

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
        self._reading.close()
        self._connection = self._database = self._state = None

    def _open(self) -> ladybug.Connection:
        if self._connection is not None:
            return self._connection
        for _ in range(_TRIES):  # the file may be swapped between reading its name and opening it
            reading = self._cache.reading()
            state = self._cache.state() if reading is not None else None
            if reading is not None and state is not None:
                with contextlib.suppress(RuntimeError):
                    database = ladybug.Database(str(self._cache.path(state)), read_only=True)
                    self._connection = ladybug.Connection(database)
                    self._database, self._state = database, state
                    self._reading.push(reading)
                    return self._connection
            if reading is not None:
                reading.close()
                if state is None:
                    break
            time.sleep(_PAUSE_S)
        raise _nothing(self._cache.folder)

    def _problem(self, state: State) -> str:
        if state.engine != ENGINE:
            return "was written by another version"
        if state.tables != fingerprint():
            return "has the tables of another version"
        return self._cache.damage(state)

    def _holds(self, build: str) -> bool:
        state = self._cache.state()
        if state is None or state.build != build or self._problem(state):
            return False
        try:
            self._open()
        except KgError:
            return False
        if self._state == state:
            return True
        self._let_go()
        return False

    def _bring_up(
        self,
        snapshot: "Snapshot",
        changes_since: "Callable[[str], Changes | None]",
        *,
        new: bool,
    ) -> None:
        if self._holds(snapshot.build):  # the process that was waited for has done it
            return
        self._let_go()
        state = self._cache.state()
        problem = self._problem(state) if state else self._cache.remains()
        if state and not problem and state.build == snapshot.build:
            problem = "cannot be opened"
        if not state and not problem and not new:
            problem = "is missing"
        if state and not problem and not state.edited:
            changes = changes_since(state.build)
            if changes is not None:
                failure = self._applied(state, changes)
                if failure is None:
                    return
                problem = failure
            elif state.build != snapshot.build and not new:
                problem = "holds a build that is no longer known"
        if problem:
            self._notice(f"The embedded database {problem}; it is made again from the tables.")
        self.load(snapshot)

    def _applied(self, state: State, changes: "Changes") -> str | None:
        """Apply a difference; otherwise say why not, in no words where a load is only faster."""
        from kg.stores.embedded_making import worth_applying

        if not worth_applying(state, changes):
            return ""
        try:
            self.apply(changes)
        except StoreError:
            return "could not be brought up to date"
        return None


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
