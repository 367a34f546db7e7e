"""Read anything: find the files, open them, tell their formats, yield records and rejections."""

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO

import kg.sources
from kg.errors import InputError, UnknownFormatError
from kg.model.record import FileReport, Record, Rejected
from kg.sources import encodings, signatures
from kg.sources.columns import check_fields
from kg.sources.files import named_files
from kg.sources.opening import HEAD, Opened, Unopened, opened, seekable
from kg.sources.reader import Item, Note, Reader, Sample, Takes, placed, reader, registered

__all__ = ["Note", "Reader", "Sample", "Takes", "choose", "read", "reader", "readers"]

_RAW_LIMIT = 100_000  # characters of a rejected block that are kept
_SUFFIX_BONUS = 0.02
_NAMED = 0.01

OnFile = Callable[[FileReport], None]


def readers() -> dict[str, Reader]:
    """Return every reader by name, sorted; imports the modules of this package first."""
    _import_readers()
    return dict(sorted(registered().items()))


@cache
def _import_readers() -> None:
    for module in pkgutil.iter_modules(kg.sources.__path__):
        importlib.import_module(f"{kg.sources.__name__}.{module.name}")


def read(
    inputs: Iterable[str | Path],
    *,
    format: str | None = None,  # noqa: A002
    fields: Mapping[str, str] | None = None,
    stdin: BinaryIO | None = None,
    on_file: OnFile | None = None,
) -> Iterator[Record | Rejected]:
    """Yield a Record or a Rejected for every block of the inputs, in their order.

    Args:
        inputs: files, folders (all files under them, sorted, hidden ones skipped), globs, "-";
            each may be compressed or an archive.
        format: name of a reader; None tells each file's format from its content.
        fields: which column or key of a table holds what: {"abstract": "Summary"}.
        stdin: what "-" reads.
        on_file: called after each file with its counts; blocks = records + rejected.

    Raises:
        UnknownFormatError: at once, when no reader has that name.
        InputError: at once, when a record has no such field; or nothing at all could be read. Where other files can, one that cannot is a
            Rejected.
    """
    known = readers()
    if format is not None and format not in known:
        raise UnknownFormatError(
            f"no format is called {format}", f"Pass one of: {', '.join(known)}."
        )
    check_fields(fields or {})
    chosen = None if format is None else known[format]
    return _read(list(inputs), known, chosen, dict(fields or {}), stdin, on_file)


def choose(
    sample: Sample, known: Mapping[str, Reader], columns: Iterable[str] = ()
) -> Reader | None:
    """Return the reader that is surest of a sample, None when none claims it.

    Args:
        sample: the start of the file.
        known: the readers.
        columns: what the user's --map names; a table or JSON that holds one of these names is
            read as that, whoever else claims it.
    """
    best, reader_of_best = 0.0, None
    for each in known.values():
        score = _claimed(each, sample)
        if each.mapped and any(name in sample.text for name in columns):
            score = max(score, _NAMED) + 1 if score or _is_table(each, sample) else score
        if score > 0 and sample.name.lower().endswith(each.suffixes):
            score += _SUFFIX_BONUS
        if score > best:
            best, reader_of_best = score, each
    return reader_of_best


def _claimed(each: Reader, sample: Sample) -> float:
    """How sure a reader is of a sample; one that stumbles over it claims nothing."""
    try:
        return each.sniff(sample)
    except Exception:  # the edge between one reader and all the others
        return 0.0


def _is_table(each: Reader, sample: Sample) -> bool:
    """Whether a file that no sniffer knows may be a small table: its first line has columns."""
    first = sample.start.partition("\n")[0]
    return each.name == "csv" and any(mark in first for mark in ",;\t|")


def _read(
    inputs: list[str | Path],
    known: Mapping[str, Reader],
    chosen: Reader | None,
    fields: dict[str, str],
    stdin: BinaryIO | None,
    on_file: OnFile | None,
) -> Iterator[Record | Rejected]:
    held: list[_Problem] = []  # files that cannot be read, until one that can is found
    any_read = False
    for file in named_files(inputs):
        for stream in opened(file, stdin):
            result = _start(stream, known, chosen, fields.values())
            if isinstance(result, _Problem):
                held.append(result)
                if not any_read:
                    continue
            any_read = any_read or not isinstance(result, _Problem)
            for problem in held:
                yield problem.rejected
                if on_file is not None:
                    on_file(problem.report)
            held.clear()
            if not isinstance(result, _Problem):
                yield from result.items(fields)
                if on_file is not None:
                    on_file(result.report())
    if not any_read:
        raise _nothing_read(held)


