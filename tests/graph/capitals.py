"""A pipeline without a model, and `kg` with it: what looks like a name is one.

`python tests/graph/capitals.py build ...` is `kg build ...` that reads texts this way, for tests
that start processes and kill them.
"""

import itertools
import re
import sys
import time
from collections.abc import Iterable, Iterator
from typing import Any

from kg.api import extracting
from kg.model.extraction import (
    Claim,
    ClaimKind,
    Entity,
    EntityType,
    Extraction,
    InlineCitation,
    Mention,
    Relation,
    RelationType,
    Result,
    Role,
)

_NAME = re.compile(r"\b(?=\w*[A-Z]\w*[A-Z0-9])[\w-]+")
_SENTENCE = re.compile(r"\S(?:[^.]|\.(?=\S))*\.?")
_NUMBER = re.compile(r"\d+(?:\.\d+)?(?=%)")
_DOI = re.compile(r"doi:(10\.\d+/\w+)")
_TYPES, _ROLES = tuple(EntityType), tuple(Role)


class Capitals:
    """Takes words with two capitals for names; type and role follow from their letters."""

    def __init__(self, version: str = "capitals-1", *, pause_s: float = 0.0) -> None:
        self.version = version
        self.read: list[str] = []  # every text that was read
        self._pause_s = pause_s

    def extract(self, texts: Iterable[str], processes: int = 0) -> Iterator[Extraction]:
        """Yield one extraction per text, in order."""
        for text in texts:
            time.sleep(self._pause_s)
            self.read.append(text)
            yield self._extraction(text)

    def _extraction(self, text: str) -> Extraction:
        found: dict[str, list[Mention]] = {}
        for match in _NAME.finditer(text):
            mention = Mention(match.start(), match.end(), match.group())
            found.setdefault(match.group(), []).append(mention)
        entities = tuple(
            Entity(
                name, _TYPES[ord(name[0]) % 4], True, _ROLES[len(name) % 6], 0.9, tuple(mentions)
            )
            for name, mentions in found.items()
        )
        sentences = tuple((match.start(), match.end()) for match in _SENTENCE.finditer(text))
        claims = tuple(claim for span in sentences for claim in self._claims(text, span, entities))
        relations = tuple(
            Relation(one.name, RelationType.EXTENDS, other.name, *sentences[0], 0.7)
            for one, other in itertools.pairwise(entities)
        )
        citations = tuple(
            InlineCitation(match.group(), match.start(), match.end(), "doi", target=match.group(1))
            for match in _DOI.finditer(text)
        )
        return Extraction(self.version, entities, claims, relations, citations, sentences)

    def _claims(
        self, text: str, span: tuple[int, int], entities: tuple[Entity, ...]
    ) -> Iterator[Claim]:
        start, end = span
        numbers = list(_NUMBER.finditer(text, start, end))
        if not numbers:
            return
        names = [e.name for e in entities if any(start <= m.start < end for m in e.mentions)]
        first = names[0] if names else ""
        results = tuple(
            Result(n.group(), n.start(), n.end(), float(n.group()), "%", of=first) for n in numbers
        )
        yield Claim(
            start, end, text[start:end], ClaimKind.PERFORMANCE, 0.8,
            about=tuple(names[:1]), on=tuple(names[1:]), results=results,
        )  # fmt: skip


def use(pipeline: Any) -> None:
    """Have every command of this process read with the pipeline."""
    extracting.load = lambda model: pipeline  # noqa: ARG005  (called by that name)
    extracting.best_model = lambda texts, processes, say: "auto"  # noqa: ARG005


if __name__ == "__main__":
    from kg.cli.main import main

    pause_s = float(sys.argv.pop(1)) if sys.argv[1].replace(".", "").isdigit() else 0.0
    use(Capitals(pause_s=pause_s))
    main()
