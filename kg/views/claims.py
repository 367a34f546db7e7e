"""Claims with their results and links, as rows for a page's table."""

from collections.abc import Iterator
from typing import Any

import networkx as nx

Row = dict[str, Any]


def claim_rows(graph: "nx.MultiDiGraph[str]") -> list[Row]:
    """Return a row for each claim in the graph, in the order of paper and offset."""
    claims = [(n, p) for n, p in graph.nodes(data=True) if p.get("label") == "Claim"]
    claims.sort(key=lambda item: (item[1].get("paper", ""), item[1].get("start", 0), item[0]))
    return [_row(graph, node, properties) for node, properties in claims]


def result_text(result: Row) -> str:
    """Return a result as a person writes it: from 3.1 to 4 points, up 12 %."""
    raw = str(result.get("raw") or "").strip()
    value, unit = result.get("value"), str(result.get("unit") or "")
    if value is None:
        return raw
    number = f"{value:g}" + (f" {unit}" if unit and unit != "O()" else "")
    if result.get("value_from") is not None:
        number = f"{result['value_from']:g} to {number}"
    if result.get("change") == "delta":
        arrow = {"up": "↑ ", "down": "↓ "}.get(str(result.get("direction")), "Δ ")
        number = arrow + number + (" relative" if result.get("relative") else "")
    return number


def _row(graph: "nx.MultiDiGraph[str]", claim: str, properties: Row) -> Row:
    return {
        "id": claim,
        "text": properties.get("text", ""),
        "kind": properties.get("kind", ""),
        "polarity": properties.get("polarity", ""),
        "certainty": properties.get("certainty", ""),
        "confidence": properties.get("confidence"),
        "paper": properties.get("paper", ""),
        "start": properties.get("start"),
        "end": properties.get("end"),
        "about": _names(graph, claim, "ABOUT"),
        "compared_to": _names(graph, claim, "COMPARED_TO"),
        "on": _names(graph, claim, "ON"),
        "by": _names(graph, claim, "BY"),
        "results": [_result(graph, result) for result in _tails(graph, claim, "REPORTS")],
    }


def _result(graph: "nx.MultiDiGraph[str]", result: str) -> Row:
    properties = graph.nodes[result]
    return {
        "text": result_text(properties),
        "raw": properties.get("raw", ""),
        "of": _names(graph, result, "OF"),
        "against": _names(graph, result, "AGAINST"),
        "on": _names(graph, result, "ON"),
        "by": _names(graph, result, "BY"),
    }


def _names(graph: "nx.MultiDiGraph[str]", head: str, kind: str) -> list[str]:
    return sorted({str(graph.nodes[t].get("name") or t) for t in _tails(graph, head, kind)})


def _tails(graph: "nx.MultiDiGraph[str]", head: str, kind: str) -> Iterator[str]:
    found = {t for _, t, data in graph.out_edges(head, data=True) if data.get("type") == kind}
    return iter(sorted(found, key=lambda t: (graph.nodes[t].get("start") or 0, t)))
