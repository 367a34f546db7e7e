"""The texts of the papers of a build, by their hashes; one at a time is a Python object."""

from collections.abc import Iterator, Mapping, Sequence
from typing import overload

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from kg.resolve.gathering import PIECE, Gatherer, Ints


class Texts(Mapping[str, str]):
    """Every distinct text, in the order of the hashes: that does not tell how papers came."""

    def __init__(self, papers: pa.Table) -> None:
        """Take the columns `text` and `text_hash`, null where there is no text."""
        hashes = papers["text_hash"].combine_chunks()
        order: Ints = pc.sort_indices(hashes).to_numpy().astype(np.int64)
        order = order[: len(hashes) - hashes.null_count]  # nulls come last
        ordered = hashes.take(pa.array(order))
        codes = ordered.dictionary_encode().indices.to_numpy()
        first = np.flatnonzero(np.concatenate([[True], codes[1:] != codes[:-1]])[: len(codes)])
        self._hashes: pa.Array = ordered.take(pa.array(first))
        self._rows = order[first]
        self._texts = Gatherer(papers.select(["text"]))

    def __len__(self) -> int:
        return len(self._hashes)

    def __iter__(self) -> Iterator[str]:
        for start in range(0, len(self), PIECE):
            yield from self._hashes.slice(start, PIECE).to_pylist()

    def __getitem__(self, key: str) -> str:
        low, high = 0, len(self)
        while low < high:
            middle = (low + high) // 2
            if self._hashes[middle].as_py() < key:
                low = middle + 1
            else:
                high = middle
        if low == len(self) or self._hashes[low].as_py() != key:
            raise KeyError(key)
        return self._read(np.array([low]))[0]

    def of(self, keys: Sequence[str]) -> Sequence[str]:
        """Return the texts of some hashes, each read when it is asked for."""
        places = pc.index_in(pa.array(keys, pa.string()), value_set=self._hashes)
        if places.null_count:
            raise KeyError(keys[pc.is_null(places).index(True).as_py()])
        return _Some(self, places.to_numpy().astype(np.int64))

    def _read(self, places: Ints) -> list[str]:
        texts: list[str] = self._texts.take(self._rows[places])["text"].to_pylist()
        return texts


class _Some(Sequence[str]):
    def __init__(self, texts: Texts, places: Ints) -> None:
        self._texts = texts
        self._places = places

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[str]: ...
    def __getitem__(self, place: int | slice) -> str | Sequence[str]:
        if isinstance(place, slice):
            return _Some(self._texts, self._places[place])
        return self._texts._read(self._places[[place]])[0]

    def __iter__(self) -> Iterator[str]:
        for start in range(0, len(self), PIECE):
            yield from self._texts._read(self._places[start : start + PIECE])
