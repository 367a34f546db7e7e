"""What the words at the ends of a span, within it and beside it are."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from kg.nlp.candidates import Reading
from kg.nlp.word_rows import Doubles, WordRows
from kg.nlp.words_in_names import WordTable

_DETERMINERS: Final = frozenset(
    ("the", "a", "an", "our", "this", "these", "its", "their", "such", "each", "any", "some")
)
_SIGNS: Final = {"": 0.0, "(": 1.0, ")": 2.0, "-": 3.0, ",": 4.0, ".": 5.0, ":": 6.0, "/": 7.0}
_SIGNS_OTHER: Final = 8.0
_SIGNS_WORD: Final = 9.0

Ints = npt.NDArray[np.int64]


def span_words(read: Reading, first: Ints, last: Ints, table: WordTable) -> Doubles:
    """Return one row per span.

    Args:
        read: the text.
        first: first word of each span.
        last: word after the last of each.
        table: how often words stand where in names.
    """
    count = len(read.words)
    bounds = np.array(read.words, np.int64)
    starts, ends = bounds[:, 0], bounds[:, 1]
    lower = [read.fold[a:b] for a, b in read.words]
    lower.append("")  # the word after the last, and before the first
    shares, lows = table.rows(lower), _LOW_FACTS(lower)
    facts = _FACTS([read.text[a:b] for a, b in read.words])
    sums = np.zeros((count + 1, facts.shape[1]))
    np.cumsum(facts, axis=0, out=sums[1:])
    within = sums[last] - sums[first]
    left, right = np.where(first > 0, first - 1, count), last
    glued = np.append(starts[1:] == ends[:-1], False)
    capitals, begins_high = within[:, _CAPITALS], facts[first, _HIGH]
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
            within[:, _HELD] > 0,
            lows[first, 0],
            lows[left],
            lows[right, 1],
            1 - facts[last - 1, _ENDS],
            1 - facts[first, _BEGINS],
            np.where(first > 0, glued[first - 1], False),
            glued[last - 1],
            _abbreviated(read, starts[first], ends[last - 1]),
        )
    )


def _abbreviated(read: Reading, starts: Ints, ends: Ints) -> Doubles:
    """Return whether each span of characters is, equals or cuts a form of an abbreviation."""
    if not read.abbreviations:
        return np.zeros((len(starts), 4))
    long = {(pair.long_start, pair.long_end) for pair in read.abbreviations}
    short = {(pair.short_start, pair.short_end) for pair in read.abbreviations}
    short_forms = {read.text[a:b] for a, b in short}
    long_forms = {read.fold[a:b] for a, b in long}
    return np.array(
        [
            (
                (start, end) in long,
                (start, end) in short or read.text[start:end] in short_forms,
                read.fold[start:end] in long_forms,
                any(a < start < b or a < end < b for a, b in long),
            )
            for start, end in zip(starts.tolist(), ends.tolist(), strict=True)
        ],
        np.float64,
    )


# Columns of _facts; all but the first characters are counted over a span.
_CAPITALS, _DIGITS, _SMALL, _UPPER, _HIGH, _BEGINS, _ENDS = range(7)
_HELD: Final = slice(7, 11)


def _facts(forms: Sequence[str]) -> Doubles:
    """Return what words are made of."""
    return np.array(
        [
            (
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
            for form in forms
        ],
        np.float64,
    )


def _low_facts(words: Sequence[str]) -> Doubles:
    """Return whether words are determiners, and which signs they are."""
    signs = [
        _SIGNS.get(word, _SIGNS_WORD if word[:1].isalnum() else _SIGNS_OTHER) for word in words
    ]
    return np.array([[word in _DETERMINERS for word in words], signs], np.float64).T


_FACTS: Final = WordRows(_facts)
_LOW_FACTS: Final = WordRows(_low_facts)
