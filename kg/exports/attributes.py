"""The attributes of nodes and edges in formats that declare them: one per name, from the schema."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from kg.exports import lists, xml
from kg.model.schema import EDGE_TABLES, NODE_TABLES, EdgeTable, NodeTable, PropertyType

# GraphML and GEXF have these names in common; lists become strings.
_TYPES = {
    PropertyType.STRING: "string",
    PropertyType.INTEGER: "long",
    PropertyType.FLOAT: "double",
    PropertyType.BOOLEAN: "boolean",
    PropertyType.STRINGS: "string",
    PropertyType.INTEGERS: "string",
}


@dataclass(frozen=True, slots=True)
class Attribute:
    """A declared attribute: its key in the file, its name, its type and meaning."""

    key: str
    name: str
    type: str
    meaning: str
    is_list: bool = False


def node_attributes() -> tuple[Attribute, ...]:
    """Return the attributes of all node tables; `id` is the node's own."""
    return _attributes("n", NODE_TABLES)


def edge_attributes() -> tuple[Attribute, ...]:
    """Return the attributes of all edge tables; `id` is the edge's own."""
    return _attributes("e", EDGE_TABLES)


def values(attributes: tuple[Attribute, ...], row: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield key and text of each value the row has; null and the empty list are left out."""
    for attribute in attributes:
        value = row.get(attribute.name)
        if value is None or value == []:
            continue
        if attribute.is_list:
            yield attribute.key, lists.join(value)
        elif isinstance(value, bool):
            yield attribute.key, "true" if value else "false"
        elif isinstance(value, int | float):
            yield attribute.key, xml.number(value)
        else:
            yield attribute.key, value


def _attributes(
    prefix: str, tables: tuple[NodeTable, ...] | tuple[EdgeTable, ...]
) -> tuple[Attribute, ...]:
    found: dict[str, Attribute] = {}
    for table in tables:
        for p in table.properties:
            if p.name == "id":
                continue
            is_list = p.type in (PropertyType.STRINGS, PropertyType.INTEGERS)
            meaning = p.meaning + ("; values joined by ' | '" if is_list else "")
            new = Attribute(f"{prefix}{len(found)}", p.name, _TYPES[p.type], meaning, is_list)
            known = found.setdefault(p.name, new)
            if (known.type, known.is_list) != (new.type, new.is_list):
                # One name, one type: readers of both formats rely on it.
                raise ValueError(f"property {p.name} has two types in the schema")
    return tuple(found.values())
