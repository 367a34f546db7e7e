"""Every statement that kg sends to a Neo4j, looked at by Neo4j's own linter."""

import contextlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import neo4j
import pytest

from kg.errors import NotFoundError
from kg.model.schema import EDGE_TABLES, NODE_TABLES, EdgeTable
from kg.stores.bulk import write_cypher
from kg.stores.find import find
from kg.stores.neo4j import Neo4jStore
from kg.stores.neo4j_catch_up import catch_up
from kg.stores.neo4j_check import differing_content
from kg.stores.neo4j_connection import Address
from kg.stores.neo4j_statements import (
    BUILD,
    GONE,
    GRAPH,
    STEP,
    WRITER,
    all_tables,
    columns,
    connect_statement,
    count_statement,
    create_statement,
    delete_statement,
    merge_statement,
    read_statement,
    return_statement,
    schema_statements,
    single_statement,
)
from kg.stores.queries import CannedQuery, canned_queries
from tests.conftest import required
from tests.neo4j.linter import Finding, Statement, lint
from tests.neo4j.server import Server
from tests.stores.made import MadeSnapshot

# What stands on kg's own nodes besides the schema's properties.
_KEEPING = ("graph", "build", "state", "target", "dealt", "ordered", "writer", "holder", "seen", "asked",
            "key", "turn", "attempt", "kg_label", GRAPH)  # fmt: skip
SCHEMA = {
    "labels": [*(t.name for t in NODE_TABLES), BUILD, STEP, GONE, WRITER],
    "relationshipTypes": sorted({t.type.value for t in EDGE_TABLES}),
    "propertyKeys": sorted({p.name for t in all_tables() for p in t.properties} | {*_KEEPING}),
}
_EXAMPLES: dict[str, Any] = {
    "string": "x", "integer": 1, "count": 1, "float": 0.5, "strings": ["x"],
}  # fmt: skip


def findings(statements: Iterable[Statement]) -> list[Finding]:
    """Lint, or skip where there is no Node.js."""
    return required(lambda: lint(list(statements), SCHEMA), "KG_REQUIRE_NODE")


def canned(query: CannedQuery) -> Statement:
    """The query with an example of each parameter."""
    return Statement(query.cypher, {p.name: _EXAMPLES.get(p.type, ["x"]) for p in query.parameters})


def test_the_linter_sees_what_is_wrong() -> None:
    """Else its silence means nothing."""
    wrong = {
        "RETRUN 1": "Invalid input",
        "MATCH (n:Method) RETURN m": "not defined",
        "MATCH (n:Methode) RETURN n": "Methode",
        "MATCH (n:Method) RETURN n.nmae": "nmae",
        "MATCH (:Method)-[r:USE]->() RETURN r": "USE",
        "RETURN $absent": "absent",
        "MATCH (n:Method) RETURN id(n)": "deprecated",
    }
    found = findings(Statement(text, {}) for text in wrong)
    for text, says in wrong.items():
        about = [f for f in found if f.text == text]
        assert any(says in f.message for f in about), (text, about)


def test_canned_queries_are_clean_for_both_languages() -> None:
    """They are what people paste into Neo4j Browser."""
    assert findings(map(canned, canned_queries().values())) == []


@pytest.mark.long
def test_statements_of_every_table_are_clean() -> None:
    """Those that add, merge, delete, count and read rows, constraints and indexes."""
    given = {"rows": [], "heads": [], "tails": [], "graph": "kg", "label": "Method"}
    texts = list(schema_statements())
    for table in all_tables():
        texts += [create_statement(table, columns(table)), merge_statement(table), delete_statement(table),
                  count_statement(table), read_statement(table, columns(table))]  # fmt: skip
        if isinstance(table, EdgeTable):
            texts += [connect_statement(table, columns(table)), single_statement(table)]
        else:
            texts.append(return_statement(table))
    assert findings(Statement(text, given) for text in texts) == []


@pytest.mark.long
def test_the_exported_script_is_clean(tmp_path: Path, snapshot: MadeSnapshot) -> None:
    """Statement by statement."""
    write_cypher(snapshot, tmp_path / "graph.cypher")
    script = (tmp_path / "graph.cypher").read_text(encoding="utf-8")
    assert findings(Statement(s, {}) for s in script.split(";\n") if s.strip()) == []


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> dict[str, Statement]:
    """Every statement that goes to a server."""
    seen: dict[str, Statement] = {}

    def recording(run: Callable[..., Any]) -> Callable[..., Any]:
        def recorded(
            self: Any, query: str, parameters: Any = None, *rest: Any, **options: Any
        ) -> Any:
            own = {k: v for k, v in options.items() if not k.endswith("_")}
            # Of rows one is enough to see what is in them.
            shown = {
                k: v[:1] if k == "rows" else v for k, v in {**(parameters or {}), **own}.items()
            }
            seen[query] = Statement(query, shown)
            return run(self, query, parameters, *rest, **options)

        return recorded

    for owner, name in ((neo4j.Session, "run"), (neo4j.Transaction, "run"),
                        (neo4j.ManagedTransaction, "run"), (neo4j.Driver, "execute_query")):  # fmt: skip
        monkeypatch.setattr(owner, name, recording(getattr(owner, name)))
    return seen


@pytest.mark.long
@pytest.mark.neo4j
def test_all_that_is_sent_in_the_life_of_a_graph_is_clean(
    shared_neo4j: Callable[[str], Server],
    sent: dict[str, Statement],
    snapshot: MadeSnapshot,
    later: MadeSnapshot,
) -> None:
    """Loads, syncs, mending, checks, searches, and queries beside another graph."""
    address = Address(shared_neo4j("5").uri, password=shared_neo4j("5").password)
    builds = {snapshot.build: snapshot, later.build: later}
    with Neo4jStore(address, graph="linted") as store, Neo4jStore(address, graph="b") as other:
        for target in (snapshot, later, snapshot):
            catch_up(store, target, builds.__getitem__)
        store.load(later)
        other.load(snapshot)
        assert differing_content(store, later) == ()
        for name in ("oak", "10.1/oak", "Björk", "trees of thought"):
            with contextlib.suppress(NotFoundError):
                find(store, name, ["Paper", "Method"])
        for query in canned_queries().values():
            store.rows(query.cypher, canned(query).parameters)
    assert len(sent) > 200
    assert findings(sent.values()) == []
