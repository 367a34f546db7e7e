"""Text in runs, each with what is marked in it: the form in which a page shows evidence.

Offsets count characters here and UTF-16 units in a browser, so the text is cut before it goes
into the page.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise


@dataclass(frozen=True, slots=True)
class Mark:
    """A stretch [start, end) and what it is; `layer` 0 lies under layer 1."""

    start: int
    end: int
    what: str
    layer: int = 0


@dataclass(frozen=True, slots=True)
class Run:
    """Characters that have the same marks: the innermost of each layer, or ''."""

    text: str
    layers: tuple[str, ...]


def runs(text: str, marks: Iterable[Mark], layers: int = 1) -> list[Run]:
    """Cut the text wherever a mark begins or ends.

    Marks outside the text are cut to it. Of two marks in one layer the shorter one shows, since
    it is the more exact.

    >>> [(run.text, run.layers) for run in runs("We use BERT.", [Mark(7, 11, "Method")])]
    [('We use ', ('',)), ('BERT', ('Method',)), ('.', ('',))]
    """
    size = len(text)
    held = [
        Mark(max(0, m.start), min(size, m.end), m.what, m.layer)
        for m in marks
        if max(0, m.start) < min(size, m.end)
    ]
    held.sort(key=lambda m: (m.end - m.start, m.start, m.what))
    cuts = sorted({0, size, *(m.start for m in held), *(m.end for m in held)})
    found: list[Run] = []
    for start, end in pairwise(cuts):
        covering = [m for m in held if m.start <= start and end <= m.end]
        found.append(Run(text[start:end], tuple(_innermost(covering, i) for i in range(layers))))
    return found


def in_sentence(
    sentence: str, text: str, near: int, spans: Sequence[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Return where spans of the text lie in a sentence of it, as offsets into the sentence.

    The sentence is looked for around `near`, an offset that lies in it; spans that lie outside
    are left out.
    """
    if not sentence:
        return []
    at = text.rfind(sentence, 0, near + len(sentence))
    if at < 0 or not at <= near <= at + len(sentence):
        at = text.find(sentence)
    if at < 0:
        return []
    end = at + len(sentence)
    return [(max(s, at) - at, min(e, end) - at) for s, e in spans if s < end and e > at]


def _innermost(covering: Sequence[Mark], layer: int) -> str:
    return next((m.what for m in covering if m.layer == layer), "")
