"""One writer at a time: a lease on a graph in a Neo4j, which ends with its holder.

The KgBuild node of the graph names the holder, who shows every few seconds that it is alive. Each
of its transactions first locks a KgWriter node of the lease. Who takes a lease over breaks off the
transactions of the former holder and deletes those nodes, so that its later ones fail: a process
which was stopped for a while cannot write into what others have changed since.
"""

import contextlib
import json
import os
import queue
import threading
import time
import uuid
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import Any, Concatenate, ParamSpec, Self, TypeVar, cast

import neo4j
from neo4j.exceptions import ClientError, DriverError, Neo4jError

from kg.errors import StoreBusyError
from kg.graph.lock import Holder, alive, this_process
from kg.stores.neo4j_connection import Sessions, read, written
from kg.stores.neo4j_statements import BUILD, LEASE_SCHEMA, WRITER

P = ParamSpec("P")
T = TypeVar("T")

LEASE_S = 60.0  # without a sign of life after which others take over
_POLL_S = 0.5
_MARK = "kg_writer"  # of its transactions, in their metadata

# Leases that this process holds: after a fork or a failure its number alone says nothing.
_open: set[str] = set()


class Lease:
    """The right to write a graph, held while the context is open."""

    def __init__(
        self,
        sessions: Sessions,
        graph: str,
        *,
        slots: int = 1,
        wait: bool = True,
        say: Callable[[str], None] | None = None,
        lasts_s: float = LEASE_S,
    ) -> None:
        """Prepare a lease; nothing is sent yet.

        Args:
            sessions: opens a session that may write.
            graph: name of the graph.
            slots: how many transactions may run at once.
            wait: until another writer is done; otherwise StoreBusyError.
            say: told once that it waits, and for whom.
            lasts_s: after how many seconds without a sign of life others take over.
        """
        self.sessions = sessions
        self.graph = graph
        self._wait = wait
        self._say = say
        self._lasts_s = lasts_s
        self._token = uuid.uuid4().hex
        self._keys = [f"{self._token}.{number}" for number in range(slots)]
        self._free: queue.SimpleQueue[str] = queue.SimpleQueue()
        for key in self._keys:
            self._free.put(key)
        self._over = threading.Event()
        self._beating = threading.Thread(target=self._beat, daemon=True)

    def __enter__(self) -> Self:
        """Take the lease; wait for another writer or raise StoreBusyError."""
        prepare(self.sessions, LEASE_SCHEMA)
        told = False
        while (holder := self._asked()) is not None:
            if not self._wait:
                raise StoreBusyError(
                    f"{holder} writes graph {self.graph!r} in this database",
                    "Try again later, or without --no-wait.",
                )
            if self._say and not told:
                self._say(f"Waiting for {holder}.")
                told = True
            time.sleep(_POLL_S)
        _open.add(self._token)
        self._beating.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None
    ) -> None:
        self._over.set()
        self._beating.join(1)
        try:
            # Once, as a server that is away need not be waited for: the lease runs out.
            with contextlib.suppress(Neo4jError, DriverError, OSError), self.sessions() as session:
                session.run(
                    f"MATCH (b:{BUILD} {{graph: $graph, writer: $token}}) "
                    "REMOVE b.writer, b.holder, b.seen "
                    f"WITH b OPTIONAL MATCH (w:{WRITER} {{graph: $graph}}) DELETE w "
                    "WITH DISTINCT b WHERE b.state IS NULL DELETE b",
                    {"graph": self.graph, "token": self._token},
                ).consume()
        finally:
            _open.discard(self._token)

    def run(
        self,
        work: Callable[Concatenate[neo4j.ManagedTransaction, P], T],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """Do work in a transaction that is repeated when the server fails; can be called by threads.

        Raises:
            StoreBusyError: another process has taken over.
        """

        def held(tx: neo4j.ManagedTransaction) -> T:
            self._hold(tx, key)
            return work(tx, *args, **kwargs)

        key = self._free.get()
        try:
            return written(self.sessions, neo4j.unit_of_work(metadata={_MARK: self._token})(held))
        except Neo4jError as error:
            if "Terminated" in (error.code or "") and self._holder()[0] != self._token:
                raise self._lost() from error
            raise
        finally:
            self._free.put(key)

    def _hold(self, tx: neo4j.ManagedTransaction, key: str) -> None:
        try:
            given = {"key": key, "turn": uuid.uuid4().hex}
            tx.run(f"MATCH (w:{WRITER} {{key: $key}}) SET w.turn = $turn", given).consume()
            # Asked again behind the lock, for which the first statement may have waited.
            mine = f"MATCH (w:{WRITER} {{key: $key}}) WHERE w.turn = $turn RETURN w.key"
            if tx.run(mine, given).single() is not None:
                return
        except ClientError as error:
            if error.code is None or not error.code.endswith("EntityNotFound"):
                raise
        raise self._lost()

    def _lost(self) -> StoreBusyError:
        return StoreBusyError(
            f"another process has taken over the writing of graph {self.graph!r}",
            f"This one gave no sign of life for {self._lasts_s:.0f} seconds. "
            "Run the command again when the other is done.",
        )

    def _asked(self) -> str | None:
        """Take the lease when it is free; otherwise return in words who holds it."""
        token, said, silent_ms = self._holder()
        if token is not None and self._held_by(token, said, silent_ms) is None:
            self._break_off(token)
        return written(self.sessions, self._take)

    def _holder(self) -> tuple[str | None, str | None, int | None]:
        """Return the token of who holds the lease, what it says of itself, and how long it is silent."""
        return read(self.sessions, self._read_holder)

    def _read_holder(
        self, tx: neo4j.ManagedTransaction
    ) -> tuple[str | None, str | None, int | None]:
        row = tx.run(
            f"MATCH (b:{BUILD} {{graph: $graph}}) "
            "RETURN b.writer AS token, b.holder AS holder, timestamp() - b.seen AS silent",
            {"graph": self.graph},
        ).single()
        return (row["token"], row["holder"], row["silent"]) if row else (None, None, None)

    def _break_off(self, token: str) -> None:
        """End transactions of a former holder: of one that is asleep the server would wait for ever."""
        with self.sessions() as session:
            listed = session.run("SHOW TRANSACTIONS YIELD transactionId, metaData")
            stale = [r["transactionId"] for r in listed if r["metaData"].get(_MARK) == token]
            if stale:
                session.run("TERMINATE TRANSACTIONS $stale", {"stale": stale}).consume()

    def _take(self, tx: neo4j.ManagedTransaction) -> str | None:
        given = {"graph": self.graph, "token": self._token, "keys": self._keys}
        tx.run(f"MERGE (b:{BUILD} {{graph: $graph}}) SET b.asked = $token", given).consume()
        who = self._held_by(*self._read_holder(tx))  # behind the lock
        if who is not None:
            tx.run(f"MATCH (b:{BUILD} {{graph: $graph}}) REMOVE b.asked", given).consume()
            return who
        tx.run(f"MATCH (w:{WRITER} {{graph: $graph}}) DELETE w", given).consume()
        tx.run(
            f"MATCH (b:{BUILD} {{graph: $graph}}) "
            "SET b.writer = $token, b.holder = $holder, b.seen = timestamp() REMOVE b.asked "
            f"WITH b UNWIND $keys AS key CREATE (:{WRITER} {{key: key, graph: $graph}})",
            {**given, "holder": _described()},
        ).consume()
        return None

    def _held_by(self, token: str | None, holder: str | None, silent_ms: int | None) -> str | None:
        if token is None or token == self._token or silent_ms is None:
            return None
        if silent_ms > self._lasts_s * 1000:
            return None
        said = _read(holder)
        if said is None:
            return "another writer"
        who, place = said
        if place == _place():
            mine = who.pid == os.getpid()
            if not alive(who) or (mine and token not in _open):
                return None
        return str(who)

    def _beat(self) -> None:
        sign = f"MATCH (b:{BUILD} {{graph: $graph, writer: $token}}) SET b.seen = timestamp()"
        while not self._over.wait(self._lasts_s / 5):
            with contextlib.suppress(Neo4jError, DriverError, OSError), self.sessions() as session:
                session.run(sign, {"graph": self.graph, "token": self._token}).consume()


def prepare(sessions: Sessions, statements: tuple[str, ...]) -> None:
    """Make constraints and indexes that are not there; others may do the same at the same time."""
    for statement in statements:

        def make(tx: neo4j.ManagedTransaction, statement: str = statement) -> None:
            tx.run(cast("Any", statement)).consume()

        try:
            written(sessions, make)
        except ClientError as error:
            if error.code is None or not error.code.endswith("AlreadyExists"):
                raise


def _described() -> str:
    return json.dumps({**asdict(this_process()), "place": _place()})


def _read(holder: str | None) -> tuple[Holder, str] | None:
    try:
        said = json.loads(holder or "")
        return Holder(said["pid"], said["host"], said["started"], said["since"]), said["place"]
    except (ValueError, KeyError, TypeError):
        return None


def _place() -> str:
    """Return where numbers of processes mean the same: a host, or one of its containers."""
    with contextlib.suppress(OSError):
        return f"{this_process().host} {Path('/proc/self/ns/pid').readlink()}"
    return this_process().host
