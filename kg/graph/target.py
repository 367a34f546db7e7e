"""Where what is made from a graph is written: beside its place, moved there once it is whole."""

import errno
import os
import re
import shutil
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from kg.errors import ExportError
from kg.graph.folder import NODES
from kg.graph.manifest import MANIFEST

# The file that marks a folder as an export, which a later export may replace.
MARK = "schema.json"


@contextmanager
def new_path(path: Path) -> Iterator[Path]:
    """Yield a path beside; what is written there becomes `path` when the block ends well."""
    beside = _beside(path)
    if path.is_dir():
        raise ExportError(f"{path} is a folder", "Name a file after -o.")
    if path.exists() and not path.is_file():
        # A rename would put a file in place of the device or the pipe, where rights allow it.
        raise ExportError(f"{path} is no ordinary file", "Name a file after -o.")
    try:
        yield beside
        beside.replace(path)
    except OSError as error:
        raise _failed(path, error) from error
    finally:
        with suppress(OSError):
            beside.unlink()


@contextmanager
def new_file(path: Path) -> Iterator[BinaryIO]:
    """Yield a file that becomes `path` when the block ends well, and is gone when it does not."""
    with new_path(path) as beside, beside.open("xb") as file:
        yield file
        file.flush()
        os.fsync(file.fileno())


@contextmanager
def new_folder(path: Path) -> Iterator[Path]:
    """Yield an empty folder that becomes `path` when the block ends well, and is gone otherwise.

    A folder that stands at `path` is replaced when it is empty or an earlier export.
    """
    beside = _beside(path)
    if path.exists() and not _replaceable(path):
        raise ExportError(
            f"{path} exists and is not an export of kg",
            "Name another folder after -o, or remove this one.",
        )
    aside = beside.with_suffix(".old")
    try:
        beside.mkdir()
        yield beside
        if path.exists():
            path.rename(aside)
        try:
            beside.rename(path)
        except OSError:
            if aside.exists():
                aside.rename(path)
            raise
    except OSError as error:
        raise _failed(path, error) from error
    finally:
        shutil.rmtree(beside, ignore_errors=True)
        shutil.rmtree(aside, ignore_errors=True)


def _beside(path: Path) -> Path:
    path = Path(path)
    if not path.name:
        raise ExportError(f"{path} is a folder", "Name a new one, or a file, after -o.")
    if not path.parent.is_dir():
        raise ExportError(f"{path.parent}: no such folder", "Create it, or name another after -o.")
    if graph := _graph_around(path):
        # The files there are the graph: a page in place of its manifest would be its end.
        raise ExportError(f"{path} is within the graph {graph}", "Name a place outside after -o.")
    _tidy(path)
    return path.with_name(f".{path.name}.{_host()}-{os.getpid()}.part")


def _tidy(path: Path) -> None:
    """Take away what exports to this path left that were killed; others are none of ours."""
    name = re.compile(rf"\.{re.escape(path.name)}\.{re.escape(_host())}-(\d+)\.(part|old)")
    for entry in sorted(path.parent.iterdir()):
        match = name.fullmatch(entry.name)
        if match is None or _runs(int(match[1])):
            continue
        with suppress(OSError):
            if match[2] == "old" and not path.exists():
                entry.rename(path)  # killed between taking the last export away and its successor
            elif entry.is_dir():
                shutil.rmtree(entry, ignore_errors=True)
            else:
                entry.unlink()


def _host() -> str:
    """The machine, whose processes it can tell: a folder may be shared with others."""
    return re.sub(r"[^A-Za-z0-9]+", "-", socket.gethostname())


def _runs(pid: int) -> bool:
    if sys.platform == "win32":
        return True  # asking there would be a signal
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def _graph_around(path: Path) -> Path | None:
    """The folder of a graph in which a path lies, if there is one."""
    parent = path.parent.resolve()
    for folder in (parent, *parent.parents):
        if (folder / MANIFEST).is_file() and (folder / NODES).is_dir():
            return folder
    return None


def _replaceable(path: Path) -> bool:
    return path.is_dir() and ((path / MARK).is_file() or not any(path.iterdir()))


def _failed(path: Path, error: OSError) -> ExportError:
    remedies = {
        errno.ENOSPC: "Free some space, or write to another disk; nothing was left behind.",
        errno.EACCES: "Write to a folder that you may write to; nothing was left behind.",
        errno.EROFS: "Write to a folder that you may write to; nothing was left behind.",
    }
    reason = error.strerror or str(error)
    return ExportError(
        f"{path} could not be written: {reason}",
        remedies.get(error.errno or 0, "What stood there before is as it was."),
    )
