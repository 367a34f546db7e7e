"""The folder of a graph: one current build, swapped by one rename.

```
my.kg/
  manifest.json      the current build: its inputs, settings, counts and files
  nodes/ edges/      the tables of the current build, and no others
  papers/            the records as they were read, the rejected blocks, the file of names
  extractions/       what was read out of each text, kept for every model
  reports/           what resolution says: merges, references, which record is of which paper
  decisions.jsonl rejected.jsonl
  history/           manifests and files of the last builds before this one; in changes/ what
                     differs from them, where a build compared its tables as it wrote them
  db/                the embedded store's cache
  lock               who writes
```

Files carry their hash in their name and are never changed. A build writes the files that it
lacks, syncs them, and then replaces manifest.json. What is left undone after that, moving files
that only earlier builds use to history/ and removing those that no kept build uses, the next
writer does as well.
"""

import contextlib
import hashlib
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa

from kg.errors import GraphFolderError, NotAGraphError, NotFoundError
from kg.graph.durable import (
    HashingFile,
    disk_errors,
    remove_temporary,
    sync_folder,
    write_bytes,
    write_file,
)
from kg.graph.kept_changes import ChangeKeeper, sweep
from kg.graph.lock import LOCK, is_lock, locked
from kg.graph.manifest import DATABASE, MANIFEST, Manifest, StoredFile, TableFile, content_hash
from kg.graph.parquet import write_parquet
from kg.graph.snapshot import HISTORY, FolderSnapshot, locate
from kg.graph.tables import TABLES

DECISIONS = "decisions.jsonl"
REJECTED = "rejected.jsonl"
PAPERS, EXTRACTIONS, NODES, EDGES = "papers", "extractions", "nodes", "edges"
REPORTS = "reports"
_OURS = {
    *(MANIFEST, DECISIONS, REJECTED, LOCK, HISTORY),
    *(PAPERS, EXTRACTIONS, NODES, EDGES, DATABASE, REPORTS),
}
# Folders whose files a manifest lists; the others have their own keepers.
_LISTED = (NODES, EDGES, PAPERS, REPORTS)

# Builds before the current one whose tables are kept, for undo, diff and open readers.
KEPT_BUILDS = 3
_PAST_LINES = 1000


def open_snapshot(path: Path, build: str = "") -> FolderSnapshot:
    """Open a build of a graph.

    Args:
        path: the graph's folder.
        build: a number or the beginning of an id, as `kg history` shows; empty for the current.

    Raises:
        GraphFolderError: there is no such folder, or it holds no finished build.
        NotAGraphError: kg did not write it.
        NotFoundError: there is no such build, or its tables are no longer kept.
    """
    current = read_manifest(path)
    if current is None:
        raise _nothing_in(path)
    if not build or _is(current, build):
        return FolderSnapshot(path, current)
    for earlier in _earlier(path, current):
        if _is(earlier, build):
            return FolderSnapshot(path, earlier)
    kept = ", ".join(str(m.number) for m in (*_earlier(path, current), current))
    raise NotFoundError(f"{path}: keeps no build '{build}'", f"Kept are the builds {kept}.")


def _build_number(file: Path) -> int:
    return int(file.stem) if file.stem.isdecimal() else -1


def read_manifest(path: Path) -> Manifest | None:
    """Return the current build's manifest; None for a folder that can become a graph.

    Raises:
        NotAGraphError: the folder is in use for something else.
    """
    try:
        return Manifest.from_json((path / MANIFEST).read_bytes(), path / MANIFEST)
    except FileNotFoundError:
        pass
    except NotAGraphError as error:
        last = max((path / HISTORY).glob("[0-9]*.json"), key=_build_number, default=None)
        if last is None:
            raise
        raise NotAGraphError(
            f"{error.problem}, but {last} is", f"Copy that file over {path / MANIFEST} to go back."
        ) from error
    except NotADirectoryError as error:
        raise NotAGraphError(
            f"{path}: is a file, not the folder of a graph", "Name a folder."
        ) from error
    if not path.exists() or not any(path.iterdir()):
        return None
    strange = sorted(entry.name for entry in path.iterdir() if entry.name not in _OURS)
    if strange or not is_lock(path / LOCK):
        found = f", but {strange[0]}" if strange else ""
        raise NotAGraphError(
            f"{path}: is not the folder of a graph: it holds no {MANIFEST}{found}",
            "Name the folder of a graph, or a new or empty folder.",
        )
    return None


