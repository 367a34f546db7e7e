"""Streams of bytes out of .gz, .bz2, .xz and .zst, bounded in memory, ending where they break."""

import bz2
import hashlib
import io
import lzma
import zlib
from collections.abc import Callable
from typing import Any, Protocol

_CHUNK = 1 << 17
_OUT = 1 << 20
_BITE = 1 << 10
_HEAD = 16
# Text shrinks by 3 to 30 times, repeated text by 100; a bomb by 1,000 and more.
BOMB_RATIO = 250
BOMB_FLOOR = 1 << 26  # bytes that may come out before the ratio counts

MAGIC = (
    (b"\x1f\x8b\x08", "gzip"),
    (b"BZh", "bzip2"),
    (b"\xfd7zXZ\x00", "xz"),
    (b"\x28\xb5\x2f\xfd", "zstd"),
)


class Readable(Protocol):
    """Anything that gives bytes."""

    def read(self, count: int, /) -> bytes:
        """Return up to so many bytes; none at the end."""
        ...


class Source(io.RawIOBase):
    """The bytes of a file as they stand on disk, counted and hashed on their way."""

    def __init__(self, file: Readable) -> None:
        self._file = file
        self._hash = hashlib.sha256()
        self.count = 0
        self.problem = ""

    def readable(self) -> bool:
        """Always."""
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        """Fill the buffer; a disk or a pipe that fails ends the stream."""
        try:
            data = self._file.read(len(buffer))
        except OSError as error:
            self.problem = f"reading failed after {self.count} bytes: {error.strerror or error}"
            return 0
        buffer[: len(data)] = data
        self._hash.update(data)
        self.count += len(data)
        return len(data)

    def digest(self) -> str:
        """Return the SHA-256 of the whole file; reads what nobody has read yet."""
        while data := self.read(_OUT):
            del data
        return self._hash.hexdigest()


class Expanded(io.RawIOBase):
    """What a compressed stream holds; where it is broken, it ends, and `problem` says why."""

    def __init__(self, source: Readable, kind: str, taken: Callable[[], int]) -> None:
        self._source = source
        self._kind = kind
        self._taken = taken  # how many bytes were read from disk
        self._new = _decompressors()[kind]
        self._unpack: Any = self._new()
        self._fed = b""
        self._ready = memoryview(b"")
        self._ended = False
        self.count = 0
        self.problem = ""

    def readable(self) -> bool:
        """Always."""
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        """Fill the buffer; a broken stream ends early."""
        while not self._ready and not self._ended:
            try:
                self._ready = memoryview(self._more())
            except (OSError, EOFError, zlib.error, lzma.LZMAError, ValueError) as error:
                self._end(f"the {self._kind} data is damaged ({error}); the rest is lost")
            self.count += len(self._ready)
            if self.count > BOMB_FLOOR and self.count > BOMB_RATIO * max(1, self._taken()):
                self._ready = memoryview(b"")
                self._end(f"expands to more than {BOMB_RATIO} times its size; the rest is not read")
        count = min(len(buffer), len(self._ready))
        buffer[:count] = self._ready[:count]
        self._ready = self._ready[count:]
        return count

    def _end(self, problem: str) -> None:
        self.problem, self._ended = problem, True

    def _more(self) -> bytes:
        """The next bytes, or none at the end."""
        while True:
            hungry = not self._fed and self._hungry()
            if hungry:
                self._fed = self._source.read(_BITE if self._kind == "zstd" else _CHUNK)
            starved = hungry and not self._fed
            data = self._step()
            if self._unpack.eof:
                self._next_part()
            elif starved and not data:
                self._end(f"the {self._kind} data is cut short")
            if data or self._ended:
                return data

    def _next_part(self) -> None:
        """Several parts may follow one another; zeros and anything else after them is padding."""
        self._fed = self._unpack.unused_data
        while not self._fed.lstrip(b"\x00"):
            self._fed = self._source.read(_CHUNK)
            if not self._fed:
                self._ended = True
                return
        self._fed = self._fed.lstrip(b"\x00")
        self._fed += self._source.read(_HEAD)
        if kind_of(self._fed) == self._kind:
            self._unpack = self._new()
        else:
            self._ended = True

    def _hungry(self) -> bool:
        if self._kind == "gzip":
            return not self._unpack.unconsumed_tail
        return bool(getattr(self._unpack, "needs_input", True))

    def _step(self) -> bytes:
        fed, self._fed = self._fed, b""
        if self._kind == "zstd":
            # No limit on what comes out, hence one bite at a time: at most some 40 MB.
            self._fed = fed[_BITE:]
            bitten: bytes = self._unpack.decompress(fed[:_BITE])
            return bitten
        if self._kind == "gzip":
            fed = self._unpack.unconsumed_tail or fed
        data: bytes = self._unpack.decompress(fed, _OUT)
        return data


def _decompressors() -> dict[str, Callable[[], Any]]:
    return {
        "gzip": lambda: zlib.decompressobj(wbits=31),
        "bzip2": bz2.BZ2Decompressor,
        "xz": lambda: lzma.LZMADecompressor(memlimit=1 << 28),
        "zstd": _zstd,
    }


def _zstd() -> Any:
    import zstandard

    # Frames of `zstd --long=27` need a window of 128 MB; more is refused.
    return zstandard.ZstdDecompressor(max_window_size=1 << 27).decompressobj()


def kind_of(head: bytes) -> str:
    """Return gzip, bzip2, xz or zstd; an empty string for anything else."""
    if head.startswith(b"BZh") and head[4:10] not in (b"1AY&SY", b"\x17rE8P\x90"):
        return ""
    return next((kind for magic, kind in MAGIC if head.startswith(magic)), "")
