"""What a page knows, as plain lists and dicts that become its JSON."""

import re
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import networkx as nx

from kg.model.schema import NodeLabel, RelationshipType
from kg.views import selection
from kg.views.lines import Line, lines
from kg.views.links import links
from kg.views.marks import Mark, in_sentence, runs
from kg.views.palette import LOOKS, MEANINGS, NAMED_TOGETHER
from kg.views.wording import PHRASES, facts, name, short

_ORDER = {label.value: i for i, label in enumerate(NodeLabel)}
_TYPE_ORDER = {t: i for i, t in enumerate([*(t.value for t in RelationshipType), NAMED_TOGETHER])}


@dataclass(frozen=True, slots=True)
class Payload:
    """The drawn nodes in drawing order, the lines between them, and the rest of the JSON."""

    ids: tuple[str, ...]
    lines: tuple[Line, ...]
    nodes: tuple[dict[str, Any], ...]
    evidence: tuple[dict[str, Any], ...]
    papers: tuple[dict[str, Any], ...]
    labels: tuple[dict[str, Any], ...]
    types: tuple[dict[str, Any], ...]


def payload(
    graph: "nx.MultiDiGraph[str]", drawn: Collection[str], centre: str | None = None
) -> Payload:
    """Gather what the page shows of the graph.

    Args:
        graph: what is drawn, and around it the papers and edges that its evidence needs.
        drawn: ids of the nodes of the picture.
        centre: id of the node in the middle.
    """
    chosen = [n for n in graph if n in set(drawn)]
    ids = sorted(chosen, key=lambda n: (_ORDER[graph.nodes[n]["label"]], n))
    number = {node: i for i, node in enumerate(ids)}
    papers = _Papers(graph, number)

    edges = sorted(_edges_of(graph, number), key=lambda e: (_TYPE_ORDER[e[2]["type"]], e[2]["id"]))
    evidence = [_evidence(graph, number, papers, *edge) for edge in edges]
    inside = [
        (i, number[head], number[tail], _strength(data))
        for i, (head, tail, data) in enumerate(edges)
        if head in number and tail in number and head != tail
    ]
    middle = number.get(centre) if centre is not None else None
    found = lines([(head, tail, strength) for _, head, tail, strength in inside], middle)
    rows = [i for i, *_ in inside]
    found = [
        Line(line.head, line.tail, tuple(rows[i] for i in line.edges), line.strength, line.drawn)
        for line in found
    ]
    touching = _touching(evidence, len(ids))
    nodes = [_node(graph, node, touching[i]) for i, node in enumerate(ids)]
    return Payload(
        tuple(ids),
        tuple(found),
        tuple(nodes),
        tuple(evidence),
        tuple(papers.rows),
        tuple(_labels(graph, ids)),
        tuple(_types(edges)),
    )


class _Papers:
    """The papers that evidence comes from, each once."""

    def __init__(self, graph: "nx.MultiDiGraph[str]", number: Mapping[str, int]) -> None:
        self._graph = graph
        self._number = number
        self._seen: dict[str, int] = {}
        self.rows: list[dict[str, Any]] = []

    def index(self, paper: str) -> int | None:
        """Return the paper's place in the list, adding it when it is new."""
        if not paper:
            return None
        if paper not in self._seen:
            properties = self._graph.nodes[paper] if paper in self._graph else {}
            self._seen[paper] = len(self.rows)
            self.rows.append(
                {
                    "title": name(paper, properties),
                    "year": properties.get("year"),
                    "links": links(properties),
                    "node": self._number.get(paper),
                }
            )
        return self._seen[paper]


def _edges_of(
    graph: "nx.MultiDiGraph[str]", number: Mapping[str, int]
) -> list[tuple[str, str, dict[str, Any]]]:
    """Return edges between drawn nodes, and those from papers that are not drawn to drawn ones."""
    return [
        (head, tail, data)
        for head, tail, data in graph.edges(data=True)
        if (head in number and tail in number)
        or (tail in number and graph.nodes[head]["label"] == "Paper")
    ]


def _strength(data: Mapping[str, Any]) -> float:
    if data["type"] == NAMED_TOGETHER:
        return float(data["strength"])
    says = selection.weight(RelationshipType(data["type"]))
    return says * float(data.get("confidence") or 1.0)


