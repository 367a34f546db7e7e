"""How Neo4j carries out the canned queries: from an index, wherever they start from a name."""

from collections.abc import Callable, Iterator
from typing import Any, cast

import neo4j
import pytest

from kg.graph.snapshot import MemorySnapshot
from kg.model.schema import EDGE_TABLES, ENTITY_LABELS, NODE_TABLES
from kg.stores.cypher.scoped import within
from kg.stores.cypher.tokens import tokenize
from kg.stores.neo4j import Neo4jStore
from kg.stores.neo4j_connection import Address
from kg.stores.neo4j_statements import GRAPH
from kg.stores.queries import CannedQuery, canned_queries
from tests.conftest import emptied
from tests.neo4j.server import VERSIONS, Server
from tests.stores.made import edge, entity

pytestmark = pytest.mark.neo4j
KEYED = [q for q in canned_queries().values() if any(p.labels for p in q.parameters)]
SCALARS: dict[str, Any] = {"string": "", "integer": 1, "count": 10, "float": 0.5, "strings": []}
COUNT = 120  # of each label: with a handful the server would rather read them all


def populous() -> MemorySnapshot:
    """A graph with many nodes of every label, and edges of every table between them."""
    nodes = {t.name: [f"{t.name.lower()}:{i}" for i in range(COUNT)] for t in NODE_TABLES}
    rows: dict[str, list[dict[str, Any]]] = {
        label: [entity(i, i) if label in ENTITY_LABELS else {"id": i} for i in ids]
        for label, ids in nodes.items()
    }
    for table in EDGE_TABLES:
        heads, tails = nodes[table.head], nodes[table.tail]
        rows[table.name] = [
            edge(table.name, heads[i], tails[i * 7 % COUNT], paper=f"paper:{i}")
            for i in range(COUNT)
        ]
    return MemorySnapshot.of_rows(rows)


@pytest.fixture(scope="module", params=VERSIONS)
def driver(
    request: pytest.FixtureRequest, shared_neo4j: Callable[[str], Server]
) -> Iterator[neo4j.Driver]:
    """A server of each version with two graphs in it."""
    server = shared_neo4j(request.param)
    emptied(server)
    auth = ("neo4j", server.password) if server.password else None
    for name in ("kg", "b"):
        with Neo4jStore(Address(server.uri, password=server.password), graph=name) as store:
            store.load(populous())
    with neo4j.GraphDatabase.driver(server.uri, auth=auth) as opened:
        opened.execute_query("CALL db.resampleOutdatedIndexes()")
        yield opened
    emptied(server)


def operators(plan: dict[str, Any]) -> Iterator[str]:
    """All operators of a plan."""
    yield plan["operatorType"].partition("@")[0]
    for child in plan.get("children", ()):
        yield from operators(child)


def profiled(driver: neo4j.Driver, cypher: str, query: CannedQuery) -> set[str]:
    """Run a query with PROFILE; return the operators at which the server begins to read."""
    given = {
        p.name: [f"{p.labels[0].lower()}:7"] if p.labels else SCALARS[p.type]
        for p in query.parameters
    }
    answer = driver.execute_query(cast("Any", f"PROFILE {cypher}"), {**given, GRAPH: "kg"})
    assert answer.summary.profile is not None
    return {o for o in operators(answer.summary.profile) if "Scan" in o or "Seek" in o}


@pytest.mark.parametrize("query", KEYED, ids=lambda q: q.name)
def test_a_query_that_starts_from_a_name_seeks_it_in_an_index(
    driver: neo4j.Driver, query: CannedQuery
) -> None:
    """And nothing else in it reads all nodes of a label."""
    used = profiled(driver, query.cypher, query)
    assert used
    assert all("IndexSeek" in operator for operator in used), used


@pytest.mark.parametrize("query", KEYED, ids=lambda q: q.name)
def test_so_it_does_within_one_graph_of_several(driver: neo4j.Driver, query: CannedQuery) -> None:
    """As `kg query` asks where the database holds more than one."""
    asked = "".join(token.text for token in within(tokenize(query.cypher), GRAPH, GRAPH))
    used = profiled(driver, asked, query)
    assert used
    assert all("IndexSeek" in operator for operator in used), used


def test_a_scan_would_be_seen(driver: neo4j.Driver) -> None:
    """Else the others could not fail."""
    query = CannedQuery("scan", "", (), (), "")
    assert profiled(driver, "MATCH (m:Method) WHERE m.papers = 1 RETURN m", query) == {
        "NodeByLabelScan"
    }
