"""Parquet tables with any columns, a batch of rows at a time."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO

from kg.model.record import Rejected
from kg.sources.columns import ColumnMap
from kg.sources.json_rows import flat
from kg.sources.reader import GIVES, Fields, Item, Note, Sample, Takes, guarded, reader
from kg.sources.rows import row_record

_BATCH = 1000
_LOOK = 50  # rows from which the columns are guessed


def _sniff(sample: Sample) -> float:
    return 1.0 if sample.data.startswith(b"PAR1") else 0.0


@reader(
    "parquet",
    about="Parquet with any columns; mapped by name or --map",
    gives=GIVES,
    takes=Takes.FILE,
    suffixes=(".parquet", ".pq"),
    sniff=_sniff,
    mapped=True,
)
def read_parquet(stream: BinaryIO, fields: Fields | None = None) -> Iterator[Item]:
    """Yield a Record or Rejected for every row; a damaged row group is one Rejected."""
    columns = ColumnMap(fields)
    guessed = False
    for found in _batches(stream):
        if isinstance(found, Rejected):
            yield found
            continue
        if not guessed:
            columns.guess([row.values for row in found[:_LOOK]])
            guessed = True
        for row in found:
            yield from guarded(_items, row, columns)
    yield Note(columns.describe())


@dataclass(frozen=True, slots=True)
class _Row:
    """A row of the table; `line` is its number, from 1."""

    line: int
    values: dict[str, Any]

    @property
    def text(self) -> str:
        """The row as JSON."""
        return json.dumps(self.values, ensure_ascii=False, default=str)


def _items(row: _Row, columns: ColumnMap) -> Iterator[Item]:
    yield row_record(row.values, columns, row)


def _batches(stream: BinaryIO) -> Iterator[list[_Row] | Rejected]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    broken = (pa.ArrowException, OSError, ValueError)
    try:
        table = pq.ParquetFile(stream)
        sizes = [table.metadata.row_group(g).num_rows for g in range(table.num_row_groups)]
    except broken as error:
        yield Rejected(f"the Parquet file is damaged: {_said(error)}")
        return
    before = 0
    for group, size in enumerate(sizes):
        number = before
        try:
            for batch in table.iter_batches(batch_size=_BATCH, row_groups=[group]):
                rows = _rows(batch)
                yield [_Row(number + i, flat(row)) for i, row in enumerate(rows, start=1)]
                number += len(rows)
        except broken as error:
            reason = f"rows {number + 1} to {before + size} are damaged: {_said(error)}"
            yield Rejected(reason, line=number + 1)
        before += size


def _rows(batch: Any) -> list[dict[str, Any]]:
    """The rows of a batch; a cell that Python has no value for is read as text, or left out."""
    try:
        rows: list[dict[str, Any]] = batch.to_pylist()
    except (ValueError, OverflowError):  # a time in nanoseconds, the year 20000, broken UTF-8
        names = batch.schema.names
        cells = [[_cell(value) for value in column] for column in batch.columns]
        rows = [dict(zip(names, row, strict=True)) for row in zip(*cells, strict=True)]
    return rows


def _cell(value: Any) -> Any:
    import pyarrow as pa

    try:
        return value.as_py()
    except (ValueError, OverflowError):
        pass
    try:
        if pa.types.is_string(value.type) or pa.types.is_large_string(value.type):
            return value.as_buffer().to_pybytes().decode("utf-8", "replace")
        return value.cast(pa.string()).as_py()
    except (pa.ArrowException, ValueError, OverflowError):
        return None


def _said(error: Exception) -> str:
    return " ".join(str(error).split())[:200]
