"""A folder holds whole builds, whoever reads and writes it."""

import os
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest

from kg.errors import GraphFolderError, NotAGraphError, NotFoundError, SchemaVersionError
from kg.graph.folder import KEPT_BUILDS, open_snapshot, writing
from kg.graph.manifest import Manifest
from kg.graph.tables import TABLES, arrow_schema, empty

_VENUE = arrow_schema(TABLES["Venue"])


def _venues(*names: str) -> dict[str, pa.Table]:
    tables = {name: empty(table) for name, table in TABLES.items()}
    rows = [{"id": f"venue:{name}", "name": name} for name in sorted(names)]
    return tables | {"Venue": pa.Table.from_pylist(rows, _VENUE)}


def _commit(folder: Path, *names: str) -> Manifest:
    draft = Manifest(number=0, build="", created="", action=f"build {' '.join(names)}")
    with writing(folder, create=True) as writer:
        tables = writer.store_tables(_venues(*names))
        return writer.commit(replace(draft, tables=tables))


def _names(folder: Path, build: str = "") -> list[str]:
    found: list[str] = open_snapshot(folder, build).table("Venue")["name"].to_pylist()
    return found


def test_a_build_is_what_readers_see_once_it_is_committed(tmp_path: Path) -> None:
    """A graph is usable at every moment, also while the next build is being made."""
    folder = tmp_path / "my.kg"
    _commit(folder, "one")
    reader = open_snapshot(folder)
    with writing(folder) as writer:
        writer.store_table("Venue", _venues("two")["Venue"])
        assert _names(folder) == ["one"]
        tables = writer.store_tables(_venues("two", "three"))
        writer.commit(Manifest(number=0, build="", created="", action="", tables=tables))

    assert _names(folder) == ["three", "two"]
    assert reader.table("Venue")["name"].to_pylist() == ["one"]


def test_equal_tables_are_one_file_and_one_build(tmp_path: Path) -> None:
    """Ids of builds and names of files come from content, so that machines can compare them."""
    first, again = _commit(tmp_path / "a.kg", "x", "y"), _commit(tmp_path / "b.kg", "y", "x")

    assert first.build == again.build
    assert first.tables == again.tables


def test_nodes_and_edges_hold_the_current_build_only(tmp_path: Path) -> None:
    """Who looks into the folder, or copies a table out of it, must not find two of one kind."""
    folder = tmp_path / "my.kg"
    for name in "abc":
        _commit(folder, name)

    (file,) = (folder / "nodes").iterdir()
    assert pa.parquet.read_table(file)["name"].to_pylist() == ["c"]


def test_the_last_builds_can_be_opened_and_older_ones_are_cleared_away(tmp_path: Path) -> None:
    """Undo and diff need earlier tables; a folder that is filled daily must not grow for ever."""
    folder = tmp_path / "my.kg"
    for number in range(6):
        _commit(folder, str(number))

    kept = [_names(folder, str(number)) for number in range(7 - KEPT_BUILDS - 1, 7)]
    assert kept == [["2"], ["3"], ["4"], ["5"]]
    with pytest.raises(NotFoundError, match="keeps no build '2'"):
        open_snapshot(folder, "2")
    assert len(list((folder / "history" / "nodes").iterdir())) == KEPT_BUILDS
    assert [past.action for past in open_snapshot(folder).manifest.past] == [
        f"build {number}" for number in range(5)
    ]


def test_undo_goes_back_a_build_at_a_time_as_far_as_they_are_kept(tmp_path: Path) -> None:
    """A mistaken removal is taken back without the inputs at hand."""
    folder = tmp_path / "my.kg"
    for name in ("a", "b", "c"):
        _commit(folder, name)
    with writing(folder) as writer:
        writer.undo()
        writer.undo()
        with pytest.raises(NotFoundError, match="no build before"):
            writer.undo()

    assert _names(folder) == ["a"]
    assert _commit(folder, "d").number == 2


