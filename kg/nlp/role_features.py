"""What an abstract shows of the role of an entity: the words around its mentions, and where."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from kg.nlp.grams import Grams, together
from kg.nlp.hashing import Ints, Prefixes, Strings, hashed, ranges
from kg.nlp.layout import Layout, Place, normal
from kg.nlp.linear import Packed, Rows
from kg.nlp.scores import TYPES

_MOST_MENTIONS: Final = 5
_REACH: Final = 5  # words before and after a mention
_MOST_WORDS: Final = 60  # of a sentence

# Words beside the mentions; the same with the type; words a little farther away; the sentences;
# the name; where it stands.
_WEIGHTS: Final = (1.0, 1.0, 0.7, 0.7, 0.5, 1.3)
_NEAR, _NEAR_TYPE, _SIDES, _WIDE, _NAME, _FRAME = range(6)
_SIDE: Final = Prefixes([f"{kind}{sign}" for sign in "<>" for kind in TYPES])
_TYPE: Final = Prefixes([f"{kind} " for kind in TYPES])
_SENTENCE: Final = Prefixes(["s "])


def role_features(layouts: Sequence[Layout]) -> Packed:
    """Return the features of every entity, one text after the other."""
    grams, firsts = together([layout.signs for layout in layouts])
    found = Rows(sum(len(layout.entities) for layout in layouts), _WEIGHTS)
    seen: list[tuple[int, int, int, int]] = []  # row, type, sentence, position
    row = 0
    for layout, first in zip(layouts, firsts, strict=True):
        for index, (entity, places) in enumerate(
            zip(layout.entities, layout.of_entity, strict=True)
        ):
            kind = TYPES.index(entity.type.value)
            seen += [(row, kind, first + p.sentence, p.position) for p in _seen(places)]
            found.name(_NAME, row, hashed(_name(layout, index)))
            found.name(_FRAME, row, hashed(_frame(layout, index)))
            row += 1
    if seen:
        _around(found, grams, np.array(seen))
    return found.packed()


def _around(found: Rows, grams: Grams, seen: Ints) -> None:
    """Add the words around mentions: of each its row, type, sentence and position."""
    entity, kind, home, position = seen.T
    first, count = grams.starts[home], grams.counts[home]
    at = first + position
    near = beside(grams, at)
    found.add(_NEAR, entity, near.hashes)
    found.add(_NEAR_TYPE, entity, _TYPE(kind[:, None], near))
    steps = np.arange(1, _REACH + 1)
    for side, places in enumerate((at[:, None] - steps, at[:, None] + steps)):
        inside = (places >= first[:, None]) & (places < (first + count)[:, None])
        which = np.repeat(kind + side * len(TYPES), inside.sum(1))
        owner = np.repeat(entity, inside.sum(1))
        found.add(_SIDES, owner, _SIDE(which, grams.ones.at(places[inside])))
    low = np.maximum(0, position - _MOST_WORDS // 2)
    most = np.minimum(count - low, _MOST_WORDS)
    mention, places = ranges(first + low, most)
    owner = entity[mention]
    found.add(_WIDE, owner, _SENTENCE(0, grams.ones.at(places)))
    paired = places < (first + low + most - 1)[mention]
    found.add(_WIDE, owner[paired], _SENTENCE(0, grams.twos.at(places[paired])))


_BESIDE: Final = Prefixes(["-1 ", "-2 ", "-3 ", "+1 ", "+2 ", "+3 ", "-+ "])
_SPACE: Final = Prefixes([" "])


def beside(grams: Grams, at: Ints) -> Strings:
    """Return (n, 7): one to three words before and behind each place, and one on both sides."""
    before, after = grams.ones.at(at - 1), grams.ones.at(at + 1)
    several = (
        before,
        grams.twos.at(at - 2),
        grams.threes.at(at - 3),
        after,
        grams.twos.at(at + 1),
        grams.threes.at(at + 1),
        before + _SPACE.whole(0, after),
    )
    hashes, sizes = (np.stack(parts, 1) for parts in zip(*several, strict=True))
    return _BESIDE.whole(np.arange(len(several)), Strings(hashes, sizes))


def _seen(places: tuple[Place, ...]) -> tuple[Place, ...]:
    """The first mentions and the last: enough of an entity that is named all the time."""
    return places if len(places) <= _MOST_MENTIONS else (*places[: _MOST_MENTIONS - 1], places[-1])


def _name(layout: Layout, index: int) -> list[str]:
    entity = layout.entities[index]
    words = [normal(word) for word in entity.name.split()] or [""]
    return [
        f"name {' '.join(words)}",
        f"last {words[-1]}",
        *(f"word {word}" for word in sorted(set(words))),
    ]


def _frame(layout: Layout, index: int) -> list[str]:
    """Where the entity stands in the text, how often, in which company."""
    entity = layout.entities[index]
    kind = f"{entity.type.value} {entity.named}"
    places = layout.of_entity[index]
    count = len(layout.sentences)
    if not places:
        return [f"{kind} nowhere"]
    homes = sorted({place.sentence for place in places})
    first = next(
        (i for i, other in enumerate(layout.places) if other.entity == index),
        0,
    )
    company = {
        layout.entities[other.entity].type.value
        for other in layout.in_sentence[homes[0]]
        if other.entity != index
    }
    return [
        kind,
        f"{kind} times {min(len(places), 4)}",
        f"{kind} sentences {min(len(homes), 4)}",
        f"{kind} first {min(homes[0], 4)}",
        f"{kind} first part {5 * homes[0] // count}",
        f"{kind} last part {5 * homes[-1] // count}",
        f"{kind} from end {min(count - 1 - homes[-1], 3)}",
        f"{kind} order {min(first, 4)}",
        f"{kind} surfaces {min(len(entity.surfaces), 3)}",
        f"{kind} company {len(layout.in_sentence[homes[0]]) > 3}",
        *(f"{kind} with {other}" for other in sorted(company)),
    ]
