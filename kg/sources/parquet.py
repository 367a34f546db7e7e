"""Parquet tables with any columns, a batch of rows at a time."""

import json
from collections.abc import Iterator
from typing import Any, BinaryIO

from kg.model.record import Rejected
from kg.sources.columns import ColumnMap
from kg.sources.json_rows import flat
from kg.sources.reader import GIVES, Fields, Item, Note, Sample, Takes, reader
from kg.sources.rows import row_record

_BATCH = 1000


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
    """Yield a Record or Rejected for every row; a damaged row group ends the file."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns = ColumnMap(fields)
    try:
        table = pq.ParquetFile(stream)
        guessed = False
        number = 0
        for batch in table.iter_batches(batch_size=_BATCH):
            rows: list[dict[str, Any]] = [flat(row) for row in batch.to_pylist()]
            if not guessed:
                columns.guess(rows[:50])
                guessed = True
            for row in rows:
                number += 1
                yield _item(row, columns, number)
    except (pa.ArrowException, OSError, ValueError) as error:
        yield Rejected(f"the Parquet file is damaged: {' '.join(str(error).split())[:200]}")
    yield Note(columns.describe())


def _item(row: dict[str, Any], columns: ColumnMap, number: int) -> Item:
    raw = json.dumps(row, ensure_ascii=False, default=str)
    return row_record(row, columns, line=number, raw=raw)
