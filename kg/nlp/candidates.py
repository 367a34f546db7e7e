"""Every stretch of words that may be an entity, for the rescorer to judge.

A tagger decides word by word, and most of its errors are ends in the wrong place; so every span
that begins and goes on with some probability is looked at as a whole. Names that were counted
before and the two forms of an abbreviation are looked at in any case.
"""

import bisect
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from kg.nlp.abbreviations import Abbreviation
from kg.nlp.folding import folded, single_spaced
from kg.nlp.lexicon import GOLD, LISTS, READ, READ_SEEN, KnownName, Row
from kg.nlp.scores import LABELS, TYPES, TokenScores

Doubles = npt.NDArray[np.float64]

LONGEST: Final = 14  # words
_START: Final = 0.02  # least probability of a beginning, and of going on
_FRAGMENT: Final = 0.3  # inside a name with so much probability, a name may begin here
_SURE: Final = 0.98  # the name goes on for sure: no end here
_BRACKET: Final = re.compile(r"[()\[\]{}]")
_LEAST_TYPE: Final = 0.05  # of a known name or abbreviation, to be looked at as this type


class Candidate(NamedTuple):
    """Words [first, last) of a text as an entity of a type, an index into TYPES."""

    first: int
    last: int
    kind: int


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """A text with its scores, in the form in which candidates are made and judged."""

    text: str
    fold: str
    words: list[tuple[int, int]]
    labels: Doubles  # (n, 9), of each word the probability of LABELS
    named: list[float]
    sentences: Sequence[tuple[int, int]]
    abbreviations: Sequence[Abbreviation]
    names: dict[tuple[int, int], Row]  # known names by their words

    def surface(self, first: int, last: int) -> str:
        """Return the folded characters of words [first, last)."""
        return single_spaced(self.fold[self.words[first][0] : self.words[last - 1][1]])


def reading(
    text: str,
    scores: TokenScores,
    abbreviations: Sequence[Abbreviation],
    names: Sequence[KnownName],
) -> Reading:
    """Put together what candidates are made from."""
    spans = list(map(tuple, scores.words.tolist()))
    return Reading(
        text=text,
        fold=folded(text),
        words=spans,
        labels=np.exp(scores.entity.astype(np.float64)),
        named=scores.named.tolist(),
        sentences=list(map(tuple, scores.sentences.tolist())),
        abbreviations=abbreviations,
        names={(i, j): row for i, j, _, row in names},
    )


def candidates(read: Reading) -> list[Candidate]:
    """Return the candidates of a text, sorted by first word, last word and type."""
    found = set(_grown(read.labels.tolist()))
    found.update(_known(read))
    text, words = read.text, read.words
    return [
        Candidate(i, j, kind)
        for i, j, kind in sorted(found)
        if _balanced(text[words[i][0] : words[j - 1][1]])
    ]


def _grown(labels: list[list[float]]) -> Iterable[tuple[int, int, int]]:
    """Grow spans to the right from every word that may begin one."""
    count = len(labels)
    for i, own in enumerate(labels):
        if own[0] > 1 - _START:
            continue
        for kind in range(len(TYPES)):
            begin, inside = 1 + 2 * kind, 2 + 2 * kind
            if own[begin] < _START and not (
                own[inside] > _FRAGMENT and (i == 0 or labels[i - 1][0] > 0.05)
            ):
                continue
            for j in range(i + 1, min(count, i + LONGEST) + 1):
                if j > i + 1 and labels[j - 1][inside] + labels[j - 1][begin] < _START:
                    break
                if j < count and labels[j][inside] > _SURE:
                    continue
                yield i, j, kind


def _known(read: Reading) -> Iterable[tuple[int, int, int]]:
    """Yield known names and both forms of abbreviations, as every type that is not improbable."""
    spans = dict(read.names)
    for pair in read.abbreviations:
        for start, end in (
            (pair.long_start, pair.long_end),
            (pair.short_start, pair.short_end),
        ):
            at = _word_range(read.words, start, end)
            if at is not None:
                spans.setdefault(at, ())
    masses = (read.labels[:, 1::2] + read.labels[:, 2::2]).tolist()
    for (i, j), row in spans.items():
        if j - i > LONGEST:
            continue
        most = masses[i] if j - i == 1 else list(map(max, zip(*masses[i:j], strict=True)))
        for kind, mass in enumerate(most):
            if mass >= _LEAST_TYPE or (row and _says(row, kind)):
                yield i, j, kind


def _says(row: Row, kind: int) -> bool:
    """Say whether the counts of a name speak for a type on their own."""
    if row[GOLD][kind] >= 1 and row[GOLD][kind] * 2 >= row[GOLD.stop + 1]:
        return True
    return row[READ][kind] * 3 >= max(3, row[READ_SEEN]) or (
        row[LISTS][kind] > 1 and not row[READ_SEEN]
    )


def _word_range(words: list[tuple[int, int]], start: int, end: int) -> tuple[int, int] | None:
    """Return the words that make up characters [start, end) exactly, or None."""
    i = bisect.bisect_left(words, (start, 0))
    j = bisect.bisect_right(words, (end, 0), key=lambda word: (word[1], 0))
    if i < j and words[i][0] == start and words[j - 1][1] == end:
        return i, j
    return None


def _balanced(surface: str) -> bool:
    if not _BRACKET.search(surface):
        return True
    count = surface.count
    return count("(") == count(")") and count("[") == count("]") and count("{") == count("}")


assert LABELS[1::2] == tuple(f"B-{kind}" for kind in TYPES)  # noqa: S101 - the columns above
