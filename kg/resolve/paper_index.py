"""Papers by everything that a reference may say of them: identifiers, words of titles, authors."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import pyarrow as pa

from kg.model.identity import fold

_PIECE: Final = 8192
_GRAM: Final = 3  # words in a row that a title is found by
_COMMON: Final = 60  # papers that share three words in a row before they tell nothing
_SHORTEST: Final = 3  # words of a title that can be found in a printed line


@dataclass(frozen=True, slots=True)
class Known:
    """What is compared of a paper: folded title, folded family names, year, folded venue."""

    id: str
    title: str
    families: tuple[str, ...]
    names: frozenset[str]  # every folded word of the first author's name
    year: int | None
    venue: str


class PaperIndex:
    """Finds candidates for a reference; who is meant is judged elsewhere."""

    def __init__(self, papers: pa.Table) -> None:
        self.papers: list[Known] = []
        self._by_identifier: dict[str, set[int]] = defaultdict(set)
        self._by_key: dict[str, set[int]] = defaultdict(set)
        self._by_title: dict[str, list[int]] = defaultdict(list)
        self._by_gram: dict[str, list[int]] = defaultdict(list)
        self._by_author: dict[tuple[str, int], list[int]] = defaultdict(list)
        columns = ["id", "title", "title_made", "authors", "year", "venue", "identifiers", "keys"]
        for piece in papers.select(columns).to_batches(_PIECE):
            for row in piece.to_pylist():
                self._add(row)

    def _add(self, row: dict[str, Any]) -> None:
        number = len(self.papers)
        authors = row["authors"] or ()
        title = "" if row["title_made"] else fold(row["title"] or "")
        families = tuple(family_key(a["family"] or a["name"] or "") for a in authors)
        first = authors[0] if authors else {"family": "", "given": "", "name": ""}
        names = fold(" ".join((first["given"] or "", first["family"] or "", first["name"] or "")))
        known = Known(
            row["id"],
            title,
            tuple(f for f in families if f),
            frozenset(names.split()),
            row["year"],
            fold(row["venue"] or ""),
        )
        self.papers.append(known)
        for identifier in row["identifiers"]:
            self._by_identifier[identifier].add(number)
        for key in row["keys"] or ():
            self._by_key[key].add(number)
        words = title.split()
        if len(words) >= _SHORTEST:
            self._by_title[title].append(number)
            for gram in set(grams(words)):
                self._by_gram[gram].append(number)
        if known.year is not None and known.families:
            self._by_author[known.families[0], known.year].append(number)

    def with_identifiers(self, ids: dict[str, str]) -> dict[int, str]:
        """Papers that hold one of the identifiers, and the name of the one that they hold."""
        found: dict[int, str] = {}
        for name, value in ids.items():
            for number in sorted(self._by_identifier.get(f"{name}:{value}", ())):
                found.setdefault(number, name)
        return found

    def with_key(self, key: str) -> list[int]:
        """Papers that some file calls by a citation key."""
        return sorted(self._by_key.get(key, ()))

    def with_title(self, folded: str) -> list[int]:
        """Papers of exactly this folded title."""
        return self._by_title.get(folded, [])

    def in_line(self, words: Sequence[str]) -> list[int]:
        """Papers whose titles share the most rows of three words with a printed line, best first."""
        shared: dict[int, int] = defaultdict(int)
        for gram in set(grams(words)):
            holders = self._by_gram.get(gram, ())
            if len(holders) <= _COMMON:
                for number in holders:
                    shared[number] += 1
        return sorted(shared, key=lambda n: (-shared[n], n))[:8]

    def by_author(self, family: str, years: Iterable[int]) -> list[int]:
        """Papers whose first author has this folded family name, of these years."""
        return [n for year in years for n in self._by_author.get((family, year), ())]


def family_key(name: str) -> str:
    """Return what family names are compared by: the last folded word, without particles.

    >>> family_key("van der Maaten")
    'maaten'
    """
    words = fold(name).split()
    return words[-1] if words else ""


def grams(words: Sequence[str]) -> Iterator[str]:
    """Yield every row of three words, the whole where there are fewer."""
    if len(words) <= _GRAM:
        yield " ".join(words)
        return
    for start in range(len(words) - _GRAM + 1):
        yield " ".join(words[start : start + _GRAM])
