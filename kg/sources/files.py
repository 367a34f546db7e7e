"""Which files a user means: paths, folders, globs and `-`, in the order they were named."""

import glob
import os
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

STDIN = "-"


@dataclass(frozen=True, slots=True)
class NamedFile:
    """A file to open, or the reason why it cannot be."""

    name: str  # as the user named it
    path: Path | None  # None for standard input
    problem: str = ""
    remedy: str = ""


def named_files(inputs: Iterable[str | Path]) -> Iterator[NamedFile]:
    """Yield the files behind the inputs; each file once, those of a folder sorted by path."""
    seen: set[Path] = set()
    for each in inputs:
        for file in _expand(str(each)):
            if file.path is not None and not file.problem:
                real = _real(file.path)
                if real in seen:
                    continue
                seen.add(real)
            yield file


def is_graph_folder(path: Path) -> bool:
    """Whether a folder is a graph that kg built, and so no input."""
    return (path / "manifest.json").is_file() and (path / "nodes").is_dir()


def _expand(name: str) -> Iterator[NamedFile]:
    if name == STDIN:
        yield NamedFile(name, None)
        return
    path = Path(name).expanduser()
    if not name.strip():
        # An unset variable of a shell; as a path it would be the folder one is in, all of it.
        yield NamedFile("''", path, "'': the name is empty", "Name a file, a folder or -.")
        return
    kind = _kind(path)
    if kind == "folder":
        yield from _folder(path)
    elif kind == "missing" and glob.has_magic(name):
        found = sorted(glob.glob(str(path), recursive=True))  # noqa: PTH207  (a pattern with any root)
        if not found:
            yield NamedFile(name, path, f"{name}: no file matches", "Check the pattern.")
        for match in found:
            yield from _expand(match)
    elif kind == "missing":
        yield NamedFile(name, path, f"{name}: no such file", "Check the path.")
    else:
        yield NamedFile(name, path)


def _folder(folder: Path) -> Iterator[NamedFile]:
    if is_graph_folder(folder):
        yield _graph(folder)
        return
    count = 0
    for file in _walk(folder, set()):
        count += 1
        yield file
    if not count:
        yield NamedFile(
            str(folder),
            folder,
            f"{folder}: the folder holds no files",
            "Name a folder with files of papers; hidden files are skipped.",
        )


def _walk(folder: Path, above: set[Path]) -> Iterator[NamedFile]:
    real = _real(folder)
    if real in above:
        return  # a link that leads back up
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as error:
        yield _unreadable(folder, error)
        return
    for entry in entries:
        path = folder / entry.name
        if entry.name.startswith(".") or entry.name == "__MACOSX":
            continue
        kind = _kind(path)
        if kind == "folder":
            if is_graph_folder(path):
                yield _graph(path)
            else:
                yield from _walk(path, above | {real})
        elif kind == "file":
            yield NamedFile(str(path), path)
        else:
            yield NamedFile(str(path), path, f"{path}: not a file", "Remove it from the folder.")


def _graph(folder: Path) -> NamedFile:
    return NamedFile(
        str(folder), folder, f"{folder}: a graph that kg built is no input", "Open it instead."
    )


def _kind(path: Path) -> str:
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):
        return "missing"
    if stat.S_ISDIR(mode):
        return "folder"
    return "file" if stat.S_ISREG(mode) else "special"  # a pipe, as of <(command)


def _real(path: Path) -> Path:
    try:
        return path.resolve()
    except (OSError, RuntimeError):
        return path


def _unreadable(path: Path, error: OSError) -> NamedFile:
    problem = f"{path}: cannot be read: {error.strerror or error}"
    return NamedFile(str(path), path, problem, "Check its permissions.")
