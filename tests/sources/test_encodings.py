"""Characters from bytes in any encoding, whole or broken."""

import io

import pytest

from kg.sources.encodings import detect, lines, utf8

FRENCH = "Nous proposons une méthode à base de réseaux. L’évaluation est réalisée.\n"
POLISH = "Łączymy źródła różnych języków i osiągamy świetne wyniki.\n"
GERMAN = "Wir schlagen eine Methode für große Graphen vor. Über alle Maße.\n"
CHINESE = "本文提出了一种新的方法，用于文献知识图谱的构建。实验表明该方法优于基线。\n"
TAIWANESE = "本文提出了一種新的方法，用於文獻知識圖譜的構建。實驗表明該方法優於基線。\n"
JAPANESE = "本論文では、グラフに基づく新しい手法を提案する。実験により有効性を示した。\n"
KOREAN = "본 논문에서는 그래프 신경망에 기반한 새로운 방법을 제안한다.\n"
RUSSIAN = "В данной работе предложен новый метод построения графов знаний.\n"
GREEK = "Προτείνουμε μια νέα μέθοδο για την κατασκευή γράφων γνώσης.\n"


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        *((text, e) for text in (FRENCH, CHINESE) for e in ("utf-8", "utf-8-sig")),
        *((text, e) for text in (GERMAN, CHINESE) for e in ("utf-16", "utf-16-le", "utf-16-be")),
        *((FRENCH, e) for e in ("utf-32", "utf-32-le", "utf-32-be", "latin-1", "cp1252")),
        *((text.replace("’", "'"), "latin-1") for text in (FRENCH, GERMAN)),
        *((POLISH, e) for e in ("cp1250", "iso8859_2")),
        *((CHINESE, e) for e in ("gbk", "gb18030")),
        (TAIWANESE, "big5"),
        *((JAPANESE, e) for e in ("shift_jis", "euc_jp")),
        (KOREAN, "euc_kr"),
        *((RUSSIAN, e) for e in ("cp1251", "koi8_r")),
        (GREEK, "cp1253"),
    ],
)
def test_an_encoding_is_found_from_the_bytes(text: str, encoding: str) -> None:
    """Nobody knows the encoding of a file that a colleague sent."""
    data = (text * 3).encode(encoding, "replace")
    text = data.decode(encoding).removeprefix("\ufeff")
    name, mark = detect(data, whole=True)
    assert data[mark:].decode(name) == text


def test_binary_data_has_no_encoding() -> None:
    """A picture must not become a paper."""
    assert detect(bytes(range(256)) * 10, whole=True) == ("", 0)


def read_lines(data: bytes) -> tuple[list[str], list[str]]:
    """Return the lines and the notes."""
    notes: list[str] = []
    encoding, mark = detect(data, whole=True)
    return list(lines(io.BytesIO(data[mark:]), encoding, notes.append)), notes


def test_line_ends_of_every_system_part_lines() -> None:
    """Files travel between systems, and some hold all three line ends."""
    assert read_lines(b"one\ntwo\r\nthree\rfour\r\n\r\nfive") == (
        ["one", "two", "three", "four", "", "five"],
        [],
    )


def test_a_latin_line_within_utf8_is_mended() -> None:
    """Two exports pasted together must both stay readable."""
    data = "für Große\n".encode() * 3 + "Müller läuft\n".encode("latin-1") + b"end"
    assert read_lines(data) == (
        ["für Große"] * 3 + ["Müller läuft", "end"],
        ["1 line not in UTF-8, read as Windows-1252"],
    )


def test_broken_utf8_spoils_only_its_own_signs() -> None:
    """The rest of the file and of the line is read."""
    data = "für Große, ".encode() * 3 + b"\xe2\x28\xa1 tail\nnext"
    assert read_lines(data) == (
        ["für Große, " * 3 + "�(� tail", "next"],
        ["1 line not valid UTF-8, read with � in place of what is broken"],
    )


def test_nul_bytes_are_dropped() -> None:
    """A damaged disk leaves them, and no store takes them."""
    assert read_lines(b"We walk" + b" on and on" * 30 + b"\x00.") == (
        ["We walk" + " on and on" * 30 + "."],
        ["1 line holding NUL bytes, which were dropped"],
    )


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "gb18030"])
@pytest.mark.parametrize("step", [1, 3, 1000])
def test_characters_survive_any_way_the_bytes_arrive(encoding: str, step: int) -> None:
    """Pipes cut a stream in the middle of characters and line ends."""

    class Dribble(io.RawIOBase):
        def __init__(self, data: bytes) -> None:
            self.data = data

        def readable(self) -> bool:
            return True

        def read(self, size: int = -1) -> bytes:
            taken, self.data = self.data[:step], self.data[step:]
            return taken

    text = "一\r\n二\r三 four\n"
    stream = Dribble(text.encode(encoding))
    assert list(lines(stream, encoding, print)) == ["一", "二", "三 four"]  # type: ignore[arg-type]
    recoded = utf8(Dribble(text.encode(encoding)), encoding)  # type: ignore[arg-type]
    joined = b"".join(iter(lambda: recoded.read(7), b""))
    assert joined.decode() == text
