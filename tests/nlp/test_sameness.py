"""Two names of one thing in one text: which pairs are judged, and what becomes of a yes."""

import numpy as np
import pytest

from kg.nlp.abbreviations import find_abbreviations
from kg.nlp.grouping import Group, SpanScore, group_mentions, join_groups
from kg.nlp.sameness import FEATURES, Sameness, pairs_to_judge
from kg.nlp.scores import Floats

METHOD, DATASET, TASK = 0, 1, 2
WAY, _GAP, CLOSED = 3, 4, 5  # columns
TIED, SPELT_OUT, INITIALS = 15, 16, 17


def entities(text: str, *forms: tuple[str, int]) -> list[Group]:
    """The entities that spelling alone makes of the first occurrences of forms."""
    mentions = []
    for form, kind in forms:
        start = text.index(form)
        mentions.append(SpanScore(start, start + len(form), kind, 0.9, 0.9))
    return group_mentions(text, mentions, find_abbreviations(text))


def judged(text: str, *forms: tuple[str, int]) -> dict[tuple[str, str], list[float]]:
    """The rows of the pairs, by the names of their entities."""
    groups = entities(text, *forms)
    pairs, rows = pairs_to_judge(text, groups, find_abbreviations(text))
    assert all(len(row) == FEATURES for row in rows)
    return {(groups[i].name, groups[j].name): row for (i, j), row in zip(pairs, rows, strict=True)}


@pytest.mark.parametrize(
    ("text", "way", "closed"),
    [
        ("We propose KorVex (dual attention with memory over time).", 0, True),
        ("We propose KorVex (i.e., dual attention with memory over time).", 0, True),
        ("We propose KorVex, short for dual attention with memory over time.", 1, False),
        ("We propose KorVex, a dual attention with memory over time, for video.", 2, False),
        ("We propose KorVex: dual attention with memory over time.", 3, False),
        ("We propose KorVex, dual attention with memory over time.", 4, False),
        ("We propose KorVex net (dual attention with memory over time).", 5, True),
        ("We propose KorVex nets called dual attention with memory over time.", 6, False),
        ("We propose KorVex and dual attention with memory over time.", 7, False),
    ],
)
def test_how_neighbours_stand_to_each_other_is_a_number(text: str, way: int, closed: bool) -> None:
    """A bracket, "short for", an apposition and a colon each say something else."""
    rows = judged(text, ("KorVex", METHOD), ("dual attention with memory over time", METHOD))
    row = rows["KorVex", "dual attention with memory over time"]
    assert (row[WAY], bool(row[CLOSED])) == (way, closed)


def test_names_that_share_nothing_and_stand_apart_are_not_judged() -> None:
    """Most pairs of a text are two things; only those that may be one cost time."""
    text = "We fine-tune Qwen by contrastive learning. It beats random forests."
    assert judged(text, ("Qwen", METHOD), ("contrastive learning", METHOD),
                  ("random forests", METHOD)) == {}  # fmt: skip


def test_versions_and_sizes_are_not_judged() -> None:
    """Qwen-4B is not Qwen, nor stage 1 stage 2, however alike they look."""
    text = (
        "Qwen Coder is old; Qwen Coder 4B wins. Training stage 1 is short, training stage 2 long."
    )
    assert judged(text, ("Qwen Coder", METHOD), ("Qwen Coder 4B", METHOD), ("training stage 2", METHOD),
                  ("Training stage 1", METHOD)) == {}  # fmt: skip


def test_an_abbreviation_within_a_name_is_spelt_out() -> None:
    """Where a text says what LLM is, it says what audio LLMs are."""
    text = "Large language models (LLMs) grow. Audio large language models differ from Audio LLMs."
    rows = judged(text, ("Audio large language models", METHOD), ("Audio LLMs", METHOD))
    assert rows["Audio large language models", "Audio LLMs"][SPELT_OUT] == 1


def test_an_abbreviation_of_a_part_ties_the_whole_name() -> None:
    """The long form that the plain finder sees may lack a word that belongs to the name."""
    text = "Automatic caption ranking (CR) is hard."
    row = judged(text, ("Automatic caption ranking", TASK), ("CR", TASK))[
        "Automatic caption ranking", "CR"
    ]
    assert row[TIED] == pytest.approx(len("caption ranking") / len("Automatic caption ranking"))


def test_initials_are_counted_in_order() -> None:
    """CNN has all initials of "convolutional neural network"."""
    text = "A convolutional neural network is trained. The CNN is small."
    row = judged(text, ("convolutional neural network", METHOD), ("CNN", METHOD))[
        "convolutional neural network", "CNN"
    ]
    assert row[INITIALS] == 1


def test_what_is_judged_one_thing_becomes_one_entity() -> None:
    """The entity has all mentions, the type of most confidence and the coined name."""
    text = "We present VeLaRU, a Variance Laplace Rectifier. VeLaRU is fast. Adam trains it."
    groups = entities(text, ("VeLaRU", METHOD), ("Variance Laplace Rectifier", DATASET),
                      ("Adam", METHOD))  # fmt: skip
    asked: list[int] = []

    def judge(rows: Floats) -> Floats:
        asked.append(len(rows))
        return np.full(len(rows), 0.5, np.float32)

    joined = Sameness(judge, 0.5)(text, groups, ())
    assert asked == [1]
    assert [g.name for g in joined] == ["VeLaRU", "Adam"]
    assert [text[m.start : m.end] for m in joined[0].mentions] == [
        "VeLaRU", "Variance Laplace Rectifier"
    ]  # fmt: skip
    assert Sameness(judge, 0.51)(text, groups, ()) == groups


