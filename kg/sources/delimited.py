"""CSV, TSV and semicolon tables; the exports of every service that has a "CSV" button among them."""

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice

from kg.model.record import Record, Rejected
from kg.sources.columns import ColumnMap
from kg.sources.reader import GIVES, Fields, Item, Note, Sample, guarded, reader
from kg.sources.rows import row_record
from kg.sources.table_rows import Row, Table

DELIMITERS = ",\t;|"
_LOOK = 50  # rows from which the columns are guessed
_HEAD = 12  # rows among which the header is looked for; some exports put words above it


# A header of commas that was padded with semicolons.
_PADDED = re.compile(r",[^,;]*;{3,}\s*$")
# An object or an array; its lines may hold as many commas each as those of a table do.
_JSON = re.compile(r'[\[{]\s*(?:"[^"\n]*"\s*[:,\]]|[\[{\]}])')


def _sniff(sample: Sample) -> float:
    if _JSON.match(sample.start):
        return 0.0
    lines = sample.lines if sample.whole else sample.lines[:-1]
    delimiter, header = find_header(lines[:200])
    table = list(islice(Table(lines[:200], delimiter), 60))
    if header >= len(table):
        return 0.0
    names, rows = table[header].cells, table[header + 1 :]
    if len(names) < 2:
        return 0.0
    if max(map(len, names)) > 80:
        return 0.3 if delimiter == "\t" and _is_bare(table[header:]) else 0.0
    columns = ColumnMap()
    known = columns.known(names)
    if known >= 2 and columns.has_text(names):
        return 0.8
    if delimiter == "\t" and not any(row.cells[0].strip() for row in table[header:]):
        return 0.0  # every line starts with a tab: an indented text
    if not known and _is_prose(lines, [row.cells for row in rows]):
        return 0.0
    alike = sum(len(row.cells) == len(names) for row in rows)
    if len(names) >= 3 and len(rows) >= 2 and alike > 0.8 * len(rows):
        return 0.45 if known else 0.3
    return 0.0


