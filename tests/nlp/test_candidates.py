"""Every stretch that may be a name is looked at, and what is seen of it is the same every time."""

import numpy as np
import pytest

from kg.nlp.abbreviations import find_abbreviations
from kg.nlp.candidates import Candidate, Reading, candidates, reading
from kg.nlp.folding import folded
from kg.nlp.lexicon import COLUMNS, Lexicon
from kg.nlp.rescorer import choose, shared, span_scores
from kg.nlp.scores import LABELS, ROLES, TokenScores, words
from kg.nlp.span_features import span_features
from kg.nlp.tagger import as_spans
from kg.nlp.words_in_names import WordTable, count_words

TEXT = "We use the tree kernel (TK) on Open Trees."
METHOD, DATASET = 0, 1


def scores(marks: dict[str, float], text: str = TEXT) -> TokenScores:
    """Scores in which words have these labels: {"B-method tree": 0.9}; the rest is outside."""
    spans = words(text)
    rows = np.full((len(spans), len(LABELS)), 0.001, np.float32)
    for mark, probability in marks.items():
        label, _, form = mark.partition(" ")
        for i, (start, end) in enumerate(spans):
            if text[start:end] == form:
                rows[i, LABELS.index(label)] = probability
    rows[:, 0] = 1 - rows[:, 1:].sum(1)
    return TokenScores(
        words=as_spans(spans),
        entity=np.log(rows),
        named=np.linspace(0, 1, len(spans), dtype=np.float32),
        role=np.log(np.full((len(spans), len(ROLES)), 1 / 6, np.float32)),
        sentences=as_spans([(0, len(text))]),
        kind=None,
    )


def read(marks: dict[str, float], names: Lexicon | None = None, text: str = TEXT) -> Reading:
    """A text as the rescorer meets it."""
    known = (names or Lexicon({})).matches(folded(text), words(text))
    return reading(text, scores(marks, text), find_abbreviations(text), known)


def surfaces(one: Reading) -> set[tuple[str, int]]:
    """Surface and type of every candidate."""
    return {(one.surface(c.first, c.last), c.kind) for c in candidates(one)}


def test_both_ends_of_an_uncertain_name_are_looked_at() -> None:
    """Most errors of a tagger are ends in the wrong place."""
    found = surfaces(read({"B-method tree": 0.8, "B-method kernel": 0.3, "I-method kernel": 0.6}))
    assert {("tree", METHOD), ("tree kernel", METHOD), ("kernel", METHOD)} <= found


def test_a_name_that_goes_on_for_sure_has_no_end_before() -> None:
    """What cannot be need not be judged."""
    found = surfaces(read({"B-method tree": 0.9, "I-method kernel": 0.985}))
    assert ("tree kernel", METHOD) in found
    assert ("tree", METHOD) not in found


def test_a_known_name_is_looked_at_though_the_tagger_does_not_see_it() -> None:
    """Names that were counted before are evidence of their own."""
    row = tuple(3 if column in ("gold_dataset", "gold_seen") else 0 for column in COLUMNS)
    assert ("open trees", DATASET) in surfaces(read({}, Lexicon({"open trees": row})))
    assert surfaces(read({})) == set()


def test_no_candidate_has_half_of_a_pair_of_brackets() -> None:
    """`kernel (TK` is no name."""
    found = surfaces(
        read({"B-method kernel": 0.9, "I-method (": 0.6, "I-method TK": 0.6, "I-method )": 0.6})
    )
    assert ("kernel (tk)", METHOD) in found
    assert ("kernel (tk", METHOD) not in found


def test_every_candidate_has_the_same_columns_and_no_holes() -> None:
    """Trees are trained on one order of columns."""
    one = read({"B-method tree": 0.8, "I-method kernel": 0.6, "B-dataset Open": 0.7,
                "I-dataset Trees": 0.7, "B-method TK": 0.5})  # fmt: skip
    found = candidates(one)
    rows = span_features(one, found, WordTable({}))
    assert rows.shape[0] == len(found) > 3
    assert np.isfinite(rows).all()
    other = read({"B-method use": 0.9})
    again = span_features(other, candidates(other), WordTable({"use": (9, 0, 0, 1, 0, 2, 3)}))
    assert again.shape[1] == rows.shape[1]


def test_the_same_characters_share_their_scores() -> None:
    """A name that is sure in one place is likelier in another."""
    assert shared([0.9, 0.5, 0.5], [("a", 0), ("a", 0), ("a", 1)]) == pytest.approx([0.9, 0.7, 0.5])


def test_the_best_candidates_become_spans_of_characters() -> None:
    """With what the tagger says of their words."""
    one = read({"B-method tree": 0.8})
    found = [Candidate(3, 5, METHOD), Candidate(3, 4, METHOD), Candidate(9, 11, DATASET)]
    chosen = choose(one, found, [0.9, 0.4, 0.2], 0.3)
    spans = span_scores(one, scores({}), chosen)
    assert [(TEXT[s.start : s.end], s.kind, s.confidence) for s in spans] == [
        ("tree kernel", METHOD, 0.9)
    ]
    assert spans[0].named == pytest.approx((3 / 11 + 4 / 11) / 2)
    assert spans[0].role == pytest.approx([np.log(1 / 6)] * 6)


def test_words_are_counted_by_their_place_in_names() -> None:
    """`treebank` ends names, `the` stands before them."""
    total: dict[str, list[int]] = {}
    count_words(["the", "big", "penn", "treebank", "and", "the", "oak"], [(2, 4), (6, 7)], total)
    table = WordTable({word: tuple(counts) for word, counts in total.items()})
    assert table.shares("treebank") == (0, 1 / 3, 0, 0, 0, 0, 1.0)
    assert table.shares("the") == (0, 0, 0, 0, 1 / 4, 0, 2.0)
    assert table.shares("oak") == (0, 0, 1 / 3, 0, 0, 0, 1.0)
    assert table.shares("unknown") == (0, 0, 0, 0, 0, 0, 0.0)
    own = table.less({"the": (1, 0, 0, 0, 0, 1, 0)})
    assert own.shares("the") == (0, 0, 0, 0, 0, 0, 1.0)
