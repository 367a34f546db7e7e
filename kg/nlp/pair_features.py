"""What an abstract shows of how two of its entities relate."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain
from typing import Final, NamedTuple

import numpy as np

from kg.nlp.grams import Grams, several, together
from kg.nlp.hashing import Ints, Prefixes, Strings, hashed, strings
from kg.nlp.layout import Layout, Place, normal
from kg.nlp.linear import Packed, Rows

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

JOINTS: Final = tuple(sorted(f"{head}>{tail}" for head, tail in JOINED))

_MOST_CACHED: Final = 20_000  # pairs
_MOST_BETWEEN: Final = 24  # words between two mentions that are looked at
_MOST_SIDE: Final = 12  # of them, where there are more: the first and the last

# Where the pair stands; the names; the words beside mentions of different sentences; the words
# between mentions of one; the words around those; a pair of which one stands nowhere.
_WEIGHTS: Final = (1.5, 0.7, 1.0, 1.2, 0.8, 1.0)
_FRAME, _WORDS, _AROUND, _BETWEEN, _CONTEXT, _NOWHERE = range(6)
_MARKS: Final = ("[", "]", "...")
_SPACE: Final = Prefixes([" "])
_SEEN: Final = ("m", "b", "a", "b1", "a1", "ba", "start")
_M, _B, _A, _B1, _A1, _BA, _START = range(len(_SEEN))
_WAYS: Final = Prefixes([f"{j} {way} {what} " for j in JOINTS for way in "<>" for what in _SEEN])
_SEEN_FAR: Final = ("b", "a", "start")
_FAR_B, _FAR_A, _FAR_START = range(len(_SEEN_FAR))
_FAR: Final = Prefixes(
    [f"{j} far {side} {what} " for j in JOINTS for side in "ht" for what in _SEEN_FAR]
)


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


def closest(layout: Layout, chosen: Iterable[tuple[int, int]]) -> list[Nearest | None]:
    """Return the closest mentions of each pair."""
    return [nearest(layout, head, tail) for head, tail in chosen]


class Pairs(NamedTuple):
    """A text with the pairs that are looked at.

    Attributes:
        layout: the text.
        chosen: heads and tails.
        near: the closest mentions of each.
        roles: of each entity.
    """

    layout: Layout
    chosen: Sequence[tuple[int, int]]
    near: Sequence[Nearest | None]
    roles: Sequence[str]


def pair_features(texts: Sequence[Pairs]) -> Packed:
    """Return the features of every chosen pair, one text after the other."""
    grams, firsts = together([text.layout.signs for text in texts])
    found = Rows(sum(len(text.chosen) for text in texts), _WEIGHTS)
    pairs_: list[_Placed] = []
    row = 0
    for (layout, chosen, near, roles), first in zip(texts, firsts, strict=True):
        seen = _Seen(layout, roles)
        for (head, tail), one in zip(chosen, near, strict=True):
            joint = f"{seen.types[head]}>{seen.types[tail]}"
            acting = f"{joint} {roles[head]} {roles[tail]}"
            if one is None:
                found.name(_NOWHERE, row, hashed((f"{acting} nowhere",)))
            else:
                _name_frame(found, seen, row, head, tail, one, joint, acting)
                if one.head.sentence == one.tail.sentence:
                    names = _about_between(layout, one, joint, acting)
                    found.name(_BETWEEN, row, hashed(names))
                pairs_.append(
                    (row, JOINTS.index(joint), first + one.head.sentence, one.head.position,
                     first + one.tail.sentence, one.tail.position)
                )  # fmt: skip
            row += 1
    if pairs_:
        placed = np.array(pairs_)
        same = placed[:, 2] == placed[:, 4]
        _between(found, grams, placed[same])
        _beside(found, grams, placed[~same])
    return found.packed()


# Row, index into JOINTS, sentence and position of the head and of the tail.
_Placed = tuple[int, int, int, int, int, int]


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
        self._told: dict[tuple[str, str, int], tuple[list[int], list[int]]] = {}

    def told(self, side: str, joint: str, index: int) -> tuple[list[int], list[int]]:
        """Return frame and name of an entity as one side of a pair of types."""
        found = self._told.get((side, joint, index))
        if found is None:
            found = self._told[side, joint, index] = (
                hashed(f"{side} {joint} {name}" for name in self._frames[index]),
                hashed(f"{side} {joint} {name}" for name in self._names[index]),
            )
        return found


def _name_frame(
    found: Rows, seen: _Seen, row: int, head: int, tail: int, near: Nearest, joint: str, acting: str
) -> None:
    """Add what holds for a pair wherever it stands."""
    entities = seen.layout.entities
    apart = near.tail.sentence - near.head.sentence
    named = f"{entities[head].named} {entities[tail].named}"
    frame = _frame_of_pair(joint, acting, max(-3, min(apart, 3)), min(near.shared, 3), named)
    frame_of_head, words_of_head = seen.told("h", joint, head)
    frame_of_tail, words_of_tail = seen.told("t", joint, tail)
    strings_ = hashed(_strings(seen, head, tail, joint))
    found.name(_FRAME, row, [*frame, *strings_, *frame_of_head, *frame_of_tail])
    found.name(_WORDS, row, words_of_head + words_of_tail)


@lru_cache(maxsize=_MOST_CACHED)
def _frame_of_pair(joint: str, acting: str, apart: int, shared: int, named: str) -> tuple[int, ...]:
    """Types and roles, how many sentences lie between, and how many hold both."""
    return tuple(
        hashed(
            (
                acting,
                joint,
                f"{acting} apart {apart}",
                f"{acting} shared {shared}",
                f"{joint} named {named} {shared > 0}",
            )
        )
    )


def _about_between(layout: Layout, near: Nearest, joint: str, acting: str) -> list[str]:
    """How many words stand between two mentions of one sentence; all of them if they are few."""
    forward = near.head.position < near.tail.position
    way = f"{joint} {'>' if forward else '<'}"
    first, last = sorted((near.head.position, near.tail.position))
    middle = layout.signs[near.head.sentence][first + 1 : last]
    gap = len(middle)
    if gap > _MOST_BETWEEN:
        middle = (*middle[:_MOST_SIDE], *middle[-_MOST_SIDE:])
    marks = sum(sign[0] == "<" and len(sign) > 2 for sign in middle)
    length = min(gap, 4) if gap < 4 else min(4 + gap // 4, 12)
    found = [f"{way} long {length}", f"{way} between {min(marks, 4)}", f"{way} {acting}"]
    if gap <= 5:
        words = " ".join(middle)
        found += [f"{way} all {words}", f"{acting} {forward} all {words}"]
    return found


def _between(found: Rows, grams: Grams, placed: Ints) -> None:
    """Add the words between two mentions of one sentence, and around them."""
    if not len(placed):
        return
    rows, joints, homes, heads, _, tails = placed.T
    ways = (2 * joints + (heads < tails)) * len(_SEEN)
    firsts = np.minimum(heads, tails) + grams.starts[homes]
    lasts = np.maximum(heads, tails) + grams.starts[homes]
    _middle(found, grams, rows, ways, firsts, lasts)
    before, after = grams.ones.at(firsts - 1), grams.ones.at(lasts + 1)
    for what, several_ in (
        (_B, grams.twos.at(firsts - 2)),
        (_B, grams.threes.at(firsts - 3)),
        (_A, grams.twos.at(lasts + 1)),
        (_A, grams.threes.at(lasts + 1)),
        (_B1, before),
        (_A1, after),
        (_BA, before + _SPACE.whole(0, after)),
        (_START, grams.begins.at(homes)),
    ):
        found.add(_CONTEXT, rows, _WAYS(ways + what, several_))


def _middle(found: Rows, grams: Grams, rows: Ints, ways: Ints, firsts: Ints, lasts: Ints) -> None:
    """Add the words between mentions, their pairs and triples with a sign at both ends."""
    count = len(grams.ones.sizes)
    begins, ends, gap = range(count, count + len(_MARKS))
    lines = []
    for first, last in zip(firsts.tolist(), lasts.tolist(), strict=True):
        if last - first - 1 <= _MOST_BETWEEN:
            lines.append([begins, *range(first + 1, last), ends])
        else:
            one = range(first + 1, first + 1 + _MOST_SIDE)
            lines.append([begins, *one, gap, *range(last - _MOST_SIDE, last), ends])
    marks = strings(_MARKS)
    known = Strings(
        np.concatenate((grams.ones.hashes, marks.hashes)),
        np.concatenate((grams.ones.sizes, marks.sizes)),
    )
    at = np.array([*chain.from_iterable(lines)])
    owner = np.repeat(np.arange(len(lines)), [len(line) for line in lines])
    ones = known.at(at)
    twos, threes = several(ones)
    word = (at != begins) & (at != ends)
    edge = np.full(2, -1)
    pair = owner == np.append(owner[1:], edge[:1])
    triple = owner == np.append(owner[2:], edge)
    for words, whole in ((ones, word), (twos, pair), (threes, triple)):
        own = owner[whole]
        found.add(_BETWEEN, rows[own], _WAYS(ways[own] + _M, words.at(np.flatnonzero(whole))))


def _beside(found: Rows, grams: Grams, placed: Ints) -> None:
    """Add the words around mentions of which the other side stands in another sentence."""
    rows, joints = placed[:, 0], placed[:, 1]
    for side, (home, position) in enumerate((placed[:, 2:4].T, placed[:, 4:6].T)):
        at = grams.starts[home] + position
        ways = (2 * joints + side) * len(_SEEN_FAR)
        for what, words in (
            (_FAR_B, grams.twos.at(at - 2)),
            (_FAR_B, grams.ones.at(at - 1)),
            (_FAR_A, grams.twos.at(at + 1)),
            (_FAR_A, grams.ones.at(at + 1)),
            (_FAR_START, grams.begins.at(home)),
        ):
            found.add(_AROUND, rows, _FAR(ways + what, words))


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
