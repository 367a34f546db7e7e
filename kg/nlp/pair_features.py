"""What an abstract shows of how two of its entities relate."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from kg.nlp.layout import Layout, Place, normal
from kg.nlp.linear import Groups, Hashes, hashed

# (head, tail) types that each relation may join.
JOINS: Final[dict[str, frozenset[tuple[str, str]]]] = {
    "EXTENDS": frozenset({("method", "method"), ("dataset", "dataset")}),
    "USES": frozenset({("method", "method")}),
    "OUTPERFORMS": frozenset({("method", "method")}),
    "EVALUATED_ON": frozenset({("method", "dataset")}),
    "PART_OF": frozenset({("dataset", "dataset"), ("method", "method")}),
    "ADDRESSES": frozenset({("method", "task"), ("dataset", "task")}),
}
JOINED: Final = frozenset.union(*JOINS.values())

_MOST_BETWEEN = 24  # words between two mentions that are looked at


class Nearest(NamedTuple):
    """The two mentions of a pair that stand closest, and how many sentences hold both."""

    head: Place
    tail: Place
    shared: int


def pairs(layout: Layout) -> list[tuple[int, int]]:
    """Return every (head, tail) whose types a relation may join."""
    types = [entity.type.value for entity in layout.entities]
    return [
        (head, tail)
        for head, one in enumerate(types)
        for tail, other in enumerate(types)
        if head != tail and (one, other) in JOINED
    ]


def outline(layout: Layout, head: int, tail: int, roles: Sequence[str]) -> str:
    """Return the coarsest view of a pair: types, roles, and whether a sentence holds both."""
    return outlines(layout, ((head, tail),), roles)[0]


def outlines(layout: Layout, chosen: Iterable[tuple[int, int]], roles: Sequence[str]) -> list[str]:
    """Return the outline of each pair."""
    sides = [f"{e.type.value} {role}" for e, role in zip(layout.entities, roles, strict=True)]
    homes = [{place.sentence for place in places} for places in layout.of_entity]
    found = []
    for head, tail in chosen:
        one, other = homes[head], homes[tail]
        if one.isdisjoint(other):
            apart = min((abs(a - b) for a in one for b in other), default=9)
        else:
            apart = 0
        found.append(f"{sides[head]} {sides[tail]} {min(apart, 3)}")
    return found


def nearest(layout: Layout, head: int, tail: int) -> Nearest | None:
    """Return the closest mentions of two entities; None if one stands nowhere."""
    heads, tails = layout.of_entity[head], layout.of_entity[tail]
    if len(heads) == len(tails) == 1:
        return Nearest(heads[0], tails[0], int(heads[0].sentence == tails[0].sentence))
    best: tuple[int, int, Place, Place] | None = None
    shared = set()
    for one in heads:
        for other in tails:
            apart = abs(one.sentence - other.sentence)
            if not apart:
                shared.add(one.sentence)
            key = (apart, abs(one.position - other.position))
            if best is None or key < best[:2]:
                best = (*key, one, other)
    return None if best is None else Nearest(best[2], best[3], len(shared))


def pair_features(
    layout: Layout, chosen: Sequence[tuple[int, int]], roles: Sequence[str]
) -> list[Groups]:
    """Return the features of every chosen pair.

    Args:
        layout: the text.
        chosen: heads and tails.
        roles: of each entity.
    """
    seen = _Seen(layout, roles)
    return [_features(seen, head, tail) for head, tail in chosen]


class _Seen:
    """What is asked of the entities of a text for every pair, made once."""

    def __init__(self, layout: Layout, roles: Sequence[str]) -> None:
        self.layout = layout
        self.roles = roles
        self.types = [entity.type.value for entity in layout.entities]
        every = range(len(layout.entities))
        self._names = [_name(layout, index) for index in every]
        self._frames = [_frame(layout, index, roles[index]) for index in every]
        forms = [{form.lower() for form in entity.surfaces} for entity in layout.entities]
        self.forms = forms
        self.last_words = [{tuple(form.split()[-1:]) for form in own} for own in forms]
        self.beginnings = [{form[:4] for form in own} for own in forms]
        self._told: dict[tuple[str, str, int], tuple[Hashes, Hashes]] = {}
        self._near: dict[tuple[str, str, Place], Hashes] = {}

    def told(self, side: str, joint: str, index: int) -> tuple[Hashes, Hashes]:
        """Return frame and name of an entity as one side of a pair of types."""
        found = self._told.get((side, joint, index))
        if found is None:
            found = self._told[side, joint, index] = (
                hashed(f"{side} {joint} {name}" for name in self._frames[index]),
                hashed(f"{side} {joint} {name}" for name in self._names[index]),
            )
        return found

    def near(self, side: str, joint: str, place: Place) -> Hashes:
        """Return the words around one side of a pair of types."""
        found = self._near.get((side, joint, place))
        if found is None:
            found = self._near[side, joint, place] = hashed(
                _beside(self.layout.signs[place.sentence], place.position, f"{joint} far {side}")
            )
        return found


def _features(seen: _Seen, head: int, tail: int) -> Groups:
    layout, roles = seen.layout, seen.roles
    joint = f"{seen.types[head]}>{seen.types[tail]}"
    acting = f"{joint} {roles[head]} {roles[tail]}"
    near = nearest(layout, head, tail)
    if near is None:
        return ((1.0, [f"{acting} nowhere"]),)
    apart = near.tail.sentence - near.head.sentence
    named = f"{layout.entities[head].named} {layout.entities[tail].named}"
    frame_of_head, words_of_head = seen.told("h", joint, head)
    frame_of_tail, words_of_tail = seen.told("t", joint, tail)
    frame = hashed(
        (
            acting,
            joint,
            f"{acting} apart {max(-3, min(apart, 3))}",
            f"{acting} shared {min(near.shared, 3)}",
            f"{joint} named {named} {near.shared > 0}",
            *_strings(seen, head, tail, joint),
        )
    )
    frame += frame_of_head
    frame += frame_of_tail
    words = Hashes(words_of_head + words_of_tail)
    if apart:
        around = Hashes(seen.near("h", joint, near.head) + seen.near("t", joint, near.tail))
        return ((1.5, frame), (0.7, words), (1.0, around))
    between, context = _between(layout, near, joint, acting)
    return ((1.5, frame), (0.7, words), (1.2, between), (0.8, context))


def _between(layout: Layout, near: Nearest, joint: str, acting: str) -> tuple[set[str], set[str]]:
    """Words between two mentions of one sentence, and around them."""
    signs = layout.signs[near.head.sentence]
    forward = near.head.position < near.tail.position
    way = f"{joint} {'>' if forward else '<'}"
    first, last = sorted((near.head.position, near.tail.position))
    middle = signs[first + 1 : last]
    gap = len(middle)
    middle = middle if gap <= _MOST_BETWEEN else (*middle[:12], "...", *middle[-12:])
    marks = [sign for sign in middle if sign.startswith("<") and len(sign) > 2]
    length = min(gap, 4) if gap < 4 else min(4 + gap // 4, 12)
    found = {f"{way} long {length}", f"{way} between {min(len(marks), 4)}", f"{way} {acting}"}
    found |= {f"{way} m {word}" for word in middle}
    bounded = ("[", *middle, "]")
    found |= {f"{way} m {a} {b}" for a, b in pairwise(bounded)}
    found |= {
        f"{way} m {a} {b} {c}" for a, b, c in zip(bounded, bounded[1:], bounded[2:], strict=False)
    }
    if gap <= 5:
        found.add(f"{way} all {' '.join(middle)}")
        found.add(f"{acting} {forward} all {' '.join(middle)}")
    before = ("^", "^", "^", *signs[:first])[-4:]
    after = (*signs[last + 1 :], "$", "$", "$")[:4]
    context = {
        f"{way} b {before[-2]} {before[-1]}",
        f"{way} b {before[-3]} {before[-2]} {before[-1]}",
        f"{way} a {after[0]} {after[1]}",
        f"{way} a {after[0]} {after[1]} {after[2]}",
        f"{way} b1 {before[-1]}",
        f"{way} a1 {after[0]}",
        f"{way} ba {before[-1]} {after[0]}",
        f"{way} start {' '.join(signs[:2])}",
    }
    return found, context


def _beside(signs: Sequence[str], position: int, way: str) -> set[str]:
    """Words around a mention whose other side stands in another sentence."""
    before = ("^", "^", *signs[:position])[-3:]
    after = (*signs[position + 1 :], "$", "$")[:3]
    return {
        f"{way} b {before[-2]} {before[-1]}",
        f"{way} b {before[-1]}",
        f"{way} a {after[0]} {after[1]}",
        f"{way} a {after[0]}",
        f"{way} start {' '.join(signs[:2])}",
    }


def _name(layout: Layout, index: int) -> list[str]:
    words = [normal(word) for word in layout.entities[index].name.split()] or [""]
    return [f"name {' '.join(words)}", *(f"w {word}" for word in sorted(set(words)))]


def _frame(layout: Layout, index: int, role: str) -> list[str]:
    """Where an entity stands, and whether it is the only one of its kind and role."""
    entity = layout.entities[index]
    places = layout.of_entity[index]
    if not places:
        return [f"{role} nowhere"]
    peers = [other for other in layout.entities if other.type is entity.type]
    earlier = sum(
        layout.of_entity[i][0] < places[0] if layout.of_entity[i] else False
        for i, other in enumerate(layout.entities)
        if other.type is entity.type
    )
    count = len(layout.sentences)
    return [
        f"{role} times {min(len(places), 3)}",
        f"{role} first {4 * places[0].sentence // count}",
        f"{role} last {4 * places[-1].sentence // count}",
        f"{role} peers {min(len(peers), 6)}",
        f"{role} order {min(earlier, 3)}",
        f"{role} named {entity.named}",
    ]


def _strings(seen: _Seen, head: int, tail: int, joint: str) -> list[str]:
    """How the names themselves relate: GRPO in TW-GRPO, CIFAR in CIFAR-10."""
    found = []
    one, other = seen.forms[head], seen.forms[tail]
    if any(b in a for a in one for b in other):
        found.append(f"{joint} head holds tail")
    if any(a in b for a in one for b in other):
        found.append(f"{joint} tail holds head")
    if not seen.last_words[head].isdisjoint(seen.last_words[tail]):
        found.append(f"{joint} same last word")
    if not seen.beginnings[head].isdisjoint(seen.beginnings[tail]):
        found.append(f"{joint} same beginning")
    return found
