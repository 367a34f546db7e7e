"""The Cypher that kg sends to Neo4j, made from the schema; values are parameters only.

Every node and relationship that kg writes carries `kg_graph`, the name of its graph, so that
several graphs and a user's own data can share a database. Rows come as lists, since packing the
names of columns with every row costs more than the rows.
"""

from collections.abc import Iterable, Sequence

from kg.graph.tables import Table
from kg.model.schema import EDGE_TABLES, NODE_TABLES, EdgeTable, NodeLabel, NodeTable
from kg.stores.cypher.tokens import quote

GRAPH = "kg_graph"
BUILD, STEP, GONE, WRITER = "KgBuild", "KgStep", "KgGone", "KgWriter"

# What has to be there before anybody may write.
LEASE_SCHEMA = (
    f"CREATE CONSTRAINT kg_build IF NOT EXISTS FOR (n:{BUILD}) REQUIRE n.graph IS UNIQUE",
    f"CREATE CONSTRAINT kg_writer IF NOT EXISTS FOR (n:{WRITER}) REQUIRE n.key IS UNIQUE",
)

# What people look a node up by, besides its id.
_LOOKED_UP = {
    NodeLabel.PAPER: ("title", "doi", "arxiv"),
    NodeLabel.METHOD: ("name",),
    NodeLabel.DATASET: ("name",),
    NodeLabel.TASK: ("name",),
    NodeLabel.METRIC: ("name",),
    NodeLabel.AUTHOR: ("name",),
    NodeLabel.VENUE: ("name",),
}
# Texts in which people search for words.
_SEARCHED = {
    "kg_names": (("Method", "Dataset", "Task", "Metric"), ("name", "surfaces")),
    "kg_papers": (("Paper",), ("title", "text")),
    "kg_claims": (("Claim",), ("text",)),
}


def schema_statements() -> tuple[str, ...]:
    """Return constraints and indexes; each does nothing when it exists."""
    return (*key_statements(), *search_statements())


def key_statements() -> tuple[str, ...]:
    """Return the constraints and indexes by which rows are written."""
    return (
        *LEASE_SCHEMA,
        f"CREATE CONSTRAINT kg_step IF NOT EXISTS FOR (n:{STEP}) REQUIRE n.key IS UNIQUE",
        f"CREATE INDEX kg_gone IF NOT EXISTS FOR (n:{GONE}) ON (n.id)",
        *(
            f"CREATE CONSTRAINT kg_{table.name.lower()} IF NOT EXISTS FOR (n:{quote(table.name)}) "
            f"REQUIRE (n.{GRAPH}, n.id) IS UNIQUE"
            for table in NODE_TABLES
        ),
    )


def search_statements() -> tuple[str, ...]:
    """Return the indexes by which people ask: sooner made of many nodes than kept with each."""
    statements = []
    for table in NODE_TABLES:
        label, low = quote(table.name), table.name.lower()
        statements.append(f"CREATE INDEX kg_{low}_id IF NOT EXISTS FOR (n:{label}) ON (n.id)")
        statements += [
            f"CREATE TEXT INDEX kg_{low}_{name} IF NOT EXISTS FOR (n:{label}) ON (n.{name})"
            for name in _LOOKED_UP.get(table.label, ())
        ]
    for name, (labels, properties) in _SEARCHED.items():
        of = "|".join(labels)
        each = ", ".join(f"n.{p}" for p in properties)
        statements.append(
            f"CREATE FULLTEXT INDEX {name} IF NOT EXISTS FOR (n:{of}) ON EACH [{each}]"
        )
    return tuple(statements)


def columns(table: Table) -> tuple[str, ...]:
    """Return the columns of a row as the statements expect them."""
    own = tuple(p.name for p in table.properties)
    return ("head", "tail", *own) if isinstance(table, EdgeTable) else own


def _properties(table: Table, names: Iterable[str]) -> list[tuple[str, str]]:
    skipped = ("head", "tail") if isinstance(table, EdgeTable) else ()
    return [(n, f"row[{i}]") for i, n in enumerate(names) if n not in skipped]


def _map(table: Table, names: Iterable[str]) -> str:
    return ", ".join(f"{quote(name)}: {value}" for name, value in _properties(table, names))


def _set(table: Table, owner: str) -> str:
    pairs = [
        f"{owner}.{quote(n)} = {value}"
        for n, value in _properties(table, columns(table))
        if n != "id"
    ]
    return f" SET {', '.join(pairs)}" if pairs else ""


def _keyed(variable: str, label: str, value: str) -> str:
    # Planned on an empty database, a statement without the hint would scan the label for each row.
    return (
        f"MATCH ({variable}:{quote(label)} {{{GRAPH}: $graph, id: {value}}}) "
        f"USING INDEX {variable}:{quote(label)}({GRAPH}, id)"
    )


def _ends(table: EdgeTable, head: str = "row[0]", tail: str = "row[1]") -> str:
    return f"{_keyed('h', table.head, head)} {_keyed('t', table.tail, tail)}"


