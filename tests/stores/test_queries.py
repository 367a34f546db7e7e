"""The canned queries: all of them, on both stores."""

from collections.abc import Callable

import pytest

from kg.errors import NotFoundError, QueryError
from kg.model.schema import EDGE_TABLES, NODE_TABLES
from kg.stores.embedded import EmbeddedStore
from kg.stores.find import find, resolved
from kg.stores.neo4j import Neo4jStore
from kg.stores.protocol import Store
from kg.stores.queries import CannedQuery, canned_queries, canned_query
from tests.neo4j.server import VERSIONS
from tests.stores.samples import END, PAGE, START, samples, typed

QUERIES = canned_queries().values()


@pytest.mark.neo4j
@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("query", QUERIES, ids=lambda q: q.name)
def test_a_canned_query_gives_the_same_rows_on_both_stores(
    query: CannedQuery,
    version: str,
    filled_embedded: EmbeddedStore,
    filled_neo4j: Callable[[str], Neo4jStore],
) -> None:
    """One text serves both, in the same order to the last row."""
    other = filled_neo4j(version)
    found = filled_embedded.rows(query.cypher, resolved(filled_embedded, query, typed(query)))
    expected = other.rows(query.cypher, resolved(other, query, typed(query)))

    assert found.rows
    assert found == expected


@pytest.mark.parametrize("query", QUERIES, ids=lambda q: q.name)
def test_a_canned_query_says_what_it_takes(query: CannedQuery) -> None:
    """--list is all that a user sees of it."""
    assert query.meaning.endswith(".")
    needed = {p.name for p in query.parameters if p.default is None}
    assert needed <= {name for name, _ in query.sample}
    assert "ORDER BY" in query.cypher


def test_results_reported_on_a_dataset_come_with_method_metric_and_claim(filled: Store) -> None:
    """Checked against the library as it was written, so that both stores cannot be wrong together."""
    query = canned_query("methods-on-dataset")

    rows = filled.rows(query.cypher, resolved(filled, query, {"dataset": "glade"})).dicts()
    assert [(r["method"], r["metric"], r["value"], r["claim"]) for r in rows] == [
        ("Birch", "accuracy", 93.0, "Birch reaches 93.0% accuracy on Glade."),
        ("Oak", "accuracy", 91.5, "Oak reaches 91.5% accuracy on Glade."),
    ]


def test_claims_citing_a_paper_come_with_their_sentence(filled: Store) -> None:
    """What others say of a paper is not what they list in their bibliography."""
    query = canned_query("claims-citing")

    rows = filled.rows(query.cypher, resolved(filled, query, {"paper": "10.1/oak"})).dicts()
    assert [(r["sentence"], r["title"]) for r in rows] == [
        ("Birch reaches 93.0% accuracy on Glade, unlike (Hazel, 2021).", "Birch at Scale")
    ]


@pytest.mark.parametrize(
    ("typed_name", "labels", "ids"),
    [
        ("Oak", ["Method"], ["method:oak"]),
        ("oak", ["Method"], ["method:oak"]),
        ("OAKS", ["Method"], ["method:oak"]),
        ("birch xl", ["Method", "Dataset"], ["method:birch"]),
        ("moss 2", ["Method"], ["method:moss"]),
        ("method:oak", ["Method"], ["method:oak"]),
        ("Elm extends oak", ["Paper"], ["doi:10.1/elm"]),
        ("forests", ["Paper"], ["arxiv:2301.00002"]),
        ("doi:10.1/elm", ["Paper"], ["doi:10.1/elm"]),
        ("10.1/elm", ["Paper"], ["doi:10.1/elm"]),
        ("climbing", ["Task", "Method", "Dataset"], ["task:climbing"]),
        ("ada hazel", ["Author"], ["author:ada"]),
    ],
)
def test_a_name_finds_its_node_however_it_is_written(
    filled: Store, typed_name: str, labels: list[str], ids: list[str]
) -> None:
    """Nobody types a canonical name."""
    assert find(filled, typed_name, labels) == ids


def test_a_name_that_is_not_there_gets_the_nearest(filled: Store) -> None:
    """A slip of the finger is the usual reason."""
    with pytest.raises(NotFoundError, match="Birch") as caught:
        find(filled, "Brich", ["Method"])
    assert caught.value.problem == "no method is called 'Brich'"


def test_a_query_that_is_not_there_gets_the_nearest() -> None:
    """Names of queries are many and alike."""
    with pytest.raises(NotFoundError, match="datasets-of-method"):
        canned_query("dataset-of-methods")


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({}, "needs method"),
        ({"method": "Oak", "limt": "3"}, "no parameter 'limt'"),
        ({"method": "Oak", "limit": "many"}, "'many'"),
        ({"method": "Oak", "limit": "-1"}, "not negative"),
    ],
)
def test_parameters_are_checked_before_anything_is_asked(given: dict[str, str], says: str) -> None:
    """A wrong parameter that is passed over answers another question."""
    with pytest.raises(QueryError, match=says):
        canned_query("lineage").values(given)


def test_queries_name_only_what_the_schema_has() -> None:
    """A renamed relationship must not leave a query behind that finds nothing."""
    from kg.stores.cypher.hints import unknown_names

    assert NODE_TABLES
    assert EDGE_TABLES
    for query in QUERIES:
        aliases = [n for kind, n, _ in unknown_names(query.cypher) if kind != "Property"]
        assert not aliases, query.name


def test_the_samples_of_the_documentation_are_what_the_queries_answer(
    filled_embedded: EmbeddedStore,
) -> None:
    """`python -m tests.stores.samples` writes them anew."""
    shown = PAGE.read_text(encoding="utf-8").partition(START)[2].partition(END)[0]
    assert shown == f"\n\n{samples(filled_embedded)}\n"
