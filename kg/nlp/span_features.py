"""What the rescorer sees of each candidate: the tagger's numbers, the names, shape, neighbours.

Columns are made for all candidates of a text at once. What depends on the words alone is made
once per span, since most spans are looked at as several types.
"""

import math
from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt

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
from kg.nlp.scores import TYPES, Floats
from kg.nlp.words_in_names import WordTable

_DETERMINERS: Final = frozenset(
    ("the", "a", "an", "our", "this", "these", "its", "their", "such", "each", "any", "some")
)
_SIGNS: Final = {"": 0.0, "(": 1.0, ")": 2.0, "-": 3.0, ",": 4.0, ".": 5.0, ":": 6.0, "/": 7.0}
_SIGNS_OTHER: Final = 8.0
_SIGNS_WORD: Final = 9.0
_TINY: Final = 1e-6
_MOST_CACHED: Final = 100_000  # words

Doubles = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


def span_features(read: Reading, found: Sequence[Candidate], table: WordTable) -> Floats:
    """Return one row per candidate; the columns are the same for every text."""
    if not found:
        return np.zeros((0, 0), np.float32)
    whole = np.array([(one.first, one.last, one.kind) for one in found], np.int64)
    # Candidates of the same words as other types follow each other.
    new = np.append(True, (whole[1:, :2] != whole[:-1, :2]).any(1))
    spans = _Spans(read, whole[new, 0], whole[new, 1], table)
    owner = np.cumsum(new) - 1
    probabilities = _Probabilities(read, whole)
    rows = [spans.rows[at] for at in owner.tolist()]
    names = [_name_numbers(row, one.kind) for row, one in zip(rows, found, strict=True)]
    surfaces = [spans.surfaces[at] for at in owner.tolist()]
    columns = (
        probabilities.columns(spans, owner),
        spans.shape[owner],
        names,
        spans.around[owner],
        spans.words[owner],
        _repeats(surfaces, found, probabilities.exactly()),
    )
    return np.hstack([np.asarray(part, np.float64) for part in columns]).astype(np.float32)


class _Probabilities:
    """The tagger's numbers of every candidate."""

    def __init__(self, read: Reading, whole: Ints) -> None:
        self._first, self._last, self._kind = whole.T
        self._begin = 1 + 2 * self._kind
        self._size = self._last - self._first
        # Outside for sure, before the text and behind it: place t of the text is row t + 1.
        edge = np.zeros((1, 1 + 2 * len(TYPES)))
        edge[0, 0] = 1.0
        inner = np.array(read.labels)
        self._padded = np.concatenate((edge, inner, edge))
        self._tagged = _argmax_spans(inner)
        logs = np.log(inner[:, 2::2] + _TINY)
        self._sum, self._least = _over(logs, self._first + 1, self._last, self._kind)
        mass = inner[:, 1::2] + inner[:, 2::2]
        self._mass = np.concatenate((np.zeros((1, len(TYPES))), np.cumsum(mass, axis=0)))

    def columns(self, spans: "_Spans", owner: Ints) -> Doubles:
        """Return what begins, goes on and ends with which probability, here and beside it."""
        rows = np.arange(len(self._first))
        first, after = self._padded[self._first + 1], self._padded[self._last + 1]
        before, last = self._padded[self._first], self._padded[self._last]
        begin, inside = self._begin, self._begin + 1
        mass = (self._mass[self._last] - self._mass[self._first]) / self._size[:, None]
        others = mass.copy()
        others[rows, self._kind] = -np.inf
        exact = list(zip(*self._whole(), strict=True))
        pairs = {(i, j) for i, j, _ in self._tagged}
        return np.column_stack(
            (
                self._kind,
                first[rows, begin],
                first[rows, inside],
                self._sum,
                self._least,
                after[rows, inside],
                after[rows, begin],
                before[:, 0],
                before[rows, begin] + before[rows, inside],
                after[:, 0],
                spans.outside[owner],
                mass[rows, self._kind],
                others.max(1),
                last[rows, begin] + last[rows, inside],
                [one in self._tagged for one in exact],
                [(i, j) in pairs for i, j, _ in exact],
            )
        )

    def exactly(self) -> list[float]:
        """Return the probability of exactly each span in the tagger's words."""
        rows = np.arange(len(self._first))
        begins = self._padded[self._first + 1][rows, self._begin].tolist()
        goes_on = self._padded[self._last + 1][rows, self._begin + 1].tolist()
        logs = self._sum.tolist()
        return [b * math.exp(s) * (1 - a) for b, s, a in zip(begins, logs, goes_on, strict=True)]

    def _whole(self) -> tuple[list[int], list[int], list[int]]:
        return self._first.tolist(), self._last.tolist(), self._kind.tolist()


