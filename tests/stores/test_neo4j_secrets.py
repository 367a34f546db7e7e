"""The password of a Neo4j: nowhere but in the connection."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import Start
from tests.neo4j.server import Server

pytestmark = pytest.mark.neo4j
PASSWORD = "correct-horse-battery"  # noqa: S105
WRONG = "open-sesame-open"
_MAIN = "from kg.cli.main import main; main()"
# As an application would that logs everything.
_LOGGED = f"import logging; logging.basicConfig(level=logging.DEBUG); {_MAIN}"


@pytest.fixture(scope="module")
def guarded(start_neo4j: Start) -> Iterator[Server]:
    """A server that asks for a password."""
    server = start_neo4j("5", password=PASSWORD)
    yield server
    server.stop(kill=True)


def run(
    *arguments: object, password: str | None = None, code: str = _MAIN, server: Server
) -> tuple[int, str]:
    """Run kg with a password in its environment; return the exit status and all that it says."""
    environment = {k: v for k, v in os.environ.items() if k != "KG_NEO4J_PASSWORD"}
    if password is not None:
        environment["KG_NEO4J_PASSWORD"] = password
    done = subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments), "--uri", server.uri],
        env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout + done.stderr


def test_no_output_log_or_file_holds_the_password(
    guarded: Server, folder: Path, tmp_path: Path
) -> None:
    """Right or wrong, with the driver logging all it does, in words or JSON."""
    wrong_file = tmp_path / "wrong"
    wrong_file.write_text(WRONG, encoding="utf-8")
    said = []
    for code in (_MAIN, _LOGGED):
        for command in (("neo4j", "load"), ("neo4j", "sync"), ("neo4j", "check", "--json")):
            status, text = run(*command, folder, password=PASSWORD, code=code, server=guarded)
            assert status == 0, text
            said.append(text)
        status, text = run(
            "query", folder, "RETURN 1", password=PASSWORD, code=code, server=guarded
        )
        assert status == 0, text
        said.append(text)
        status, text = run("neo4j", "load", folder, password=WRONG, code=code, server=guarded)
        assert status != 0
        assert "KG_NEO4J_PASSWORD" in text
        said.append(text)
        status, text = run("neo4j", "load", folder, "--password-file", wrong_file,
                           code=code, server=guarded)  # fmt: skip
        assert status != 0
        assert "--password-file" in text
        said.append(text)
    assert "[#" in "".join(said)  # the driver did log
    for secret in (PASSWORD, WRONG):
        assert not any(secret in text for text in said)
        for path in folder.rglob("*"):
            assert not path.is_file() or secret.encode() not in path.read_bytes(), path


def test_the_command_line_takes_no_password(guarded: Server, folder: Path) -> None:
    """Everybody on the machine can read it there."""
    for command in (
        ("neo4j", "load", folder, "--password"),
        ("neo4j", "load", folder, "-p"),
        ("query", folder, "RETURN 1", "--password"),  # whose -p is a parameter of the query
    ):
        status, text = run(*command, PASSWORD, server=guarded)
        assert status == 2
        assert "No such option" in text