@dataclass(frozen=True, slots=True)
class _Problem:
    """A file of which nothing can be read."""

    name: str
    reason: str
    remedy: str

    @property
    def rejected(self) -> Rejected:
        return Rejected(reason=self.reason, file=self.name, ordinal=1)

    @property
    def report(self) -> FileReport:
        return FileReport(self.name, "", "", 0, 1, (self.reason,))


@dataclass(slots=True)
class _Reading:
    """One file on its way through its reader."""

    opened: Opened
    reader: Reader
    encoding: str
    mark: int
    notes: list[str] = field(default_factory=list)
    records: int = 0
    rejected: int = 0

    def items(self, fields: dict[str, str]) -> Iterator[Record | Rejected]:
        """Yield what the reader finds, with file, format and ordinal filled in."""
        name, form = self.opened.name, self.reader.name
        for item in self._guarded(fields):
            if isinstance(item, Record):
                self.records += 1
                ordinal = self.records + self.rejected
                yield placed(item, file=name, format=form, ordinal=ordinal)
            elif isinstance(item, Note):
                self._note(item.text)
            else:
                self.rejected += 1
                yield replace(
                    item,
                    raw=item.raw[:_RAW_LIMIT],
                    file=name,
                    ordinal=self.records + self.rejected,
                )

    def report(self) -> FileReport:
        """How the count closes."""
        return FileReport(
            self.opened.name,
            self.reader.name,
            self.opened.digest(),
            self.records,
            self.rejected,
            tuple(self.notes),
        )

    def _note(self, text: str) -> None:
        if text not in self.notes:
            self.notes.append(text)

    def _guarded(self, fields: dict[str, str]) -> Iterator[Item]:
        """Run the reader; a fault where it cuts the file up costs the rest of this file, no more."""
        options: dict[str, Any] = {"fields": fields} if self.reader.mapped else {}
        try:
            yield from self.reader.read(self._content(), **options)
        except Exception as error:  # the edge between one file and all the others
            yield Rejected(
                reason=f"reading as {self.reader.name} failed, and the rest of the file is not"
                f" read: {type(error).__name__}: {error}"
            )
        if why := self.opened.problem():
            yield Rejected(reason=why)
        if self.records + self.rejected == 0:
            yield Rejected(reason=f"no paper in the file, read as {self.reader.name}")

    def _content(self) -> Any:
        stream = self.opened.stream
        takes = self.reader.takes
        if takes in (Takes.LINES, Takes.UTF8) and self.encoding != "utf-8":
            self._note(f"read as {self.encoding}")
        if takes in (Takes.LINES, Takes.UTF8):
            stream.read(self.mark)
        if takes is Takes.LINES:
            return encodings.lines(stream, self.encoding or "utf-8", self._note)
        if takes is Takes.UTF8:
            return encodings.utf8(stream, self.encoding or "utf-8")
        return seekable(stream) if takes is Takes.FILE else stream


def _start(
    stream: Opened | Unopened,
    known: Mapping[str, Reader],
    chosen: Reader | None,
    columns: Iterable[str],
) -> _Reading | _Problem:
    if isinstance(stream, Unopened):
        return _Problem(stream.name, stream.reason, stream.remedy)
    head = stream.head
    if not head:
        why = stream.problem() or "the file is empty"
        return _Problem(stream.name, why, "Name a file that holds papers.")
    if chosen is None and signatures.known(head):
        return _Problem(stream.name, *signatures.explain(head))
    whole = len(head) < HEAD
    encoding, mark = encodings.detect(head, whole=whole)
    text = encodings.decode_head(head[mark:], encoding) if encoding else ""
    if encoding and not text.strip() and whole:
        return _Problem(stream.name, "the file holds only white space", "Name another file.")
    if chosen is None:
        chosen = choose(Sample(stream.name, head, text, whole=whole), known, columns)
    if chosen is None:
        what, remedy = signatures.explain(head)
        if encoding:
            what, remedy = "the file is text, but of no format that is known", "See kg formats."
        return _Problem(
            stream.name, what, f"{remedy} Or pass --format, one of: {', '.join(known)}."
        )
    if not encoding and chosen.takes in (Takes.LINES, Takes.UTF8):
        what, remedy = signatures.explain(head)
        return _Problem(stream.name, what, remedy)
    return _Reading(stream, chosen, encoding, mark)


def _nothing_read(held: list[_Problem]) -> InputError:
    if not held:
        return InputError("there is no input", "Name files, folders, or - for standard input.")
    first = held[0]
    if len(held) == 1:
        return InputError(f"{first.name}: {first.reason}", first.remedy)
    shown = "; ".join(f"{problem.name}: {problem.reason}" for problem in held[:5])
    more = f"; and {len(held) - 5} more" if len(held) > 5 else ""
    return InputError(f"none of {len(held)} files can be read: {shown}{more}", first.remedy)
