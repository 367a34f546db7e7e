"""GraphML and GEXF, read back by networkx."""

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

import networkx as nx
import pytest
from lxml import etree

from kg.exports import lists
from kg.exports.gexf import write_gexf
from kg.exports.graphml import write_graphml
from kg.graph.changes import Snapshot
from kg.graph.snapshot import MemorySnapshot

Writer = Callable[[Snapshot, BinaryIO], None]
XML_HELD = '=SUM(1) <b>"x"</b> & ]]> | a\\|b\r\n\tnext,\u2028 \ufffdbell é 漢'


def _written(writer: Writer, snapshot: Snapshot) -> bytes:
    file = io.BytesIO()
    writer(snapshot, file)
    return file.getvalue()


def _graphml(snapshot: Snapshot) -> Any:
    return nx.parse_graphml(_written(write_graphml, snapshot).decode(), force_multigraph=True)


def _gexf(snapshot: Snapshot, folder: Path) -> Any:
    path = folder / "g.gexf"
    path.write_bytes(_written(write_gexf, snapshot))
    return nx.read_gexf(path)


def test_graphml_keeps_every_value_with_its_type(snapshot: MemorySnapshot) -> None:
    """What a tool reads must be what the graph holds: 2024 a number, True a boolean."""
    graph = _graphml(snapshot)

    assert dict(graph.nodes(data=True)) == {
        "doi:10.1/a": {
            "label": "Paper",
            "title": XML_HELD,
            "title_made": False,
            "text": "Walker beats Runner on Track by 3.5 points.",
            "year": 2024,
            "topics": "cs.LG | a \\| b | c\\\\d",
            "known": True,
        },
        "doi:10.1/b": {"label": "Paper", "title": "", "known": False},
        "method:walker": {
            "label": "Method",
            "name": "Walker",
            "named": True,
            "surfaces": "Walker | WALKER",
            "surface_counts": "9007199254740993 | 1",
            "papers": 1,
        },
        "claim:doi:10.1/a:0-43": {
            "label": "Claim",
            "text": "Walker beats Runner on Track by 3.5 points.",
            "paper": "doi:10.1/a",
            "start": 0,
            "end": 43,
            "confidence": 0.1 + 0.2,
        },
    }
    assert sorted(graph.edges(keys=True, data="type")) == [
        ("doi:10.1/a", "claim:doi:10.1/a:0-43", "e2", "MAKES"),
        ("doi:10.1/a", "doi:10.1/b", "e3", "CITES"),
        ("doi:10.1/a", "doi:10.1/b", "e4", "CITES"),
        ("doi:10.1/a", "method:walker", "e1", "USES"),
    ]
    uses = graph.edges["doi:10.1/a", "method:walker", "e1"]
    assert (uses["sentence"], uses["confidence"], uses["starts"]) == (XML_HELD, 0.75, "0 | 7")


def test_gexf_keeps_every_value_with_its_type(snapshot: MemorySnapshot, tmp_path: Path) -> None:
    """Gephi sorts and filters by these values, so their types matter."""
    graph = _gexf(snapshot, tmp_path)

    assert dict(graph.nodes(data=True))["doi:10.1/a"] == {
        "label": XML_HELD,
        "node_label": "Paper",
        "title": XML_HELD,
        "title_made": False,
        "text": "Walker beats Runner on Track by 3.5 points.",
        "year": 2024,
        "topics": "cs.LG | a \\| b | c\\\\d",
        "known": True,
    }
    assert sorted(graph.edges(keys=True, data="relationship")) == [
        ("doi:10.1/a", "claim:doi:10.1/a:0-43", "e2", "MAKES"),
        ("doi:10.1/a", "doi:10.1/b", "e3", "CITES"),
        ("doi:10.1/a", "doi:10.1/b", "e4", "CITES"),
        ("doi:10.1/a", "method:walker", "e1", "USES"),
    ]
    uses = graph.edges["doi:10.1/a", "method:walker", "e1"]
    assert (uses["sentence"], uses["confidence"], uses["starts"]) == (XML_HELD, 0.75, "0 | 7")


@pytest.mark.parametrize("writer", [write_graphml, write_gexf])
def test_an_empty_graph_is_a_whole_file(writer: Writer) -> None:
    """A confidence set too high leaves nothing; that is a result, not a broken file."""
    root = etree.fromstring(_written(writer, MemorySnapshot("memory", {})))

    assert root.findall(".//{*}node") == []


@pytest.mark.parametrize("value", [float("inf"), float("-inf"), 1e-300, 5.0, 0.1])
def test_graphml_numbers_are_exact(value: float) -> None:
    """A result may be any number that a paper prints."""
    graph = _graphml(MemorySnapshot.of_rows({"Result": [{"id": "r", "value": value}]}))

    assert graph.nodes["r"]["value"] == value


@pytest.mark.parametrize(
    "values", [["a"], ["a", "b"], ["a | b", "\\"], ["|", ""], ["a\\", "| b"], [" | ", "\\|"]]
)
def test_a_joined_list_can_be_split_again(values: list[str]) -> None:
    """The separator may stand in a title; the list must survive it."""
    assert lists.split(lists.join(values)) == values