def test_a_build_is_found_by_the_beginning_of_its_id(tmp_path: Path) -> None:
    """`kg diff --since` takes what `kg history` shows."""
    folder = tmp_path / "my.kg"
    first = _commit(folder, "a")
    _commit(folder, "b")

    assert _names(folder, first.build[:6]) == ["a"]


def test_what_a_killed_writer_left_is_removed_by_the_next(tmp_path: Path) -> None:
    """Otherwise every killed run would cost space for ever."""
    folder = tmp_path / "my.kg"
    _commit(folder, "a")
    (folder / "nodes" / ".unfinished-1-00").write_bytes(b"half")
    (folder / "nodes" / "Venue-0000000000000000.parquet").write_bytes(b"never committed")
    with writing(folder):
        pass

    assert len(list((folder / "nodes").iterdir())) == 1
    assert _names(folder) == ["a"]


def test_a_folder_that_is_not_ours_is_refused_and_left_alone(tmp_path: Path) -> None:
    """A mistyped -o must not mix a graph into somebody's files."""
    (tmp_path / "thesis.tex").write_text("years of work")
    with pytest.raises(NotAGraphError, match=r"is not the folder of a graph.*thesis\.tex"):
        _commit(tmp_path, "a")

    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_a_file_is_no_graph(tmp_path: Path) -> None:
    """`kg build a.txt -o b.txt` is an easy slip."""
    (tmp_path / "b.txt").write_text("text")
    with pytest.raises(NotAGraphError, match="is a file"):
        _commit(tmp_path / "b.txt", "a")


def test_a_manifest_of_another_program_is_refused(tmp_path: Path) -> None:
    """Browsers and packagers write a manifest.json, too."""
    (tmp_path / "manifest.json").write_text('{"name": "an extension"}')
    with pytest.raises(NotAGraphError, match="not a manifest that kg wrote"):
        open_snapshot(tmp_path)


def test_a_manifest_of_another_schema_says_which_version_wrote_it(tmp_path: Path) -> None:
    """Guessing at tables of another version would lose properties without a word."""
    folder = tmp_path / "my.kg"
    _commit(folder, "a")
    path = folder / "manifest.json"
    path.write_text(path.read_text().replace('"schema_version": 1', '"schema_version": 99'))
    with pytest.raises(SchemaVersionError, match="schema version 99"):
        open_snapshot(folder)


@pytest.mark.parametrize("content", ["", "{", "[]", '{"format": "kg graph folder"'])
def test_a_damaged_manifest_is_an_error_not_a_traceback(tmp_path: Path, content: str) -> None:
    """Disks fail, and people edit files."""
    folder = tmp_path / "my.kg"
    _commit(folder, "a")
    (folder / "manifest.json").write_text(content)
    with pytest.raises(NotAGraphError):
        open_snapshot(folder)


def test_a_missing_folder_is_not_made_by_looking_into_it(tmp_path: Path) -> None:
    """`kg info typo.kg` must not leave an empty folder."""
    with pytest.raises(GraphFolderError, match="there is no such folder"):
        open_snapshot(tmp_path / "typo.kg")
    with pytest.raises(GraphFolderError, match="there is no such folder"), writing(tmp_path / "t"):
        pass

    assert list(tmp_path.iterdir()) == []


def test_a_writer_that_writes_nothing_leaves_no_folder(tmp_path: Path) -> None:
    """A build whose input is missing must not leave an empty graph behind."""
    with pytest.raises(ValueError, match="input"), writing(tmp_path / "my.kg", create=True):
        raise ValueError("input")

    assert list(tmp_path.iterdir()) == []


def test_a_table_whose_file_is_gone_is_an_error_that_says_so(tmp_path: Path) -> None:
    """Somebody cleaned up; the message says which file, and what to do."""
    folder = tmp_path / "my.kg"
    manifest = _commit(folder, "a")
    os.remove(folder / manifest.tables[0].stored.file)  # noqa: PTH107
    with pytest.raises(GraphFolderError, match=r"nodes/Venue-.*is missing"):
        open_snapshot(folder).table("Venue")
    with writing(folder) as writer:
        assert writer.damaged()
