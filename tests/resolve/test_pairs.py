"""How well names are told apart and brought together, on pairs made by hand from real names."""

from tests.resolve.pairs import judge, read_pairs, score


def test_names_are_joined_and_kept_apart_as_people_do() -> None:
    """One method under three names, or two under one, is what users complain of first."""
    pairs = read_pairs()
    figures = score((pair, judge(pair)) for pair in pairs)

    assert figures.pairs >= 600
    assert figures.same < 0.7 * figures.pairs  # the hard ones are those that look alike
    assert figures.precision >= 0.99
    assert figures.recall >= 0.93
