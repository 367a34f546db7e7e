"""Records as an Arrow table: what every step that looks across papers reads."""

from collections.abc import Iterable
from dataclasses import asdict, fields
from typing import Any

import pyarrow as pa

from kg.model.record import Identifiers, Record

_IDENTIFIERS = pa.struct([pa.field(f.name, pa.string()) for f in fields(Identifiers)])

PERSON = pa.struct([pa.field(name, pa.string()) for name in ("family", "given", "name", "orcid")])

REFERENCE = pa.struct(
    [
        pa.field("raw", pa.string()),
        pa.field("ids", _IDENTIFIERS),
        pa.field("title", pa.string()),
        pa.field("authors", pa.list_(pa.string())),
        pa.field("year", pa.int64()),
        pa.field("venue", pa.string()),
        pa.field("volume", pa.string()),
        pa.field("page", pa.string()),
    ]
)

RECORDS = pa.schema(
    [
        pa.field("title", pa.string()),
        pa.field("text", pa.string()),
        pa.field("original", pa.string()),
        pa.field("authors", pa.list_(PERSON)),
        pa.field("year", pa.int64()),
        pa.field("date", pa.string()),
        pa.field("venue", pa.string()),
        pa.field("ids", _IDENTIFIERS),
        pa.field("arxiv_version", pa.string()),
        pa.field("isbns", pa.list_(pa.string())),
        pa.field("urls", pa.list_(pa.string())),
        pa.field("topics", pa.list_(pa.string())),
        pa.field("references", pa.list_(REFERENCE)),
        pa.field("language", pa.string()),
        pa.field("kind", pa.string()),
        pa.field("format", pa.string()),
        pa.field("file", pa.string()),
        pa.field("line", pa.int64()),
        pa.field("ordinal", pa.int64()),
    ]
)


def records_table(records: Iterable[Record]) -> pa.Table:
    """Return one row per record, in order."""
    return rows_table((asdict(record) for record in records), RECORDS)


def rows_table(rows: Iterable[dict[str, Any]], schema: pa.Schema) -> pa.Table:
    """Return dicts as a table; half of a surrogate pair, which no file can hold, becomes U+FFFD."""
    held = list(rows)
    try:
        return pa.Table.from_pylist(held, schema)
    except UnicodeEncodeError:
        return pa.Table.from_pylist([_writable(row) for row in held], schema)


def writable_text(text: str) -> str:
    """Return the text as a file can hold it, of the same length unless a pair was cut apart."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def _writable(value: Any) -> Any:
    match value:
        case str():
            return writable_text(value)
        case dict():
            return {key: _writable(item) for key, item in value.items()}
        case list() | tuple():
            return [_writable(item) for item in value]
        case _:
            return value
