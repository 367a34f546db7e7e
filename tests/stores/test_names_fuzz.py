"""Names never change a query's meaning, whatever characters they are made of.

KG_FUZZ_EXAMPLES says how many lists of names to try; `python -m benchmarks.fuzz_names` tries many.
"""

import contextlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kg.stores.bulk import _literal
from kg.stores.embedded import EmbeddedStore
from kg.stores.neo4j import Neo4jStore
from kg.stores.neo4j_check import differing_content
from kg.stores.neo4j_connection import Address
from tests.conftest import emptied
from tests.neo4j.server import VERSIONS, Server
from tests.stores.naming import SIGNS, named, names, wrong

EXAMPLES = int(os.environ.get("KG_FUZZ_EXAMPLES", "2"))
MANY = st.lists(names, min_size=20, max_size=60)
fuzzed = settings(
    max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck), database=None
)


def test_the_signs_alone_mean_nothing_in_the_embedded_store(tmp_path: Path) -> None:
    """Those of which attacks are made."""
    snapshot = named(SIGNS)
    with contextlib.closing(EmbeddedStore(tmp_path / "db")) as store:
        store.load(snapshot)
        assert wrong(store, snapshot) == []


@fuzzed
@given(MANY)
def test_names_mean_nothing_in_the_embedded_store(
    tmp_path_factory: pytest.TempPathFactory, given_names: list[str]
) -> None:
    """Loaded, looked up and asked for."""
    snapshot = named(given_names)
    with contextlib.closing(EmbeddedStore(tmp_path_factory.mktemp("fuzz") / "db")) as store:
        store.load(snapshot)
        assert wrong(store, snapshot) == []


@pytest.mark.neo4j
@pytest.mark.parametrize("version", VERSIONS)
@fuzzed
@given(MANY)
def test_names_mean_nothing_in_neo4j(
    shared_neo4j: Callable[[str], Server], version: str, given_names: list[str]
) -> None:
    """Loaded, looked up and asked for; the graph's own name is such a name too."""
    server = shared_neo4j(version)
    emptied(server)
    snapshot = named([*given_names, *SIGNS])
    graph = given_names[0].replace("|", "")[:100] or "'"
    with Neo4jStore(Address(server.uri, password=server.password), graph=graph) as store:
        store.load(snapshot)
        assert wrong(store, snapshot) == []
        assert differing_content(store, snapshot) == ()


@pytest.mark.neo4j
@fuzzed
@given(MANY)
def test_a_text_written_into_a_script_is_the_text_that_is_read(
    shared_neo4j: Callable[[str], Server], given_names: list[str]
) -> None:
    """The one place where values stand in the text of a query."""
    server = shared_neo4j("5")
    with Neo4jStore(Address(server.uri, password=server.password)) as store:
        given = [*given_names, *SIGNS]
        with store.session() as session:
            said = session.run(cast("Any", f"RETURN {_literal(given)} AS texts")).single(
                strict=True
            )
        assert said["texts"] == given
