"""Bulk import by the real importer, and the Cypher script, with texts that break naive writers."""

import shlex
from pathlib import Path
from typing import Any, cast

import pytest

from kg.stores.bulk import write_cypher, write_neo4j_admin
from kg.stores.neo4j import Neo4jStore
from kg.stores.neo4j_check import differing_content
from kg.stores.neo4j_connection import Address
from tests.neo4j.server import VERSIONS, MissingError, Server
from tests.stores.library import library
from tests.stores.made import MadeSnapshot, entity

HOSTILE = (
    "it's", 'a "quote", here', "back\\slash\\", "new\nline", "cr\r\nlf", "tab\t", "nul\0end",
    "emoji 🌳", "comma,", " spaces ", "\u2028sep", "\x1funit", '"', '""', "\\u0041 \\n", "$x {y}",
    "'; MATCH (n) DETACH DELETE n; //", "x;\ny",
)  # fmt: skip


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> MadeSnapshot:
    """The library with methods whose names, ids and lists hold such texts."""
    rows = {name: list(table) for name, table in library().items()}
    rows["Method"] += [
        entity(f"method:{i}:{text}", text, surfaces=[text, "x"], reasons=[text, text])
        for i, text in enumerate(HOSTILE)
    ]
    return MadeSnapshot(tmp_path_factory.mktemp("hostile"), rows)


def test_the_same_graph_gives_the_same_files(tmp_path: Path, hostile: MadeSnapshot) -> None:
    """Else nobody could tell by their hashes whether anything changed."""
    for name in ("a", "b"):
        write_neo4j_admin(hostile, tmp_path / name)
    contents = [
        {path.name: path.read_bytes() for path in (tmp_path / name).iterdir()} for name in "ab"
    ]
    assert contents[0] == contents[1]


@pytest.mark.neo4j
@pytest.mark.parametrize("version", VERSIONS)
def test_the_importer_takes_every_row(tmp_path: Path, hostile: MadeSnapshot, version: str) -> None:
    """The database starts on it and holds every id and property; a sync can go on from there."""
    write_neo4j_admin(hostile, tmp_path / "csv")
    script = (tmp_path / "csv" / "import.sh").read_text(encoding="utf-8")
    command = script[script.index('"$admin" database') :].replace("\\\n", " ")
    arguments = [
        argument.replace("=", f"={tmp_path / 'csv'}/", 2).replace(
            f"={tmp_path / 'csv'}/", "=", 1
        ).replace(",", f",{tmp_path / 'csv'}/")
        if argument.startswith(("--nodes", "--relationships"))
        else argument
        for argument in shlex.split(command)[1:]
    ]  # fmt: skip
    server = Server(version, tmp_path / "home")
    try:
        done = server.admin(*arguments)
        assert done.returncode == 0, done.stdout + done.stderr
        server.start()
    except MissingError as missing:
        pytest.skip(str(missing))
    try:
        with Neo4jStore(Address(server.uri)) as store:
            assert store.build() == hostile.build
            assert store.counts() == hostile.counts()
            assert differing_content(store, hostile) == ()
    finally:
        server.stop(kill=True)


@pytest.mark.neo4j
def test_the_script_runs_twice_and_doubles_nothing(
    tmp_path: Path, hostile: MadeSnapshot, neo4j_store: Neo4jStore
) -> None:
    """Statement by statement, as cypher-shell does it."""
    path = tmp_path / "graph.cypher"
    write_cypher(hostile, path)
    statements = [s for s in path.read_text(encoding="utf-8").split(";\n") if s.strip()]
    for _ in range(2):
        with neo4j_store.session() as session:
            for statement in statements:
                session.run(cast("Any", statement)).consume()

    assert neo4j_store.build() == hostile.build
    assert neo4j_store.counts() == hostile.counts()
    assert differing_content(neo4j_store, hostile) == ()
