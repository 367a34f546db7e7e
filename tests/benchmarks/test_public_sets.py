"""Public test sets are read as they are written, and scored as the table of the script says."""

import json

from benchmarks.public_sets import (
    CROSSNER,
    SCIERC,
    TDMSCI,
    Score,
    read_conll,
    read_csabstruct,
    read_scierc,
)
from kg.model.extraction import (
    Claim,
    ClaimKind,
    Entity,
    EntityType,
    Extraction,
    Mention,
    Relation,
    RelationType,
    Role,
)


def found(text: str, *entities: tuple[str, str]) -> Extraction:
    """Extraction of these surface forms and types."""
    return Extraction("m", tuple(
        Entity(form, EntityType(kind), True, Role.USED, 1.0,
               (Mention(text.index(form), text.index(form) + len(form), form),))
        for form, kind in entities
    ))  # fmt: skip


def figures(score: Score) -> dict[str, tuple[int, int, int]]:
    """Both, annotated and predicted of each figure."""
    names = score.annotated | score.predicted
    return {n: (score.both[n], score.annotated[n], score.predicted[n]) for n in names}


ROW = {
    "sentences": [["We", "train", "tree", "nets", "-LRB-", "TN", "-RRB-", "on", "leaves", "."],
                  ["They", "parse", "trees", "."]],
    "ner": [[[2, 3, "Method"], [5, 5, "Method"], [8, 8, "Material"]],
            [[10, 10, "Generic"], [11, 12, "Task"]]],
    "relations": [[[5, 5, 2, 3, "HYPONYM-OF"], [2, 3, 8, 8, "USED-FOR"]],
                  [[2, 3, 11, 12, "USED-FOR"]]],
}  # fmt: skip


def test_scierc_is_put_together_again() -> None:
    """Offsets are characters of a text that a person could have written."""
    (text,) = read_scierc([json.dumps(ROW)])
    assert text.text == "We train tree nets (TN) on leaves. They parse trees."
    assert [(text.text[a:b], kind) for a, b, kind in text.spans] == [
        ("tree nets", "method"), ("TN", "method"), ("leaves", "dataset"), ("They", ""),
        ("parse trees", "task"),
    ]  # fmt: skip
    assert [(text.text[h[0] : h[1]], kind, text.text[t[0] : t[1]])
            for h, kind, t in text.relations] == [
        ("TN", "PART_OF", "tree nets"), ("tree nets", "ADDRESSES", "parse trees"),
    ]  # fmt: skip


def test_what_counts_is_worked_out_by_hand() -> None:
    """Strict and relaxed; They is neither right nor wrong; a relation meets its ends."""
    (text,) = read_scierc([json.dumps(ROW)])
    told = found(text.text, ("tree nets", "method"), ("TN) on", "method"), ("leaves", "task"),
                 ("They", "task"), ("trees", "task"))  # fmt: skip
    relation = Relation("tree nets", RelationType.ADDRESSES, "trees", 0, 1, 1.0)
    told = Extraction("m", told.entities, relations=(relation,))
    score = Score()
    score.add(text, told, frozenset(filter(None, SCIERC.values())))
    assert figures(score) == {
        "strict": (1, 4, 4), "strict method": (1, 2, 2), "strict dataset": (0, 1, 0),
        "strict task": (0, 1, 2),
        "relaxed": (3, 4, 4), "relaxed method": (2, 2, 2), "relaxed dataset": (0, 1, 0),
        "relaxed task": (1, 1, 2),
        "relation ADDRESSES": (1, 1, 1), "relation PART_OF": (0, 1, 0),
    }  # fmt: skip


def test_conll_with_and_without_offsets() -> None:
    """Offsets are those of the file; types that a set does not annotate do not count."""
    lines = "TF\t7\tO\n-\t9\tO\nIDF\t10\tB-METRIC\non\t14\tO\nnews\t17\tB-DATASET\nsets\t22\tI-DATASET\n\n"
    (text,) = read_conll(lines.splitlines(keepends=True), TDMSCI)
    assert text.text == "TF-IDF on news sets"
    assert text.spans == ((3, 6, "metric"), (10, 19, "dataset"))
    score = Score()
    score.add(text, found(text.text, ("TF-IDF", "method"), ("news sets", "dataset")),
              frozenset(TDMSCI.values()))  # fmt: skip
    assert figures(score)["strict"] == (1, 2, 1)

    lines = "SVM\tB-algorithm\nby\tO\nAnn\tB-person\nHe\tI-person\n\n\nROC\tB-metrics\ncurve\tI-metrics\n"
    one, other = read_conll(lines.splitlines(keepends=True), CROSSNER)
    assert (one.text, one.spans) == ("SVM by Ann He", ((0, 3, "method"),))
    assert (other.text, other.spans) == ("ROC curve", ((0, 9, "metric"),))


def test_result_sentences_are_claims() -> None:
    """One is found, one missed, and one is told that is none."""
    row = {"sentences": ["It is hard. ", "It is fast.", "It is small."],
           "labels": ["background", "result", "result"]}  # fmt: skip
    (text,) = read_csabstruct([json.dumps(row)])
    assert [text.text[a:b] for a, b in text.claims or ()] == ["It is fast.", "It is small."]
    claims = tuple(
        Claim(start, start + 11, text.text[start : start + 11], ClaimKind.FINDING, 1.0)
        for start in (0, 12)
    )
    score = Score()
    score.add(text, Extraction("m", claims=claims), frozenset())
    assert figures(score) == {"claim": (1, 2, 2)}
