"""A part of a build that is itself a snapshot: whatever takes a graph takes a part of it."""

from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from kg.graph.changes import Snapshot
from kg.graph.tables import TABLES, Table, arrow_schema, empty
from kg.model.identity import digest
from kg.model.schema import EDGE_TABLES, ENTITY_LABELS, NODE_TABLES, EdgeTable, NodeLabel

# Filtered rows come in pieces of this size; a graph of papers has rows of about a kilobyte.
_ROWS = 16_384


class Part:
    """The rows of a snapshot that a selection keeps.

    A node stays when its label is in `keep` and its id in that set of ids; an edge stays when both
    its ends do and its confidence, where it has one, is at least `min_confidence`.
    """

    def __init__(
        self, whole: Snapshot, keep: Mapping[NodeLabel, pa.Array], *, min_confidence: float = 0.0
    ) -> None:
        self._whole = whole
        self._keep = keep
        self._min_confidence = min_confidence

    @property
    def build(self) -> str:
        """Id of the part: of the whole, and of what is kept of it."""
        ids = (f"{label.value}:{i}" for label in NodeLabel for i in self._ids(label).to_pylist())
        return f"{self._whole.build}.{digest(str(self._min_confidence), *ids)}"

    def table(self, name: str) -> pa.Table:
        """All kept rows of a table, sorted by id."""
        batches = list(self.batches(name))
        return pa.Table.from_batches(batches) if batches else empty(TABLES[name])

    def batches(self, name: str, columns: list[str] | None = None) -> Iterator[pa.RecordBatch]:
        """The same rows in pieces."""
        table = TABLES[name]
        if not self._touches(table):
            return
        read = None if columns is None else list(dict.fromkeys([*_mask_columns(table), *columns]))
        for batch in self._whole.batches(name, read):
            for start in range(0, batch.num_rows, _ROWS):
                piece = batch.slice(start, _ROWS)
                kept = piece.filter(self._mask(table, piece))
                if kept.num_rows:
                    yield kept if columns is None else kept.select(columns)

    def files(self, name: str) -> tuple[Path, ...]:
        """No files: the part is computed."""
        return ()

    def counts(self) -> Mapping[str, int]:
        """Kept rows of every table."""
        return self._counts

    @cached_property
    def _counts(self) -> dict[str, int]:
        counts = {}
        for name in TABLES:
            counts[name] = sum(batch.num_rows for batch in self.batches(name, ["id"]))
        return counts

    def _touches(self, table: Table) -> bool:
        if isinstance(table, EdgeTable):
            return len(self._ids(table.head)) > 0 and len(self._ids(table.tail)) > 0
        return len(self._ids(table.label)) > 0

    def _ids(self, label: NodeLabel) -> pa.Array:
        return self._keep.get(label, pa.array([], pa.string()))

    def _mask(self, table: Table, rows: pa.Table | pa.RecordBatch) -> pa.Array:
        if not isinstance(table, EdgeTable):
            return pc.is_in(rows["id"], value_set=self._ids(table.label))
        mask = pc.and_(
            pc.is_in(rows["head"], value_set=self._ids(table.head)),
            pc.is_in(rows["tail"], value_set=self._ids(table.tail)),
        )
        if "confidence" in rows.schema.names:
            mask = pc.and_(mask, confident(rows["confidence"], self._min_confidence))
        return mask


def at_least(whole: Snapshot, min_confidence: float) -> Snapshot:
    """Return the part of the graph that is at least so certain.

    Edges, claims and results under it go; with a claim or result go its edges; and a method,
    dataset, task or metric goes when no edge touches it any more. Papers, authors and venues stay.
    The counts that a node carries (papers, mentions) stay those of the whole graph.
    """
    if min_confidence <= 0.0:
        return whole
    keep: dict[NodeLabel, pa.Array] = {}
    for table in NODE_TABLES:
        rows = columns(whole, table.name, _mask_columns(table))
        if "confidence" in rows.schema.names:
            rows = rows.filter(confident(rows["confidence"], min_confidence))
        keep[table.label] = flat(rows["id"])

    touched: dict[NodeLabel, list[pa.Array]] = {label: [] for label in ENTITY_LABELS}
    for edge_table in EDGE_TABLES:
        rows = columns(whole, edge_table.name, _mask_columns(edge_table))
        mask = pc.and_(
            pc.is_in(rows["head"], value_set=keep[edge_table.head]),
            pc.is_in(rows["tail"], value_set=keep[edge_table.tail]),
        )
        if "confidence" in rows.schema.names:
            mask = pc.and_(mask, confident(rows["confidence"], min_confidence))
        rows = rows.filter(mask)
        for label, end in ((edge_table.head, "head"), (edge_table.tail, "tail")):
            if label in touched:
                touched[label].append(flat(pc.unique(rows[end])))
    for label, ids in touched.items():
        supported = pa.concat_arrays([*ids, pa.array([], pa.string())])
        keep[label] = keep[label].filter(pc.is_in(keep[label], value_set=supported))
    return Part(whole, keep, min_confidence=min_confidence)


def columns(snapshot: Snapshot, name: str, wanted: tuple[str, ...]) -> pa.Table:
    """Return some columns of a table; of its files only these are read."""
    schema = pa.schema([arrow_schema(TABLES[name]).field(column) for column in wanted])
    return pa.Table.from_batches(list(snapshot.batches(name, list(wanted))), schema)


def confident(confidence: pa.Array, least: float) -> pa.Array:
    """Return which values are at least so high; an unknown confidence counts as enough."""
    return pc.fill_null(pc.greater_equal(confidence, least), True)


def flat(column: pa.Array | pa.ChunkedArray) -> pa.Array:
    """Return the column in one piece."""
    return column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column


def _mask_columns(table: Table) -> tuple[str, ...]:
    ends = ("head", "tail") if isinstance(table, EdgeTable) else ()
    confidence = tuple(p.name for p in table.properties if p.name == "confidence")
    return ("id", *ends, *confidence)
