"""From a file to the streams in it: decompressed, archives opened, bombs and nests refused."""

import io
import shutil
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from typing import IO, BinaryIO

from kg.sources.compression import BOMB_FLOOR, BOMB_RATIO, Expanded, Readable, Source, kind_of
from kg.sources.files import NamedFile

HEAD = 1 << 17
_BUFFER = 1 << 18
_DEPTH = 2  # an archive of compressed files, or a compressed archive, and no deeper
_BITE = 1 << 14
_SPOOL = 1 << 24
_MEMBERS = 200_000
_OFFICE = ("[Content_Types].xml", "mimetype", "META-INF/container.xml", "META-INF/MANIFEST.MF")


@dataclass(slots=True)
class Opened:
    """A stream that holds one file's content. Read it before the next one is asked for."""

    name: str
    head: bytes  # the first HEAD bytes; all of them where they are fewer
    stream: BinaryIO  # everything, the head included
    digest: Callable[[], str]  # reads the rest
    problem: Callable[[], str]  # why the stream ended early; empty if it did not


@dataclass(frozen=True, slots=True)
class Unopened:
    """A file or member whose bytes cannot be had, and why."""

    name: str
    reason: str
    remedy: str = "Check the file."


def opened(file: NamedFile, stdin: BinaryIO | None) -> Iterator[Opened | Unopened]:
    """Yield the streams of a file: one for a plain or compressed file, one per archive member."""
    if file.problem:
        yield Unopened(file.name, file.problem.removeprefix(f"{file.name}: "), file.remedy)
        return
    if file.path is None:
        if stdin is None:
            yield Unopened(file.name, "there is no standard input", "Pipe something in.")
            return
        yield from _streams(file.name, stdin, depth=0)
        return
    try:
        raw = file.path.open("rb", buffering=0)
    except OSError as error:
        yield Unopened(
            file.name, f"cannot be read: {error.strerror or error}", "Check its permissions."
        )
        return
    with closing(raw):
        yield from _streams(file.name, raw, depth=0)


def seekable(stream: BinaryIO) -> BinaryIO:
    """Return the rest of a stream as a file that can seek, on disk where it is large."""
    spool: BinaryIO = tempfile.SpooledTemporaryFile(_SPOOL)  # type: ignore[assignment]  # noqa: SIM115
    shutil.copyfileobj(stream, spool, _BUFFER)
    spool.seek(0)
    return spool


def _streams(name: str, raw: Readable, depth: int) -> Iterator[Opened | Unopened]:
    source = Source(raw)
    layers: list[Source | Expanded] = [source]
    head, stream = _peeked(source)
    while kind := kind_of(head):
        if depth >= _DEPTH:
            yield _too_deep(name)
            return
        expanded = Expanded(stream, kind, lambda: source.count)
        layers.append(expanded)
        head, stream = _peeked(expanded)
        depth += 1

    def problem() -> str:
        return next((layer.problem for layer in layers if layer.problem), "")

    zipped, tarred = head.startswith((b"PK\x03\x04", b"PK\x05\x06")), head[257:262] == b"ustar"
    if zipped or tarred:
        # A compressed tar is one archive, not two.
        inside = depth if tarred and len(layers) > 1 else depth + 1
        if inside > _DEPTH:
            yield _too_deep(name)
            return
        yield from (_zipped if zipped else _tarred)(name, stream, inside)
        if why := problem():
            yield Unopened(name, why)
        return
    yield Opened(name, head, stream, source.digest, problem)


def _peeked(raw: io.RawIOBase) -> tuple[bytes, BinaryIO]:
    """Return the head of a stream, and the stream as if nothing had been read of it."""
    stream = io.BufferedReader(raw, _BUFFER)
    head = stream.read(HEAD)
    return head, io.BufferedReader(_Prefixed(head, stream), _BUFFER)


