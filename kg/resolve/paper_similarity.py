"""Records that share no identifier, and are of one paper all the same: by title or abstract."""

from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np

from kg.resolve.compared_record import Folded
from kg.resolve.gathering import Ints, groups_of, hash64
from kg.resolve.record_likeness import alike_text, alike_title, same_title

_GENERIC_WORDS: Final = 3  # a title of fewer words names many papers: "Introduction", "Book review"
_COMMON: Final = 40  # records that share a title or a sentence before it tells nothing
COMPARED: Final = 2048  # pairs whose records are held at a time
_SENTENCE_WORDS: Final = 8  # a shorter sentence stands in many abstracts


@dataclass(frozen=True, slots=True, order=True)
class Pair:
    """Two records, by index, that are likely of one paper; a lower rank is surer."""

    rank: int
    order: tuple[str, str]  # digests of the two, so that the input's order does not matter
    first: int
    second: int
    reason: str


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
    """First author's family name and a part of the title, within a year."""
    if folded.family and folded.year is not None and folded.title:
        words = folded.title.split()
        # One of these is left where a letter is wrong, the end is cut off or a part is missing.
        longest = sorted(set(words), key=lambda w: (-len(w), w))[:2]
        left = (*longest, " ".join(words[:3]), " ".join(words[-3:]))
        for part in dict.fromkeys(left):
            for year in (folded.year, folded.year + 1):
                yield f"{folded.family} {part} {year}"


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


_JUDGES: Final = (same_title, alike_title, alike_text)
