"""Tables as Parquet files whose bytes depend on nothing but the rows."""

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from kg.graph.durable import HashingFile, write_file

# Rows in a row group: small enough to read a table in pieces, large enough to compress well.
GROUP_ROWS = 65_536
_SMALL_BYTES = 1 << 20


def write_parquet(folder: Path, stem: str, table: pa.Table) -> tuple[Path, HashingFile]:
    """Write `stem-HASH.parquet`; equal rows give equal bytes, however they are chunked."""

    def write(file: HashingFile) -> None:
        with pq.ParquetWriter(
            file, table.schema, compression="zstd", write_page_checksum=True
        ) as writer:
            for start in range(0, table.num_rows, GROUP_ROWS):
                # One chunk a group, since pages end where chunks end.
                rows = table.slice(start, GROUP_ROWS).combine_chunks()
                writer.write_table(rows, row_group_size=GROUP_ROWS)

    return write_file(folder, lambda file: f"{stem}-{file.sha256[:16]}.parquet", write)


def read_batches(path: Path, columns: list[str] | None = None) -> Iterator[pa.RecordBatch]:
    """Yield the rows of a file, a row group at a time."""
    with _opened(path) as file:
        yield from file.iter_batches(GROUP_ROWS, columns=columns)


def read_parquet(path: Path, columns: list[str] | None = None) -> pa.Table:
    """Return all rows of a file."""
    # Without memory mapping: a file may be moved or removed while its rows are in use. Starting
    # threads takes longer than reading a small file.
    threads = path.stat().st_size > _SMALL_BYTES
    with _opened(path) as file:
        return file.read(columns=columns, use_threads=threads)


def _opened(path: Path) -> pq.ParquetFile:
    # Compressed pages carry no checksum of their own: flipped bits would become other values.
    return pq.ParquetFile(path, page_checksum_verification=True)
