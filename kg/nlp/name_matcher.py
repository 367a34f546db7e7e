"""Find the names of a user's list in a text: whole words, the longest first, any number of names.

A name is looked up by its words, so a text costs the same whether a thousand names are known or a
million. Case counts where it tells a name from a word:

| the name | is found as |
| --- | --- |
| one word in capitals of at most five characters: SAM, T5 | written so |
| one word that only begins with a capital: Whisper | beginning with a capital |
| anything else: ImageNet, data augmentation | in any case |

White space may be any, and a hyphen between two words may be a space. A name may have an "s" more
than it has in the list.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from kg.nlp.folding import folded
from kg.nlp.scores import words

MOST_WORDS: Final = 24  # longer names are not looked for
_SHORT: Final = 5  # characters
_LEAST_PLURAL: Final = 3  # characters of a name that may get an s
_HYPHENS: Final = frozenset("-‐‑–")
_NO_NAME_AFTER: Final = frozenset("\\@")
_ANY, _INITIAL, _EXACT = range(3)


class NameMatch(NamedTuple):
    """Characters [start, end) of a text, and the things of the list that may be meant."""

    start: int
    end: int
    things: tuple[int, ...]


class NameMatcher:
    """The forms of many things, by their words."""

    def __init__(self, forms: Iterable[tuple[int, str]]) -> None:
        """Take forms, each with the number of the thing that it names."""
        # What case a form must have, and which thing it names; several only where forms agree.
        self._forms: dict[str, tuple[tuple[int, str, int], ...]] = {}
        self._lengths: dict[str, int] = {}  # first word -> a bit for each length in words
        for thing, form in forms:
            self._add(thing, " ".join(form.split()))

    def _add(self, thing: int, form: str) -> None:
        spans = words(form)
        fold = folded(form)
        parts = [fold[start:end] for start, end in _unhyphened(fold, spans)]
        if not parts or len(parts) > MOST_WORDS or not any(map(str.isalnum, form)):
            return
        key = " ".join(parts)
        case = _case(form, len(spans))
        entry = (case, form if case == _EXACT else "", thing)
        known = self._forms.get(key)
        self._forms[key] = (entry,) if known is None else (*known, entry)
        self._lengths[parts[0]] = self._lengths.get(parts[0], 0) | 1 << len(parts)

    def __len__(self) -> int:
        return len(self._forms)

    def matches(self, text: str, *, capitals: bool = False) -> list[NameMatch]:
        """Return the names in a text, without overlap, in text order.

        Args:
            text: as it was read.
            capitals: all of it is in capitals, so that these say nothing.
        """
        if not self._forms:
            return []
        fold = folded(text)
        spans = _unhyphened(fold, words(fold))
        parts = [fold[start:end] for start, end in spans]
        found = []
        for i, part in enumerate(parts):
            for stop, things in self._at(text, spans, parts, i, part, capitals):
                found.append(NameMatch(spans[i][0], stop, things))
        return _longest([one for one in found if _is_whole(text, one.start, one.end)])

    def _at(
        self,
        text: str,
        spans: Sequence[tuple[int, int]],
        parts: Sequence[str],
        i: int,
        part: str,
        capitals: bool,
    ) -> Iterator[tuple[int, tuple[int, ...]]]:
        """Yield the end and the things of every name that begins at word i."""
        lengths = self._lengths.get(part, 0)
        if part[-1] == "s" and len(part) > _LEAST_PLURAL:
            lengths |= self._lengths.get(part[:-1], 0) & 2
        while lengths:
            count = lengths.bit_length() - 1
            lengths ^= 1 << count
            if i + count > len(parts):
                continue
            key = " ".join(parts[i : i + count]) if count > 1 else part
            start, end = spans[i][0], spans[i + count - 1][1]
            things = self._meant(key, text[start:end], capitals)
            if not things and key[-1] == "s" and len(key) > _LEAST_PLURAL:
                things = self._meant(key[:-1], text[start : end - 1], capitals)
            if things:
                yield end, things

    def _meant(self, key: str, surface: str, capitals: bool) -> tuple[int, ...]:
        found = []
        for case, form, thing in self._forms.get(key, ()):
            if case == _EXACT:
                fits = surface == form and not capitals
            else:
                fits = case == _ANY or (surface[0].isupper() and not capitals)
            if fits and thing not in found:
                found.append(thing)
        return tuple(found)


def _case(form: str, count: int) -> int:
    """Say which case a form must be found in."""
    if count == 1 and form.isupper() and len(form) <= _SHORT:
        return _EXACT
    if count == 1 and form[0].isupper() and form[1:].islower():
        return _INITIAL
    return _ANY


def _unhyphened(fold: str, spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the words without the hyphens that stand right between two words."""
    return [
        span
        for span in spans
        if fold[span[0]] not in _HYPHENS
        or not (fold[span[0] - 1 : span[0]].isalnum() and fold[span[1] : span[1] + 1].isalnum())
    ]


def _is_whole(text: str, start: int, end: int) -> bool:
    """Say whether a match is a name by itself: no part of a longer one, of an address or a macro.

    "BERT" is one in "BERT-based", and none in "Sentence-BERT" and "BERT-2".
    """
    before, after = text[start - 1 : start] if start else "", text[end : end + 1]
    if before in _NO_NAME_AFTER:
        return False
    if before in _HYPHENS and start > 1 and text[start - 2].isalnum():
        return False
    if after in _HYPHENS:
        stop = end + 1
        while stop < len(text) and text[stop].isalnum():
            stop += 1
        rest = text[end + 1 : stop]
        if rest and not (rest.isalpha() and rest.islower()):
            return False
    first = max(text.rfind(" ", 0, start), text.rfind("\n", 0, start)) + 1
    chunk = text[first:start]
    return "://" not in chunk and not chunk.startswith("www.")


def _longest(found: list[NameMatch]) -> list[NameMatch]:
    """Return the longest names, of equally long ones the earlier, without overlap."""
    if len(found) < 2:
        return found
    taken = bytearray(max(one.end for one in found))
    kept = []
    for one in sorted(found, key=lambda match: (match.start - match.end, match.start)):
        if not any(taken[one.start : one.end]):
            taken[one.start : one.end] = b"\1" * (one.end - one.start)
            kept.append(one)
    return sorted(kept)
