"""Characters from bytes: which encoding a file has, and its lines, whatever is broken in it."""

import codecs
import io
import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import BinaryIO

LINE_LIMIT = 1 << 24  # bytes; a longer line arrives in pieces, so that memory stays bounded
_CHUNK = 1 << 20

_BOMS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_CONTROL = bytes(set(range(0x20)) - set(b"\t\n\r\f\v\x1a\x1b")) + b"\x7f"
# Letters and signs that Western texts hold in Windows-1252.
_WESTERN = re.compile(rb"[\x80\x82-\x8c\x8e\x91-\x9c\x9e-\xff]")
# What the texts of a language are full of, or written in at all; decoded wrongly, they lack it.
_EASTERN = (
    ("euc_kr", re.compile(r"[가-힣]"), 0.85),
    ("shift_jis", re.compile(r"[ぁ-んァ-ヶー]"), 0.25),
    ("euc_jp", re.compile(r"[ぁ-んァ-ヶー]"), 0.25),
    (
        "gb18030",
        re.compile(r"[的一是不了在人有我他这中大来上国和学研究方法基于本文提出模型]"),
        0.03,
    ),
    ("big5", re.compile(r"[的一是不了在人有我他這中大來上國和學研究方法基於本文提出模型]"), 0.03),
    ("gb18030", re.compile(r"[一-鿿]"), 0.85),
)
_LEGACY = (
    "cp1252 cp1250 cp1251 koi8_r cp1253 cp1254 cp1255 cp1256 cp1257 gb18030 big5 shift_jis euc_jp"
    " euc_kr iso2022_jp cp437 cp850 mac_roman tis_620"
).split()


def detect(head: bytes, *, whole: bool) -> tuple[str, int]:
    """Return the encoding of a text that starts so, and how many bytes its mark takes.

    The encoding is an empty string when the bytes are no text. `whole` says that nothing follows.
    """
    for mark, name in _BOMS:
        if head.startswith(mark):
            return name, len(mark)
    if b"\x00" in head and (wide := _wide(head)):
        return wide, 0
    noise = len(head) - len(head.translate(None, _CONTROL))
    if noise > max(3, len(head) // 50):
        return "", 0
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head, final=whole)
    except UnicodeDecodeError:
        return _legacy(head), 0
    return "utf-8", 0


def decode_head(head: bytes, encoding: str) -> str:
    """Return the characters of the start of a file, of which the last may be cut."""
    decoder = codecs.getincrementaldecoder(encoding or "latin-1")("replace")
    return decoder.decode(head)


class Recoded(io.RawIOBase):
    """A stream in any encoding, as UTF-8; what cannot be decoded becomes U+FFFD."""

    def __init__(self, source: BinaryIO, encoding: str) -> None:
        self._source = source
        self._decoder = codecs.getincrementaldecoder(encoding)("replace")
        self._ready = b""
        self._ended = False

    def readable(self) -> bool:
        """Always."""
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        """Fill the buffer with UTF-8."""
        while not self._ready and not self._ended:
            chunk = self._source.read(_CHUNK)
            self._ended = not chunk
            text = self._decoder.decode(chunk, final=self._ended)
            self._ready = text.encode("utf-8", "replace")
        count = min(len(buffer), len(self._ready))
        buffer[:count] = self._ready[:count]
        self._ready = self._ready[count:]
        return count


def utf8(source: BinaryIO, encoding: str) -> BinaryIO:
    """Return the stream as UTF-8; its mark must have been read already."""
    if encoding == "utf-8":
        return source
    return io.BufferedReader(Recoded(source, encoding), _CHUNK)


def lines(source: BinaryIO, encoding: str, note: Callable[[str], None]) -> Iterator[str]:
    """Yield lines without their ends, which may be LF, CRLF or CR; NUL bytes are dropped.

    A line that is not valid UTF-8 is read as Windows-1252 where that makes words of it, else with
    U+FFFD in place of what is broken; `note` is told once how many there were.
    """
    mended, broken, nul, long = 0, 0, 0, 0
    for data, cut in _byte_lines(utf8(source, encoding)):
        long += cut
        if b"\x00" in data:
            nul += 1
            data = data.replace(b"\x00", b"")
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError:
            parts = data.split(b"\n")
            for part in parts:
                line, how = _mend(part)
                mended += how == "mended"
                broken += how == "broken"
                yield line
            continue
        if "\ufeff" in text:
            text = text.replace("\ufeff", "")  # byte order marks of files that were joined
        if "\n" in text:
            yield from text.split("\n")
        else:
            yield text
    for count, what in (
        (mended, "not in UTF-8, read as Windows-1252"),
        (broken, "not valid UTF-8, read with � in place of what is broken"),
        (nul, "holding NUL bytes, which were dropped"),
        (long, f"over {LINE_LIMIT >> 20} MB, read in pieces"),
    ):
        if count:
            note(f"{count} line{'s'[: count > 1]} {what}")


def _byte_lines(source: BinaryIO) -> Iterator[tuple[bytes, bool]]:
    """Yield whole lines, many at a time and joined by LF; True where a long one was cut."""
    rest = b""
    after_cr = False
    while chunk := source.read(_CHUNK):
        if after_cr and chunk.startswith(b"\n"):
            chunk = chunk[1:]
        after_cr = chunk.endswith(b"\r")
        if b"\r" in chunk:
            chunk = chunk.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        end = chunk.rfind(b"\n")
        if end < 0:
            rest += chunk
            if len(rest) > LINE_LIMIT:
                yield _whole_characters(rest), True
                rest = rest[len(_whole_characters(rest)) :]
            continue
        yield rest + chunk[:end], False
        rest = chunk[end + 1 :]
    if rest:
        yield rest, False


