"""Text in, extractions out: loads a model and reads texts with it, on one core or on all."""

import gc
import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any, Final

from kg.errors import ModelError
from kg.model.extraction import Extraction
from kg.nlp.capitals import as_written
from kg.nlp.models import model_path, read_meta, version_of
from kg.nlp.surrogates import without_surrogates

# Starting a process costs as much as reading so many texts.
_FEWEST_TO_SHARE: Final = 64
_TOGETHER: Final = 16  # texts that are read at a time
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
            while batch := list(islice(pending, _TOGETHER)):
                yield from self.read_all(batch)
            return
        head = []
        for text in pending:
            head.append(text)
            if len(head) >= _FEWEST_TO_SHARE:
                break
        if len(head) < _FEWEST_TO_SHARE:
            for start in range(0, len(head), _TOGETHER):
                yield from self.read_all(head[start : start + _TOGETHER])
            return
        yield from shared_out(self.folder, _chain(head, pending), wanted)

    def warm_up(self) -> None:
        """Read the weights now; ModelError if they cannot be read."""
        self._nlp  # noqa: B018 - loads when it is asked for

    def read(self, text: str) -> Extraction:
        """Return what one text says."""
        return self.read_all((text,))[0]

    def read_all(self, texts: Sequence[str]) -> list[Extraction]:
        """Return what each of a few texts says, which are held in memory together.

        One component reads all of them before the next one does: what it needs stays in the
        processor's caches, which saves a fifth of the time.
        """
        from kg.nlp.kept import Together

        wholes = [without_surrogates(text) for text in texts]
        self._renew_zone(len(texts))
        with _no_collecting():
            docs = [self._doc(whole) for whole in wholes]
            for _, component in self._nlp.pipeline:
                if isinstance(component, Together):
                    component.read_all(docs)
                else:
                    docs = [component(doc) for doc in docs]
            return [self._extraction(doc, whole) for doc, whole in zip(docs, wholes, strict=True)]

    def _doc(self, whole: str) -> Any:
        from kg.nlp.flags import LONG, LONGEST

        doc = self._nlp.make_doc(whole[:LONGEST])
        if len(whole) > LONGEST:
            doc._.kg_flags = (LONG,)
        return doc

    def _renew_zone(self, count: int) -> None:
        """Let spaCy forget the words of the texts before, once there are many of them."""
        if self._zone is None or self._read >= _ZONE:
            if self._zone is not None:
                self._zone.__exit__(None, None, None)
            self._zone = self._nlp.memory_zone()
            self._zone.__enter__()
            self._read = 0
        self._read += count

    def _extraction(self, doc: Any, whole: str) -> Extraction:
        from kg.nlp.flags import CAPITALS

        marks = doc._
        found = Extraction(
            model=self.version,
            entities=marks.kg_entities,
            claims=marks.kg_claims,
            relations=marks.kg_relations,
            citations=marks.kg_citations,
            sentences=tuple(marks.kg_sentences),
            flags=marks.kg_flags,
        )
        return as_written(found, whole) if CAPITALS in found.flags else found

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


@contextmanager
def _no_collecting() -> Iterator[None]:
    """Have cycles looked for once after a batch, not at every few hundred objects of it."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _chain(head: list[str], rest: Iterator[str]) -> Iterator[str]:
    yield from head
    yield from rest
