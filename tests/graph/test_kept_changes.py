"""What a build keeps of how it differs from the one before is what comparing the two finds."""

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from kg.graph import kept_changes
from kg.graph.changes import Changes, TableChange
from kg.graph.diff import diff
from kg.graph.folder import open_snapshot, writing
from kg.graph.manifest import Manifest
from kg.graph.tables import TABLES, Table, arrow_schema, empty

Rows = Mapping[str, list[dict[str, Any]]]


@pytest.fixture(autouse=True)
def _small_tables_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_changes, "LEAST_ROWS", 1)
    monkeypatch.setattr(kept_changes, "MOST_SHARE", 4.0)


def _rows(numbers: range, *, papers: int, value: float) -> Rows:
    """Rows of tables with every type of property; `papers` and `value` are what may change."""
    return {
        "Method": [
            {"id": f"method:{n:03}", "name": f"m{n}", "surfaces": [f"m{n}", ""], "papers": papers}
            for n in numbers
        ],
        "Result": [
            {"id": f"result:{n:03}", "raw": "5%", "value": value, "change": "delta"}
            for n in numbers
        ],
        "OF.Result.Method": [
            {"id": f"{n:03}", "head": f"result:{n:03}", "tail": f"method:{n:03}", "start": n}
            for n in numbers
        ],
    }


_BEFORE = _rows(range(40), papers=1, value=5.0)
_AFTER = {
    name: sorted(
        _rows(range(3, 30), papers=1, value=5.0)[name]
        + _rows(range(30, 50), papers=2, value=float("nan"))[name],
        key=lambda row: str(row["id"]),
    )
    for name in _BEFORE
}


def _commit(folder: Path, rows: Rows) -> Manifest:
    with writing(folder, create=True) as writer:
        files = [
            writer.store_table(name, pa.Table.from_pylist(each, arrow_schema(TABLES[name])))
            for name, each in rows.items()
        ]
        tables = tuple(file for file in files if file is not None)
        return writer.commit(Manifest(0, "", "", "build", tables))


def _kept(folder: Path) -> list[Path]:
    return sorted((folder / "history" / "changes").glob("*"))


def _diff(folder: Path, old: int, new: int) -> Changes:
    return diff(open_snapshot(folder, str(old)), open_snapshot(folder, str(new)))


def _plain(changes: Changes) -> list[Any]:
    """Everything that the changes say; NaN as a word, since it does not equal itself."""
    sides = ("came", "went", "changed", "before")
    return [
        (t.table.name, side, str(getattr(t, side).to_pylist()), getattr(t, side).schema)
        for t in changes.tables
        for side in sides
    ]


def _without_rows(table: Table, *_: Any) -> TableChange:
    """Stand in for a comparison where there is nothing to compare."""
    assert table.name not in _BEFORE
    return TableChange(table, *(empty(table) for _ in range(4)))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A graph of two builds."""
    _commit(tmp_path / "my.kg", _BEFORE)
    _commit(tmp_path / "my.kg", _AFTER)
    return tmp_path / "my.kg"


def test_what_is_kept_is_what_a_comparison_finds(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A store applies the kept difference unseen; it must be the difference."""
    with monkeypatch.context() as patched:
        patched.setattr("kg.graph.diff.compared", _without_rows)
        kept = _diff(folder, 1, 2)
    shutil.rmtree(folder / "history" / "changes")
    compared = _diff(folder, 1, 2)

    assert _plain(kept) == _plain(compared)
    assert {t.table.name: t.size for t in kept.tables} == {
        "Method": 3 + 10 + 10,
        "Result": 3 + 10 + 10,
        "OF.Result.Method": 3 + 10,
    }


