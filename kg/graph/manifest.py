"""What a build is made of, as manifest.json says it."""

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from kg import __version__
from kg.errors import NotAGraphError, SchemaVersionError
from kg.model.identity import digest
from kg.model.schema import SCHEMA_VERSION

# In the folder of a graph.
MANIFEST = "manifest.json"
DATABASE = "db"

FORMAT = "kg graph folder"
FOLDER_VERSION = 1


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file of the folder, by its path in it; its name holds its hash."""

    file: str
    rows: int
    sha256: str
    size_bytes: int


@dataclass(frozen=True, slots=True)
class TableFile:
    """The file that holds a table's rows; a table without rows has none."""

    table: str
    stored: StoredFile


@dataclass(frozen=True, slots=True)
class Input:
    """One file that was read, and how its count closes.

    Every block of it is a record or rejected; every record is a paper of its own, merged into
    one, or removed.
    """

    id: str  # of this reading: its records carry it
    file: str  # as the user named it
    path: str  # absolute, to know the file again when it changed; empty for standard input
    sha256: str
    options: str  # --format and --map, which make another reading of the same file
    format: str
    records: int
    rejected: int
    merged: int = 0  # records that are of a paper which another record gave
    removed: int = 0  # records of papers that `kg remove` took out
    notes: tuple[str, ...] = ()

    @property
    def papers(self) -> int:
        """Papers that this file was the first to give."""
        return self.records - self.merged - self.removed


@dataclass(frozen=True, slots=True)
class PastBuild:
    """A line of the history."""

    number: int
    build: str
    created: str
    action: str
    papers: int
    nodes: int
    edges: int


@dataclass(frozen=True, slots=True)
class Settings:
    """What the tables depend on besides records and extractions."""

    models: tuple[str, ...] = ()  # versions, the preferred first
    model_name: str = ""  # as --model named it
    min_confidence: float = 0.0
    decisions: StoredFile | None = None  # decisions.jsonl as it was when this was built
    names: StoredFile | None = None  # the user's file of names


@dataclass(frozen=True, slots=True)
class Manifest:
    """One whole build."""

    number: int
    build: str
    created: str
    action: str
    tables: tuple[TableFile, ...] = ()
    records: tuple[StoredFile, ...] = ()
    rejected: StoredFile | None = None
    reports: tuple[TableFile, ...] = ()  # what resolution says: merges, references, matches
    inputs: tuple[Input, ...] = ()
    settings: Settings = Settings()
    unapplied: tuple[str, ...] = ()  # decisions that found nothing to do, in words
    past: tuple[PastBuild, ...] = field(default=())
    kg: str = __version__  # the version that made it; another may resolve names otherwise

    def stored(self) -> tuple[StoredFile, ...]:
        """Every file that this build refers to."""
        others = (self.rejected, self.settings.names, self.settings.decisions)
        return (
            *(table.stored for table in (*self.tables, *self.reports)),
            *self.records,
            *(other for other in others if other is not None),
        )

    def rows(self, table: str) -> int:
        """How many rows a table has."""
        return sum(t.stored.rows for t in self.tables if t.table == table)

    def table(self, name: str) -> StoredFile | None:
        """The file of a table; None for an empty table."""
        return next((t.stored for t in self.tables if t.table == name), None)

    def report(self, name: str) -> StoredFile | None:
        """The file of a report."""
        return next((r.stored for r in self.reports if r.table == name), None)

    def as_past(self) -> PastBuild:
        """The line that history keeps of this build."""
        return PastBuild(
            self.number,
            self.build,
            self.created,
            self.action,
            self.rows("Paper"),
            sum(t.stored.rows for t in self.tables if "." not in t.table),
            sum(t.stored.rows for t in self.tables if "." in t.table),
        )

    def same_as(self, other: "Manifest") -> bool:
        """Say whether another build was made of the same and came out the same."""
        own = ("tables", "records", "rejected", "reports", "inputs", "settings", "unapplied", "kg")
        return all(getattr(self, name) == getattr(other, name) for name in own)

    def to_json(self) -> bytes:
        """The content of manifest.json."""
        said = {
            "format": FORMAT,
            "folder_version": FOLDER_VERSION,
            "schema_version": SCHEMA_VERSION,
            "kg": self.kg,
            **asdict(self),
        }
        try:
            return (json.dumps(said, indent=1, ensure_ascii=False) + "\n").encode("utf-8")
        except UnicodeEncodeError:  # the path of a file whose name is no UTF-8; escaped, it is kept
            return (json.dumps(said, indent=1) + "\n").encode("utf-8")

    @classmethod
    def from_json(cls, content: bytes, path: Path) -> "Manifest":
        """Read what to_json wrote.

        Raises:
            NotAGraphError: it is something else.
            SchemaVersionError: another version of kg wrote it.
        """
        try:
            said = json.loads(content)
            known = isinstance(said, dict) and said.get("format") == FORMAT
        except ValueError:
            known = False
        if not known:
            raise NotAGraphError(
                f"{path}: is not a manifest that kg wrote",
                "Name the folder of a graph, or another folder for a new one.",
            )
        versions = (said.get("folder_version"), said.get("schema_version"))
        if versions != (FOLDER_VERSION, SCHEMA_VERSION):
            raise SchemaVersionError(
                f"{path}: written by kg {said.get('kg')} (folder version {versions[0]}, schema "
                f"version {versions[1]}); this is kg {__version__} ({FOLDER_VERSION}, "
                f"{SCHEMA_VERSION})",
                "Use that version of kg, or build the graph anew from its inputs.",
            )
        try:
            return _manifest(said)
        except (KeyError, TypeError, AttributeError) as error:
            raise NotAGraphError(
                f"{path}: is damaged ({error!r})",
                "Restore it from a copy, or remove the folder and build the graph anew.",
            ) from error


def content_hash(tables: tuple[TableFile, ...]) -> str:
    """Return a build's id: the same tables have the same id, wherever they were built."""
    parts = [part for t in sorted(tables, key=_name) for part in (t.table, t.stored.sha256)]
    return digest(str(SCHEMA_VERSION), *parts)


def _name(table: TableFile) -> str:
    return table.table


def _stored(row: dict[str, Any] | None) -> StoredFile | None:
    return StoredFile(**row) if row is not None else None


def _table_files(rows: list[dict[str, Any]]) -> tuple[TableFile, ...]:
    return tuple(TableFile(row["table"], StoredFile(**row["stored"])) for row in rows)


def _manifest(said: dict[str, Any]) -> Manifest:
    settings = dict(said["settings"])
    settings["models"] = tuple(settings["models"])
    for name in ("names", "decisions"):
        settings[name] = _stored(settings[name])
    return Manifest(
        number=said["number"],
        build=said["build"],
        created=said["created"],
        action=said["action"],
        tables=_table_files(said["tables"]),
        records=tuple(StoredFile(**row) for row in said["records"]),
        rejected=_stored(said["rejected"]),
        reports=_table_files(said["reports"]),
        inputs=tuple(Input(**{**row, "notes": tuple(row["notes"])}) for row in said["inputs"]),
        settings=Settings(**settings),
        unapplied=tuple(said["unapplied"]),
        past=tuple(PastBuild(**row) for row in said["past"]),
        kg=said["kg"],
    )
