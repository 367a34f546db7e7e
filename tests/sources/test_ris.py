"""RIS whose records have no marked end."""

import pytest

from kg.model.record import Record, Rejected
from kg.sources.reader import Item, Note
from kg.sources.ris import read_ris

FIRST = ["TY  - JOUR", "TI  - On ice", "AU  - Doe, Jane"]
LAST = ["TY  - CHAP", "TI  - On snow", "PY  - 2020"]


def titles(items: list[Item]) -> list[str]:
    """Of the records; a rejection shows as its reason."""
    found = [item for item in items if not isinstance(item, Note)]
    return [item.title if isinstance(item, Record) else item.reason for item in found]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ([*FIRST, *LAST], ["On ice", "On snow"]),
        ([*FIRST, "", *LAST], ["On ice", "On snow"]),
        (LAST, ["On snow"]),
        ([*FIRST, "ER  - ", *LAST], ["On ice", "no ER line; is the file cut short?"]),
        ([*FIRST, "TY  - BOOK"], ["On ice", "no ER line; is the file cut short?"]),
    ],
)
def test_the_last_record_is_whole_where_none_is_marked(
    lines: list[str], expected: list[str]
) -> None:
    """Some programs write no ER; where the others have one, the file broke off."""
    assert titles(list(read_ris(lines))) == expected


def test_words_behind_er_and_between_records_spoil_nothing() -> None:
    """Services sign their exports."""
    lines = [*FIRST, "ER  - Copyright of the Ice Base", "", *LAST, "ER  -", "End of the export."]
    first, second, words = read_ris(lines)
    assert titles([first, second]) == ["On ice", "On snow"]
    assert words == Rejected(
        "no TY line: the record has no beginning", "End of the export.", line=10
    )
