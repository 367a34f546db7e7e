"""The Neo4j store: one graph, by name, in a database that may hold others and a user's own data."""

import contextlib
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Self, TypeVar, cast

import neo4j
from neo4j.exceptions import IncompleteCommit

from kg.errors import StoreError, StoreUnavailableError
from kg.graph.changes import Changes, Snapshot
from kg.stores.cypher.guard import require_reading
from kg.stores.cypher.scoped import within, without_key
from kg.stores.cypher.tokens import tokenize
from kg.stores.neo4j_connection import Address, failures, read
from kg.stores.neo4j_lease import LEASE_S, Lease, prepare
from kg.stores.neo4j_load import ORDER, Filling, Progress, silent
from kg.stores.neo4j_reconcile import remove_strays
from kg.stores.neo4j_statements import (
    BUILD,
    GRAPH,
    STEP,
    all_tables,
    count_statement,
    key_statements,
    schema_statements,
    search_statements,
)
from kg.stores.neo4j_sync import apply_changes
from kg.stores.neo4j_values import value
from kg.stores.parameters import checked
from kg.stores.protocol import Answer

T = TypeVar("T")

WHOLE, FILLING, MENDING, SYNCING = "whole", "filling", "mending", "syncing"


class Neo4jStore:
    """A graph in a Neo4j database, which keeps in a KgBuild node what it holds of it."""

    def __init__(
        self,
        address: Address,
        *,
        graph: str = "kg",
        workers: int = 1,
        progress: Progress = silent,
        retry_s: float = 30,
        wait: bool = True,
        say: Callable[[str], None] | None = None,
        lease_s: float = LEASE_S,
    ) -> None:
        """Point at a database; nothing is sent before the first use.

        Args:
            address: where it is and who asks.
            graph: name of the graph among those in the database.
            workers: how many transactions to write at once.
            progress: called with a table's name, rows written and rows in all.
            retry_s: how long a transaction is repeated when the server fails or is away.
            wait: until another process is done that writes the graph; otherwise StoreBusyError.
            say: told once that it waits, and for whom.
            lease_s: after how many seconds without a sign of life others may take over the writing.
        """
        if not graph or len(graph) > 200 or "|" in graph:
            raise StoreError(
                f"{graph!r} is no name for a graph", "Pass a short name without | to --graph."
            )
        self.graph = graph
        self._address = address
        self._workers = max(1, workers)
        self._progress = progress
        self._driver = address.driver(retry_s)
        self._shared: bool | None = None
        self._wait, self._say, self._lease_s = wait, say, lease_s
        self._turn = threading.RLock()
        self._lease: Lease | None = None

    def __enter__(self) -> Self:
        """Reach the server once: one that is away from the start is not waited for."""
        try:
            with self._failures():
                self._driver.verify_connectivity()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._driver.close()

    def build(self) -> str | None:
        """Return the build that is held whole; None when there is none or a write broke off."""
        state = self.state()
        return state["build"] if state.get("state") == WHOLE else None

    def state(self) -> dict[str, Any]:
        """Return what the KgBuild node says; empty when the graph is not in the database."""

        def held(tx: neo4j.ManagedTransaction) -> dict[str, Any]:
            asked = f"MATCH (b:{BUILD} {{graph: $graph}}) RETURN properties(b)"
            row = tx.run(asked, {"graph": self.graph}).single()
            return dict(row[0]) if row else {}

        return self.reading(held)

    def load(self, snapshot: Snapshot) -> None:
        """Make the graph in the database equal to the snapshot.

        A load that broke off goes on; a graph that holds another build, or was changed by hand,
        is mended by merging every row and taking away what the snapshot does not have.
        """
        with self.writing() as lease:
            self._prepare(key_statements())
            state = self.state()
            held = state.get("state")
            if (
                held == WHOLE
                and state["build"] == snapshot.build
                and not self.differences(snapshot)
            ):
                self._prepare(search_statements())
                return
            begun = held == FILLING and state.get("ordered") == ORDER
            again = begun and state["target"] == snapshot.build
            once = again or (held is None and not any(self.counts().values()))
            dealt = state["dealt"] if again else self._workers
            if not again:
                self._mark(lease, FILLING if once else MENDING, snapshot.build, dealt)
            Filling(
                lease, snapshot,
                once=once, workers=self._workers, dealt=dealt, progress=self._progress,
            ).run()  # fmt: skip
            if not once:
                remove_strays(lease, snapshot)
            self._prepare(search_statements())
            self._finish(lease, snapshot.build)

    def apply(self, changes: Changes) -> None:
        """Go from one build to the next by the rows that differ; can be repeated."""
        with self.writing() as lease:
            state = self.state()
            going = state.get("state") == SYNCING and state.get("target") == changes.new
            if state.get("build") != changes.old or not (state.get("state") == WHOLE or going):
                raise StoreError(
                    f"the database holds build {state.get('build')} ({state.get('state')}), "
                    f"not {changes.old}",
                    "Run `kg neo4j load`, which mends it.",
                )
            self._prepare(schema_statements())
            self._mark(lease, SYNCING, changes.new)
            apply_changes(lease, changes, self._progress)
            self._finish(lease, changes.new)

    @contextlib.contextmanager
    def writing(self) -> Iterator[Lease]:
        """Keep other processes from writing the graph; what is within sees no other's changes.

        Raises:
            StoreBusyError: another one writes, and the store does not wait.
        """
        with self._turn:
            if self._lease is not None:
                yield self._lease
                return
            with (
                self._failures(),
                Lease(
                    self.session, self.graph, slots=self._workers,
                    wait=self._wait, say=self._say, lasts_s=self._lease_s,
                ) as self._lease,
            ):  # fmt: skip
                try:
                    yield self._lease
                finally:
                    self._lease = None

    def rows(self, cypher: str, parameters: Mapping[str, Any] | None = None) -> Answer:
        """Answer a reading query, in a transaction that may not write."""
        tokens = tokenize(cypher)
        require_reading(tokens)
        given = checked(tokens, parameters or {})
        asked = without_key(tokens, GRAPH)
        if self._others():
            asked = within(asked, GRAPH, GRAPH)
            given[GRAPH] = self.graph
        text = "".join(token.text for token in asked)

        def asking(tx: neo4j.ManagedTransaction) -> Answer:
            return _answer(tx.run(cast("Any", text), given))

        return self.reading(asking)

    def _others(self) -> bool:
        """Say whether the database holds other graphs, so that a query has to name this one."""
        if self._shared is None:

            def count(tx: neo4j.ManagedTransaction) -> bool:
                others = f"MATCH (b:{BUILD}) WHERE b.graph <> $graph RETURN count(b) > 0"
                return bool(tx.run(others, {"graph": self.graph}).single(strict=True)[0])

            self._shared = self.reading(count)
        return self._shared

    def write(self, cypher: str, parameters: Mapping[str, Any] | None = None) -> Answer:
        """Run a query that may change the database; what it changes is the user's own affair."""
        given = checked(tokenize(cypher), parameters or {})

        def write(tx: neo4j.ManagedTransaction) -> Answer:
            return _answer(tx.run(cast("Any", cypher), given))

        with self._failures(), self.session() as session:
            try:
                return session.execute_write(write)
            except IncompleteCommit as error:
                raise StoreUnavailableError(
                    "the connection to Neo4j broke before it said whether the change was kept",
                    "Look into the database before you run the query again.",
                ) from error

    def reading(self, work: Callable[[neo4j.ManagedTransaction], T]) -> T:
        """Do something in a transaction that may not write, again when the connection drops."""
        with self._failures():
            return read(lambda: self.session(access=neo4j.READ_ACCESS), work)

    def counts(self) -> dict[str, int]:
        """Count the rows of every table of this graph."""

        def count(tx: neo4j.ManagedTransaction) -> dict[str, int]:
            return {
                table.name: tx.run(
                    cast("Any", count_statement(table)), {"graph": self.graph}
                ).single(strict=True)[0]
                for table in all_tables()
            }

        return self.reading(count)

    def differences(self, snapshot: Snapshot) -> dict[str, tuple[int, int]]:
        """Return (rows of the snapshot, rows of the database) of each table where they differ."""
        wanted, held = snapshot.counts(), self.counts()
        return {n: (wanted[n], held[n]) for n in held if wanted[n] != held[n]}

    def _prepare(self, statements: tuple[str, ...]) -> None:
        prepare(self.session, statements)
        self.reading(lambda tx: tx.run("CALL db.awaitIndexes(600)").consume())

    def _mark(self, lease: Lease, state: str, target: str, dealt: int | None = None) -> None:
        self._write(
            lease,
            f"MERGE (b:{BUILD} {{graph: $graph}}) "
            "SET b.state = $state, b.target = $target, b.dealt = $dealt, b.ordered = $ordered",
            state=state, target=target, dealt=dealt, ordered=ORDER,
        )  # fmt: skip
        if state == FILLING:
            self._write(lease, f"MATCH (s:{STEP} {{graph: $graph}}) DELETE s")

    def _finish(self, lease: Lease, build: str) -> None:
        self._write(
            lease,
            f"MERGE (b:{BUILD} {{graph: $graph}}) "
            "SET b.state = $state, b.build = $build REMOVE b.target, b.dealt, b.ordered",
            state=WHOLE, build=build,
        )  # fmt: skip
        self._write(lease, f"MATCH (s:{STEP} {{graph: $graph}}) DELETE s")

    def _write(self, lease: Lease, cypher: str, **parameters: Any) -> None:
        def write(tx: neo4j.ManagedTransaction) -> None:
            tx.run(cast("Any", cypher), {"graph": self.graph, **parameters}).consume()

        lease.run(write)

    def session(self, access: str = neo4j.WRITE_ACCESS) -> neo4j.Session:
        """Open a session on the graph's database."""
        return self._driver.session(
            database=self._address.database, default_access_mode=access, fetch_size=5000
        )

    @contextlib.contextmanager
    def _failures(self) -> Iterator[None]:
        with failures(self._address):
            yield


def _answer(result: neo4j.Result) -> Answer:
    return Answer(tuple(result.keys()), tuple(tuple(map(value, r.values())) for r in result))
