"""Numbers of claims: which are results, what they are worth, and what they belong to."""

import math

from kg.model.extraction import Result
from kg.nlp.quantities import quantities
from kg.nlp.results import assigned, numbers_of, with_results
from tests.nlp.number_cases import Case, Expected, cases

# A careful reader's figure; below it a change to the rules has broken something.
_LEAST_TYPED = 0.95
_LEAST_LINKED = 0.93
_LEAST_BOTH = 0.9


def test_numbers_are_typed_and_linked_as_a_reader_would() -> None:
    """157 sentences, 200 results: a graph of results is only as good as what a number means."""
    typed = linked = both = 0
    everything = cases()
    results = 0
    for case in everything:
        found = {result.raw: result for result in _read(case)}
        for expected in case.expected:
            result = found.get(expected.raw)
            is_typed = result is not None and _typed_as(result, expected)
            is_linked = result is not None and _links(result) == expected.links
            typed, linked, both = (
                typed + is_typed,
                linked + is_linked,
                both + (is_typed and is_linked),
            )
            results += 1

    assert len(everything) >= 150
    assert typed / results >= _LEAST_TYPED
    assert linked / results >= _LEAST_LINKED
    assert both / results >= _LEAST_BOTH


def test_names_versions_and_formulas_are_no_numbers() -> None:
    """CIFAR-10 is not ten of anything."""
    text = "GPT-4o and Llama-3.1-8B on CIFAR-10, F1, W4A4, x_2, 3-shot, v2.0 and top-1 of H2O."

    assert [q.raw for q in quantities(text, 0, len(text))] == []


def test_a_range_is_one_number_and_a_pair_is_two() -> None:
    """From 3 to 5: two measurements; 3-5%: one."""
    text = "It rises from 3.1 to 5.2 and gains 3-5%, 10 to 20 percent and 0.4 ± 0.1."

    found = [(q.raw, q.value_from, q.value) for q in quantities(text, 0, len(text))]

    assert found == [
        ("3.1", None, 3.1),
        ("5.2", None, 5.2),
        ("3-5%", 3.0, 5.0),
        ("10 to 20 percent", 10.0, 20.0),
        ("0.4 ± 0.1", None, 0.4),
    ]


def test_numbers_in_a_row_take_names_in_a_row() -> None:
    """Lists pair off, in order; anything else takes the closest."""
    text = "It gets 91 and 82 on Aa and Bb."

    found = assigned(
        text, [(8, 10), (15, 17)], [(21, 23, "Aa"), (28, 30, "Bb")], ["Aa", "Bb"], "on"
    )

    assert found == ["Aa", "Bb"]


def test_time_grows_with_length_only() -> None:
    """A table pasted as text must not hang the reader."""
    for text in ("1 to " * 20_000, "1-" * 40_000, "$O(" * 20_000, "[1," * 20_000, "1,2 " * 20_000):
        assert all(q.start < q.end for q in quantities(text, 0, len(text)))


def _read(case: Case) -> tuple[Result, ...]:
    """The results of a claim whose numbers are known to carry it."""
    wanted = {expected.raw for expected in case.expected}
    judged = [
        (at, quantity, 1.0 if quantity.raw in wanted else 0.0)
        for at, quantity, _ in numbers_of(case.layout, [case.claim])
    ]
    (claim,) = with_results([case.claim], case.layout, judged, 0.5)
    return claim.results


def _typed_as(result: Result, expected: Expected) -> bool:
    return (
        _close(result.value, expected.value)
        and _close(result.value_from, expected.value_from)
        and (result.unit, result.change, result.direction, result.relative)
        == (expected.unit, expected.change, expected.direction, expected.relative)
    )


def _close(one: float | None, other: float | None) -> bool:
    if one is None or other is None:
        return one is other
    return math.isclose(one, other, rel_tol=0.01)


def _links(result: Result) -> tuple[tuple[str, str], ...]:
    return (
        ("of", result.of),
        ("on", result.on),
        ("by", result.by),
        ("against", result.against),
    )


def test_a_number_of_points_and_a_probability_are_quoted_whole() -> None:
    """What the reader checks is "9-point" and "p < 0.001"; a p above one is a parameter."""
    text = "A 9-point drop, a 1.5%-point gain, 3.2 points more (p < 0.001; $p=.04$) at p = 2."

    found = [(q.raw, q.value) for q in quantities(text, 0, len(text))]

    assert found == [
        ("9-point", 9.0),
        ("1.5%-point", 1.5),
        ("3.2", 3.2),
        ("p < 0.001", 0.001),
        ("p=.04", 0.04),
        ("2", 2.0),
    ]


def test_a_p_that_is_no_probability_stays_out_of_the_number() -> None:
    """Top-p sampling has a parameter, and counts have units."""
    for text in ("with top-p = 0.9 here", "p = 1 million users", "p = -0.5 in it"):
        assert not any(q.raw.startswith("p") for q in quantities(text, 0, len(text)))


def test_a_number_begins_within_the_range_that_is_asked_for() -> None:
    """A claim quotes nothing of the sentence before it."""
    assert [(q.start, q.raw) for q in quantities("p < 0.01 holds", 4, 14)] == [(4, "0.01")]
    assert [q.start for q in quantities("~0.5 x", 1, 6)] == [1]


def test_digits_without_end_are_no_result() -> None:
    """Python refuses to make an int of 5,000 digits, and a float of them is infinite."""
    text = f"{'1' * 5_000} of {'2' * 5_000} runs, 7.5 points"
    assert [q.value for q in quantities(text, 0, len(text))] == [7.5]