@contextlib.contextmanager
def writing(
    path: Path,
    *,
    create: bool = False,
    wait: bool = True,
    say: Callable[[str], None] | None = None,
) -> Iterator["Writer"]:
    """Be the folder's only writer.

    Args:
        path: the graph's folder.
        create: make the folder when it is missing; it is removed again when nothing was written.
        wait: until another writer is done; otherwise LockedError.
        say: told about waiting and about a writer that was killed.
    """
    before = read_manifest(path)
    if before is None and not create:
        raise _nothing_in(path)
    with disk_errors(path):
        path.mkdir(parents=True, exist_ok=True)
        sync_folder(path.parent)
        with locked(path, wait=wait, say=say) as killed:
            writer = Writer(path, read_manifest(path))
            if killed is not None and say:
                say(f"An earlier run was killed ({killed}); going on from what it kept.")
            writer.tidy()
            try:
                yield writer
            finally:
                writer.close()
                _remove_if_unused(path)


class Writer:
    """Writes builds; exists while the lock is held."""

    def __init__(self, path: Path, manifest: Manifest | None) -> None:
        self.path = path
        self.manifest = manifest  # of the current build
        self._changes = ChangeKeeper(path)

    def close(self) -> None:
        """Stop comparing tables that were written and will not be committed."""
        self._changes.close()

    def store(self, folder: str, stem: str, table: pa.Table) -> StoredFile:
        """Write a table to the folder as `stem-HASH.parquet` and return what it became."""
        path, file = write_parquet(self.path / folder, stem, table)
        name = f"{folder}/{path.name}"
        return StoredFile(name, table.num_rows, file.sha256, file.size_bytes)

    def store_bytes(self, folder: str, stem: str, suffix: str, content: bytes) -> StoredFile:
        """Write bytes to the folder as `stem-HASHsuffix` and return what they became."""

        def write(file: HashingFile) -> None:
            file.write(content)

        def name(file: HashingFile) -> str:
            return f"{stem}-{file.sha256[:16]}{suffix}"

        path, file = write_file(self.path / folder, name, write)
        return StoredFile(f"{folder}/{path.name}", 0, file.sha256, file.size_bytes)

    def store_table(self, name: str, table: pa.Table) -> TableFile | None:
        """Write a table of the graph; None when it has no rows."""
        if table.num_rows == 0:
            return None
        stored = self.store(EDGES if "." in name else NODES, name, table)
        earlier = self.manifest.table(name) if self.manifest else None
        self._changes.compare(TABLES[name], earlier, table, stored)
        return TableFile(name, stored)

    def damaged(self) -> tuple[str, ...]:
        """Return the files of the current build that are not there with the content they had."""
        return tuple(
            stored.file
            for stored in (self.manifest.stored() if self.manifest else ())
            if not self._is_intact(stored)
        )

    def _is_intact(self, stored: StoredFile) -> bool:
        try:
            with locate(self.path, stored).open("rb") as file:
                return hashlib.file_digest(file, "sha256").hexdigest() == stored.sha256
        except (GraphFolderError, OSError):
            return False

    def store_tables(self, tables: Mapping[str, pa.Table]) -> tuple[TableFile, ...]:
        """Write every table of the graph that has rows."""
        stored = (self.store_table(name, tables[name]) for name in TABLES)
        return tuple(file for file in stored if file is not None)

    def commit(self, draft: Manifest) -> Manifest:
        """Make the draft the current build; its number, build, time and past are set here."""
        self._changes.finish()
        current = self.manifest
        past = () if current is None else (*current.past, current.as_past())[-_PAST_LINES:]
        number = 1 if current is None else current.number + 1
        now = datetime.now(UTC).isoformat(timespec="seconds")
        draft = replace(
            draft, number=number, build=content_hash(draft.tables), created=now, past=past
        )
        for folder in _LISTED:
            (self.path / folder).mkdir(exist_ok=True)
            sync_folder(self.path / folder)
        if current is not None:
            write_bytes(_past_path(self.path, current.number), current.to_json())
        self._swap(draft)
        return draft

    def undo(self) -> Manifest:
        """Go back to the build before the current one, and forget the current one.

        Raises:
            NotFoundError: there is none, or its tables are no longer kept.
        """
        current = self.manifest
        earlier = _earlier(self.path, current) if current is not None else ()
        if not earlier:
            raise NotFoundError(
                f"{self.path}: keeps no build before the current one",
                f"The last {KEPT_BUILDS} are kept; build again from the inputs that you want.",
            )
        self._swap(earlier[-1])
        return earlier[-1]

    def _swap(self, manifest: Manifest) -> None:
        # Everything that it refers to is back in its place before readers are sent there.
        for stored in manifest.stored():
            _move(locate(self.path, stored), self.path / stored.file)
        for folder in _LISTED:
            if (self.path / folder).exists():
                sync_folder(self.path / folder)
        sync_folder(self.path)
        write_bytes(self.path / MANIFEST, manifest.to_json())
        self.manifest = manifest
        self.tidy()

    def tidy(self) -> None:
        """Remove what killed writers left, move what only earlier builds use, and show rejects."""
        for place in (self.path, self.path / HISTORY, self.path / EXTRACTIONS):
            remove_temporary(place)
        manifest = self.manifest
        earlier = _earlier(self.path, manifest) if manifest else ()
        current = {stored.file for stored in manifest.stored()} if manifest else set()
        kept = {stored.file for build in earlier for stored in build.stored()}
        for folder in _LISTED:
            for place in (self.path / folder, self.path / HISTORY / folder):
                remove_temporary(place)
                for path in sorted(place.glob("*")) if place.is_dir() else ():
                    name = f"{folder}/{path.name}"
                    if name in current:
                        _move(path, self.path / name)
                    elif name in kept:
                        _move(path, self.path / HISTORY / name)
                    else:
                        path.unlink()
        sweep(self.path, manifest, earlier)
        databases = {f"{DATABASE}-{build.build}" for build in earlier}
        for path in (self.path / HISTORY).glob(f"{DATABASE}-*"):
            if path.name not in databases:
                shutil.rmtree(path, ignore_errors=True)
        numbers = {build.number for build in earlier}
        for path in (self.path / HISTORY).glob("*.json"):
            if not path.stem.isdecimal() or int(path.stem) not in numbers:
                path.unlink()


