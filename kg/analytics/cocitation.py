"""Co-citation: two papers that the same papers cite."""

import pyarrow as pa

from kg.analytics.sharing import citations, sharing
from kg.graph.changes import Snapshot


def cocitation(snapshot: Snapshot, *, least: int = 2) -> pa.Table:
    """Return pairs of papers by the papers that cite both; it grows with every citing paper.

    Args:
        snapshot: the graph.
        least: papers that must cite both.

    Returns:
        `paper`, `other` (the greater id), `shared` and `strength` in (0, 1], the papers that cite
        both over the geometric mean of those that cite each; the most shared first.

    Source: Small 1973, Co-citation in the scientific literature.
    """
    papers, matrix = citations(snapshot)
    return sharing(papers, matrix.T.tocsr(), least)
