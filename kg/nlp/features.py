"""What the CRF sees of each word: the word, its neighbours, its shape, its place, known names."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final

from kg.nlp.abbreviations import Abbreviation
from kg.nlp.lexicon import GOLD, GOLD_SEEN, LISTS, KnownName, Row
from kg.nlp.scores import TYPES

_RUN = re.compile(r"(.)\1{2,}")
_SHAPES: Final = ((re.compile(r"[^\W\d_]"), "x"), (re.compile(r"\d"), "d"))
_CUES: Final = (
    ("D", re.compile(r"dataset|corpus|corpora|benchmark|database|treebank|suite|leaderboard")),
    ("M", re.compile(r"model|network|method|algorithm|approach|framework|architecture|layer|"
                     r"encoder|classifier|optimizer|loss|module|agent|system")),
    ("T", re.compile(r"task|problem")),
    ("E", re.compile(r"score|metric|accuracy|error|rate")),
)  # fmt: skip
_MOST_CACHED: Final = 100_000
REACH: Final = 3  # words on each side that a word sees

# Features of a word, by the step from which it is seen: -REACH, ..., 0, ..., +REACH.
Parts = tuple[list[str], ...]


def shape(word: str) -> str:
    """Return the word's shape: X, x and d for letters and digits, runs cut to two.

    >>> shape("RoBERTa2024")
    'XxXXxdd'
    """
    signs = "".join(
        "d" if c.isdigit() else "X" if c.isupper() else "x" if c.isalpha() else c for c in word
    )
    return _RUN.sub(r"\1\1", signs)


class WordFeatures:
    """Features of tokens."""

    def __init__(self, clusters: Mapping[str, Sequence[int]]) -> None:
        self._clusters = clusters

    def __call__(
        self,
        text: str,
        words: list[tuple[int, int]],
        sentences: Sequence[tuple[int, int]],
        abbreviations: Sequence[Abbreviation],
        names: Sequence[KnownName],
    ) -> list[list[str]]:
        """Return the features of each word.

        Args:
            text: as it was read.
            words: of the text.
            sentences: of the text.
            abbreviations: of the text.
            names: known names in the text.
        """
        extras = self.extras(text, words, sentences, abbreviations, names)
        parts = [self.parts(text[a:b]) for a, b in words]
        middle = REACH
        found = []
        for i, extra in enumerate(extras):
            own = list(parts[i][middle])
            for step in range(-REACH, REACH + 1):
                if step and 0 <= i + step < len(parts):
                    own += parts[i + step][middle + step]
            found.append(own + extra)
        return found

    def extras(
        self,
        text: str,
        words: list[tuple[int, int]],
        sentences: Sequence[tuple[int, int]],
        abbreviations: Sequence[Abbreviation],
        names: Sequence[KnownName],
    ) -> list[list[str]]:
        """Return the features of each word that depend on more than the word.

        The features of word i are the part at step s of each word i + s, and the extras of word i.
        """
        forms = [text[a:b] for a, b in words]
        lower = list(map(str.lower, forms))
        extras = _neighbours(words, lower)
        _mark_places(extras, words, sentences)
        _mark_repeats(extras, forms, lower)
        _mark_abbreviations(extras, text, words, abbreviations)
        _mark_names(extras, names)
        return extras

    def parts(self, form: str) -> Parts:
        """Return the features of a word as seen from -3, ..., +3 words away; its own at 3."""
        low, cut = form.lower()[:40], shape(form[:40])
        end = low[-3:]
        group = self._cluster(form)
        own = ["b", "w=" + low, "s=" + cut, "p3=" + low[:3], "x3=" + end, "x2=" + low[-2:]]
        own += ["x4=" + low[-4:], "p2=" + low[:2]]
        if any(sign.isupper() for sign in form[1:]):
            own.append("camel")
        own += [f"c{level}={number}" for level, number in enumerate(group)]

        def seen(step: int) -> list[str]:
            near = [f"w{step}={low}"]
            if abs(step) < 3:
                near += [f"s{step}={cut}", f"x{step}={end}"]
                near += [f"c{level}{step}={number}" for level, number in enumerate(group)]
            return near

        return seen(-3), seen(-2), seen(-1), own, seen(1), seen(2), seen(3)

    def _cluster(self, form: str) -> Sequence[int]:
        form = re.sub(r"\d", "0", form)
        found = self._clusters.get(form)
        return found if found is not None else self._clusters.get(form.lower(), ())


def _neighbours(words: list[tuple[int, int]], lower: list[str]) -> list[list[str]]:
    """Each word with the one before and the one behind, and whether they touch."""
    found: list[list[str]] = []
    before, until = "", -1
    for low, after, (start, end), (following, _) in zip(
        lower, [*lower[1:], ""], words, [*words[1:], (-1, -1)], strict=True
    ):
        own = [f"bg-={before}_{low}" if found else "first"]
        if following >= 0:
            own.append(f"bg+={low}_{after}")
            if end == following:
                own.append("g1")
        else:
            own.append("last")
        if start == until:
            own.append("g0")
        before, until = low, end
        found.append(own)
    return found


def _mark_places(
    found: list[list[str]],
    words: list[tuple[int, int]],
    sentences: Sequence[tuple[int, int]],
) -> None:
    starts = [start for start, _ in words]
    bounds = [bisect_left(starts, start) for start, _ in sentences[1:]]
    for at, (i, j) in enumerate(pairwise((0, *bounds, len(words)))):
        place = f"sp{4 * at // max(1, len(sentences))}"
        for own in found[i : i + 1] if i < j else ():
            own.append("ss")
        for own in found[i:j]:
            own.append(place)


@lru_cache(maxsize=_MOST_CACHED)
def _capitals(form: str) -> tuple[bool, bool]:
    """Say whether there is a capital, and whether there is one behind the first character."""
    inner = any(map(str.isupper, form[1:]))
    return inner or form[:1].isupper(), inner


@lru_cache(maxsize=_MOST_CACHED)
def _cues(low: str) -> tuple[str, ...]:
    """Return what a word says of the name before it."""
    return tuple(cue for cue, pattern in _CUES if pattern.match(low))


def _mark_repeats(found: list[list[str]], forms: list[str], lower: list[str]) -> None:
    """What stands behind a capitalised word anywhere in the text says what it is everywhere."""
    # Capitals without a small letter, as in formulas, are not ASCII.
    high = [
        i
        for i, (form, low) in enumerate(zip(forms, lower, strict=True))
        if form != low or not form.isascii()
    ]
    cues: dict[str, set[str]] = {}
    for i in high:
        if len(forms[i]) > 1 and _capitals(forms[i])[0]:
            for step, low in enumerate(lower[i + 1 : i + 4], 1):
                for cue in _cues(low):
                    cues.setdefault(forms[i], set()).add(f"dc={cue}{min(step, 2)}")
    counts = Counter(forms[i] for i in high)
    for i in high:
        form = forms[i]
        if form in cues:
            found[i] += sorted(cues[form])
        if _capitals(form)[1]:
            found[i].append(f"cnt{min(counts[form], 3)}")


def _mark_abbreviations(
    found: list[list[str]],
    text: str,
    words: list[tuple[int, int]],
    abbreviations: Sequence[Abbreviation],
) -> None:
    """A short form is known by its long form's last word, a long form by having a short form."""
    heads = {}
    for pair in abbreviations:
        long = text[pair.long_start : pair.long_end].split()
        if long:
            heads[text[pair.short_start : pair.short_end]] = long[-1].lower()
    if not heads:
        return
    for own, (start, end) in zip(found, words, strict=True):
        head = heads.get(text[start:end])
        if head:
            own += ["abbr", "abh=" + head, "abx=" + head[-4:]]
    spans = [(pair.long_start, pair.long_end) for pair in abbreviations]
    for own, (start, end) in zip(found, words, strict=True):
        for low, high in spans:
            if low <= start and end <= high:
                own.append("long=B" if low == start else "long=E" if end == high else "long=I")


