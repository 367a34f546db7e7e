"""Filling a Neo4j: batches in transactions that can be repeated without doubling anything."""

import uuid
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any, NamedTuple, cast

import neo4j
import pyarrow as pa

from kg.graph.changes import Snapshot
from kg.graph.tables import Table
from kg.model.schema import EdgeTable
from kg.stores.neo4j_lease import Lease
from kg.stores.neo4j_rows import (
    ROWS,
    dealt_out,
    filled,
    pieces,
    rows_by_place,
    rows_of,
    windows,
)
from kg.stores.neo4j_statements import (
    STEP,
    all_tables,
    columns,
    connect_statement,
    create_statement,
    merge_statement,
)

Progress = Callable[[str, int, int], None]

ORDER = 2  # of rows in batches: a load that broke off goes on only in the order it began in


def silent(table: str, done: int, total: int) -> None:
    """Show no progress."""


class Batch(NamedTuple):
    """Rows for one transaction."""

    step: str  # the same rows have the same step in every load of a build
    rows: pa.Table
    buckets: frozenset[int]  # of nodes that it touches; batches with none in common get along


class Filling:
    """One load of one snapshot into one graph of a database.

    `once` creates rows, each batch leaving a mark in its own transaction, so that neither a
    repeated transaction nor a second run creates them again. Without it rows are merged.
    """

    def __init__(
        self, lease: Lease, snapshot: Snapshot, *, once: bool, workers: int, dealt: int,
        progress: Progress,
    ) -> None:  # fmt: skip
        """Prepare a load.

        Args:
            lease: the right to write the graph.
            snapshot: the build to write.
            once: create rows, else merge them.
            workers: how many transactions at once.
            dealt: for how many workers rows are dealt out, which decides what is in a batch: the
                same when a load goes on.
            progress: called with a table's name, rows written and rows in all.
        """
        self._lease = lease
        self._snapshot = snapshot
        self._once = once
        self._workers = workers
        self._dealt = dealt
        self._progress = progress

    def run(self) -> None:
        """Write nodes, then edges."""
        counts = self._snapshot.counts()
        for table in all_tables():
            if counts[table.name]:
                self._write(table, counts[table.name])

    def _write(self, table: Table, total: int) -> None:
        done = 0
        self._progress(table.name, done, total)
        with ThreadPoolExecutor(self._workers) as pool:
            running: dict[Future[None], Batch] = {}
            for batch in self._in_order(self._batches(table), running):
                if batch is not None:
                    running[pool.submit(self._run, table, batch)] = batch
                    continue
                for ended in wait(running, return_when=FIRST_COMPLETED).done:
                    written = running.pop(ended)
                    ended.result()
                    done += written.rows.num_rows
                    self._progress(table.name, done, total)

    def _in_order(
        self, batches: Iterator[Batch], running: dict[Future[None], Batch]
    ) -> Iterator[Batch | None]:
        """Yield batches that can start beside those running, None when one has to end first."""
        waiting: deque[Batch] = deque()
        while True:
            while len(waiting) < 4 * self._dealt and (more := next(batches, None)) is not None:
                waiting.append(more)
            busy = frozenset[int]().union(*(batch.buckets for batch in running.values()))
            able = next((b for b in waiting if busy.isdisjoint(b.buckets)), None)
            if able is not None and len(running) < self._workers:
                waiting.remove(able)
                yield able
            elif running:
                yield None
            else:
                return

    def _batches(self, table: Table) -> Iterator[Batch]:
        batches = self._snapshot.batches(table.name)
        if not isinstance(table, EdgeTable):
            for number, rows in enumerate(pieces(batches)):
                yield Batch(str(number), rows, frozenset())
            return
        for number, rows in enumerate(windows(batches, ROWS * 4 * max(5, self._dealt))):
            # Edges of a node in one transaction: it is looked up and its chain changed once.
            gathered = rows.sort_by([(name, "ascending") for name in ("head", "tail", "id")])
            for buckets, dealt in self._dealt_out(gathered):
                step = f"{number}.{'.'.join(map(str, sorted(buckets)))}"
                for part, piece in enumerate(pieces([dealt])):
                    yield Batch(f"{step}.{part}", piece, buckets)

    def _dealt_out(self, edges: pa.Table) -> Iterable[tuple[frozenset[int], pa.Table]]:
        if self._dealt > 1:
            return dealt_out(edges, 2 * self._dealt)
        # One worker for edges that were not dealt out: any two may meet in a node.
        return [(frozenset({0}), edges)]

    def _run(self, table: Table, batch: Batch) -> None:
        graph = self._lease.graph
        given: dict[str, Any] = {"graph": graph}
        if not self._once:
            given["rows"] = rows_of(batch.rows, columns(table))
            self._lease.run(_write, merge_statement(table), given)
            return
        names = filled(batch.rows, columns(table))
        statements = [create_statement(table, names)]
        if isinstance(table, EdgeTable):
            statements.insert(0, connect_statement(table, names))
            given["heads"], given["tails"], given["rows"] = rows_by_place(batch.rows, names)
        else:
            given["rows"] = rows_of(batch.rows, names)
        build = self._snapshot.build
        key = f"{graph}|{build}|{table.name}|{self._dealt}|{batch.step}"
        self._lease.run(_create_once, statements, given, key)


def _write(tx: neo4j.ManagedTransaction, statement: str, given: dict[str, Any]) -> bool:
    """Run a statement; say whether it changed anything."""
    return tx.run(cast("Any", statement), given).consume().counters.contains_updates


def _create_once(
    tx: neo4j.ManagedTransaction, statements: Iterable[str], given: dict[str, Any], key: str
) -> None:
    """Run the first statement that finds what it needs, unless this step was made before."""
    attempt = uuid.uuid4().hex
    mark = tx.run(
        f"MERGE (s:{STEP} {{key: $key}}) "
        "ON CREATE SET s.graph = $graph, s.attempt = $attempt "
        "RETURN s.attempt = $attempt AS first",
        {"key": key, "graph": given["graph"], "attempt": attempt},
    ).single(strict=True)
    if mark["first"]:
        any(_write(tx, statement, given) for statement in statements)
