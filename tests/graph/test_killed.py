"""A run that is killed costs time, never the graph."""

import json
import subprocess
import sys
import time
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from kg.graph.folder import open_snapshot
from tests.graph.kills import Work, kill_once, prepare

_KG = [sys.executable, str(Path(__file__).with_name("capitals.py"))]


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Work:
    """Inputs, and what undisturbed runs make of them."""
    return prepare(tmp_path_factory.mktemp("kills"))


@pytest.mark.parametrize("twentieth", range(20))
def test_a_graph_that_was_killed_over_opens_whole_and_ends_as_an_undisturbed_one(
    work: Work, twentieth: int
) -> None:
    """Batteries run out, and out-of-memory killers do not ask."""
    kill_once(work, twentieth / 20)


def test_a_killed_build_goes_on_with_what_was_read(tmp_path: Path) -> None:
    """Reading is the expensive step: an hour of it must not be lost to a kill."""
    lines = (json.dumps({"title": f"T{n}", "abstract": f"NetA number {n}."}) for n in range(1500))
    (tmp_path / "a.jsonl").write_text("\n".join(lines))
    process = subprocess.Popen(
        [*_KG, "0.004", "build", "a.jsonl", "-o", "my.kg"], cwd=tmp_path, stdout=subprocess.DEVNULL
    )
    parts = tmp_path / "my.kg" / "extractions"
    while process.poll() is None and not list(parts.glob("part-*")):
        time.sleep(0.05)
    process.kill()
    process.wait()
    kept = sum(pq.read_metadata(part).num_rows for part in parts.glob("part-*"))
    assert kept >= 500

    done = subprocess.run(
        [*_KG, "build", "a.jsonl", "-o", "my.kg", "--json"],
        cwd=tmp_path, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert json.loads(done.stdout)["texts"] == {"read": 1500 - kept, "kept": kept}
    assert "An earlier run was killed (process" in done.stderr


def test_readers_see_whole_builds_while_another_process_writes(tmp_path: Path) -> None:
    """A query in one terminal must not fail because of a build in another."""
    files = []
    for number in range(4):
        files.append(f"{number}.jsonl")
        lines = (
            json.dumps({"title": f"T{number}-{n}", "abstract": f"NetA{n} beats NetB{number}."})
            for n in range(30)
        )
        (tmp_path / files[-1]).write_text("\n".join(lines))
    subprocess.run(
        [*_KG, "build", files[0], "-o", "my.kg"], cwd=tmp_path, check=True, capture_output=True
    )
    writer = subprocess.Popen(
        ["bash", "-c", f'set -e; for f in {" ".join(files)}; do "$@" build $f -o my.kg; done',
         "-", *_KG], cwd=tmp_path, stdout=subprocess.DEVNULL,
    )  # fmt: skip
    builds = set()
    while writer.poll() is None:
        snapshot = open_snapshot(tmp_path / "my.kg")
        counts = snapshot.counts()
        assert {name: snapshot.table(name).num_rows for name in counts} == dict(counts)
        builds.add(counts["Paper"])

    assert writer.returncode == 0
    assert builds <= {30, 60, 90, 120}
    assert len(builds) > 1
