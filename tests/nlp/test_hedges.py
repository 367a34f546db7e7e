"""Denied, doubted and equal statements."""

import pytest

from kg.nlp.hedges import certainty, denies_victory, polarity

VICTORIES = (
    "Zeta outperforms Brine",
    "Zeta not only matches but surpasses Brine",
    "Zeta is better than Brine",
    "Zeta significantly improves over Brine without loss of speed",
)
NO_VICTORIES = (
    "Zeta does not outperform Brine",
    "Zeta fails to surpass Brine",
    "Zeta is comparable to Brine",
    "Zeta performs on par with Brine",
    "Zeta may improve over Brine",
    "Zeta could potentially outperform Brine",
    "Zeta never beats Brine",
    "whether Zeta is better than Brine",
)


@pytest.mark.parametrize("text", VICTORIES)
def test_a_stated_victory_stays_one(text: str) -> None:
    """An edge that is not drawn is a result that nobody finds."""
    assert not denies_victory(text)


@pytest.mark.parametrize("text", NO_VICTORIES)
def test_a_denied_doubted_or_drawn_victory_is_none(text: str) -> None:
    """OUTPERFORMS for "does not outperform" says the opposite of the paper."""
    assert denies_victory(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Depth does not help small models.", ("negative", "certain")),
        ("No significant effect of depth was found.", ("negative", "certain")),
        ("Depth helps, not only in small models.", ("positive", "certain")),
        ("These results suggest that depth may help.", ("positive", "hedged")),
        ("We prove that the rate is optimal.", ("positive", "certain")),
    ],
)
def test_claims_say_whether_they_deny_and_how_sure_they_are(
    text: str, expected: tuple[str, str]
) -> None:
    """Who counts evidence for a claim must not count evidence against it."""
    assert (polarity(text), certainty(text)) == expected
