"""Answers of Neo4j as the values that every store gives."""

from typing import Any

from neo4j.graph import Node, Path, Relationship
from neo4j.time import Date, DateTime, Duration, Time

from kg.model.schema import NODE_TABLES
from kg.stores.neo4j_statements import GRAPH
from kg.stores.protocol import EdgeValue, NodeValue, PathValue, in_schema_order

_LABELS = {table.name for table in NODE_TABLES}


def value(raw: Any) -> Any:
    """Turn the driver's nodes, relationships, paths and times into plain values."""
    match raw:
        case Node():
            # Of a node to which a user has given more labels, the schema's says what it is.
            label = next((name for name in sorted(raw.labels) if name in _LABELS), "")
            return NodeValue(label or ":".join(sorted(raw.labels)), _properties(raw))
        case Relationship():
            return EdgeValue(raw.type, _properties(raw))
        case Path():
            return PathValue(tuple(map(value, raw.nodes)), tuple(map(value, raw.relationships)))
        case dict():
            return in_schema_order({key: value(item) for key, item in raw.items() if key != GRAPH})
        case list():
            return [value(item) for item in raw]
        case Date() | DateTime() | Time():
            return raw.to_native()
        case Duration():
            return raw.iso_format()
        case _:
            return raw


def _properties(raw: Node | Relationship) -> dict[str, Any]:
    return in_schema_order({key: value(item) for key, item in raw.items() if key != GRAPH})
