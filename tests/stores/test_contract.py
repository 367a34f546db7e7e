"""What holds of every store, on the real thing."""

import pytest

from kg.errors import QueryError, StoreError
from kg.stores.protocol import EdgeValue, NodeValue, Store
from tests.stores.made import MadeSnapshot, difference


def content(store: Store) -> dict[str, list[tuple[object, ...]]]:
    """All nodes and edges of a store, as a test compares them."""
    nodes = store.rows("MATCH (n) WHERE n.id IS NOT NULL RETURN n, n.id AS id ORDER BY id")
    edges = store.rows(
        "MATCH (h)-[r]->(t) WHERE r.id IS NOT NULL "
        "RETURN h.id AS head, r, t.id AS tail, r.id AS id ORDER BY id"
    )
    return {"nodes": list(nodes.rows), "edges": list(edges.rows)}


def expected(snapshot: MadeSnapshot) -> dict[str, list[tuple[object, ...]]]:
    """The same out of the tables."""
    nodes: list[tuple[object, ...]] = []
    edges: list[tuple[object, ...]] = []
    for name in snapshot.counts():
        for row in snapshot.table(name).to_pylist():
            own = {k: v for k, v in row.items() if v is not None and k not in ("head", "tail")}
            if "." in name:
                edges.append(
                    (row["head"], EdgeValue(name.split(".")[0], own), row["tail"], own["id"])
                )
            else:
                nodes.append((NodeValue(name, own), own["id"]))
    return {
        "nodes": sorted(nodes, key=lambda r: str(r[1])),
        "edges": sorted(edges, key=lambda r: str(r[3])),
    }


def test_a_load_brings_every_node_edge_and_property(store: Store, snapshot: MadeSnapshot) -> None:
    """What the tables say is what a query finds, to the last list and missing value."""
    store.load(snapshot)

    assert store.build() == snapshot.build
    assert store.counts() == snapshot.counts()
    assert content(store) == expected(snapshot)


def test_loading_again_doubles_nothing(store: Store, snapshot: MadeSnapshot) -> None:
    """Running it twice is what people do when the first time took long."""
    store.load(snapshot)
    store.load(snapshot)

    assert store.counts() == snapshot.counts()
    assert content(store) == expected(snapshot)


def test_loading_another_build_leaves_nothing_of_the_first(
    store: Store, snapshot: MadeSnapshot, later: MadeSnapshot
) -> None:
    """Without the build between them there is no difference to apply."""
    store.load(snapshot)
    store.load(later)

    assert store.build() == later.build
    assert content(store) == expected(later)


def test_changes_lead_to_the_same_as_a_load(
    store: Store, snapshot: MadeSnapshot, later: MadeSnapshot
) -> None:
    """A sync is only worth having when nobody can tell it from a load."""
    store.load(snapshot)
    store.apply(difference(snapshot, later))

    assert store.build() == later.build
    assert content(store) == expected(later)


def test_changes_the_other_way_round_undo(
    store: Store, snapshot: MadeSnapshot, later: MadeSnapshot
) -> None:
    """An undone build must leave no trace."""
    store.load(snapshot)
    store.apply(difference(snapshot, later))
    store.apply(difference(later, snapshot))

    assert content(store) == expected(snapshot)


def test_changes_from_a_build_that_is_not_held_are_refused(
    store: Store, snapshot: MadeSnapshot, later: MadeSnapshot
) -> None:
    """Applied to something else they would leave a graph that no build is equal to."""
    store.load(snapshot)

    with pytest.raises(StoreError, match="holds build"):
        store.apply(difference(later, snapshot))
    assert content(store) == expected(snapshot)


@pytest.mark.parametrize(
    "cypher",
    [
        "CREATE (p:Paper {id: 'x'})",
        "MATCH (p:Paper) SET p.title = 'x'",
        "MATCH (p:Paper) DETACH DELETE p",
        "MATCH (p:Paper) REMOVE p.title",
        "MERGE (p:Paper {id: 'x'}) RETURN p",
        "MATCH (in:Paper) SET in.title = 'x' RETURN in",
        "/* RETURN 1 */ CREATE (p:Paper {id: 'x'})",
        "RETURN 1; MATCH (p:Paper) DELETE p",
        "LOAD CSV FROM 'file:///etc/passwd' AS line RETURN line",
        "LOAD FROM '/etc/passwd' RETURN *",
        "COPY (MATCH (p:Paper) RETURN p.id) TO 'out.csv'",
        "DROP TABLE Paper",
        "",
        "  // nothing",
    ],
)
def test_a_query_may_only_read(filled: Store, snapshot: MadeSnapshot, cypher: str) -> None:
    """A question must not be able to change or copy anything."""
    with pytest.raises(QueryError):
        filled.rows(cypher)
    assert filled.counts() == snapshot.counts()


def test_words_of_writing_are_names_where_they_are_quoted_or_only_text(filled: Store) -> None:
    """A guard that looks for words in texts refuses honest questions."""
    answer = filled.rows(
        "MATCH (`create`:Paper {year: 2021}) // SET it\n"
        "RETURN `create`.id AS `delete`, 'MERGE; DELETE' AS text"
    )
    assert answer.dicts() == [{"delete": "doi:10.1/oak", "text": "MERGE; DELETE"}]


def test_a_missing_parameter_is_an_error_and_not_null(filled: Store) -> None:
    """Taken for null it would answer nothing, and nothing reads like an empty graph."""
    with pytest.raises(QueryError, match=r"\$year"):
        filled.rows("MATCH (p:Paper) WHERE p.year = $year RETURN p", {"yeer": 2021})


@pytest.mark.parametrize(
    "text",
    ["it's", 'a "quote"', "back\\slash", "new\nline", "nul\0", "emoji 🌳", "$year", "`tick`",
     "' OR 1=1 //", "}) MATCH (n) DETACH DELETE n //", "’curly‘", "\u202eright to left"],
)  # fmt: skip
def test_a_value_is_a_value_whatever_it_holds(
    filled: Store, snapshot: MadeSnapshot, text: str
) -> None:
    """Names come out of papers, and papers hold anything."""
    answer = filled.rows(
        "MATCH (p:Paper {year: 2021}) WHERE $text <> p.title RETURN $text AS text", {"text": text}
    )
    assert answer.dicts() == [{"text": text}]
    assert filled.counts() == snapshot.counts()


def test_a_wrong_query_says_what_is_wrong(filled: Store) -> None:
    """The database knows best what it could not read."""
    with pytest.raises(QueryError) as caught:
        filled.rows("MATCH (p:Paper RETURN p.title")
    assert "Invalid input" in caught.value.problem
