"""Records that share no identifier, and are of one paper all the same: by title or abstract."""

import re
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any, Final

import numpy as np
from rapidfuzz import fuzz

from kg.model.identity import digest, fold
from kg.resolve.gathering import Ints, groups_of, hash64

Row = Mapping[str, Any]

# A reply, an erratum or a second part is another paper, however alike the titles are.
_MARKS: Final = frozenset(
    "erratum errata corrigendum corrigenda correction corrections retraction retracted withdrawn reply"
    " response comment comments commentary addendum editorial rejoinder discussion review author authors".split()
)
_ROMAN: Final = re.compile(r"\b(?:[ivx]{1,4})\b")
_GENERIC_WORDS: Final = 3  # a title of fewer words names many papers: "Introduction", "Book review"
_LONG_TITLE: Final = 5  # words from which a title alone tells papers of unknown authors apart
_COMMON: Final = 40  # records that share a title or a sentence before it tells nothing
COMPARED: Final = 2048  # pairs whose records are held at a time
_SENTENCE_WORDS: Final = 8  # a shorter sentence stands in many abstracts
_TITLE_ALIKE: Final = 95.0
_TEXT_ALIKE: Final = 88.0
_YEARS: Final = 1
_YEARS_OF_PREPRINT: Final = 4  # from a preprint to its journal, where the abstract is the same


@dataclass(frozen=True, slots=True, order=True)
class Pair:
    """Two records, by index, that are likely of one paper; a lower rank is surer."""

    rank: int
    order: tuple[str, str]  # digests of the two, so that the input's order does not matter
    first: int
    second: int
    reason: str


class Folded:
    """What is compared of a record; of most records only a part is ever asked for."""

    def __init__(self, row: Row) -> None:
        self._row = row
        self.title = fold(row["title"])
        first = row["authors"][0] if row["authors"] else None
        name = fold(" ".join((first["given"], first["family"], first["name"]))) if first else ""
        family = fold(first["family"] or first["name"]).split()[-1:] if first else []
        self.family: str = family[0] if family else ""
        self.names = frozenset(n for n in name.split() if len(n) > 1)
        self.year: int | None = row["year"]

    @cached_property
    def digest(self) -> str:
        """A digest of what tells a record from others, for an order that the input does not set."""
        row = self._row
        place = (row["file"], str(row["line"]), str(row["ordinal"]))
        ids = (value or "" for _, value in sorted(row["ids"].items()))
        return digest(row["title"], row["text"], *place, *ids)

    @cached_property
    def numbers(self) -> tuple[str, ...]:
        """The numbers of the title, in order."""
        return tuple(w for w in self.title.split() if w.isdigit() or _ROMAN.fullmatch(w))

    @cached_property
    def marks(self) -> frozenset[str]:
        """Words of the title that make it another paper than one without them."""
        return frozenset(self.title.split()) & _MARKS

    @cached_property
    def sentences(self) -> tuple[str, ...]:
        """The sentences of the abstract."""
        parts = re.split(r"[.!?]\s+", self._row["text"])
        return tuple(sentence for part in parts if (sentence := fold(part)))

    @cached_property
    def text(self) -> str:
        """The abstract."""
        return " ".join(self.sentences)


class Blocks:
    """Records by what those of one paper share: a title, an author and a long word, a sentence.

    Only records of one block are compared, so the work grows with the records, not with their
    square. What blocks are told by is kept as hashes.
    """

    def __init__(self) -> None:
        self._kinds = tuple((array("Q"), array("q")) for _ in _JUDGES)
        self._size = 0

    def add(self, folded: Folded) -> None:
        """Put the next record into its blocks."""
        of_kinds = (_titles(folded), _authors(folded), _sentences(folded))
        for (keys, records), found in zip(self._kinds, of_kinds, strict=True):
            for key in found:
                keys.append(hash64(key))
                records.append(self._size)
        self._size += 1

    def similar_pairs(self, fold_records: Callable[[Ints], list[Folded]]) -> list[Pair]:
        """Return the pairs that title, authors, year and abstract say are of one paper.

        Args:
            fold_records: gives the records of ascending numbers, folded.
        """
        kinds = [self._pairs(*kind) for kind in self._kinds]
        every = np.unique(np.concatenate(kinds))
        shares = [np.isin(every, pairs, assume_unique=True) for pairs in kinds]
        found: list[Pair] = []
        for start in range(0, len(every), COMPARED):
            piece = slice(start, start + COMPARED)
            firsts, seconds = every[piece] // self._size, every[piece] % self._size
            wanted = np.unique(np.concatenate([firsts, seconds]))
            folded = dict(zip(wanted.tolist(), fold_records(wanted), strict=True))
            judged = zip(
                firsts.tolist(),
                seconds.tolist(),
                zip(*(kind[piece].tolist() for kind in shares), strict=True),
                strict=True,
            )
            for one, two, shared in judged:
                pair = _judge(one, two, folded[one], folded[two], shared)
                if pair is not None:
                    found.append(pair)
        return sorted(found)

    def _pairs(self, keys: "array[int]", records: "array[int]") -> Ints:
        """Every two records of one block, as one number each."""
        held = np.frombuffer(records, np.int64) if records else np.zeros(0, np.int64)
        order, bounds = groups_of(np.frombuffer(keys, np.uint64) if keys else held.view(np.uint64))
        starts, sizes = bounds[:-1], np.diff(bounds)
        members = held[order]
        found = [np.zeros(0, np.int64)]
        for size in range(2, _COMMON + 1):
            first = starts[sizes == size]
            for i, j in combinations(range(size), 2) if len(first) else ():
                found.append(members[first + i] * self._size + members[first + j])
        return np.unique(np.concatenate(found))


