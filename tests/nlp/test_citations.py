"""Citations in running text."""

import pytest

from kg.model.extraction import InlineCitation
from kg.nlp.citations import inline_citations

# Text with one citation between bars, and its kind and targets.
CASES = [
    ("As shown before |(Lake and Novak, 2018)|.", "author_year", ("2018",)),
    ("As shown |(Novak et al., 2020a,b; Berg, 2021)|.", "author_year", ("2020a", "2020b", "2021")),
    ("|van der Berg et al. (2019)| show it.", "author_year", ("2019",)),
    ("|O'Neill & Müller-Stein (2001)| show it.", "author_year", ("2001",)),
    ("We follow |Novak et al. [12]| here.", "numeric", ("12",)),
    ("It is known |[3, 5-7]|.", "numeric", ("3", "5", "6", "7")),
    (r"It is known |\citep[see][]{berg-21,novak20}|.", "key", ("berg-21", "novak20")),
    ("See |doi:10.1234/abc.5|.", "doi", ("10.1234/abc.5",)),
    ("See (|https://doi.org/10.1234/A(1)B|).", "doi", ("10.1234/a(1)b",)),
    ("See |arXiv:2401.01234v2|.", "arxiv", ("2401.01234",)),
    ("See |https://arxiv.org/abs/2401.01234|.", "arxiv", ("2401.01234",)),
    ("See |2020.acl-main.12| too.", "acl", ("2020.acl-main.12",)),
    ("Code: |https://github.com/a/b_c|.", "url", ("https://github.com/a/b_c",)),
]


@pytest.mark.parametrize(("marked", "kind", "targets"), CASES)
def test_citations_are_found_where_they_stand(
    marked: str, kind: str, targets: tuple[str, ...]
) -> None:
    """A CITES edge needs the printed form, its place and what it points at."""
    before, raw, _ = marked.split("|")
    found = inline_citations(marked.replace("|", ""))

    assert tuple(c.target for c in found) == targets
    assert {(c.raw, c.start, c.end, c.kind) for c in found} == {
        (raw, len(before), len(before) + len(raw), kind)
    }


def test_authors_and_year_are_told() -> None:
    """References are matched by family name and year."""
    assert inline_citations("(e.g., Lake and Novak, 2018)") == (
        InlineCitation(
            raw="(e.g., Lake and Novak, 2018)",
            start=0,
            end=28,
            kind="author_year",
            authors=("Lake", "Novak"),
            year=2018,
            target="2018",
        ),
    )


@pytest.mark.parametrize(
    "text",
    [
        "x in [0, 1]",
        "in May (2020)",
        "(CoNLL 2003)",
        "GPT (2018)",
        "a[1] and x_{[2]}",
        "Figure (2021)",
    ],
)
def test_intervals_dates_and_venues_are_no_citations(text: str) -> None:
    """A wrong citation is an edge to a paper that is not there."""
    assert inline_citations(text) == ()


def test_time_grows_with_length_only() -> None:
    """A run of capitals or brackets must not hang the reader."""
    for text in ("O" * 100_000, "(" * 50_000, "A " * 50_000, "[1," * 30_000, "van de " * 20_000):
        assert inline_citations(text) == ()
