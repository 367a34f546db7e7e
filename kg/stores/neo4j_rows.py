"""Arrow rows in batches that suit a transaction."""

import itertools
import zlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

# Rows in one transaction: more hold up the server's memory, fewer pay for round trips.
ROWS = 5000
_BYTES = 8 * 1024 * 1024

Row = list[Any]


def sized(
    batches: Iterable[pa.RecordBatch | pa.Table], names: Sequence[str]
) -> Iterator[list[Row]]:
    """Yield rows as lists of the named columns, at most ROWS and about 8 MB at a time."""
    for table in pieces(batches):
        yield rows_of(table, names)


def pieces(batches: Iterable[pa.RecordBatch | pa.Table]) -> Iterator[pa.Table]:
    """Yield tables of at most ROWS rows and about 8 MB; the same for the same rows in any batches."""
    for window in windows(batches, ROWS):
        count = min(window.num_rows, -(-_size(window) // _BYTES)) or 1
        step = -(-window.num_rows // count)
        for start in range(0, window.num_rows, step):
            yield window.slice(start, step)


def rows_of(batch: pa.RecordBatch | pa.Table, names: Sequence[str]) -> list[Row]:
    """Return every row as a list of the named columns."""
    columns = [batch.column(name).to_pylist() for name in names]
    return [list(row) for row in zip(*columns, strict=True)]


def rows_by_place(rows: pa.Table, names: Sequence[str]) -> tuple[list[str], list[str], list[Row]]:
    """Return heads, tails, and every edge as a list of the named columns with places in those.

    Each node stands once. The first two names are head and tail.
    """
    ends = [rows[name].combine_chunks().dictionary_encode() for name in ("head", "tail")]
    columns = [end.indices.to_pylist() for end in ends]
    columns += [rows[name].to_pylist() for name in names[2:]]
    heads, tails = (end.dictionary.to_pylist() for end in ends)
    return heads, tails, [list(row) for row in zip(*columns, strict=True)]


def windows(batches: Iterable[pa.RecordBatch | pa.Table], rows: int) -> Iterator[pa.Table]:
    """Yield tables of exactly so many rows, and the rest."""
    gathered: list[pa.Table] = []
    count = 0
    for batch in batches:
        table = pa.Table.from_batches([batch]) if isinstance(batch, pa.RecordBatch) else batch
        start = 0
        while start < table.num_rows:
            part = table.slice(start, rows - count)
            gathered.append(part)
            count += part.num_rows
            start += part.num_rows
            if count == rows:
                yield pa.concat_tables(gathered).combine_chunks()
                gathered, count = [], 0
    if count:
        yield pa.concat_tables(gathered).combine_chunks()


def _size(table: pa.Table) -> int:
    """Return about how many bytes the rows take; told by their content alone."""
    size: int = 8 * table.num_rows * table.num_columns
    for column in table.columns:
        flat = column.combine_chunks()
        if pa.types.is_list(flat.type):
            flat = flat.flatten()
            size += 8 * len(flat)
        if pa.types.is_string(flat.type):
            size += int(pc.sum(pc.binary_length(flat)).as_py() or 0)
    return size


def filled(rows: pa.Table, names: Sequence[str]) -> tuple[str, ...]:
    """Return the columns that have a value in any row."""
    return tuple(name for name in names if rows[name].null_count < rows.num_rows)


def dealt_out(rows: pa.Table, buckets: int) -> Iterator[tuple[frozenset[int], pa.Table]]:
    """Yield the edges between each two buckets of nodes.

    Workers whose buckets differ never touch the same node, so that none waits for a lock that
    another holds. Pairs come in an order in which neighbours have no bucket in common, the fixture
    list of a tournament; last come those within one bucket.
    """
    ends = [
        [zlib.crc32(e.encode()) % buckets for e in rows[n].to_pylist()] for n in ("head", "tail")
    ]
    placed: dict[frozenset[int], list[int]] = {}
    for place, both in enumerate(zip(*ends, strict=True)):
        placed.setdefault(frozenset(both), []).append(place)
    for pair in fixtures(buckets):
        if pair in placed:
            yield pair, rows.take(placed[pair])


def fixtures(buckets: int) -> Iterator[frozenset[int]]:
    """Yield all pairs of an even number of buckets, in rounds in which none stands twice."""
    circle = list(range(1, buckets))
    for _ in range(buckets - 1):
        seats = [0, *circle]
        yield from (
            frozenset(pair)
            for pair in itertools.islice(zip(seats, reversed(seats), strict=True), buckets // 2)
        )
        circle = circle[-1:] + circle[:-1]
    yield from (frozenset({bucket}) for bucket in range(buckets))
