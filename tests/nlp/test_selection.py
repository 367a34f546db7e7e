"""The chosen spans are the best that do not overlap."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from kg.nlp.selection import best_set


def test_two_short_spans_beat_a_long_one_that_gains_less_than_both() -> None:
    """A tagger that glues two names together is set right."""
    assert best_set([(0, 5), (0, 2), (3, 5)], [0.6, 0.4, 0.3]) == [1, 2]
    assert best_set([(0, 5), (0, 2), (3, 5)], [0.8, 0.4, 0.3]) == [0]


def test_spans_without_gain_are_left_out() -> None:
    """A threshold is subtracted before; what is left below it is no entity."""
    assert best_set([(0, 1), (2, 3)], [0.0, -0.1]) == []
    assert best_set([], []) == []


@given(
    st.lists(
        st.tuples(st.integers(0, 8), st.integers(1, 4), st.integers(-2, 5)), min_size=0, max_size=7
    )
)
def test_no_other_set_gains_more(rows: list[tuple[int, int, int]]) -> None:
    """Every set is tried beside it."""
    spans = [(start, start + length) for start, length, _ in rows]
    gains = [float(gain) for _, _, gain in rows]
    chosen = best_set(spans, gains)

    def free(picked: tuple[int, ...]) -> bool:
        return all(
            spans[a][1] <= spans[b][0] or spans[b][1] <= spans[a][0]
            for a, b in combinations(picked, 2)
        )

    best = max(
        (
            sum(gains[i] for i in picked)
            for size in range(len(rows) + 1)
            for picked in combinations(range(len(rows)), size)
            if free(picked)
        ),
        default=0.0,
    )
    assert free(tuple(chosen))
    assert sum(gains[i] for i in chosen) == best
