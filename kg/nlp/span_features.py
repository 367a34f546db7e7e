"""What the rescorer sees of each candidate: the tagger's numbers, the names, shape, neighbours.

Columns are made for all candidates of a text at once. What depends on the words alone is made
once per span, since most spans are looked at as several types.
"""

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

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
from kg.nlp.span_words import span_words
from kg.nlp.tagged_spans import around_tagged, tagged_spans
from kg.nlp.words_in_names import WordTable

_TINY: Final = 1e-6
_MOST_CACHED: Final = 100_000  # rows of names

Doubles = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


def span_features(read: Reading, found: Sequence[Candidate], table: WordTable) -> Floats:
    """Return one row per candidate; the columns are the same for every text."""
    if not found:
        return np.zeros((0, 0), np.float32)
    whole = np.array(found, np.int64)
    # Candidates of the same words as other types follow each other.
    new = np.append(True, (whole[1:, :2] != whole[:-1, :2]).any(1))
    first, last = whole[new, 0], whole[new, 1]
    owner = np.cumsum(new) - 1
    at = list(zip(first.tolist(), last.tolist(), strict=True))
    tagged = tagged_spans(read.labels)
    outside, shape = _shape(read, first, last, tagged)
    probabilities, exactly = _probabilities(read.labels, whole, outside[owner], tagged)
    surfaces: dict[str, int] = {}
    numbers = [surfaces.setdefault(read.surface(i, j), len(surfaces)) for i, j in at]
    columns = (
        probabilities,
        shape[owner],
        _names([read.names.get(span) for span in at], owner, whole[:, 2]),
        _around(read, at)[owner],
        span_words(read, first, last, table)[owner],
        _repeats(np.array(numbers)[owner], whole, exactly, len(read.words)),
    )
    return np.hstack(columns).astype(np.float32)


def _probabilities(
    labels: Doubles, whole: Ints, outside: Doubles, tagged: Sequence[tuple[int, int, int]]
) -> tuple[Doubles, Doubles]:
    """Return what begins, goes on and ends with which probability, here and beside each candidate.

    Args:
        labels: (n, 9), of each word.
        whole: (c, 3), first word, word after the last and type of each candidate.
        outside: (c, 3), what holds for the words of each.
        tagged: the spans of the most probable labels.

    Returns:
        The columns, and the probability of exactly each candidate in the tagger's words.
    """
    first, last, kind = whole.T
    rows, begin, inside = np.arange(len(whole)), 1 + 2 * kind, 2 + 2 * kind
    # Outside for sure, before the text and behind it: place t of the text is row t + 1.
    padded = np.zeros((len(labels) + 2, labels.shape[1]))
    padded[1:-1] = labels
    padded[[0, -1], 0] = 1.0
    logs = np.log(labels[:, 2::2] + _TINY)
    total, least = _added(logs, first + 1, last, kind), _least(logs, first + 1, last, kind)
    masses = np.zeros((len(labels) + 1, len(TYPES)))
    np.cumsum(labels[:, 1::2] + labels[:, 2::2], axis=0, out=masses[1:])
    mass = (masses[last] - masses[first]) / (last - first)[:, None]
    others = mass.copy()
    others[rows, kind] = -np.inf
    here, after, before, end = padded[first + 1], padded[last + 1], padded[first], padded[last]
    exact = set(tagged)
    pairs = {(i, j) for i, j, _ in tagged}
    candidates = list(map(tuple, whole.tolist()))
    columns = np.column_stack(
        (
            kind,
            here[rows, begin],
            here[rows, inside],
            total,
            least,
            after[rows, inside],
            after[rows, begin],
            before[:, 0],
            before[rows, begin] + before[rows, inside],
            after[:, 0],
            outside,
            mass[rows, kind],
            others.max(1),
            end[rows, begin] + end[rows, inside],
            [one in exact for one in candidates],
            [one[:2] in pairs for one in candidates],
        )
    )
    grown = np.array([math.exp(log) for log in total.tolist()])
    return columns, here[rows, begin] * grown * (1 - after[rows, inside])


