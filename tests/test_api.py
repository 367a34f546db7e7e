"""The verbs for programs, on files and through the stores, pages and exports below them."""

from pathlib import Path

import networkx as nx
import pytest

from kg import api
from kg.errors import GraphFolderError, NotFoundError
from kg.model.record import Record, Rejected
from tests.cli.conftest import MORE, PAPERS
from tests.graph.capitals import Capitals


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with two files of papers."""
    (tmp_path / "papers.jsonl").write_text(PAPERS)
    (tmp_path / "more.jsonl").write_text(MORE)
    return tmp_path


def _build(folder: Path, *names: str) -> Path:
    api.build([folder / name for name in names], folder / "my.kg", model=Capitals())
    return folder / "my.kg"


def test_reading_yields_records_and_rejected_blocks(folder: Path) -> None:
    """The same stream that a build reads, to do something else with."""
    found = list(api.read([folder / "papers.jsonl"]))

    assert [type(each) for each in found] == [Record, Record, Record, Rejected]


def test_extracting_yields_each_record_with_what_its_text_says(folder: Path) -> None:
    """Records without a text are left out, and the pairs stay together."""
    records = [*api.read([folder / "papers.jsonl"]), Record(title="No abstract")]
    found = list(api.extract(records, model=Capitals()))

    assert [each.record.title for each in found] == ["On NetA", "On NetB", "On NetC"]
    assert [each.extraction.entities[0].name for each in found] == ["NetA", "NetB", "NetC"]


def test_an_open_graph_answers_in_every_form(folder: Path, tmp_path: Path) -> None:
    """Cypher, networkx, Arrow, a page and a file, of one and the same build."""
    with api.open(_build(folder, "papers.jsonl")) as graph:
        answer = graph.query("MATCH (p:Paper)-[:MAKES]->(c:Claim) RETURN p.title ORDER BY p.title")
        around = graph.neighbourhood("On NetC")
        whole = graph.to_networkx()

        assert answer.rows == (("On NetA",), ("On NetB",))
        assert sorted(around.successors("doi:10.1/c")) == sorted(
            tail for head, tail in whole.edges() if head == "doi:10.1/c"
        )
        assert whole.number_of_nodes() == sum(
            count for name, count in graph.counts().items() if "." not in name
        )
        assert graph.to_arrow("Paper")["title"].to_pylist() == ["On NetA", "On NetB", "On NetC"]
        assert nx.read_graphml(
            graph.export("graphml", tmp_path / "g.graphml")
        ).number_of_nodes() == (whole.number_of_nodes())
        assert "On NetA" in graph.view("SetB", path=tmp_path / "p.html").read_text()
        assert repr(graph).startswith(
            f"<Graph {graph.path} build {graph.snapshot.build}: 3 Paper, "
        )


def test_an_open_graph_stays_what_it_was(folder: Path) -> None:
    """A notebook that looks at a graph must not see it change under its hands."""
    path = _build(folder, "papers.jsonl")
    with api.open(path) as graph:
        _build(folder, "more.jsonl")

        assert graph.counts()["Paper"] == graph.to_arrow("Paper").num_rows == 3
    with api.open(path, build="1") as earlier, api.open(path) as later:
        assert (earlier.counts()["Paper"], later.counts()["Paper"]) == (3, 4)


def test_looking_into_an_earlier_build_leaves_the_database_of_the_current_one(
    folder: Path,
) -> None:
    """Filling a database takes minutes on a large graph; everybody else uses the current one."""
    path = _build(folder, "papers.jsonl")
    _build(folder, "more.jsonl")
    before = {file: file.stat().st_mtime_ns for file in (path / "db").iterdir()}
    with api.open(path, build="1") as earlier:
        assert earlier.query("MATCH (p:Paper) RETURN count(*) AS papers").rows == ((3,),)
    assert {file: file.stat().st_mtime_ns for file in (path / "db").iterdir()} == before

    for _ in range(4):
        api.remove(path, [next(iter(api.open(path).to_arrow("Paper")["id"].to_pylist()))])
    assert list((path / "history").glob("db-*")) == []


def test_differences_history_and_undo(folder: Path) -> None:
    """What the commands print, as values."""
    path = _build(folder, "papers.jsonl")
    first = api.history(path)[-1]
    _build(folder, "more.jsonl")
    changes = api.diff(path, path, old_build=first.build)
    papers = next(change for change in changes.tables if change.table.name == "Paper")

    assert papers.came["id"].to_pylist() == ["doi:10.1/f"]
    assert api.undo(path).build == first.build
    assert [past.number for past in api.history(path)] == [1]


def test_removing_says_what_went(folder: Path) -> None:
    """By any of its names."""
    report = api.remove(_build(folder, "papers.jsonl"), ["https://doi.org/10.1/A"])

    assert report.papers == (("doi:10.1/a", "On NetA"),)
    assert (report.records, report.manifest.rows("Paper")) == (1, 2)


def test_what_is_not_there_is_an_error_to_catch(folder: Path) -> None:
    """Programs catch KgError by kind."""
    path = _build(folder, "papers.jsonl")
    with pytest.raises(NotFoundError), api.open(path) as graph:
        graph.find("nothing of the kind")
    with pytest.raises(GraphFolderError):
        api.open(folder / "no.kg")


def test_a_pipeline_is_asked_for_nothing_when_nothing_is_new(folder: Path) -> None:
    """A rerun must not wait for a model to load."""
    reading = Capitals()
    for _ in range(2):
        report = api.build([folder / "papers.jsonl"], folder / "my.kg", model=reading)

    assert (report.changed, len(reading.read)) == (False, 3)


def test_a_canned_query_is_asked_by_its_name(folder: Path) -> None:
    """As `kg query` does: names as people write them, and a wrong name is told."""
    with api.open(_build(folder, "papers.jsonl")) as graph:
        answer = graph.ask("papers-naming", name="neta", limit=5)
        with pytest.raises(NotFoundError, match="no query named 'papers-nameing'"):
            graph.ask("papers-nameing", name="NetA")

    assert [row["title"] for row in answer.dicts()] == ["On NetA", "On NetB"]
    assert "papers-naming" in api.canned_queries()
