"""From texts to extractions, with a pipeline that is loaded when the first text needs it."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Protocol, runtime_checkable

from kg.model.extraction import Extraction
from kg.model.record import Record, Rejected

AUTO = "auto"


@runtime_checkable
class Pipeline(Protocol):
    """What kg.nlp.pipeline.load returns."""

    version: str

    def extract(self, texts: Iterable[str], processes: int = 0) -> Iterator[Extraction]:
        """Yield one extraction per text, in order."""
        ...


@dataclass(frozen=True, slots=True)
class Extracted:
    """A record, and what was read out of its text."""

    record: Record
    extraction: Extraction


def load(model: str | Path | Pipeline) -> Pipeline:
    """Return a pipeline by name or folder; auto is the best one that is installed."""
    if isinstance(model, Pipeline):
        return model
    from kg.nlp import models, pipeline

    if str(model) == AUTO:
        model = (models.available() or ("fast",))[-1]
    return pipeline.load(model)


class Reading:
    """Reads texts for a build."""

    def __init__(
        self,
        model: str | Path | Pipeline,
        processes: int,
        progress: Callable[[int, int], None] | None,
    ) -> None:
        self._model = model
        self._processes = processes
        self._progress = progress

    @cached_property
    def _pipeline(self) -> Pipeline:
        return load(self._model)

    @property
    def version(self) -> str:
        """Name and version of the model."""
        return self._pipeline.version

    def read(self, texts: Sequence[str]) -> Iterator[Extraction]:
        """Yield one extraction per text, in order."""
        if not texts:
            return
        if self._progress:
            self._progress(0, len(texts))
        found = self._pipeline.extract(texts, processes=self._processes)
        for number, extraction in enumerate(found, 1):
            yield extraction
            if self._progress:
                self._progress(number, len(texts))


def extract_records(
    records: Iterable[Record | Rejected],
    *,
    model: str | Path | Pipeline = AUTO,
    processes: int = 0,
) -> Iterator[Extracted]:
    """Yield each record that has a text with its extraction, in order."""
    # The pipeline takes a stream of texts and gives a stream of extractions in the same order;
    # the records wait between the two, no more of them than the pipeline reads ahead.
    waiting: deque[Record] = deque()

    def texts() -> Iterator[str]:
        for record in records:
            if isinstance(record, Record) and record.text:
                waiting.append(record)
                yield record.text

    for extraction in load(model).extract(texts(), processes=processes):
        yield Extracted(waiting.popleft(), extraction)
