"""Cells of tables."""

import pytest

from kg.model.record import Record
from tests.sources.test_counts import run


@pytest.mark.parametrize(
    ("cell", "families"),
    [
        ("Anna BergBo K. HolmEva van Dyk", ["Berg", "Holm", "van Dyk"]),
        ("Ann McDonald", ["McDonald"]),
        ("Ann McDonald Roe", ["Roe"]),
        ("DeAndre Berg", ["Berg"]),
        ("Anna Berg and Bo Holm", ["Berg", "Holm"]),
    ],
)
def test_names_that_stand_one_behind_the_other_are_parted(cell: str, families: list[str]) -> None:
    """SpringerLink's tables put no sign between authors."""
    items, _ = run(f"Item Title,Authors,Item DOI\nWarm ice,{cell},10.1000/1\n".encode())
    (record,) = (item for item in items if isinstance(item, Record))
    assert [person.family for person in record.authors] == families
