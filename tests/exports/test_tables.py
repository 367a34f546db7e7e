"""CSV, Parquet, JSON: the formats that other programs load."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import networkx as nx
import pyarrow.parquet as pq
import pytest

from kg import exports
from kg.graph.snapshot import MemorySnapshot
from kg.graph.tables import TABLES

HOSTILE = '=SUM(1) <b>"x"</b> & ]]> | a\\|b\r\n\tnext,\u2028 \x07bell é 漢'


def _read_csv(path: Path) -> list[dict[str, str]]:
    text = path.read_bytes().decode()
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_csv_keeps_every_cell(snapshot: MemorySnapshot, tmp_path: Path) -> None:
    """Quotes, commas and line ends in titles are where home-made CSV breaks."""
    exports.write("csv", snapshot, tmp_path / "out")

    first, second = _read_csv(tmp_path / "out" / "Paper.csv")
    assert (first["title"], first["year"], first["known"]) == (HOSTILE, "2024", "true")
    assert first["topics"] == "cs.LG | a \\| b | c\\\\d"
    assert (second["title"], second["year"]) == ("", "")
    assert [row["id"] for row in _read_csv(tmp_path / "out" / "CITES.Paper.Paper.csv")] == [
        "e3",
        "e4",
    ]


def test_csv_tells_null_from_empty_and_ends_lines_with_crlf(tmp_path: Path) -> None:
    """RFC 4180, and a difference that loaders such as PostgreSQL's COPY understand."""
    rows: list[dict[str, Any]] = [{"id": "a", "name": None}, {"id": "b", "name": ""}]
    exports.write("csv", MemorySnapshot.of_rows({"Venue": rows}), tmp_path / "out")

    assert (tmp_path / "out" / "Venue.csv").read_bytes() == b'id,name\r\na,\r\nb,""\r\n'


def test_a_spreadsheet_runs_no_title_as_a_formula(tmp_path: Path) -> None:
    """A title is text from outside; =HYPERLINK(...) in a cell would be run."""
    rows = [{"id": str(i), "name": name} for i, name in enumerate(["=1+1", "@x", "-3", "A=1"])]
    exports.write("csv-spreadsheet", MemorySnapshot.of_rows({"Venue": rows}), tmp_path / "out")

    cells = (tmp_path / "out" / "Venue.csv").read_bytes().decode("utf-8-sig").split("\r\n")
    assert cells == ["id,name", "0,'=1+1", "1,'@x", "2,'-3", "3,A=1", ""]


def test_the_folder_says_what_its_tables_hold(snapshot: MemorySnapshot, tmp_path: Path) -> None:
    """Whoever gets the folder has no kg at hand."""
    exports.write("csv", snapshot, tmp_path / "out")

    described = json.loads((tmp_path / "out" / "schema.json").read_text(encoding="utf-8"))
    assert {t["file"]: t["rows"] for t in described["tables"]} == {
        "Paper.csv": 2,
        "Method.csv": 1,
        "Claim.csv": 1,
        "USES.Paper.Method.csv": 1,
        "MAKES.Paper.Claim.csv": 1,
        "CITES.Paper.Paper.csv": 2,
    }


def test_parquet_is_the_graph_itself(snapshot: MemorySnapshot, tmp_path: Path) -> None:
    """Types and nulls included, since Parquet can hold them all."""
    exports.write("parquet", snapshot, tmp_path / "out")

    held = {path.stem: pq.read_table(path) for path in (tmp_path / "out").glob("*.parquet")}
    wanted = {name: snapshot.table(name) for name in TABLES if snapshot.counts()[name]}
    assert held == wanted


def test_json_opens_in_networkx(snapshot: MemorySnapshot, tmp_path: Path) -> None:
    """Node-link JSON is what d3 and networkx take."""
    exports.write("json", snapshot, tmp_path / "g.json")

    data: Any = json.loads((tmp_path / "g.json").read_bytes())
    graph: Any = nx.node_link_graph(data, edges="edges")
    assert graph.nodes["doi:10.1/a"]["title"] == HOSTILE
    assert graph.nodes["doi:10.1/a"]["topics"] == ["cs.LG", "a | b", "c\\d"]
    assert graph.nodes["method:walker"]["surface_counts"] == [9007199254740993, 1]
    assert graph.edges["doi:10.1/a", "method:walker", "e1"]["starts"] == [0, 7]
    assert sorted(graph.edges(keys=True, data="type")) == [
        ("doi:10.1/a", "claim:doi:10.1/a:0-43", "e2", "MAKES"),
        ("doi:10.1/a", "doi:10.1/b", "e3", "CITES"),
        ("doi:10.1/a", "doi:10.1/b", "e4", "CITES"),
        ("doi:10.1/a", "method:walker", "e1", "USES"),
    ]


def test_jsonl_is_one_object_a_line(snapshot: MemorySnapshot, tmp_path: Path) -> None:
    """A line at a time is how jq and streams read it; a line end in a title must not split it."""
    exports.write("jsonl", snapshot, tmp_path / "g.jsonl")

    lines = (tmp_path / "g.jsonl").read_bytes().split(b"\n")
    objects = [json.loads(line) for line in lines if line]
    assert [o.get("node") or o.get("edge") for o in objects] == [
        "Paper",
        "Paper",
        "Method",
        "Claim",
        "USES",
        "MAKES",
        "CITES",
        "CITES",
    ]
    assert objects[1] == {
        "node": "Paper",
        "id": "doi:10.1/b",
        "title": "",
        "topics": [],
        "known": False,
    }


@pytest.mark.parametrize("name", sorted(exports.FORMATS))
def test_the_same_graph_gives_the_same_bytes(
    name: str, snapshot: MemorySnapshot, tmp_path: Path
) -> None:
    """An export under version control must not change by itself."""
    written = []
    for target in (tmp_path / "first", tmp_path / "second"):
        exports.write(name, snapshot, target)
        files = sorted(target.iterdir()) if target.is_dir() else [target]
        written.append([file.read_bytes() for file in files])

    assert written[0] == written[1]
