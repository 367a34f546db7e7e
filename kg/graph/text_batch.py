"""Some texts with what was read out of them, taken apart column by column.

Assembly goes through a corpus batch by batch and touches no row in Python but to hash an id or
to cut a sentence out of its text; lists of structs are exploded into flat columns that know
which row, and which place in it, they came from.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from kg.resolve.gathering import Gatherer

Ints = npt.NDArray[np.int64]

# Larger than any offset into a text, so that row and offset make one sortable number.
_ROW = 1 << 32


@dataclass(frozen=True, slots=True)
class Exploded:
    """The elements of a column of lists, in order: `parents` says which row each came from."""

    parents: Ints
    values: pa.Array

    def field(self, name: str) -> pa.Array:
        """A field of the elements, which are structs."""
        return pc.struct_field(self.values, name)

    def numbers(self, name: str) -> npt.NDArray[np.float64]:
        """A field of numbers without nulls, to compute with."""
        numbers: npt.NDArray[np.float64] = self.field(name).to_numpy(zero_copy_only=False)
        return numbers

    def ints(self, name: str) -> Ints:
        """A field of integers without nulls."""
        numbers: Ints = self.field(name).to_numpy(zero_copy_only=False).astype(np.int64)
        return numbers


def explode(lists: pa.Array) -> Exploded:
    """Take lists apart; null and empty ones have no elements."""
    parents = pc.list_parent_indices(lists).to_numpy(zero_copy_only=False).astype(np.int64)
    return Exploded(parents, pc.list_flatten(lists))


class TextBatch:
    """Papers and the extractions of their texts, row by row."""

    def __init__(self, papers: pa.Array, texts: pa.Array, extractions: pa.RecordBatch) -> None:
        self.papers = papers  # ids
        self.extractions = extractions
        self._texts = texts

    @cached_property
    def texts(self) -> list[str]:
        """The texts, into which all offsets point."""
        texts: list[str] = self._texts.to_pylist()
        return texts

    @cached_property
    def models(self) -> pa.Array:
        """Per row, the model that read the text."""
        return self.extractions["model"]

    @cached_property
    def entities(self) -> Exploded:
        """Every entity of every text."""
        return explode(self.extractions["entities"])

    @cached_property
    def first_entity(self) -> Ints:
        """Per row, where its entities begin in `entities`."""
        counts = pc.fill_null(pc.list_value_length(self.extractions["entities"]), 0)
        ends = np.cumsum(counts.to_numpy(zero_copy_only=False), dtype=np.int64)
        return np.concatenate([np.zeros(1, np.int64), ends[:-1]]) if len(ends) else ends

    @cached_property
    def _sentences(self) -> tuple[Ints, Ints, Ints]:
        found = explode(self.extractions["sentences"])
        return found.parents, found.ints("start"), found.ints("end")

    def sentence_at(self, rows: Ints, starts: Ints, ends: Ints) -> tuple[Ints, Ints]:
        """Return the spans of the sentences that spans of text stand in.

        A span that no sentence covers, or that runs past its sentence, is widened, not cut: the
        evidence of a mention always holds the mention.
        """
        parents, begins, stops = self._sentences
        if not len(parents):
            return starts, ends
        at = np.searchsorted(parents * _ROW + begins, rows * _ROW + starts, side="right") - 1
        clipped = np.maximum(at, 0)
        inside = (at >= 0) & (parents[clipped] == rows) & (starts < stops[clipped])
        return (
            np.where(inside, begins[clipped], starts),
            np.where(inside, np.maximum(stops[clipped], ends), ends),
        )

    def words(self, rows: Ints, starts: Ints, ends: Ints) -> pa.Array:
        """Return what the texts say between offsets."""
        texts = self.texts
        spans = zip(rows.tolist(), starts.tolist(), ends.tolist(), strict=True)
        return pa.array([texts[row][start:end] for row, start, end in spans], pa.string())


def text_batches(papers: pa.Table, extractions: Iterator[pa.RecordBatch]) -> Iterator[TextBatch]:
    """Put papers and extractions together by the hash of the text.

    Args:
        papers: `id`, `text`, `text_hash`.
        extractions: columns of EXTRACTIONS, one row per hash, in any order.
    """
    hashes = papers["text_hash"].combine_chunks()
    order = pc.sort_indices(hashes)
    gatherer = Gatherer(papers.select(["id", "text"]))
    # Several papers can have one text, each of them has what was read out of it.
    runs = pc.run_end_encode(hashes.take(order)) if len(hashes) else None
    distinct = runs.values if runs is not None else pa.array([], pa.string())
    ends = runs.run_ends.to_numpy() if runs is not None else np.zeros(0, np.int32)
    begins = np.concatenate([np.zeros(1, ends.dtype), ends[:-1]]) if len(ends) else ends
    for batch in extractions:
        found = pc.index_in(batch["text_hash"], value_set=distinct)
        present = pc.is_valid(found).to_numpy(zero_copy_only=False)
        rows = np.flatnonzero(present)
        if not len(rows):
            continue
        groups = found.filter(pa.array(present)).to_numpy(zero_copy_only=False)
        sizes = (ends - begins)[groups]
        # begin, begin + 1, ... of each group, one after the other.
        steps = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        where = order.take(pa.array(np.repeat(begins[groups], sizes) + steps))
        own = gatherer.take(where.to_numpy().astype(np.int64))
        yield TextBatch(own["id"], own["text"], batch.take(pa.array(np.repeat(rows, sizes))))
