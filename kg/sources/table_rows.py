"""The rows of a delimited table, with their lines, whatever the quotes do."""

import csv
import re
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

_LONGEST_ROW = 2000  # lines; a row over more has lost its closing quote
_LONGEST_CELL = 1 << 24


@dataclass(frozen=True, slots=True)
class Row:
    """The cells of a row, its first line from 1, its raw text, and what is wrong with it."""

    cells: list[str]
    line: int
    raw: str
    problem: str = ""

    @property
    def text(self) -> str:
        """The row as it stands in the file."""
        return self.raw


class Table:
    """Iterates over the rows of a table.

    A quote that is never closed costs its own line, not the rest of the file: the lines that it
    swallowed are read again.
    """

    def __init__(self, lines: Iterable[str], delimiter: str) -> None:
        self._lines = iter(lines)
        # A quote within a cell, where CSV would double it.
        self._escaped = re.compile(rf'\\"(?!["{re.escape(delimiter)}]|$)')
        self._delimiter = delimiter
        self._again: deque[str] = deque()
        self._taken: list[str] = []
        self._line = 0
        self._width = 0
        self._ended = False

    def __iter__(self) -> Iterator[Row]:
        """Yield the rows in order."""
        csv.field_size_limit(_LONGEST_CELL)
        while (row := self._next()) is not None:
            if row.cells:
                self._width = self._width or len(row.cells)
                yield row

    def _next(self) -> Row | None:
        self._taken = []
        try:
            cells = next(csv.reader(self._feed(), delimiter=self._delimiter))
            problem = ""
        except StopIteration:
            return None
        except csv.Error as error:
            cells, problem = [], str(error)
        taken = self._taken
        start = self._line - len(taken) + 1
        if len(taken) > 1 and (problem or len(taken) > _LONGEST_ROW or self._unclosed()):
            # The first line alone is at fault; the others get another chance.
            self._again.extendleft(reversed(taken[1:]))
            self._line -= len(taken) - 1
            single = self._plain(taken[0])
            if single is not None:
                return Row(single, start, taken[0])
            return Row([""], start, taken[0], "a quote is opened and never closed")
        raw = "\n".join(taken)
        if problem:
            return Row([""], start, raw, f"not a row of a table: {problem}")
        if len(taken) == 1 and (len(cells) != self._width or self._escaped.search(raw)):
            cells = self._plain(raw) or self._backslashes(raw) or cells
        return Row(cells, start, raw)

    def _feed(self) -> Iterator[str]:
        while len(self._taken) <= _LONGEST_ROW:
            if self._again:
                line = self._again.popleft()
            else:
                following = next(self._lines, None)
                if following is None:
                    self._ended = True
                    return
                line = following
            self._line += 1
            self._taken.append(line)
            yield f"{line}\n"

    def _unclosed(self) -> bool:
        """Whether the row ran into the end of the file within quotes."""
        at_end = self._ended and not self._again
        return at_end and sum(line.count('"') for line in self._taken) % 2 == 1

    def _plain(self, line: str) -> list[str] | None:
        """Read a row without quoting, where that gives the right number of cells."""
        cells = line.split(self._delimiter)
        return cells if self._width and len(cells) == self._width and self._tabbed() else None

    def _backslashes(self, line: str) -> list[str] | None:
        r"""Read a row whose quotes are escaped as \", where that gives the right number."""
        if '\\"' not in line or not self._width:
            return None
        rows = csv.reader([line], delimiter=self._delimiter, doublequote=False, escapechar="\\")
        try:
            cells = next(rows)
        except (csv.Error, StopIteration):
            return None
        return cells if len(cells) == self._width else None

    def _tabbed(self) -> bool:
        # Tabs do not stand in texts, so cells need no quotes; commas do.
        return self._delimiter == "\t"
