"""Files, folders, pipes and archives: everything that can be had of them, and a reason for the rest."""

import bz2
import gzip
import hashlib
import io
import lzma
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from kg.errors import InputError, UnknownFormatError
from kg.model.record import FileReport, Record, Rejected
from kg.sources import opening
from kg.sources.registry import read
from tests.sources.listings import PAPERS

TEXT = "\n\n".join(paper.text for paper in PAPERS)
DATA = TEXT.encode()


def zipped(members: dict[str, bytes]) -> bytes:
    """Return a zip archive."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return target.getvalue()


def tarred(members: dict[str, bytes], mode: str = "w") -> bytes:
    """Return a tar archive."""
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode=mode) as archive:  # type: ignore[call-overload]
        for name, data in members.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return target.getvalue()


def texts(*inputs: str | Path, **options: object) -> list[str]:
    """Return the text of every record, the reason of every rejection."""
    return [
        item.text if isinstance(item, Record) else f"rejected: {item.reason}"
        for item in read(inputs, **options)  # type: ignore[arg-type]
    ]


ALL = [paper.text for paper in PAPERS]
PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "xz": lzma.compress,
    "zst": zstandard.ZstdCompressor().compress,
    "two gz in one": lambda data: gzip.compress(data[:300]) + gzip.compress(data[300:]),
    "zip": lambda data: zipped({"a.txt": data}),
    "tar": lambda data: tarred({"a.txt": data}),
    "tar.gz": lambda data: tarred({"a.txt": data}, "w:gz"),
    "gz in zip": lambda data: zipped({"a.txt.gz": gzip.compress(data)}),
    "zip in zip": lambda data: zipped({"b.zip": zipped({"a.txt": data})}),
    "zip in gz": lambda data: gzip.compress(zipped({"a.txt": data})),
}


@pytest.mark.parametrize("name", PACKERS)
def test_compression_is_told_by_content(tmp_path: Path, name: str) -> None:
    """Downloads lose their suffixes."""
    path = tmp_path / "papers"
    path.write_bytes(PACKERS[name](DATA))
    assert texts(path) == ALL


@pytest.mark.parametrize("name", ["gz", "bz2", "xz", "zst", "zip", "tar.gz"])
def test_a_truncated_archive_gives_what_it_holds(tmp_path: Path, name: str) -> None:
    """Downloads break off; the loss must be listed, and must not crash."""
    numbers = (hashlib.sha256(bytes([n % 256, n // 256])).hexdigest() for n in range(9000))
    data = "\n\n".join(f"We walk to lake {each} and back home again." for each in numbers).encode()
    packed = PACKERS[name](data)
    path = tmp_path / "papers"
    path.write_bytes(packed[: len(packed) * 2 // 3])
    if name in ("zip", "bz2"):  # the list of members stands at the end; one block of 900 kB
        with pytest.raises(InputError, match=r"damaged|cut short"):
            texts(path)
        return
    found = texts(path)
    assert found[-1].startswith("rejected: ")
    assert "cut short" in found[-1] or "damaged" in found[-1]
    assert len(found) > 2000


def test_members_are_named_after_their_archive(tmp_path: Path) -> None:
    """A user must find the paper again; hidden members are no papers."""
    path = tmp_path / "all.zip"
    path.write_bytes(
        zipped({"x/a.txt": DATA, "__MACOSX/x/._a.txt": b"\0\1", ".b": DATA, "c/": b""})
    )
    assert {item.file for item in read([path])} == {f"{path}!x/a.txt"}


def test_a_bomb_is_stopped(tmp_path: Path) -> None:
    """A megabyte must not become a terabyte; papers before it are kept."""
    bomb = DATA + b"\n\n" + b"0" * (200 << 20)
    path = tmp_path / "bomb"
    for packed in (gzip.compress(bomb, 9), zipped({"a.txt": bomb}), bz2.compress(bomb)):
        path.write_bytes(packed)
        found = texts(path)
        assert found[:4] == ALL
        assert "expands to more than 250 times its size" in found[-1]


def test_the_holes_of_a_sparse_file_are_not_read_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hole takes no room in a tar archive, however large it is."""
    monkeypatch.setattr(opening, "BOMB_FLOOR", 1 << 20)
    entry = tarfile.TarInfo("sparse.txt")
    chunks = f"1\n0\n{len(DATA)}\n".encode()
    content = chunks.ljust(512, b"\x00") + DATA
    entry.size = len(content)
    entry.pax_headers = {
        "GNU.sparse.major": "1", "GNU.sparse.minor": "0", "GNU.sparse.name": "sparse.txt",
        "GNU.sparse.realsize": str(1 << 34),
    }  # fmt: skip
    with tarfile.open(tmp_path / "a.tar", "w", format=tarfile.PAX_FORMAT) as archive:
        archive.addfile(entry, io.BytesIO(content))

    *_, last = texts(tmp_path / "a.tar")
    assert "expands to more than" in last