class _Prefixed(io.RawIOBase):
    """Bytes that were read already, then the stream that they came from."""

    def __init__(self, head: bytes, stream: BinaryIO) -> None:
        self._head = memoryview(head)
        self._stream = stream

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        if not self._head:
            return self._stream.readinto(buffer)  # type: ignore[attr-defined, no-any-return]
        count = min(len(buffer), len(self._head))
        buffer[:count] = self._head[:count]
        self._head = self._head[count:]
        return count


def _zipped(name: str, stream: BinaryIO, depth: int) -> Iterator[Opened | Unopened]:
    with closing(seekable(stream)) as file:
        try:
            archive = zipfile.ZipFile(file)
        except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
            yield Unopened(name, f"the zip archive is damaged ({error})")
            return
        entries = [entry for entry in archive.infolist() if not entry.is_dir()]
        if any(entry.filename in _OFFICE for entry in entries):
            yield Unopened(
                name,
                "an office document, not an archive of papers",
                "Save it as text or CSV and read that.",
            )
            return
        if len(entries) > _MEMBERS:
            yield Unopened(name, f"the zip archive has {len(entries)} members, over {_MEMBERS}")
            return
        total = _Total(file.seek(0, io.SEEK_END))
        for entry in entries:
            if _hidden(entry.filename):
                continue
            member = f"{name}!{entry.filename}"
            if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                yield Unopened(member, "a zip method other than deflate", "Pack it anew.")
                continue
            try:
                with archive.open(entry) as content:
                    yield from _streams(member, _Member(content, total), depth)
            except (
                zipfile.BadZipFile,
                RuntimeError,
                NotImplementedError,
                OSError,
                zlib.error,
            ) as e:
                yield Unopened(member, f"cannot be taken out of the archive: {e}")


def _tarred(name: str, stream: BinaryIO, depth: int) -> Iterator[Opened | Unopened]:
    try:
        with tarfile.open(fileobj=stream, mode="r|") as archive:
            for entry in archive:
                if not entry.isfile() or _hidden(entry.name):
                    continue
                content = archive.extractfile(entry)
                if content is not None:
                    # A stream of its own checks the ratio of what was compressed around the tar;
                    # the holes of a sparse file take no room there.
                    holes: list[tuple[int, int]] = entry.sparse or []  # type: ignore[assignment]
                    held = sum(size for _, size in holes)
                    member = _Member(content, _Total(held) if entry.issparse() else None)
                    yield from _streams(f"{name}!{entry.name}", member, depth)
    except (tarfile.TarError, OSError, EOFError, ValueError) as error:
        yield Unopened(name, f"the tar archive is damaged ({error})")


@dataclass(slots=True)
class _Total:
    """What has come out of an archive, all members together, and how large it is itself."""

    packed: int
    unpacked: int = 0


class _Member:
    """An archive's member as bytes; damage and bombs end it as OSError, which Source notes down."""

    def __init__(self, content: IO[bytes], total: _Total | None) -> None:
        self._content = content
        self._total = total

    def read(self, count: int = -1) -> bytes:
        try:
            # Small bites, since a bite that meets the damage is lost whole.
            data = self._content.read(min(count, _BITE))
        except (zipfile.BadZipFile, tarfile.TarError, zlib.error, EOFError, RuntimeError) as error:
            raise OSError(f"the archive is damaged ({error})") from error
        if self._total is None:
            return data
        self._total.unpacked += len(data)
        if self._total.unpacked > max(BOMB_FLOOR, BOMB_RATIO * self._total.packed):
            raise OSError(f"the archive expands to more than {BOMB_RATIO} times its size")
        return data


def _hidden(member: str) -> bool:
    parts = member.split("/")
    return parts[0] == "__MACOSX" or any(part.startswith(".") and part != "." for part in parts)


def _too_deep(name: str) -> Unopened:
    return Unopened(name, "an archive within an archive within an archive", "Unpack it first.")
