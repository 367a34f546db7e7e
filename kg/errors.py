"""Everything that kg raises on purpose, as one tree.

KgError
├── InputError            a file, a folder or its content
│   └── UnknownFormatError
├── GraphFolderError      the folder of a built graph
│   ├── NotAGraphError
│   ├── LockedError
│   └── SchemaVersionError
├── ModelError            an extraction model
├── DecisionError         a decision that cannot be taken
├── NotFoundError         a name or id that the graph does not hold
├── QueryError            Cypher that a store refuses
├── StoreError            a database
│   ├── StoreUnavailableError
│   ├── StoreBusyError
│   └── StoreAuthError
└── ExportError           a file that could not be written
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Self


class KgError(Exception):
    """What went wrong, and what the user can do about it."""

    def __init__(self, problem: str, remedy: str) -> None:
        # Both go into args, so the error survives the trip from a worker process.
        super().__init__(problem, remedy)

    def __str__(self) -> str:
        return "\n".join(str(arg) for arg in self.args)

    @property
    def problem(self) -> str:
        """What went wrong, one sentence."""
        return str(self.args[0])

    @property
    def remedy(self) -> str:
        """What the user can do about it."""
        return str(self.args[1])


class InputError(KgError):
    """A file or folder cannot be read at all."""


class UnknownFormatError(InputError):
    """No reader claims the file."""

    @classmethod
    def for_path(cls, path: Path | str, known: Iterable[str]) -> Self:
        """Name the file and the formats that --format takes."""
        return cls(
            f"{path}: the content is of no format that kg knows",
            f"Pass --format with one of: {', '.join(sorted(known))}.",
        )


class GraphFolderError(KgError):
    """The folder of a graph cannot be read or written."""


class NotAGraphError(GraphFolderError):
    """The folder exists, but kg did not write it."""


class LockedError(GraphFolderError):
    """Another process writes to the folder."""


class SchemaVersionError(GraphFolderError):
    """The folder was written by another version of the schema."""


class ModelError(KgError):
    """An extraction model is missing, damaged or of another version."""


class DecisionError(KgError):
    """A decision names something that the graph does not hold, or contradicts another."""


class NotFoundError(KgError):
    """A name or an id that the graph does not hold."""


class QueryError(KgError):
    """The database refuses a query."""


class StoreError(KgError):
    """A database fails."""


class StoreUnavailableError(StoreError):
    """No database answers at the address."""


class StoreBusyError(StoreError):
    """Another process writes the graph in the database."""


class StoreAuthError(StoreError):
    """The database refuses the user or the password."""


class ExportError(KgError):
    """A file could not be written; nothing was left behind."""
