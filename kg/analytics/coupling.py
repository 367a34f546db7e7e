"""Bibliographic coupling: two papers that cite the same papers."""

import pyarrow as pa

from kg.analytics.sharing import citations, sharing
from kg.graph.changes import Snapshot


def coupling(snapshot: Snapshot, *, least: int = 2) -> pa.Table:
    """Return pairs of papers by the papers that both cite; once published, it is fixed.

    Args:
        snapshot: the graph.
        least: papers that both must cite.

    Returns:
        `paper`, `other` (the greater id), `shared` and `strength` in (0, 1], the shared citations
        over the geometric mean of both papers' citations; the most shared first.

    Source: Kessler 1963, Bibliographic coupling between scientific papers.
    """
    papers, matrix = citations(snapshot)
    return sharing(papers, matrix, least)
