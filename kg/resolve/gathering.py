"""Rows of a large table by their numbers, a piece at a time.

Arrow's own `take` puts all chunks of a table together first: the table twice in memory, once more
for every piece.
"""

from collections.abc import Iterator
from hashlib import blake2b

import numpy as np
import numpy.typing as npt
import pyarrow as pa

Ints = npt.NDArray[np.int64]

# Rows that are looked at together; papers have some kilobytes each.
PIECE = 4096


class Gatherer:
    """Finds rows of a table, in any order and as often as asked for."""

    def __init__(self, table: pa.Table) -> None:
        self._schema = table.schema
        self._batches = [batch for batch in table.to_batches() if batch.num_rows]
        ends = np.cumsum([batch.num_rows for batch in self._batches], dtype=np.int64)
        self._bounds: Ints = np.concatenate([np.zeros(1, np.int64), ends])

    def take(self, rows: Ints) -> pa.RecordBatch:
        """Return the rows of these numbers, in their order."""
        order = np.argsort(rows, kind="stable")
        ascending = rows[order]
        cuts = np.searchsorted(ascending, self._bounds)
        found = [
            batch.take(pa.array(ascending[start:end] - bound))
            for batch, bound, start, end in zip(
                self._batches, self._bounds[:-1], cuts[:-1], cuts[1:], strict=True
            )
            if end > start
        ]
        if not found:
            return pa.RecordBatch.from_pylist([], self._schema)
        gathered = found[0] if len(found) == 1 else pa.concat_batches(found)
        if np.array_equal(ascending, rows):
            return gathered
        back = np.empty(len(order), np.int64)
        back[order] = np.arange(len(order))
        return gathered.take(pa.array(back))

    def pieces(self, rows: Ints, size: int = PIECE) -> Iterator[pa.RecordBatch]:
        """Yield the rows of these numbers, some at a time."""
        for start in range(0, len(rows), size):
            yield self.take(rows[start : start + size])


def groups_of(keys: npt.NDArray[np.uint64]) -> tuple[Ints, Ints]:
    """Find the places of equal keys.

    Returns:
        All places, those with one key together and ascending; and where each key's begin, with
        the end of all behind them.
    """
    order: Ints = np.argsort(keys, kind="stable")
    ordered = keys[order]
    begins = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]])[: len(keys)])
    return order, np.append(begins, len(keys)).astype(np.int64)


def hash64(text: str) -> int:
    """Return a number that nearly always tells texts apart."""
    encoded = text.encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(encoded, digest_size=8).digest(), "little")
