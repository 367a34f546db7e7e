"""Encrypted connections, to a real server with a certificate of the test's own."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from kg.errors import StoreError, StoreUnavailableError
from kg.stores.neo4j import Neo4jStore
from kg.stores.neo4j_connection import Address
from tests.conftest import Start, required
from tests.neo4j.certificates import Certificates, make
from tests.neo4j.server import VERSIONS, Server
from tests.stores.made import MadeSnapshot

pytestmark = pytest.mark.neo4j
PASSWORD = "correct horse"  # noqa: S105


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    """The server's."""
    return required(lambda: make(tmp_path_factory.mktemp("tls") / "server"))


@pytest.fixture(scope="module", params=VERSIONS)
def encrypted(
    request: pytest.FixtureRequest, start_neo4j: Start, certificates: Certificates
) -> Iterator[Server]:
    """A server that takes encrypted connections only."""
    settings = {
        "dbms.ssl.policy.bolt.enabled": "true",
        "dbms.ssl.policy.bolt.base_directory": str(certificates.folder),
        "dbms.ssl.policy.bolt.private_key": "private.key",
        "dbms.ssl.policy.bolt.public_certificate": "public.crt",
        "dbms.ssl.policy.bolt.client_auth": "NONE",
        "server.bolt.tls_level": "REQUIRED",
    }
    server = start_neo4j(
        request.param, password=PASSWORD, settings=settings, authority=certificates.authority
    )
    yield server
    server.stop(kill=True)


def address(server: Server, scheme: str, ca_file: Path | None = None) -> Address:
    """The server's address as a user would write it."""
    return Address(f"{scheme}://localhost:{server.port}", password=PASSWORD, ca_file=ca_file)


@pytest.mark.parametrize("scheme", ["bolt+s", "neo4j+s", "bolt", "neo4j", "bolt+ssc"])
def test_a_server_whose_authority_is_named_is_trusted(
    encrypted: Server, certificates: Certificates, snapshot: MadeSnapshot, scheme: str
) -> None:
    """With --ca-file nothing is sent in the clear, whatever the scheme says."""
    with Neo4jStore(
        address(encrypted, scheme, ca_file=certificates.authority), graph=f"by {scheme}"
    ) as store:
        store.load(snapshot)
        assert store.differences(snapshot) == {}


def test_a_certificate_can_be_taken_as_it_is(encrypted: Server) -> None:
    """With ssc, which stands for self-signed certificate."""
    with Neo4jStore(address(encrypted, "bolt+ssc")) as store:
        assert store.rows("RETURN 1 AS one").dicts() == [{"one": 1}]


@pytest.mark.parametrize("scheme", ["bolt+s", "neo4j+s"])
def test_an_authority_that_nobody_named_is_not_trusted(encrypted: Server, scheme: str) -> None:
    """The message says what the matter is, and what to name."""
    with (
        pytest.raises(StoreUnavailableError, match="certificate") as caught,
        Neo4jStore(address(encrypted, scheme), retry_s=0),
    ):
        pass
    assert "--ca-file" in caught.value.remedy
    assert PASSWORD not in repr((caught.value, caught.value.__cause__))


@pytest.mark.parametrize("scheme", ["bolt+s", "neo4j+s"])
def test_a_certificate_of_another_authority_is_refused(
    encrypted: Server, tmp_path: Path, scheme: str
) -> None:
    """Somebody may stand between."""
    other = make(tmp_path / "other")
    with (
        pytest.raises(StoreUnavailableError, match="certificate"),
        Neo4jStore(address(encrypted, scheme, ca_file=other.authority), retry_s=0),
    ):
        pass


def test_a_certificate_for_another_name_is_refused(
    encrypted: Server, certificates: Certificates
) -> None:
    """It was made for localhost, not for the number of this machine."""
    by_number = Address(
        f"bolt+s://127.0.0.1:{encrypted.port}", password=PASSWORD, ca_file=certificates.authority
    )
    with (
        pytest.raises(StoreUnavailableError, match="certificate"),
        Neo4jStore(by_number, retry_s=0),
    ):
        pass


def test_a_connection_in_the_clear_is_refused(encrypted: Server) -> None:
    """Such a server answers nothing else."""
    with (
        pytest.raises(StoreUnavailableError, match="no Neo4j answers"),
        Neo4jStore(address(encrypted, "bolt"), retry_s=0),
    ):
        pass


def test_a_file_that_is_no_certificate_is_named(encrypted: Server, tmp_path: Path) -> None:
    """And nothing is sent."""
    wrong = tmp_path / "wrong.pem"
    wrong.write_text("not one", encoding="utf-8")
    with pytest.raises(StoreError, match=r"wrong\.pem"):
        Neo4jStore(address(encrypted, "bolt+s", ca_file=wrong))


def test_the_command_takes_the_file(
    encrypted: Server, certificates: Certificates, folder: Path
) -> None:
    """From the shell, as it stands in the documentation."""
    done = subprocess.run(
        [
            sys.executable, "-c", "from kg.cli.main import main; main()",
            "neo4j", "load", folder, "--graph", "cli",
            "--uri", f"neo4j+s://localhost:{encrypted.port}", "--ca-file", certificates.authority,
        ],
        env={**os.environ, "KG_NEO4J_PASSWORD": PASSWORD},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "loaded: " in done.stdout
