"""Rows of the schema's tables, made column by column and collected piece by piece."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from kg.graph.tables import TABLES, arrow_schema
from kg.graph.text_batch import Ints, TextBatch
from kg.model.identity import digest
from kg.model.schema import RelationshipType, edge_tables
from kg.resolve.gathering import Gatherer

# Rows that are put in order at a time.
_PIECE = 65_536


class Collected:
    """The rows of every table so far."""

    def __init__(self) -> None:
        self._pieces: dict[str, list[pa.Table]] = {name: [] for name in TABLES}

    def add(self, name: str, columns: Mapping[str, Any]) -> None:
        """Add rows to a table, of which every column is given or null."""
        schema = arrow_schema(TABLES[name])
        length = len(columns["id"])
        if length:
            arrays = [
                _column(columns[field.name], field.type)
                if field.name in columns
                else pa.nulls(length, field.type)
                for field in schema
            ]
            self._pieces[name].append(pa.Table.from_arrays(arrays, schema=schema))

    def table(self, name: str) -> pa.Table:
        """Return all rows of a table sorted by id, and let go of the pieces."""
        pieces = self._pieces[name]
        self._pieces[name] = []
        table = pa.concat_tables([*pieces, arrow_schema(TABLES[name]).empty_table()])
        return in_order(table, pc.sort_indices(table["id"]))


def in_order(table: pa.Table, order: pa.Array) -> pa.Table:
    """Return the rows in an order, in pieces, since long texts do not fit one Arrow array."""
    rows = order.to_numpy().astype(np.int64)
    return pa.Table.from_batches(list(Gatherer(table).pieces(rows, _PIECE)), table.schema)


def _column(values: Any, type_: pa.DataType) -> pa.Array | pa.ChunkedArray:
    if isinstance(values, pa.Array | pa.ChunkedArray):
        return values if values.type == type_ else values.cast(type_)
    return pa.array(values, type_)


def joined(*parts: Any) -> pa.Array:
    """Return strings put together, element by element; a part may be one string for all."""
    strings = [part.cast(pa.string()) if isinstance(part, pa.Array) else part for part in parts]
    return pc.binary_join_element_wise(*strings, "")


def edge_ids(
    relationship: RelationshipType, heads: pa.Array, tails: pa.Array, papers: pa.Array | None = None
) -> pa.Array:
    """Return the ids of edges; kg.model.identity.edge_id of each."""
    name = relationship.value
    pieces = [pa.array([], pa.string())]
    for start in range(0, len(heads), _PIECE):
        ends = [column.slice(start, _PIECE).to_pylist() for column in (heads, tails)]
        others = (
            papers.slice(start, _PIECE).to_pylist() if papers is not None else [""] * len(ends[0])
        )
        ids = [
            digest(name, h, t, paper, size=24) for h, t, paper in zip(*ends, others, strict=True)
        ]
        pieces.append(pa.array(ids, pa.string()))
    return pa.concat_arrays(pieces)


def evidence(
    batch: TextBatch, rows: Ints, starts: Ints, ends: Ints, component: str, confidence: Any
) -> dict[str, Any]:
    """Return the columns that say where edges were read, for spans of rows of a batch."""
    at = pa.array(rows)
    return {
        "paper": batch.papers.take(at),
        "sentence": batch.words(rows, starts, ends),
        "start": pa.array(starts, pa.int64()),
        "end": pa.array(ends, pa.int64()),
        "component": pa.array([component] * len(rows), pa.string()),
        "model": batch.models.take(at),
        "confidence": pa.array(confidence, pa.float64()),
    }


def add_edges(
    collected: Collected,
    relationship: RelationshipType,
    head: tuple[pa.Array, Any],
    tail: tuple[pa.Array, Any],
    columns: Mapping[str, Any],
    *,
    per_paper: bool,
) -> None:
    """Add edges of a type to the tables of the labels that they join.

    Args:
        collected: where the rows go.
        relationship: their type.
        head: ids, and the label of each as a NumPy array of strings.
        tail: the same of the other end.
        columns: the properties, `confidence` among them.
        per_paper: an edge exists once per paper that supports it.

    Edges between labels that the schema does not join are left out: what a text's reader takes
    for a dataset may be a method by all other papers' word. Of edges with one id the most
    certain stays, the earliest of several.
    """
    for table in edge_tables(relationship):
        mask = (head[1] == table.head.value) & (tail[1] == table.tail.value)
        at = np.flatnonzero(mask)
        if not len(at):
            continue
        where = pa.array(at)
        heads, tails = head[0].take(where), tail[0].take(where)
        own = {name: column.take(where) for name, column in columns.items()}
        ids = edge_ids(relationship, heads, tails, own["paper"] if per_paper else None)
        rows = pa.table({"id": ids, "head": heads, "tail": tails, **own})
        different = pc.not_equal(rows["head"], rows["tail"])  # one thing under two names
        rows = best(rows.filter(different), (("confidence", "descending"), ("start", "ascending")))
        collected.add(table.name, {name: rows[name] for name in rows.column_names})


def changes(*columns: pa.ChunkedArray) -> npt.NDArray[np.bool_]:
    """Return which rows differ from the row before them; the first one does."""
    values = [column.to_numpy() for column in columns]
    if not len(values[0]):
        return np.zeros(0, bool)
    differs: npt.NDArray[np.bool_] = np.logical_or.reduce([v[1:] != v[:-1] for v in values])
    return np.concatenate([[True], differs])


def lists_of(groups: Ints, values: Ints, count: int) -> pa.ListArray:
    """Return the values of each of so many groups, in order and each once."""
    pairs = np.unique(np.stack([groups, values]), axis=1)
    sizes = np.bincount(pairs[0], minlength=count)
    offsets = pa.array(np.concatenate([[0], np.cumsum(sizes)]), pa.int32())
    return pa.ListArray.from_arrays(offsets, pa.array(pairs[1], pa.int64()))


def best(rows: pa.Table, by: Iterable[tuple[str, str]]) -> pa.Table:
    """Return one row per id: the first in an order."""
    ids = rows["id"]
    if len(pc.unique(ids)) == len(ids):
        return rows
    rows = rows.take(pc.sort_indices(rows, [("id", "ascending"), *by]))
    return rows.filter(pa.array(changes(rows["id"])))
