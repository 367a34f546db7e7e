"""What holds of Neo4j alone: other people's data, several graphs, passwords, crashes."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import neo4j
import pytest

from kg.errors import StoreAuthError, StoreError, StoreUnavailableError
from kg.graph.snapshot import MemorySnapshot
from kg.stores.neo4j import Neo4jStore
from kg.stores.neo4j_catch_up import catch_up
from kg.stores.neo4j_check import differing_content
from kg.stores.neo4j_connection import Address
from kg.stores.neo4j_rows import dealt_out, fixtures, rows_by_place
from tests.conftest import Start
from tests.neo4j.server import Server
from tests.stores.made import MadeSnapshot, difference, edge, entity

pytestmark = pytest.mark.neo4j
PASSWORD = "correct horse"  # noqa: S105


def ask(server: Server, cypher: str, **parameters: Any) -> list[list[Any]]:
    """Ask past the store, as another program would."""
    auth = ("neo4j", server.password) if server.password else None
    with neo4j.GraphDatabase.driver(server.uri, auth=auth) as driver:
        records, _, _ = driver.execute_query(cypher, parameters)
        return [record.values() for record in records]


def test_a_sync_leaves_what_others_wrote(
    neo4j_server: Server, neo4j_store: Neo4jStore, snapshot: MadeSnapshot, later: MadeSnapshot
) -> None:
    """Labels, properties, relationships and nodes of a user's own are theirs."""
    neo4j_store.load(snapshot)
    ask(
        neo4j_server,
        """
        MATCH (oak:Method {id: 'method:oak'}), (elm:Paper {id: 'doi:10.1/elm'})
        SET oak:Favourite, oak.stars = 5
        CREATE (:Note {text: 'to read'})-[:ON]->(elm), (oak)-[:USES {since: 1999}]->(oak),
               (:Paper {id: 'mine', title: 'My own'})
        """,
    )
    catch_up(neo4j_store, later, {snapshot.build: snapshot, later.build: later}.__getitem__)

    assert neo4j_store.differences(later) == {}
    assert differing_content(neo4j_store, later) == ()
    assert ask(neo4j_server, "MATCH (o:Favourite) RETURN o.id, o.name, o.stars") == [
        ["method:oak", "OAK", 5]
    ]
    assert ask(neo4j_server, "MATCH (:Note)-[:ON]->(x) RETURN x.id, labels(x)") == [
        ["doi:10.1/elm", ["KgGone"]]
    ]
    assert ask(neo4j_server, "MATCH (:Method)-[r:USES {since: 1999}]->() RETURN count(r)") == [[1]]
    assert ask(neo4j_server, "MATCH (p:Paper {id: 'mine'}) RETURN p.title") == [["My own"]]


def test_a_node_that_comes_back_meets_what_was_tied_to_it(
    neo4j_server: Server, neo4j_store: Neo4jStore, snapshot: MadeSnapshot, later: MadeSnapshot
) -> None:
    """An undo must not leave a note hanging on a stub."""
    neo4j_store.load(snapshot)
    ask(neo4j_server, "MATCH (p:Paper {id: 'doi:10.1/elm'}) CREATE (:Note)-[:ON]->(p)")
    neo4j_store.apply(difference(snapshot, later))
    neo4j_store.apply(difference(later, snapshot))

    assert differing_content(neo4j_store, snapshot) == ()
    assert ask(neo4j_server, "MATCH (:Note)-[:ON]->(p:Paper) RETURN p.title") == [
        ["Elm Extends Oak"]
    ]


