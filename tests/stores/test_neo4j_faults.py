"""Whatever breaks on the way, the database ends equal to the graph."""

import contextlib
import itertools
import logging
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import neo4j
import pytest

from kg.errors import StoreUnavailableError
from kg.graph.snapshot import MemorySnapshot
from kg.stores.neo4j import Neo4jStore
from kg.stores.neo4j_catch_up import catch_up
from kg.stores.neo4j_check import differing_content
from kg.stores.neo4j_connection import Address
from tests.neo4j.proxy import Fault, LostAnswer, MiddleOfTransaction, Proxy
from tests.neo4j.server import Server
from tests.stores.made import MadeSnapshot, difference, edge, entity
from tests.stores.neo4j_writer import crowded

pytestmark = pytest.mark.neo4j
ROOT = Path(__file__).parents[2]
KILLS = int(os.environ.get("KG_KILLS", "3"))
CUTS = 3  # after which a proxy lets everything through


@pytest.fixture(scope="module")
def builds() -> dict[str, MemorySnapshot]:
    """Two builds of a graph of some batches."""
    return {each.build: each for each in (crowded(), crowded(other=True))}


def equal(server: Server, snapshot: MemorySnapshot | MadeSnapshot) -> None:
    """The database holds the graph, by counts and by a hash of ids and properties per table."""
    with Neo4jStore(Address(server.uri)) as store:
        assert store.build() == snapshot.build
        assert store.counts() == dict(snapshot.counts())
        assert differing_content(store, snapshot) == ()


def faults(kind: str) -> Iterator[Fault | None]:
    """The first connections break, each somewhere else."""
    rng = random.Random(kind)  # noqa: S311 - no secret
    for _ in range(CUTS):
        yield (
            LostAnswer(rng.randrange(3))
            if kind == "lost answers"
            else MiddleOfTransaction(rng.randrange(2_000, 150_000))
        )


@pytest.mark.long
@pytest.mark.parametrize("kind", ["lost answers", "broken transactions"])
def test_connections_that_drop_neither_lose_nor_double_a_row(
    one_neo4j: Server, builds: dict[str, MemorySnapshot], kind: str
) -> None:
    """A load, a sync and mending through a line that breaks again and again."""
    cuts = 0
    for target in ("crowded", "other", "crowded"):
        proxy = Proxy(one_neo4j.port, faults(f"{kind}"))
        with Neo4jStore(Address(proxy.uri), workers=2, retry_s=120) as store:
            if target == "crowded":
                store.load(builds[target])
            else:
                catch_up(store, builds[target], builds.__getitem__)
        proxy.close()
        equal(one_neo4j, builds[target])
        cuts += proxy.cuts
    assert cuts >= CUTS


def test_a_change_of_which_no_answer_came_is_not_made_twice(one_neo4j: Server) -> None:
    """Nobody knows whether a user's own query may be run again: that is for the user to say."""
    with Neo4jStore(Address(one_neo4j.uri)) as store:
        proxy = Proxy(one_neo4j.port, iter([LostAnswer(0)]))
        with (
            contextlib.closing(Neo4jStore(Address(proxy.uri))) as broken,
            pytest.raises(StoreUnavailableError, match="whether the change was kept"),
        ):
            broken.write("CREATE (:Mine)")
        proxy.close()
        assert store.rows("MATCH (m:Mine) RETURN count(m) AS n").rows == ((1,),)


