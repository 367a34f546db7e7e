"""What the encoder says of pairs: two entities, or a claim and an entity."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from spacy.tokens import Doc

from kg.nlp.encoder import Encoder, Reading
from kg.nlp.layout import Layout
from kg.nlp.scores import Floats

# The key in doc.user_data under which the encoder that read the text leaves itself.
ENCODER: Final = "kg_encoder"


def relation_scores(doc: Doc, layout: Layout) -> Floats | None:
    """Return (e, e, 6), probabilities from head to tail; None without an encoder."""
    encoder, reading = _encoder_of(doc)
    if encoder is None or reading is None:
        return None
    return encoder.relations(reading, word_ranges(layout, reading))


def link_scores(doc: Doc, layout: Layout, claims: Sequence[int]) -> Floats | None:
    """Return (c, e, 4), probabilities that a claim links to an entity; None without an encoder.

    Args:
        doc: the text.
        layout: of the text.
        claims: indices of the sentences that make claims.
    """
    encoder, reading = _encoder_of(doc)
    if encoder is None or reading is None:
        return None
    return encoder.links(reading, home_of(layout, claims, reading), word_ranges(layout, reading))


def word_ranges(layout: Layout, reading: Reading) -> list[list[tuple[int, int]]]:
    """Return the mentions of each entity as half-open ranges of the reading's words."""
    starts = reading.words[:, 0]
    return [
        [
            (int(np.searchsorted(starts, place.start)), int(np.searchsorted(starts, place.end)))
            for place in places
        ]
        for places in layout.of_entity
    ]


def home_of(layout: Layout, claims: Sequence[int], reading: Reading) -> list[int]:
    """Return for each sentence of ours the reading's that shares most with it."""
    theirs = reading.sentences
    found = []
    for index in claims:
        start, end = layout.sentences[index]
        shared = np.minimum(end, theirs[:, 1]) - np.maximum(start, theirs[:, 0])
        found.append(int(shared.argmax()))
    return found


def _encoder_of(doc: Doc) -> tuple[Encoder | None, Reading | None]:
    encoder: Any = doc.user_data.get(ENCODER)
    return encoder, doc._.kg_reading
