"""Which changes of papers are of their place in a file alone."""

from typing import Any

import pyarrow as pa
import pytest

from kg.graph.changes import TableChange
from kg.graph.moved import moved, without_moved
from kg.graph.tables import TABLES, arrow_schema, empty


def _change(name: str, before: dict[str, Any], after: dict[str, Any]) -> TableChange:
    table = TABLES[name]
    sides = (
        pa.Table.from_pylist([{"id": "x", **row}], arrow_schema(table)) for row in (after, before)
    )
    return TableChange(table, empty(table), empty(table), *sides)


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (["a.txt:7"], ["a.txt:6"], True),
        (["a.ris#7", "b.bib:1"], ["a.ris#12", "b.bib:3"], True),
        (["a:1:7"], ["a:2:7"], False),  # files whose names end like lines
        (["a.txt:7"], ["b.txt:7"], False),
        (["a.txt:7"], ["a.txt:6", "a.txt:9"], False),  # a record more
        (["a.txt:6", "a.txt:9"], ["a.txt:7"], False),
        (["a.txt:7"], [], False),
        ([], ["a.txt:7"], False),
    ],
)
def test_a_paper_moved_when_each_of_its_records_is_in_the_file_it_was_in(
    before: list[str], after: list[str], expected: bool
) -> None:
    """A record that came, went or is of another file is news; its line is none."""
    change = _change("Paper", {"sources": before}, {"sources": after})

    assert moved(change).tolist() == [expected]
    assert without_moved(change).size == (0 if expected else 1)


def test_a_paper_that_also_changed_has_changed() -> None:
    """Nothing may hide behind a line."""
    before, after = {"sources": ["a:7"], "year": None}, {"sources": ["a:6"], "year": 2020}

    assert moved(_change("Paper", before, after)).tolist() == [False]


def test_what_has_no_place_in_a_file_does_not_move() -> None:
    """Only papers say where they were read."""
    assert moved(_change("Venue", {"name": "a"}, {"name": "b"})).tolist() == [False]
