"""Arrow rows in batches that suit a transaction."""

import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import pyarrow as pa

# Rows in one transaction: more hold up the server's memory, fewer pay for round trips.
ROWS = 5000
_BYTES = 8 * 1024 * 1024

Row = list[Any]


def sized(
    batches: Iterable[pa.RecordBatch | pa.Table], names: Sequence[str]
) -> Iterator[list[Row]]:
    """Yield rows as lists of the named columns, at most ROWS and about 8 MB at a time."""
    pending: list[Row] = []
    size = 0
    for batch in batches:
        if not batch.num_rows:
            continue
        each = max(1, batch.nbytes // batch.num_rows)
        step = max(1, min(ROWS, _BYTES // each))
        for start in range(0, batch.num_rows, step):
            part = batch.slice(start, step)
            if pending and (size + part.num_rows * each > _BYTES or len(pending) >= ROWS):
                yield pending
                pending, size = [], 0
            pending += rows_of(part, names)
            size += part.num_rows * each
    if pending:
        yield pending


def rows_of(batch: pa.RecordBatch | pa.Table, names: Sequence[str]) -> list[Row]:
    """Return every row as a list of the named columns."""
    columns = [batch.column(name).to_pylist() for name in names]
    return [list(row) for row in zip(*columns, strict=True)]


def windows(batches: Iterable[pa.RecordBatch], rows: int) -> Iterator[pa.Table]:
    """Gather batches into tables of at least so many rows."""
    gathered: list[pa.RecordBatch] = []
    count = 0
    for batch in batches:
        gathered.append(batch)
        count += batch.num_rows
        if count >= rows:
            yield pa.Table.from_batches(gathered)
            gathered, count = [], 0
    if count:
        yield pa.Table.from_batches(gathered)


def rounds(workers: int) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Return pairs of buckets of nodes, in rounds in which no bucket stands twice.

    Edges between the buckets of one pair go to one worker. Workers of one round then never touch
    the same node, so that none waits for a lock that another holds: the fixture list of a
    tournament. The last round holds the pairs of a bucket with itself.
    """
    buckets = 2 * workers
    listed: list[tuple[tuple[int, int], ...]] = []
    circle = list(range(1, buckets))
    for _ in range(buckets - 1):
        seats = [0, *circle]
        listed.append(
            tuple(
                (min(a, b), max(a, b))
                for a, b in itertools.islice(zip(seats, reversed(seats), strict=True), buckets // 2)
            )
        )
        circle = circle[-1:] + circle[:-1]
    listed.append(tuple((b, b) for b in range(buckets)))
    return tuple(listed)