def _whole_characters(data: bytes) -> bytes:
    """Cut a character off that is not whole at the end."""
    for back in range(1, 4):
        if data[-back] >= 0xC0:
            return data[:-back]
        if data[-back] < 0x80:
            break
    return data


def _mend(data: bytes) -> tuple[str, str]:
    try:
        return data.decode("utf-8"), ""
    except UnicodeDecodeError:
        pass
    text = data.decode("utf-8", "replace")
    valid = sum(c > "\x7f" and c != "�" for c in text)
    if valid == 0 and _isolated(data) >= 0.9:
        return data.decode("cp1252", "replace"), "mended"
    return text, "broken"


def _isolated(data: bytes) -> float:
    """Which part of the bytes past ASCII stand alone and mean something in Windows-1252."""
    runs = re.findall(rb"[\x80-\xff]+", data)
    total = sum(len(run) for run in runs)
    alone = sum(len(run) for run in runs if len(run) <= 2 and _WESTERN.match(run))
    return alone / total if total else 1.0


def _wide(head: bytes) -> str:
    """UTF-16 or UTF-32 without a mark: zeros stand at every second, or at three of four, bytes."""
    head = head[: len(head) // 4 * 4] or head
    zeros = Counter(index % 4 for index, byte in enumerate(head) if byte == 0)
    quarter = len(head) // 4 or 1
    if all(zeros[i] > 0.9 * quarter for i in (1, 2, 3)) or (
        len(head) >= 8 and zeros[3] == quarter and zeros[2] > 0.9 * quarter
    ):
        return "utf-32-le"
    if zeros[0] == quarter and zeros[1] > 0.9 * quarter:
        return "utf-32-be"
    even, odd = zeros[0] + zeros[2], zeros[1] + zeros[3]
    ascii_bytes = sum(0x20 <= byte < 0x7F or byte in b"\t\r\n" for byte in head)
    if even + odd < 0.25 * len(head) and ascii_bytes > 0.7 * len(head):
        return ""  # stray NULs in an ordinary text
    names = ("utf-16-le", "utf-16-be") if odd >= even else ("utf-16-be", "utf-16-le")
    best = max(names, key=lambda name: _written(head, name))
    return best if _written(head, best) > 0.97 else ""


# Scripts in which papers are written, with their punctuation; random pairs of bytes lie elsewhere.
_SCRIPTS = re.compile(
    r"[\t\n\r\f -~\xa0-\u024f\u0370-\u052f\u0590-\u06ff\u2010-\u2044\u20ac\u2190-\u22ff"
    r"\u3000-\u30ff\u4e00-\u9fff\uac00-\ud7a3\uff00-\uff60]"
)


def _written(head: bytes, name: str) -> float:
    """Which part of the characters belongs to a usual script, when read in this encoding."""
    try:
        text = codecs.getincrementaldecoder(name)().decode(head)
    except UnicodeDecodeError:
        return 0.0
    return len(_SCRIPTS.findall(text)) / len(text) if text else 0.0


def _legacy(head: bytes) -> str:
    """An encoding for text that is not valid UTF-8 throughout."""
    text = head.decode("utf-8", "replace")
    valid = sum(c > "\x7f" and c != "�" for c in text)
    if valid > 2 * text.count("�"):
        return "utf-8"  # with some broken bytes
    if _isolated(head) >= 0.9:
        return max(("cp1252", "cp1250", "iso8859_2"), key=lambda name: _letters(head, name))
    if east := _east_asian(head):
        return east
    from charset_normalizer import from_bytes

    # Only lines that tell anything; the rest would drown them.
    telling = b"\n".join(line for line in head.splitlines() if not line.isascii())[: 1 << 15]
    best = from_bytes(telling, cp_isolation=_LEGACY, threshold=0.4).best()
    if best is None:
        high = sum(byte > 0x7F for byte in head)
        return "" if high > len(head) // 4 else "cp1252"
    return str(best.encoding)


def _letters(head: bytes, name: str) -> float:
    """Which part of the characters past ASCII that touch a letter are lower-case letters too."""
    found = re.findall(r"[a-z]([^\x00-\x7f])|([^\x00-\x7f])(?=[a-z])", head.decode(name, "replace"))
    signs = [first or second for first, second in found]
    return round(sum(sign.islower() for sign in signs) / len(signs), 1) if signs else 1.0


def _east_asian(head: bytes) -> str:
    """A double-byte encoding, where the bytes come in pairs and make words of its language."""
    runs = re.findall(
        rb"[\x81-\xfe](?:[\x40-\x7e\x80-\xfe])(?:[\x81-\xfe][\x40-\x7e\x80-\xfe])*", head
    )
    paired = sum(map(len, runs))
    if paired < 0.7 * sum(byte > 0x7F for byte in head):
        return ""
    for name, signs, share in _EASTERN:
        try:
            text = codecs.getincrementaldecoder(name)().decode(head)
        except UnicodeDecodeError:
            continue
        wide = re.findall(r"[^\x00-\u2e7f]", text)
        if name == "euc_kr" and len(wide) < 20:
            continue  # a few Chinese signs may read as Korean
        if wide and sum(signs.match(c) is not None for c in wide) >= share * len(wide):
            return name
    return ""
