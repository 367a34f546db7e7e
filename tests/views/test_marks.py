"""Cutting text where marks begin and end."""

import pytest

from kg.views.marks import Mark, Run, in_sentence, runs

TEXT = "We use BERT on SQuAD."


def _plain(text: str, *marks: Mark) -> list[tuple[str, str]]:
    return [(run.text, run.layers[0]) for run in runs(text, marks)]


def test_marks_split_the_text_and_lose_nothing() -> None:
    """What is shown must be the abstract, to the character."""
    found = runs(TEXT, [Mark(7, 11, "Method"), Mark(15, 20, "Dataset"), Mark(0, 21, "c", 1)], 2)

    assert "".join(run.text for run in found) == TEXT
    assert found[1] == Run("BERT", ("Method", "c"))
    assert found[2] == Run(" on ", ("", "c"))


def test_the_shorter_of_two_marks_shows() -> None:
    """In 'BERT-large' the exact name is what the reader looks for."""
    assert _plain("BERT-large", Mark(0, 10, "long"), Mark(0, 4, "short")) == [
        ("BERT", "short"),
        ("-large", "long"),
    ]


@pytest.mark.parametrize("mark", [Mark(-5, 2, "x"), Mark(19, 99, "x"), Mark(9, 9, "x")])
def test_marks_beyond_the_text_do_no_harm(mark: Mark) -> None:
    """Offsets from another version of the text."""
    assert "".join(run.text for run in runs(TEXT, [mark])) == TEXT


def test_offsets_count_characters() -> None:
    """A browser would count an emoji twice."""
    assert _plain("🙂 BERT", Mark(2, 6, "m")) == [("🙂 ", ""), ("BERT", "m")]


def test_spans_of_the_text_are_found_in_its_sentence() -> None:
    """Evidence shows a sentence, offsets count from the start of the abstract."""
    text = "It works. We use BERT. We use BERT."

    assert in_sentence("We use BERT.", text, 10, [(17, 21), (30, 34)]) == [(7, 11)]
    assert in_sentence("We use BERT.", text, 30, [(17, 21), (30, 34)]) == [(7, 11)]
    assert in_sentence("Not in there.", text, 0, [(0, 2)]) == []
    assert in_sentence("", text, 0, [(0, 2)]) == []
