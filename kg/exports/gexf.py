"""GEXF 1.2, which Gephi and networkx read; written as a stream."""

from typing import BinaryIO

from kg.exports import rows, xml
from kg.exports.attributes import Attribute, edge_attributes, node_attributes, values
from kg.graph.changes import Snapshot

# networkx reads 1.1 and 1.2, Gephi these and 1.3.
_HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<gexf xmlns="http://www.gexf.net/1.2draft" version="1.2">\n'
    '<graph defaultedgetype="directed" mode="static">\n'
)


def write_gexf(snapshot: Snapshot, file: BinaryIO) -> None:
    """Write every node and edge with its properties.

    The format's own `label` is the form to show; a node's label is the attribute `node_label`, an
    edge's type is its `label` and the attribute `relationship`. Types, lists, null and characters
    that XML cannot hold are written as in GraphML.
    """
    node_keys, edge_keys = node_attributes(), edge_attributes()
    label = Attribute("label", "node_label", "string", "node label")
    kind = Attribute("type", "relationship", "string", "relationship type")

    file.write(_HEAD.encode())
    for scope, attributes in (("node", (label, *node_keys)), ("edge", (kind, *edge_keys))):
        declarations = "".join(
            f'<attribute id="{a.key}" title="{a.name}" type="{a.type}"/>\n' for a in attributes
        )
        file.write(f'<attributes class="{scope}">\n{declarations}</attributes>\n'.encode())
    file.write(b"<nodes>\n")
    for node_table, row in rows.nodes(snapshot):
        name = xml.attribute(rows.display_name(row))
        data = _value(label.key, node_table.label.value)
        data += "".join(_value(key, value) for key, value in values(node_keys, row))
        line = (
            f"<node id={xml.attribute(row['id'])} label={name}><attvalues>{data}</attvalues></node>"
        )
        file.write(f"{line}\n".encode())
    file.write(b"</nodes>\n<edges>\n")
    for edge_table, row in rows.edges(snapshot):
        data = _value(kind.key, edge_table.type.value)
        data += "".join(_value(key, value) for key, value in values(edge_keys, row))
        ends = f"source={xml.attribute(row['head'])} target={xml.attribute(row['tail'])}"
        line = (
            f'<edge id={xml.attribute(row["id"])} {ends} label="{edge_table.type.value}">'
            f"<attvalues>{data}</attvalues></edge>"
        )
        file.write(f"{line}\n".encode())
    file.write(b"</edges>\n</graph>\n</gexf>\n")


def _value(key: str, value: str) -> str:
    return f'<attvalue for="{key}" value={xml.attribute(value)}/>'
