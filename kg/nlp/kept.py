"""Data files of a component: read when its folder is loaded, written as they were."""

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from spacy.tokens import Doc

from kg.errors import ModelError


class Together:
    """A component that reads several texts at a time, which takes less than one after the other."""

    def read_all(self, docs: Sequence[Doc]) -> None:
        """Set on every Doc what the component finds."""
        raise NotImplementedError

    def __call__(self, doc: Doc) -> Doc:
        """Read one text."""
        self.read_all((doc,))
        return doc


class Kept:
    """A component whose data are the files of its folder in a saved pipeline."""

    FILES: tuple[str, ...] = ()

    _folder: Path | None = None

    def load(self, folder: Path) -> None:
        """Read the files; every one of FILES is there."""
        raise NotImplementedError

    def from_disk(self, path: Path | str, **kwargs: Any) -> "Kept":
        """Read the component's folder."""
        folder = Path(path)
        missing = [name for name in self.FILES if not (folder / name).is_file()]
        if missing:
            raise ModelError(
                f"{folder}: {', '.join(missing)} missing; the model is not whole",
                "Install kg again, or train the model again with pipelines/train.py.",
            )
        self.load(folder)
        self._folder = folder
        return self

    def to_disk(self, path: Path | str, **kwargs: Any) -> None:
        """Write the files that were read, byte for byte."""
        if self._folder is None:
            raise ModelError("a component without data cannot be saved", "Load a model first.")
        folder = Path(path)
        folder.mkdir(parents=True, exist_ok=True)
        for name in self.FILES:
            shutil.copyfile(self._folder / name, folder / name)
