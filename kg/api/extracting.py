"""From texts to extractions, with a pipeline that is loaded when the first text needs it."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from kg.model.extraction import Extraction
from kg.model.record import Record, Rejected

if TYPE_CHECKING:
    from kg.nlp.own_names import OwnNames

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

    if str(model) == AUTO:  # of a stream, that nobody can measure beforehand
        model = (models.available() or ("fast",))[-1]
    return pipeline.load(model)


def best_model(texts: Sequence[str], processes: int, say: Callable[[str], None] | None) -> str:
    """Return the best installed model that reads the texts in reasonable time."""
    from kg.nlp.choosing import choose_model

    choice = choose_model(texts, processes)
    if say and texts:
        say(f"Reading with {choice}.")
    return choice.model


class Reading:
    """Reads texts for a build, with a model that is chosen and loaded when there are any."""

    def __init__(
        self,
        model: str | Path | Pipeline,
        processes: int = 0,
        *,
        progress: Callable[[int, int], None] | None = None,
        say: Callable[[str], None] | None = None,
    ) -> None:
        self._model = model
        self._processes = processes
        self._progress = progress
        self._say = say
        self._pipeline: Pipeline | None = None

    def choose(self, texts: Sequence[str]) -> tuple[str, str]:
        """Return the name of the model for these texts and its version."""
        if self._model == AUTO:
            self._model = best_model(texts, self._processes, self._say)
        self._pipeline = load(self._model)
        # A pipeline of the caller's own has no name by which a later run could load it.
        name = "" if isinstance(self._model, Pipeline) else str(self._model)
        return name, self._pipeline.version

    def read(self, texts: Sequence[str]) -> Iterator[Extraction]:
        """Yield one extraction per text, in order."""
        if not texts:
            return
        if self._progress:
            self._progress(0, len(texts))
        pipeline = self._pipeline or load(self._model)
        found = pipeline.extract(texts, processes=self._processes)
        for number, extraction in enumerate(found, 1):
            yield extraction
            if self._progress:
                self._progress(number, len(texts))


def extract_records(
    records: Iterable[Record | Rejected],
    *,
    model: str | Path | Pipeline = AUTO,
    processes: int = 0,
    names: Path | None = None,
) -> Iterator[Extracted]:
    """Yield each record that has a text with its extraction, in order."""
    own = _own_names(names) if names else None
    # The pipeline takes a stream of texts and gives a stream of extractions in the same order;
    # the records wait between the two, no more of them than the pipeline reads ahead.
    waiting: deque[Record] = deque()

    def texts() -> Iterator[str]:
        for record in records:
            if isinstance(record, Record) and record.text:
                waiting.append(record)
                yield record.text

    for extraction in load(model).extract(texts(), processes=processes):
        record = waiting.popleft()
        yield Extracted(record, own(record.text, extraction) if own else extraction)


def _own_names(path: Path) -> "OwnNames":
    from kg.graph.name_list import read_name_list
    from kg.nlp.own_names import OwnNames

    return OwnNames(read_name_list(path)[1])
