"""What the rescorer sees of each candidate: the tagger's numbers, the names, shape, neighbours."""

import itertools
import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np

from kg.nlp.candidates import Candidate, Reading
from kg.nlp.lexicon import (
    EMPTY,
    GOLD,
    GOLD_NAMED,
    GOLD_SEEN,
    LISTS,
    READ,
    READ_SEEN,
    Row,
)
from kg.nlp.scores import Floats
from kg.nlp.words_in_names import WordTable

_DETERMINERS: Final = frozenset(
    ("the", "a", "an", "our", "this", "these", "its", "their", "such", "each", "any", "some")
)
_TINY: Final = 1e-6
_MOST_CACHED: Final = 100_000  # words


def span_features(read: Reading, found: Sequence[Candidate], table: WordTable) -> Floats:
    """Return one row per candidate; the columns are the same for every text."""
    if not found:
        return np.zeros((0, 0), np.float32)
    places = _Places(read)
    numbers = []
    surfaces = []
    before: tuple[int, int] | None = None
    for one in found:
        # Candidates of the same words as other types follow each other.
        if (one.first, one.last) != before:
            before = (one.first, one.last)
            words = _of_words(read, one.first, one.last, places, table)
            surface = read.surface(one.first, one.last)
        surfaces.append(surface)
        numbers.append(_own(read, one, places, words))
    _add_repeats(surfaces, found, numbers)
    return np.array(numbers, np.float32)


class _Places:
    """What is asked of a text again and again, made once."""

    def __init__(self, read: Reading) -> None:
        self.lower = [read.fold[a:b] for a, b in read.words]
        self.tagged = _argmax_spans(read.labels)
        self.tagged_spans = {(i, j) for i, j, _ in self.tagged}
        self.covered = [0] * len(read.words)
        for number, (i, j, _) in enumerate(sorted(self.tagged), 1):
            self.covered[i:j] = [number] * (j - i)
        self.long: dict[tuple[int, int], tuple[int, int]] = {}
        self.short: dict[tuple[int, int], tuple[int, int]] = {}
        for pair in read.abbreviations:
            long, short = (pair.long_start, pair.long_end), (pair.short_start, pair.short_end)
            self.long[long] = short
            self.short[short] = long
        self.short_forms = {read.text[a:b] for a, b in self.short}
        self.long_forms = {read.fold[a:b] for a, b in self.long}
        self.sentence_starts = {start for start, _ in read.sentences}
        # How many capitals and digits stand before each word.
        counts = [_capitals_and_digits(read.text[a:b]) for a, b in read.words]
        self.capitals = _running(capitals for capitals, _ in counts)
        self.digits = _running(digits for _, digits in counts)
        self.outside = [own[0] for own in read.labels]
        # Sums up to each word, so that the mean over any span is one subtraction.
        self.sums = [
            list(itertools.accumulate((own[b] + own[b + 1] for own in read.labels), initial=0.0))
            for b in range(1, 9, 2)
        ]
        self._labels = read.labels
        self._logs: dict[tuple[int, int], float] = {}

    def log(self, word: int, label: int) -> float:
        """Return the log-probability of a label at a word."""
        found = self._logs.get((word, label))
        if found is None:
            found = self._logs[word, label] = math.log(self._labels[word][label] + _TINY)
        return found


@lru_cache(maxsize=_MOST_CACHED)
def _capitals_and_digits(form: str) -> tuple[int, int]:
    """Return how many capitals and how many digits a word has."""
    return sum(map(str.isupper, form)), sum(map(str.isdigit, form))


def _running(counts: Iterable[int]) -> list[int]:
    """Return the sums up to each place, and that of all at the end."""
    return [0, *itertools.accumulate(counts)]


class _Words(NamedTuple):
    """What is seen of words [first, last), whatever type they may be, in the order of columns."""

    before: tuple[float, ...]
    outside: tuple[float, ...]
    tagged: float
    shape: tuple[float, ...]
    row: Row
    rest: list[float]


def _of_words(read: Reading, i: int, j: int, places: _Places, table: WordTable) -> _Words:
    words, text = read.words, read.text
    count = len(words)
    outside = places.outside[i:j]
    start, end = words[i][0], words[j - 1][1]
    surface = text[start:end]
    left = places.lower[i - 1] if i else ""
    right = places.lower[j] if j < count else ""
    covered = places.covered
    number = covered[i]
    capitals = places.capitals[j] - places.capitals[i]
    rest = [
        *_around(read, i, j),
        *table.shares(places.lower[i]),
        *table.shares(places.lower[j - 1]),
        *table.shares(left),
        *table.shares(right),
        float(capitals > 0),
        float(surface.isupper()),
        float(surface[0].isupper()),
        float(capitals > surface[0].isupper()),
        float(places.digits[j] > places.digits[i]),
        float("(" in surface),
        float("-" in surface),
        float("$" in surface or "\\" in surface),
        float("," in surface),
        float(places.lower[i] in _DETERMINERS),
        float(left in _DETERMINERS),
        _sign(left),
        _sign(right),
        float(not surface[-1].isalnum()),
        float(not surface[0].isalnum()),
        float(i > 0 and words[i - 1][1] == start),
        float(j < count and words[j][0] == end),
        float((start, end) in places.long),
        float((start, end) in places.short or surface in places.short_forms),
        float(read.fold[start:end] in places.long_forms),
        float(any(a < start < b or a < end < b for a, b in places.long)),
    ]
    return _Words(
        before=(read.labels[i - 1][0] if i else 1.0, read.labels[j][0] if j < count else 1.0),
        outside=(sum(read.labels[i][1::2]), max(outside), sum(outside) / (j - i)),
        tagged=float((i, j) in places.tagged_spans),
        shape=(
            float(number != 0 and i > 0 and covered[i - 1] == number),
            float(covered[j - 1] != 0 and j < count and covered[j - 1] == covered[j]),
            float(len(set(covered[i:j]))),
            sum(read.named[i:j]) / (j - i),
            float(j - i),
            float(end - start),
            i / count,
            float(start in places.sentence_starts),
        ),
        row=read.names.get((i, j), EMPTY),
        rest=rest,
    )


