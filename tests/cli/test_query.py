"""`kg query`: what it prints and what it says of a wrong call."""

import csv
import io
import json
import math
import os
import subprocess
import sys

import pytest
from click.testing import CliRunner, Result

from kg.cli.main import main
from kg.graph.folder import writing
from kg.graph.manifest import Manifest
from tests.stores.library import library
from tests.stores.made import MadeSnapshot


def run(*arguments: str) -> Result:
    """Run a command; nothing but exit codes may come out as an exception."""
    result = CliRunner().invoke(main, ["query", *arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The small library as a graph's folder."""
    snapshot = MadeSnapshot(tmp_path_factory.mktemp("tables"), library())
    path = tmp_path_factory.mktemp("query") / "my.kg"
    with writing(path, create=True) as writer:
        tables = writer.store_tables({n: snapshot.table(n) for n in snapshot.counts()})
        writer.commit(Manifest(0, "", "", "build", tables))
    return str(path)


def strict(text: str) -> object:
    """Read JSON as everything but Python does: without NaN and Infinity."""

    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is no JSON")

    return json.loads(text, parse_constant=refuse)


def test_json_is_json_whatever_the_numbers_are(graph: str) -> None:
    """Every reader but Python stops at NaN."""
    query = "RETURN 0.0 / 0.0 AS a, 1.0 / 0.0 AS b, [1.5, -1.0 / 0.0] AS c, {d: sqrt(-1)} AS d"
    assert strict(run(graph, query, "--json").stdout) == [
        {"a": None, "b": None, "c": [1.5, None], "d": {"d": None}}
    ]


def test_csv_keeps_what_is_no_number(graph: str) -> None:
    """Spreadsheets and pandas know nan and inf; in a list, which is JSON, they are null."""
    query = "RETURN 0.0 / 0.0 AS a, -1.0 / 0.0 AS b, [1.0 / 0.0] AS c"
    _, row = csv.reader(io.StringIO(run(graph, query, "--csv").stdout))
    assert (math.isnan(float(row[0])), float(row[1]), strict(row[2])) == (True, -math.inf, [None])


@pytest.mark.parametrize("text", ["NaN", "Infinity", "-Infinity"])
def test_a_parameter_that_python_alone_takes_for_a_number_is_text(graph: str, text: str) -> None:
    """There may be a method of that name."""
    answer = run(graph, "RETURN $name AS name", "-p", f"name={text}", "--json")
    assert strict(answer.stdout) == [{"name": text}]


def test_the_list_and_the_text_of_a_query_need_no_graph(graph: str) -> None:
    """They say the same of every graph."""
    assert run("--list").stdout == run(graph, "--list").stdout
    assert "most-cited [limit=]" in run("--list").stdout
    assert run("--cypher", "most-cited").stdout == run(graph, "most-cited", "--cypher").stdout
    assert "ORDER BY citations DESC" in run("--cypher", "most-cited").stdout


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["GRAPH", "most-cited", "limit=-1"], 1, "not negative"),
        (["GRAPH", "most-cited", "limit=-1"], 1, "such as limit=30"),
        (["GRAPH", "most-cited", "limit=1e3"], 1, "a whole number"),
        (["GRAPH", "most-cited", "limit=99999999999999999999"], 1, "such as limit=30"),
        (["GRAPH", "weakest-evidence", "below=nan"], 1, "such as below=0.6"),
        (["GRAPH", "RETURN $n AS n", "n=99999999999999999999"], 1, "64 bits"),
        (["GRAPH", "mostcited"], 1, "Nearest: most-cited"),
        (["GRAPH", "xyzzy"], 1, "venues, weakest-evidence."),
        (["--cypher", "mostcited"], 1, "Nearest: most-cited"),
        (["no/such.kg", "mostcited"], 1, "Nearest: most-cited"),
        (["GRAPH", "lineage", "method=Brich"], 1, "'Birch'"),
        (["GRAPH", "RETURN 1/0"], 1, "WHERE x <> 0"),
        ([], 2, "--list"),
        (["--cypher"], 2, "--list"),
        (["GRAPH"], 2, "GRAPH and a query"),
    ],
)
def test_a_wrong_call_says_what_to_do(
    graph: str, arguments: list[str], code: int, says: str
) -> None:
    """In two lines, of which the second helps."""
    result = run(*(graph if each == "GRAPH" else each for each in arguments))
    assert (result.exit_code, result.stdout) == (code, "")
    assert says in result.stderr


def test_a_reader_that_goes_away_is_no_fault(graph: str) -> None:
    """`kg query ... | head -1` has what it asked for."""
    away, out = os.pipe()
    os.close(away)
    asked = "MATCH (n)-[e]->(m) RETURN n.id, m.id"
    done = subprocess.run(
        [sys.executable, "-c", "from kg.cli.main import main; main()", "query", graph, asked],
        stdout=out,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(out)
    assert (done.returncode, done.stderr) == (0, b"")
