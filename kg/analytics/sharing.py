"""Pairs of papers that share something, counted block by block so that memory stays bounded."""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
from scipy import sparse

from kg.graph.changes import Snapshot
from kg.graph.part import columns, flat

# Papers whose pairs are counted at a time.
_BLOCK = 4096

SCHEMA = pa.schema(
    [
        ("paper", pa.string()),
        ("other", pa.string()),
        ("shared", pa.int64()),
        ("strength", pa.float64()),
    ]
)


def citations(snapshot: Snapshot) -> tuple[pa.Array, sparse.csr_matrix]:
    """Return the papers that cite or are cited, in order, and a matrix: row cites column."""
    rows = columns(snapshot, "CITES.Paper.Paper", ("head", "tail"))
    # A paper that cites itself by mistake shares nothing with anybody.
    rows = rows.filter(pc.not_equal(rows["head"], rows["tail"]))
    head, tail = flat(rows["head"]), flat(rows["tail"])
    papers = pc.unique(pa.concat_arrays([head, tail])).sort()
    citing, cited = (pc.index_in(end, value_set=papers).to_numpy() for end in (head, tail))
    shape = (len(papers), len(papers))
    ones = np.ones(len(citing), dtype=np.int64)
    matrix = sparse.csr_matrix((ones, (citing, cited)), shape=shape)
    matrix.data[:] = 1
    return papers, matrix


def sharing(papers: pa.Array, matrix: sparse.csr_matrix, least: int) -> pa.Table:
    """Return each pair of rows that share at least `least` columns, the first id the smaller.

    `strength` is the number of shared columns over the geometric mean of both rows' numbers
    (Salton's cosine), 1.0 for rows that are the same.
    """
    sizes = np.asarray(matrix.sum(axis=1)).reshape(-1)
    tables = [
        pa.table(
            [
                papers.take(pa.array(row)),
                papers.take(pa.array(column)),
                pa.array(shared),
                pa.array(shared / np.sqrt(sizes[row] * sizes[column])),
            ],
            schema=SCHEMA,
        )
        for row, column, shared in _pairs(matrix, least)
    ]
    found = pa.concat_tables([SCHEMA.empty_table(), *tables])
    order = [("shared", "descending"), ("paper", "ascending"), ("other", "ascending")]
    return found.sort_by(order)


Integers = npt.NDArray[np.int64]


def _pairs(matrix: sparse.csr_matrix, least: int) -> Iterator[tuple[Integers, Integers, Integers]]:
    transposed = matrix.T.tocsr()
    for start in range(0, matrix.shape[0], _BLOCK):
        block = (matrix[start : start + _BLOCK] @ transposed).tocoo()
        row = block.row.astype(np.int64) + start
        column = block.col.astype(np.int64)
        kept = (row < column) & (block.data >= least)
        yield row[kept], column[kept], block.data[kept].astype(np.int64)
