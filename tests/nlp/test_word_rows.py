"""Numbers of words are made once, and are never those of another word."""

from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from kg.nlp.word_rows import Doubles, WordRows


def _lengths(words: Sequence[str]) -> Doubles:
    return np.array([(len(word), ord(word[0])) for word in words], np.float64)


def test_a_word_is_asked_for_once_until_there_are_too_many() -> None:
    """The words of a text are mostly those of the texts before; memory is bounded all the same."""
    asked: Counter[str] = Counter()

    def counted(words: Sequence[str]) -> Doubles:
        asked.update(words)
        return _lengths(words)

    rows = WordRows(counted, most=3)

    assert rows(["we", "win", "we"]).tolist() == [[2, 119], [3, 119], [2, 119]]
    assert rows(["win", "a"]).tolist() == [[3, 119], [1, 97]]
    assert asked == {"we": 1, "win": 1, "a": 1}
    assert rows(["b", "we"]).tolist() == [[1, 98], [2, 119]]
    assert asked == {"we": 2, "win": 1, "a": 1, "b": 1}


def test_more_words_than_there_was_room_for() -> None:
    """One long text may bring thousands of new words, and more than are kept."""
    rows = WordRows(_lengths, most=2_000)
    words = [f"{chr(97 + number % 26)}{number}" for number in range(3_000)]

    for part in (words[:700], words[:1_900], words, words[::-1]):
        np.testing.assert_array_equal(rows(part), _lengths(part))


def test_threads_share_the_rows() -> None:
    """A server reads texts in threads; none may see the row of another word."""
    rows = WordRows(_lengths, most=60)
    texts = [
        [f"w{(7 * text + step) % 90}x" * (step % 3 + 1) for step in range(30)]
        for text in range(200)
    ]

    with ThreadPoolExecutor(4) as pool:
        for text, found in zip(texts, pool.map(rows, texts), strict=True):
            np.testing.assert_array_equal(found, _lengths(text))
