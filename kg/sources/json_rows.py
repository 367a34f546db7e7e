"""JSON and JSON lines of any shape, their fields mapped by name."""

from collections.abc import Iterator, Mapping
from itertools import chain, islice
from typing import Any, BinaryIO

from kg.model.record import Rejected
from kg.sources.columns import ColumnMap
from kg.sources.json_blocks import JsonBlock, json_blocks
from kg.sources.reader import GIVES, Fields, Item, Note, Sample, Takes, guarded, reader
from kg.sources.rows import row_record

_LOOK = 50  # records from which the columns are guessed


def _sniff(sample: Sample) -> float:
    if not sample.start.startswith(("{", "[")):
        return 0.0
    if sample.is_json_lines:
        return 0.5
    return 0.4 if '"' in sample.start[:200] else 0.0


@reader(
    "json",
    about="JSON and JSON lines of any shape; fields mapped by name or --map",
    gives=GIVES,
    takes=Takes.UTF8,
    suffixes=(".json", ".jsonl", ".ndjson"),
    sniff=_sniff,
    mapped=True,
)
def read_json(stream: BinaryIO, fields: Fields | None = None) -> Iterator[Item]:
    """Yield a Record or Rejected for every JSON object of a stream."""
    columns = ColumnMap(fields)
    blocks = json_blocks(stream)
    first = list(islice(blocks, _LOOK))
    columns.guess([flat(block.value) for block in first if isinstance(block.value, dict)])
    for block in chain(first, blocks):
        yield from guarded(_items, block, columns)
    yield Note(columns.describe())


def _items(block: JsonBlock, columns: ColumnMap) -> Iterator[Item]:
    if block.problem:
        yield Rejected(block.problem, block.text, line=block.line)
    elif not isinstance(block.value, dict):
        yield Rejected("a value where an object was expected", block.text, line=block.line)
    else:
        yield row_record(flat(block.value), columns, block)


def flat(value: Mapping[str, Any]) -> dict[str, Any]:
    """Add what two levels of nesting hold as outer.inner.innermost, so that it can be mapped."""
    flat: dict[str, Any] = {}
    for name, inner in value.items():
        flat[name] = inner
        if isinstance(inner, dict):
            for key, deep in inner.items():
                flat[f"{name}.{key}"] = deep
                if isinstance(deep, dict):
                    flat.update((f"{name}.{key}.{last}", deepest) for last, deepest in deep.items())
    return flat