def _titles(folded: Folded) -> Iterator[str]:
    if len(folded.title.split()) >= _GENERIC_WORDS or len(folded.title) >= 20:
        yield folded.title


def _authors(folded: Folded) -> Iterator[str]:
    """First author's family name and a long word of the title, within a year."""
    if folded.family and folded.year is not None and folded.title:
        longest = sorted(set(folded.title.split()), key=lambda w: (-len(w), w))[:2]
        for word in longest:
            for year in (folded.year, folded.year + 1):
                yield f"{folded.family} {word} {year}"


def _sentences(folded: Folded) -> Iterator[str]:
    for sentence in dict.fromkeys(folded.sentences):
        if sentence.count(" ") + 1 >= _SENTENCE_WORDS:
            yield sentence


def _judge(
    one: int, two: int, first: Folded, second: Folded, shared: Sequence[bool]
) -> Pair | None:
    """Ask about what the two share, the surest first."""
    for judge, both in zip(_JUDGES, shared, strict=True):
        verdict = judge(first, second) if both else None
        if verdict is not None:
            rank, reason = verdict
            low, high = sorted((first.digest, second.digest))
            return Pair(rank, (low, high), one, two, reason)
    return None


def _same_title(one: Folded, two: Folded) -> tuple[int, str] | None:
    if one.title != two.title:
        return None  # only their hashes are one
    years = _years_agree(one, two, _YEARS)
    authors = _authors_agree(one, two)
    if years is False or authors is False:
        return None
    if years and authors:
        return 1, "the same title, first author and year within one"
    if authors and _alike(one, two):
        return 1, "the same title, first author and abstract"
    if authors and len(one.title.split()) >= _LONG_TITLE:
        return 2, "the same title and first author, one without a year"
    if _alike(one, two):
        return 2, "the same title and abstract"
    if years and len(one.title.split()) >= _LONG_TITLE:
        return 3, "the same title and year within one, one without authors"
    return None


def _alike_title(one: Folded, two: Folded) -> tuple[int, str] | None:
    if one.title == two.title or one.marks != two.marks or one.numbers != two.numbers:
        return None
    if not _years_agree(one, two, _YEARS) or not _authors_agree(one, two):
        return None
    if min(one.title.count(" "), two.title.count(" ")) + 1 < _LONG_TITLE:
        return None
    score = fuzz.ratio(one.title, two.title)
    if score >= _TITLE_ALIKE:
        return 4, f"the same first author and year within one, titles {score:.0f}% alike"
    return None


def _alike_text(one: Folded, two: Folded) -> tuple[int, str] | None:
    if one.marks != two.marks and one.title and two.title:
        return None
    if _authors_agree(one, two) is False:
        return None
    if _years_agree(one, two, _YEARS_OF_PREPRINT) is False:
        return None
    score = fuzz.ratio(one.text, two.text)
    if score < _TEXT_ALIKE:
        return None
    # A series repeats its abstract, but says its number in the title.
    if one.title and two.title and one.numbers != two.numbers and one.title != two.title:
        return None
    return 5, f"abstracts {score:.0f}% alike"


def _alike(one: Folded, two: Folded) -> bool:
    return bool(one.sentences and two.sentences) and fuzz.ratio(one.text, two.text) >= _TEXT_ALIKE


def _years_agree(one: Folded, two: Folded, within: int) -> bool | None:
    """Whether both years are known and near; None where one is unknown."""
    if one.year is None or two.year is None:
        return None
    return abs(one.year - two.year) <= within


def _authors_agree(one: Folded, two: Folded) -> bool | None:
    """Whether the first authors may be one; family and given names change places in exports."""
    if not one.names or not two.names:
        return None
    return one.family in two.names or two.family in one.names


_JUDGES: Final = (_same_title, _alike_title, _alike_text)
