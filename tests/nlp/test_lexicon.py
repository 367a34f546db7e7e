"""Names that were counted before are found in a text, and a text is not taught by itself."""

from pathlib import Path

from kg.nlp.folding import folded
from kg.nlp.lexicon import COLUMNS, EMPTY, Lexicon, Row, less
from kg.nlp.scores import words


def row(**counts: int) -> Row:
    """A row with these counts."""
    return tuple(counts.get(column, 0) for column in COLUMNS)


TREES = row(gold_dataset=3, gold_named=3, gold_seen=4)
KERNEL = row(gold_method=1, gold_seen=1)
LEXICON = Lexicon({"open trees": TREES, "tree kernel": KERNEL, "tree": row(list_task=1)})


def found(text: str) -> list[tuple[int, int, str]]:
    """First word, end and name of every known name in a text."""
    return [(i, j, name) for i, j, name, _ in LEXICON.matches(folded(text), words(text))]


def test_names_are_found_whatever_their_case_and_spaces() -> None:
    """Also names inside names; the tagger decides."""
    assert found("On Open\nTrees, a  TREE  kernel (tree) wins.") == [
        (1, 3, "open trees"),
        (5, 6, "tree"),
        (5, 7, "tree  kernel"),
        (8, 9, "tree"),
    ]


def test_no_name_is_found_inside_a_word() -> None:
    """`trees` is not `tree`."""
    assert found("street trees") == []


def test_folding_keeps_the_length_of_a_text() -> None:
    """Offsets into the folded text are offsets into the text."""
    text = "İSTANBUL\u00a0ẞ\tΣ"
    assert len(folded(text)) == len(text)
    assert folded("A\nB") == "a b"


def test_what_a_text_added_to_the_counts_is_taken_away_again() -> None:
    """Otherwise a model learns to believe every name in the table."""
    text = "A tree kernel on open trees."
    names = LEXICON.matches(folded(text), words(text))
    own = {"tree kernel": KERNEL, "open trees": row(gold_dataset=1, gold_named=1, gold_seen=1)}
    assert [(name, counts) for _, _, name, counts in less(names, own)] == [
        ("tree", row(list_task=1)),
        ("open trees", row(gold_dataset=2, gold_named=2, gold_seen=3)),
    ]


def test_a_table_that_was_saved_is_the_same_again(tmp_path: Path) -> None:
    """And the order in which names were counted leaves no trace in its bytes."""
    LEXICON.save(tmp_path / "a")
    Lexicon(dict(reversed(list(LEXICON.items())))).save(tmp_path / "b")
    assert list(Lexicon.load(tmp_path / "a").items()) == list(LEXICON.items())
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert len(EMPTY) == len(COLUMNS)