def _shape(
    read: Reading, first: Ints, last: Ints, tagged: Sequence[tuple[int, int, int]]
) -> tuple[Doubles, Doubles]:
    """Return how far the words of each span are outside of names, and the span's length and place."""
    bounds = np.array(read.words, np.int64)
    count, size, zero = len(bounds), last - first, np.zeros_like(first)
    numbers = np.column_stack((read.labels[:, 0], read.named, -read.labels[:, 0]))
    begins = read.labels[:, 1::2].T
    outside = np.column_stack(
        (
            (begins[0] + begins[1] + begins[2] + begins[3])[first],
            -_least(numbers, first, last, zero + 2),
            _added(numbers, first, last, zero) / size,
        )
    )
    starts = bounds[first, 0]
    sentences = np.array([start for start, _ in read.sentences])
    shape = np.column_stack(
        (
            *around_tagged(tagged, count, first, last),
            _added(numbers, first, last, zero + 1) / size,
            size,
            bounds[last - 1, 1] - starts,
            first / count,
            (starts[:, None] == sentences).any(1),
        )
    )
    return outside, shape


def _added(values: Doubles, first: Ints, last: Ints, column: Ints) -> Doubles:
    """Return the sum of values[first:last, column] of each row.

    Added up from left to right, so that the last digits do not depend on the other rows.
    """
    at, inside = _places(first, last)
    found: Doubles = np.add.accumulate(np.where(inside, values[at, column], 0.0))[-1]
    return found


def _least(values: Doubles, first: Ints, last: Ints, column: Ints) -> Doubles:
    """Return the least of values[first:last, column] of each row; 0 where there are none."""
    at, inside = _places(first, last)
    found = np.where(inside, values[at, column], np.inf).min(0)
    return np.where(first < last, found, 0.0)


def _places(first: Ints, last: Ints) -> tuple[Ints, npt.NDArray[np.bool_]]:
    """Return (longest, n): the places of ranges, one range a column, and which are in them."""
    at = first + np.arange(max(1, int((last - first).max())))[:, None]
    inside = at < last
    return np.where(inside, at, 0), inside


def _names(rows: Sequence[Row | None], owner: Ints, kind: Ints) -> Doubles:
    """Return the numbers of known names as the type of each candidate; others have none."""
    found = np.zeros((len(owner), len(_name_numbers(EMPTY, 0))))
    named = [
        (number, row, one)
        for number, (at, one) in enumerate(zip(owner.tolist(), kind.tolist(), strict=True))
        if (row := rows[at]) is not None
    ]
    if named:
        found[[number for number, _, _ in named]] = [_name_numbers(row, k) for _, row, k in named]
    return found


@lru_cache(maxsize=_MOST_CACHED)
def _name_numbers(row: Row, kind: int) -> tuple[float, ...]:
    """Return what the counts of a name say of it as a type; nothing but zeros if there are none."""
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


def _around(read: Reading, spans: Sequence[tuple[int, int]]) -> Doubles:
    """Return what is known of the spans that are one word longer or shorter on either side."""
    shares = {span: _shares(row) for span, row in read.names.items()}
    found = np.zeros((len(spans), 4, 2))
    for number, (i, j) in enumerate(spans):
        for side, beside in enumerate(((i - 1, j), (i, j + 1), (i + 1, j), (i, j - 1))):
            if beside in shares:
                found[number, side] = shares[beside]
    return found.reshape(-1, 8)


@lru_cache(maxsize=_MOST_CACHED)
def _shares(row: Row) -> tuple[float, float]:
    """Return in which share of texts a name is one, by annotation and as a model reads it."""
    gold = sum(row[GOLD])
    return gold / (max(row[GOLD_SEEN], gold) + 1.0), sum(row[READ]) / (row[READ_SEEN] + 1.0)


def _repeats(names: Ints, whole: Ints, owns: Doubles, words: int) -> Doubles:
    """Return what the tagger says of the same characters elsewhere in the text, and as other types.

    Args:
        names: a number for the characters of each candidate.
        whole: (c, 3), first word, word after the last and type of each.
        owns: of each the probability of exactly this span in the tagger's words.
        words: of the text.
    """
    first, last, kind = whole.T
    keys = names * len(TYPES) + kind
    most = (int(names.max()) + 1) * len(TYPES)
    counts = np.bincount(keys, minlength=most)
    sums = np.bincount(keys, owns, most)
    best = np.zeros(most)
    np.maximum.at(best, keys, owns)
    others = best.reshape(-1, len(TYPES))[names]
    others[np.arange(len(names)), kind] = 0.0
    at, inside = _places(first, last)
    over = np.zeros(words)
    np.maximum.at(over, at[inside], np.broadcast_to(owns, at.shape)[inside])
    covering = np.where(inside, over[at], 0.0).max(0)
    return np.column_stack(
        (owns, best[keys], sums[keys] / counts[keys], counts[keys], others.max(1), covering - owns)
    )