def test_archives_nested_deeper_are_refused(tmp_path: Path) -> None:
    """Nobody packs papers so."""
    path = tmp_path / "deep.zip"
    path.write_bytes(zipped({"a.zip": zipped({"b.zip": zipped({"c.txt": DATA})})}))
    with pytest.raises(InputError, match="an archive within an archive within an archive"):
        texts(path)


def test_folders_are_read_in_order_without_hidden_files(tmp_path: Path) -> None:
    """A folder of exports is one input; what cannot be read in it is listed."""
    for name in ("b/2.txt", "a/1.txt", ".hidden/x.txt", "a/.y.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(f"We walk to {name} and fall on the ice.", encoding="utf-8")
    (tmp_path / "c.pdf").write_bytes(b"%PDF-1.4 \x00\x01\x02")
    (tmp_path / "d.txt").touch()
    (tmp_path / "loop").symlink_to(tmp_path)
    assert texts(tmp_path) == [
        "We walk to a/1.txt and fall on the ice.",
        "We walk to b/2.txt and fall on the ice.",
        "rejected: the file is a PDF",
        "rejected: the file is empty",
    ]


def test_globs_and_names_read_each_file_once(tmp_path: Path) -> None:
    """A folder and a pattern often overlap."""
    for number in (1, 2):
        path = tmp_path / f"{number}.txt"
        path.write_text(f"We walk {number} miles and fall on ice.", encoding="utf-8")
    assert texts(tmp_path / "2.txt", str(tmp_path / "*.txt"), tmp_path) == [
        "We walk 2 miles and fall on ice.",
        "We walk 1 miles and fall on ice.",
    ]


def test_a_pipe_is_read_as_a_file_is() -> None:
    """Other programs write into `kg build -`."""
    assert texts("-", stdin=io.BytesIO(gzip.compress(DATA))) == ALL


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "the file is empty"),
        (b" \n\t\n", "the file holds only white space"),
        (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "the file is a PNG picture"),
        (bytes(range(256)) * 4, "the file is binary, not text"),
        (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "the file is a PDF"),
        (zipped({"[Content_Types].xml": b"<x/>"}), "an office document, not an archive of papers"),
        (b"PK\x03\x04 and nothing", "the zip archive is damaged"),
        (gzip.compress(b"", mtime=0), "the file is empty"),
    ],
)
def test_a_file_that_holds_no_text_gets_one_clear_message(
    tmp_path: Path, data: bytes, problem: str
) -> None:
    """The user is told what the file is and what to do."""
    path = tmp_path / "file"
    path.write_bytes(data)
    with pytest.raises(InputError) as caught:
        texts(path)
    assert problem in caught.value.problem
    assert str(path) in caught.value.problem
    assert caught.value.remedy


