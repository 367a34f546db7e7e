"""Fixtures that tests of several layers share."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import neo4j
import pytest

from tests.made_model import made_model as made_model  # a fixture
from tests.neo4j.server import VERSIONS, MissingError, Server

Start = Callable[..., Server]
T = TypeVar("T")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Say which tests run in one process; leave out those that take minutes, unless asked for."""
    for item in items:
        item.add_marker(pytest.mark.xdist_group(_group(item)))
        if item.get_closest_marker("long") and not os.environ.get("KG_TEST_LONG"):
            item.add_marker(pytest.mark.skip("takes minutes; set KG_TEST_LONG=1"))


def _group(item: pytest.Item) -> str:
    # Each Neo4j is started once, and one process alone empties and fills it.
    if not item.get_closest_marker("neo4j"):
        return item.path.relative_to(item.config.rootpath).as_posix()
    if os.environ.get("KG_TEST_NEO4J_URI"):
        return "neo4j"
    call = getattr(item, "callspec", None)
    given = [v for v in call.params.values() if isinstance(v, str)] if call else []
    return f"neo4j-{next((v for v in given if v in VERSIONS), next(iter(VERSIONS)))}"


def required(make: Callable[[], T], variable: str = "KG_REQUIRE_NEO4J") -> T:
    """Return what is made; where a tool is missing skip in one line, or fail if it is required."""
    try:
        return make()
    except MissingError as missing:
        if os.environ.get(variable):
            pytest.fail(str(missing))
        pytest.skip(str(missing))


@pytest.fixture(scope="session")
def start_neo4j(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Start]:
    """Start a Neo4j by version; skip in one line where what it needs is not installed."""
    started: list[Server] = []

    def start(version: str = "5", **options: Any) -> Server:
        server = Server(version, tmp_path_factory.mktemp(f"neo4j-{version}"), **options)
        required(server.start)
        started.append(server)
        return server

    yield start
    for server in started:
        server.stop(kill=True)


@pytest.fixture(scope="session")
def shared_neo4j(start_neo4j: Start) -> Callable[[str], Server]:
    """Return one server per version for the whole session, without a password.

    With KG_TEST_NEO4J_URI (and KG_NEO4J_PASSWORD) that server stands for the first version, and
    the others are left out. Tests empty the database before they use it.
    """
    servers: dict[str, Server] = {}
    uri = os.environ.get("KG_TEST_NEO4J_URI")

    def shared(version: str) -> Server:
        if uri and version != next(iter(VERSIONS)):
            pytest.skip("KG_TEST_NEO4J_URI names one server; it stands for one version")
        if version not in servers:
            servers[version] = (
                _Given("given", Path(), os.environ.get("KG_NEO4J_PASSWORD"), given=uri)
                if uri
                else start_neo4j(version)
            )
        return servers[version]

    return shared


@pytest.fixture(params=list(VERSIONS))
def neo4j_server(request: pytest.FixtureRequest, shared_neo4j: Callable[[str], Server]) -> Server:
    """An empty Neo4j of each version in turn."""
    server = shared_neo4j(request.param)
    emptied(server)
    return server


@pytest.fixture
def one_neo4j(shared_neo4j: Callable[[str], Server]) -> Server:
    """An empty Neo4j of one version, for what takes long and is kg's or the driver's doing."""
    server = shared_neo4j(next(iter(VERSIONS)))
    emptied(server)
    return server


def emptied(server: Server) -> None:
    """Delete everything in a server's database."""
    auth = ("neo4j", server.password) if server.password else None
    with (
        neo4j.GraphDatabase.driver(server.uri, auth=auth) as driver,
        driver.session() as session,
    ):
        session.run("MATCH (n) CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 5000 ROWS").consume()


class _Given(Server):
    """A server that somebody else runs."""

    def __init__(self, version: str, home: Path, password: str | None, *, given: str) -> None:
        super().__init__(version, home, password)
        self._given = given

    @property
    def uri(self) -> str:
        return self._given
