"""Kill `kg` at random moments and look at what it left.

python tests/graph/kills.py 200 kills 200 runs of build, add, remove and of a query that loads the
database, and reports; the test beside this file does a few. Every build ends by bringing the
database to it, so that kills fall into that, too.
"""

import contextlib
import json
import multiprocessing
import os
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from kg.graph.folder import open_snapshot
from kg.graph.manifest import DATABASE

# Processes are forked from one that has loaded everything and done nothing: a kill costs the run
# that it ends, not the start of an interpreter.
_PROCESSES = multiprocessing.get_context("forkserver")
_PROCESSES.set_forkserver_preload(
    ["kg.api.building", "kg.cli.build", "kg.cli.query", "kg.sources.registry", "kg.stores.embedded"]
)
_PAPERS = 40


@dataclass(frozen=True)
class Work:
    """A folder with inputs, and the graphs that undisturbed runs make of them."""

    folder: Path
    steps: tuple[tuple[str, ...], ...]  # arguments of `kg` after the graph's name is put in
    expected: tuple[str, ...]  # build id after each step
    durations_s: tuple[float, ...]


def prepare(folder: Path) -> Work:
    """Write the inputs, and do every step undisturbed."""
    for name, numbers in (("a", range(_PAPERS)), ("b", range(_PAPERS // 2, _PAPERS * 2))):
        lines = (
            {"title": f"T{n}", "doi": f"10.1/{n}",
             "abstract": f"NetA{n % 7} extends NetB{n % 5}. NetA{n % 7} gains {n}% on SetC{n % 3}."}
            for n in numbers
        )  # fmt: skip
        (folder / f"{name}.jsonl").write_text("\n".join(map(json.dumps, lines)))
    steps = (
        ("build", "a.jsonl", "-o", "GRAPH"),
        ("build", "a.jsonl", "b.jsonl", "-o", "GRAPH"),
        ("remove", "GRAPH", "10.1/3", "10.1/50"),
        # The database is a cache that somebody removed: this run loads all of it.
        ("query", "GRAPH", "MATCH (p:Paper) RETURN count(p)"),
    )
    expected, durations = [], []
    for number, step in enumerate(steps):
        if step[0] == "query":
            shutil.rmtree(folder / "whole.kg" / DATABASE)
        start = time.monotonic()
        assert _finish(_start(folder, step, "whole.kg")) == 0
        durations.append(time.monotonic() - start)
        expected.append(open_snapshot(folder / "whole.kg").build)
        shutil.copytree(folder / "whole.kg", folder / f"after-{number}.kg")
    return Work(folder, steps, tuple(expected), tuple(durations))


def kill_once(work: Work, moment: float) -> str:
    """Kill one of the steps, check what is left, finish it undisturbed; return which it was.

    Args:
        work: what prepare() returned.
        moment: in [0, 1), over all steps by how long they take.
    """
    graph = work.folder / "killed.kg"
    shutil.rmtree(graph, ignore_errors=True)
    step, delay_s = _moment(work, moment)
    if step:
        shutil.copytree(work.folder / f"after-{step - 1}.kg", graph)
    if work.steps[step][0] == "query":
        shutil.rmtree(graph / DATABASE)
    process = _start(work.folder, work.steps[step], graph.name)
    process.join(delay_s)
    killed = process.is_alive()
    process.kill()
    process.join()
    before = work.expected[step - 1] if step else None
    found = _check_whole(graph)
    assert found in (before, work.expected[step]), f"an unknown build {found}"
    status = _finish(_start(work.folder, work.steps[step], graph.name))
    # Papers that are removed already are not there to be removed.
    done = found == work.expected[step] and work.steps[step][0] == "remove"
    assert status == (1 if done else 0), f"exit status {status}"
    assert _check_whole(graph) == work.expected[step], "another graph than undisturbed"
    assert not list(graph.rglob(".unfinished-*")), "something was left lying about"
    _check_store(graph)
    return f"{work.steps[step][0]} {step}: " + ("killed" if killed else "was done already")


def _check_whole(graph: Path) -> str | None:
    """Open the graph, if there is one, and read every row; return its build."""
    if not (graph / "manifest.json").exists():
        return None
    snapshot = open_snapshot(graph)
    for name, count in snapshot.counts().items():
        assert snapshot.table(name).num_rows == count, name
    return snapshot.build


def _check_store(graph: Path) -> None:
    from kg import api

    with api.open(graph) as opened:
        rows = opened.query("MATCH (p:Paper) RETURN count(p) AS papers").rows
        assert rows == ((opened.counts()["Paper"],),)


def _start(
    folder: Path, step: Sequence[str], graph: str
) -> multiprocessing.context.ForkServerProcess:
    arguments = [graph if part == "GRAPH" else part for part in step]
    process = _PROCESSES.Process(target=_child, args=(folder, arguments))
    process.start()
    return process


def _finish(process: multiprocessing.context.ForkServerProcess) -> int | None:
    process.join()
    return process.exitcode


def _child(folder: Path, arguments: list[str]) -> None:
    from kg.cli.main import main as kg
    from kg.graph import kept_changes
    from tests.graph.capitals import Capitals, use

    os.chdir(folder)
    # Small as the tables are, what differs from the build before is kept beside them.
    kept_changes.LEAST_ROWS, kept_changes.MOST_SHARE = 1, 4.0
    # A little slow over each text, so that kills fall into reading, too.
    use(Capitals(pause_s=0.002))
    with Path(os.devnull).open("w") as nowhere, contextlib.redirect_stdout(nowhere):
        kg(arguments)


def _moment(work: Work, moment: float) -> tuple[int, float]:
    at = moment * sum(work.durations_s)
    for step, duration_s in enumerate(work.durations_s):
        if at < duration_s:
            return step, at
        at -= duration_s
    return len(work.steps) - 1, work.durations_s[-1]


def main(kills: int, seed: int) -> None:
    """Kill so many times, runs that were done already not counted, and say what happened."""
    generator = random.Random(seed)  # noqa: S311
    outcomes: Counter[str] = Counter()
    killed = 0
    with tempfile.TemporaryDirectory() as name:
        work = prepare(Path(name))
        while killed < kills:
            outcome = kill_once(work, generator.random())
            outcomes[outcome] += 1
            killed += outcome.endswith(": killed")
            print(f"\r{killed} of {kills}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    for outcome, count in sorted(outcomes.items()):
        print(f"{count:5} {outcome}")
    print(f"{killed} kills: every graph opened whole and ended as an undisturbed one")


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))
    main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0)
