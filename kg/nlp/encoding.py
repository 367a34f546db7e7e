"""The accurate tagger: an encoder that was exported to ONNX, as a component."""

from pathlib import Path

from spacy.language import Language
from spacy.tokens import Doc

import kg.nlp.document  # noqa: F401 - registers the names under doc._
from kg.nlp.encoder import Encoder
from kg.nlp.encoder_heads import ENCODER
from kg.nlp.kept import Kept
from kg.nlp.scores import TokenScores
from kg.nlp.sentences import sentence_spans


class EncoderTagger(Kept):
    """Set the scores of the words and sentences of a text, and the encoder's whole reading."""

    FILES = ("encoder.onnx", "meta.json", "tokenizer.json")

    def __init__(self) -> None:
        self._encoder: Encoder | None = None

    def load(self, folder: Path) -> None:
        """Read the weights."""
        self._encoder = Encoder(folder, split=sentence_spans)

    def __call__(self, doc: Doc) -> Doc:
        """Set the scores of the text."""
        if not doc._.kg_sentences or self._encoder is None:
            return doc
        read = self._encoder.read(doc._.kg_text)
        doc._.kg_reading = read
        doc.user_data[ENCODER] = self._encoder  # judges pairs when the entities are known
        doc._.kg_scores = TokenScores(
            words=read.words,
            entity=read.entity,
            named=read.named,
            role=read.role,
            sentences=read.sentences,
            kind=read.kind,
        )
        return doc


@Language.factory("kg_encoder", assigns=["doc._.kg_scores", "doc._.kg_reading"])
def make_encoder(nlp: Language, name: str) -> EncoderTagger:  # noqa: ARG001 - spaCy passes both
    """Build the component; its weights come from its folder."""
    return EncoderTagger()
