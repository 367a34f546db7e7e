"""Apply the user's own names to kept extractions, which are kept without them."""

from collections.abc import Iterator, Mapping, Sequence

import pyarrow as pa

from kg.graph.extraction_table import EXTRACTIONS, extraction_from_row, extractions_table
from kg.model.extraction import Extraction
from kg.nlp.own_names import OwnNames


def with_own_names(
    batches: Iterator[pa.RecordBatch], texts: Mapping[str, str], own: OwnNames
) -> Iterator[pa.RecordBatch]:
    """Yield the batches with the names of a list; a row whose text has none is not looked at.

    Args:
        batches: columns of EXTRACTIONS.
        texts: by their hash.
        own: the list.
    """
    for batch in batches:
        keys = batch["text_hash"].to_pylist()
        flags = batch["flags"].to_pylist()
        changed: dict[int, Extraction] = {}
        for row, (key, said) in enumerate(zip(keys, flags, strict=True)):
            matches = own.matches(texts[key], said)
            if matches:
                read = extraction_from_row(batch.slice(row, 1).to_pylist()[0])
                found = own.applied(texts[key], read, matches)
                if found is not read:
                    changed[row] = found
        yield _replaced(batch, keys, changed) if changed else batch


def _replaced(
    batch: pa.RecordBatch, keys: Sequence[str], changed: Mapping[int, Extraction]
) -> pa.RecordBatch:
    """Return the batch with other extractions in some rows, in the same order."""
    new = extractions_table((keys[row], extraction) for row, extraction in changed.items())
    old = pa.Table.from_batches([batch]).select(EXTRACTIONS.names).cast(EXTRACTIONS)
    at = {row: batch.num_rows + number for number, row in enumerate(changed)}
    order = pa.array([at.get(row, row) for row in range(batch.num_rows)])
    taken = pa.concat_tables([old, new]).combine_chunks().take(order)
    return taken.combine_chunks().to_batches()[0]
