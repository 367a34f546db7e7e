"""Hashes of strings that nobody put together are those of the whole strings."""

import zlib

import numpy as np
import pytest

from kg.nlp.claim_features import sentence_features
from kg.nlp.grams import EDGE, Grams, Signs, keep_together, together
from kg.nlp.hashing import Prefixes, ranges, strings
from kg.nlp.layout import lay_out
from kg.nlp.linear import Packed, stack
from kg.nlp.sentences import sentence_spans

WORDS = ["a", "Ünïcode", "日本語", "", "x" * 96, "𝔘𝔫", "<method>", "0"]


def _crc(text: str) -> int:
    return zlib.crc32(text.encode())


@pytest.mark.parametrize("left", WORDS)
def test_a_sum_of_strings_is_the_whole_string(left: str) -> None:
    """Characters of one to four bytes, nothing, and long words on either side."""
    both = strings([left] * len(WORDS)) + strings(WORDS)
    thrice = both + strings(WORDS)

    assert both.hashes.tolist() == [_crc(left + right) for right in WORDS]
    assert thrice.hashes.tolist() == [_crc(left + right + right) for right in WORDS]
    assert thrice.sizes.tolist() == [len((left + 2 * right).encode()) for right in WORDS]


def test_prefixes_stand_before_strings() -> None:
    """One prefix before all, or to each string its own."""
    before = Prefixes(["method w ", "", "é"])
    words = strings(WORDS)
    which = np.arange(len(WORDS)) % 3
    names = ["method w ", "", "é"]

    assert before(0, words).tolist() == [_crc("method w " + word) for word in WORDS]
    assert before(which, words).tolist() == [
        _crc(names[n] + word) for n, word in zip(which.tolist(), WORDS, strict=True)
    ]
    assert (before.whole(which, words) + words).hashes.tolist() == [
        _crc(names[n] + word + word) for n, word in zip(which.tolist(), WORDS, strict=True)
    ]


def test_ranges_may_be_empty() -> None:
    """A sentence may have no words, and a claim no entities."""
    owner, place = ranges(np.array([7, 0, 3]), np.array([1, 0, 2]))

    assert (owner.tolist(), place.tolist()) == ([0, 2, 2], [7, 3, 4])


def test_every_sentence_stands_between_signs_for_its_edges() -> None:
    """Words beside a mention are looked at without asking whether there are any."""
    made = Grams([("we", "win"), (), ("it",)])
    before, after = ["^"] * EDGE, ["$"] * EDGE
    whole = [*before, "we", "win", *after, *before, *after, *before, "it", *after]

    assert made.ones.hashes.tolist() == [_crc(word) for word in whole]
    assert made.starts.tolist() == [4, 14, 22]
    assert made.counts.tolist() == [2, 0, 1]
    for at in range(len(whole) - 2):
        assert made.twos.hashes[at] == _crc(" ".join(whole[at : at + 2]))
        assert made.threes.hashes[at] == _crc(" ".join(whole[at : at + 3]))


def test_hashes_of_several_texts_are_shared_by_those_who_ask_for_some_of_them() -> None:
    """Four components ask for the words of the texts; not every text has claims."""
    texts = [Signs([("we", "win"), ("it",)]), Signs(), Signs([("a",)])]
    keep_together(texts)
    grams, firsts = together(texts)
    some, of_some = together([texts[2]])

    assert firsts == [0, 2, 2]
    assert (some is grams, of_some) == (True, [2])
    assert grams.ones.hashes[grams.starts[2]] == _crc("a")
    other, at = together([texts[2], Signs([("b",)])])
    assert (other is grams, at) == (False, [0, 1])
    assert [other.ones.hashes[start] for start in other.starts] == [_crc("a"), _crc("b")]


def test_texts_that_are_read_together_show_what_each_shows_alone() -> None:
    """The last sentence of a text is not a neighbour of the first of the next."""
    layouts = [
        lay_out(text, sentence_spans(text), [])
        for text in ("We win again. Depth helps.", "One.", "It is late. We see. Bye.")
    ]
    whole = sentence_features(layouts)
    alone = stack(sentence_features([layout]) for layout in layouts)

    assert whole.hashes.tolist() == alone.hashes.tolist()
    assert whole.values.tolist() == alone.values.tolist()
    assert whole.starts.tolist() == alone.starts.tolist()


def test_a_sentence_shows_its_words_pairs_triples_and_neighbours() -> None:
    """Every feature of words of the first of two sentences, put together by hand."""
    text = "We win again, again. Depth helps."
    rows = sentence_features([lay_out(text, sentence_spans(text), [])])
    wanted = """we|win|again|,|.|we win|win again|again ,|, again|again .|we win again|win again ,
        |again , again|, again .|^1 we|^2 we win|^3 we win again|^4 we win again ,|<<start>|>depth
        |>helps|>.|<^<start>|>^depth helps|at 0|from end 2|part 0|part 0 of 2|long 0|mentions 0
        |number False"""

    assert set(_hashes(rows, 0)) == {_crc(name.strip()) for name in wanted.split("|")}
    assert len(_hashes(rows, 0)) == len(wanted.split("|"))


def _hashes(rows: Packed, row: int) -> list[int]:
    found: list[int] = rows.hashes[rows.starts[row] : rows.starts[row + 1]].tolist()
    return found
