"""How to reach a Neo4j, and its failures in words a user can act on."""

import contextlib
import logging
import socket
import ssl
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

import neo4j
from neo4j.exceptions import (
    AuthError,
    ClientError,
    ConfigurationError,
    DriverError,
    IncompleteCommit,
    Neo4jError,
    ServiceUnavailable,
    SessionExpired,
)

from kg.errors import QueryError, StoreAuthError, StoreError, StoreUnavailableError

# The driver's log of repeated transactions goes where an application sends it, not to the terminal.
logging.getLogger("neo4j").addHandler(logging.NullHandler())

T = TypeVar("T")
Sessions = Callable[[], neo4j.Session]
Work = Callable[[neo4j.ManagedTransaction], T]

_COMMITS = 10  # of one transaction, whose answers may be lost

_FIRST_PAUSE_S = 0.1  # before a transaction is repeated, doubled each time; a deadlock ends at once

_PORT = 7687  # where none is named
_SCHEMES = ("bolt", "bolt+s", "bolt+ssc", "neo4j", "neo4j+s", "neo4j+ssc")


@dataclass(frozen=True, slots=True)
class Address:
    """Where a database is and who asks; the password is never shown."""

    uri: str
    user: str = "neo4j"
    password: str | None = field(default=None, repr=False)
    database: str | None = None  # the server's default
    ca_file: Path | None = None

    def __post_init__(self) -> None:
        """Refuse what cannot be an address, without repeating a password that stands in it."""
        try:
            parts = urlsplit(self.uri)
            port_is_number = parts.port is None or parts.port > 0
        except ValueError:
            parts, port_is_number = urlsplit(""), False
        if parts.password is not None or parts.username is not None:
            raise StoreError(
                "the address of the database holds a user or a password",
                "Leave them out of --uri; pass --user, and the password in KG_NEO4J_PASSWORD "
                "or by --password-file.",
            )
        if parts.scheme not in _SCHEMES or not parts.hostname or not port_is_number:
            raise StoreError(
                f"{self.uri!r} is no address of a Neo4j database",
                f"Pass --uri such as bolt://localhost:7687, with one of: {', '.join(_SCHEMES)}.",
            )

    def driver(self, retry_s: float = 30) -> neo4j.Driver:
        """Open a driver; nothing is sent yet. Transactions are repeated for `retry_s` seconds."""
        auth = None if self.password is None else (self.user, self.password)
        uri = self.uri
        more: dict[str, Any] = {"initial_retry_delay": _FIRST_PAUSE_S}
        if self.ca_file is not None:
            _check_authority(self.ca_file)
            # The driver takes a CA of one's own only where the scheme does not fix the trust.
            scheme, rest = uri.split("://", 1)
            uri = f"{scheme.split('+')[0]}://{rest}"
            more["encrypted"] = True
            more["trusted_certificates"] = neo4j.TrustCustomCAs(str(self.ca_file))
        with failures(self):
            return neo4j.GraphDatabase.driver(
                uri,
                auth=auth,
                user_agent="kg",
                notifications_min_severity="OFF",
                connection_timeout=10,
                max_transaction_retry_time=retry_s,
                **more,
            )


def _check_authority(path: Path) -> None:
    try:
        ssl.create_default_context(cafile=path)
    except FileNotFoundError as error:
        raise StoreError(
            f"{path}: there is no such file", "Name a PEM file by --ca-file."
        ) from error
    except (OSError, ssl.SSLError) as error:
        raise StoreError(
            f"{path}: holds no certificate of an authority",
            "Name a PEM file by --ca-file: text with a line BEGIN CERTIFICATE.",
        ) from error


def written(sessions: Sessions, work: Work[T]) -> T:
    """Do work in a writing transaction, again when the server or the connection fails.

    The driver does not repeat a transaction whose commit got no answer, since it may have been
    kept. So `work` must be such that doing it twice is doing it once.
    """
    return _answered(sessions, lambda session: session.execute_write(work))


def read(sessions: Sessions, work: Work[T]) -> T:
    """Do work in a reading transaction, again when the server or the connection fails."""
    return _answered(sessions, lambda session: session.execute_read(work))