class _Spans:
    """What is seen of every span, whatever type it may be."""

    def __init__(self, read: Reading, first: Ints, last: Ints, table: WordTable) -> None:
        self._read = read
        self._first, self._last = first, last
        count = len(read.words)
        bounds = np.array(read.words, np.int64)
        starts, ends = bounds[:, 0], bounds[:, 1]
        at = list(zip(first.tolist(), last.tolist(), strict=True))
        self.rows: list[Row] = [read.names.get(span, EMPTY) for span in at]
        self.surfaces = [read.surface(i, j) for i, j in at]
        self.around = np.array([_around(read, i, j) for i, j in at])
        outside = np.array([own[0] for own in read.labels])
        total, _ = _over(outside[:, None], first, last, np.zeros_like(first))
        most = -_over(-outside[:, None], first, last, np.zeros_like(first))[1]
        begins = np.array([sum(own[1::2]) for own in read.labels])
        size = last - first
        self.outside = np.column_stack((begins[first], most, total / size))
        named, _ = _over(np.array(read.named)[:, None], first, last, np.zeros_like(first))
        sentences = {start for start, _ in read.sentences}
        self.shape = np.column_stack(
            (
                *_tagged_around(read, first, last),
                named / size,
                size,
                ends[last - 1] - starts[first],
                first / count,
                [start in sentences for start in starts[first].tolist()],
            )
        )
        self.words = self._words(starts, ends, table)

    def _words(self, starts: Ints, ends: Ints, table: WordTable) -> Doubles:
        """Return what the words at the ends, within and beside each span are."""
        read, first, last = self._read, self._first, self._last
        count = len(read.words)
        lower = [read.fold[a:b] for a, b in read.words]
        shares = np.array([table.shares(low) for low in (*lower, "")])
        lows = np.array([_low_facts(low) for low in (*lower, "")])
        facts = np.array([_facts(read.text[a:b]) for a, b in read.words], np.int64)
        sums = np.concatenate((np.zeros((1, facts.shape[1]), np.int64), np.cumsum(facts, axis=0)))
        within = sums[last] - sums[first]
        # The word after the last stands for none.
        left, right = np.where(first > 0, first - 1, count), last
        begins_high, ends_plain, begins_plain = (
            facts[first, _HIGH], facts[last - 1, _ENDS], facts[first, _BEGINS],
        )  # fmt: skip
        glued = np.concatenate((starts[1:] == ends[:-1], [False]))
        capitals = within[:, _CAPITALS]
        return np.column_stack(
            (
                shares[first],
                shares[last - 1],
                shares[left],
                shares[right],
                capitals > 0,
                (within[:, _SMALL] == 0) & (within[:, _UPPER] > 0),
                begins_high,
                capitals > begins_high,
                within[:, _DIGITS] > 0,
                *(within[:, column] > 0 for column in _HELD),
                lows[first, 0],
                lows[left, 0],
                lows[left, 1],
                lows[right, 1],
                1 - ends_plain,
                1 - begins_plain,
                np.where(first > 0, glued[first - 1], False),
                glued[last - 1],
                self._abbreviated(starts, ends),
            )
        )

    def _abbreviated(self, starts: Ints, ends: Ints) -> Doubles:
        """Return whether each span is, equals or cuts a form of an abbreviation."""
        read = self._read
        if not read.abbreviations:
            return np.zeros((len(self._first), 4))
        long = {(pair.long_start, pair.long_end) for pair in read.abbreviations}
        short = {(pair.short_start, pair.short_end) for pair in read.abbreviations}
        short_forms = {read.text[a:b] for a, b in short}
        long_forms = {read.fold[a:b] for a, b in long}
        spans = zip(starts[self._first].tolist(), ends[self._last - 1].tolist(), strict=True)
        return np.array(
            [
                (
                    (start, end) in long,
                    (start, end) in short or read.text[start:end] in short_forms,
                    read.fold[start:end] in long_forms,
                    any(a < start < b or a < end < b for a, b in long),
                )
                for start, end in spans
            ],
            np.float64,
        )


