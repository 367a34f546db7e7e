"""What differs between two builds, against the plain comparison of all rows."""

from collections.abc import Mapping
from typing import Any

import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.graph.diff import diff
from kg.graph.snapshot import MemorySnapshot
from kg.graph.tables import TABLES, arrow_schema

_METHOD = arrow_schema(TABLES["Method"])
Rows = Mapping[str, dict[str, Any]]

_ids = st.text(st.sampled_from("abé\U0001f600"), min_size=1, max_size=2)
_values = st.fixed_dictionaries(
    {
        "name": st.one_of(st.none(), st.sampled_from(["x", "y"])),
        "named": st.one_of(st.none(), st.booleans()),
        "surfaces": st.one_of(st.none(), st.lists(st.sampled_from(["s", "t", ""]), max_size=3)),
        "surface_counts": st.lists(st.integers(0, 2), max_size=2),
        "papers": st.one_of(st.none(), st.integers(0, 2)),
    }
)
_rows = st.dictionaries(_ids, _values, max_size=12)


class _Pieces(MemorySnapshot):
    """A snapshot that comes in small pieces, as a large one does."""

    def batches(self, name: str, columns: list[str] | None = None) -> Any:
        yield from self.table(name).to_batches(max_chunksize=2)


def _snapshot(build: str, rows: Rows) -> MemorySnapshot:
    listed = [{"id": key, **rows[key]} for key in sorted(rows)]
    return _Pieces(build, {"Method": pa.Table.from_pylist(listed, _METHOD)})


@settings(max_examples=200, deadline=None)
@given(_rows, _rows)
def test_every_row_that_differs_is_found_and_no_other(old: Rows, new: Rows) -> None:
    """Stores apply differences; one that is missed stays wrong for ever."""
    changes = diff(_snapshot("a", old), _snapshot("b", new))
    both = sorted(set(old) & set(new))
    expected = {
        "came": sorted(set(new) - set(old)),
        "went": sorted(set(old) - set(new)),
        "changed": [key for key in both if old[key] != new[key]],
        "before": [key for key in both if old[key] != new[key]],
    }
    if not any(expected.values()):
        assert changes.tables == ()
        return
    (change,) = changes.tables
    found = {name: getattr(change, name)["id"].to_pylist() for name in expected}

    assert found == expected
    assert [row["name"] for row in change.before.to_pylist()] == [
        old[key]["name"] for key in expected["before"]
    ]
    assert [row["surfaces"] for row in change.changed.to_pylist()] == [
        new[key]["surfaces"] for key in expected["changed"]
    ]


def test_everything_comes_when_there_was_nothing() -> None:
    """The first load of a store is the difference against nothing."""
    row = {"name": "x", "named": True, "surfaces": [], "surface_counts": [], "papers": 1}
    changes = diff(None, _snapshot("b", {"m": row}))

    assert (changes.old, changes.new, changes.size) == (None, "b", 1)
    assert changes.tables[0].came["id"].to_pylist() == ["m"]