def _evidence(
    graph: "nx.MultiDiGraph[str]",
    number: Mapping[str, int],
    papers: _Papers,
    head: str,
    tail: str,
    data: Mapping[str, Any],
) -> dict[str, Any]:
    source = str(data.get("paper") or (head if graph.nodes[head]["label"] == "Paper" else ""))
    row: dict[str, Any] = {
        "h": number.get(head),
        "t": number.get(tail),
        "type": data["type"],
        "paper": papers.index(source),
        "confidence": data.get("confidence"),
        "sentence": _marked(graph, source, head, tail, data),
    }
    for key in ("count", "model", "component", "position", "origin", "method"):
        if data.get(key):
            row[key] = data[key]
    if data.get("raw"):
        row["sentence"] = row["sentence"] or [[str(data["raw"]), ""]]
    return row


def _marked(
    graph: "nx.MultiDiGraph[str]", paper: str, head: str, tail: str, data: Mapping[str, Any]
) -> list[list[str]]:
    """Return the sentence in runs, with what the edge is about marked."""
    sentence = str(data.get("sentence") or "")
    if not sentence:
        return []
    text = str(graph.nodes[paper].get("text") or "") if paper in graph else ""
    spans = list(zip(data.get("starts") or (), data.get("ends") or (), strict=False))
    found = in_sentence(sentence, text, int(data.get("start") or 0), spans)
    label = graph.nodes[tail]["label"]
    marks = [Mark(start, end, label) for start, end in found]
    if not marks:
        marks = [
            Mark(start, end, graph.nodes[node]["label"])
            for node in (head, tail)
            for start, end in _surfaces(graph.nodes[node], sentence)
        ]
    return [[run.text, run.layers[0]] for run in runs(sentence, marks)]


def _surfaces(properties: Mapping[str, Any], sentence: str) -> list[tuple[int, int]]:
    """Return where the longest surface form that the sentence holds stands in it."""
    forms = {*(properties.get("surfaces") or ()), str(properties.get("name") or "")} - {""}
    for form in sorted(forms, key=lambda f: (-len(f), f)):
        pattern = re.compile(rf"(?<!\w){re.escape(form)}(?!\w)", re.IGNORECASE)
        found = [match.span() for match in pattern.finditer(sentence)]
        if found:
            return found
    return []


def _touching(evidence: list[dict[str, Any]], count: int) -> list[list[int]]:
    touching: list[list[int]] = [[] for _ in range(count)]
    for i, row in enumerate(evidence):
        for end in {row["h"], row["t"]} - {None}:
            touching[end].append(i)
    return touching


def _node(graph: "nx.MultiDiGraph[str]", node: str, touching: list[int]) -> dict[str, Any]:
    properties = graph.nodes[node]
    return {
        "id": node,
        "label": properties["label"],
        "name": name(node, properties),
        "papers": properties.get("papers") or 0,
        "also": list(properties.get("surfaces") or ())[:12],
        "facts": facts(properties),
        "links": links(properties),
        "evidence": touching,
    }


def _labels(graph: "nx.MultiDiGraph[str]", ids: list[str]) -> list[dict[str, Any]]:
    counts = Counter(graph.nodes[n]["label"] for n in ids)
    return [
        {
            "name": label.value,
            "meaning": MEANINGS[label],
            "light": LOOKS[label].light,
            "dark": LOOKS[label].dark,
            "shape": LOOKS[label].shape,
            "count": counts[label.value],
        }
        for label in NodeLabel
        if counts[label.value]
    ]


def _types(edges: list[tuple[str, str, dict[str, Any]]]) -> list[dict[str, Any]]:
    counts = Counter(str(data["type"]) for _, _, data in edges)
    return [
        {"name": t, "out": PHRASES[t][0], "in": PHRASES[t][1], "count": counts[t]}
        for t in _TYPE_ORDER
        if counts[t]
    ]


def size(properties: Mapping[str, Any], degree: int) -> float:
    """Return a node's radius: by papers that name an entity, by edges of any other node."""
    if properties["label"] in ("Claim", "Result", "Author", "Venue"):
        return 8.0
    count = degree / 4 if properties["label"] == "Paper" else properties.get("papers")
    return float(min(8.0 + 3.2 * max(count or 1.0, 1.0) ** 0.5, 28.0))


def caption(properties: Mapping[str, Any], node: str, *, centre: bool) -> str:
    """Return what stands under a node in the picture."""
    return short(name(node, properties), 60 if centre else 30)
