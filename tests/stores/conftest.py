"""Every store, filled with the small library."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from kg.stores.embedded import EmbeddedStore
from kg.stores.neo4j import Neo4jStore
from kg.stores.neo4j_connection import Address
from kg.stores.protocol import Store
from tests.conftest import emptied
from tests.neo4j.server import VERSIONS, Server
from tests.stores.library import grown, library
from tests.stores.made import MadeSnapshot, stored


@pytest.fixture(scope="session")
def snapshot(tmp_path_factory: pytest.TempPathFactory) -> MadeSnapshot:
    """The library as it was first."""
    return MadeSnapshot(tmp_path_factory.mktemp("library"), library())


@pytest.fixture(scope="session")
def later(tmp_path_factory: pytest.TempPathFactory) -> MadeSnapshot:
    """The library some changes later."""
    return MadeSnapshot(tmp_path_factory.mktemp("later"), grown())


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory, snapshot: MadeSnapshot) -> Path:
    """The library as a graph's folder."""
    return stored(tmp_path_factory.mktemp("folder") / "my.kg", snapshot)


@pytest.fixture
def embedded(tmp_path: Path) -> Iterator[EmbeddedStore]:
    """An embedded store that holds nothing."""
    store = EmbeddedStore(tmp_path / "db")
    yield store
    store.close()


_STORES = ["embedded", *(pytest.param(v, marks=pytest.mark.neo4j) for v in VERSIONS)]


@pytest.fixture(params=_STORES)
def store(
    request: pytest.FixtureRequest, tmp_path: Path, shared_neo4j: Callable[[str], Server]
) -> Iterator[Store]:
    """Each store in turn, holding nothing."""
    if request.param == "embedded":
        made: Store = EmbeddedStore(tmp_path / "db")
    else:
        server = shared_neo4j(request.param)
        emptied(server)
        made = Neo4jStore(Address(server.uri, password=server.password))
    yield made
    made.close()


@pytest.fixture(params=_STORES)
def filled(
    request: pytest.FixtureRequest,
    filled_embedded: EmbeddedStore,
    filled_neo4j: Callable[[str], Neo4jStore],
) -> Store:
    """Each store in turn with the library in it, for tests that only read."""
    return filled_embedded if request.param == "embedded" else filled_neo4j(request.param)


@pytest.fixture(scope="session")
def filled_embedded(
    tmp_path_factory: pytest.TempPathFactory, snapshot: MadeSnapshot
) -> Iterator[EmbeddedStore]:
    """The embedded store with the library in it."""
    store = EmbeddedStore.synced(tmp_path_factory.mktemp("filled") / "db", snapshot)
    yield store
    store.close()


@pytest.fixture(scope="session")
def filled_neo4j(
    shared_neo4j: Callable[[str], Server], snapshot: MadeSnapshot
) -> Iterator[Callable[[str], Neo4jStore]]:
    """Return a Neo4j of a version with the library in it, filled again if a test emptied it."""
    stores: dict[str, Neo4jStore] = {}

    def ready(version: str) -> Neo4jStore:
        server = shared_neo4j(version)
        if version not in stores:
            emptied(server)
            stores[version] = Neo4jStore(Address(server.uri, password=server.password))
        if stores[version].build() != snapshot.build:
            emptied(server)
            stores[version].load(snapshot)
        return stores[version]

    yield ready
    for store in stores.values():
        store.close()


@pytest.fixture
def neo4j_store(neo4j_server: Server) -> Iterator[Neo4jStore]:
    """An empty Neo4j of each version in turn."""
    with Neo4jStore(Address(neo4j_server.uri, password=neo4j_server.password)) as store:
        yield store
