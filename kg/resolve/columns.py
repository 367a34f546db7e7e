"""Columns in the making: few values are Python objects at a time, the others Arrow already."""

from dataclasses import dataclass, field

import pyarrow as pa

_FLUSHED = 1 << 15

MERGES = pa.schema(
    [
        pa.field("entity", pa.string(), False),
        pa.field("kind", pa.string(), False),  # merge, split or retype
        pa.field("label", pa.string(), False),  # of the form, as its papers typed it
        pa.field("surface", pa.string(), False),
        pa.field("other", pa.string(), False),
        pa.field("rule", pa.string(), False),
        pa.field("reason", pa.string(), False),
        pa.field("papers", pa.int64(), False),
        pa.field("confidence", pa.float64(), False),
    ]
)


MergeRow = tuple[str, str, str, str, str, str, str, int, float]


@dataclass(slots=True)
class Merges:
    """Rows of the merges table in the making; all but the last ones are Arrow already."""

    rows: list[MergeRow] = field(default_factory=list)
    _done: list[pa.Table] = field(default_factory=list)

    def add(self, row: MergeRow) -> None:
        """Add a row."""
        self.rows.append(row)
        if len(self.rows) == _FLUSHED:
            self._flush()

    def table(self) -> pa.Table:
        """Return all rows, sorted."""
        self._flush()
        table = pa.concat_tables([MERGES.empty_table(), *self._done])
        return table.sort_by([(name, "ascending") for name in MERGES.names])

    def _flush(self) -> None:
        if self.rows:
            columns = zip(*self.rows, strict=True)
            arrays = [pa.array(c, f.type) for c, f in zip(columns, MERGES, strict=True)]
            self._done.append(pa.table(arrays, schema=MERGES))
            self.rows = []


@dataclass(slots=True)
class Strings:
    """A column of strings in the making; all but the last ones are Arrow already."""

    _rows: list[str] = field(default_factory=list)
    _done: list[pa.Array] = field(default_factory=list)

    def append(self, value: str) -> None:
        """Add a value."""
        self._rows.append(value)
        if len(self._rows) == _FLUSHED:
            self._flush()

    def array(self) -> pa.Array:
        """Return all values."""
        self._flush()
        return pa.concat_arrays(self._done)

    def _flush(self) -> None:
        self._done.append(pa.array(self._rows, pa.string()))
        self._rows = []