def _over(values: Doubles, first: Ints, last: Ints, column: Ints) -> tuple[Doubles, Doubles]:
    """Return the sum and the least of values[first:last, column] of each row; 0 where there are none.

    Added up from left to right, so that the last digits do not depend on the other rows.
    """
    total = np.zeros(len(first))
    least = np.full(len(first), np.inf)
    rows = np.flatnonzero(first < last)
    at = first[rows]
    while len(rows):
        here = values[at, column[rows]]
        total[rows] += here
        least[rows] = np.minimum(least[rows], here)
        at = at + 1
        going = at < last[rows]
        rows, at = rows[going], at[going]
    return total, np.where(np.isinf(least), 0.0, least)


def _tagged_around(read: Reading, first: Ints, last: Ints) -> tuple[Any, ...]:
    """Return whether a tagged span goes on before and behind, and how many parts there are."""
    count = len(read.words)
    covered = np.zeros(count + 2, np.int64)  # place t of the text is t + 1
    for number, (i, j, _) in enumerate(sorted(_argmax_spans(np.array(read.labels))), 1):
        covered[i + 1 : j + 1] = number
    here, end = covered[first + 1], covered[last]
    starts = np.cumsum((covered[1:] != 0) & (covered[1:] != covered[:-1]))
    blanks = np.cumsum(covered == 0)
    parts = starts[last - 1] - starts[first] + (here != 0)
    return (
        (here != 0) & (covered[first] == here),
        (end != 0) & (covered[last + 1] == end),
        parts + (blanks[last] > blanks[first]),
    )


# Columns of _facts; all but the first characters are counted over a span.
_CAPITALS, _DIGITS, _SMALL, _UPPER, _HIGH, _BEGINS, _ENDS = range(7)
_HELD: Final = range(7, 11)


@lru_cache(maxsize=_MOST_CACHED)
def _facts(form: str) -> tuple[int, ...]:
    """Return what a word is made of."""
    return (
        sum(map(str.isupper, form)),
        sum(map(str.isdigit, form)),
        not form.isupper() and any(c.isupper() or c.islower() or c.istitle() for c in form),
        form.isupper(),
        form[0].isupper(),
        form[0].isalnum(),
        form[-1].isalnum(),
        form == "(",
        form == "-",
        form in ("$", "\\"),
        form == ",",
    )


@lru_cache(maxsize=_MOST_CACHED)
def _low_facts(word: str) -> tuple[float, float]:
    """Return whether a word is a determiner, and which sign it is."""
    sign = _SIGNS.get(word)
    if sign is None:
        sign = _SIGNS_WORD if word[0].isalnum() else _SIGNS_OTHER
    return float(word in _DETERMINERS), sign


@lru_cache(maxsize=_MOST_CACHED)
def _name_numbers(row: Row, kind: int) -> tuple[float, ...]:
    gold, lists, read = row[GOLD], row[LISTS], row[READ]
    total = sum(gold)
    seen = max(row[GOLD_SEEN], total)
    heard = sum(read)
    return (
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
    )


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


def _repeats(
    surfaces: Sequence[str], found: Sequence[Candidate], owns: Sequence[float]
) -> list[tuple[float, ...]]:
    """Return what the tagger says of the same characters elsewhere in the text, and as other types.

    Args:
        surfaces: of each candidate.
        found: the candidates.
        owns: of each the probability of exactly this span in the tagger's words.
    """
    by_name: dict[str, dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
    best_over: dict[int, float] = defaultdict(float)
    for one, name, own in zip(found, surfaces, owns, strict=True):
        by_name[name][one.kind].append(own)
        for w in range(one.first, one.last):
            if own > best_over[w]:
                best_over[w] = own
    best = {name: {k: max(v) for k, v in kinds.items()} for name, kinds in by_name.items()}
    rows: list[tuple[float, ...]] = []
    for one, name, own in zip(found, surfaces, owns, strict=True):
        same = by_name[name][one.kind]
        others = (p for kind, p in best[name].items() if kind != one.kind)
        rows.append(
            (
                own,
                best[name][one.kind],
                sum(same) / len(same),
                float(len(same)),
                max(others, default=0.0),
                max(best_over[w] for w in range(one.first, one.last)) - own,
            )
        )
    return rows


def _argmax_spans(labels: Doubles) -> set[tuple[int, int, int]]:
    """Return (first, last, type) of the spans that the most probable labels make."""
    found = set()
    start, kind = -1, -1
    for i, label in enumerate([*labels.argmax(1).tolist(), 0]):
        here = (label - 1) // 2 if label else -1
        goes_on = label > 0 and label % 2 == 0 and here == kind
        if start >= 0 and not goes_on:
            found.add((start, i, kind))
            start, kind = -1, -1
        if label and not goes_on:
            start, kind = i, here
    return found
