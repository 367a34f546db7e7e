"""Neo4j's reading Cypher on the embedded store: the same query, the same columns and rows."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from kg.errors import QueryError
from kg.stores.embedded import EmbeddedStore
from kg.stores.neo4j import Neo4jStore
from tests.neo4j.server import VERSIONS

# What the embedded store refuses; docs/cypher.md says what to write instead.
REFUSED = {
    "is-type", "call-union", "more-collect-sub-where", "more-quantified-named", "more-limit-expr",
    "more-map-keys", "more-trim-both", "more-startnode-undirected", "more-is-type-simple",
    "more-mixed-list", "more-duration-between", "more-call-union2", "more-call-limit",
}  # fmt: skip


@dataclass(frozen=True)
class Question:
    """A query of the chapters beside this file."""

    name: str
    cypher: str
    parameters: dict[str, Any]
    ordered: bool


def questions() -> list[Question]:
    """Read every chapter."""
    found = []
    for path in sorted(Path(__file__).parent.glob("*.cypher")):
        for block in path.read_text(encoding="utf-8").strip().split("\n\n"):
            head, *rest = block.splitlines()
            given = {}
            if rest[0].startswith("// {"):
                given = json.loads(rest.pop(0).removeprefix("// "))
            name = head.removeprefix("// ").split()[0]
            found.append(Question(name, "\n".join(rest), given, "(unordered)" not in head))
    return found


QUESTIONS = questions()
KNOWN = [q for q in QUESTIONS if q.name not in REFUSED]


@pytest.mark.neo4j
@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("question", KNOWN, ids=lambda q: q.name)
def test_the_same_query_gives_the_same_rows(
    question: Question,
    version: str,
    filled_embedded: EmbeddedStore,
    filled_neo4j: Callable[[str], Neo4jStore],
) -> None:
    """People come with queries that they wrote for Neo4j."""
    expected = filled_neo4j(version).rows(question.cypher, question.parameters)
    found = filled_embedded.rows(question.cypher, question.parameters)

    assert expected.rows, "a query that finds nothing shows nothing"
    if question.ordered:
        assert found == expected
    else:
        assert found.columns == expected.columns
        assert len(found.rows) == len(expected.rows)
        assert all(found.rows.count(row) == expected.rows.count(row) for row in expected.rows)


@pytest.mark.parametrize(
    "question", [q for q in QUESTIONS if q.name in REFUSED], ids=lambda q: q.name
)
def test_what_is_not_known_is_refused_and_not_answered_otherwise(
    question: Question, filled_embedded: EmbeddedStore
) -> None:
    """An error is better than other rows."""
    with pytest.raises(QueryError):
        filled_embedded.rows(question.cypher, question.parameters)


def test_enough_is_known() -> None:
    """At least 55 of 66: here are more."""
    assert len({question.name for question in QUESTIONS}) == len(QUESTIONS) >= 66
    assert {question.name for question in QUESTIONS} >= REFUSED
    assert len(KNOWN) / len(QUESTIONS) > 55 / 66
