"""Choose the best set of candidates that do not overlap."""

import bisect
from collections.abc import Sequence


def best_set(spans: Sequence[tuple[int, int]], gains: Sequence[float]) -> list[int]:
    """Return the indices of the spans, in order, whose gains sum to the most without overlap.

    Weighted interval scheduling: n log n in the number of spans. Spans without a positive gain
    are never taken; of equal sums the one with fewer, later spans wins, so the answer is one.

    Args:
        spans: half-open.
        gains: of each span.

    >>> best_set([(0, 2), (1, 3), (3, 4)], [0.5, 0.9, 0.1])
    [1, 2]
    """
    order = sorted(
        (i for i in range(len(spans)) if gains[i] > 0), key=lambda i: (spans[i][1], spans[i][0], i)
    )
    ends = [spans[i][1] for i in order]
    best = [0.0]
    for n, i in enumerate(order):
        free = bisect.bisect_right(ends, spans[i][0], 0, n)
        best.append(max(best[-1], best[free] + gains[i]))
    chosen = []
    n = len(order)
    while n:
        i = order[n - 1]
        free = bisect.bisect_right(ends, spans[i][0], 0, n - 1)
        if best[n] > best[n - 1]:
            chosen.append(i)
            n = free
        else:
            n -= 1
    return chosen[::-1]
