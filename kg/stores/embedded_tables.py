"""The schema as the embedded database wants it: tables, and how Parquet fills them."""

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any, cast

import ladybug

from kg.model.schema import (
    EDGE_TABLES,
    NODE_TABLES,
    EdgeTable,
    NodeTable,
    Property,
    PropertyType,
    RelationshipType,
    edge_tables,
)
from kg.stores.cypher.tokens import quote, text_literal

ENGINE = str(ladybug.__version__)  # its files are not read by other versions
_TYPES = {
    PropertyType.STRING: "STRING",
    PropertyType.INTEGER: "INT64",
    PropertyType.FLOAT: "DOUBLE",
    PropertyType.BOOLEAN: "BOOLEAN",
    PropertyType.STRINGS: "STRING[]",
    PropertyType.INTEGERS: "INT64[]",
}


def group_properties(relationship: RelationshipType) -> tuple[Property, ...]:
    """Return the properties of a type: those of all its tables, each once.

    A type that joins several pairs of labels is one table in the database, so that `[:USES]`
    finds all of them; a pair without some property has nulls there.
    """
    found: dict[str, Property] = {}
    for table in edge_tables(relationship):
        for own in table.properties:
            found.setdefault(own.name, own)
    return tuple(found.values())


def _columns(properties: Iterable[Property]) -> list[str]:
    return [f"{quote(p.name)} {_TYPES[p.type]}" for p in properties]


def create_statements() -> tuple[str, ...]:
    """Return one CREATE statement per label and per relationship type."""
    nodes = [
        f"CREATE NODE TABLE {quote(t.name)}({', '.join(_columns(t.properties))}, "
        f"PRIMARY KEY({quote('id')}))"
        for t in NODE_TABLES
    ]
    edges = []
    for relationship in dict.fromkeys(t.type for t in EDGE_TABLES):
        pairs = [
            f"FROM {quote(t.head.value)} TO {quote(t.tail.value)}"
            for t in edge_tables(relationship)
        ]
        columns = _columns(group_properties(relationship))
        edges.append(f"CREATE REL TABLE {quote(relationship)}({', '.join([*pairs, *columns])})")
    return (*nodes, *edges)


def fingerprint() -> str:
    """Hash the tables, so that a database with other ones is known."""
    return hashlib.sha256("\n".join(create_statements()).encode()).hexdigest()[:16]


def copy_statement(table: NodeTable | EdgeTable, files: Iterable[Path]) -> str:
    """Return the statement that fills a table from its Parquet files."""
    if isinstance(table, EdgeTable):
        return copy_edges_statement(table, scanned(files))
    return f"COPY {quote(table.name)} FROM {scanned(files)}"


def scanned(files: Iterable[Path]) -> str:
    """Return files as a statement names them."""
    return f"[{', '.join(text_literal(str(path)) for path in files)}]"


def copy_edges_statement(table: EdgeTable, source: str) -> str:
    """Return the statement that adds the edges of a table from something that can be scanned."""
    # The database takes the ends as the first two columns.
    own = ", ".join(quote(p.name) for p in table.properties)
    return (
        f"COPY {quote(table.type)}({own}) FROM "
        f"(LOAD FROM {source} RETURN {quote('head')}, {quote('tail')}, {own}) "
        f"(from={text_literal(table.head.value)}, to={text_literal(table.tail.value)})"
    )


def table_counts(connection: ladybug.Connection) -> dict[str, int]:
    """Count the rows of every table."""
    counts = {}
    for node in NODE_TABLES:
        counts[node.name] = _single(connection, f"MATCH (n:{quote(node.name)}) RETURN count(*)")
    for edge in EDGE_TABLES:
        counts[edge.name] = _single(
            connection,
            f"MATCH (:{quote(edge.head)})-[r:{quote(edge.type)}]->(:{quote(edge.tail)}) "
            "RETURN count(*)",
        )
    return counts


def _single(connection: ladybug.Connection, cypher: str) -> int:
    result = cast("ladybug.QueryResult", connection.execute(cypher))
    return int(cast("list[Any]", result.get_next())[0])
