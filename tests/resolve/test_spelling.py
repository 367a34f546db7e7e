"""English word forms."""

import pytest

from kg.resolve.spelling import american, singular


@pytest.mark.parametrize(
    ("plural", "word"),
    [
        ("models", "model"),
        ("policies", "policy"),
        ("matrices", "matrix"),
        ("analyses", "analysis"),
        ("losses", "loss"),
        ("boxes", "box"),
        ("heroes", "hero"),
        ("corpora", "corpus"),
        ("lexica", "lexicon"),
        ("prostheses", "prosthesis"),
        ("hypotheses", "hypothesis"),
    ],
)
def test_plurals_become_singulars(plural: str, word: str) -> None:
    """Papers use both, of one thing."""
    assert singular(plural) == word


@pytest.mark.parametrize("word", ["bayes", "corpus", "analysis", "physics", "bias", "loss", "gas"])
def test_words_that_only_look_like_plurals_stay(word: str) -> None:
    """Naive Baye would be no name."""
    assert singular(word) == word


@pytest.mark.parametrize(
    ("british", "word"),
    [
        ("optimisation", "optimization"),
        ("behaviour", "behavior"),
        ("labelled", "labeled"),
        ("modelling", "modeling"),
        ("centre", "center"),
        ("analyse", "analyze"),
        ("dialogue", "dialog"),
        ("catalogued", "cataloged"),
    ],
)
def test_british_words_become_american(british: str, word: str) -> None:
    """Both shores write of one thing."""
    assert american(british) == word


@pytest.mark.parametrize(
    "word",
    ["noise", "supervised", "precise", "pairwise", "promise", "programming", "analogous", "totally",
     "improvisation", "expertise", "stepwise", "denoising", "cancellation"],
)  # fmt: skip
def test_words_that_only_look_british_stay(word: str) -> None:
    """Unsupervized would be no word."""
    assert american(word) == word
