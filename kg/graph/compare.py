"""The rows in which two tables differ, found by merging both in the order of ids."""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from kg.graph.changes import TableChange
from kg.graph.tables import Table, arrow_schema


def compared(
    table: Table,
    earlier: Iterator[pa.RecordBatch],
    later: Iterator[pa.RecordBatch],
    *,
    most: int | None = None,
) -> TableChange | None:
    """Return the rows of a table that came, went and changed; every value is compared.

    Args:
        table: which table it is.
        earlier: its rows in one build, sorted by id, in pieces of any size.
        later: its rows in another build.
        most: rows to find at most; a row that changed counts twice, as it was and as it is.

    Returns:
        The difference; None as soon as it has more rows than `most`.
    """
    schema = arrow_schema(table)
    found: tuple[list[pa.Table], ...] = tuple([schema.empty_table()] for _ in range(4))
    size = 0
    for left, right in _aligned(earlier, later, schema):
        if left.equals(right):
            continue
        for rows, more in zip(found, _compared(left, right), strict=True):
            rows.append(more)
            size += more.num_rows
        if most is not None and size > most:
            return None
    return TableChange(table, *(pa.concat_tables(rows) for rows in found))


def _compared(left: pa.Table, right: pa.Table) -> tuple[pa.Table, ...]:
    """Return the rows that came, went and changed, and how those were before."""
    # Where each earlier row stands now; null for those that went.
    place = pc.index_in(left["id"], value_set=right["id"].combine_chunks())
    stays_left = place.is_valid().to_numpy()
    stays_right = np.zeros(right.num_rows, bool)
    stays_right[place.drop_null().to_numpy()] = True
    went, came = left.filter(pa.array(~stays_left)), right.filter(pa.array(~stays_right))
    # Sorted and with the same ids, so row by row the same node or edge.
    left, right = _only(left, stays_left), _only(right, stays_right)
    differs = pa.array(differing(left, right))
    return came, went, right.filter(differs), left.filter(differs)


def _aligned(
    old: Iterator[pa.RecordBatch], new: Iterator[pa.RecordBatch], schema: pa.Schema
) -> Iterator[tuple[pa.Table, pa.Table]]:
    """Yield pieces of both, such that no id stands in different pieces of the two."""
    left, right = schema.empty_table(), schema.empty_table()
    while True:
        left, right = _filled(left, old), _filled(right, new)
        if not left.num_rows or not right.num_rows:
            break
        limit = min(_last(left), _last(right))
        cut = [_up_to(side, limit) for side in (left, right)]
        yield left.slice(0, cut[0]), right.slice(0, cut[1])
        left, right = left.slice(cut[0]), right.slice(cut[1])
    while left.num_rows or right.num_rows:
        yield left, right
        nothing = schema.empty_table()
        left, right = _filled(nothing, old), _filled(nothing, new)


def _filled(held: pa.Table, batches: Iterator[pa.RecordBatch]) -> pa.Table:
    while not held.num_rows:
        batch = next(batches, None)
        if batch is None:
            break
        held = pa.Table.from_batches([batch]).cast(held.schema)
    return held


def _last(table: pa.Table) -> str:
    last: str = table["id"][table.num_rows - 1].as_py()
    return last


def _up_to(table: pa.Table, limit: str) -> int:
    """Return how many rows have ids up to the limit; Arrow orders strings as Python does."""
    return int(pc.sum(pc.cast(pc.less_equal(table["id"], limit), pa.int64())).as_py() or 0)


def _only(table: pa.Table, rows: npt.NDArray[np.bool_]) -> pa.Table:
    return table if rows.all() else table.filter(pa.array(rows))


def differing(left: pa.Table, right: pa.Table) -> npt.NDArray[np.bool_]:
    """Return for each row whether any value differs; null equals null, NaN equals NaN."""
    differs = np.zeros(left.num_rows, bool)
    for name in left.column_names:
        # Most columns are the same throughout, which is told much faster than where they are not.
        if name != "id" and not left[name].equals(right[name]):
            differs |= _values_differ(left[name].combine_chunks(), right[name].combine_chunks())
    return differs


def _values_differ(left: pa.Array, right: pa.Array) -> npt.NDArray[np.bool_]:
    if pa.types.is_list(left.type):
        return _lists_differ(left, right)
    null = [pc.is_null(side).to_numpy(zero_copy_only=False) for side in (left, right)]
    unequal = pc.fill_null(pc.not_equal(left, right), False)
    if pa.types.is_floating(left.type):
        both = pc.and_(pc.is_nan(left), pc.is_nan(right))
        unequal = pc.and_(unequal, pc.invert(pc.fill_null(both, False)))
    found: npt.NDArray[np.bool_] = unequal.to_numpy(zero_copy_only=False) | (null[0] != null[1])
    return found


def _lists_differ(left: pa.Array, right: pa.Array) -> npt.NDArray[np.bool_]:
    sizes = [
        pc.fill_null(pc.list_value_length(side), -1).to_numpy(zero_copy_only=False)
        for side in (left, right)
    ]
    differs: npt.NDArray[np.bool_] = sizes[0] != sizes[1]
    same = np.flatnonzero(~differs)
    lists = [side.take(pa.array(same)) for side in (left, right)]
    owners = pc.list_parent_indices(lists[0]).to_numpy(zero_copy_only=False)
    unequal = _values_differ(pc.list_flatten(lists[0]), pc.list_flatten(lists[1]))
    differs[same[owners[unequal]]] = True
    return differs
