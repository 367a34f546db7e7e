"""Claims: which sentences state what an experiment or a proof backs, and of which kind."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
from spacy.language import Language
from spacy.tokens import Doc

from kg.model.extraction import Claim, ClaimKind
from kg.nlp.claim_features import sentence_features
from kg.nlp.dense import Dense
from kg.nlp.hedges import certainty, polarity
from kg.nlp.kept import Kept, Together
from kg.nlp.layout import Layout, Span
from kg.nlp.layout_of import layout_of
from kg.nlp.linear import Linear, parted, softmax
from kg.nlp.scores import KINDS, Floats, TokenScores

_REACH: Final = 2  # sentences before and after that are looked at
_FLOOR: Final = -8.0  # of a log-probability


class ClaimModel:
    """The probability of every kind for every sentence of a text."""

    FILES = (
        *(f"claims.{name}" for name in Linear.FILES),
        "claims.context.json",
        "claims.json",
    )

    def __init__(self, words: Linear, context: Dense, threshold: float) -> None:
        """Take the model of single sentences, that of neighbours, and the least probability."""
        self.words = words
        self.context = context
        self.threshold = threshold

    def __call__(
        self, layouts: Sequence[Layout], scores: Sequence[TokenScores | None]
    ) -> list[Floats]:
        """Return of each text (m, 4), the probabilities of KINDS of each sentence.

        Args:
            layouts: the texts; each has a sentence.
            scores: of an encoder, if the model was trained with one.
        """
        sizes = [len(layout.sentences) for layout in layouts]
        found = parted(self.words(sentence_features(layouts)), sizes)
        return [
            self.context(context_features(layout, own, theirs))
            for layout, own, theirs in zip(layouts, found, scores, strict=True)
        ]

    def save(self, folder: Path) -> None:
        """Write FILES."""
        self.words.save(folder, "claims.")
        self.context.save(folder / "claims.context.json")
        settings = {"threshold": round(self.threshold, 4)}
        (folder / "claims.json").write_text(json.dumps(settings) + "\n", "utf-8")

    @classmethod
    def load(cls, folder: Path) -> "ClaimModel":
        """Read what ``save`` wrote."""
        settings = json.loads((folder / "claims.json").read_text("utf-8"))
        return cls(
            Linear.load(folder, "claims."),
            Dense.load(folder / "claims.context.json"),
            float(settings["threshold"]),
        )


def context_features(layout: Layout, words: Floats, scores: TokenScores | None) -> Floats:
    """Return the numbers that the second model sees of each sentence.

    Args:
        layout: the text.
        words: (m, 4), what the first model says of each sentence.
        scores: of an encoder, or None.
    """
    parts = _around(np.log(softmax(words)))
    if scores is not None and scores.kind is not None:
        parts += _around(aligned(scores.kind, scores.sentences, layout.sentences))
    count = len(layout.sentences)
    rows = [
        (
            min(at, 6) / 6,
            min(count - 1 - at, 6) / 6,
            min(sum(sign == "0" for sign in signs), 4) / 4,
        )
        for at, signs in enumerate(layout.signs)
    ]
    parts.append(np.array(rows, np.float32))
    return np.hstack(parts)


def aligned(kind: Floats, theirs: np.ndarray, ours: Sequence[Span]) -> Floats:
    """Return the rows of another's sentences for ours: of that which shares most with each."""
    if not len(theirs):
        return np.full((len(ours), kind.shape[1]), -np.log(kind.shape[1]), np.float32)
    own = np.array(ours)
    shared = np.minimum(own[:, None, 1], theirs[None, :, 1]) - np.maximum(
        own[:, None, 0], theirs[None, :, 0]
    )
    found: Floats = kind[shared.argmax(1)]
    return found


def find_claims(
    layout: Layout, probabilities: Floats, threshold: float
) -> tuple[tuple[Claim, int], ...]:
    """Return the claims of a text, each with the index of its sentence.

    Args:
        layout: the text.
        probabilities: (m, 4) of KINDS.
        threshold: least probability that a sentence is a claim.
    """
    found = []
    for index, ((start, end), row) in enumerate(
        zip(layout.sentences, probabilities.tolist(), strict=True)
    ):
        confidence = 1 - row[0]
        if confidence < threshold:
            continue
        text = layout.text[start:end]
        best = max(range(1, len(KINDS)), key=row.__getitem__)
        claim = Claim(
            start=start,
            end=end,
            text=text,
            kind=ClaimKind(KINDS[best]),
            confidence=round(confidence, 4),
            polarity=polarity(text),
            certainty=certainty(text),
        )
        found.append((claim, index))
    return tuple(found)


class Claims(Kept, Together):
    """Set the claims of texts."""

    FILES = ClaimModel.FILES

    def __init__(self) -> None:
        self._model: ClaimModel | None = None

    def load(self, folder: Path) -> None:
        """Read the model."""
        self._model = ClaimModel.load(folder)

    def read_all(self, docs: Sequence[Doc]) -> None:
        """Set the claims."""
        read = [doc for doc in docs if doc._.kg_sentences]
        if self._model is None or not read:
            return
        layouts = [layout_of(doc) for doc in read]
        found = self._model(layouts, [doc._.kg_scores for doc in read])
        for doc, layout, rows in zip(read, layouts, found, strict=True):
            claims = find_claims(layout, rows, self._model.threshold)
            doc._.kg_claims = tuple(claim for claim, _ in claims)


@Language.factory("kg_claims", assigns=["doc._.kg_claims"])
def make_claims(nlp: Language, name: str) -> Claims:  # noqa: ARG001 - spaCy passes both
    """Build the component; its weights come from its folder."""
    return Claims()


def _around(rows: Floats) -> list[Floats]:
    """The rows, those of neighbours, the best and the mean of the text."""
    rows = np.maximum(rows, _FLOOR)
    count, width = rows.shape
    parts = [rows]
    for distance in range(1, _REACH + 1):
        gap = np.zeros((min(distance, count), width + 1), np.float32)
        filled = np.hstack((rows, np.ones((count, 1), np.float32)))
        parts.append(np.vstack((gap, filled[:-distance]))[:count])
        parts.append(np.vstack((filled[distance:], gap))[:count])
    parts.append(np.tile(rows.max(0), (count, 1)))
    parts.append(np.tile(rows.mean(0), (count, 1)))
    return parts
