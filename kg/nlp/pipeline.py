"""Text in, extractions out: loads a model and reads texts with it, on one core or on all."""

import json
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from kg.errors import ModelError
from kg.model.extraction import Extraction
from kg.nlp.capitals import as_written
from kg.nlp.models import model_path, read_meta, version_of
from kg.nlp.surrogates import without_surrogates

# Starting a process costs as much as reading so many texts.
_FEWEST_TO_SHARE: Final = 64
_ZONE: Final = 1_000  # texts after which their words are forgotten


class Pipeline:
    """A loaded model. The texts it reads are independent of each other."""

    def __init__(self, folder: Path) -> None:
        """Take the folder of a model; its weights are read when the first text is."""
        self.folder = folder
        self.meta: dict[str, Any] = read_meta(folder)
        self.version: str = version_of(folder)
        self._zone: AbstractContextManager[Any] | None = None
        self._read = 0

    def extract(self, texts: Iterable[str], processes: int = 0) -> Iterator[Extraction]:
        """Yield one extraction per text, in order; the same whatever the number of processes.

        Args:
            texts: read as they are needed, and never all at once.
            processes: that read at the same time; 0 for as many as there are cores, 1 to read in
                this process. A few texts are read in this process in any case.

        Raises:
            ModelError: the model cannot be loaded, or a process died.
        """
        from kg.nlp.workers import available_cores, shared_out

        wanted = processes or available_cores()
        pending = iter(texts)
        if wanted <= 1:
            yield from map(self.read, pending)
            return
        head = []
        for text in pending:
            head.append(text)
            if len(head) >= _FEWEST_TO_SHARE:
                break
        if len(head) < _FEWEST_TO_SHARE:
            yield from map(self.read, head)
            return
        yield from shared_out(self.folder, _chain(head, pending), wanted)

    def warm_up(self) -> None:
        """Read the weights now; ModelError if they cannot be read."""
        self._nlp  # noqa: B018 - loads when it is asked for

    def read(self, text: str) -> Extraction:
        """Return what one text says."""
        from kg.nlp.flags import CAPITALS, LONG, LONGEST

        whole = without_surrogates(text)
        self._renew_zone()
        doc = self._nlp.make_doc(whole[:LONGEST])
        if len(whole) > LONGEST:
            doc._.kg_flags = (LONG,)
        found = self._extraction(self._nlp(doc))
        return as_written(found, whole) if CAPITALS in found.flags else found

    def _renew_zone(self) -> None:
        """Let spaCy forget the words of the texts before, once there are many of them."""
        if self._read % _ZONE == 0:
            if self._zone is not None:
                self._zone.__exit__(None, None, None)
            self._zone = self._nlp.memory_zone()
            self._zone.__enter__()
        self._read += 1

    def _extraction(self, doc: Any) -> Extraction:
        marks = doc._
        return Extraction(
            model=self.version,
            entities=marks.kg_entities,
            claims=marks.kg_claims,
            relations=marks.kg_relations,
            citations=marks.kg_citations,
            sentences=tuple(marks.kg_sentences),
            flags=marks.kg_flags,
        )

    @cached_property
    def _nlp(self) -> Any:
        import spacy

        import kg.nlp.factories  # noqa: F401 - registers the components

        try:
            return spacy.load(self.folder)
        except ModelError:
            raise
        except (OSError, ValueError, KeyError, json.JSONDecodeError) as error:
            raise ModelError(
                f"{self.folder}: the model cannot be loaded: {error}",
                "Install kg again, or train the model again with pipelines/train.py.",
            ) from error


def load(model: str | Path = "fast") -> Pipeline:
    """Return a model by name (fast, accurate) or folder; ModelError if there is none."""
    return Pipeline(model_path(model))


def _chain(head: list[str], rest: Iterator[str]) -> Iterator[str]:
    yield from head
    yield from rest
