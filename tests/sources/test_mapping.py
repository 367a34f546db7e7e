"""What the user says of a table's columns also says that it is a table."""

from pathlib import Path

import pytest

from kg.errors import InputError
from kg.model.record import Record
from kg.sources.registry import read


def test_a_small_table_of_unusual_columns_is_read_as_mapped(tmp_path: Path) -> None:
    """Two lines of text with commas could be anything, were it not for --map."""
    path = tmp_path / "papers.csv"
    path.write_text('Heading,Gist,Other\nWalks,"We walk, and fall.",7\n'.replace("\\\n", "\n"))
    (record,) = read([path], fields={"title": "Heading", "abstract": "Gist"})
    assert isinstance(record, Record)
    assert (record.format, record.title, record.text) == ("csv", "Walks", "We walk, and fall.")


def test_a_mapping_does_not_turn_other_files_into_tables(tmp_path: Path) -> None:
    """A folder holds files of several kinds, and --map speaks of one of them."""
    path = tmp_path / "library.bib"
    path.write_text("@article{a, title = {Walks, and Falls}, year = {2001}}")
    (record,) = read([path], fields={"abstract": "Summary"})
    assert isinstance(record, Record)
    assert (record.format, record.title) == ("bibtex", "Walks, and Falls")


def test_a_field_that_does_not_exist_is_an_error_at_once(tmp_path: Path) -> None:
    """Else every table would be rejected as if it were damaged, and the other files were read."""
    with pytest.raises(InputError) as caught:
        read([tmp_path / "papers.csv"], fields={"abstrct": "Summary"})
    assert caught.value.problem == "--map abstrct=...: a record has no field abstrct"
