"""What the rescorer sees of each candidate: the tagger's numbers, the names, shape, neighbours."""

import itertools
import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final

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


def span_features(read: Reading, found: Sequence[Candidate], table: WordTable) -> Floats:
    """Return one row per candidate; the columns are the same for every text."""
    if not found:
        return np.zeros((0, 0), np.float32)
    places = _Places(read)
    numbers = [_own(read, one, places, table) for one in found]
    _add_repeats(read, found, numbers)
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
        forms = [read.text[a:b] for a, b in read.words]
        self.capitals = _running(sum(map(str.isupper, form)) for form in forms)
        self.digits = _running(sum(map(str.isdigit, form)) for form in forms)
        outside = [own[0] for own in read.labels]
        self.outside = outside
        # Sums up to each word, so that the mean over any span is one subtraction.
        self.sums = [[0.0] * (len(outside) + 1) for _ in range(4)]
        for kind in range(4):
            total = 0.0
            column = self.sums[kind]
            for i, own in enumerate(read.labels):
                total += own[1 + 2 * kind] + own[2 + 2 * kind]
                column[i + 1] = total


def _running(counts: Iterable[int]) -> list[int]:
    """Return the sums up to each place, and that of all at the end."""
    return [0, *itertools.accumulate(counts)]


def _own(read: Reading, one: Candidate, places: _Places, table: WordTable) -> list[float]:
    i, j, k = one.first, one.last, one.kind
    labels, words, text = read.labels, read.words, read.text
    count = len(words)
    begin, inside = 1 + 2 * k, 2 + 2 * k
    first = labels[i]
    before = labels[i - 1] if i else None
    after = labels[j] if j < count else None
    logs = [math.log(labels[w][inside] + _TINY) for w in range(i + 1, j)]
    outside = places.outside[i:j]
    start, end = words[i][0], words[j - 1][1]
    surface = text[start:end]
    left = places.lower[i - 1] if i else ""
    right = places.lower[j] if j < count else ""
    number = places.covered[i]
    row = read.names.get((i, j), EMPTY)
    long = read.fold[start:end] in places.long_forms
    numbers = [
        float(k),
        first[begin],
        first[inside],
        sum(logs),
        min(logs, default=0.0),
        after[inside] if after else 0.0,
        after[begin] if after else 0.0,
        before[0] if before else 1.0,
        before[begin] + before[inside] if before else 0.0,
        after[0] if after else 1.0,
        sum(first[1::2]),
        max(outside),
        sum(outside) / (j - i),
        (places.sums[k][j] - places.sums[k][i]) / (j - i),
        max((places.sums[t][j] - places.sums[t][i]) for t in range(4) if t != k) / (j - i),
        labels[j - 1][begin] + labels[j - 1][inside],
        float((i, j, k) in places.tagged),
        float((i, j) in places.tagged_spans),
        float(number != 0 and i > 0 and places.covered[i - 1] == number),
        float(places.covered[j - 1] != 0 and j < count and
              places.covered[j - 1] == places.covered[j]),
        float(len(set(places.covered[i:j]))),
        sum(read.named[i:j]) / (j - i),
        float(j - i),
        float(end - start),
        i / count,
        float(start in places.sentence_starts),
    ]  # fmt: skip
    numbers += _name_numbers(row, k)
    numbers += _around(read, i, j)
    numbers += table.shares(places.lower[i])
    numbers += table.shares(places.lower[j - 1])
    numbers += table.shares(left)
    numbers += table.shares(right)
    numbers += [
        float(places.capitals[j] > places.capitals[i]),
        float(surface.isupper()),
        float(surface[0].isupper()),
        float(places.capitals[j] > places.capitals[i] + surface[0].isupper()),
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
        float(long),
        float(any(a < start < b or a < end < b for a, b in places.long)),
    ]
    return numbers


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


def _add_repeats(read: Reading, found: Sequence[Candidate], numbers: list[list[float]]) -> None:
    """Add what the tagger says of the same characters elsewhere in the text, and as other types."""
    by_name: dict[str, dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    names = []
    for one, row in zip(found, numbers, strict=True):
        name = read.surface(one.first, one.last)
        names.append(name)
        # begins, goes on, ends: the probability of exactly this span in the tagger's words
        by_name[name][one.kind].append(row[1] * math.exp(row[3]) * (1 - row[5]))
    best_over: dict[int, float] = defaultdict(float)
    for one, row in zip(found, numbers, strict=True):
        own = row[1] * math.exp(row[3]) * (1 - row[5])
        for w in range(one.first, one.last):
            best_over[w] = max(best_over[w], own)
    for one, name, row in zip(found, names, numbers, strict=True):
        own = row[1] * math.exp(row[3]) * (1 - row[5])
        same = by_name[name][one.kind]
        other = max(
            (max(values) for kind, values in by_name[name].items() if kind != one.kind),
            default=0.0,
        )
        row += [
            own,
            max(same),
            sum(same) / len(same),
            float(len(same)),
            other,
            max(best_over[w] for w in range(one.first, one.last)) - own,
        ]


def _argmax_spans(labels: list[list[float]]) -> set[tuple[int, int, int]]:
    """Return (first, last, type) of the spans that the most probable labels make."""
    found = set()
    start, kind = -1, -1
    for i in range(len(labels) + 1):
        label = max(range(len(labels[i])), key=labels[i].__getitem__) if i < len(labels) else 0
        here = (label - 1) // 2 if label else -1
        goes_on = label > 0 and label % 2 == 0 and here == kind
        if start >= 0 and not goes_on:
            found.add((start, i, kind))
            start, kind = -1, -1
        if label and not goes_on:
            start, kind = i, here
    return found
