"""`kg query` and `kg neo4j` as people run them."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from kg.cli.main import main
from tests.neo4j.server import Server


def run(*arguments: str, env: dict[str, str] | None = None) -> Result:
    """Run a command; nothing but exit codes may come out as an exception."""
    result = CliRunner().invoke(main, arguments, env=env)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


@pytest.fixture(scope="module")
def graph(folder: Path) -> str:
    """The small library as a graph's folder."""
    return str(folder)


def test_a_query_prints_a_table_json_and_csv(graph: str) -> None:
    """For eyes, for programs, for spreadsheets."""
    cypher = "MATCH (m:Method) RETURN m.name, m.papers, m.named ORDER BY m.name LIMIT 2"

    table = run("query", graph, cypher)
    assert [line.split() for line in table.stdout.splitlines() if "2" in line] == [
        ["Birch", "2", "true"], ["Elm", "2", "true"], ["2", "rows"],
    ]  # fmt: skip
    rows = [
        {"m.name": "Birch", "m.papers": 2, "m.named": True},
        {"m.name": "Elm", "m.papers": 2, "m.named": True},
    ]
    assert json.loads(run("query", graph, cypher, "--json").stdout) == rows
    assert run("query", graph, cypher, "--csv").stdout == (
        "m.name,m.papers,m.named\nBirch,2,true\nElm,2,true\n"
    )


def test_a_canned_query_takes_names_as_people_write_them(graph: str) -> None:
    """`oaks` is a surface form of Oak."""
    answer = run("query", graph, "papers-proposing", "method=oaks", "--json")
    assert [row["title"] for row in json.loads(answer.stdout)] == ["Oak: Growing Trees of Thought"]


def test_the_list_names_every_query_with_its_parameters(graph: str) -> None:
    """It is where everybody begins."""
    facts = {q["name"]: q for q in json.loads(run("query", graph, "--list", "--json").stdout)}
    assert facts["lineage"]["parameters"][0]["type"] == "Method"
    assert "lineage method= [limit=]" in run("query", graph, "--list").stdout


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["MATCH (p:Papers) RETURN p"], 1, "nearest: Paper"),
        (["MATCH (p:Paper RETURN p"], 1, "Invalid input"),
        (["MATCH (p:Paper) WHERE p.year = $y RETURN p"], 1, "$y"),
        (["MATCH (p:Paper) DELETE p"], 1, "--write"),
        (["lineage"], 1, "needs method"),
        (["lineage", "method=Brich"], 1, "'Birch'"),
        (["linage"], 1, "lineage"),
        (["RETURN 'open"], 1, "never ends"),
        ([], 2, "--list"),
        (["RETURN 1", "year"], 2, "NAME=VALUE"),
        (["RETURN 1", "--json", "--csv"], 2, "exclude"),
    ],
)
def test_a_wrong_call_is_two_lines_and_no_traceback(
    graph: str, arguments: list[str], code: int, says: str
) -> None:
    """The first says what is wrong, the second what to do."""
    result = run("query", graph, *arguments)
    assert (result.exit_code, says in result.stderr) == (code, True), result.stderr
    assert "Traceback" not in result.output
    assert result.stdout == ""


def test_an_answer_of_nothing_comes_with_a_hint_when_a_name_is_not_in_the_schema(
    graph: str,
) -> None:
    """Elsewhere a typo in a property is just an empty answer."""
    result = run("query", graph, "MATCH (p:Paper) WHERE p.year = 1066 RETURN p.title")
    assert (result.exit_code, result.stderr) == (0, "")


def test_write_changes_the_embedded_database_only_when_asked(graph: str) -> None:
    """And the tables never."""
    cypher = "MATCH (p:Paper {id: 'doi:10.1/old'}) SET p.title = 'Mine' RETURN p.title AS t"
    assert run("query", graph, cypher).exit_code == 1
    answer = run("query", graph, cypher, "--write", "--json")
    assert json.loads(answer.stdout) == [{"t": "Mine"}]


@pytest.mark.neo4j
def test_load_check_and_query_a_neo4j(graph: str, neo4j_server: Server, tmp_path: Path) -> None:
    """The way of the README, with the password in a file."""
    where = ["--uri", neo4j_server.uri]
    if neo4j_server.password:
        (tmp_path / "password").write_text(neo4j_server.password + "\n", encoding="utf-8")
        where += ["--password-file", str(tmp_path / "password")]
    assert run("neo4j", "check", graph, *where).exit_code == 1
    loaded = run("neo4j", "load", graph, *where, "--json")
    assert (loaded.exit_code, json.loads(loaded.stdout)["equal"]) == (0, True)
    assert run("neo4j", "check", graph, *where, "--deep").exit_code == 0
    assert "nothing to do" in run("neo4j", "sync", graph, *where).stdout

    asked = ["papers-naming", "name=birch-xl", "--json"]
    assert run("query", graph, *asked, *where).stdout == run("query", graph, *asked).stdout


@pytest.mark.parametrize("text", [None, "", "\n"])
def test_a_password_file_without_a_password_is_named(
    graph: str, tmp_path: Path, text: str | None
) -> None:
    """An empty password would be refused by the server with no word of the file."""
    path = tmp_path / "password"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    result = run("neo4j", "check", graph, "--password-file", str(path))
    assert result.exit_code == 1
    assert str(path) in result.stderr


def test_the_password_never_shows(graph: str) -> None:
    """Neither when the server is away nor in what --help offers."""
    env = {"KG_NEO4J_PASSWORD": "geheim-geheim"}
    result = run("neo4j", "check", graph, "--uri", "bolt://127.0.0.1:1", env=env)
    assert result.exit_code == 1
    assert "geheim" not in result.output
    assert "--password " not in run("neo4j", "load", "--help").output


def test_a_table_in_a_pipe_is_not_folded(graph: str) -> None:
    """What `grep` reads must stand on one line."""
    title = "a" * 300
    assert title in run("query", graph, f"RETURN '{title}' AS title").stdout
