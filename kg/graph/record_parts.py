"""The records and rejected blocks of a graph as its folder keeps them, with where they came from.

A run of `kg build` adds one part, however many files it read; a part is written anew when records
in it are replaced or removed.
"""

import json
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from kg.graph.folder import PAPERS, Writer
from kg.graph.manifest import Manifest, StoredFile
from kg.graph.snapshot import read_stored
from kg.model.record import Record, Rejected
from kg.resolve.gathering import Ints
from kg.resolve.records import RECORDS, records_table, rows_table

_INPUT = pa.field("input", pa.string(), False)
RECORD_PART = pa.schema([_INPUT, *RECORDS])
REJECTED_PART = pa.schema(
    [
        _INPUT,
        pa.field("file", pa.string(), False),
        pa.field("line", pa.int64(), False),
        pa.field("ordinal", pa.int64(), False),
        pa.field("reason", pa.string(), False),
        pa.field("raw", pa.string(), False),
    ]
)
_MANY_PARTS = 16


@dataclass(frozen=True, slots=True)
class Part:
    """Records, and the file that holds them if one does already."""

    rows: pa.Table
    stored: StoredFile | None = None


def record_part(input_id: str, records: Iterable[Record]) -> pa.Table:
    """Return records of one input."""
    rows = records_table(records)
    return rows.add_column(0, _INPUT, pa.array([input_id] * rows.num_rows, pa.string()))


def rejected_part(input_id: str, rejected: Iterable[Rejected]) -> pa.Table:
    """Return rejected blocks of one input."""
    rows = (
        {
            "input": input_id,
            "file": each.file,
            "line": each.line,
            "ordinal": each.ordinal,
            "reason": each.reason,
            "raw": each.raw,
        }
        for each in rejected
    )
    return rows_table(rows, REJECTED_PART)


def stored_parts(path: Path, manifest: Manifest | None) -> tuple[Part, ...]:
    """Return all records of a build."""
    if manifest is None:
        return ()
    return tuple(Part(read_stored(path, stored), stored) for stored in manifest.records)


def without_inputs(parts: Iterable[Part], inputs: Collection[str]) -> tuple[Part, ...]:
    """Return the parts without the records of some inputs."""
    gone = pa.array(sorted(inputs), pa.string())
    return filtered(parts, [pc.invert(pc.is_in(part.rows["input"], gone)) for part in parts])


def filtered(parts: Iterable[Part], masks: Iterable[pa.Array]) -> tuple[Part, ...]:
    """Return the records that the masks keep; a part of which all stay is the same part."""
    kept = []
    for part, mask in zip(parts, masks, strict=True):
        rows = part.rows.filter(mask)
        if rows.num_rows == part.rows.num_rows:
            kept.append(part)
        elif rows.num_rows:
            kept.append(Part(rows))
    return tuple(kept)


def write_parts(writer: Writer, parts: Iterable[Part]) -> tuple[StoredFile, ...]:
    """Write the parts that no file holds yet, all in one when there are many."""
    held = [part for part in parts if part.rows.num_rows]
    if len(held) > _MANY_PARTS:
        held = [Part(pa.concat_tables([part.rows for part in held]))]
    return tuple(part.stored or writer.store(PAPERS, "records", part.rows) for part in held)


def ordered_records(parts: Iterable[Part]) -> tuple[pa.Table, Ints]:
    """Return all records, and their rows in an order that does not tell in which order they came.

    They are not put in that order: that would be all of them a second time.
    """
    rows = pa.concat_tables([RECORD_PART.empty_table(), *(part.rows for part in parts)])
    keys = [(name, "ascending") for name in ("file", "ordinal", "line", "title", "text", "input")]
    order = pc.sort_indices(rows.select([name for name, _ in keys]), keys)
    return rows, order.to_numpy().astype(np.int64)


def stored_rejected(path: Path, manifest: Manifest | None) -> pa.Table:
    """Return the rejected blocks of a build."""
    if manifest is None or manifest.rejected is None:
        return REJECTED_PART.empty_table()
    return read_stored(path, manifest.rejected)


def write_rejected(writer: Writer, rejected: pa.Table) -> StoredFile | None:
    """Write the rejected blocks in the order of files and places."""
    if not rejected.num_rows:
        return None
    keys = [(name, "ascending") for name in ("file", "ordinal", "line", "reason", "raw")]
    return writer.store(PAPERS, "rejected", rejected.take(pc.sort_indices(rejected, keys)))


def rejected_lines(rejected: pa.Table) -> bytes:
    """Return the content of rejected.jsonl."""
    rows = rejected.drop_columns(["input"]).to_pylist()
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()