def test_pairs_that_share_an_entity_become_one_in_any_order() -> None:
    """One and two, two and three: one entity of three."""
    groups = [
        Group(name, METHOD, (SpanScore(i, i + 1, METHOD, 0.9, 0.5),), abbreviated=False)
        for i, name in enumerate(["alpha", "beta", "gamma", "delta"])
    ]
    for pairs in ([(0, 1), (1, 3)], [(1, 3), (0, 1)]):
        joined = join_groups("abcd", groups, pairs)
        assert [(g.name, len(g.mentions)) for g in joined] == [("alpha", 3), ("gamma", 1)]
        assert [m.start for m in joined[0].mentions] == [0, 1, 3]


def test_a_text_of_very_many_entities_is_judged_in_bounded_time() -> None:
    """Only the first entities are compared with each other; none is lost."""
    groups = [
        Group(
            f"deep method {i}", METHOD, (SpanScore(i, i + 1, METHOD, 0.9, 0.5),), abbreviated=False
        )
        for i in range(2_000)
    ]
    pairs, _ = pairs_to_judge("x" * 2_001, groups, ())
    assert len(pairs) <= 60 * 59 // 2
    assert (
        len(Sameness(lambda rows: np.zeros(len(rows), np.float32), 0.5)("x" * 2_001, groups, ()))
        == 2_000
    )


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("CIFAR-10", "CIFAR-100"),
        ("Llama-2", "Llama-3"),
        ("Vision Transformer", "Vision Transformer 2"),
        ("Large Vision Model 2", "LVM-3"),
    ],
)
def test_versions_are_two_things_even_in_brackets(one: str, other: str) -> None:
    """Whatever the trees say: numbers tell versions apart."""
    text = f"We use {one} ({other}) here."
    first, bracket = text.index(one), text.index("(")
    mentions = [
        SpanScore(first, first + len(one), METHOD, 0.9, 0.9),
        SpanScore(bracket + 1, text.index(")"), METHOD, 0.9, 0.9),
    ]
    groups = group_mentions(text, mentions, ())
    joined = Sameness(lambda rows: np.ones(len(rows), np.float32), 0.5)(text, groups, ())
    assert [g.name for g in joined] == [one, other]


def test_a_third_name_does_not_join_two_versions() -> None:
    """The first pair holds; what would make versions one does not."""
    text = "Quill Net (QN-2) and Quill Net (QN-3)."
    groups = [
        Group(
            name,
            METHOD,
            (SpanScore(start, start + len(name), METHOD, 0.9, 0.9),),
            abbreviated=False,
        )
        for name, start in (("Quill Net", 0), ("QN-2", 11), ("QN-3", 32))
    ]
    joined = Sameness(lambda rows: np.ones(len(rows), np.float32), 0.5)(text, groups, ())
    assert sorted(len(g.mentions) for g in joined) == [1, 2]
    assert {text[m.start : m.end] for g in joined for m in g.mentions} == {
        "Quill Net",
        "QN-2",
        "QN-3",
    }


def test_a_name_with_a_number_may_have_a_name_without() -> None:
    """ResNet50 is the 50-layer residual network."""
    text = "The 50-layer residual network (ResNet50) wins."
    groups = entities(text, ("50-layer residual network", METHOD), ("ResNet50", METHOD))
    joined = Sameness(lambda rows: np.ones(len(rows), np.float32), 0.5)(text, groups, ())
    assert [len(g.mentions) for g in joined] == [2]


def test_every_number_of_a_pair() -> None:
    """One pair worked out by hand, so that no column can go missing unseen."""
    text = (
        "Deep code search is hard. Neural code search (deep code search) wins. Code search helps."
    )
    deep, neural = text.index("Deep"), text.index("Neural")
    groups = [
        Group(
            "Deep code search",
            TASK,
            (SpanScore(deep, deep + 16, TASK, 0.9, 0.1), SpanScore(46, 62, TASK, 0.9, 0.3)),
            abbreviated=False,
        ),
        Group(
            "Neural code search",
            TASK,
            (SpanScore(neural, neural + 18, TASK, 0.9, 0.2),),
            abbreviated=False,
        ),
    ]
    ((pair, row),) = zip(*pairs_to_judge(text, groups, ()), strict=True)
    assert pair == (0, 1)
    standing, tie, letters, words = row[:15], row[15:17], row[17:26], row[26:]
    # one type, twice task; in brackets, 2 characters on, backwards, closed, no repeat
    assert standing[:7] == [1, 2, 2, 0, -2, 1, 0]
    # mentions, those of the first behind, named, abbreviated, one sentence end between
    assert standing[7:] == [2, 1, 1, 0.3, 0.2, 0, 0, 1]
    assert tie == [0, 0]
    # words of the shorter and the longer form, capitals of the shorter
    assert letters[4:7] == [3, 3, 1]
    # 2 of 4 words, 2, another first, the same last, neither within the other, not an end, 3 and 3
    assert words == [0.5, 2, 0, 1, 0, 0, 0, 0, 3, 3]
