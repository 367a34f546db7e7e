"""Parquet: cells that Python has no value for, and row groups that are damaged."""

import io
import json
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from kg.model.record import Record, Rejected
from tests.sources.test_counts import run


def table(columns: dict[str, Any], **options: Any) -> bytes:
    """Write Parquet."""
    target = io.BytesIO()
    pq.write_table(pa.table(columns), target, **options)
    return target.getvalue()


def test_a_time_in_nanoseconds_costs_nothing() -> None:
    """Python's times end at microseconds; the year is read all the same."""
    when = pa.array([1_546_300_800_000_000_001, None], pa.timestamp("ns"))
    items, report = run(table({"title": ["On Ice", "On Snow"], "published": when}))
    assert [(item.title, item.year) for item in items if isinstance(item, Record)] == [
        ("On Ice", 2019),
        ("On Snow", None),
    ]
    assert (report.format, report.blocks) == ("parquet", 2)


def test_a_date_past_the_end_of_time_and_broken_characters_cost_their_cell() -> None:
    """The year 20000, and bytes that are no UTF-8, in one cell each."""
    broken = pa.array([b"We walk on \xff ice.", b"We fall."]).view(pa.string())
    dates = pa.array([6_600_000, 17_897], pa.int32()).cast(pa.date32())
    items, _ = run(table({"title": ["On Ice", "On Snow"], "abstract": broken, "date": dates}))
    assert [(i.title, i.text, i.date) for i in items if isinstance(i, Record)] == [
        ("On Ice", "We walk on � ice.", ""),
        ("On Snow", "We fall.", "2019-01-01"),
    ]


def test_a_damaged_row_group_costs_its_rows_only() -> None:
    """Three groups of rows, the second overwritten."""
    titles = [f"Walk {n} on Ice with Penguins" for n in range(30)]
    data = bytearray(
        table({"title": titles}, row_group_size=10, compression="none", use_dictionary=False)
    )
    at = data.index(b"Walk 10 on Ice")
    data[at - 24 : at] = b"\xff" * 24
    items, report = run(bytes(data))
    (rejected,) = (item for item in items if isinstance(item, Rejected))
    assert rejected.reason.startswith("rows 11 to 20 are damaged: ")
    kept = [item.title for item in items if isinstance(item, Record)]
    assert kept == titles[:10] + titles[20:]
    assert (report.records, report.rejected) == (20, 1)


def test_lists_and_structures() -> None:
    """Authors as a list of structures, references as a list of lists of text."""
    authors = [[{"name": "Anna Wanderer"}, {"name": "Bo Strider"}], []]
    items, _ = run(
        table({"title": ["A", "B"], "authors": authors, "referenced_works": [["W1", "W23"], None]})
    )
    first, second = (item for item in items if isinstance(item, Record))
    assert [person.display for person in first.authors] == ["Anna Wanderer", "Bo Strider"]
    assert [reference.ids.openalex for reference in first.references] == ["W1", "W23"]
    assert (second.authors, second.references) == ((), ())


def test_works_of_openalex_in_a_table_keep_abstract_and_authors() -> None:
    """The index stands there as a map, as a structure or as JSON; an authorship holds an author."""
    index = {"We": [0], "walk": [1, 3], "and": [2]}
    names = [[{"author": {"display_name": "Anna Wanderer"}}]]
    columns = {"title": ["On Ice"], "authorships": names}
    kinds = (
        pa.array([list(index.items())], pa.map_(pa.string(), pa.list_(pa.int64()))),
        pa.array([json.dumps(index)]),
    )
    for kind in kinds:
        items, _ = run(table({**columns, "abstract_inverted_index": kind}))
        (record,) = (item for item in items if isinstance(item, Record))
        assert record.text == "We walk and walk"
        assert [person.display for person in record.authors] == ["Anna Wanderer"]


def test_a_structure_that_is_the_paper_gives_its_fields() -> None:
    """A venue's name inside is still no title, and what stands outside goes before."""
    paper = {"title": "On Ice", "year": 2019, "ids": {"doi": "10.1000/ICE"}, "venue": {"name": "J"}}
    items, _ = run(table({"paper": [paper], "year": [2020], "publisher": [{"title": "No"}]}))
    (record,) = (item for item in items if isinstance(item, Record))
    assert (record.title, record.year, record.ids.doi) == ("On Ice", 2020, "10.1000/ice")
    assert record.venue == "J"
