"""Which file of db/ holds which build, swapped so that readers never see half of one.

A database file is written beside the current one and becomes current by the rename of
`state.json`. Readers that still hold the old file keep reading it.
"""

import contextlib
import json
import os
import sys
import time
import zlib
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

STATE = "state.json"
_ALWAYS_SUMMED = 32 * 1024 * 1024  # bytes whose checksum costs less than a query
_CHUNK = 4 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class State:
    """What state.json says of the current database file."""

    build: str
    file: str
    engine: str  # version of the database that wrote it
    tables: str  # fingerprint of the tables
    counts: dict[str, int]
    size: int
    mtime_ns: int
    crc32: int
    edited: bool = False  # a query with --write changed it


class Cache:
    """The folder db/ of a graph."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def state(self) -> State | None:
        """Return what is current; None when nothing usable is said."""
        try:
            return State(**json.loads((self.folder / STATE).read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError):
            return None

    def path(self, state: State) -> Path:
        """Return the database file of a state."""
        return self.folder / Path(state.file).name

    def damage(self, state: State) -> str:
        """Say why the file cannot be trusted; empty when it can.

        A large file whose size and time of change are as recorded is not read again.
        """
        path = self.path(state)
        try:
            found = path.stat()
        except OSError:
            return "is missing"
        if found.st_size != state.size:
            return "is damaged"
        if found.st_size > _ALWAYS_SUMMED and found.st_mtime_ns == state.mtime_ns:
            return ""
        return "" if checksum(path) == state.crc32 else "is damaged"

    def fresh_path(self, build: str) -> Path:
        """Return a name for a new database file, which no reader knows yet."""
        self.folder.mkdir(parents=True, exist_ok=True)
        return self.folder / f"{build[:16]}-{os.getpid()}-{time.time_ns():x}.lbug"

    def publish(self, path: Path, state: State) -> None:
        """Make a finished file the current one, then clear away the others."""
        with path.open("rb") as handle:
            os.fsync(handle.fileno())
        beside = self.folder / f"{STATE}.{os.getpid()}.new"
        beside.write_text(json.dumps(asdict(state), indent=1, sort_keys=True), encoding="utf-8")
        with beside.open("rb") as handle:
            os.fsync(handle.fileno())
        beside.replace(self.folder / STATE)
        self.sweep(keep=path.name)

    def sweep(self, keep: str) -> None:
        """Remove what earlier or interrupted runs left; only under the lock."""
        for path in self.folder.iterdir():
            if not path.name.startswith(keep) and path.suffix in (".lbug", ".new", ".wal", ".tmp"):
                # Windows refuses while a reader has it open; the next sweep gets it.
                with contextlib.suppress(OSError):
                    path.unlink()

    @contextlib.contextmanager
    def lock(self, waiting: Callable[[], None]) -> Iterator[None]:
        """Hold the only right to write into the folder; a dead process leaves no lock."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with (self.folder / "lock").open("a+b") as handle:
            if not _try_lock(handle.fileno()):
                waiting()
                while not _try_lock(handle.fileno()):
                    time.sleep(0.05)
            yield


def described(
    path: Path,
    *,
    build: str,
    engine: str,
    tables: str,
    counts: dict[str, int],
    edited: bool = False,
) -> State:
    """Describe a finished database file."""
    found = path.stat()
    return State(
        build, path.name, engine, tables, counts, found.st_size, found.st_mtime_ns,
        checksum(path), edited,
    )  # fmt: skip


def checksum(path: Path) -> int:
    """Return the CRC-32 of a file."""
    total = 0
    with path.open("rb") as handle:
        while chunk := handle.read(_CHUNK):
            total = zlib.crc32(chunk, total)
    return total


def _try_lock(descriptor: int) -> bool:
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