def _is(manifest: Manifest, build: str) -> bool:
    if build.isdecimal() and int(build) == manifest.number:
        return True
    return len(build) >= 4 and manifest.build.startswith(build)


def _past_path(path: Path, number: int) -> Path:
    return path / HISTORY / f"{number}.json"


def _earlier(path: Path, current: Manifest) -> tuple[Manifest, ...]:
    """Return the builds before the current one that are kept, the oldest first."""
    found = []
    for number in range(max(1, current.number - KEPT_BUILDS), current.number):
        file = _past_path(path, number)
        with contextlib.suppress(FileNotFoundError):
            found.append(Manifest.from_json(file.read_bytes(), file))
    return tuple(found)


def kept_numbers(path: Path, current: Manifest) -> tuple[int, ...]:
    """Return the numbers of the builds whose tables can still be opened."""
    return (*(build.number for build in _earlier(path, current)), current.number)


def _move(source: Path, target: Path) -> None:
    if source != target:
        target.parent.mkdir(parents=True, exist_ok=True)
        source.replace(target)


def _remove_if_unused(path: Path) -> None:
    """Take away a folder that holds nothing but the lock."""
    entries = list(path.iterdir()) if path.is_dir() else []
    if [entry.name for entry in entries] == [LOCK]:
        shutil.rmtree(path)


def _nothing_in(path: Path) -> GraphFolderError:
    if path.exists():
        return GraphFolderError(
            f"{path}: holds no finished build yet", f"Run kg build INPUT -o {path} first."
        )
    return GraphFolderError(
        f"{path}: there is no such folder", f"Make it: kg build INPUT -o {path}"
    )
