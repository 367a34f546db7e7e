"""JSON is cut into records whatever envelope it comes in, and a fault costs one record."""

import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.sources import json_blocks as module
from kg.sources.json_blocks import json_blocks

RECORDS = [
    {"id": n, "title": 'a "quoted} \\ brace{', "authors": [{"name": "A", "orgs": [{}]}]}
    for n in range(5)
]
Envelope = dict[str, Any] | list[Any]


def values(data: bytes) -> list[Any]:
    """The values of a stream's blocks; None for a block that is no JSON."""
    return [block.value for block in json_blocks(io.BytesIO(data))]


ENVELOPES: list[Envelope] = [
    RECORDS,
    {"meta": {"filters": [{"x": 1}]}, "results": RECORDS, "group_by": [{"y": 2}]},
    {"status": "ok", "message": {"facets": {}, "items": RECORDS}},
    {"offset": 0, "data": RECORDS},
    {"hitCount": 5, "resultList": {"result": RECORDS}},
    {"took": 3, "hits": {"total": {"value": 5}, "hits": RECORDS}},
    {"responseHeader": {"status": 0}, "response": {"numFound": 5, "docs": RECORDS}},
    {"search-results": {"opensearch:totalResults": "5", "entry": RECORDS}},
]


@pytest.mark.parametrize("envelope", ENVELOPES)
@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("chunk", [1, 7, 1000])
def test_every_envelope_gives_its_records(
    envelope: Envelope, indent: int | None, chunk: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page of a service is a list of papers, however it is wrapped and wherever it is cut."""
    monkeypatch.setattr(module, "_CHUNK", chunk)
    assert values(json.dumps(envelope, indent=indent).encode()) == RECORDS


def test_an_object_without_an_envelope_is_one_record() -> None:
    """A paper's own list of references is no list of records."""
    paper = {"title": "T", "references": [{"title": "R1"}, {"title": "R2"}]}
    assert values(json.dumps(paper).encode()) == [paper]


def test_a_broken_line_costs_itself_only() -> None:
    """The line number leads the user to it."""
    blocks = list(json_blocks(io.BytesIO(b'{"a": 1}\n{"a": \n\n{"a": 3}\n')))
    assert [(b.value, b.line) for b in blocks] == [({"a": 1}, 1), (None, 2), ({"a": 3}, 4)]
    assert blocks[1].problem.startswith("not JSON")


def test_a_broken_record_in_an_array_costs_itself_only() -> None:
    """A quote that is missing does not swallow the records behind it."""
    data = json.dumps(RECORDS).encode().replace(b'"id": 2, "title": "a', b'"id": 2, "title": a', 1)
    found = values(data)
    assert [v for v in found if v is not None] == [RECORDS[0], RECORDS[1], RECORDS[3], RECORDS[4]]
    assert None in found


def test_a_file_cut_short_says_so() -> None:
    """Downloads break off; what is whole before the break is read."""
    blocks = list(json_blocks(io.BytesIO(json.dumps(RECORDS).encode()[:-20])))
    assert [b.value for b in blocks] == [*RECORDS[:4], None]
    assert "cut short" in blocks[-1].problem


@pytest.mark.parametrize("start", [b'{"id": 1}\n', b"[", b'{"results": [', b'[{"id": 1}, '])
def test_a_string_without_end_is_rejected_before_it_fills_the_memory(
    start: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One lost quote in a snapshot of many gigabytes is no reason to hold all of it."""
    monkeypatch.setattr(module, "_CHUNK", 16)
    monkeypatch.setattr(module, "LONGEST_RECORD", 64)
    found = list(json_blocks(io.BytesIO(start + b'"' + b"x" * 1000)))

    values = [block.value for block in found]
    assert [value for value in values if value] == [{"id": 1}] * (b"id" in start)
    assert values[-1] is None
    assert max(len(block.raw) for block in found) <= 64 + 16


def test_a_line_that_is_too_long_costs_itself_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """The lines behind it are read, and keep their numbers."""
    monkeypatch.setattr(module, "_CHUNK", 16)
    monkeypatch.setattr(module, "_LINES_CHUNK", 16)
    monkeypatch.setattr(module, "LONGEST_RECORD", 64)
    lines = [b'{"id": 1}', b'{"id": "' + b"x" * 200 + b'"}', b"", b'{"id": 2}', b'{"id": 3}']

    assert [(b.value, b.line) for b in json_blocks(io.BytesIO(b"\n".join(lines)))] == [
        ({"id": 1}, 1), (None, 2), ({"id": 2}, 4), ({"id": 3}, 5),
    ]  # fmt: skip


def test_nesting_without_end_is_rejected() -> None:
    """A hostile file must not exhaust the stack."""
    deep = b'{"a":' * 100_000 + b"1" + b"}" * 100_000
    (block,) = json_blocks(io.BytesIO(deep + b"\n"))
    assert block.value is None
    assert block.problem


@given(st.lists(st.dictionaries(st.text(max_size=5), st.text(max_size=8), max_size=3), max_size=6))
def test_any_array_of_objects_comes_back(items: list[dict[str, str]]) -> None:
    """Whatever strings hold, braces in them are not structure."""
    assert values(json.dumps(items, ensure_ascii=False).encode("utf-8", "replace")) == json.loads(
        json.dumps(items, ensure_ascii=False).encode("utf-8", "replace")
    )


@given(st.binary(max_size=200))
def test_no_bytes_make_it_fail(data: bytes) -> None:
    """Whatever a file holds, reading ends and says what it found."""
    for block in json_blocks(io.BytesIO(b"[" + data)):
        assert (block.problem == "") or (block.value is None)


def test_records_without_their_braces_or_quotes_cost_themselves() -> None:
    """Whether one to a line or indented, what follows a broken record is read; lines are right."""
    for break_of, indent in ((b"", b""), (b'"z": {"id": 9', b"  ")):
        broken = [
            indent + b'{"id": %d, "t": "x", %s' % (n, break_of or b'"u": "v') for n in (2, 3, 5)
        ]
        whole = [indent + b'{"id": %d, "in": [{"id": 7}, {"id": 8}]}' % n for n in (1, 4, 6)]
        rows = [whole[0], broken[0], broken[1], whole[1], broken[2], whole[2]]
        found = list(json_blocks(io.BytesIO(b"[\n" + b",\n".join(rows) + b"\n]")))
        assert [(block.value or {}).get("id") for block in found] == [1, None, None, 4, None, 6]
        assert [block.line for block in found] == [2, 3, 4, 5, 6, 7]
        assert all(block.problem.startswith("not JSON: ") for block in found if not block.value)
