"""Which of the files that a user names are new, and what is in those."""

import hashlib
import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO

import pyarrow as pa

from kg.errors import InputError
from kg.graph.manifest import Input
from kg.graph.record_parts import RECORD_PART, REJECTED_PART, record_part, rejected_part
from kg.model.identity import digest
from kg.model.record import FileReport, Record, Rejected
from kg.resolve.records import writable_text
from kg.sources.columns import check_fields
from kg.sources.files import NamedFile, named_files
from kg.sources.registry import read

_ROWS = 5000  # records that become Arrow at a time
_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class NewInputs:
    """What reading the named files gave."""

    new: tuple[Input, ...]
    known: tuple[Input, ...]  # named again, and as they were
    replaced: tuple[str, ...]  # ids of earlier readings of files that have changed since
    records: pa.Table
    rejected: pa.Table


def read_inputs(
    names: list[str | Path],
    before: tuple[Input, ...],
    *,
    out: Path,
    format: str | None,  # noqa: A002
    fields: Mapping[str, str],
    reread: bool,
    stdin: BinaryIO | None,
    say: Callable[[str], None],
) -> NewInputs:
    """Read the files that the graph does not know, or knows as they were before a change.

    A file is the same when it has the same place and content, or the same name and content,
    so that a graph can be taken to another machine with its inputs. Without a format or
    fields it stays as it was read; other ones make another reading of it. What stands in the
    graph's own folder is no input.

    Raises:
        InputError: a record has no such field; or nothing that was named could be read, and
            nothing of it was known.
    """
    check_fields(fields)
    options = json.dumps([format or "", sorted(fields.items())]) if format or fields else ""
    new: list[Input] = []
    known: list[Input] = []
    replaced: set[str] = set()
    records: list[pa.Table] = [RECORD_PART.empty_table()]
    rejected: list[pa.Table] = [REJECTED_PART.empty_table()]
    problems: list[InputError] = []
    for file in map(_writable, named_files(names)):
        if file.path is not None and file.path.resolve().is_relative_to(out.resolve()):
            continue
        # abspath, since a name with .. in it is the same place.
        place = os.path.abspath(file.path) if file.path and file.path.is_file() else ""  # noqa: PTH100
        content = _hash(file) if place else ""
        current = (*before, *new)
        same = _same(current, file.name, place, content, options) if content else None
        if same is not None and not reread:
            if same not in new:
                known.append(same)
            continue
        earlier = [each for each in current if place and _was(each, file.name, place)]
        try:
            found = _read(file, place, content, options, format, fields, stdin)
        except InputError as error:
            problems.append(error)
            kept = [each for each in current if each.file == file.name and each.records]
            if kept:
                say(f"{error.problem}; what was read of it before stays.")
                known += kept
                continue
            found = _unread(file, error)
            if found.input in current:  # as it was the last time
                known.append(found.input)
                continue
        if not place:  # what comes through a pipe is known only now
            same = _same(current, file.name, place, found.input.sha256, options)
            if same is not None and not reread:
                known.append(same)
                continue
        if same is not None and same not in earlier:
            earlier.append(same)
        if any(each.sha256 != content for each in earlier if place):
            say(f"{file.name}: has changed, and is read again.")
        replaced.update(each.id for each in earlier)
        new.append(found.input)
        records.append(found.records)
        rejected.append(found.rejected)
    if problems and len(problems) == len(new) and not known:
        raise _nothing(problems)
    if not new and not known and not problems:
        raise InputError("there is no input", "Name files, folders, or - for standard input.")
    return NewInputs(
        tuple(new),
        tuple(known),
        tuple(sorted(replaced)),
        pa.concat_tables(records),
        pa.concat_tables(rejected),
    )


@dataclass(frozen=True, slots=True)
class _Found:
    input: Input
    records: pa.Table
    rejected: pa.Table


def _same(
    inputs: tuple[Input, ...], name: str, place: str, content: str, options: str
) -> Input | None:
    for each in inputs:
        alike = each.sha256 == content and (not options or each.options == options)
        if alike and (each.file == name or (place and each.path == place)):
            return each
    return None


