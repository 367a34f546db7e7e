"""`kg` in this process, reading texts without a model."""

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from kg.api import extracting
from kg.cli.main import main
from tests.graph.capitals import Capitals

Run = Callable[..., Result]

# Three papers; the last line is none.
PAPERS = """\
{"title": "On NetA", "abstract": "We propose NetA. NetA gains 3.1% on SetB.", "doi": "10.1/a"}
{"title": "On NetB", "abstract": "NetB extends NetA. It gains 4% on SetB.", "doi": "10.1/b"}
{"title": "On NetC", "abstract": "NetC and NetD are compared on SetE.", "doi": "10.1/c"}
{"nothing": "of use"}
"""
MORE = """\
{"title": "On NetF", "abstract": "NetF extends NetB on SetB.", "doi": "10.1/f"}
{"title": "On NetA", "abstract": "We propose NetA. NetA gains 3.1% on SetB.", "doi": "10.1/a"}
"""


@pytest.fixture
def pipeline(monkeypatch: pytest.MonkeyPatch) -> Capitals:
    """What reads the texts of every command in the test."""
    reading = Capitals()
    monkeypatch.setattr(extracting, "load", lambda model: reading)  # noqa: ARG005
    monkeypatch.setattr(extracting, "best_model", lambda *_: "auto")
    return reading


@pytest.fixture
def kg(
    pipeline: Capitals,  # noqa: ARG001  (reads for it)
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Run:
    """Run `kg` with arguments, in a folder that holds papers.jsonl and more.jsonl."""
    monkeypatch.chdir(tmp_path)
    # Hundreds of small builds would wait for the disk; tests/graph/test_durable.py is about that.
    monkeypatch.setattr("os.fsync", lambda _: None)
    (tmp_path / "papers.jsonl").write_text(PAPERS)
    (tmp_path / "more.jsonl").write_text(MORE)

    def run(*arguments: str, status: int = 0, stdin: str | None = None) -> Result:
        result = CliRunner().invoke(main, arguments, input=stdin)
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        assert result.exit_code == status, result.output
        return result

    return run