def test_two_graphs_share_a_database(
    neo4j_server: Server, neo4j_store: Neo4jStore, snapshot: MadeSnapshot, later: MadeSnapshot
) -> None:
    """Each is loaded, counted, asked and changed by itself."""
    neo4j_store.load(snapshot)
    with Neo4jStore(Address(neo4j_server.uri, password=neo4j_server.password), graph="b") as other:
        other.load(later)
        assert differing_content(other, later) == ()
        assert differing_content(neo4j_store, snapshot) == ()
        titles = "MATCH (p:Paper {year: 2025}) RETURN p.title AS t"
        assert other.rows(titles).dicts() == [{"t": "Yew"}]
        assert neo4j_store.rows(titles).dicts() == []
        counted = (
            "MATCH (a:Author)-[:WROTE]->(p) WHERE EXISTS { (p)-[:PROPOSES]->(:Method) } "
            "RETURN count(*) AS n, COUNT { MATCH (x) } AS all"
        )
        nodes = sum(n for name, n in snapshot.counts().items() if "." not in name)
        assert neo4j_store.rows(counted).dicts() == [{"n": 6, "all": nodes}]


def test_a_load_mends_what_was_changed_by_hand(
    neo4j_server: Server, neo4j_store: Neo4jStore, snapshot: MadeSnapshot
) -> None:
    """Deleted, altered and doubled rows come right again."""
    neo4j_store.load(snapshot)
    ask(neo4j_server, "MATCH (p:Paper {year: 2021}) DETACH DELETE p")
    ask(neo4j_server, "MATCH (m:Method {id: 'method:elm'}) SET m.name = 'Changed'")
    ask(
        neo4j_server,
        "MATCH (m:Method {id: 'method:ivy'})-[r:EXTENDS]->(o:Method {id: 'method:birch'}) "
        "CREATE (m)-[s:EXTENDS]->(o) SET s = properties(r), s.id = 'of another build' "
        "CREATE (m)-[d:EXTENDS]->(o) SET d = properties(r) "
        "CREATE (o)-[e:EXTENDS]->(m) SET e = properties(r)",
    )
    assert neo4j_store.differences(snapshot)
    assert "Method" in differing_content(neo4j_store, snapshot)
    neo4j_store.load(snapshot)

    assert neo4j_store.differences(snapshot) == {}
    assert differing_content(neo4j_store, snapshot) == ()


def test_a_check_sees_a_changed_property_that_counts_do_not(
    neo4j_server: Server, neo4j_store: Neo4jStore, snapshot: MadeSnapshot
) -> None:
    """Equal counts are not an equal graph."""
    neo4j_store.load(snapshot)
    ask(neo4j_server, "MATCH (m:Method {id: 'method:elm'}) SET m.papers = 3")

    assert neo4j_store.differences(snapshot) == {}
    assert differing_content(neo4j_store, snapshot) == ("Method",)


@pytest.fixture(scope="module")
def wide() -> MemorySnapshot:
    """A graph whose edges crowd on few nodes, so that workers get in each other's way."""
    methods = [entity(f"method:{i:04}", f"M{i}") for i in range(400)]
    ends = [(i, (i * 7 + k * k) % 20) for i in range(400) for k in range(20)]
    edges = {
        row["id"]: row
        for row in (
            edge("USES.Method.Method", f"method:{a:04}", f"method:{b:04}", paper=f"p{a}")
            for a, b in ends
            if a != b
        )
    }
    return MemorySnapshot.of_rows({"Method": methods, "USES.Method.Method": list(edges.values())})


def test_many_workers_load_the_same_graph(neo4j_server: Server, wide: MemorySnapshot) -> None:
    """Workers must neither lose rows nor write any twice when they meet."""
    with Neo4jStore(Address(neo4j_server.uri, password=neo4j_server.password), workers=4) as store:
        store.load(wide)

        assert store.differences(wide) == {}
        assert differing_content(store, wide) == ()


@pytest.mark.parametrize("workers", [1, 2, 3, 5])
def test_every_edge_is_dealt_out_once(wide: MemorySnapshot, workers: int) -> None:
    """And to the worker to whom both of its ends belong."""
    edges = wide.table("USES.Method.Method")
    dealt = list(dealt_out(edges, 2 * workers))

    ids = [id_ for _, rows in dealt for id_ in rows["id"].to_pylist()]
    assert sorted(ids) == edges["id"].to_pylist()
    homes: dict[str, set[int]] = {}
    for pair, rows in dealt:
        for end in {*rows["head"].to_pylist(), *rows["tail"].to_pylist()}:
            homes[end] = homes.get(end, set(pair)) & pair
    assert all(homes.values())


