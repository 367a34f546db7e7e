"""Steps that are done once: each keeps what it made, under a hash of what it was made from."""

import hashlib
import json
import os
import pickle
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

T = TypeVar("T")


class Steps:
    """A folder of results. A run that was stopped goes on where it was."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def do(self, name: str, inputs: Any, make: Callable[[], T]) -> T:
        """Return what `make` gives, from the folder if it was made from the same inputs before.

        Args:
            name: of the step.
            inputs: plain values that decide what comes out; key_of of files and settings.
            make: gives a picklable value.
        """
        path = self.folder / f"{name}-{key_of(inputs)}.pickle"
        if path.is_file():
            print(f"{name}: kept", file=sys.stderr)
            found: T = pickle.loads(path.read_bytes())  # noqa: S301 - this program's own file
            return found
        started = time.monotonic()
        made = make()
        partial = path.with_suffix(f".{os.getpid()}.part")
        partial.write_bytes(pickle.dumps(made, protocol=5))
        partial.replace(path)
        print(f"{name}: {time.monotonic() - started:.0f} s", file=sys.stderr)
        return made


def key_of(inputs: Any) -> str:
    """Return a short hash of plain values."""
    text = json.dumps(inputs, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def file_key(path: Path) -> str:
    """Return a short hash of a file, or of all files in a folder."""
    if path.is_dir():
        inside = sorted(each for each in path.rglob("*") if each.is_file())
        return key_of([(str(each.relative_to(path)), file_key(each)) for each in inside])
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:12]
