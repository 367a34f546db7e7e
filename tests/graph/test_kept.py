"""Extractions are kept, found by text and model, and lost ones are read again."""

import contextlib
from dataclasses import replace
from pathlib import Path

import pytest

from kg.graph.kept import DamagedPartError, Keeping, Kept
from kg.model.extraction import Extraction
from kg.model.identity import digest


def _keep(folder: Path, model: str, *texts: str) -> None:
    with Keeping(Kept(folder)) as keeping:
        for text in texts:
            keeping.add(text, Extraction(model, flags=(f"{text} by {model}",)))


def _read(folder: Path, wanted: set[str], models: list[str]) -> list[str]:
    batches = Kept(folder).batches(wanted, models)
    return sorted(flag for batch in batches for row in batch["flags"].to_pylist() for flag in row)


def test_the_preferred_model_that_read_a_text_is_the_one_that_counts(tmp_path: Path) -> None:
    """Texts read by an earlier model stay, until an upgrade says otherwise."""
    _keep(tmp_path, "old", "a", "b")
    _keep(tmp_path, "new", "b", "c", "d")

    assert _read(tmp_path, {"a", "b", "c"}, ["old", "new"]) == [
        "a by old", "b by old", "c by new",
    ]  # fmt: skip
    assert _read(tmp_path, {"a", "b", "c"}, ["new"]) == ["b by new", "c by new"]
    assert Kept(tmp_path).texts("new") == {"b", "c", "d"}


def test_what_was_read_before_an_error_is_kept(tmp_path: Path) -> None:
    """Ctrl-C after an hour must not cost that hour."""
    with contextlib.suppress(KeyboardInterrupt), Keeping(Kept(tmp_path)) as keeping:
        keeping.add("a", Extraction("m"))
        raise KeyboardInterrupt

    assert Kept(tmp_path).texts("m") == {"a"}


def test_many_small_parts_become_one_and_say_the_same(tmp_path: Path) -> None:
    """A folder that is filled daily must not become a thousand files."""
    for number in range(30):
        _keep(tmp_path, "m", str(number))
    before = _read(tmp_path, {"3", "29"}, ["m"])
    Kept(tmp_path).merge_small()

    assert len(list(tmp_path.iterdir())) == 1
    assert _read(tmp_path, {"3", "29"}, ["m"]) == before == ["29 by m", "3 by m"]


@pytest.mark.parametrize("cut", [0, 10, -30])
def test_a_part_that_was_cut_short_counts_as_not_there(tmp_path: Path, cut: int) -> None:
    """Its texts are read again, and nobody has to look for the file."""
    _keep(tmp_path, "m", "a")
    (part,) = tmp_path.iterdir()
    part.write_bytes(part.read_bytes()[:cut])

    assert Kept(tmp_path).texts("m") == set()


def test_a_part_that_turns_out_to_be_damaged_is_removed(tmp_path: Path) -> None:
    """The index of a file can be whole while its content is not."""
    extraction = Extraction("m", flags=tuple(digest(str(n)) for n in range(5000)))
    with Keeping(Kept(tmp_path)) as keeping:
        for text in "abcd":
            keeping.add(text, replace(extraction, flags=(text, *extraction.flags)))
    (part,) = tmp_path.iterdir()
    content = bytearray(part.read_bytes())
    middle = len(content) // 2
    content[middle] ^= 1
    part.write_bytes(content)

    with pytest.raises(DamagedPartError):
        _read(tmp_path, {"a", "b", "c", "d"}, ["m"])
    assert list(tmp_path.iterdir()) == []
