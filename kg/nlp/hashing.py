"""Hashes of strings that are put together from others, without putting the strings together.

CRC-32 is linear: the hash of ``a + b`` is the hash of ``a`` moved on by the bytes of ``b``, xor
the hash of ``b``. So what a text shows in words, pairs of words and prefixes before them is
hashed in a few operations on arrays, and every hash is that of the whole string.
"""

import zlib
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

Hashes = npt.NDArray[np.uint32]
Ints = npt.NDArray[np.intp]

_ROOM: Final = 384  # bytes that may stand behind a string: three words of the longest, and more
_MOST_CACHED: Final = 100_000  # words
_SIZE: Final = 32  # bits of a hash, above which a code holds the size


def moved_tables(room: int) -> Hashes:
    """Return (room, 4, 256): what each byte of a hash adds to it when n bytes of zero follow."""
    values = np.arange(256, dtype=np.uint32)
    step = values.copy()
    for _ in range(8):
        step = np.where(step & 1, (step >> 1) ^ np.uint32(0xEDB88320), step >> 1).astype(np.uint32)
    tables = np.empty((room, 4, 256), np.uint32)
    tables[0] = values << (8 * np.arange(4, dtype=np.uint32)[:, None])
    for size in range(1, room):
        before = tables[size - 1]
        tables[size] = (before >> 8) ^ step[before & 255]
    return tables


_MOVED: Final = moved_tables(_ROOM)
_BYTES: Final = np.arange(4)


def _moved(hashes: Hashes, sizes: Ints) -> Hashes:
    """Return the hashes of strings behind which as many bytes of zero follow."""
    signs = hashes.astype("<u4", copy=False)[..., None].view(np.uint8)
    found = _MOVED[sizes[..., None], _BYTES, signs]
    moved: Hashes = found[..., 0] ^ found[..., 1] ^ found[..., 2] ^ found[..., 3]
    return moved


class Strings(NamedTuple):
    """Strings of which only the hashes and the sizes in bytes are kept, in arrays of one shape."""

    hashes: Hashes
    sizes: Ints

    def at(self, places: Ints) -> "Strings":
        """Return the strings at these places."""
        return Strings(self.hashes[places], self.sizes[places])

    def __add__(self, other: "Strings") -> "Strings":  # type: ignore[override]
        """Return each string with that of the other behind it."""
        return Strings(_moved(self.hashes, other.sizes) ^ other.hashes, self.sizes + other.sizes)


def strings(words: Iterable[str]) -> Strings:
    """Return words as hashes.

    >>> two = strings(["a", "b"]) + strings(["c", "d"])
    >>> two.hashes.tolist() == [zlib.crc32(b"ac"), zlib.crc32(b"bd")]
    True
    """
    return from_codes(map(code, words))


@lru_cache(maxsize=_MOST_CACHED)
def code(word: str) -> int:
    """Return a word's hash, and its size above it."""
    data = word.encode()
    return zlib.crc32(data) | len(data) << _SIZE


def from_codes(codes: Iterable[int]) -> Strings:
    """Return what ``code`` made of words."""
    both = np.fromiter(codes, np.int64)
    return Strings(both.astype(np.uint32), both >> _SIZE)


def hashed(names: Iterable[str]) -> list[int]:
    """Return the hashes of whole strings."""
    return list(map(zlib.crc32, map(str.encode, names)))


class Prefixes:
    """Strings that stand before others."""

    def __init__(self, names: Sequence[str]) -> None:
        """Take the prefixes; they are asked for by their index."""
        self.strings = strings(names)
        sizes = np.arange(_ROOM)
        self._moved = _moved(np.repeat(self.strings.hashes[:, None], _ROOM, 1), sizes[None])

    def __call__(self, which: int | Ints, rest: Strings) -> Hashes:
        """Return the hashes of the prefixes with the strings behind them.

        >>> before = Prefixes(["word "])
        >>> before(0, strings(["a"])).tolist() == [zlib.crc32(b"word a")]
        True
        """
        found: Hashes = self._moved[which, rest.sizes] ^ rest.hashes
        return found

    def whole(self, which: int | Ints, rest: Strings) -> Strings:
        """Return the same as strings, before which others may stand."""
        return Strings(self(which, rest), self.strings.sizes[which] + rest.sizes)


def ranges(starts: Ints, counts: Ints) -> tuple[Ints, Ints]:
    """Return every place of ranges, and the range that each is in.

    >>> owner, place = ranges(np.array([3, 9]), np.array([2, 1]))
    >>> owner.tolist(), place.tolist()
    ([0, 0, 1], [3, 4, 9])
    """
    owner = np.repeat(np.arange(len(counts)), counts)
    return owner, np.arange(len(owner)) + (starts - np.cumsum(counts) + counts)[owner]
