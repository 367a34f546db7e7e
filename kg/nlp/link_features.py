"""What a claim shows of an entity: whether it is about it, compares with it, measures by it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from kg.nlp.grams import EDGE, Grams, together
from kg.nlp.hashing import Ints, Prefixes, hashed, ranges
from kg.nlp.layout import Layout, Place, normal
from kg.nlp.linear import Packed, Rows
from kg.nlp.role_features import beside
from kg.nlp.scores import ROLES, TYPES

# Entity types that each field of a claim may name.
FITS: Final[dict[str, frozenset[str]]] = {
    "about": frozenset({"method", "dataset", "task", "metric"}),
    "compared_to": frozenset({"method"}),
    "on": frozenset({"dataset"}),
    "metrics": frozenset({"metric"}),
}

_OWN: Final = frozenset({"our", "we", "it", "its", "proposed", "this", "these", "they", "ours"})
_MOST_WORDS: Final = 60
_MOST_MENTIONS: Final = 3  # of an entity in a claim
_NEAR: Final = 12  # words on a side of which pairs are looked at

# Where the entity stands; its name; the words of the claim.
_WEIGHTS: Final = (1.5, 0.6, 1.0)
_FRAME, _NAME, _AROUND = range(3)
_TYPE: Final = Prefixes([f"{kind} " for kind in TYPES])
_SIDE: Final = Prefixes([f"{kind} {side} " for side in "baLR" for kind in TYPES])
_BEFORE, _AFTER, _LEFT, _RIGHT = (len(TYPES) * side for side in range(4))
_TYPE_ROLE: Final = Prefixes([f"{kind} {role} " for kind in TYPES for role in ROLES])
_OUTSIDE: Final = Prefixes([f"{kind} {role} s " for kind in TYPES for role in ROLES])


@dataclass(frozen=True, slots=True)
class Made:
    """A claim as the models of links see it: its sentence and its kind."""

    sentence: int
    kind: str


class Linked(NamedTuple):
    """A text with its claims, and the role of each entity."""

    layout: Layout
    claims: Sequence[Made]
    roles: Sequence[str]


def link_features(texts: Sequence[Linked]) -> Packed:
    """Return the features of every entity for each claim: by text, then by claim."""
    grams, firsts = together([text.layout.signs for text in texts])
    found = Rows(sum(len(text.claims) * len(text.roles) for text in texts), _WEIGHTS)
    inner: list[tuple[int, ...]] = []  # row, type, side, sentence and position of mentions
    outer: list[tuple[int, ...]] = []  # row, side and sentence where there is no mention
    row = 0
    for (layout, claims, roles), first in zip(texts, firsts, strict=True):
        seen = _Seen(layout, roles)
        for claim in claims:
            inside: dict[int, list[Place]] = {}
            for place in layout.in_sentence[claim.sentence]:
                inside.setdefault(place.entity, []).append(place)
            length, home = len(layout.signs[claim.sentence]), first + claim.sentence
            frames = seen.frames(claim, inside)
            for index, (kind, side) in enumerate(seen.sides):
                found.name(_FRAME, row, frames[index])
                found.name(_NAME, row, seen.names[index])
                for place in inside.get(index, ())[:_MOST_MENTIONS]:
                    inner.append((row, kind, side, home, place.position))
                    name = f"at {min(place.position // 5, 6)} of {min(length // 10, 4)}"
                    found.name(_AROUND, row, hashed((f"{TYPES[kind]} {name}",)))
                if index not in inside:
                    outer.append((row, side, home))
                row += 1
    if inner:
        _inside(found, grams, np.array(inner))
    if outer:
        _outside(found, grams, np.array(outer))
    return found.packed()


class _Seen:
    """What is asked of the entities of a text for every claim, made once."""

    def __init__(self, layout: Layout, roles: Sequence[str]) -> None:
        self.layout = layout
        self.roles = roles
        self.types = [entity.type.value for entity in layout.entities]
        kinds = [TYPES.index(kind) for kind in self.types]
        self.sides = [
            (kind, kind * len(ROLES) + ROLES.index(role))
            for kind, role in zip(kinds, roles, strict=True)
        ]
        self.names = [hashed(_name(layout, index)) for index in range(len(layout.entities))]
        self.homes = [{place.sentence for place in places} for places in layout.of_entity]
        self.peers: dict[tuple[str, str], list[int]] = {}
        for index, side in enumerate(zip(self.types, roles, strict=True)):
            self.peers.setdefault(side, []).append(index)

    def frames(self, claim: Made, inside: Mapping[int, Sequence[Place]]) -> list[list[int]]:
        """Return what holds for each entity and a claim, but for the words."""
        told = _told(self.layout, claim, self.roles, inside)
        frames: dict[str, list[int]] = {}
        found = []
        for index, (type_, role) in enumerate(zip(self.types, self.roles, strict=True)):
            base = f"{type_} {role} {'in' if index in inside else 'out'}"
            frame = frames.get(base)
            if frame is None:
                frame = frames[base] = hashed(_frame(base, told, claim.kind))
            found.append(frame + hashed(self._frame(index, base, claim.sentence, inside)))
        return found

    def _frame(
        self, index: int, base: str, sentence: int, inside: Mapping[int, Sequence[Place]]
    ) -> list[str]:
        """Where the entity stands in the text, and among those of its kind."""
        entity, homes = self.layout.entities[index], self.homes[index]
        peers = self.peers[self.types[index], self.roles[index]]
        found = [
            f"{base} named {entity.named}",
            f"{base} peers {min(len(peers), 4)}",
            f"{base} rank {min(peers.index(index), 3)}",
            f"{base} times {min(len(self.layout.of_entity[index]), 4)}",
        ]
        if index not in inside and homes:
            before = [home for home in homes if home < sentence]
            found.append(f"{base} back {min(sentence - max(before), 4) if before else 'never'}")
            found.append(f"{base} first {min(min(homes), 3)}")
            found.append(f"{base} next {sentence + 1 in homes}")
        elif index in inside:
            kin = [i for i in inside if self.types[i] == self.types[index]]
            found.append(f"{base} kin {min(len(kin), 4)} {min(kin.index(index), 3)}")
            found.append(f"{base} order {min(list(inside).index(index), 4)}")
            found.append(f"{base} new {min(homes) == sentence}")
        return found


def _told(
    layout: Layout, claim: Made, roles: Sequence[str], inside: Mapping[int, Sequence[Place]]
) -> list[str]:
    """What holds for the claim, whatever the entity."""
    signs = layout.signs[claim.sentence]
    methods = [i for i in inside if layout.entities[i].type.value == "method"]
    return [
        claim.kind,
        f"own {bool(_OWN.intersection(signs))}",
        f"methods {min(len(methods), 3)}",
        f"proposed {any(roles[i] == 'proposed' for i in inside)}",
        f"datasets {any(layout.entities[i].type.value == 'dataset' for i in inside)}",
        f"begins {' '.join(signs[:2])}",
    ]


def _frame(base: str, told: Sequence[str], kind: str) -> list[str]:
    """What holds for the claim, seen from entities of a type and role."""
    found = [base, *(f"{base} | {name}" for name in told)]
    found += [f"{base} | {told[1]} {told[3]} {kind}", f"{base} | {told[2]} {told[3]} {kind}"]
    return found


def _name(layout: Layout, index: int) -> list[str]:
    entity = layout.entities[index]
    words = [normal(word) for word in entity.name.split()] or [""]
    return [f"{entity.type.value} w {word}" for word in sorted({" ".join(words), *words})]


def _inside(found: Rows, grams: Grams, inner: Ints) -> None:
    """Add the words before and after the mentions in claims."""
    rows, kind, both, home, position = inner.T
    count = grams.counts[home]
    at = grams.starts[home] + position
    near = beside(grams, at)
    found.add(_AROUND, rows, _TYPE(kind[:, None], near))
    found.add(_AROUND, rows, _TYPE_ROLE(both[:, None], near))
    steps = np.arange(1, EDGE + 1)
    for side, places in ((_BEFORE, at[:, None] - steps), (_AFTER, at[:, None] + steps)):
        found.add(_AROUND, rows, _SIDE(kind[:, None] + side, grams.ones.at(places)))
    before = np.minimum(position, _MOST_WORDS // 2)
    after = np.minimum(count - position - 1, _MOST_WORDS // 2)
    for side, far, size in ((_LEFT, at - before, before), (_RIGHT, at + 1, after)):
        mention, places = ranges(far, size)
        found.add(_AROUND, rows[mention], _SIDE(kind[mention] + side, grams.ones.at(places)))
        pairs = np.clip(size - 1, 0, _NEAR - 1)
        begin = at - 1 - pairs if side == _LEFT else at + 1
        mention, places = ranges(begin, pairs)
        found.add(_AROUND, rows[mention], _SIDE(kind[mention] + side, grams.twos.at(places)))


def _outside(found: Rows, grams: Grams, outer: Ints) -> None:
    """Add the words of claims for the entities that they do not mention."""
    rows, both, home = outer.T
    owner, places = ranges(grams.starts[home], np.minimum(grams.counts[home], _MOST_WORDS))
    found.add(_AROUND, rows[owner], _OUTSIDE(both[owner], grams.ones.at(places)))
