"""The spans that a tagger's most probable labels make, and how others stand to them."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Doubles = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

Span = tuple[int, int, int]  # first word, word after the last, type


def tagged_spans(labels: Doubles) -> list[Span]:
    """Return the spans of the most probable labels, in text order.

    Args:
        labels: (n, 9), the probability of LABELS at each word.
    """
    found = []
    start, kind = -1, -1
    best = labels.argmax(1)
    # Nothing begins or ends where a word and the one before it are outside.
    near = np.flatnonzero(np.append(best, 0) + np.append(0, best))
    for i, label in zip(near.tolist(), np.append(best, 0)[near].tolist(), strict=True):
        here = (label - 1) // 2 if label else -1
        goes_on = label > 0 and label % 2 == 0 and here == kind
        if start >= 0 and not goes_on:
            found.append((start, i, kind))
            start, kind = -1, -1
        if label and not goes_on:
            start, kind = i, here
    return found


def around_tagged(tagged: Sequence[Span], count: int, first: Ints, last: Ints) -> tuple[Ints, ...]:
    """Return whether a tagged span goes on before and behind each span, and its number of parts.

    Args:
        tagged: without overlap, in text order.
        count: words of the text.
        first: first word of each span.
        last: word after the last of each.
    """
    covered = np.zeros(count + 2, np.int64)  # place t of the text is t + 1
    for number, (i, j, _) in enumerate(tagged, 1):
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