def _mark_names(found: list[list[str]], names: Sequence[KnownName]) -> None:
    """Mark the longest known names of each source, from left to right."""
    longest: list[dict[int, tuple[int, str]]] = [{}, {}]
    for i, j, _, row in names:
        for source, label in enumerate(_labels(row)):
            if label and j > longest[source].get(i, (0, ""))[0]:
                longest[source][i] = (j, label)
    for source, prefix in enumerate(("gz", "li")):
        until = 0
        for i in sorted(longest[source]):
            j, label = longest[source][i]
            if i < until:
                continue
            until = j
            for k in range(i, j):
                found[k].append(f"{prefix}={'B' if k == i else 'I'}-{label}")
            found[j - 1].append(f"{prefix}end={label}")
            if i:
                found[i - 1].append(f"{prefix}+1={label}")
            if j < len(found):
                found[j].append(f"{prefix}-1={label}")


def _labels(row: Row) -> tuple[str, str]:
    """Return what the annotation and the lists say of a name; '' for nothing.

    The label tells the type and how sure it is. What a model reads in raw abstracts is left to
    the rescorer: the tagger is trained on texts that this model had learned by heart.
    """
    gold = row[GOLD]
    best = max(gold)
    said = ""
    if best:
        share = best / max(1, row[GOLD_SEEN])
        said = TYPES[gold.index(best)] + ("+" if best > 2 else "") + str(min(3, int(share * 4)))
    lists = row[LISTS]
    return said, "".join(kind[:2] for kind, count in zip(TYPES, lists, strict=True) if count)