def _is_prose(lines: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Whether what parts the cells are the commas of sentences, a blank behind each, or paragraphs."""
    blank = sum(not line.strip() for line in lines)
    later = [cell for row in rows for cell in row[1:] if cell.strip()]
    spaced = sum(cell.startswith(" ") and cell.rstrip()[-1] not in "\"'|" for cell in later)
    return blank > 0.4 * len(lines) or (bool(later) and spaced > 0.9 * len(later))


def _is_bare(rows: Sequence[Row]) -> bool:
    """Whether rows that no header names are a table: as wide as each other, with one long text each."""
    widths = {len(row.cells) for row in rows if any(row.cells)}
    long = all(max(map(len, row.cells)) > 80 for row in rows if any(row.cells))
    return (
        len(rows) >= 2 and len(widths) == 1 and long and all(row.cells[0].strip() for row in rows)
    )


@reader(
    "csv",
    about="CSV, TSV and semicolon tables of any service; columns mapped by name or --map",
    gives=GIVES,
    suffixes=(".csv", ".tsv", ".tab"),
    sniff=_sniff,
    mapped=True,
)
def read_csv(lines: Iterable[str], fields: Fields | None = None) -> Iterator[Item]:
    """Yield a Record or Rejected for every row under the header."""
    columns = ColumnMap(fields)
    yield from table_items(lines, columns)
    yield Note(columns.describe())


def find_header(lines: Sequence[str], columns: ColumnMap | None = None) -> tuple[str, int]:
    """Return the delimiter of a table and the index of its header among its rows."""
    columns = columns or ColumnMap()
    best: tuple[tuple[int, int, bool, float, int], str, int] = ((-1, 0, False, 0.0, 0), ",", 0)
    for delimiter in DELIMITERS:
        rows = list(islice(Table(lines, delimiter), 60))
        for index, row in enumerate(rows[:_HEAD]):
            width = len(row.cells)
            if width < 2:
                continue
            below = rows[index + 1 :]
            alike = sum(len(other.cells) == width for other in below) / max(1, len(below))
            known = columns.known(row.cells) if max(map(len, row.cells)) <= 80 else 0
            text = int(columns.has_text(row.cells)) if known else 0
            tabbed = delimiter == "\t" and alike > 0.9  # no sentence holds tabs; some hold commas
            score = (text, known, tabbed, round(alike, 1), min(width, 9))
            if score > best[0]:
                best = (score, delimiter, index)
    return best[1], best[2]


def table_items(lines: Iterable[str], columns: ColumnMap) -> Iterator[Item]:
    """Yield the items of a table; its columns go through the map."""
    lines = iter(lines)
    head = list(islice(lines, 200))
    if head and head[0].lower().startswith("sep="):
        head = ["", *head[1:]]  # Excel's line; kept so that line numbers stay right
    cut: dict[int, str] = {}
    if head and _PADDED.search(head[0]):
        lines = _rejoined(chain(head, lines), cut)
        head = list(islice(lines, 200))
    delimiter, header = find_header(head, columns)
    rows = iter(Table(chain(head, lines), delimiter))
    for above in islice(rows, header):
        if any(cell.strip() for cell in above.cells):
            yield Rejected("above the header of the table", above.raw, line=above.line)
    first = next(rows, None)
    if first is None:
        return
    names = _names(first, columns)
    sample = list(islice(rows, _LOOK))
    if names is None:
        names = [f"column{index}" for index in range(1, len(first.cells) + 1)]
        sample.insert(0, first)
        yield Note("no header; columns are named column1, column2, ...")
    columns.guess([dict(zip(names, row.cells, strict=False)) for row in sample])
    least = _usual_width(sample, len(names))
    short = 0
    for row in chain(sample, rows):
        for item in guarded(_items, row, names, columns, least):
            short += isinstance(item, Record) and len(row.cells) < least
            yield item
        yield from _cut_rows(cut)
    yield from _cut_rows(cut)
    if short:
        yield Note(f"{short} rows with fewer cells than the header has; the last columns are empty")


def _rejoined(lines: Iterable[str], cut: dict[int, str]) -> Iterator[str]:
    """Undo what a program did that took a table with commas for one with semicolons and saved it.

    A row without semicolons became one cell. Others were cut at them and lost quotes; they go into
    `cut`, by their line, and a blank line stands for them.
    """
    for number, line in enumerate(lines, start=1):
        try:
            cells = next(csv.reader([line], delimiter=";"), [])
        except csv.Error:
            cells = ["", line]
        if any(cells[1:]):
            cut[number] = line
        yield cells[0] if cells and number not in cut else ""


def _cut_rows(cut: dict[int, str]) -> Iterator[Rejected]:
    for line in sorted(cut):
        reason = "a spreadsheet cut the row at its semicolons; export the table anew"
        yield Rejected(reason, cut.pop(line), line=line)


def _names(first: Row, columns: ColumnMap) -> list[str] | None:
    """The header's names, made unique; None where the first row is data already."""
    cells = [cell.strip().lstrip("\ufeff") for cell in first.cells]
    while cells and not cells[-1]:
        cells.pop()
    if not columns.known(cells) and any(len(cell) > 80 for cell in cells):
        return None
    names: list[str] = []
    for cell in cells:
        name, count = cell, 2
        while name in names:
            name, count = f"{cell} {count}", count + 1
        names.append(name)
    return names


def _usual_width(rows: Sequence[Row], width: int) -> int:
    """The fewest cells that a row may have: fewer than the header's only where most rows have."""
    widths = [len(row.cells) for row in rows if row.cells]
    usual = max(widths, key=widths.count, default=width)
    return min(width, usual) if widths.count(usual) > len(widths) / 2 else width


def fits(row: Row, least: int) -> bool:
    """Whether a row has cells enough: some programs leave out those at the end that are empty."""
    width = len(row.cells)
    return width >= least or (width >= max(2, least / 2) and row.raw.count('"') % 2 == 0)


def _items(row: Row, names: Sequence[str], columns: ColumnMap, least: int) -> Iterator[Item]:
    if not any(cell.strip(" \t:-") for cell in row.cells) and not row.problem:
        return  # an empty row holds nothing, nor does the rule under a header in Markdown
    if row.problem:
        yield Rejected(row.problem, row.raw, line=row.line)
    elif not fits(row, least) or any(cell.strip() for cell in row.cells[len(names) :]):
        reason = f"{len(row.cells)} cells where the header has {len(names)}; is a quote missing?"
        yield Rejected(reason, row.raw, line=row.line)
    else:
        values = dict(zip(names, row.cells, strict=False))
        yield row_record(values, columns, row)
