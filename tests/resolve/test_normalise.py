"""Keys and signatures: what a name is when its writing is set aside."""

import pytest

from kg.model.schema import NodeLabel
from kg.resolve.normalise import is_acronym, key, normalise, parenthesis, signature


def same(one: str, other: str) -> bool:
    """They have one signature."""
    return signature(key(one)) == signature(key(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("CIFAR-10", "CIFAR10"),
        ("fine-tuning", "finetuning"),
        ("the GANs", "GAN"),
        ("Fisher's exact test", "Fisher exact test"),
        (r"$\beta$-VAE", "β-VAE"),
        (r"\textsc{Bert}", "BERT"),
        ("F$_1$", "F1"),
        ("summarisation", "summarization"),
        ("two-stage", "2-stage"),
        ("SQuAD v2.0", "SQuAD 2"),
        ("Poincaré", "Poincare"),
        ("similarity matrices", "similarity matrix"),
        ("ＢＥＲＴ", "BERT"),
        ("language mod-els", "language models"),
        ("plug-ins", "plug-in"),
        ("three-dimensional convolution", "3D convolution"),
        ("LLM-as-a-judge", "LLM as judge"),
        ("area under the curve", "area under curve"),
        ("η^2", "eta squared"),
        ("Aˆ2Net", "A2Net"),
        (r"S\textsuperscript{2}Sent", "S2Sent"),
        (r"\r{ho}", "ρ"),
        (r"\c{c}edilla", "cedilla"),
        ("the proposed QXT", "QXT"),
        ("coherency", "coherence"),
        ("domain adaption", "domain adaptation"),
    ],
)
def test_writing_does_not_make_another_name(one: str, other: str) -> None:
    """Papers write one name in many ways."""
    assert same(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("CIFAR-10", "CIFAR-100"),
        ("GPT-4", "GPT-4o"),
        ("GPT-3.5", "GPT-35"),
        ("Llama-3-8B", "Llama-38B"),
        ("HumanEval", "HumanEval+"),
        ("A*", "A"),
        ("k-means", "k-means++"),
        ("v1", "v2"),
        ("MAP", "MAPS"),
        ("resnet50", "resnet50s"),
        ("C++", "C"),
        ("pass^k", "pass@k"),
        ("emergency detection", "emergence detection"),
        ("gpt-oss", "gpt-os"),
        ("track A", "track"),
    ],
)
def test_numbers_and_suffixes_make_another_name(one: str, other: str) -> None:
    """A result of CIFAR-10 is none of CIFAR-100."""
    assert not same(one, other)


@pytest.mark.parametrize(
    "surface",
    ["", " ", "?!", "$", "\\", "{}", "\\textsc{}", "\u200b", "。", "👍", "\ud800", "a" * 5000],
)
def test_every_string_has_a_key(surface: str) -> None:
    """Extraction yields what texts hold, and texts hold everything."""
    assert key(surface)
    assert signature(key(surface))
    for label in (NodeLabel.METHOD, NodeLabel.DATASET, NodeLabel.TASK, NodeLabel.METRIC):
        assert normalise(surface, label).key == key(surface)


def test_a_key_is_its_own_key() -> None:
    """An id that is typed as a name must find its node."""
    for surface in ("Large Language Models", "CIFAR-10", "Bayes' rule", "β-VAE", "HumanEval+"):
        assert key(key(surface)) == key(surface)


def test_a_generic_head_may_be_left_out() -> None:
    """GRPO algorithm is GRPO; a diffusion model may be no diffusion."""
    grpo = normalise("the GRPO algorithm", NodeLabel.METHOD)
    diffusion = normalise("diffusion models", NodeLabel.METHOD)

    assert (grpo.key, grpo.short, grpo.strong) == ("grpo algorithm", "GRPO", True)
    assert (diffusion.short, diffusion.strong) == ("diffusion", False)
    assert normalise("ImageNet data set", NodeLabel.DATASET).short == "ImageNet"
    assert normalise("dataset", NodeLabel.DATASET).short == ""


def test_long_and_short_form_in_one_surface_are_parted() -> None:
    """Extraction may leave 'Low-Rank Adaptation (LoRA)' whole."""
    assert parenthesis("Low-Rank Adaptation (LoRA)") == ("Low-Rank Adaptation", "LoRA")
    assert parenthesis("LoRA") is None


def test_an_acronym_is_told_from_a_word() -> None:
    """ROAD is a data set, a road is none."""
    assert [is_acronym(word) for word in ("ROAD", "RoAD", "Road", "road")] == [
        True,
        True,
        False,
        False,
    ]
