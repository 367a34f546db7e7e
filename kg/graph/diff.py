"""What differs between two builds, by merging their tables in the order of ids."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from kg.graph.changes import Changes, Snapshot, TableChange
from kg.graph.tables import TABLES, Table, arrow_schema

_AT_A_TIME = 2


def diff(old: Snapshot | None, new: Snapshot) -> Changes:
    """Return the rows that came, went and changed from one build to another.

    Both are read in the order of ids, a piece at a time, and tables whose files are the same
    are not read at all: memory grows with what differs. Two tables are compared at a time.

    Args:
        old: the earlier build; None for nothing at all, and everything comes.
        new: the later build.
    """
    differing = [
        table for name, table in TABLES.items() if old is None or not _same_bytes(old, new, name)
    ]
    # Arrow lets go of the interpreter while it reads and compares.
    with ThreadPoolExecutor(_AT_A_TIME) as threads:
        found = list(threads.map(lambda table: _table_change(table, old, new), differing))
    tables = tuple(change for change in found if change.size)
    return Changes(None if old is None else old.build, new.build, tables)


def _same_bytes(old: Snapshot, new: Snapshot, name: str) -> bool:
    # Files carry the hash of their content in their names.
    files = tuple(file.name for file in new.files(name))
    return bool(files) and files == tuple(file.name for file in old.files(name))


def _table_change(table: Table, old: Snapshot | None, new: Snapshot) -> TableChange:
    schema = arrow_schema(table)
    came, went, changed, before = ([schema.empty_table()] for _ in range(4))
    earlier = iter(()) if old is None else old.batches(table.name)
    for left, right in _aligned(earlier, new.batches(table.name), schema):
        if left.equals(right):
            continue
        stays_left = pc.is_in(left["id"], value_set=right["id"].combine_chunks())
        stays_right = pc.is_in(right["id"], value_set=left["id"].combine_chunks())
        went.append(left.filter(pc.invert(stays_left)))
        came.append(right.filter(pc.invert(stays_right)))
        # Sorted and with the same ids, so row by row the same node or edge.
        left, right = _only(left, stays_left), _only(right, stays_right)
        differs = _differs(left, right)
        if differs.any():
            changed.append(right.filter(pa.array(differs)))
            before.append(left.filter(pa.array(differs)))
    return TableChange(table, *(pa.concat_tables(rows) for rows in (came, went, changed, before)))


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


def _only(table: pa.Table, rows: pa.ChunkedArray) -> pa.Table:
    return table if pc.all(rows).as_py() else table.filter(rows)


def _differs(left: pa.Table, right: pa.Table) -> npt.NDArray[np.bool_]:
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
