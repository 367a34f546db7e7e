"""The encoder's reading, with a stand-in for the network: windows, sentences, pairs."""

from collections.abc import Sequence

import numpy as np
import pytest

from kg.nlp.encoder import Encoder, case_class, owned, sentence_of_words, sentences, windows
from kg.nlp.scores import KINDS, Floats, words

PAIR = 2


class Counting(Encoder):
    """Its logits say how many words and which sentences each window held."""

    def __init__(self) -> None:
        """Load nothing."""
        self.meta = {"pair": PAIR}
        self._pieces = lambda word: (len(word),)  # type: ignore[assignment]
        self._threads = 1
        self._split = sentences
        eye = np.zeros((6, PAIR), np.float32)
        eye[0] = 1
        self._heads = {
            "relation": (eye, np.zeros(6, np.float32)),
            "link": (eye[:4], np.zeros(4, np.float32)),
        }

    def _window(
        self, pieces: Sequence[tuple[int, ...]], cases: Sequence[int], home: Sequence[int]
    ) -> tuple[Floats, Floats, Floats, Floats]:
        count, held = len(pieces), home[-1] - home[0] + 1
        token = np.zeros((count, 17), np.float32)
        token[:, 1] = np.arange(count)
        kind = np.zeros((held, len(KINDS)), np.float32)
        kind[:, 1] = count
        pair = np.arange(count, dtype=np.float32)[:, None] * np.ones((1, 4 * PAIR), np.float32)
        return token, kind, pair, np.zeros((held, 2 * PAIR), np.float32)


def test_words_and_signs() -> None:
    """Runs of word characters, and every other sign alone."""
    text = "We (Foo-2) win 92.4\\%!"
    expected = ["We", "(", "Foo", "-", "2", ")", "win", "92", ".", "4", "\\", "%", "!"]
    assert [text[a:b] for a, b in words(text)] == expected


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", []),
        (" \n ", []),
        ("One. Two?  Three", ["One.", "Two?", "Three"]),
        ("See Fig. 3 of A. Smith et al. It ends.", ["See Fig. 3 of A. Smith et al. It ends."]),
        ("It is 3.5 times. $X$ wins.", ["It is 3.5 times.", "$X$ wins."]),
        ('He said "no." Then left.', ['He said "no."', "Then left."]),
    ],
)
def test_sentences(text: str, parts: list[str]) -> None:
    """Ends are full stops before a capital, but not those of abbreviations."""
    assert [text[a:b] for a, b in sentences(text)] == parts


def test_every_word_has_the_last_sentence_that_starts_before_it() -> None:
    """A word between two sentences belongs to the earlier."""
    assert sentence_of_words([(0, 1), (4, 5), (5, 6)], [(0, 3), (5, 6)]) == [0, 0, 1]


def test_windows_cover_every_word_and_overlap() -> None:
    """Each word is answered for once, by a window that holds it."""
    lengths = [3, 1, 2, 5, 1, 1, 4, 2, 2, 1]
    found = windows(lengths, room=8, overlap=3)
    assert all(sum(lengths[a:b]) <= 8 for a, b in found)
    assert [word for a, b in owned(found) for word in range(a, b)] == list(range(10))
    assert all(a <= c < d <= b for (a, b), (c, d) in zip(found, owned(found), strict=True))


def test_a_word_larger_than_a_window_is_refused() -> None:
    """It could never be read, and dropping it would shift all that follow."""
    with pytest.raises(ValueError, match="word 1 has 9 pieces"):
        windows([1, 9], room=4, overlap=1)


def test_case_classes() -> None:
    """Digits add five, whatever the letters."""
    assert [case_class(word) for word in ("gpt4o", "CIFAR10", "ωΩ", "漢字")] == [5, 6, 4, 0]


@pytest.mark.parametrize("text", ["", "  \n", "\u200b\u00ad"])
def test_a_text_without_words_has_an_empty_reading(text: str) -> None:
    """Shapes stay, with zero words."""
    reading = Counting().read(text)
    assert reading.entity.shape[1] == 9
    assert reading.role.shape == (len(reading.words), 6)
    assert reading.kind.shape == (len(reading.sentences), 4)
    assert len(reading.words) == len(words(text))


def test_a_long_text_keeps_every_word() -> None:
    """Windows of 510 words that share 128: the second begins at 382, answers from 446."""
    text = "Word " * 600
    reading = Counting().read(text)
    assert len(reading.words) == len(reading.entity) == 600
    assert reading.pair[445, 0] == 445
    assert reading.pair[446, 0] == 446 - 382
    # The one sentence is judged in the window that holds most of it, the first.
    assert reading.kind[0, 0] == pytest.approx(-510)


def test_relations_add_head_tail_and_need_no_shared_sentence() -> None:
    """Head at word 3, tail at words 1 and 2: sigmoid(2 * (3 + 1.5)) for the first relation."""
    encoder = Counting()
    reading = encoder.read("a b c d e")
    found = encoder.relations(reading, [[(3, 4)], [(1, 3)]])
    assert found.shape == (2, 2, 6)
    assert found[0, 1, 0] == pytest.approx(1 / (1 + np.exp(-9.0)))
    assert found[0, 1, 1] == pytest.approx(0.5)


def test_links_see_the_mentions_in_the_claim() -> None:
    """Words 0 and 3 stand for the entity, word 3 is in the claim: 1.5 + 3, twice."""
    encoder = Counting()
    reading = encoder.read("A b. C d.")
    found = encoder.links(reading, [1], [[(0, 1), (3, 4)]])
    assert found.shape == (1, 1, 4)
    assert found[0, 0, 0] == pytest.approx(1 / (1 + np.exp(-2 * 4.5)))
    assert encoder.relations(reading, []).shape == (0, 0, 6)
    assert encoder.links(reading, [], []).shape == (0, 0, 4)
