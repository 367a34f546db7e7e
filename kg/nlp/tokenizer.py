"""Cut a text into spaCy tokens: words, single signs, and white space, so that nothing is lost."""

import re
from pathlib import Path
from typing import Any

from spacy import registry  # type: ignore[attr-defined]
from spacy.tokens import Doc
from spacy.vocab import Vocab

from kg.nlp.document import keep_text

_PIECE = re.compile(r"\w+|[^\w\s]|\s+")


def pieces(text: str) -> tuple[list[str], list[bool]]:
    """Return tokens, and of each whether one space follows it; joined they are the text.

    >>> pieces("GPT-4 wins.")
    (['GPT', '-', '4', 'wins', '.'], [False, False, True, False, False])
    """
    tokens: list[str] = []
    spaces: list[bool] = []
    for piece in _PIECE.findall(text):
        if piece[0] == " " and tokens and not spaces[-1] and not tokens[-1].isspace():
            # The first space belongs to the word before it, as in every spaCy Doc.
            spaces[-1] = True
            if len(piece) == 1:
                continue
            piece = piece[1:]
        tokens.append(piece)
        spaces.append(False)
    return tokens, spaces


class WordTokenizer:
    """Makes a Doc whose text is the text exactly as it was read."""

    def __init__(self, vocab: Vocab) -> None:
        self.vocab = vocab

    def __call__(self, text: str) -> Doc:
        """Return the tokens of the text."""
        tokens, spaces = pieces(text)
        doc = Doc(self.vocab, words=tokens, spaces=spaces)
        keep_text(doc, text)
        return doc

    def to_bytes(self, **kwargs: Any) -> bytes:
        """Return nothing: there is nothing to keep."""
        return b""

    def from_bytes(self, data: bytes, **kwargs: Any) -> "WordTokenizer":
        """Take nothing."""
        return self

    def to_disk(self, path: Path, **kwargs: Any) -> None:
        """Write nothing."""

    def from_disk(self, path: Path, **kwargs: Any) -> "WordTokenizer":
        """Read nothing."""
        return self


@registry.tokenizers("kg_words.v1")  # type: ignore[untyped-decorator]
def make_tokenizer() -> Any:
    """Return what makes the tokenizer from a pipeline."""
    return lambda nlp: WordTokenizer(nlp.vocab)
