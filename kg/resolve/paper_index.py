"""Papers by everything that a reference may say of them: identifiers, words of titles, authors."""

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from kg.model.identity import fold
from kg.resolve.gathering import PIECE, Ints, hash64
from kg.resolve.paper_fields import SHARED

_GRAM: Final = 3  # words in a row that a title is found by
_COMMON: Final = 60  # papers that share three words in a row before they tell nothing
_SHORTEST: Final = 3  # words of a title that can be found in a printed line
_BEST: Final = 8
_RECENT: Final = 1 << 13


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
    """Finds candidates for a reference; who is meant is judged elsewhere.

    Papers are numbers, in the order of their table. What is compared of them is held as columns of
    folded strings, and what they are found by as hashes.
    """

    def __init__(self, papers: pa.Table) -> None:
        """Read columns of kg.resolve.papers.PAPERS."""
        self.ids: pa.Array = _flat(papers["id"])
        self._years: pa.ChunkedArray = papers["year"]
        self._identifiers = _Lists(papers["identifiers"])
        self._keys = _Lists(papers["keys"])
        self._folded: dict[str, list[pa.Array]] = {
            name: [pa.array([], pa.string())] for name in ("title", "families", "names", "venue")
        }
        self._titles, self._grams, self._authors = _Hashes(), _Hashes(), _Hashes()
        columns = ["title", "title_made", "authors", "year", "venue"]
        number = 0
        for batch in papers.select(columns).to_batches(PIECE):
            rows = [_folded(row) for row in batch.to_pylist()]
            for name, values in self._folded.items():
                values.append(pa.array([row[name] for row in rows], pa.string()))
            for row, year in zip(rows, batch["year"].to_pylist(), strict=True):
                self._add(number, row["title"], row["families"], year)
                number += 1
        self._columns = {n: pa.chunked_array(v).combine_chunks() for n, v in self._folded.items()}
        self._folded.clear()
        for hashes in (self._titles, self._grams, self._authors):
            hashes.sort()
        self.known = lru_cache(_RECENT)(self._known)

    def _add(self, number: int, title: str, families: str, year: int | None) -> None:
        words = title.split()
        if len(words) >= _SHORTEST:
            self._titles.add(title, number)
            for gram in set(grams(words)):
                self._grams.add(gram, number)
        if year is not None and families:
            self._authors.add(f"{families.partition(' ')[0]} {year}", number)

    def _known(self, number: int) -> Known:
        """Return what is compared of a paper."""
        title, families, names, venue = (
            str(self._columns[name][number]) for name in ("title", "families", "names", "venue")
        )
        return Known(
            str(self.ids[number]),
            title,
            tuple(families.split()),
            frozenset(names.split()),
            self._years[number].as_py(),
            venue,
        )

    def holders(self, name: str, values: pa.Array) -> tuple[Ints, npt.NDArray[np.bool_]]:
        """Find the papers that hold identifiers.

        Args:
            name: of the identifiers, such as doi.
            values: the identifiers.

        Returns:
            Per identifier the first paper that holds it, -1 for none, and whether others do, too.
        """
        held, owners, several = self._identifiers.starting(f"{name}:")
        wanted = pc.binary_join_element_wise(pa.scalar(f"{name}:"), values, "")
        places = pc.fill_null(pc.index_in(wanted, value_set=held), -1).to_numpy()
        if not len(owners):
            return np.full(len(values), -1, np.int64), np.zeros(len(values), bool)
        found = np.where(places >= 0, owners[places], -1).astype(np.int64)
        return found, (places >= 0) & several[places]

    def with_identifiers(self, ids: Mapping[str, str]) -> dict[int, str]:
        """Papers that hold one of the identifiers, and the name of the one that they hold."""
        found: dict[int, str] = {}
        for name in SHARED:
            if ids.get(name):
                for number in self._identifiers.owners(f"{name}:{ids[name]}"):
                    found.setdefault(number, name)
        return found

    def identifiers(self, number: int) -> list[str]:
        """What a paper is identified by, such as doi:10.1000/1."""
        return self._identifiers.of(number)

    def with_key(self, key: str) -> list[int]:
        """Papers that some file calls by a citation key."""
        return self._keys.owners(key)

    def with_title(self, folded: str) -> list[int]:
        """Papers of exactly this folded title."""
        return [n for n in self._titles.get(folded) if self.known(n).title == folded]

    def in_line(self, words: Sequence[str]) -> list[int]:
        """Papers whose titles share the most rows of three words with a printed line, best first."""
        numbers, shared = np.unique(
            self._grams.get_all(set(grams(words)), most=_COMMON), return_counts=True
        )
        best: list[int] = numbers[np.lexsort((numbers, -shared))[:_BEST]].tolist()
        return best

    def by_author(self, family: str, years: Iterable[int]) -> list[int]:
        """Papers whose first author has this folded family name, of these years."""
        found = (n for year in years for n in self._authors.get(f"{family} {year}"))
        return [n for n in found if self.known(n).families[:1] == (family,)]


