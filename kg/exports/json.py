"""JSON as networkx's node_link_graph reads it, and JSON Lines; written as a stream."""

from typing import Any, BinaryIO

import orjson

from kg.exports import rows
from kg.graph.changes import Snapshot


def write_json(snapshot: Snapshot, file: BinaryIO) -> None:
    """Write one object with `nodes` and `edges`: `node_link_graph(json.load(f), edges="edges")`.

    A node has `id`, `label` and its properties; an edge `source`, `target`, `key` (its id), `type`
    and its properties. Null is left out; JSON has no NaN or infinity, which count as null.
    """
    meta = orjson.dumps({"build": snapshot.build})
    file.write(b'{"directed":true,"multigraph":true,"graph":' + meta + b',"nodes":[')
    comma = b"\n"
    for node_table, row in rows.nodes(snapshot):
        file.write(comma + _dump({"id": row["id"], "label": node_table.label.value, **row}))
        comma = b",\n"
    file.write(b'\n],"edges":[')
    comma = b"\n"
    for edge_table, row in rows.edges(snapshot):
        ends = {"source": row.pop("head"), "target": row.pop("tail"), "key": row["id"]}
        file.write(comma + _dump({**ends, "type": edge_table.type.value, **row}))
        comma = b",\n"
    file.write(b"\n]}\n")


def write_jsonl(snapshot: Snapshot, file: BinaryIO) -> None:
    """Write one object a line: first the nodes, then the edges.

    A node is `{"node": label, "id": ..., properties}`, an edge `{"edge": type, "id": ...,
    "head": ..., "tail": ..., properties}`; null is left out.
    """
    for node_table, row in rows.nodes(snapshot):
        file.write(_dump({"node": node_table.label.value, **row}) + b"\n")
    for edge_table, row in rows.edges(snapshot):
        file.write(_dump({"edge": edge_table.type.value, **row}) + b"\n")


def _dump(row: dict[str, Any]) -> bytes:
    return orjson.dumps({key: value for key, value in row.items() if value is not None})
