"""One writer at a time, and no lock outlives its process."""

import contextlib
import json
import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from kg.errors import LockedError
from kg.graph.lock import LOCK, is_lock, locked

_HOLD = """
import sys, time
from pathlib import Path
from kg.graph.lock import locked
with locked(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


@pytest.fixture
def holder(tmp_path: Path) -> "subprocess.Popen[str]":
    """A process that holds the lock of tmp_path."""
    process = subprocess.Popen(
        [sys.executable, "-c", _HOLD, str(tmp_path)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def test_a_second_writer_is_told_who_writes(
    tmp_path: Path, holder: "subprocess.Popen[str]"
) -> None:
    """Somebody has to know which process to wait for, or to end."""
    try:
        with (
            pytest.raises(LockedError, match=f"process {holder.pid} on .*, writing since"),
            locked(tmp_path, wait=False),
        ):
            pass
    finally:
        holder.kill()
        holder.communicate()


def test_a_waiting_writer_says_so_once_and_goes_on_when_the_other_is_killed(
    tmp_path: Path, holder: "subprocess.Popen[str]"
) -> None:
    """The lock of a killed process must not have to be removed by hand."""
    said: list[str] = []
    timer = threading.Timer(0.5, holder.kill)
    timer.start()
    with locked(tmp_path, say=said.append) as before:
        assert before is not None
        assert before.pid == holder.pid
    holder.communicate()
    timer.join()

    assert [line.split(" on ")[0] for line in said] == [f"Waiting for process {holder.pid}"]


def test_an_orderly_end_leaves_no_holder(tmp_path: Path) -> None:
    """Only a writer that was killed is told about, an error in a build is no kill."""
    with contextlib.suppress(ValueError), locked(tmp_path):
        raise ValueError
    with locked(tmp_path) as before:
        assert before is None


def test_a_second_writer_in_the_same_process_is_refused_too(tmp_path: Path) -> None:
    """Locks of the system belong to a process, and notebooks have threads."""
    with (
        locked(tmp_path),
        pytest.raises(LockedError),
        locked(tmp_path, wait=False),
    ):
        pass
    with locked(tmp_path, wait=False):
        pass


def test_looking_at_the_lock_does_not_end_it(tmp_path: Path) -> None:
    """Closing a file ends the POSIX locks that the process holds on it."""
    with locked(tmp_path):
        assert is_lock(tmp_path / LOCK)
        refused = subprocess.run(
            [sys.executable, "-c", _HOLD.replace("[1])", "[1]), wait=False"), str(tmp_path)],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
    assert f"process {os.getpid()}" in refused.stderr


def test_a_run_that_was_killed_before_its_first_word_leaves_a_folder_for_the_next(
    tmp_path: Path,
) -> None:
    """The lock file is made empty and written then; a kill can come between the two."""
    (tmp_path / LOCK).touch()
    assert is_lock(tmp_path / LOCK)
    with locked(tmp_path, wait=False):
        (tmp_path / "papers").mkdir()
    assert is_lock(tmp_path / LOCK)

    (tmp_path / LOCK).write_bytes(b"")
    assert not is_lock(tmp_path / LOCK)  # other programs make such files, too
    assert not is_lock(tmp_path / "papers" / LOCK)


def test_the_lock_file_is_never_empty_between_two_writers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A kill in between must leave the mark of a graph's folder."""
    with locked(tmp_path):
        pass
    monkeypatch.setattr(os, "ftruncate", lambda *_: (_ for _ in ()).throw(OSError))
    with locked(tmp_path):
        assert is_lock(tmp_path / LOCK)
    assert is_lock(tmp_path / LOCK)


def test_a_lock_file_left_by_a_dead_process_is_taken_over(tmp_path: Path) -> None:
    """Also where the process id has been given to another process since."""
    said = {"lock": "kg graph folder lock", "pid": os.getpid(), "host": "here", "started": "1",
            "since": "2020-01-01T00:00:00+00:00"}  # fmt: skip
    (tmp_path / LOCK).write_text(json.dumps(said))
    with locked(tmp_path, wait=False) as before:
        assert before is not None
        assert before.since == "2020-01-01T00:00:00+00:00"


def test_a_waiting_writer_gets_a_folder_that_the_other_takes_away(tmp_path: Path) -> None:
    """Of two first builds at once the one without papers removes the folder behind it."""
    folder = tmp_path / "new.kg"
    folder.mkdir()
    waiting, done = threading.Event(), threading.Event()
    seen: list[bool] = []

    def wait() -> None:
        with locked(folder, say=lambda _: waiting.set()):
            seen.append((folder / LOCK).exists())
        done.set()

    with locked(folder):
        threading.Thread(target=wait, daemon=True).start()
        assert waiting.wait(30)
        shutil.rmtree(folder)
    assert done.wait(30)
    assert seen == [True]


def test_a_lock_on_a_file_that_was_removed_is_none(
    tmp_path: Path, holder: "subprocess.Popen[str]"
) -> None:
    """A descriptor opened before the removal locks a file that nobody else looks at."""
    path = tmp_path / LOCK
    real = os.open
    removed: list[Path] = []

    def late(name: str, *rest: int) -> int:
        descriptor = real(name, *rest)
        if Path(name) == path and not removed:
            holder.kill()
            holder.communicate()
            path.unlink()
            removed.append(path)
        return descriptor

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "open", late)
        with locked(tmp_path):
            assert removed == [path]
            assert path.exists()