def test_what_leads_to_a_build_leads_back(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An undo is the difference the other way round."""
    with monkeypatch.context() as patched:
        patched.setattr("kg.graph.diff.compared", _without_rows)
        kept = _diff(folder, 2, 1)
    shutil.rmtree(folder / "history" / "changes")

    assert _plain(kept) == _plain(_diff(folder, 2, 1))
    assert kept.size == 2 * 23 + 13


def test_a_damaged_file_is_as_good_as_none(folder: Path) -> None:
    """A cache that says something wrong must not make a store wrong."""
    expected = _plain(_diff(folder, 1, 2))
    rng = np.random.default_rng(3)
    for path in _kept(folder):
        whole = path.read_bytes()
        for place in rng.integers(0, len(whole), 12):
            path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
            assert _plain(_diff(folder, 1, 2)) == expected
        for left in (b"", whole[:100], whole[:-1]):
            path.write_bytes(left)
            assert _plain(_diff(folder, 1, 2)) == expected


def test_only_what_leads_to_the_current_build_is_kept(folder: Path) -> None:
    """A folder that is filled daily must not grow for ever."""
    for papers in range(3, 9):
        _commit(folder, _rows(range(3, 50), papers=papers, value=5.0))
        current = open_snapshot(folder)
        hashes = {name: current.hash(name)[:16] for name in _BEFORE}
        for path in _kept(folder):
            name, _, new, _ = path.stem.rsplit("-", 3)
            assert new == hashes[name]
    # Only methods have changed since.
    names = [path.stem.rsplit("-", 3)[0] for path in _kept(folder)]
    assert names == ["Method"]

    with writing(folder) as writer:
        writer.undo()
    assert _kept(folder) == []


def test_what_a_writer_left_that_did_not_commit_is_removed(folder: Path) -> None:
    """A build that was killed leaves a difference to tables that no build has."""
    rows = _rows(range(45), papers=7, value=1.0)["Method"]
    with writing(folder) as writer:
        writer.store_table("Method", pa.Table.from_pylist(rows, arrow_schema(TABLES["Method"])))
    before = {path.name for path in _kept(folder)}
    (folder / "history" / "changes" / ".unfinished-1-ab").write_bytes(b"half")
    with writing(folder):
        pass

    left = {path.name for path in _kept(folder)}
    assert len(left) == len(_BEFORE)
    assert left <= before


def test_what_differs_in_much_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file beside the tables must stay small against them."""
    monkeypatch.setattr(kept_changes, "MOST_SHARE", 0.1)
    folder = tmp_path / "my.kg"
    _commit(folder, _rows(range(100), papers=1, value=5.0))
    rows = _rows(range(100), papers=1, value=5.0)
    few = [row | {"papers": 2} for row in rows["Method"][:5]] + rows["Method"][5:]
    many = [row | {"value": 6.0} for row in rows["Result"][:6]] + rows["Result"][6:]
    _commit(folder, {**rows, "Method": few, "Result": many})

    assert [path.stem.split("-")[0] for path in _kept(folder)] == ["Method"]
    assert {t.table.name: t.size for t in _diff(folder, 1, 2).tables} == {"Method": 5, "Result": 6}


def test_a_damaged_table_of_the_build_before_stops_no_build(folder: Path) -> None:
    """The next build is how a damaged table is mended."""
    (path,) = (folder / "nodes").glob("Method-*")
    path.write_bytes(path.read_bytes()[:200])
    manifest = _commit(folder, _BEFORE)

    assert open_snapshot(folder).build == manifest.build
    assert open_snapshot(folder).table("Method").to_pylist()[0]["name"] == "m0"


def test_columns_of_another_version_stop_no_build(tmp_path: Path) -> None:
    """Nothing but a cache is made of the comparison."""
    folder = tmp_path / "my.kg"
    rows = pa.Table.from_pylist(_BEFORE["Method"], arrow_schema(TABLES["Method"]))
    with writing(folder, create=True) as writer:
        file = writer.store_table("Method", rows.drop_columns(["aliases"]))
        assert file is not None
        writer.commit(Manifest(0, "", "", "build", (file,)))
    _commit(folder, _BEFORE)

    assert open_snapshot(folder).manifest.number == 2
    assert _kept(folder) == []


def test_tables_of_two_folders_are_compared(folder: Path, tmp_path: Path) -> None:
    """Equal tables have equal files, so what one folder keeps holds for another's tables."""
    _commit(tmp_path / "other.kg", _BEFORE)
    changes = diff(open_snapshot(tmp_path / "other.kg"), open_snapshot(folder))

    assert _plain(changes) == _plain(_diff(folder, 1, 2))
    back = diff(open_snapshot(folder), open_snapshot(tmp_path / "other.kg"))
    assert [(t.came.num_rows, t.went.num_rows) for t in back.tables] == [(3, 10)] * 3
