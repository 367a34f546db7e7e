"""A Doc is the text as it was read, and no name is cut where it cannot be joined."""

from hypothesis import given
from hypothesis import strategies as st
from spacy.vocab import Vocab

from kg.nlp.scores import words
from kg.nlp.tokenizer import WordTokenizer

tokenizer = WordTokenizer(Vocab())


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=60))
def test_a_doc_holds_every_character_of_its_text(text: str) -> None:
    """Every offset in the graph points into this text."""
    doc = tokenizer(text)
    assert doc.text == text
    starts = [(token.idx, token.idx + len(token)) for token in doc if not token.text.isspace()]
    assert starts == words(text)


def test_names_are_cut_at_their_signs_alone() -> None:
    """The end of a name is the end of a word, also before a bracket or a percent sign."""
    text = "LLaMA-3.1-8B (ours)  gets 92.4\\%\non MS-COCO."
    assert [token.text for token in tokenizer(text)] == [
        *("LLaMA", "-", "3", ".", "1", "-", "8B", "(", "ours", ")", " ", "gets"),
        *("92", ".", "4", "\\", "%", "\n", "on", "MS", "-", "COCO", "."),
    ]
