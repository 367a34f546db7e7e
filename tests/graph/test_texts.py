"""The texts of a build: every one once, and only those in memory that are asked for."""

import pyarrow as pa
import pytest

from kg.graph.assembly import with_hashes
from kg.graph.extraction_table import text_hash
from kg.graph.texts import Texts

SAID = ["b", "a", "", None, "b", "c" * 5000, "a"]


@pytest.mark.parametrize("size", [1, 2, 100])
def test_every_distinct_text_is_found_by_its_hash(
    size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the order of hashes, however many papers share one."""
    monkeypatch.setattr("kg.graph.texts.PIECE", size)
    pieces = [pa.table({"text": pa.array(SAID[at : at + 3], pa.string())}) for at in (0, 3, 6)]
    texts = Texts(with_hashes(pa.concat_tables(pieces)))
    expected = {text_hash(text): text for text in SAID if text}
    assert list(texts) == sorted(expected)
    assert dict(texts) == expected
    assert len(texts) == 3
    with pytest.raises(KeyError):
        texts["0"]
    with pytest.raises(KeyError):
        texts.of([*expected, "zz"])

    keys = [text_hash(text) for text in ("c" * 5000, "a", "b", "a")]
    some = texts.of(keys)
    assert list(some) == [expected[key] for key in keys]
    assert (len(some), some[-1], some[0]) == (4, "a", "c" * 5000)
    assert list(some[1::2]) == ["a", "a"]


def test_there_may_be_no_text_at_all() -> None:
    """Records without abstracts are papers, too."""
    texts = Texts(with_hashes(pa.table({"text": pa.array(["", None], pa.string())})))
    assert (len(texts), list(texts), list(texts.of([]))) == (0, [], [])
