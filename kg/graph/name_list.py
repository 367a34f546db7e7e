"""The user's file of names: CSV with the columns name, type and aliases."""

import csv
import io
from pathlib import Path

from kg.errors import InputError
from kg.model.schema import ENTITY_LABELS, NodeLabel
from kg.resolve.names import KnownName

_LABELS = {label.value.casefold(): label for label in ENTITY_LABELS}
_SEPARATORS = ";|"


def read_name_list(path: Path) -> tuple[bytes, tuple[KnownName, ...]]:
    """Return a file's content and the names in it.

    Raises:
        InputError: it cannot be read, or a line names nothing or no known type.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}", "Name a CSV file after --names.") from error
    return content, parse_names(content, str(path))


def parse_names(content: bytes, where: str = "the file of names") -> tuple[KnownName, ...]:
    """Return the names of a CSV file; aliases are parted by semicolons or bars."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{where}: is not UTF-8", "Save it as UTF-8.") from error
    reader = csv.DictReader(io.StringIO(text, newline=""))
    header = [(column or "").strip().casefold() for column in reader.fieldnames or ()]
    if not {"name", "type"} <= set(header):
        raise InputError(
            f"{where}: its first line does not name the columns name and type",
            "Begin the file with the line: name,type,aliases",
        )
    reader.fieldnames = header
    names = []
    lines: dict[tuple[NodeLabel, str], int] = {}
    for row in reader:
        name, kind = ((row[column] or "").strip() for column in ("name", "type"))
        if not name and not kind:
            continue
        label = _LABELS.get(kind.casefold())
        if not name or label is None:
            raise InputError(
                f"{where}:{reader.line_num}: "
                + (f"'{kind}' is no type" if name else "there is no name"),
                f"Write a name and one of: {', '.join(_LABELS)}.",
            )
        known = KnownName(name, NodeLabel(label), _aliases(row.get("aliases") or ""))
        for form in known.forms:
            line = lines.setdefault((label, form.casefold()), reader.line_num)
            if line != reader.line_num:
                raise InputError(
                    f"{where}:{reader.line_num}: '{form}' is a {kind.casefold()} of line {line}",
                    "Two lines are two things: leave the form to one of them, or join the lines.",
                )
        names.append(known)
    return tuple(names)


def _aliases(text: str) -> tuple[str, ...]:
    for separator in _SEPARATORS[1:]:
        text = text.replace(separator, _SEPARATORS[0])
    return tuple(alias for part in text.split(_SEPARATORS[0]) if (alias := part.strip()))
