"""Annotated abstracts as the models of claims, roles, links and relations meet them."""

import re
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from kg.analytics import scoring
from kg.model.extraction import Entity, EntityType, Mention, Role
from kg.nlp.encoder import Encoder, Reading
from kg.nlp.encoder_heads import home_of, word_ranges
from kg.nlp.layout import Layout, lay_out
from kg.nlp.scores import Floats, TokenScores
from kg.nlp.sentences import sentence_spans

Row = dict[str, Any]
Span = tuple[int, int]


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """An abstract, the entities that were found in it (or annotated), and the annotation.

    Attributes:
        row: the line of the annotation.
        layout: text, sentences and entities.
        match: of each entity the annotated entity that shares a surface form with it, or None.
        scores: of an encoder that has not seen the abstract, or None.
        related: (e, e, 6), what the encoder says of relations, or None.
        linked: (m, e, 4), what the encoder says of links if a sentence is a claim, or None.
        found: whether the entities were found; else they are the annotated ones.
        silver: whether a teacher annotated it; it teaches words, and judges nothing.
    """

    row: Row
    layout: Layout
    match: tuple[int | None, ...]
    scores: TokenScores | None = None
    related: Floats | None = None
    linked: Floats | None = None
    found: bool = False
    silver: bool = False


def example(
    row: Row,
    entities: Sequence[Entity] | None = None,
    encoder: Encoder | None = None,
    reading: Reading | None = None,
) -> Example:
    """Return an example.

    Args:
        row: the line of the annotation.
        entities: that were found; without them the annotated ones are taken.
        encoder: that made the reading.
        reading: of an encoder that has not seen the abstract.
    """
    text = row["text"]
    found = gold_entities(row) if entities is None else tuple(entities)
    forms = [{scoring.folded(form) for form in entity["surfaces"]} for entity in row["entities"]]
    match = tuple(_best(entity, row["entities"], forms) for entity in found)
    layout = lay_out(text, sentence_spans(text), found)
    if encoder is None or reading is None:
        return Example(row, layout, match, found=entities is not None)
    ranges = word_ranges(layout, reading)
    everything = range(len(layout.sentences))
    return Example(
        row,
        layout,
        match,
        scores=TokenScores(
            words=reading.words,
            entity=reading.entity,
            named=reading.named,
            role=reading.role,
            sentences=reading.sentences,
            kind=reading.kind,
        ),
        related=encoder.relations(reading, ranges),
        linked=encoder.links(reading, home_of(layout, everything, reading), ranges),
        found=entities is not None,
    )


def gold_entities(row: Row) -> tuple[Entity, ...]:
    """Return the annotated entities with every place where a surface form stands."""
    text = row["text"]
    taken = bytearray(len(text))
    forms = {(form, i) for i, entity in enumerate(row["entities"]) for form in entity["surfaces"]}
    places: dict[int, list[Mention]] = {}
    for form, index in sorted(forms, key=lambda item: (-len(item[0]), item)):
        for match in re.finditer(r"(?<!\w)" + re.escape(form) + r"(?!\w)", text):
            start, end = match.span()
            if not any(taken[start:end]):
                taken[start:end] = b"\1" * (end - start)
                places.setdefault(index, []).append(Mention(start, end, text[start:end]))
    return tuple(
        Entity(
            name=entity["name"],
            type=EntityType(entity["type"]),
            named=bool(entity["named"]),
            role=Role(entity["role"]),
            confidence=1.0,
            mentions=tuple(sorted(places[index], key=lambda mention: mention.start)),
        )
        for index, entity in enumerate(row["entities"])
        if index in places
    )


def honest(examples: Sequence[Example], *, with_scores: bool) -> list[int]:
    """Return which examples are as a text is when the pipeline reads it.

    Their entities were found, not annotated, and an encoder that takes part has not seen them.
    Models that put scores together, and thresholds, are learned from these.
    """
    able = [
        i
        for i, e in enumerate(examples)
        if not e.silver and (not with_scores or e.scores is not None)
    ]
    return [i for i in able if examples[i].found] or able


def part_of(identifier: str, parts: int = 3) -> int:
    """Return the part of a cross-validation that an abstract is in; the same on every machine."""
    return zlib.crc32(identifier.encode()) % parts


def parts_of(examples: Sequence[Example]) -> npt.NDArray[np.int64]:
    """Return the part of each example; -1 of what a teacher annotated, which is never asked."""
    return np.array([-1 if e.silver else part_of(e.row["id"]) for e in examples], np.int64)


def weights_of(examples: Sequence[Example], silver: float) -> Floats:
    """Return how much each example counts in training, those of a teacher ``silver``."""
    return np.array([silver if e.silver else 1.0 for e in examples], np.float32)


def claim_spans(row: Row) -> list[tuple[int, int, int]]:
    """Return (start, end, index) of every annotated claim that stands in the text."""
    found = []
    for index, claim in enumerate(row["claims"]):
        start = row["text"].find(claim["text"])
        if start >= 0:
            found.append((start, start + len(claim["text"]), index))
    return found


def claims_of_sentences(row: Row, sentences: Iterable[Span]) -> list[int | None]:
    """Return for each sentence the index of the claim that it makes, if any.

    A claim counts for a sentence that shares half of the shorter of both and three tenths of
    the sentence.
    """
    places = claim_spans(row)
    found = []
    for start, end in sentences:
        best, most = None, 0
        for first, last, index in places:
            shared = min(end, last) - max(start, first)
            enough = shared >= 0.5 * min(end - start, last - first) and shared >= 0.3 * (
                end - start
            )
            if enough and shared > most:
                best, most = index, shared
        found.append(best)
    return found


def _best(entity: Entity, rows: Sequence[Row], forms: Sequence[set[str]]) -> int | None:
    """The annotated entity with most surface forms in common, of the same type if there is one."""
    own = {scoring.folded(form) for form in entity.surfaces}
    best, most = None, (0, False)
    for index, (row, theirs) in enumerate(zip(rows, forms, strict=True)):
        shared = (len(own & theirs), row["type"] == entity.type.value)
        if shared[0] and shared > most:
            best, most = index, shared
    return best
