"""A paper's abstract with its mentions and claims marked where they stand."""

from typing import Any

import networkx as nx

from kg.views.marks import Mark, Run, runs


def abstract_runs(graph: "nx.MultiDiGraph[str]", paper: str | None) -> list[Run]:
    """Return the abstract in runs; layer 0 is the claim (its id), layer 1 the entity (its id)."""
    if paper is None:
        return []
    text = str(graph.nodes[paper].get("text") or "")
    marks: list[Mark] = []
    for _, tail, data in graph.out_edges(paper, data=True):
        marks += _marks(graph, tail, data)
    return runs(text, marks, layers=2)


def _marks(graph: "nx.MultiDiGraph[str]", tail: str, data: dict[str, Any]) -> list[Mark]:
    if data["type"] == "MAKES":
        claim = graph.nodes[tail]
        start, end = claim.get("start"), claim.get("end")
        return [] if start is None or end is None else [Mark(start, end, tail, 0)]
    if "role" not in data and data["type"] == "CITES":
        return []
    spans = zip(data.get("starts") or (), data.get("ends") or (), strict=False)
    return [Mark(start, end, tail, 1) for start, end in spans]
