"""GraphML, which networkx, yEd, Gephi, Cytoscape and igraph read; written as a stream."""

from typing import BinaryIO

from kg.exports import rows, xml
from kg.exports.attributes import Attribute, edge_attributes, node_attributes, values
from kg.graph.changes import Snapshot

_HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<graphml xmlns="http://graphml.graphdrawing.org/xmlns"'
    ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
    ' xsi:schemaLocation="http://graphml.graphdrawing.org/xmlns'
    ' http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd">\n'
)


def write_graphml(snapshot: Snapshot, file: BinaryIO) -> None:
    """Write every node and edge with its properties.

    A node carries its label as `label` and the form to show as `name`; an edge carries its type as
    `type` and its id. Types are kept (string, long, double, boolean); lists are strings, joined as
    kg.exports.lists says; null is left out; characters that XML cannot hold become U+FFFD.
    """
    node_keys, edge_keys = node_attributes(), edge_attributes()
    label = Attribute("label", "label", "string", "node label")
    kind = Attribute("type", "type", "string", "relationship type")

    file.write(_HEAD.encode())
    for scope, attributes in (("node", (label, *node_keys)), ("edge", (kind, *edge_keys))):
        for attribute in attributes:
            file.write(_declaration(scope, attribute).encode())
    file.write(b'<graph edgedefault="directed">\n')
    for node_table, row in rows.nodes(snapshot):
        data = _data(label.key, node_table.label.value)
        data += "".join(_data(key, value) for key, value in values(node_keys, row))
        file.write(f"<node id={xml.attribute(row['id'])}>{data}</node>\n".encode())
    for edge_table, row in rows.edges(snapshot):
        data = _data(kind.key, edge_table.type.value)
        data += "".join(_data(key, value) for key, value in values(edge_keys, row))
        ends = f"source={xml.attribute(row['head'])} target={xml.attribute(row['tail'])}"
        file.write(f"<edge id={xml.attribute(row['id'])} {ends}>{data}</edge>\n".encode())
    file.write(b"</graph>\n</graphml>\n")


def _declaration(scope: str, attribute: Attribute) -> str:
    return (
        f'<key id="{attribute.key}" for="{scope}" attr.name="{attribute.name}"'
        f' attr.type="{attribute.type}"><desc>{xml.text(attribute.meaning)}</desc></key>\n'
    )


def _data(key: str, value: str) -> str:
    return f'<data key="{key}">{xml.text(value)}</data>'
