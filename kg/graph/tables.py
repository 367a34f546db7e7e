"""The Arrow form of the schema's tables."""

import pyarrow as pa

from kg.model.schema import EDGE_TABLES, NODE_TABLES, EdgeTable, NodeTable, PropertyType

Table = NodeTable | EdgeTable

_ALL: tuple[Table, ...] = (*NODE_TABLES, *EDGE_TABLES)
TABLES: dict[str, Table] = {table.name: table for table in _ALL}

_ARROW = {
    PropertyType.STRING: pa.string(),
    PropertyType.INTEGER: pa.int64(),
    PropertyType.FLOAT: pa.float64(),
    PropertyType.BOOLEAN: pa.bool_(),
    PropertyType.STRINGS: pa.list_(pa.string()),
    PropertyType.INTEGERS: pa.list_(pa.int64()),
}


def arrow_schema(table: Table) -> pa.Schema:
    """Return the columns: of a node its properties, of an edge id, head, tail, properties."""
    fields = [pa.field(p.name, _ARROW[p.type], nullable=p.name != "id") for p in table.properties]
    if isinstance(table, EdgeTable):
        ends = [pa.field("head", pa.string(), False), pa.field("tail", pa.string(), False)]
        fields = [fields[0], *ends, *fields[1:]]
    return pa.schema(fields)


def empty(table: Table) -> pa.Table:
    """Return the table without rows."""
    return arrow_schema(table).empty_table()
