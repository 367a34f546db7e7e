"""`kg view` and `kg export` as a person runs them."""

import json
from pathlib import Path

import networkx as nx
import pytest
from click.testing import CliRunner, Result

from kg.api.exporting import MEANINGS
from kg.cli.export import FORMATS
from kg.cli.main import main
from kg.cli.view import LABELS
from kg.graph.folder import writing
from kg.graph.manifest import Manifest
from kg.graph.snapshot import MemorySnapshot
from kg.graph.tables import TABLES
from kg.model.schema import NodeLabel


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    """A folder with two papers that use one method, one of them doubtfully."""
    snapshot = MemorySnapshot.of_rows(
        {
            "Paper": [
                {"id": "doi:10.1/a", "title": "Walks", "doi": "10.1/a"},
                {"id": "doi:10.1/b", "title": "Runs", "doi": "10.1/b"},
            ],
            "Method": [{"id": "method:walker", "name": "Walker", "surfaces": ["Walker"]}],
            "Task": [{"id": "task:walker", "name": "Walker", "surfaces": ["Walker"]}],
            "USES.Paper.Method": [
                {"id": "e1", "head": "doi:10.1/a", "tail": "method:walker", "confidence": 0.9},
                {"id": "e2", "head": "doi:10.1/b", "tail": "method:walker", "confidence": 0.2},
            ],
            "CITES.Paper.Paper": [{"id": "e3", "head": "doi:10.1/b", "tail": "doi:10.1/a"}],
        }
    )
    path = tmp_path / "my.kg"
    with writing(path, create=True) as writer:
        tables = writer.store_tables({name: snapshot.table(name) for name in TABLES})
        writer.commit(Manifest(0, "", "", "test", tables))
    return path


def _kg(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(a) for a in arguments])


def test_the_choices_are_those_that_can_be_written() -> None:
    """They are written out twice, so that --help loads nothing."""
    assert tuple(MEANINGS) == FORMATS
    assert tuple(label.value for label in NodeLabel) == LABELS


def test_an_export_says_what_it_wrote(graph: Path, tmp_path: Path) -> None:
    """Counts are the first thing to compare."""
    done = _kg("export", graph, "graphml", "-o", tmp_path / "g.graphml")

    assert (done.exit_code, done.stdout) == (0, f"{tmp_path / 'g.graphml'}: 4 nodes, 3 edges\n")
    assert nx.read_graphml(tmp_path / "g.graphml").number_of_edges() == 3


def test_an_export_as_json(graph: Path, tmp_path: Path) -> None:
    """For scripts."""
    done = _kg("export", graph, "json", "-o", tmp_path / "g.json", "--json")

    assert json.loads(done.stdout) == {
        "path": str(tmp_path / "g.json"),
        "format": "json",
        "nodes": 4,
        "edges": 3,
    }


def test_an_export_can_go_down_a_pipe(graph: Path) -> None:
    """Nothing but the export goes there."""
    done = _kg("export", graph, "jsonl", "-o", "-")

    assert [json.loads(line)["id"] for line in done.stdout.splitlines()] == [
        "doi:10.1/a",
        "doi:10.1/b",
        "method:walker",
        "task:walker",
        "e1",
        "e2",
        "e3",
    ]


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_is_written_and_written_again(form: str, graph: Path, tmp_path: Path) -> None:
    """The nightly export replaces yesterday's, whatever the format."""
    for _ in range(2):
        done = _kg("export", graph, form, "-o", tmp_path / "out")
        assert (done.exit_code, done.stderr) == (0, "")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["my.kg", "out"]


def test_a_part_can_be_exported(graph: Path, tmp_path: Path) -> None:
    """What is around a paper, by its DOI."""
    done = _kg("export", graph, "jsonl", "10.1/b", "-o", tmp_path / "b.jsonl")

    assert done.stdout.endswith("3 nodes, 3 edges\n")


def test_the_doubtful_can_be_left_out(graph: Path, tmp_path: Path) -> None:
    """The task goes too: nothing supports it."""
    done = _kg("export", graph, "jsonl", "--min-confidence", 0.5, "-o", tmp_path / "sure.jsonl")

    assert done.stdout.endswith("3 nodes, 2 edges\n")


def test_a_page_is_written_and_counted(graph: Path, tmp_path: Path) -> None:
    """The title is the graph's name."""
    done = _kg("view", graph, "-o", tmp_path / "page.html")

    assert (done.exit_code, done.stdout) == (0, f"{tmp_path / 'page.html'}: 4 nodes\n")
    assert "<title>my · kg</title>" in (tmp_path / "page.html").read_text(encoding="utf-8")


def test_a_page_of_a_name_as_json(graph: Path, tmp_path: Path) -> None:
    """With what was left out."""
    done = _kg("view", graph, "walks", "-o", tmp_path / "p.html", "--max-nodes", 2, "--json")

    assert json.loads(done.stdout) == {
        "page": str(tmp_path / "p.html"),
        "kind": "paper",
        "node": "doi:10.1/a",
        "shown": 2,
        "left_out": {"Method": 1},
    }


def test_of_two_that_are_called_so_one_is_shown_and_the_other_named(
    graph: Path, tmp_path: Path
) -> None:
    """Walker is a method and a task."""
    done = _kg("view", graph, "Walker", "-o", tmp_path / "p.html")

    assert done.exit_code == 0
    assert done.stderr == ("Showing the Method method:walker; also called so: task:walker\n")


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (["view", "GRAPH", "nobody", "-o", "p.html"], 1, "nothing in the graph is called 'nobody'"),
        (["view", "missing.kg", "-o", "p.html"], 1, "missing.kg: there is no such folder"),
        (["view", "GRAPH"], 2, "Name the file to write with -o"),
        (["view", "GRAPH", "--hops", "2", "-o", "p.html"], 2, "--hops goes with a NAME"),
        (["view", "GRAPH", "-o", "nowhere/p.html"], 1, "nowhere: no such folder"),
        (["export", "GRAPH", "csv", "-o", "GRAPH"], 1, "is not an export of kg"),
        (["export", "GRAPH", "word", "-o", "x"], 2, "'word' is not one of 'graphml'"),
        (["export", "GRAPH", "json", "--hops", "2", "-o", "x"], 2, "--hops goes with a NAME"),
        (["export", "GRAPH", "json", "-o", "."], 1, "is a folder"),
        (["export", "GRAPH", "csv", "-o", "-"], 1, "csv cannot go to standard output"),
    ],
)
def test_what_cannot_be_done_is_said_in_two_lines(
    arguments: list[str],
    status: int,
    words: str,
    graph: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """And nothing is left behind."""
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.rglob("*"))

    done = _kg(*(str(graph) if a == "GRAPH" else a for a in arguments))

    assert done.exit_code == status
    assert words in done.stderr
    assert sorted(tmp_path.rglob("*")) == before