def test_missing_files_and_empty_folders_are_errors_when_alone(tmp_path: Path) -> None:
    """One clear message each, before anything is built."""
    (tmp_path / "empty").mkdir()
    for name, problem in (
        ("none.txt", "no such file"),
        ("none/*.txt", "no file matches"),
        ("empty", "the folder holds no files"),
    ):
        with pytest.raises(InputError, match=problem):
            texts(tmp_path / name)


def test_a_missing_file_among_others_is_listed(tmp_path: Path) -> None:
    """The others are read, in order."""
    path = tmp_path / "a.txt"
    path.write_bytes(DATA)
    reports: list[FileReport] = []
    items = list(read([tmp_path / "none.txt", path], on_file=reports.append))
    assert items[0] == Rejected("no such file", file=str(tmp_path / "none.txt"), ordinal=1)
    assert [item.text for item in items[1:] if isinstance(item, Record)] == ALL
    assert [(r.file, r.records, r.rejected) for r in reports] == [
        (str(tmp_path / "none.txt"), 0, 1),
        (str(path), 4, 0),
    ]


def test_a_built_graph_is_no_input(tmp_path: Path) -> None:
    """`kg build . -o my.kg` must not read its own output."""
    graph = tmp_path / "my.kg"
    (graph / "nodes").mkdir(parents=True)
    (graph / "manifest.json").write_text("{}", encoding="utf-8")
    (tmp_path / "z.txt").write_bytes(DATA)
    assert texts(tmp_path) == ["rejected: a graph that kg built is no input", *ALL]
    with pytest.raises(InputError, match="a graph that kg built is no input"):
        texts(graph)


def test_the_report_names_format_hash_and_counts(tmp_path: Path) -> None:
    """The manifest of a build proves what was read."""
    path = tmp_path / "a"
    path.write_bytes(b"Ice and Snow\n\n" + DATA)
    reports: list[FileReport] = []
    assert len(list(read([path], on_file=reports.append))) == 5
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    assert reports == [FileReport(str(path), "listing", digest, 4, 1)]


def test_an_unknown_format_is_an_error_at_once() -> None:
    """Before a long read, not after."""
    with pytest.raises(UnknownFormatError, match="no format is called bibtexx"):
        read(["x"], format="bibtexx")


def test_format_overrides_what_the_content_seems(tmp_path: Path) -> None:
    """The user knows best."""
    path = tmp_path / "a.csv"
    path.write_text("title,abstract\nOn Ice,We walk on ice and fall often.\n", encoding="utf-8")
    assert texts(path) == ["We walk on ice and fall often."]
    assert {item.format for item in read([path], format="listing") if isinstance(item, Record)} <= {
        "listing"
    }


def test_a_listing_indented_with_tabs_is_no_table(tmp_path: Path) -> None:
    """Every line then starts with a delimiter, and long lines hold as many as short ones."""
    path = tmp_path / "saved.txt"
    path.write_bytes(
        "\r\n\r\n".join(
            f"\t{number})\t{paper.title}\r\n\t\t{paper.authors}\r\n\t\t{paper.text}"
            for number, paper in enumerate(PAPERS, start=1)
        ).encode()
    )
    assert [(item.title, item.text) for item in read([path]) if isinstance(item, Record)] == [
        (paper.title, paper.text) for paper in PAPERS
    ]


def test_a_text_of_no_known_format_is_not_called_binary(tmp_path: Path) -> None:
    """The user would look for damage where there is none."""
    path = tmp_path / "build.xml"
    path.write_text("<project><name>ice</name><module>a</module><module>b</module></project>")
    with pytest.raises(InputError, match="is text, but of no format that is known"):
        list(read([path]))


@pytest.mark.parametrize("name", ["", "  "])
def test_an_empty_name_is_not_the_folder_one_is_in(name: str) -> None:
    """An unset variable of a shell must not make a graph of the whole disk."""
    with pytest.raises(InputError, match="the name is empty"):
        list(read([name]))
