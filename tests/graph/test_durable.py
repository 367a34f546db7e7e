"""What a power failure leaves: files that were not flushed may be empty or missing."""

import contextlib
import errno
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from kg.api.extracting import Reading
from kg.errors import GraphFolderError
from kg.graph.build import Draft, make_build
from kg.graph.durable import disk_errors, write_bytes
from kg.graph.folder import open_snapshot, writing
from kg.graph.manifest import Input, Settings
from kg.graph.record_parts import REJECTED_PART, Part, record_part, stored_parts
from kg.model.record import Record
from tests.graph.capitals import Capitals


class _PowerFailureError(Exception):
    pass


class _Disk:
    """Follows which files and folders were flushed, and fails after some renames."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, renames: int) -> None:
        self._left = renames
        self._synced: set[int] = set()  # inodes
        self._written: set[Path] = set()
        self._names: dict[Path, bytes | None] = {}  # renames that no flushed folder holds yet
        self._fsync, self._replace = os.fsync, Path.replace
        monkeypatch.setattr(os, "fsync", self.fsync)
        monkeypatch.setattr(Path, "replace", lambda source, target: self.replace(source, target))

    def fsync(self, descriptor: int) -> None:
        self._synced.add(os.fstat(descriptor).st_ino)
        folder = Path(f"/proc/self/fd/{descriptor}").readlink()
        for path in [path for path in self._names if path.parent == folder]:
            del self._names[path]

    def replace(self, source: Path, target: Path) -> Path:
        if self._left == 0:
            raise _PowerFailureError
        self._left -= 1
        before = target.read_bytes() if target.exists() else None
        self._written.add(target.resolve())
        self._names.setdefault(target.resolve(), before)
        return self._replace(source, target)

    def lose(self) -> None:
        """Do the worst that a disk may do to what was not flushed."""
        for path in self._written:
            if path.exists() and path.stat().st_ino not in self._synced:
                path.write_bytes(b"")
        for path, before in self._names.items():
            if path.exists() and before is None:
                path.unlink()
            elif path.exists() and before is not None:
                path.write_bytes(before)


def _build(folder: Path, *texts: str) -> str:
    with writing(folder, create=True) as writer:
        parts = stored_parts(folder, writer.manifest)
        records = [Record(title=text[:9], text=text, file="f", ordinal=len(text)) for text in texts]
        draft = Draft(
            (*parts, Part(record_part("i", records))), REJECTED_PART.empty_table(),
            (Input("i", "f", "", "", "", "json", len(records), 0),), Settings(), "test",
        )  # fmt: skip
        return make_build(writer, draft, Reading(Capitals())).manifest.build


@pytest.mark.parametrize("renames", range(0, 60, 3))
def test_after_a_power_failure_the_last_whole_build_opens_and_the_next_is_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, renames: int
) -> None:
    """A laptop's battery must never cost the graph, nor leave another one than asked for."""
    folder, undisturbed = tmp_path / "my.kg", tmp_path / "undisturbed.kg"
    second = "NetB extends NetA on SetB. NetB gains 4.0% over NetA."
    before = _build(folder, "NetA is new on SetB.")
    _build(undisturbed, "NetA is new on SetB.")
    after = _build(undisturbed, second)
    with monkeypatch.context() as patch:
        disk = _Disk(patch, renames)
        with contextlib.suppress(_PowerFailureError):
            _build(folder, second)
    disk.lose()

    snapshot = open_snapshot(folder)
    assert snapshot.build in (before, after)
    assert all(snapshot.table(name).num_rows == n for name, n in snapshot.counts().items())
    if snapshot.build == before:
        assert _build(folder, second) == after


@pytest.fixture
def full(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A disk that takes no more."""

    def fail(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", fail)
        yield


@pytest.mark.usefixtures("full")
def test_a_failed_write_leaves_what_was_there_and_nothing_else(tmp_path: Path) -> None:
    """A full disk is no reason to lose the file that fitted on it."""
    path = tmp_path / "a.json"
    path.write_bytes(b"before")
    with pytest.raises(OSError, match="No space"):
        write_bytes(path, b"after")

    assert {p.name: p.read_bytes() for p in tmp_path.iterdir()} == {"a.json": b"before"}


def test_a_full_disk_is_said_in_words(tmp_path: Path) -> None:
    """Not as a traceback that ends in errno 28."""
    with (
        pytest.raises(GraphFolderError, match="no space is left"),
        disk_errors(tmp_path),
    ):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
