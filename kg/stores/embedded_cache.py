"""Which file of db/ holds which build, swapped so that readers never see half of one.

A database is a file, and a log of what changed since the file was made. It is written beside the
current one and becomes current by the rename of `state.json`. Readers that still hold the old file
keep reading it. Two databases may share one file, by two names for it, since only logs grow.
"""

import contextlib
import io
import json
import os
import shutil
import sys
import time
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, BinaryIO

STATE = "state.json"
_ALWAYS_SUMMED = 32 * 1024 * 1024  # bytes whose checksum costs less than a query
_CHUNK = 4 * 1024 * 1024
_PART = 256 * 1024 * 1024  # bytes that one thread sums
_READERS = "readers"
_LOG = ".wal"
# What an engine that did not come to its end leaves beside a file.
_UNFINISHED = (".shadow", ".wal.checkpoint")


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
    log_size: int = 0
    log_crc32: int = 0
    log_rows: int = 0  # that came, went or changed since the file was made
    edited: bool = False  # a query with --write changed it


class Cache:
    """The folder db/ of a graph."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def state(self) -> State | None:
        """Return what is current; None when nothing usable is said."""
        try:
            said = json.loads((self.folder / STATE).read_text(encoding="utf-8"))
            return State(**said["state"]) if said["crc32"] == _sum(said["state"]) else None
        except (OSError, ValueError, TypeError, KeyError):
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
        if found.st_size != state.size or any(_beside(path, s).exists() for s in _UNFINISHED):
            return "is damaged"
        if _log_of(path) != (state.log_size, state.log_crc32):
            return "is damaged"
        if found.st_size > _ALWAYS_SUMMED and found.st_mtime_ns == state.mtime_ns:
            return ""
        return "" if checksum(path) == state.crc32 else "is damaged"

    def remains(self) -> str:
        """Say what is wrong where files are left and nothing says what they hold; else empty."""
        if (self.folder / STATE).exists():
            return "is damaged"
        left = self.folder.exists() and any(self.folder.glob("*.lbug*"))
        return "was left half made" if left else ""

    def reading(self) -> BinaryIO | None:
        """Keep the file from being written while the handle is open; None if it is being written."""
        try:
            handle = (self.folder / _READERS).open("rb")
        except OSError:
            return io.BytesIO()  # nobody can write while others read without that file
        if _try_lock(handle.fileno(), shared=True):
            return handle
        handle.close()
        return None

    @contextlib.contextmanager
    def alone(self) -> Iterator[bool]:
        """Keep readers away; False where somebody reads, or where locks cannot be shared."""
        if sys.platform == "win32":
            yield False
            return
        with (self.folder / _READERS).open("a+b") as handle:
            yield _try_lock(handle.fileno())

    def duplicate(self, state: State, path: Path, *, link: bool) -> None:
        """Give the current database a second name, with a log of its own, or copy it."""
        source = self.path(state)
        if state.log_size:
            shutil.copyfile(_beside(source, _LOG), _beside(path, _LOG))
        if link:
            with contextlib.suppress(OSError):  # not every file system has links
                path.hardlink_to(source)
                return
        shutil.copyfile(source, path)
        shutil.copystat(source, path)

    def fresh_path(self, build: str) -> Path:
        """Return a name for a new database file, which no reader knows yet."""
        self.folder.mkdir(parents=True, exist_ok=True)
        return self.folder / f"{build[:16]}-{os.getpid()}-{time.time_ns():x}.lbug"

    def publish(self, path: Path, state: State) -> None:
        """Make a finished file the current one, then clear away the others."""
        for written in (path, _beside(path, _LOG)):
            with contextlib.suppress(FileNotFoundError), written.open("rb") as handle:
                os.fsync(handle.fileno())
        beside = self.folder / f"{STATE}.{os.getpid()}.new"
        beside.write_text(encoded(asdict(state)), encoding="utf-8")
        with beside.open("rb") as handle:
            os.fsync(handle.fileno())
        (self.folder / _READERS).touch()
        beside.replace(self.folder / STATE)
        self.sweep(path)

    def sweep(self, current: Path) -> None:
        """Remove what earlier or interrupted runs left; only under the lock."""
        kept = (current, _beside(current, _LOG))
        for path in self.folder.iterdir():
            ours = ".lbug" in path.suffixes or path.suffix == ".new"
            if ours and path not in kept:
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


def encoded(state: dict[str, Any]) -> str:
    """Return the text of state.json: what it says, and a checksum of that."""
    return json.dumps({"state": state, "crc32": _sum(state)}, indent=1, sort_keys=True)


def _sum(state: dict[str, Any]) -> int:
    return zlib.crc32(json.dumps(state, sort_keys=True).encode())


def described(
    path: Path,
    *,
    build: str,
    engine: str,
    tables: str,
    counts: dict[str, int],
    log_rows: int = 0,
    edited: bool = False,
    base: State | None = None,
) -> State:
    """Describe a finished database; its file is that of `base` where that is given."""
    found = path.stat()
    log_size, log_crc32 = _log_of(path)
    return State(
        build=build,
        file=path.name,
        engine=engine,
        tables=tables,
        counts=counts,
        size=found.st_size,
        mtime_ns=found.st_mtime_ns,
        crc32=checksum(path) if base is None else base.crc32,
        log_size=log_size,
        log_crc32=log_crc32,
        log_rows=log_rows,
        edited=edited,
    )


def _beside(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


def _log_of(path: Path) -> tuple[int, int]:
    """Return size and checksum of a database's log; none and an empty one are the same."""
    log = _beside(path, _LOG)
    try:
        size = log.stat().st_size
        return size, checksum(log) if size else 0
    except FileNotFoundError:
        return 0, 0


def checksum(path: Path) -> int:
    """Return the CRC-32 of the CRC-32s of a file's parts, which are summed side by side."""
    starts = range(0, path.stat().st_size, _PART)
    if len(starts) <= 1:
        sums = [_sum_part(path, 0)]
    else:
        with ThreadPoolExecutor(min(4, os.cpu_count() or 1)) as threads:
            sums = list(threads.map(lambda start: _sum_part(path, start), starts))
    return zlib.crc32(b"".join(each.to_bytes(4, "big") for each in sums))


def _sum_part(path: Path, start: int) -> int:
    total, left = 0, _PART
    with path.open("rb", buffering=0) as handle:
        handle.seek(start)
        while left and (chunk := handle.read(min(_CHUNK, left))):
            total = zlib.crc32(chunk, total)
            left -= len(chunk)
    return total


def _try_lock(descriptor: int, *, shared: bool = False) -> bool:
    try:
        if sys.platform == "win32":
            import msvcrt

            if not shared:  # files are always copied there
                msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
