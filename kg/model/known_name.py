"""Names that are known beforehand: the user's own file of them, and the shape of shipped ones."""

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kg.errors import InputError
from kg.model.schema import ENTITY_LABELS, NodeLabel

if TYPE_CHECKING:
    import _csv

_LABELS = {label.value.casefold(): label for label in ENTITY_LABELS}
_SEPARATORS = ";|"
# One field may be as long as this; the csv module itself stops at 131,072 characters.
_LONGEST_FIELD = 1 << 24


@dataclass(frozen=True, slots=True)
class KnownName:
    """One thing by its canonical name, with the other forms it goes by."""

    name: str
    label: NodeLabel
    aliases: tuple[str, ...] = ()

    @property
    def forms(self) -> tuple[str, ...]:
        """The canonical name, then its aliases."""
        return (self.name, *self.aliases)


def parse_names(content: bytes, where: str = "the file of names") -> tuple[KnownName, ...]:
    """Return the names of a CSV file with the columns name, type and, if it likes, aliases.

    Aliases are parted by semicolons or bars.

    Raises:
        InputError: a line names nothing or no known type, or two lines claim one form.
    """
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{where}: is not UTF-8", "Save it as UTF-8.") from error
    reader = csv.reader(io.StringIO(text, newline=""))
    limit = csv.field_size_limit(_LONGEST_FIELD)
    try:
        return tuple(_parsed(reader, where))
    except csv.Error as error:
        raise InputError(
            f"{where}:{reader.line_num}: {error}", "Is it a CSV file, with all quotes closed?"
        ) from error
    finally:
        csv.field_size_limit(limit)


def _parsed(reader: "_csv.Reader", where: str) -> Iterator[KnownName]:
    header = [column.strip().casefold() for column in next(reader, ())]
    if not {"name", "type"} <= set(header):
        raise InputError(
            f"{where}: its first line does not name the columns name and type",
            "Begin the file with the line: name,type,aliases",
        )
    columns = [header.index(c) if c in header else len(header) for c in ("name", "type", "aliases")]
    lines: dict[tuple[NodeLabel, str], int] = {}
    for row in reader:
        name, kind, aliases = (row[at].strip() if at < len(row) else "" for at in columns)
        if not name and not kind:
            continue
        label = _LABELS.get(kind.casefold())
        if not name or label is None:
            raise InputError(
                f"{where}:{reader.line_num}: "
                + (f"'{kind[:40]}' is no type" if name else "there is no name"),
                f"Write a name and one of: {', '.join(_LABELS)}.",
            )
        known = KnownName(name, NodeLabel(label), _aliases(aliases))
        for form in known.forms:
            line = lines.setdefault((label, form.casefold()), reader.line_num)
            if line != reader.line_num:
                raise InputError(
                    f"{where}:{reader.line_num}: '{form[:80]}' is a {kind.casefold()} of line {line}",
                    "Two lines are two things: leave the form to one of them, or join the lines.",
                )
        yield known


def _aliases(text: str) -> tuple[str, ...]:
    if not text:
        return ()
    for separator in _SEPARATORS[1:]:
        text = text.replace(separator, _SEPARATORS[0])
    return tuple(alias for part in text.split(_SEPARATORS[0]) if (alias := part.strip()))
