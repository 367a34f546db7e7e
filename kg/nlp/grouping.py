"""Group the mentions of one text into entities: spelling variants, abbreviations, repetitions."""

import re
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Generic, TypeVar

from kg.nlp.abbreviations import Abbreviation
from kg.nlp.versions import numbers_in, without_numbers

_NOT_IN_KEY = re.compile(r"[\W_]+")
_MARKUP = re.compile(r"\\[a-zA-Z]+\s*\{|[{}$\\]")
_MOST_CACHED: Final = 20_000  # surfaces
_LEAST_PLURAL: Final = 4  # characters of a word that may lose its s


@dataclass(frozen=True, slots=True)
class SpanScore:
    """A stretch of characters that is an entity, as the rescorer sees it.

    Attributes:
        start: first character.
        end: character after the last.
        kind: type, an index into TYPES.
        confidence: that it is an entity of this type.
        named: probability that it is a proper name.
        role: log-probabilities of ROLES, None when nobody judged them.
    """

    start: int
    end: int
    kind: int
    confidence: float
    named: float
    role: tuple[float, ...] | None = None


@dataclass(frozen=True, slots=True)
class Group:
    """Mentions of one entity, in text order, and what they say together."""

    name: str
    kind: int
    mentions: tuple[SpanScore, ...]
    abbreviated: bool


@lru_cache(maxsize=_MOST_CACHED)
def variant_key(surface: str) -> str:
    r"""Return what spellings of one name share: no case, hyphens, spaces, markup or plural s.

    >>> variant_key("Score-Matching Losses") == variant_key("score matching loss")
    True
    >>> variant_key("\\textbf{GRPO}"), variant_key("CIFAR-10"), variant_key("Atari")
    ('grpo', 'cifar10', 'atari')
    """
    plain = _MARKUP.sub("", surface)
    key = _NOT_IN_KEY.sub("", plain.casefold())
    return _singular(key) or surface.casefold()


def group_mentions(
    text: str, mentions: Sequence[SpanScore], abbreviations: Sequence[Abbreviation]
) -> list[Group]:
    """Return the entities of a text, in the order of their first mentions.

    Mentions are one entity when they are variants of one spelling, or when the text introduces
    one as the abbreviation of the other. The type is that of most of their confidence.
    """
    keys = [variant_key(text[m.start : m.end]) for m in mentions]
    joined = _Joined(keys)
    shorts = set()
    for long, short in _pairs(text, abbreviations):
        if long in joined and short in joined and long != short:
            joined.join(short, long)
            shorts.add(short)
    members: dict[str, list[int]] = defaultdict(list)
    for i, key in enumerate(keys):
        members[joined.root(key)].append(i)
    groups = []
    for rows in members.values():
        own = sorted((mentions[i] for i in rows), key=lambda m: (m.start, m.end))
        own_keys = {keys[i] for i in rows}
        name = best_name([text[m.start : m.end] for m in own], own_keys & shorts)
        groups.append(_group(name, own, abbreviated=bool(own_keys & shorts)))
    return _in_order(groups)


def join_groups(
    text: str, groups: Sequence[Group], pairs: Iterable[tuple[int, int]]
) -> list[Group]:
    """Return the entities with those of each pair made one, in the order of first mentions.

    A pair that would make two versions one is left apart: CIFAR-10 is not CIFAR-100, whatever
    else is joined to both, nor is a name the same name with a number. The name is that of an
    abbreviation, else that of a coined word such as VeLU, else that of most mentions.
    """
    joined = _Joined(range(len(groups)))
    surfaces = [{text[m.start : m.end] for m in group.mentions} for group in groups]
    for one, other in pairs:
        first, second = joined.root(one), joined.root(other)
        if first != second and not _are_versions(surfaces[first], surfaces[second]):
            joined.join(second, first)
            surfaces[first] |= surfaces[second]
    members: dict[int, list[Group]] = defaultdict(list)
    for number, group in enumerate(groups):
        members[joined.root(number)].append(group)
    return _in_order(
        own[0]
        if len(own) == 1
        else _group(
            max(own, key=_recognisable).name,
            sorted((m for group in own for m in group.mentions), key=lambda m: (m.start, m.end)),
            abbreviated=any(group.abbreviated for group in own),
        )
        for own in members.values()
    )


def _are_versions(one: set[str], other: set[str]) -> bool:
    """Say whether two sets of surface forms are told apart by their numbers.

    >>> _are_versions({"Llama-2"}, {"Llama-3"}), _are_versions({"ViT"}, {"ViT 2"})
    (True, True)
    >>> _are_versions({"ResNet50"}, {"50-layer residual network"}), _are_versions({"2PL"}, {"logistic"})
    (False, False)
    """
    mine, theirs = (
        {(variant_key(without_numbers(form)), numbers_in(form)) for form in own}
        for own in (one, other)
    )
    both = {n for _, n in mine if n}, {n for _, n in theirs if n}
    if both[0] and both[1]:
        return both[0].isdisjoint(both[1])
    return any(a == b and m != n for a, m in mine for b, n in theirs)


