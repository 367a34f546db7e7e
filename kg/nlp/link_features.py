"""What a claim shows of an entity: whether it is about it, compares with it, measures by it."""

from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from typing import Final

from kg.nlp.layout import Layout, Place, normal
from kg.nlp.linear import Groups, Hashes, hashed

# Entity types that each field of a claim may name.
FITS: Final[dict[str, frozenset[str]]] = {
    "about": frozenset({"method", "dataset", "task", "metric"}),
    "compared_to": frozenset({"method"}),
    "on": frozenset({"dataset"}),
    "metrics": frozenset({"metric"}),
}

_OWN: Final = frozenset({"our", "we", "it", "its", "proposed", "this", "these", "they", "ours"})
_MOST_WORDS = 60


def link_features(layout: Layout, sentence: int, kind: str, roles: Sequence[str]) -> list[Groups]:
    """Return the features of every entity for the claim that a sentence makes.

    Args:
        layout: the text.
        sentence: index of the claim's sentence.
        kind: of the claim.
        roles: of each entity.
    """
    return LinkFeatures(layout, roles)(sentence, kind)


class LinkFeatures:
    """The features of every entity of a text for its claims."""

    def __init__(self, layout: Layout, roles: Sequence[str]) -> None:
        self.layout = layout
        self.roles = roles
        self.types = [entity.type.value for entity in layout.entities]
        self._names = [hashed(_name(layout, index)) for index in range(len(layout.entities))]
        self.homes = [{place.sentence for place in places} for places in layout.of_entity]
        self.peers: dict[tuple[str, str], list[int]] = {}
        for index, side in enumerate(zip(self.types, roles, strict=True)):
            self.peers.setdefault(side, []).append(index)

    def __call__(self, sentence: int, kind: str) -> list[Groups]:
        """Return the features of every entity for the claim that a sentence makes."""
        signs = self.layout.signs[sentence]
        inside: dict[int, list[Place]] = {}
        for place in self.layout.in_sentence[sentence]:
            inside.setdefault(place.entity, []).append(place)
        told = _told(self.layout, sentence, kind, self.roles, inside)
        frames: dict[str, Hashes] = {}
        bags: dict[tuple[str, str], Hashes] = {}
        found: list[Groups] = []
        for index, (type_, role) in enumerate(zip(self.types, self.roles, strict=True)):
            base = f"{type_} {role} {'in' if index in inside else 'out'}"
            frame = frames.get(base)
            if frame is None:
                frame = frames[base] = hashed(_frame(base, told, kind))
            own = hashed(self._frame(index, base, sentence, inside))
            around: Collection[str] | Hashes
            if index in inside:
                around = _around(type_, signs, inside[index], role)
            else:
                bag = bags.get((type_, role))
                if bag is None:
                    words = set(signs[:_MOST_WORDS])
                    bag = bags[type_, role] = hashed(f"{type_} {role} s {word}" for word in words)
                around = bag
            found.append(((1.5, Hashes(frame + own)), (0.6, self._names[index]), (1.0, around)))
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
    layout: Layout,
    sentence: int,
    kind: str,
    roles: Sequence[str],
    inside: dict[int, list[Place]],
) -> list[str]:
    """What holds for the claim, whatever the entity."""
    signs = layout.signs[sentence]
    methods = [i for i in inside if layout.entities[i].type.value == "method"]
    return [
        kind,
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


def _around(kind: str, signs: tuple[str, ...], places: Sequence[Place], role: str) -> set[str]:
    """Words before and after the mentions in the claim."""
    found = set()
    for place in places[:3]:
        b = ("^", "^", "^", "^", *signs[: place.position])[-4:]
        a = (*signs[place.position + 1 :], "$", "$", "$", "$")[:4]
        for base in (kind, f"{kind} {role}"):
            found |= {
                f"{base} -1 {b[3]}",
                f"{base} -2 {b[2]} {b[3]}",
                f"{base} -3 {b[1]} {b[2]} {b[3]}",
                f"{base} +1 {a[0]}",
                f"{base} +2 {a[0]} {a[1]}",
                f"{base} +3 {a[0]} {a[1]} {a[2]}",
                f"{base} -+ {b[3]} {a[0]}",
            }
        found |= {f"{kind} b {word}" for word in b} | {f"{kind} a {word}" for word in a}
        low = max(0, place.position - _MOST_WORDS // 2)
        left = signs[low : place.position]
        right = signs[place.position + 1 : place.position + 1 + _MOST_WORDS // 2]
        found |= {f"{kind} L {word}" for word in left} | {f"{kind} R {word}" for word in right}
        found |= {f"{kind} L {x} {y}" for x, y in pairwise(left[-12:])}
        found |= {f"{kind} R {x} {y}" for x, y in pairwise(right[:12])}
        found.add(f"{kind} at {min(place.position // 5, 6)} of {min(len(signs) // 10, 4)}")
    return found
