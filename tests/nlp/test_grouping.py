"""Spelling variants, abbreviations and repetitions of one name are one entity."""

import pytest

from kg.nlp.abbreviations import find_abbreviations
from kg.nlp.grouping import Group, SpanScore, best_name, group_mentions, spread, variant_key
from kg.nlp.scores import words

METHOD, DATASET = 0, 1


def spans(text: str, *forms: tuple[str, int, float]) -> list[SpanScore]:
    """The first occurrence of each form, with its type and confidence."""
    found = []
    for form, kind, confidence in forms:
        start = text.index(form)
        found.append(SpanScore(start, start + len(form), kind, confidence, 0.9))
    return found


def told(text: str, groups: list[Group]) -> list[tuple[str, int, list[str]]]:
    """Name, type and surfaces of each group."""
    return [(g.name, g.kind, [text[m.start : m.end] for m in g.mentions]) for g in groups]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("score matching", "score-matching"),
        ("Transformer", "transformers"),
        ("LLM", "LLMs"),
        ("policy", "Policies"),
        (r"\textbf{SPL}", "SPL"),
        ("loss", "losses"),
    ],
)
def test_spellings_of_one_name_have_one_key(one: str, other: str) -> None:
    """Readers do not see two things in a plural, a hyphen or bold type."""
    assert variant_key(one) == variant_key(other)


@pytest.mark.parametrize(
    ("one", "other"), [("CIFAR-10", "CIFAR-100"), ("GPT-3", "GPT-4"), ("bias", "bia"), ("++", "--")]
)
def test_different_names_have_different_keys(one: str, other: str) -> None:
    """Versions and sizes are things of their own."""
    assert variant_key(one) != variant_key(other)


def test_an_abbreviation_joins_its_long_form_and_gives_the_name() -> None:
    """The graph shows one node, by the name that people know it by."""
    text = "Soft Pruning Loss (SPL) is new. SPLs are fast."
    mentions = spans(text, ("Soft Pruning Loss", METHOD, 0.9), ("SPL", METHOD, 0.8),
                     ("SPLs", METHOD, 0.7))  # fmt: skip
    groups = group_mentions(text, mentions, find_abbreviations(text))
    assert told(text, groups) == [("SPL", METHOD, ["Soft Pruning Loss", "SPL", "SPLs"])]
    assert groups[0].abbreviated


def test_the_type_of_most_confidence_is_that_of_all_mentions() -> None:
    """One name is one thing within a text."""
    text = "OpenTrees is large. We read opentrees."
    mentions = spans(text, ("OpenTrees", DATASET, 0.9), ("opentrees", METHOD, 0.6))
    assert told(text, group_mentions(text, mentions, ())) == [
        ("OpenTrees", DATASET, ["OpenTrees", "opentrees"])
    ]


def test_the_most_used_form_is_the_name_and_the_first_of_equals() -> None:
    """The name is what a reader of the abstract would look for."""
    assert best_name(["tree kernel", "tree kernels", "tree kernels"]) == "tree kernels"
    assert best_name(["tree kernel", "Tree Kernel"]) == "tree kernel"


def test_a_name_spreads_to_its_other_occurrences_but_not_into_longer_names() -> None:
    """What a text names once it names again in the same words."""
    text = "SPL wins. We extend SPL to SPL-X, and misSPLs stay."
    mentions = spans(text, ("SPL", METHOD, 0.9), ("SPL-X", METHOD, 0.8))
    found = spread(text, words(text), mentions, 8)
    assert [(m.start, text[m.start : m.end]) for m in found] == [
        (0, "SPL"),
        (20, "SPL"),
        (27, "SPL-X"),
    ]