def _own(read: Reading, one: Candidate, places: _Places, words: _Words) -> list[float]:
    i, j, k = one.first, one.last, one.kind
    labels = read.labels
    begin, inside = 1 + 2 * k, 2 + 2 * k
    first = labels[i]
    before = labels[i - 1] if i else None
    after = labels[j] if j < len(labels) else None
    logs = [places.log(w, inside) for w in range(i + 1, j)]
    size = j - i
    mass = [(column[j] - column[i]) / size for column in places.sums]
    return [
        float(k),
        first[begin],
        first[inside],
        sum(logs),
        min(logs, default=0.0),
        after[inside] if after else 0.0,
        after[begin] if after else 0.0,
        words.before[0],
        before[begin] + before[inside] if before else 0.0,
        words.before[1],
        *words.outside,
        mass[k],
        max(mass[:k] + mass[k + 1 :]),
        labels[j - 1][begin] + labels[j - 1][inside],
        float((i, j, k) in places.tagged),
        words.tagged,
        *words.shape,
        *_name_numbers(words.row, k),
        *words.rest,
    ]


_SIGNS: Final = {"": 0.0, "(": 1.0, ")": 2.0, "-": 3.0, ",": 4.0, ".": 5.0, ":": 6.0, "/": 7.0}
_SIGNS_OTHER: Final = 8.0
_SIGNS_WORD: Final = 9.0


def _sign(word: str) -> float:
    known = _SIGNS.get(word)
    if known is not None:
        return known
    return _SIGNS_WORD if word[0].isalnum() else _SIGNS_OTHER


def _name_numbers(row: Row, kind: int) -> list[float]:
    gold, lists, read = row[GOLD], row[LISTS], row[READ]
    total = sum(gold)
    seen = max(row[GOLD_SEEN], total)
    heard = sum(read)
    return [
        float(gold[kind]),
        float(total - gold[kind]),
        float(seen),
        gold[kind] / (seen + 1.0),
        total / (seen + 1.0),
        row[GOLD_NAMED] / (total + 1.0),
        float(lists[kind]),
        float(sum(lists) - lists[kind]),
        math.log1p(read[kind]),
        read[kind] / (row[READ_SEEN] + 1.0),
        heard / (row[READ_SEEN] + 1.0),
        math.log1p(row[READ_SEEN]),
    ]


def _around(read: Reading, i: int, j: int) -> list[float]:
    """Return what is known of the spans that are one word longer or shorter on either side."""
    names = read.names
    found = []
    for a, b in ((i - 1, j), (i, j + 1), (i + 1, j), (i, j - 1)):
        row = names.get((a, b)) if a < b else None
        if row is None:
            found += [0.0, 0.0]
        else:
            gold = row[GOLD]
            found.append(sum(gold) / (max(row[GOLD_SEEN], sum(gold)) + 1.0))
            found.append(sum(row[READ]) / (row[READ_SEEN] + 1.0))
    return found


def _add_repeats(
    surfaces: Sequence[str], found: Sequence[Candidate], numbers: list[list[float]]
) -> None:
    """Add what the tagger says of the same characters elsewhere in the text, and as other types."""
    # begins, goes on, ends: the probability of exactly this span in the tagger's words
    owns = [row[1] * math.exp(row[3]) * (1 - row[5]) for row in numbers]
    by_name: dict[str, dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    best_over: dict[int, float] = defaultdict(float)
    for one, name, own in zip(found, surfaces, owns, strict=True):
        by_name[name][one.kind].append(own)
        for w in range(one.first, one.last):
            if own > best_over[w]:
                best_over[w] = own
    best = {name: {k: max(v) for k, v in kinds.items()} for name, kinds in by_name.items()}
    for one, name, own, row in zip(found, surfaces, owns, numbers, strict=True):
        same = by_name[name][one.kind]
        row += [
            own,
            best[name][one.kind],
            sum(same) / len(same),
            float(len(same)),
            max((p for kind, p in best[name].items() if kind != one.kind), default=0.0),
            max(best_over[w] for w in range(one.first, one.last)) - own,
        ]


def _argmax_spans(labels: list[list[float]]) -> set[tuple[int, int, int]]:
    """Return (first, last, type) of the spans that the most probable labels make."""
    found = set()
    start, kind = -1, -1
    best = [*np.argmax(labels, axis=1).tolist(), 0] if labels else [0]
    for i, label in enumerate(best):
        here = (label - 1) // 2 if label else -1
        goes_on = label > 0 and label % 2 == 0 and here == kind
        if start >= 0 and not goes_on:
            found.add((start, i, kind))
            start, kind = -1, -1
        if label and not goes_on:
            start, kind = i, here
    return found
