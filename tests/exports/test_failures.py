"""A failed export leaves no file, and what stood there before stays."""

import errno
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest

from kg import exports
from kg.errors import ExportError
from kg.graph.snapshot import MemorySnapshot
from kg.graph.target import new_file, new_folder, new_path

FOLDERS = sorted(name for name, form in exports.FORMATS.items() if form.folder)


class DiskFull(MemorySnapshot):
    """Fails after the first rows, as a write to a full disk does."""

    def batches(self, name: str, columns: list[str] | None = None) -> Iterator[pa.RecordBatch]:
        """Yield one row, then fail."""
        for batch in super().batches(name, columns):
            yield batch.slice(0, 1)
            raise OSError(errno.ENOSPC, "No space left on device")


def _failing(snapshot: MemorySnapshot) -> DiskFull:
    return DiskFull(
        "memory", {"Paper": snapshot.table("Paper"), "Method": snapshot.table("Method")}
    )


@pytest.mark.parametrize("name", sorted(exports.FORMATS))
def test_a_full_disk_leaves_nothing(name: str, snapshot: MemorySnapshot, tmp_path: Path) -> None:
    """Half a file that opens in Gephi would be taken for the whole graph."""
    with pytest.raises(ExportError, match="No space left"):
        exports.write(name, _failing(snapshot), tmp_path / "out")

    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", sorted(exports.FORMATS))
def test_the_last_whole_export_survives_a_failed_one(
    name: str, snapshot: MemorySnapshot, tmp_path: Path
) -> None:
    """The nightly export fails once; yesterday's is still there."""
    exports.write(name, snapshot, tmp_path / "out")
    before = {p: p.read_bytes() for p in tmp_path.rglob("*") if p.is_file()}

    with pytest.raises(ExportError):
        exports.write(name, _failing(snapshot), tmp_path / "out")

    assert {p: p.read_bytes() for p in tmp_path.rglob("*") if p.is_file()} == before


@pytest.mark.parametrize("name", FOLDERS)
def test_an_earlier_export_is_replaced_whole(
    name: str, snapshot: MemorySnapshot, tmp_path: Path
) -> None:
    """A table that is now empty must not linger from the last export."""
    exports.write(name, snapshot, tmp_path / "out")
    exports.write(
        name, MemorySnapshot("memory", {"Method": snapshot.table("Method")}), tmp_path / "out"
    )

    assert sorted(p.stem for p in (tmp_path / "out").iterdir()) == ["Method", "schema"]


def test_a_folder_that_kg_did_not_write_is_not_touched(tmp_path: Path) -> None:
    """-o ~/Documents must not replace the documents."""
    (tmp_path / "thesis.tex").write_text("x", encoding="utf-8")

    with pytest.raises(ExportError, match="not an export of kg"), new_folder(tmp_path):
        pass

    assert [p.name for p in tmp_path.iterdir()] == ["thesis.tex"]


def test_a_program_error_leaves_nothing_either(tmp_path: Path) -> None:
    """Ctrl-C comes as an exception that is no OSError."""

    def interrupted_file() -> None:
        with new_file(tmp_path / "g.json") as file:
            file.write(b"half")
            raise KeyboardInterrupt

    def interrupted_folder() -> None:
        with new_folder(tmp_path / "out") as folder:
            (folder / "half.csv").write_bytes(b"half")
            raise KeyboardInterrupt

    for interrupted in (interrupted_file, interrupted_folder):
        with pytest.raises(KeyboardInterrupt):
            interrupted()

    assert list(tmp_path.iterdir()) == []


_KILLED = """
import os, signal, sys
from pathlib import Path
from kg.graph import target
def killed(*_):
    os.kill(os.getpid(), signal.SIGKILL)
place = Path(sys.argv[2])
if sys.argv[1] == "file":
    with target.new_file(place) as file:
        file.write(b"half")
        file.flush()
        killed()
with target.new_folder(place) as folder:
    (folder / "half.csv").write_bytes(b"half")
    if sys.argv[1] == "folder":
        killed()
    (folder / target.MARK).write_bytes(b"{}")
    rename = Path.rename
    def once(source, to):
        if source == folder:
            killed()
        return rename(source, to)
    Path.rename = once
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
@pytest.mark.parametrize("moment", ["file", "folder", "swap"])
def test_the_next_export_clears_what_a_killed_one_left(moment: str, tmp_path: Path) -> None:
    """Nobody looks for hidden folders as large as the graph."""
    place = tmp_path / "out"
    if moment == "swap":
        with new_folder(place) as folder:
            (folder / "schema.json").write_text("{}", encoding="utf-8")
    run = subprocess.run([sys.executable, "-c", _KILLED, moment, str(place)], check=False)
    assert run.returncode == -signal.SIGKILL
    (left, *_) = (path for path in tmp_path.iterdir() if path.name.startswith("."))
    others = [
        left.with_name(left.name.replace(".out.", ".other.")),
        left.with_name(re.sub(r"-\d+\.", f"-{os.getppid()}.", left.name)),
        left.with_name(re.sub(r"out\..*-", "out.elsewhere-", left.name)),
        left.with_name(".out.part"),
    ]
    for other in others:
        other.mkdir()
    with new_folder(place) if moment != "file" else new_path(place) as beside:
        if moment == "file":
            beside.write_bytes(b"whole")
        else:
            # What stood there before the swap is there again.
            assert (place / "schema.json").exists() is (moment == "swap")

    kept = {other.name for other in others}  # of another place, process or machine
    assert {path.name for path in tmp_path.iterdir()} == {"out", *kept}


@pytest.mark.parametrize("target", ["missing/g.json", ".", "pipe"])
def test_a_place_that_cannot_be_written_is_named(target: str, tmp_path: Path) -> None:
    """One clear message instead of a traceback, and no device replaced by a file."""
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ExportError), new_file(tmp_path / target):
        pass
    assert (tmp_path / "pipe").is_fifo()


def test_nothing_is_written_into_a_graph(tmp_path: Path) -> None:
    """An export named like the manifest would leave no graph, only a message that it was written."""
    graph = tmp_path / "my.kg"
    (graph / "nodes").mkdir(parents=True)
    (graph / "manifest.json").write_text("{}")
    for path in (graph / "manifest.json", graph / "page.html", graph / "nodes" / "x.parquet"):
        with pytest.raises(ExportError, match="is within the graph"), new_file(path):
            pass
    with pytest.raises(ExportError, match="is within the graph"), new_folder(graph / "csv"):
        pass
    assert (graph / "manifest.json").read_text() == "{}"
    with new_file(tmp_path / "page.html") as file:
        file.write(b"beside it")