@pytest.mark.parametrize("workers", [1, 2, 3, 5])
def test_neighbours_in_the_list_of_pairs_share_no_bucket(workers: int) -> None:
    """As many as there are workers; and every pair has its turn once."""
    pairs = list(fixtures(2 * workers))

    for start in range(0, len(pairs) - 2 * workers, workers):
        at_once = [bucket for pair in pairs[start : start + workers] for bucket in pair]
        assert len(at_once) == len(set(at_once))
    count = 2 * workers
    every = [[a, b] if a != b else [a] for a in range(count) for b in range(a, count)]
    assert sorted(map(sorted, pairs)) == sorted(every)


def test_each_end_stands_once_and_edges_name_its_place(wide: MemorySnapshot) -> None:
    """In a slice, too, whose columns begin somewhere in the table's."""
    edges = wide.table("USES.Method.Method").slice(100, 900)
    heads, tails, rows = rows_by_place(edges, ("head", "tail", "id"))

    assert len(set(heads)) == len(heads)
    assert len(set(tails)) == len(tails)
    assert [[heads[h], tails[t], id_] for h, t, id_ in rows] == [
        [row["head"], row["tail"], row["id"]] for row in edges.to_pylist()
    ]


class BrokenError(Exception):
    """Stands for a process that ends."""


@pytest.mark.parametrize("after", [1, 3, 9, 20])
def test_a_load_that_broke_off_goes_on_where_it_stopped(
    neo4j_server: Server, snapshot: MadeSnapshot, after: int
) -> None:
    """However far it came, the second run ends equal to the graph."""
    address = Address(neo4j_server.uri, password=neo4j_server.password)
    seen = 0

    def stop(*_: object) -> None:
        nonlocal seen
        seen += 1
        if seen > after:
            raise BrokenError

    with Neo4jStore(address, progress=stop) as store, pytest.raises(BrokenError):
        store.load(snapshot)
    with Neo4jStore(address) as store:
        assert store.build() is None
        store.load(snapshot)

        assert store.build() == snapshot.build
        assert differing_content(store, snapshot) == ()


def test_a_load_that_another_version_began_is_merged(
    neo4j_server: Server, neo4j_store: Neo4jStore, wide: MemorySnapshot
) -> None:
    """Its batches held other rows, so that what it marked as done says nothing."""

    def stop(table: str, done: int, _: int) -> None:
        if done and table.startswith("USES"):
            raise BrokenError

    with (
        Neo4jStore(Address(neo4j_server.uri, password=neo4j_server.password), progress=stop) as one,
        pytest.raises(BrokenError),
    ):
        one.load(wide)
    ask(neo4j_server, "MATCH (b:KgBuild) SET b.ordered = 1 WITH b MATCH (s:KgStep) DELETE s")
    neo4j_store.load(wide)

    assert neo4j_store.differences(wide) == {}
    assert differing_content(neo4j_store, wide) == ()


@pytest.mark.parametrize("workers", [1, 3])
def test_an_edge_whose_end_was_taken_away_in_mid_load_costs_no_other(
    neo4j_server: Server, wide: MemorySnapshot, workers: int
) -> None:
    """Edges are joined to nodes by their places in a list, where one that is missing moves the rest."""
    gone = "method:0007"

    def take(table: str, done: int, _: int) -> None:
        if not done and table.startswith("USES"):
            ask(neo4j_server, "MATCH (m:Method {id: $id}) DELETE m", id=gone)

    address = Address(neo4j_server.uri, password=neo4j_server.password)
    with Neo4jStore(address, workers=workers, progress=take) as store:
        store.load(wide)
    held = ask(neo4j_server, "MATCH (h)-[r:USES]->(t) RETURN h.id, t.id, r.id ORDER BY r.id")
    assert held == [
        [row["head"], row["tail"], row["id"]]
        for row in wide.table("USES.Method.Method").to_pylist()
        if gone not in (row["head"], row["tail"])
    ]


