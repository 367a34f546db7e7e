"""The user's file of names: CSV with the columns name, type and aliases."""

from pathlib import Path

from kg.errors import InputError
from kg.model.known_name import KnownName, parse_names


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