class _Hashes:
    """Numbers by the hashes of texts."""

    def __init__(self) -> None:
        self._made = array("Q"), array("q")

    def add(self, text: str, number: int) -> None:
        self._made[0].append(hash64(text))
        self._made[1].append(number)

    def sort(self) -> None:
        """Be ready for questions: nothing is added any more."""
        keys, numbers = self._made
        held: Ints = np.array(numbers, np.int64)
        hashes = np.array(keys, np.uint64)
        order = np.argsort(hashes, kind="stable")
        self._keys, self._numbers = hashes[order], held[order]
        self._made = array("Q"), array("q")

    def get(self, text: str) -> list[int]:
        """Return the numbers of a text, ascending."""
        found: list[int] = self.get_all((text,)).tolist()
        return found

    def get_all(self, texts: Iterable[str], *, most: int | None = None) -> Ints:
        """Return the numbers of all texts; of those with more than `most`, none."""
        hashes = np.array([hash64(text) for text in texts], np.uint64)
        starts = np.searchsorted(self._keys, hashes, side="left")
        ends = np.searchsorted(self._keys, hashes, side="right")
        sizes = ends - starts
        at = np.flatnonzero((sizes > 0) if most is None else ((sizes > 0) & (sizes <= most)))
        found = [self._numbers[starts[i] : ends[i]] for i in at.tolist()]
        return np.concatenate(found) if found else self._numbers[:0]


class _Lists:
    """Which rows of a column of lists hold a string."""

    def __init__(self, lists: pa.ChunkedArray) -> None:
        whole = _flat(lists)
        self._values: pa.Array = pc.list_flatten(whole)
        parents = pc.list_parent_indices(whole)
        self._parents: Ints = parents.to_numpy(zero_copy_only=False).astype(np.int64)
        self._starting: dict[str, tuple[pa.Array, Ints, npt.NDArray[np.bool_]]] = {}

    def owners(self, value: str) -> list[int]:
        """Return the rows that hold a string, ascending."""
        held = pc.equal(self._values, pa.scalar(value, pa.string()))
        found = np.flatnonzero(held.to_numpy(zero_copy_only=False))
        return list(dict.fromkeys(self._parents[found].tolist()))

    def of(self, row: int) -> list[str]:
        """Return the strings of a row."""
        start, end = np.searchsorted(self._parents, [row, row + 1]).tolist()
        found: list[str] = self._values.slice(start, end - start).to_pylist()
        return found

    def starting(self, prefix: str) -> tuple[pa.Array, Ints, npt.NDArray[np.bool_]]:
        """Return the strings that start so, the row of each, and whether others hold it, too."""
        if prefix not in self._starting:
            mask = pc.starts_with(self._values, prefix)
            held = self._values.filter(mask)
            owners = self._parents[mask.to_numpy(zero_copy_only=False).astype(bool)]
            codes = held.dictionary_encode().indices.to_numpy()
            self._starting[prefix] = held, owners, (np.bincount(codes) > 1)[codes]
        return self._starting[prefix]


def _folded(row: Mapping[str, Any]) -> dict[str, str]:
    authors = row["authors"] or ()
    families = (family_key(a["family"] or a["name"] or "") for a in authors)
    first = authors[0] if authors else {"family": "", "given": "", "name": ""}
    names = " ".join((first["given"] or "", first["family"] or "", first["name"] or ""))
    return {
        "title": "" if row["title_made"] else fold(row["title"] or ""),
        "families": " ".join(f for f in families if f),
        "names": fold(names),
        "venue": fold(row["venue"] or ""),
    }


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


def _flat(column: pa.ChunkedArray | pa.Array) -> pa.Array:
    return column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