@pytest.mark.long
def test_a_sync_killed_at_any_moment_ends_equal_when_it_is_run_again(
    one_neo4j: Server, builds: dict[str, MemorySnapshot]
) -> None:
    """SIGKILL, KG_KILLS times; the builds change places meanwhile."""
    rng = random.Random(one_neo4j.version)  # noqa: S311 - no secret
    with Neo4jStore(Address(one_neo4j.uri)) as store:
        store.load(builds["crowded"])
    killed = 0
    for turn in itertools.count():
        last = turn >= KILLS
        other = turn % 2 == 0
        process = subprocess.Popen(
            [
                sys.executable, "-m", "tests.stores.neo4j_writer", one_neo4j.uri, "1", "--sync",
                *(["--other"] if other else []),
            ],
            cwd=ROOT, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(None if last else rng.random() * 3)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        killed += process.returncode == -signal.SIGKILL
        if last:
            assert process.returncode == 0
            break
    equal(one_neo4j, builds["other" if other else "crowded"])


@pytest.mark.long
def test_another_program_that_holds_a_node_is_waited_for(
    one_neo4j: Server, builds: dict[str, MemorySnapshot], caplog: pytest.LogCaptureFixture
) -> None:
    """If both wait for each other the server breaks one off; where that is kg, it tries again."""
    first, last = "method:0000", "method:0299"
    caplog.set_level(logging.WARNING, "neo4j")
    mark = "MATCH (m:Method {id: $id}) SET m.mine = true"
    with (
        Neo4jStore(Address(one_neo4j.uri)) as store,
        neo4j.GraphDatabase.driver(one_neo4j.uri) as driver,
    ):
        store.load(builds["crowded"])
        target = "other"
        with driver.session() as session:
            held = session.begin_transaction()
            held.run(mark, id=last).consume()
            with ThreadPoolExecutor(1) as thread:
                sync = thread.submit(catch_up, store, builds[target], builds.__getitem__)
                while not _blocked(driver):
                    assert not sync.done(), "the sync did not wait for the other program"
                    time.sleep(0.05)
                try:
                    held.run(mark, id=first).consume()
                    held.commit()
                    broken = 0
                except neo4j.exceptions.TransientError:
                    broken = 1
                finally:
                    held.close()
                sync.result(120)
        retried = any("retried" in record.message for record in caplog.records)
        assert not (retried and broken)
        assert store.build() == target
    equal(one_neo4j, builds[target])
    with neo4j.GraphDatabase.driver(one_neo4j.uri) as driver:
        mine = driver.execute_query("MATCH (m:Method {mine: true}) RETURN count(m)").records
        assert mine[0][0] == (0 if broken else 2)


def test_a_sync_that_the_server_breaks_off_by_a_deadlock_is_repeated(
    neo4j_server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    """Each holds what the other waits for; kg, which asks last, is broken off and does it again."""
    caplog.set_level(logging.WARNING, "neo4j")
    builds = {each.build: each for each in (_counted(1), _counted(2))}
    mark = "MATCH (m:Method {id: $id}) SET m.mine = true"
    with (
        Neo4jStore(Address(neo4j_server.uri)) as store,
        neo4j.GraphDatabase.driver(neo4j_server.uri) as driver,
        driver.session() as barring,
        driver.session() as session,
        ThreadPoolExecutor(2) as threads,
    ):
        store.load(builds["1"])
        bar = barring.begin_transaction()  # in the way of kg, until the other waits for it
        bar.run(mark, id="method:25").consume()
        sync = threads.submit(catch_up, store, builds["2"], builds.__getitem__)
        _wait_until_blocked(driver, 1, sync)
        other = session.begin_transaction()
        # The server breaks off the one that holds fewer locks.
        other.run("UNWIND range(1, 5000) AS i CREATE (:Mine {i: i})").consume()
        other.run(mark, id="method:49").consume()
        asked = threads.submit(lambda: other.run(mark, id="method:00").consume())
        _wait_until_blocked(driver, 2, sync)
        bar.rollback()
        asked.result(120)
        other.commit()
        sync.result(120)
        mine = driver.execute_query("MATCH (m:Method {mine: true}) RETURN m.id ORDER BY m.id")
    said = [record.getMessage() for record in caplog.records if "retried" in record.getMessage()]
    assert [("DeadlockDetected" in line) for line in said] == [True], said
    assert [record[0] for record in mine.records] == ["method:00", "method:49"]
    equal(neo4j_server, builds["2"])


def _wait_until_blocked(driver: neo4j.Driver, count: int, sync: Future[Any]) -> None:
    """So many transactions wait for a lock."""
    while sum(s.startswith("Blocked") for s in _statuses(driver).values()) < count:
        assert not sync.done(), "the sync did not wait"
        time.sleep(0.05)


def _counted(papers: int) -> MemorySnapshot:
    """Nodes of which all change from one build to the next, in the order of their ids."""
    methods = [entity(f"method:{i:02}", f"M{i}", papers=papers) for i in range(50)]
    edges = [
        edge("USES.Method.Method", "method:00", f"method:{i:02}", paper="p") for i in range(1, 50)
    ]
    made = MemorySnapshot.of_rows({"Method": methods, "USES.Method.Method": edges})
    return replace(made, build=str(papers))


def _blocked(driver: neo4j.Driver) -> bool:
    """Some transaction waits for a lock: in a statement, or for long in its commit."""
    first, later = _statuses(driver), {}
    if any(status == "Closing" for status in first.values()):
        time.sleep(1)
        later = _statuses(driver)
    return any(s.startswith("Blocked") for s in first.values()) or any(
        status == "Closing" and later.get(id_) == status for id_, status in first.items()
    )


def _statuses(driver: neo4j.Driver) -> dict[str, str]:
    records = driver.execute_query("SHOW TRANSACTIONS YIELD transactionId, status").records
    return {record["transactionId"]: record["status"] for record in records}


def test_what_a_user_tied_to_nodes_that_go_stays_tied(one_neo4j: Server, tmp_path: Path) -> None:
    """A relationship between two nodes of kg, a label, a property: none of them is kg's."""
    rows: dict[str, list[dict[str, Any]]] = {
        "Method": [entity(f"method:{n}", n.upper()) for n in "abcd"],
        "USES.Method.Method": [
            edge("USES.Method.Method", f"method:{n}", "method:a", paper="p") for n in "bcd"
        ],
    }
    before = MadeSnapshot(tmp_path / "before", rows)
    after = MadeSnapshot(tmp_path / "after", {"Method": rows["Method"][3:]})
    with (
        Neo4jStore(Address(one_neo4j.uri)) as store,
        neo4j.GraphDatabase.driver(one_neo4j.uri) as driver,
    ):
        store.load(before)
        driver.execute_query(
            "MATCH (a:Method {id: 'method:a'}), (b:Method {id: 'method:b'}), "
            "(c:Method {id: 'method:c'}), (d:Method {id: 'method:d'}) "
            "CREATE (a)-[:LIKES {since: 1999}]->(b), (d)-[:USES {mine: true}]->(a) "
            "SET c.stars = 5, c:Favourite, d.stars = 1"
        )
        for snapshot in (after, before, after):
            store.apply(difference(before if snapshot is after else after, snapshot))
            equal(one_neo4j, snapshot)
        tied = driver.execute_query(
            "MATCH (x)-[r:LIKES|USES]->(y) RETURN x.id, type(r), properties(r), y.id ORDER BY x.id"
        ).records
        assert [record.values() for record in tied] == [
            ["method:a", "LIKES", {"since": 1999}, "method:b"],
            ["method:d", "USES", {"mine": True}, "method:a"],
        ]
        kept = driver.execute_query(
            "MATCH (n) WHERE n.stars > 0 RETURN n.id, n.stars, n.name, labels(n) ORDER BY n.id"
        ).records
        # A database gives labels in any order.
        assert [(*record.values()[:3], {*record["labels(n)"]}) for record in kept] == [
            ("method:c", 5, None, {"Favourite", "KgGone"}), ("method:d", 1, "D", {"Method"}),
        ]  # fmt: skip
