"""Which entities of one text are one thing under two names, as numbers for the trees that judge it.

A text says "NAR, a noise-adaptive regularization", "Audio large language models (Audio LLMs)" or
"convolutional network" and later "CNN". What spelling and plain abbreviations tell is joined
before (`kg.nlp.grouping`); here a pair is described by how its mentions stand to each other, by
what their words and letters share, and by what the text abbreviates.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from kg.nlp.abbreviations import Abbreviation
from kg.nlp.grouping import Group, join_groups, variant_key
from kg.nlp.scores import Floats
from kg.nlp.versions import numbers_in

_MOST: Final = 60  # entities of one text that are compared with each other
_LONGEST_GAP: Final = 30  # characters between two mentions that may name one thing
_WORD: Final = re.compile(r"[^\W_]+")
_SMALL: Final = frozenset("a an and as at by for from in into of on or the to via with".split())
_SENTENCE_END: Final = re.compile(r"[.!?]\s")
_STEM: Final = 5  # letters by which words are compared

# How two neighbouring mentions may stand to each other; the number is the feature.
_OPEN: Final = r"[\"'“‘]*(?:\\\w+\{)?"
_DASH: Final = r"(?:--?-?|–|—)"
_CALLED: Final = r"(?:called|named|dubbed|termed|denoted)(?: as| by)?"
_OR: Final = (
    rf"(?:or|i\.e\.,?|also known as|aka|abbreviated(?: as)?|short for|which stands for|{_CALLED})"
)
_BETWEEN: Final = tuple(
    re.compile(pattern)
    for pattern in (
        rf"[\s}}]*[(\[]\s?(?:{_OR} |the )?{_OPEN}",
        rf"[\s}}]*(?:,|{_DASH})? ?(?:which (?:is|we) |we )?(?:{_OR}|call|name) (?:the |an? )?{_OPEN}",
        rf"[\s}}]*(?:[:,]|{_DASH}) ?(?:an?|the|our) (?:\w+ )?",
        rf"[\s}}]*(?::|{_DASH}) ?",
        r"[\s}]*, ?",
        rf" \w+ ?[(\[]\s?{_OPEN}",
        rf" \w+,? {_CALLED} {_OPEN}",
        r" (?:and|or) (?:the )?",
    )
)
_CLOSED: Final = re.compile(r"[\"'”’}]*(?: for short| dataset| benchmark| method)?\s?[)\]]")
FEATURES: Final = 36

_Place = tuple[int, int, int]  # start and end of a mention, number of its entity


@dataclass(frozen=True, slots=True)
class _Form:
    """One surface form of an entity, taken apart once."""

    words: tuple[str, ...]  # lower case, without small words
    stems: frozenset[str]
    numbers: tuple[str, ...]  # sorted: GPT-4 is not GPT-3.5
    initials: str  # of all words, lower case
    letters: str  # and digits, lower case
    capitals: int


def _form(surface: str) -> _Form:
    every = _WORD.findall(surface)
    words = tuple(word.lower() for word in every if word.lower() not in _SMALL)
    return _Form(
        words=words,
        stems=frozenset(word[:_STEM] for word in words),
        numbers=numbers_in(surface),
        initials="".join(word[0] for word in every).lower(),
        letters="".join(every).lower(),
        capitals=sum(map(str.isupper, surface)),
    )


class Sameness:
    """Makes one of the entities of a text that are one thing under two names."""

    def __init__(self, judge: Callable[[Floats], Floats], threshold: float) -> None:
        """Take what judges pairs.

        Args:
            judge: probabilities (n,) of rows (n, FEATURES).
            threshold: least probability of a pair that is joined.
        """
        self._judge = judge
        self._threshold = threshold

    def __call__(
        self, text: str, groups: Sequence[Group], abbreviations: Sequence[Abbreviation]
    ) -> list[Group]:
        """Return the entities of a text, in the order of their first mentions."""
        pairs, rows = pairs_to_judge(text, groups, abbreviations)
        if not pairs:
            return list(groups)
        sure = self._judge(np.array(rows, np.float32)) >= self._threshold
        agreed = [pair for pair, yes in zip(pairs, sure, strict=True) if yes]
        return join_groups(text, groups, agreed)


def pairs_to_judge(
    text: str, groups: Sequence[Group], abbreviations: Sequence[Abbreviation]
) -> tuple[list[tuple[int, int]], list[list[float]]]:
    """Return pairs of entities that may be one thing, and FEATURES numbers of each.

    Args:
        text: as read.
        groups: its entities, in text order.
        abbreviations: that the text introduces.
    """
    groups = groups[:_MOST]
    forms = [
        [_form(surface) for surface in dict.fromkeys(text[m.start : m.end] for m in group.mentions)]
        for group in groups
    ]
    ends = [match.start() for match in _SENTENCE_END.finditer(text)]
    places = sorted((m.start, m.end, i) for i, group in enumerate(groups) for m in group.mentions)
    beside = _neighbours(text, places)
    tied = _tied(places, abbreviations)
    meant = _meanings(text, abbreviations)
    expanded = [
        {_expanded(text[m.start : m.end], meant) for m in group.mentions} for group in groups
    ]
    numbers = [frozenset(form.numbers for form in own) for own in forms]
    stems = [frozenset().union(*(form.stems for form in own)) for own in forms]
    shorts = [[form for form in own if _may_abbreviate(form)] for own in forms]
    pairs, rows = [], []
    for j in range(len(groups)):
        for i in range(j):
            near, link = beside.get((i, j)), tied.get((i, j), 0.0)
            if not near and not link and numbers[i].isdisjoint(numbers[j]):
                continue
            same = not expanded[i].isdisjoint(expanded[j])
            alike = not stems[i].isdisjoint(stems[j])
            abbreviates = _abbreviates(shorts[i], forms[j]) or _abbreviates(shorts[j], forms[i])
            if (
                near
                or link
                or same
                or (groups[i].kind == groups[j].kind and (alike or abbreviates))
            ):
                pairs.append((i, j))
                rows.append(
                    [
                        *_standing(ends, groups[i], groups[j], near),
                        link,
                        float(same),
                        *_letters(forms[i], forms[j]),
                        *_words(forms[i], forms[j]),
                    ]
                )
    return pairs, rows


def _standing(
    ends: Sequence[int], one: Group, other: Group, near: tuple[int, int, bool, bool] | None
) -> list[float]:
    """What the two are by themselves, and how neighbouring mentions stand: 15 numbers.

    Args:
        ends: where sentences end, sorted.
        one: the entity that is mentioned first.
        other: the other.
        near: what ``_neighbours`` says of the pair.
    """
    way, gap, closed, twice = near or (-1, 99, False, False)
    after = sum(m.start > other.mentions[0].end for m in one.mentions)
    return [
        float(one.kind == other.kind),
        float(one.kind),
        float(other.kind),
        float(way),
        float(gap),
        float(closed),
        float(twice),
        float(len(one.mentions)),
        float(len(other.mentions)),
        float(after),
        max(m.named for m in one.mentions),
        max(m.named for m in other.mentions),
        float(one.abbreviated),
        float(other.abbreviated),
        float(
            bisect_left(ends, other.mentions[0].start - 1) - bisect_left(ends, one.mentions[0].end)
        ),
    ]


def _neighbours(
    text: str, places: Sequence[_Place]
) -> dict[tuple[int, int], tuple[int, int, bool, bool]]:
    """Return of pairs with neighbouring mentions: way, gap, whether a bracket closes, repeats."""
    found: dict[tuple[int, int], tuple[int, int, bool, bool]] = {}
    for (_, end, i), (start, stop, j) in pairwise(places):
        gap = start - end
        if i == j or not 0 <= gap <= _LONGEST_GAP:
            continue
        between = text[end:start]
        way = next((n for n, way in enumerate(_BETWEEN) if way.fullmatch(between)), len(_BETWEEN))
        if way == len(_BETWEEN):
            continue
        pair = (min(i, j), max(i, j))
        if pair in found and found[pair][0] <= way:
            found[pair] = (*found[pair][:3], True)
            continue
        closed = bool(_CLOSED.match(text, stop))
        found[pair] = (way, gap if i < j else -gap, closed, pair in found)
    return found


def _tied(
    places: Sequence[_Place], abbreviations: Sequence[Abbreviation]
) -> dict[tuple[int, int], float]:
    """Return of pairs that an abbreviation ties the share of the long form that is the mention."""
    last = [end for _, end, _ in places]
    found: dict[tuple[int, int], float] = {}
    for tie in abbreviations:
        longs: dict[int, float] = {}
        for start, end, number in _overlapping(places, last, tie.long_start, tie.long_end):
            shared = min(end, tie.long_end) - max(start, tie.long_start)
            whole = max(end, tie.long_end) - min(start, tie.long_start)
            longs[number] = max(longs.get(number, 0.0), shared / whole)
        shorts = _overlapping(places, last, tie.short_start, tie.short_end)
        short = max((number for _, _, number in shorts), default=None)
        for number, share in longs.items():
            if short is not None and short != number:
                pair = (min(short, number), max(short, number))
                found[pair] = max(found.get(pair, 0.0), share)
    return found


def _overlapping(
    places: Sequence[_Place], ends: Sequence[int], start: int, stop: int
) -> Iterator[_Place]:
    """Yield the mentions, sorted and apart from each other, that share characters with a span."""
    for place in range(bisect_right(ends, start), len(places)):
        if places[place][0] >= stop:
            return
        yield places[place]


def _meanings(text: str, abbreviations: Sequence[Abbreviation]) -> dict[str, str]:
    """Return the long form of each abbreviation, both as variant_key."""
    found: dict[str, str] = {}
    for tie in abbreviations:
        short = variant_key(text[tie.short_start : tie.short_end])
        found.setdefault(short, variant_key(text[tie.long_start : tie.long_end]))
    return found


def _expanded(surface: str, meant: Mapping[str, str]) -> str:
    """Return a key in which abbreviations of the text are spelt out.

    >>> _expanded("Audio LLMs", {"llm": "largelanguagemodel"})
    'audiolargelanguagemodel'
    """
    return "".join(meant.get(key, key) for key in (variant_key(word) for word in surface.split()))


def _may_abbreviate(form: _Form) -> bool:
    return len(form.words) <= 2 and form.capitals >= 2 and 2 <= len(form.letters) <= 16


def _abbreviates(shorts: Sequence[_Form], longs: Sequence[_Form]) -> bool:
    """Whether a short form has the first letter of a longer one and most of its initials."""
    return any(
        len(long.initials) >= 2
        and len(long.words) > len(short.words)
        and short.letters[0] == long.initials[0]
        and _in_order(short.letters, long.initials) >= 2
        for short in shorts
        for long in longs
    )


def _in_order(letters: str, within: str) -> int:
    """Return how many of the letters are found one behind the other.

    >>> _in_order("nar", "noise adaptive regularization")
    3
    """
    at = count = 0
    for letter in letters:
        place = within.find(letter, at)
        if place >= 0:
            count += 1
            at = place + 1
    return count


def _letters(one: Sequence[_Form], other: Sequence[_Form]) -> list[float]:
    """How the one with fewer words may abbreviate the other: 9 numbers of the best two forms."""
    best: list[float] | None = None
    for a in one:
        for b in other:
            short, long = (a, b) if len(a.words) <= len(b.words) else (b, a)
            if not short.letters or not long.letters:
                continue
            plain = short.letters.removesuffix("s")
            row = [
                _in_order(plain, long.initials) / max(1, len(plain)),
                _in_order(long.initials, short.letters) / max(1, len(long.initials)),
                _in_order(plain, long.letters) / max(1, len(plain)),
                float(short.letters[0] == long.letters[0]),
                float(len(short.words)),
                float(len(long.words)),
                float(short.capitals),
                len(short.letters) / max(1, len(long.letters)),
                float(short is a),
            ]
            if best is None or row > best:
                best = row
    return best or [0.0] * 9


def _words(one: Sequence[_Form], other: Sequence[_Form]) -> list[float]:
    """What the words of the most alike forms share: 10 numbers."""
    best: list[float] | None = None
    for a in one:
        for b in other:
            if not a.words or not b.words:
                continue
            shared = len(a.stems & b.stems)
            row = [
                shared / max(1, len(a.stems | b.stems)),
                float(shared),
                float(a.words[0][:_STEM] == b.words[0][:_STEM]),
                float(a.words[-1][:_STEM] == b.words[-1][:_STEM]),
                float(a.stems <= b.stems),
                float(b.stems <= a.stems),
                float(a.words[-len(b.words) :] == b.words),
                float(b.words[-len(a.words) :] == a.words),
                float(len(a.words)),
                float(len(b.words)),
            ]
            if best is None or row > best:
                best = row
    return best or [0.0] * 10
