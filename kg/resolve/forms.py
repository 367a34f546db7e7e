"""Mention rows as numbers: distinct forms, the nodes they fold to, and groups of one paper.

Everything over all rows is Arrow and numpy; Python looks only at distinct surface forms. Codes
follow sorted strings, so that nothing depends on the order in which papers came.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from kg.model.schema import ENTITY_LABELS

Ints = npt.NDArray[np.int64]
# Numbers of rows, groups and nodes: there are many, and none is large.
Numbers = npt.NDArray[np.int32]
Bools = npt.NDArray[np.bool_]

LABELS = tuple(label.value for label in ENTITY_LABELS)


@dataclass(frozen=True, slots=True)
class Rows:
    """The mention rows: a form and a group for each, and what the row says."""

    form: Numbers
    group: Numbers  # one paper's one local entity
    paper: Numbers
    named: Bools
    count: Numbers


@dataclass(frozen=True, slots=True)
class Forms:
    """Distinct pairs of label and surface, sorted by both."""

    label: Ints  # index into LABELS
    surface: pa.Array
    text: Ints  # number of the surface among the distinct ones, in sorted order
    rows: Ints  # in how many papers' entities
    mentions: Ints
    named: Ints  # in how many of them it was a proper name


def read_rows(mentions: pa.Table) -> tuple[Rows, Forms]:
    """Number the rows of a mentions table.

    Raises:
        ValueError: a column is missing, or a label is none of an entity.
    """
    label = _codes(mentions["label"], LABELS)
    surface, surfaces = _sorted_codes(mentions["surface"])
    paper, _ = _dictionary(mentions["paper"])
    local = _ints(mentions["local"])
    count = _ints(mentions["count"])
    named = mentions["named"].combine_chunks().to_numpy(zero_copy_only=False).astype(bool)
    pairs, form = np.unique(label * max(1, len(surfaces)) + surface, return_inverse=True)
    low, high = (int(local.min()), int(local.max())) if len(local) else (0, 0)
    _, group = np.unique(paper * (high - low + 1) + (local - low), return_inverse=True)
    rows = Rows(_small(form), _small(group), _small(paper), named, _small(count))
    width = max(1, len(surfaces))
    forms = Forms(
        label=pairs // width,
        surface=surfaces.take(pa.array(pairs % width)),
        text=pairs % width,
        rows=np.bincount(form, minlength=len(pairs)).astype(np.int64),
        mentions=np.bincount(form, weights=count, minlength=len(pairs)).astype(np.int64),
        named=np.bincount(form, weights=named, minlength=len(pairs)).astype(np.int64),
    )
    return rows, forms


def _small(numbers: Ints) -> Numbers:
    return numbers.astype(np.int32)


def _ints(column: pa.ChunkedArray) -> Ints:
    array: Ints = column.combine_chunks().to_numpy(zero_copy_only=False).astype(np.int64)
    return array


def _dictionary(column: pa.ChunkedArray) -> tuple[Ints, pa.Array]:
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    encoded = column.combine_chunks().dictionary_encode()
    if isinstance(encoded, pa.ChunkedArray):
        encoded = encoded.combine_chunks()
    codes: Ints = encoded.indices.to_numpy(zero_copy_only=False).astype(np.int64)
    return codes, encoded.dictionary


def _sorted_codes(column: pa.ChunkedArray) -> tuple[Ints, pa.Array]:
    """Codes into the sorted distinct values."""
    codes, values = _dictionary(column)
    order = pc.sort_indices(values)
    rank = np.empty(len(values), dtype=np.int64)
    rank[order.to_numpy()] = np.arange(len(values))
    return rank[codes], values.take(order)


def _codes(column: pa.ChunkedArray, known: tuple[str, ...]) -> Ints:
    codes, values = _dictionary(column)
    names = values.to_pylist()
    unknown = sorted(str(name) for name in names if name not in known)
    if unknown:
        raise ValueError(f"no label of an entity: {', '.join(unknown)}")
    table = np.array([known.index(name) for name in names], dtype=np.int64)
    return table[codes] if len(codes) else codes
