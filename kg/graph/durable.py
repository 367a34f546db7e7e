"""Files that are there whole or not at all, also after the power fails."""

import contextlib
import errno
import hashlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

from kg.errors import GraphFolderError

# Names of files that are being written; whoever holds the lock may remove those it finds.
TEMPORARY = ".unfinished-"

_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


class HashingFile:
    """A file to write to that knows the SHA-256 and the size of what was written."""

    closed = False

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._hash = hashlib.sha256()
        self.size_bytes = 0

    def write(self, data: bytes) -> int:
        """Write all of the data."""
        self._file.write(data)
        self._hash.update(data)
        self.size_bytes += len(data)
        return len(data)

    def tell(self) -> int:
        """Return how much was written."""
        return self.size_bytes

    def flush(self) -> None:
        """Hand what is buffered to the system."""
        self._file.flush()

    def writable(self) -> bool:
        """Say that it can be written to."""
        return True

    def readable(self) -> bool:
        """Say that it cannot be read."""
        return False

    def seekable(self) -> bool:
        """Say that it goes one way."""
        return False

    def close(self) -> None:
        """Leave closing to the owner of the file underneath."""

    @property
    def sha256(self) -> str:
        """Hash of what was written."""
        return self._hash.hexdigest()


def sync_folder(folder: Path) -> None:
    """Make renames and new names in the folder survive a power failure."""
    if os.name == "nt":  # folders cannot be opened there, and need not be
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write_file(
    folder: Path, name: str | Callable[[HashingFile], str], write: Callable[[HashingFile], None]
) -> tuple[Path, HashingFile]:
    """Write a file beside its target, flush it to the disk, then rename it.

    Args:
        folder: where the file goes; made when missing.
        name: the file's name, or a function of what was written that gives it.
        write: writes the content.

    Returns:
        The file's path, and hash and size of its content. The folder itself is not yet
        synced: whoever refers to the file does that once for all files.
    """
    folder.mkdir(parents=True, exist_ok=True)
    temporary = folder / f"{TEMPORARY}{os.getpid()}-{os.urandom(4).hex()}"
    try:
        with temporary.open("wb") as file:
            hashing = HashingFile(file)
            write(hashing)
            file.flush()
            os.fsync(file.fileno())
        target = folder / (name if isinstance(name, str) else name(hashing))
        temporary.replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise
    return target, hashing


def write_bytes(path: Path, content: bytes) -> None:
    """Replace a file by the content, whole or not at all, and sync its folder."""

    def write(file: HashingFile) -> None:
        file.write(content)

    write_file(path.parent, path.name, write)
    sync_folder(path.parent)


def remove_temporary(folder: Path) -> int:
    """Remove what killed writers left in the folder; return how many files."""
    found = list(folder.glob(f"{TEMPORARY}*")) if folder.is_dir() else []
    for path in found:
        path.unlink(missing_ok=True)
    return len(found)


@contextlib.contextmanager
def disk_errors(folder: Path) -> Iterator[None]:
    """Turn a full disk and missing rights into errors that say so."""
    try:
        yield
    except OSError as error:
        if error.errno in _FULL:
            raise GraphFolderError(
                f"{folder}: no space is left for the graph ({error.strerror})",
                "Free some space and run the same command again; what was there is intact.",
            ) from error
        if isinstance(error, PermissionError) or error.errno == errno.EROFS:
            raise GraphFolderError(
                f"{error.filename or folder}: may not be written ({error.strerror})",
                "Choose a folder that you may write to.",
            ) from error
        raise
