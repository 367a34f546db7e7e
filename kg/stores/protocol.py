"""What every store does, and the shape of what it answers."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from kg.model.schema import EDGE_TABLES, NODE_TABLES

if TYPE_CHECKING:
    from kg.graph.changes import Changes, Snapshot


@dataclass(frozen=True, slots=True)
class NodeValue:
    """A node in an answer; properties without a value are left out."""

    label: str
    properties: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class EdgeValue:
    """A relationship in an answer; its `id` property identifies it."""

    type: str
    properties: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class PathValue:
    """A path in an answer: nodes[i] and nodes[i + 1] are joined by edges[i]."""

    nodes: tuple[NodeValue, ...]
    edges: tuple[EdgeValue, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """The rows of one query, in the query's order; the same from every store.

    Values are None, bool, int, float, str, dates, lists and dicts of them, NodeValue,
    EdgeValue and PathValue.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]

    def dicts(self) -> list[dict[str, Any]]:
        """Return one dict per row."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]


class Store(Protocol):
    """One database that holds one graph and remembers which build of it."""

    def load(self, snapshot: "Snapshot") -> None:
        """Make the database hold exactly this build, whatever it holds now."""
        ...

    def apply(self, changes: "Changes") -> None:
        """Go from the build `changes.old`, which the database holds, to `changes.new`."""
        ...

    def rows(self, cypher: str, parameters: Mapping[str, Any] | None = None) -> Answer:
        """Answer a reading query; QueryError when it is wrong or would write."""
        ...

    def build(self) -> str | None:
        """Return the id of the build that is held whole, None when there is none."""
        ...

    def counts(self) -> dict[str, int]:
        """Count the rows of every table of the schema in the database itself."""
        ...

    def close(self) -> None:
        """Let go of the database."""
        ...


_PLACES = {
    name: place
    for place, name in enumerate(
        dict.fromkeys(
            [p.name for table in NODE_TABLES for p in table.properties]
            + [p.name for edges in EDGE_TABLES for p in edges.properties]
        )
    )
}


def in_schema_order(properties: Mapping[str, Any]) -> dict[str, Any]:
    """Return the properties in the schema's order, a user's own after them."""
    names = sorted(properties, key=lambda name: (_PLACES.get(name, len(_PLACES)), name))
    return {name: properties[name] for name in names}


def plain(value: Any) -> Any:
    """Return the value as JSON has it: nodes, edges and paths become dicts."""
    match value:
        case NodeValue():
            return {"label": value.label, **value.properties}
        case EdgeValue():
            return {"type": value.type, **value.properties}
        case PathValue():
            steps: list[Any] = [plain(value.nodes[0])] if value.nodes else []
            for edge, node in zip(value.edges, value.nodes[1:], strict=True):
                steps += [plain(edge), plain(node)]
            return steps
        case dict():
            return {str(key): plain(item) for key, item in value.items()}
        case list() | tuple():
            return [plain(item) for item in value]
        case None | bool() | int() | float() | str():
            return value
        case _:
            return str(value)
