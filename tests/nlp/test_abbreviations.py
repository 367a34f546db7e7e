"""Abbreviations are tied to the words that they stand for, however a text introduces them."""

import pytest

from kg.nlp.abbreviations import find_abbreviations


def pairs(text: str) -> list[tuple[str, str]]:
    """(long form, short form) of every definition in a text."""
    return [
        (text[a.long_start : a.long_end], text[a.short_start : a.short_end])
        for a in find_abbreviations(text)
    ]


@pytest.mark.parametrize(
    ("text", "long", "short"),
    [
        ("We train it with Soft Pruning Loss (SPL) only.", "Soft Pruning Loss", "SPL"),
        ("We study large language models (LLMs).", "large language models", "LLMs"),
        ("SPL (Soft Pruning Loss) is simple.", "Soft Pruning Loss", "SPL"),
        ("SPL, short for Soft Pruning Loss, is simple.", "Soft Pruning Loss", "SPL"),
        ("SPL, which stands for Soft Pruning Loss, wins.", "Soft Pruning Loss", "SPL"),
        ("We add Soft Pruning Loss, or SPL for short, to it.", "Soft Pruning Loss", "SPL"),
        ("We add Depth-Gated SPL (we call it DG-SPL).", "Depth-Gated SPL", "DG-SPL"),
        ("We use self-supervised learning (SSL).", "self-supervised learning", "SSL"),
        ("Our multi-modal language models (MLMs) see.", "multi-modal language models", "MLMs"),
        ("A cross-modal attention (MA) layer.", "modal attention", "MA"),
        ("mean Average Precision (mAP) rises.", "mean Average Precision", "mAP"),
        ("Chain-of-Thought (CoT) helps.", "Chain-of-Thought", "CoT"),
        ("A Tree of Thoughts (ToT) branches.", "Tree of Thoughts", "ToT"),
        ("In gated-layer\ntraining (GLT) a gate learns.", "gated-layer\ntraining", "GLT"),
        ("Soft pruning\n(SP) is cheap.", "Soft pruning", "SP"),
        (
            r"\textbf{S}oft \textbf{P}runing Loss (\textbf{SPL}) is new.",
            r"\textbf{S}oft \textbf{P}runing Loss",
            "SPL",
        ),
    ],
)
def test_a_definition_is_found_whole(text: str, long: str, short: str) -> None:
    """The two forms are one entity in the graph; half a long form would be a second one."""
    assert pairs(text) == [(long, short)]


@pytest.mark.parametrize(
    "text",
    [
        "It was shown before (Smith et al., 2019) and in a figure (see Fig. 2).",
        "It works on images (IN) and on text (by far).",
        "Results are in (A) and (B), for all tasks (n = 12).",
        "",
        "(",
        "(((((((((((",
    ],
)
def test_parentheses_without_a_definition_give_none(text: str) -> None:
    """A citation or an aside in parentheses abbreviates nothing."""
    assert pairs(text) == []


def test_two_definitions_in_one_sentence_are_kept_apart() -> None:
    """The second long form must not reach back over the first."""
    text = "We join Soft Pruning Loss (SPL) and Deep Weight Sharing (DWS)."
    assert pairs(text) == [("Soft Pruning Loss", "SPL"), ("Deep Weight Sharing", "DWS")]


def test_a_version_abbreviates_no_other_version() -> None:
    """All letters of CIFAR-10 are in CIFAR-100, and they are two data sets."""
    assert find_abbreviations("CIFAR-10 (CIFAR-100) is used.") == ()
    (pair,) = find_abbreviations("We use Deep Residual Network 50 (DRN50).")
    assert (pair.short_start, pair.short_end) == (33, 38)