def _recognisable(group: Group) -> tuple[bool, bool, int]:
    coined = " " not in group.name and sum(map(str.isupper, group.name)) > 1
    return group.abbreviated, coined, len(group.mentions)


def _group(name: str, mentions: Sequence[SpanScore], *, abbreviated: bool) -> Group:
    """Return an entity of the type that has most of its mentions' confidence."""
    weights: dict[int, float] = defaultdict(float)
    for mention in mentions:
        weights[mention.kind] += mention.confidence
    kind = max(sorted(weights), key=weights.__getitem__)
    return Group(name=name, kind=kind, mentions=tuple(mentions), abbreviated=abbreviated)


def _in_order(groups: Iterable[Group]) -> list[Group]:
    return sorted(groups, key=lambda group: (group.mentions[0].start, group.mentions[0].end))


def best_name(surfaces: Sequence[str], short_keys: Iterable[str] = ()) -> str:
    """Return the most recognisable surface form.

    That is the abbreviation if the text makes one, else the form that is used most, and of
    equally used ones the first.

    Args:
        surfaces: of every mention, in text order.
        short_keys: variant_key of forms that abbreviate others.

    >>> best_name(["Token-Weighted GRPO", "TW-GRPO"], {"twgrpo"})
    'TW-GRPO'
    >>> best_name(["LLM", "LLMs", "LLMs"])
    'LLMs'
    """
    short_keys = set(short_keys)
    shorts = [s for s in surfaces if variant_key(s) in short_keys]
    counts = Counter(shorts or surfaces)
    return max(counts, key=lambda surface: counts[surface])


def spread(
    text: str, words: Sequence[tuple[int, int]], mentions: Sequence[SpanScore], longest: int
) -> list[SpanScore]:
    """Return the mentions and every other occurrence of the same characters as whole words.

    What a text names once it names again in the same words. An occurrence that shares characters
    with a mention is left alone: it is part of a longer name there.

    Args:
        text: as read.
        words: of the text.
        mentions: without overlap.
        longest: words in an occurrence, at most.
    """
    best: dict[str, SpanScore] = {}
    for mention in mentions:
        surface = text[mention.start : mention.end]
        if surface not in best or best[surface].confidence < mention.confidence:
            best[surface] = mention
    firsts = {surface[: _first_word(surface)] for surface in best}
    taken = bytearray(len(text))
    for mention in mentions:
        taken[mention.start : mention.end] = b"\1" * (mention.end - mention.start)
    found = list(mentions)
    for i, (start, end) in enumerate(words):
        if taken[start] or text[start:end] not in firsts:
            continue
        for j in range(min(len(words), i + longest), i, -1):
            stop = words[j - 1][1]
            known = best.get(text[start:stop])
            if known is not None and not any(taken[start:stop]):
                found.append(
                    SpanScore(start, stop, known.kind, known.confidence, known.named, known.role)
                )
                taken[start:stop] = b"\1" * (stop - start)
                break
    return sorted(found, key=lambda m: (m.start, m.end))


def _first_word(surface: str) -> int:
    match = re.match(r"\w+|[^\w\s]", surface)
    return match.end() if match else 0


def _pairs(text: str, abbreviations: Sequence[Abbreviation]) -> Iterable[tuple[str, str]]:
    """Yield (long, short) as keys; a short form keeps the first long form that it is given."""
    given: set[str] = set()
    for pair in abbreviations:
        long = variant_key(text[pair.long_start : pair.long_end])
        short = variant_key(text[pair.short_start : pair.short_end])
        if short not in given:
            given.add(short)
            yield long, short
            whole = text[pair.long_start : pair.short_end]
            if "(" in whole:
                # "large language models (LLMs)" as one mention is the same entity.
                yield long, variant_key(whole)


def _singular(key: str) -> str:
    if len(key) < _LEAST_PLURAL or not key.endswith("s") or key[-2] in "suia":
        return key
    if key.endswith("ies") and len(key) > _LEAST_PLURAL:
        return key[:-3] + "y"
    if key.endswith(("sses", "xes", "ches", "shes")):
        return key[:-2]
    return key[:-1]


_Key = TypeVar("_Key", bound=Hashable)


class _Joined(Generic[_Key]):
    """Sets of keys that are joined step by step."""

    def __init__(self, keys: Iterable[_Key]) -> None:
        self._over = {key: key for key in keys}

    def __contains__(self, key: _Key) -> bool:
        return key in self._over

    def root(self, key: _Key) -> _Key:
        while self._over[key] != key:
            self._over[key] = self._over[self._over[key]]
            key = self._over[key]
        return key

    def join(self, key: _Key, other: _Key) -> None:
        self._over[self.root(key)] = self.root(other)
