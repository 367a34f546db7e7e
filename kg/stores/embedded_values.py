"""Answers of the embedded database as the values that every store gives."""

from decimal import Decimal
from typing import Any

from kg.stores.protocol import EdgeValue, NodeValue, PathValue, in_schema_order


def plain_row(raw: list[Any], sparse: frozenset[int]) -> tuple[Any, ...]:
    """Return a row; of maps in sparse columns the keys without a value are left out."""
    return tuple(_sparse(value(v)) if i in sparse else value(v) for i, v in enumerate(raw))


def _sparse(found: Any) -> Any:
    if isinstance(found, dict):
        return {key: item for key, item in found.items() if item is not None}
    return found


def value(raw: Any) -> Any:
    """Turn the database's dicts into nodes, edges and paths, wherever they are nested."""
    if isinstance(raw, dict):
        if "_NODES" in raw and "_RELS" in raw:
            return PathValue(
                tuple(value(node) for node in raw["_NODES"]),
                tuple(value(edge) for edge in raw["_RELS"]),
            )
        if "_ID" in raw and "_LABEL" in raw:
            if "_SRC" in raw:
                return EdgeValue(raw["_LABEL"], _properties(raw))
            return NodeValue(raw["_LABEL"], _properties(raw))
        return {key: value(item) for key, item in raw.items()}
    if isinstance(raw, list):
        return [value(item) for item in raw]
    if isinstance(raw, Decimal):  # a sum of integers
        return int(raw)
    return raw


def _properties(raw: dict[str, Any]) -> dict[str, Any]:
    # A pattern over several labels gives each node the columns of all of them, as nulls.
    hidden = ("_ID", "_LABEL", "_SRC", "_DST")
    return in_schema_order({k: v for k, v in raw.items() if v is not None and k not in hidden})
