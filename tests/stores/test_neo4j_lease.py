"""Two processes and one graph in a Neo4j: neither doubles nor loses what the other writes."""

import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import neo4j
import pytest

from kg.errors import StoreBusyError
from kg.graph.snapshot import MemorySnapshot
from kg.stores.neo4j import Neo4jStore
from kg.stores.neo4j_check import differing_content
from kg.stores.neo4j_connection import Address
from tests.neo4j.server import Server
from tests.stores.neo4j_writer import crowded

pytestmark = pytest.mark.neo4j
ROOT = Path(__file__).parents[2]

Process = subprocess.Popen[str]
Write = Callable[..., Process]


@pytest.fixture(scope="module")
def whole() -> MemorySnapshot:
    """What the processes write."""
    return crowded()


@pytest.fixture
def write(one_neo4j: Server) -> Iterator[Write]:
    """Start a process that writes; it says on stdout what it does."""
    started: list[Process] = []

    def start(*arguments: object) -> Process:
        command = [sys.executable, "-m", "tests.stores.neo4j_writer", one_neo4j.uri]
        process = subprocess.Popen(
            [*command, *map(str, arguments)], cwd=ROOT, stdout=subprocess.PIPE, text=True
        )
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate()


def said(process: Process) -> str:
    """Return the next line that a process says after it has begun."""
    assert process.stdout is not None
    line = process.stdout.readline().strip()
    return said(process) if line == "begun" else line


def ended(process: Process) -> tuple[int, str]:
    """Wait for the end; return the exit status and what was said until then."""
    rest, _ = process.communicate(timeout=900)
    return process.returncode, rest.removeprefix("begun\n")


def left_over(server: Server) -> list[Any]:
    """Ask for what a lease leaves behind: nothing."""
    with neo4j.GraphDatabase.driver(server.uri) as driver:
        return driver.execute_query(
            "RETURN COUNT { (:KgWriter|KgStep) } AS n, "
            "COLLECT { MATCH (b:KgBuild) WHERE b.writer IS NOT NULL RETURN b.graph } AS written"
        ).records[0].values()  # fmt: skip


def equal(server: Server, snapshot: MemorySnapshot) -> None:
    """The database holds the graph, every row once."""
    with Neo4jStore(Address(server.uri)) as store:
        assert store.differences(snapshot) == {}
        assert differing_content(store, snapshot) == ()
        assert store.build() == snapshot.build
    assert left_over(server) == [0, []]


@pytest.mark.long
def test_the_second_process_waits_and_says_for_whom(
    one_neo4j: Server, write: Write, whole: MemorySnapshot, tmp_path: Path
) -> None:
    """And does not double the edges of the first, though it deals them out otherwise."""
    go = tmp_path / "go"
    first = write(1, "--hold", go)
    assert said(first) == "holding"
    second = write(3)
    assert said(second).startswith(f"Waiting for process {first.pid} on ")
    status, message = ended(write(1, "--no-wait"))
    assert status == 2
    assert message.startswith(f"process {first.pid} on ")
    assert "writes graph 'kg' in this database\nTry again later" in message
    go.touch()

    assert ended(first)[0] == 0
    assert ended(second) == (0, "")
    equal(one_neo4j, whole)


@pytest.mark.long
def test_processes_that_start_together_write_everything_once(
    one_neo4j: Server, write: Write, whole: MemorySnapshot
) -> None:
    """Nothing was there before, not even a constraint."""
    with neo4j.GraphDatabase.driver(one_neo4j.uri) as driver:
        for name in driver.execute_query("SHOW CONSTRAINTS YIELD name").records:
            driver.execute_query(f"DROP CONSTRAINT {name['name']} IF EXISTS")
    processes = [write(workers) for workers in (1, 2, 2)]

    assert [ended(process)[0] for process in processes] == [0, 0, 0]
    equal(one_neo4j, whole)


@pytest.mark.parametrize("workers", [(1, 3), (3, 1)])
def test_the_lease_of_a_killed_process_is_free_at_once(
    one_neo4j: Server, write: Write, whole: MemorySnapshot, tmp_path: Path, workers: Any
) -> None:
    """And the next goes on in the middle, with another number of workers too."""
    first = write(workers[0], "--hold", tmp_path / "never", "--lease", 3600)
    assert said(first) == "holding"
    first.kill()
    first.wait()
    second = write(workers[1], "--lease", 3600)

    assert ended(second) == (0, "")
    equal(one_neo4j, whole)


def test_a_process_that_was_stopped_cannot_write_into_what_others_made(
    one_neo4j: Server, write: Write, tmp_path: Path
) -> None:
    """A laptop that sleeps, wakes up and goes on."""
    go = tmp_path / "go"
    first = write(2, "--hold", go, "--lease", 2)
    assert said(first) == "holding"
    first.send_signal(signal.SIGSTOP)
    time.sleep(0.1)
    second = write(1, "--other", "--lease", 2)
    status, waited = ended(second)
    assert status == 0
    assert not waited or waited.startswith(f"Waiting for process {first.pid}")
    go.touch()
    first.send_signal(signal.SIGCONT)

    status, message = ended(first)
    assert status == 2
    assert "another process has taken over the writing of graph 'kg'" in message
    equal(one_neo4j, crowded(other=True))


def test_a_writer_on_another_machine_is_given_its_time(
    one_neo4j: Server, whole: MemorySnapshot
) -> None:
    """Its process number says nothing here; only its silence does."""
    holder = '{"pid": 1, "host": "elsewhere", "started": "", "since": "today", "place": "there"}'
    with neo4j.GraphDatabase.driver(one_neo4j.uri) as driver:
        driver.execute_query(
            "MERGE (b:KgBuild {graph: 'kg'}) "
            "SET b.writer = 'other', b.holder = $holder, b.seen = timestamp()",
            {"holder": holder},
        )
    address = Address(one_neo4j.uri)
    with (
        Neo4jStore(address, wait=False) as store,
        pytest.raises(StoreBusyError, match="process 1 on elsewhere, writing since today"),
    ):
        store.load(whole)
    waited: list[str] = []
    with Neo4jStore(address, lease_s=1, say=waited.append) as store:
        store.load(whole)
    assert waited in ([], ["Waiting for process 1 on elsewhere, writing since today."])
    equal(one_neo4j, whole)


def test_another_graph_of_the_database_can_be_written_meanwhile(
    one_neo4j: Server, write: Write, whole: MemorySnapshot, tmp_path: Path
) -> None:
    """A lease is one graph's."""
    go = tmp_path / "go"
    first = write(1, "--hold", go)
    assert said(first) == "holding"
    with Neo4jStore(Address(one_neo4j.uri), graph="b", wait=False) as store:
        store.load(whole)
        assert differing_content(store, whole) == ()
    go.touch()
    assert ended(first)[0] == 0
    equal(one_neo4j, whole)