@pytest.mark.parametrize("after", [0, 2, 5])
def test_a_sync_that_broke_off_is_finished_first(
    neo4j_server: Server, snapshot: MadeSnapshot, later: MadeSnapshot, after: int
) -> None:
    """The graph may have moved on to a third build meanwhile, or back."""
    address = Address(neo4j_server.uri, password=neo4j_server.password)
    builds = {snapshot.build: snapshot, later.build: later}
    seen = 0

    def stop(*_: object) -> None:
        nonlocal seen
        seen += 1
        if seen > after:
            raise BrokenError

    with Neo4jStore(address) as store:
        store.load(snapshot)
    with Neo4jStore(address, progress=stop) as store, pytest.raises(BrokenError):
        catch_up(store, later, builds.__getitem__)
    with Neo4jStore(address) as store:
        assert store.build() is None
        catch_up(store, snapshot, builds.__getitem__)

        assert store.build() == snapshot.build
        assert differing_content(store, snapshot) == ()


@pytest.fixture(scope="module")
def guarded(start_neo4j: Start) -> Iterator[Server]:
    """A server of its own that asks for a password and may be stopped."""
    server = start_neo4j("5", password=PASSWORD)
    yield server
    server.stop(kill=True)


def test_a_password_opens_and_a_wrong_one_does_not(guarded: Server, snapshot: MadeSnapshot) -> None:
    """And no message repeats it."""
    with Neo4jStore(Address(guarded.uri, password=PASSWORD)) as store:
        store.load(snapshot)
        assert store.differences(snapshot) == {}
    for wrong in ("open sesame", None):
        address = Address(guarded.uri, password=wrong)
        with pytest.raises(StoreAuthError) as caught, Neo4jStore(address) as store:
            store.load(snapshot)
        assert "open sesame" not in repr((caught.value, caught.value.__cause__, address))
        assert "KG_NEO4J_PASSWORD" in caught.value.remedy


def test_a_server_killed_in_mid_load_and_started_again_ends_equal(
    guarded: Server, wide: MemorySnapshot
) -> None:
    """The power goes in the middle; the second run finishes the work."""
    address = Address(guarded.uri, password=PASSWORD)
    reached = threading.Event()

    def kill(table: str, done: int, _: int) -> None:
        if "." in table and done and not reached.is_set():
            reached.set()
            guarded.stop(kill=True)

    with (
        Neo4jStore(address, graph="killed", progress=kill, retry_s=1) as store,
        pytest.raises(StoreUnavailableError, match="no Neo4j answers"),
    ):
        store.load(wide)
    assert reached.is_set()
    guarded.start()
    with Neo4jStore(address, graph="killed") as store:
        store.load(wide)

        assert differing_content(store, wide) == ()


def test_no_server_is_one_clear_error() -> None:
    """Down, or another port: what everybody meets first."""
    with (
        pytest.raises(StoreUnavailableError, match="no Neo4j answers at bolt"),
        Neo4jStore(Address("bolt://127.0.0.1:1"), retry_s=0) as store,
    ):
        store.build()


@pytest.mark.parametrize(
    ("uri", "says"),
    [
        ("bolt://neo4j:geheim@localhost", "holds a user or a password"),
        ("http://localhost:7474", "no address of a Neo4j"),
        ("localhost", "no address of a Neo4j"),
        ("bolt://localhost:port", "no address of a Neo4j"),
        ("bolt://", "no address of a Neo4j"),
    ],
)
def test_a_wrong_address_is_refused_without_repeating_a_password(uri: str, says: str) -> None:
    """The address ends in logs and histories."""
    with pytest.raises(StoreError, match=says) as caught:
        Address(uri)
    assert "geheim" not in str(caught.value)


def test_a_missing_ca_file_is_named(tmp_path: Path) -> None:
    """A typo there must not end as a failure of TLS."""
    with pytest.raises(StoreError, match=r"ca\.pem"):
        Neo4jStore(Address("bolt+s://localhost", ca_file=tmp_path / "ca.pem"))
