"""A connection to a Neo4j that breaks: a proxy which cuts it when a test says so."""

import contextlib
import socket
import threading
from collections.abc import Iterator
from typing import Protocol

COMMIT = b"\x00\x02\xb0\x12\x00\x00"  # Bolt's message, as it stands on the wire


class Fault(Protocol):
    """Decides when a connection breaks; one object for one connection."""

    def before(self, sent: bytes) -> bool:
        """Say whether to cut before these bytes of the client reach the server."""
        ...

    def after(self, sent: bytes) -> bool:
        """Say whether to cut when the server has answered these bytes, but the client has not heard."""
        ...


class MiddleOfTransaction:
    """Cuts when so many bytes have gone through."""

    def __init__(self, size: int) -> None:
        self._left = size

    def before(self, sent: bytes) -> bool:
        """Count."""
        self._left -= len(sent)
        return self._left < 0

    def after(self, sent: bytes) -> bool:
        """Never."""
        return False


class LostAnswer:
    """Lets a commit reach the server, and cuts before the client hears of it."""

    def __init__(self, commits: int) -> None:
        self._left = commits

    def before(self, sent: bytes) -> bool:
        """Never."""
        return False

    def after(self, sent: bytes) -> bool:
        """Count."""
        self._left -= sent.count(COMMIT)
        return self._left < 0


class Proxy:
    """Listens on a port of its own and passes everything on to a server."""

    def __init__(self, port: int, faults: Iterator[Fault | None]) -> None:
        self.cuts = 0
        self._to = port
        self._faults = faults
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.uri = f"bolt://127.0.0.1:{self._listening.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        """Take no more connections."""
        self._listening.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listening.accept()
                fault = next(self._faults, None)
                server = socket.create_connection(("127.0.0.1", self._to))
                quiet = threading.Event()
                for target, arguments in (
                    (self._up, (client, server, fault, quiet)),
                    (self._down, (client, server, quiet)),
                ):
                    threading.Thread(target=target, args=arguments, daemon=True).start()

    def _up(
        self, client: socket.socket, server: socket.socket, fault: Fault | None,
        quiet: threading.Event,
    ) -> None:  # fmt: skip
        with contextlib.suppress(OSError):
            while data := client.recv(1 << 16):
                if fault and fault.before(data):
                    break
                if fault and fault.after(data):
                    quiet.set()
                    server.sendall(data)
                    return  # _down cuts when the server has answered
                server.sendall(data)
            else:
                server.shutdown(socket.SHUT_WR)
                return
        self._cut(client, server)

    def _down(self, client: socket.socket, server: socket.socket, quiet: threading.Event) -> None:
        with contextlib.suppress(OSError):
            while data := server.recv(1 << 16):
                if quiet.is_set():
                    self._cut(client, server)
                    return
                client.sendall(data)
        with contextlib.suppress(OSError):
            client.shutdown(socket.SHUT_WR)

    def _cut(self, *ends: socket.socket) -> None:
        self.cuts += 1
        for end in ends:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()
