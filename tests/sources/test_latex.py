"""LaTeX of BibTeX fields as a human reads it."""

import pytest

from kg.sources.latex import decoded, paired, readable_tex, words_of_tex


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (r"{\emph{The good place}} ends \textbf{now}", "The good place ends now"),
        (r"It costs \$5 and $6.", "It costs $5 and $6."),
        (r"It costs $5 and $6 a day", "It costs $5 and $6 a day"),
        (r"From $\alpha$ to $5", "From α to $5"),
        (r"$ \alpha $ and $p<0.05$", "α and p<0.05"),
        (r"H$_2$O at 5\% or 6%", "H_2O at 5% or 6%"),
        (r"\href{https://example.org/a_b}{Walks} on \url{https://example.org/a_b}",
         "Walks on https://example.org/a_b"),
        (r"In \LaTeX{}, \TeX\ and hy\-phens", "In LaTeX, TeX and hyphens"),
        (r"\noopsort{1973}Walks {\it on} ice", "Walks on ice"),
        (r"The {\TUG} and \Large its \foo{\CTANet} news", "The TUG and its CTANet news"),
        (r"G{\"o}del, {\L}ukasiewicz and Er\H{o}s---walks", "Gödel, Łukasiewicz and Erős—walks"),
    ],
)  # fmt: skip
def test_a_field_reads_as_it_is_printed(raw: str, text: str) -> None:
    """Faces, links, logos and accents go, dollars that open no formula stay."""
    assert decoded(raw) == text
    assert readable_tex(raw) == text


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (r"Arne {\{O}}.", "Arne O."),
        (r"Sand \} and salt", "Sand and salt"),
        (r"The set \{0,1\} and {\{I}ce", "The set {0,1} and Ice"),
    ],
)
def test_a_brace_without_a_partner_is_the_rest_of_a_macro(raw: str, text: str) -> None:
    """In a name, that is: exports break accents in two, and nobody is called so."""
    assert " ".join(paired(decoded(raw)).split()) == text


def test_a_formula_with_structure_keeps_its_dollars_in_an_abstract() -> None:
    """They part a fraction from the words around it."""
    assert readable_tex(r"We show $\frac{1}{n}$ and pay $5.") == "We show $1/n$ and pay $5."


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (r"Djokovi\'{c}'s $\alpha$-rays, 50\% of $n$", "Djoković's α-rays, 50% of n"),
        (r"$\frac{1}{n}$ and $H^{p,q}$ stay, \XYZ too", r"$\frac{1}{n}$ and $H^{p,q}$ stay, \XYZ too"),
        ("in {5, 10} -- D0 --> K at ~10% in Fig.~3", "in {5, 10} – D0 --> K at ~10% in Fig. 3"),
        (r"\textbf{G} is {\em new} at \url{https://example.org/~me}", "G is new at https://example.org/~me"),
        ("``Walks'' cost $5", "“Walks” cost $5"),
    ],
)  # fmt: skip
def test_an_abstract_of_arxiv_reads_as_its_author_meant_it(raw: str, text: str) -> None:
    """Symbols and words are read; a formula with structure stays as it is written."""
    assert words_of_tex(raw) == text
