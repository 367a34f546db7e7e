"""What was read out of texts, kept under the hash of the text and the model's version.

Reading is the expensive step. Its results are written a few hundred texts at a time, so that a
build that is killed loses little, and never removed: going back to a model or to papers that
were taken out costs nothing.
"""

import contextlib
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

import pyarrow as pa
import pyarrow.compute as pc

from kg.errors import GraphFolderError
from kg.graph.durable import sync_folder
from kg.graph.extraction_table import EXTRACTIONS, extractions_table
from kg.graph.parquet import read_batches, read_parquet, write_parquet
from kg.model.extraction import Extraction

_STEM = "part"
# A part is written after so many texts, or so long after the last one.
_PART_TEXTS = 500
_PART_S = 20.0
# Small parts are merged when there are so many, so that a folder filled daily stays quick.
_MANY_PARTS = 24
_SMALL_PART_BYTES = 64 << 20


class DamagedPartError(GraphFolderError):
    """A part turned out to be damaged; it was removed, and its texts count as not read."""


class Kept:
    """The kept extractions of a folder; one process at a time writes, others may read."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def texts(self, model: str) -> set[str]:
        """Return the hashes of the texts that a model has read."""
        found: set[str] = set()
        for _, keys in self._keys():
            found.update(keys.filter(pc.equal(keys["model"], model))["text_hash"].to_pylist())
        return found

    def batches(self, wanted: Iterable[str], models: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Yield one row per wanted text that was read, by the first of the models that did.

        Args:
            wanted: hashes of texts.
            models: versions, the preferred first.

        Raises:
            DamagedPartError: what a part holds cannot be read.
        """
        choice = self._choice(set(wanted), models)
        for path in sorted(choice):
            start = 0
            for batch in _readable_batches(path):
                rows = choice[path].filter(_within(choice[path], start, start + batch.num_rows))
                if len(rows):
                    yield batch.take(pc.subtract(rows, start))
                start += batch.num_rows

    def _choice(self, wanted: set[str], models: Sequence[str]) -> dict[Path, pa.Array]:
        """Return per part which of its rows to take, in order."""
        rank = {model: place for place, model in enumerate(models)}
        best: dict[str, tuple[int, Path, int]] = {}
        for path, keys in self._keys():
            pairs = zip(keys["text_hash"].to_pylist(), keys["model"].to_pylist(), strict=True)
            for row, (text, model) in enumerate(pairs):
                if text in wanted and model in rank:
                    found = (rank[model], path, row)
                    best[text] = min(best.get(text, found), found)
        rows: dict[Path, list[int]] = {}
        for _, path, row in best.values():
            rows.setdefault(path, []).append(row)
        return {path: pa.array(sorted(found), pa.int64()) for path, found in rows.items()}

    def _keys(self) -> Iterator[tuple[Path, pa.Table]]:
        for path in sorted(self.folder.glob(f"{_STEM}-*.parquet")):
            # A damaged part is as good as none: its texts are read again.
            with contextlib.suppress(pa.ArrowInvalid, OSError):
                yield path, read_parquet(path, ["text_hash", "model"])

    def merge_small(self) -> None:
        """Put small parts together when there are many."""
        small = [
            path
            for path in sorted(self.folder.glob(f"{_STEM}-*.parquet"))
            if path.stat().st_size < _SMALL_PART_BYTES
        ]
        if len(small) < _MANY_PARTS:
            return
        tables = []
        for path in small:
            with contextlib.suppress(pa.ArrowInvalid, OSError):
                tables.append(read_parquet(path))
        merged, _ = write_parquet(
            self.folder, _STEM, pa.concat_tables([EXTRACTIONS.empty_table(), *tables])
        )
        sync_folder(self.folder)
        for path in small:
            if path != merged:
                path.unlink()


class Keeping:
    """Writes extractions as they come; what came is written however the block ends."""

    def __init__(self, kept: Kept) -> None:
        self._kept = kept
        self._pending: list[tuple[str, Extraction]] = []
        self._written_s = time.monotonic()

    def __enter__(self) -> Self:
        self._kept.folder.mkdir(parents=True, exist_ok=True)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if error is None:
            self._write()
            return
        # On the way out of an error, of which this must not hide anything: Ctrl-C, a full disk.
        with contextlib.suppress(OSError):
            self._write()

    def add(self, text_hash: str, extraction: Extraction) -> None:
        """Keep an extraction; a few are lost when the process is killed."""
        self._pending.append((text_hash, extraction))
        late = time.monotonic() - self._written_s >= _PART_S
        if late or len(self._pending) >= _PART_TEXTS:
            self._write()

    def _write(self) -> None:
        if self._pending:
            write_parquet(self._kept.folder, _STEM, extractions_table(self._pending))
            sync_folder(self._kept.folder)
            self._pending = []
        self._written_s = time.monotonic()


def _readable_batches(path: Path) -> Iterator[pa.RecordBatch]:
    batches = read_batches(path)
    while True:
        try:
            batch = next(batches, None)
        except (pa.ArrowInvalid, OSError) as error:
            path.unlink(missing_ok=True)
            raise DamagedPartError(
                f"{path}: is damaged ({error})", "Run kg build again; its texts are read anew."
            ) from error
        if batch is None:
            return
        yield batch


def _within(rows: pa.Array, start: int, end: int) -> pa.Array:
    return pc.and_(pc.greater_equal(rows, start), pc.less(rows, end))