def _was(earlier: Input, name: str, place: str) -> bool:
    """Say whether an earlier reading was of this file, whatever stood in it then."""
    moved = bool(earlier.path) and not Path(earlier.path).exists()
    # A file that could not be read then, such as one that was missing, has no place.
    unread = not earlier.path and not earlier.format
    return earlier.path == place or (earlier.file == name and (moved or unread))


def _writable(file: NamedFile) -> NamedFile:
    """Return the file under a name that can be written down; names need not be UTF-8."""
    return replace(file, name=writable_text(file.name))


def _hash(file: NamedFile) -> str:
    """Return the hash of a file's content; empty where it cannot be had beforehand."""
    # A pipe can be read only once, by the reader.
    if file.path is None or file.problem or not file.path.is_file():
        return ""
    hashed = hashlib.sha256()
    try:
        with file.path.open("rb") as content:
            while chunk := content.read(_CHUNK):
                hashed.update(chunk)
    except OSError:
        return ""
    return hashed.hexdigest()


def _read(
    file: NamedFile,
    place: str,
    content: str,
    options: str,
    format: str | None,  # noqa: A002
    fields: Mapping[str, str],
    stdin: BinaryIO | None,
) -> _Found:
    reports: list[FileReport] = []
    if file.problem:
        raise InputError(file.problem, file.remedy)
    input_id = digest(file.name, place, content or "pipe", options)
    records: list[pa.Table] = [RECORD_PART.empty_table()]
    rejected: list[pa.Table] = [REJECTED_PART.empty_table()]
    held: list[Record] = []
    refused: list[Rejected] = []
    items = read(
        [_readable(file)], format=format, fields=fields, stdin=stdin, on_file=reports.append
    )
    for item in items:
        if isinstance(item, Record):
            held.append(item)
        else:
            refused.append(item)
        if len(held) + len(refused) >= _ROWS:
            records.append(record_part(input_id, held))
            rejected.append(rejected_part(input_id, refused))
            held, refused = [], []
    records.append(record_part(input_id, held))
    rejected.append(rejected_part(input_id, refused))
    formats = dict.fromkeys(report.format for report in reports if report.format)
    notes = dict.fromkeys(note for report in reports for note in report.notes)
    found = Input(
        id=input_id,
        file=file.name,
        path=place,
        sha256=content or _joint([report.sha256 for report in reports]),
        options=options,
        format=", ".join(formats),
        records=sum(report.records for report in reports),
        rejected=sum(report.rejected for report in reports),
        notes=tuple(notes),
    )
    tables = pa.concat_tables(records), pa.concat_tables(rejected)
    if content:
        return _Found(found, *tables)
    # What came through a pipe is told apart by what came.
    own = digest(file.name, found.sha256, options)
    return _Found(replace(found, id=own), *(_of_input(table, own) for table in tables))


def _readable(file: NamedFile) -> str | Path:
    """What to ask for: the path where the name had to be changed, since records carry it."""
    if file.path is not None and not Path(file.name).expanduser().exists():
        return file.path
    return file.name


def _of_input(table: pa.Table, input_id: str) -> pa.Table:
    ids = pa.array([input_id] * table.num_rows, pa.string())
    return table.set_column(0, table.schema.field("input"), ids)


def _joint(hashes: list[str]) -> str:
    return hashes[0] if len(hashes) == 1 else digest(*hashes, size=64)


def _unread(file: NamedFile, error: InputError) -> _Found:
    """What the graph says of a file that cannot be read, where others can."""
    reason = error.problem.removeprefix(f"{file.name}: ")
    own = digest(file.name, reason)
    rejected = rejected_part(own, [Rejected(reason=reason, file=file.name, ordinal=1)])
    found = Input(own, file.name, "", digest(reason), "", "", 0, 1, notes=(reason,))
    return _Found(found, RECORD_PART.empty_table(), rejected)


def _nothing(problems: list[InputError]) -> InputError:
    if len(problems) == 1:
        return problems[0]
    shown = "; ".join(problem.problem for problem in problems[:5])
    more = f"; and {len(problems) - 5} more" if len(problems) > 5 else ""
    return InputError(
        f"none of {len(problems)} files can be read: {shown}{more}", problems[0].remedy
    )
