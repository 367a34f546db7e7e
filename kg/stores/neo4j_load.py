"""Filling a Neo4j: batches in transactions that can be repeated without doubling anything."""

import uuid
import zlib
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import neo4j
import pyarrow as pa

from kg.graph.changes import Snapshot
from kg.graph.tables import Table
from kg.model.schema import EdgeTable
from kg.stores.neo4j_rows import ROWS, Row, rounds, rows_of, sized, windows
from kg.stores.neo4j_statements import (
    STEP,
    all_tables,
    columns,
    create_statement,
    merge_statement,
)

Progress = Callable[[str, int, int], None]
Sessions = Callable[[], neo4j.Session]


def silent(table: str, done: int, total: int) -> None:
    """Show no progress."""


class Filling:
    """One load of one snapshot into one graph of a database.

    `once` creates rows, each batch leaving a mark in its own transaction, so that neither a
    repeated transaction nor a second run creates them again. Without it rows are merged.
    """

    def __init__(
        self, sessions: Sessions, graph: str, snapshot: Snapshot, *, once: bool, workers: int,
        progress: Progress,
    ) -> None:  # fmt: skip
        self._sessions = sessions
        self._graph = graph
        self._snapshot = snapshot
        self._once = once
        self._workers = workers
        self._progress = progress
        self._done = 0
        self._total = 0

    def run(self) -> None:
        """Write nodes, then edges."""
        counts = self._snapshot.counts()
        for table in all_tables():
            self._done, self._total = 0, counts[table.name]
            if not self._total:
                continue
            self._progress(table.name, 0, self._total)
            if isinstance(table, EdgeTable) and self._workers > 1:
                self._edges_apart(table)
            else:
                self._in_turn(table)

    def _in_turn(self, table: Table) -> None:
        names = columns(table)
        batches = sized(self._snapshot.batches(table.name), names)
        steps = ((f"{number}", rows) for number, rows in enumerate(batches))
        if isinstance(table, EdgeTable) or self._workers == 1:
            for step, rows in steps:
                self._write(table, step, rows)
        else:
            self._at_once(table, steps)

    def _edges_apart(self, table: EdgeTable) -> None:
        names = columns(table)
        plan = rounds(self._workers)
        window = ROWS * self._workers * 4
        for number, rows in enumerate(windows(self._snapshot.batches(table.name), window)):
            groups = _by_pair(rows, 2 * self._workers, names)
            for played in plan:
                jobs = ((f"{number}.{a}.{b}", groups.get((a, b), [])) for a, b in played)
                self._at_once(table, ((step, rows) for step, rows in jobs if rows))

    def _at_once(self, table: Table, steps: Iterable[tuple[str, list[Row]]]) -> None:
        with ThreadPoolExecutor(self._workers) as pool:
            for group in _grouped(steps, self._workers):
                for done in [pool.submit(self._write, table, *step) for step in group]:
                    done.result()

    def _write(self, table: Table, step: str, rows: list[Row]) -> None:
        statement = create_statement(table) if self._once else merge_statement(table)
        # The number of workers is part of the key, as it decides which rows are in the batch.
        key = f"{self._graph}|{self._snapshot.build}|{table.name}|{self._workers}|{step}"
        with self._sessions() as session:
            for start in range(0, len(rows), ROWS):
                part = rows[start : start + ROWS]
                session.execute_write(
                    _write_batch,
                    statement,
                    self._graph,
                    part,
                    f"{key}.{start}" if self._once else "",
                )
        self._done += len(rows)
        self._progress(table.name, self._done, self._total)


def _write_batch(
    tx: neo4j.ManagedTransaction, statement: str, graph: str, rows: list[Row], key: str
) -> None:
    if key:
        attempt = uuid.uuid4().hex
        mark = tx.run(
            f"MERGE (s:{STEP} {{key: $key}}) "
            "ON CREATE SET s.graph = $graph, s.attempt = $attempt "
            "RETURN s.attempt = $attempt AS first",
            {"key": key, "graph": graph, "attempt": attempt},
        ).single(strict=True)
        if not mark["first"]:
            return
    tx.run(statement, {"rows": rows, "graph": graph}).consume()


def _by_pair(
    rows: pa.Table, buckets: int, names: tuple[str, ...]
) -> dict[tuple[int, int], list[Row]]:
    groups: dict[tuple[int, int], list[Row]] = {}
    for row in rows_of(rows, names):
        a, b = (zlib.crc32(end.encode()) % buckets for end in row[:2])
        groups.setdefault((min(a, b), max(a, b)), []).append(row)
    return groups


def _grouped(items: Iterable[Any], size: int) -> Iterator[list[Any]]:
    group = []
    for item in items:
        group.append(item)
        if len(group) == size:
            yield group
            group = []
    if group:
        yield group