def create_statement(table: Table, names: Sequence[str]) -> str:
    """Return the statement that adds rows of the named columns, known not to be there.

    Rows of edges name their ends by places in $heads and $tails; those without both are left out.
    """
    if isinstance(table, EdgeTable):
        ends = _ends(table, "$heads[row[0]]", "$tails[row[1]]")
        return f"UNWIND $rows AS row {ends} {_create(table, names)}"
    return f"UNWIND $rows AS row CREATE (:{quote(table.name)} {{{GRAPH}: $graph, {_map(table, names)}}})"


def connect_statement(table: EdgeTable, names: Sequence[str]) -> str:
    """Return the statement that adds the same edges, or none when any end is not there.

    It looks every node up once, however many of the edges it has.
    """
    lists = (
        f"COLLECT {{ UNWIND range(0, size(${ends}) - 1) AS i "
        f"{_keyed('n', label, f'${ends}[i]')} RETURN n ORDER BY i }} AS {ends}"
        for ends, label in (("heads", table.head), ("tails", table.tail))
    )
    return (
        f"WITH {', '.join(lists)} "
        "WHERE size(heads) = size($heads) AND size(tails) = size($tails) "
        "UNWIND $rows AS row WITH row, heads[row[0]] AS h, tails[row[1]] AS t "
        f"{_create(table, names)}"
    )


def _create(table: EdgeTable, names: Sequence[str]) -> str:
    return f"CREATE (h)-[:{quote(table.type)} {{{GRAPH}: $graph, {_map(table, names)}}}]->(t)"


def merge_statement(table: Table) -> str:
    """Return the statement after which the rows are there, whatever was; nulls remove."""
    if isinstance(table, EdgeTable):
        at = columns(table).index("id")
        return (
            f"UNWIND $rows AS row {_ends(table)} "
            f"MERGE (h)-[e:{quote(table.type)} {{id: row[{at}], {GRAPH}: $graph}}]->(t)"
            f"{_set(table, 'e')}"
        )
    return (
        f"UNWIND $rows AS row MERGE (n:{quote(table.name)} {{{GRAPH}: $graph, id: row[0]}})"
        f"{_set(table, 'n')}"
    )


def return_statement(table: NodeTable) -> str:
    """Return the statement by which nodes that a user holds on to come back as nodes of a table."""
    return (
        f"UNWIND $rows AS row MATCH (n:{GONE} {{id: row[0]}}) "
        f"WHERE n.{GRAPH} = $graph AND n.kg_label = $label "
        f"SET n:{quote(table.name)} REMOVE n:{GONE}, n.kg_label"
    )


def delete_statement(table: Table) -> str:
    """Return the statement that takes rows away; ids that are not there are no error."""
    if isinstance(table, EdgeTable):
        at = columns(table).index("id")
        return (
            f"UNWIND $rows AS row {_ends(table)} "
            f"MATCH (h)-[e:{quote(table.type)} {{id: row[{at}], {GRAPH}: $graph}}]->(t) DELETE e"
        )
    emptied = ", ".join(f"n.{quote(p.name)} = null" for p in table.properties if p.name != "id")
    ours = ", ".join(f"'{p.name}'" for p in table.properties)
    # A node to which a user has tied something of their own stays, as a stub of its id.
    return (
        f"UNWIND $rows AS row {_keyed('n', table.name, 'row[0]')} "
        f"WITH n, EXISTS {{ (n)--() }} OR size(labels(n)) > 1 "
        f"OR any(key IN keys(n) WHERE NOT key IN ['{GRAPH}', {ours}]) AS tied "
        f"FOREACH (_ IN CASE WHEN tied THEN [] ELSE [1] END | DELETE n) "
        f"FOREACH (_ IN CASE WHEN tied THEN [1] ELSE [] END | "
        f"SET n:{GONE}, n.kg_label = '{table.name}', {emptied} REMOVE n:{quote(table.name)})"
    )


def single_statement(table: EdgeTable) -> str:
    """Return the statement that leaves one of each relationship which is there more than once."""
    at = columns(table).index("id")
    return (
        f"UNWIND $rows AS row {_ends(table)} "
        f"MATCH (h)-[e:{quote(table.type)} {{id: row[{at}], {GRAPH}: $graph}}]->(t) "
        "WITH row, collect(e) AS same UNWIND same[1..] AS e DELETE e"
    )


def count_statement(table: Table) -> str:
    """Return the statement that counts the rows of a table in one graph."""
    return f"{_all(table)} RETURN count(x)"


def read_statement(table: Table, names: Iterable[str]) -> str:
    """Return the statement that gives columns of every row of a table in one graph."""
    wanted = []
    for name in names:
        end = isinstance(table, EdgeTable) and name in ("head", "tail")
        wanted.append(f"{name[0]}.id" if end else f"x.{quote(name)}")
    return f"{_all(table)} RETURN {', '.join(wanted)}"


def _all(table: Table) -> str:
    if isinstance(table, EdgeTable):
        return (
            f"MATCH (h:{quote(table.head)})-[x:{quote(table.type)}]->(t:{quote(table.tail)}) "
            f"WHERE x.{GRAPH} = $graph"
        )
    return f"MATCH (x:{quote(table.name)}) WHERE x.{GRAPH} = $graph AND x.id IS NOT NULL"


def all_tables() -> tuple[Table, ...]:
    """Return node tables, then edge tables: the order in which rows can be added."""
    return (*NODE_TABLES, *EDGE_TABLES)
