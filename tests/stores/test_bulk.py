"""Bulk import by the real importer, and the Cypher script, with texts that break naive writers."""

import gzip
import json
import subprocess
from pathlib import Path

import pytest

from kg import api
from kg.graph.changes import Snapshot
from kg.graph.folder import open_snapshot
from kg.stores.bulk import _DELIMITERS, write_cypher, write_neo4j_admin
from kg.stores.neo4j import Neo4jStore
from kg.stores.neo4j_check import differing_content
from kg.stores.neo4j_connection import Address
from tests.conftest import required
from tests.neo4j.server import VERSIONS, Server
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


@pytest.fixture(scope="module")
def read(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    """A graph built from papers that hold such texts, half characters too, everywhere."""
    folder = tmp_path_factory.mktemp("read")
    papers = [
        {
            "id": f"p{number}",
            "title": f"Oak {number} {text} Net: Growing Trees",
            "abstract": f"We propose Oak{number}Net {text} for parsing. It reaches 91.5% on ImageNet.",
            "authors": [f"Ada {text} Hazel", f"Bo {number} \ud83d Birch"],
            "venue": f"Journal {text} \udc00",
            "year": 2024,
        }
        for number, text in enumerate((*HOSTILE, "half \ud83d", "\udf33 other half"))
    ]
    source = folder / "papers.jsonl"
    source.write_text("".join(json.dumps(paper) + "\n" for paper in papers), encoding="utf-8")
    api.build([source], folder / "my.kg")
    snapshot = open_snapshot(folder / "my.kg")
    assert snapshot.counts()["Paper"] == len(papers)
    return snapshot


def imported(server: Server, folder: Path) -> str:
    """Run the script as it was written, from another folder, and start the database on it."""
    server.home.mkdir(parents=True)
    done = subprocess.run(
        [folder / "import.sh", required(server.admin)],
        cwd=server.home, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    report = folder / "import.report"
    assert not report.exists() or not report.read_text(encoding="utf-8")
    server.start()
    return done.stdout


@pytest.mark.neo4j
@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("which", ["hostile", pytest.param("read", marks=pytest.mark.long)])
def test_the_importer_takes_every_row(
    tmp_path: Path, request: pytest.FixtureRequest, version: str, which: str
) -> None:
    """The database starts on it and holds every id and property; a load finds nothing to do."""
    snapshot: Snapshot = request.getfixturevalue(which)
    write_neo4j_admin(snapshot, tmp_path / "csv")
    server = Server(version, tmp_path / "home")
    try:
        imported(server, tmp_path / "csv")
        with Neo4jStore(Address(server.uri)) as store:
            assert store.build() == snapshot.build
            assert store.counts() == dict(snapshot.counts())
            assert differing_content(store, snapshot) == ()
            store.load(snapshot)
            assert store.rows("MATCH (n) RETURN count(n) AS n").dicts() == [
                {"n": sum(n for name, n in snapshot.counts().items() if "." not in name) + 1}
            ]
    finally:
        server.stop(kill=True)


def test_lists_are_parted_by_a_character_that_no_text_holds(tmp_path: Path) -> None:
    """Whatever is in the texts, down to the first of private use."""
    taken = "".join(_DELIMITERS) + "\ue000"
    rows = {"Method": [entity("method:x", "x", surfaces=["a", taken])]}
    write_neo4j_admin(MadeSnapshot(tmp_path / "made", rows), tmp_path / "csv")
    script = (tmp_path / "csv" / "import.sh").read_text(encoding="utf-8")
    assert "--array-delimiter=U+E001" in script
    text = gzip.decompress((tmp_path / "csv" / "Method.csv.gz").read_bytes()).decode()
    assert f'"a\ue001{taken}"' in text


@pytest.mark.neo4j
def test_the_shell_runs_the_script_twice_and_doubles_nothing(
    tmp_path: Path, hostile: MadeSnapshot, neo4j_server: Server
) -> None:
    """Neo4j's own cypher-shell, which stops at the first error."""
    path = tmp_path / "graph.cypher"
    write_cypher(hostile, path)
    shell = required(neo4j_server.shell)
    for _ in range(2):
        done = subprocess.run(
            [shell, "--format", "plain", "-f", path], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr

    with Neo4jStore(Address(neo4j_server.uri)) as store:
        assert store.build() == hostile.build
        assert store.counts() == hostile.counts()
        assert differing_content(store, hostile) == ()
