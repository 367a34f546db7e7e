"""CSV after RFC 4180: a folder with one file per table, and the schema beside them."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from kg.exports import lists, rows, xml
from kg.exports.tables import held_tables, write_schema
from kg.graph.changes import Snapshot
from kg.graph.tables import Table, arrow_schema

# A spreadsheet takes a cell that begins so for a formula and runs it.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\uff1d", "\uff0b", "\uff0d", "\uff20")
_BOM = b"\xef\xbb\xbf"


def write_csv(snapshot: Snapshot, folder: Path, *, for_spreadsheets: bool = False) -> None:
    """Write every table that has rows to `folder`, in UTF-8 with CRLF.

    An absent value is an empty cell and an empty string is `""`. Lists are joined as
    kg.exports.lists says.

    A title may begin with `=` and be run as a formula by a spreadsheet. Programs need the value as
    it is, so it stays by default; `for_spreadsheets` puts an apostrophe before a text cell that
    begins with = + - @, a tab or a carriage return, and a byte order mark before the file.
    """
    for table in held_tables(snapshot):
        with (folder / f"{table.name}.csv").open("xb") as file:
            if for_spreadsheets:
                file.write(_BOM)
            for line in _lines(snapshot, table, for_spreadsheets=for_spreadsheets):
                file.write(f"{line}\r\n".encode())
    write_schema(snapshot, folder, suffix=".csv")


def _lines(snapshot: Snapshot, table: Table, *, for_spreadsheets: bool) -> Iterator[str]:
    names = arrow_schema(table).names
    yield ",".join(names)
    for row in rows.rows(snapshot, table.name):
        yield ",".join(_cells((row[name] for name in names), for_spreadsheets))


def _cells(values: Iterable[Any], for_spreadsheets: bool) -> Iterator[str]:
    for value in values:
        if value is None:
            yield ""
        elif isinstance(value, bool):
            yield "true" if value else "false"
        elif isinstance(value, int | float):
            yield xml.number(value)
        else:
            text = value if isinstance(value, str) else lists.join(value)
            if for_spreadsheets and text.startswith(_FORMULA):
                text = f"'{text}"
            yield _quoted(text)


def _quoted(text: str) -> str:
    if text and not any(c in text for c in ',"\r\n'):
        return text
    return '"' + text.replace('"', '""') + '"'
