"""An abstract as its sentences see it: words, and the entities where they stand.

Models of claims, roles, links and relations look at sentences in which every mention is one sign
for its type, so that what they learn holds for names that they have never seen.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from kg.model.extraction import Entity
from kg.nlp.grams import Signs

Span = tuple[int, int]

_WORD = re.compile(r"\\[A-Za-z]+|[^\W\d_]+(?:['’][^\W\d_]+)?|\d+(?:[.,]\d+)*|[^\w\s]|_")
_MAX_WORD = 24


class Place(NamedTuple):
    """One mention: its entity, its sentence, its position among that sentence's signs."""

    entity: int
    sentence: int
    position: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Layout:
    """A text with its sentences and entities.

    Attributes:
        text: as read.
        sentences: spans in text order.
        entities: as given.
        signs: of each sentence its words in small letters, numbers as 0, and one sign per mention.
        places: every mention in text order.
        of_entity: of each entity its places.
        in_sentence: of each sentence its places.
    """

    text: str
    sentences: tuple[Span, ...]
    entities: tuple[Entity, ...]
    signs: Signs
    places: tuple[Place, ...]
    of_entity: tuple[tuple[Place, ...], ...]
    in_sentence: tuple[tuple[Place, ...], ...]


def lay_out(text: str, sentences: Sequence[Span], entities: Sequence[Entity]) -> Layout:
    """Return the layout of a text; where mentions overlap, the longer is kept.

    >>> lay_out("We beat 3 of them.", [(0, 18)], []).signs
    (('we', 'beat', '0', 'of', 'them', '.'),)
    """
    spans = _without_overlap(entities)
    starts = [start for start, _ in sentences]
    signs: list[list[str]] = [[] for _ in sentences]
    places = []
    at = sentences[0][0] if sentences else 0
    for start, end, index in spans:
        home = bisect_right(starts, start) - 1
        if home < 0 or start >= sentences[home][1]:
            continue
        _read(text, at, start, starts, sentences, signs)
        places.append(Place(index, home, len(signs[home]), start, end))
        signs[home].append(f"<{entities[index].type.value}>")
        at = end
    if sentences:
        _read(text, at, sentences[-1][1], starts, sentences, signs)
    return _placed(text, tuple(sentences), tuple(entities), Signs(map(tuple, signs)), places)


def part(layout: Layout, first: int, last: int) -> Layout:
    """Return sentences [first, last) with the entities in them as a layout of the same text."""
    inside = [place for place in layout.places if first <= place.sentence < last]
    kept = sorted({place.entity for place in inside})
    number = {entity: at for at, entity in enumerate(kept)}
    return _placed(
        layout.text,
        layout.sentences[first:last],
        tuple(layout.entities[entity] for entity in kept),
        Signs(layout.signs[first:last]),
        [p._replace(entity=number[p.entity], sentence=p.sentence - first) for p in inside],
    )


def _placed(
    text: str,
    sentences: tuple[Span, ...],
    entities: tuple[Entity, ...],
    signs: Signs,
    places: Sequence[Place],
) -> Layout:
    of_entity: list[list[Place]] = [[] for _ in entities]
    in_sentence: list[list[Place]] = [[] for _ in sentences]
    for place in places:
        of_entity[place.entity].append(place)
        in_sentence[place.sentence].append(place)
    return Layout(
        text,
        sentences,
        entities,
        signs,
        tuple(places),
        tuple(map(tuple, of_entity)),
        tuple(map(tuple, in_sentence)),
    )


def normal(word: str) -> str:
    """Return a word as models see it: small letters, any number as 0, never very long."""
    return "0" if word[0].isdigit() else word[:_MAX_WORD].lower()


def _without_overlap(entities: Sequence[Entity]) -> list[tuple[int, int, int]]:
    found = [
        (mention.start, mention.end, index)
        for index, entity in enumerate(entities)
        for mention in entity.mentions
    ]
    found.sort(key=lambda item: (item[0], -item[1], item[2]))
    kept: list[tuple[int, int, int]] = []
    for item in found:
        if not kept or item[0] >= kept[-1][1]:
            kept.append(item)
        elif item[1] - item[0] > kept[-1][1] - kept[-1][0]:
            kept[-1] = item
    return kept


def _read(
    text: str,
    start: int,
    end: int,
    starts: list[int],
    sentences: Sequence[Span],
    signs: list[list[str]],
) -> None:
    """Add the words of [start, end) to the sentences that they stand in."""
    home = max(0, bisect_right(starts, start) - 1)
    while home < len(sentences) and start < end:
        until = min(end, sentences[home][1])
        if start < until:
            signs[home] += [normal(word) for word in _WORD.findall(text, start, until)]
        home += 1
        if home < len(sentences):
            start = max(start, starts[home])