def _answered(sessions: Sessions, ask: Callable[[neo4j.Session], T]) -> T:
    for left in reversed(range(_COMMITS)):
        try:
            with sessions() as session:
                return ask(session)
        except IncompleteCommit:
            if not left:
                raise
    raise AssertionError("the last try returns or raises")


@contextlib.contextmanager
def failures(address: Address) -> Iterator[None]:
    """Turn what the driver raises into errors that say what to do."""
    try:
        yield
    except AuthError as error:
        raise _refused(address, error) from error
    except (ServiceUnavailable, SessionExpired) as error:
        _refuse_certificate(address, error)
        raise StoreUnavailableError(
            f"no Neo4j answers at {address.uri}: {_first_line(error)}",
            "Is it running, is the address right, and does it take bolt there? "
            "When it is up again, run the same command: it goes on where it stopped.",
        ) from error
    except ClientError as error:
        if error.code and "Security" in error.code:
            raise _refused(address, error) from error
        if error.code and error.code.endswith("DatabaseNotFound"):
            raise StoreError(
                f"{address.uri} has no database {address.database!r}",
                "Leave out --database for the default one; Community has just that.",
            ) from error
        if error.code and ".Statement." in error.code:
            raise QueryError(_first_line(error), "Neo4j refuses the query.") from error
        raise StoreError(_first_line(error), f"Neo4j's code is {error.code}.") from error
    except ConfigurationError as error:
        raise StoreError(_first_line(error), "Check --uri and --ca-file.") from error
    except Neo4jError as error:
        raise StoreError(
            _first_line(error), f"Neo4j's code is {error.code}; run the command again."
        ) from error
    except DriverError as error:
        raise StoreError(_first_line(error), "Run the command again.") from error
    except (ConnectionError, TimeoutError, socket.gaierror, ssl.SSLError) as error:
        raise StoreUnavailableError(
            f"no Neo4j answers at {address.uri}: {error.strerror or type(error).__name__}",
            "Is it running, and is the address right?",
        ) from error


def _refuse_certificate(address: Address, error: BaseException) -> None:
    cause: BaseException | None = error
    while cause is not None and not isinstance(cause, ssl.SSLCertVerificationError):
        cause = cause.__cause__ or cause.__context__
    cause = cause or _distrusted(address)
    if cause is not None:
        raise StoreUnavailableError(
            f"the certificate of {address.uri} is not trusted: {cause.verify_message}",
            "Is this the name it was made for? Name the PEM file of the authority that signed it by "
            "--ca-file; bolt+ssc:// and neo4j+ssc:// take any certificate.",
        ) from error


def _distrusted(address: Address) -> ssl.SSLCertVerificationError | None:
    """Return why a server's certificate is not trusted: a driver that asks for routes keeps it."""
    parts = urlsplit(address.uri)
    if parts.scheme not in ("neo4j", "neo4j+s") or parts.hostname is None:
        return None
    if parts.scheme == "neo4j" and address.ca_file is None:
        return None
    try:
        context = ssl.create_default_context(cafile=address.ca_file)
        with (
            socket.create_connection((parts.hostname, parts.port or _PORT), 10) as plain,
            context.wrap_socket(plain, server_hostname=parts.hostname),
        ):
            return None
    except ssl.SSLCertVerificationError as error:
        return error
    except OSError:
        return None


def _refused(address: Address, error: Exception) -> StoreAuthError:
    if address.password is None:
        return StoreAuthError(
            f"{address.uri} asks for a password",
            "Put it into KG_NEO4J_PASSWORD or into a file that --password-file names.",
        )
    code = getattr(error, "code", "") or ""
    if code.endswith("AuthenticationRateLimit"):
        return StoreAuthError(
            f"{address.uri} has seen too many wrong passwords",
            "Wait some seconds, then try with the right one.",
        )
    if code.endswith("CredentialsExpired"):
        return StoreAuthError(
            f"the password of {address.user!r} at {address.uri} has to be changed first",
            "Sign in once with Neo4j Browser or cypher-shell and choose another.",
        )
    return StoreAuthError(
        f"{address.uri} refuses the user {address.user!r} or the password",
        "Check --user, and KG_NEO4J_PASSWORD or the file of --password-file.",
    )


def _first_line(error: Exception) -> str:
    message = getattr(error, "message", None) or str(error)
    return message.strip().splitlines()[0] if message.strip() else type(error).__name__
