"""Printed references are taken apart whatever the style."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.resolve.reference_strings import parse_reference

TITLE = "On walks of bees"
STYLES = [
    "A. Bee, C. Dee, E. Fee, et al. On walks of bees. In BEECONF, 2017.",
    "Bee, A., Dee, C., & Fee, E. (2017). On walks of bees. Journal of Bees, 30, 59–68.",
    "[12] Ann Bee, Carl Dee, and Eve Fee. 2017. On walks of bees. In Advances in Bees, pages 59-68.",
    "12. Bee A, Dee C, Fee E. On walks of bees. J Bees. 2017;3:59–68.",
    "A. Bee, C. Dee, and E. Fee, “On walks of bees,” in Proc. BEECONF, 2017, pp. 59–68.",
    "Bee, A., Dee, C., Fee, E.: On walks of bees. In: BEECONF (2017)",
    "Bee A., Dee C., Fee E., On walks of bees, J. Bees, 30, pp. 59-68, (2017)",
]


@pytest.mark.parametrize("line", STYLES)
def test_every_style_gives_authors_title_and_year(line: str) -> None:
    """These are what a paper is found by."""
    found = parse_reference(line)
    assert (found.title, found.year) == (TITLE, 2017)
    assert found.authors == ("Bee", "Dee", "Fee")
    assert found.raw == line


def test_web_of_science_lines_have_no_title() -> None:
    """Volume and page stand behind a letter."""
    found = parse_reference("Bee A, 1905, NATURE, V72, P294, DOI 10.1038/072294b0")
    assert (found.authors, found.year, found.venue) == (("Bee",), 1905, "NATURE")
    assert (found.volume, found.page, found.ids.doi) == ("72", "294", "10.1038/072294b0")


@given(st.text(max_size=300))
def test_no_line_makes_it_fail(line: str) -> None:
    """Bibliographies hold everything."""
    assert parse_reference(line).raw == line
