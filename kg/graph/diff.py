"""What differs between two builds."""

from concurrent.futures import ThreadPoolExecutor

from kg.graph.changes import Changes, Snapshot, TableChange
from kg.graph.compare import compared
from kg.graph.kept_changes import kept_change
from kg.graph.snapshot import FolderSnapshot
from kg.graph.tables import TABLES, Table

_AT_A_TIME = 2


def diff(old: Snapshot | None, new: Snapshot) -> Changes:
    """Return the rows that came, went and changed from one build to another.

    Tables whose files are the same are not read at all, and of those that the later build has
    compared with the earlier one while it was made only the rows that differ. All others are read
    in the order of ids, a piece at a time: memory grows with what differs. Two tables are
    compared at a time.

    Args:
        old: the earlier build; None for nothing at all, and everything comes.
        new: the later build.
    """
    differing = [
        table for name, table in TABLES.items() if old is None or not _same_bytes(old, new, name)
    ]
    # Arrow lets go of the interpreter while it reads and compares.
    with ThreadPoolExecutor(_AT_A_TIME) as threads:
        found = list(threads.map(lambda table: _table_change(table, old, new), differing))
    tables = tuple(change for change in found if change.size)
    return Changes(None if old is None else old.build, new.build, tables)


def _same_bytes(old: Snapshot, new: Snapshot, name: str) -> bool:
    # Files carry the hash of their content in their names.
    files = tuple(file.name for file in new.files(name))
    return bool(files) and files == tuple(file.name for file in old.files(name))


def _table_change(table: Table, old: Snapshot | None, new: Snapshot) -> TableChange:
    if isinstance(old, FolderSnapshot) and isinstance(new, FolderSnapshot):
        stored = (old.stored(table.name), new.stored(table.name))
        kept = kept_change(new.path, table, *stored)
        if kept is not None:
            return kept
    earlier = iter(()) if old is None else old.batches(table.name)
    found = compared(table, earlier, new.batches(table.name))
    if found is None:
        raise AssertionError("no limit was given")
    return found
