"""One writer at a time: a lock that ends with the process that holds it."""

import contextlib
import errno
import json
import os
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from kg.errors import LockedError

LOCK = "lock"
_MARK = "kg graph folder lock"
_POLL_S = 0.1
_LOCKED_BYTE = 1 << 30  # where Windows locks, so that the text before it stays readable

# POSIX locks belong to the process, so that a second writer in the same one needs this.
_held: set[str] = set()
_guard = threading.Lock()


@dataclass(frozen=True, slots=True)
class Holder:
    """Who writes, or wrote and was killed."""

    pid: int
    host: str
    started: str  # of the process, where the system tells; two processes can share a pid
    since: str

    def __str__(self) -> str:
        return f"process {self.pid} on {self.host}, writing since {self.since}"


@contextlib.contextmanager
def locked(
    folder: Path, *, wait: bool = True, say: Callable[[str], None] | None = None
) -> Iterator[Holder | None]:
    """Hold the folder's lock.

    Args:
        folder: made when it is missing.
        wait: until the other writer is done; otherwise fail at once.
        say: told once that it waits, and for whom.

    Yields:
        Whoever held the lock before and was killed, None after an orderly end.

    Raises:
        LockedError: another process writes, and `wait` is off.
    """
    path = folder / LOCK
    key = str(path.resolve())
    told = False
    while True:
        descriptor = _try(path, key)
        if descriptor is not None:
            break
        holder = read_holder(path)
        who = str(holder) if holder else "another writer"
        if not wait:
            raise LockedError(
                f"{folder}: {who} holds the lock", "Try again later, or without --no-wait."
            )
        if say and not told:
            say(f"Waiting for {who}.")
            told = True
        time.sleep(_POLL_S)
    try:
        before = _holder(_read(descriptor))
        _write(descriptor, {"lock": _MARK, **asdict(this_process())})
        yield before
    finally:
        _write(descriptor, {"lock": _MARK})
        os.close(descriptor)
        with _guard:
            _held.discard(key)


def is_lock(path: Path) -> bool:
    """Say whether kg wrote this lock file: the mark of a folder without a finished build.

    An empty one counts where nothing stands beside it: a run that was killed before its first
    word leaves that.
    """
    content = _content(path)
    if content:
        return _MARK.encode() in content
    with contextlib.suppress(OSError):  # taken away just now
        return [entry.name for entry in path.parent.iterdir()] == [LOCK]
    return False


def read_holder(path: Path) -> Holder | None:
    """Return who holds the lock, None where the file does not say."""
    return _holder(_content(path))


def _content(path: Path) -> bytes:
    with _guard:
        # Opening and closing the file would end the lock that this process holds on it.
        if str(path.resolve()) in _held:
            return json.dumps({"lock": _MARK, **asdict(this_process())}).encode()
        try:
            return path.read_bytes()
        except OSError:
            return b""


def _holder(content: bytes) -> Holder | None:
    try:
        said = json.loads(content)
        return Holder(said["pid"], said["host"], said["started"], said["since"])
    except (ValueError, KeyError, TypeError):
        return None


def this_process() -> Holder:
    """Return what this process says of itself."""
    pid = os.getpid()
    since = datetime.now(UTC).isoformat(timespec="seconds")
    return Holder(pid, socket.gethostname(), _start_of(pid), since)


def _try(path: Path, key: str) -> int | None:
    # Not opened at all while this process holds it: closing it again would end the lock.
    with _guard:
        if key in _held:
            return None
        # Whoever made the folder and had nothing to put into it takes it away again.
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        except FileNotFoundError:  # taken away just now
            return None
        if _lock(descriptor) and _is_at(path, descriptor):
            _held.add(key)
            return descriptor
        os.close(descriptor)
        return None


def _is_at(path: Path, descriptor: int) -> bool:
    """Say whether the open file still stands there; a lock on a removed one keeps nobody out."""
    try:
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False


def _lock(descriptor: int) -> bool:
    """Take the system's lock, which ends with the process, however that ends."""
    try:
        if sys.platform == "win32":
            import msvcrt

            os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            # Not flock: worker processes would inherit it and hold it after their parent.
            fcntl.lockf(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in (errno.EACCES, errno.EAGAIN, errno.EDEADLK):
            return False
        # A file system without locks: what the file says has to do.
        return not alive(_holder(_read(descriptor)))
    return True


def alive(holder: Holder | None) -> bool:
    """Say whether the process still runs; True where nobody can tell from here."""
    if holder is None:
        return False
    if holder.host != socket.gethostname():
        return True  # nobody can tell from here
    try:
        os.kill(holder.pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return not holder.started or _start_of(holder.pid) == holder.started


def _start_of(pid: int) -> str:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    # The name in brackets may hold spaces and brackets; the start is the 22nd field of all.
    return stat.rpartition(")")[2].split()[19]


def _read(descriptor: int) -> bytes:
    os.lseek(descriptor, 0, os.SEEK_SET)
    return os.read(descriptor, 4096)


def _write(descriptor: int, said: dict[str, object]) -> None:
    content = (json.dumps(said) + "\n").encode("utf-8")
    # Who writes is told for people; a full disk must not stop a writer that would fit.
    with contextlib.suppress(OSError):
        # Cut after it is written, so that a kill leaves no empty file in between.
        os.lseek(descriptor, 0, os.SEEK_SET)
        os.write(descriptor, content)
        os.ftruncate(descriptor, len(content))
