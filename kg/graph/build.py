"""From records to the next build of a folder: match, read what is new, assemble, write."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from kg.graph.assembly import Assembled, assemble, with_hashes
from kg.graph.decisions import read_decisions
from kg.graph.durable import write_bytes
from kg.graph.folder import DECISIONS, EXTRACTIONS, PAPERS, REJECTED, REPORTS, Writer
from kg.graph.kept import DamagedPartError, Keeping, Kept
from kg.graph.manifest import Input, Manifest, Settings, TableFile
from kg.graph.own_names import with_own_names
from kg.graph.record_parts import (
    Part,
    ordered_records,
    rejected_lines,
    stored_rejected,
    write_parts,
    write_rejected,
)
from kg.graph.snapshot import locate
from kg.graph.texts import Texts
from kg.model.extraction import Extraction
from kg.model.known_name import parse_names
from kg.nlp.own_names import OwnNames
from kg.resolve.gathering import Ints
from kg.resolve.papers import Matched, match_records

# Damaged parts are removed as they are found; more than this many at once is a broken disk.
_ATTEMPTS = 5


class TextReader(Protocol):
    """What reads texts; its model is chosen and loaded when there is something to read."""

    def choose(self, texts: Sequence[str]) -> tuple[str, str]:
        """Return name, as --model takes it, and version of the model for these texts.

        The name is empty where the model was not loaded by one.
        """
        ...

    def read(self, texts: Sequence[str]) -> Iterator[Extraction]:
        """Yield one extraction per text, in order."""
        ...


@dataclass(frozen=True, slots=True)
class Draft:
    """What a build is made from."""

    parts: tuple[Part, ...]
    rejected: pa.Table
    inputs: tuple[Input, ...]
    settings: Settings
    action: str  # what the user did, for the history
    upgrade: bool = False  # read every text again that the model has not read


@dataclass(frozen=True, slots=True)
class Built:
    """What came of a draft."""

    manifest: Manifest
    changed: bool  # False when it came out as what is there already
    texts_read: int
    texts_kept: int


def make_build(writer: Writer, draft: Draft, reader: TextReader) -> Built:
    """Make a draft the folder's current build."""
    content = _decisions_content(writer)
    decisions = read_decisions(writer.path / DECISIONS)
    names_file = draft.settings.names
    names = parse_names(locate(writer.path, names_file).read_bytes()) if names_file else ()
    own = OwnNames(names) if names else None
    records, order = ordered_records(draft.parts)
    matched = match_records(records.drop_columns(["input"]), decisions, order=order)
    papers = with_hashes(matched.papers)
    texts = Texts(papers)
    kept = Kept(writer.path / EXTRACTIONS)
    read = 0
    for attempt in range(_ATTEMPTS):
        settings, count = _read_missing(kept, texts, draft, reader)
        read += count
        try:
            assembled = assemble(
                papers,
                partial(_extractions, kept, texts, settings.models, own),
                decisions=decisions,
                names=names,
                min_confidence=draft.settings.min_confidence,
            )
            break
        except DamagedPartError:
            if attempt + 1 == _ATTEMPTS:
                raise
    settings = replace(
        settings,
        decisions=writer.store_bytes(PAPERS, DECISIONS, "", content) if content else None,
    )
    before = writer.manifest
    matches = _matches(records, order, matched)
    manifest = _write(writer, replace(draft, settings=settings), matches, matched, assembled)
    kept.merge_small()
    return Built(manifest, manifest is not before, read, len(texts) - read)


def decisions_changed(writer: Writer) -> bool:
    """Say whether decisions.jsonl is another than the current build was made with."""
    before = writer.manifest.settings.decisions if writer.manifest else None
    content = _decisions_content(writer)
    if before is None or not content:
        return bool(content) != (before is not None)
    return locate(writer.path, before).read_bytes() != content


def undo_build(writer: Writer) -> Manifest:
    """Go back one build, and to the decisions that it was made with.

    Decisions that were taken since the current build are not in it, so they stay.
    """
    follow = not decisions_changed(writer)
    manifest = writer.undo()
    if follow:
        stored = manifest.settings.decisions
        content = locate(writer.path, stored).read_bytes() if stored else b""
        if content != _decisions_content(writer):
            write_bytes(writer.path / DECISIONS, content)
    show_rejected(writer)
    return manifest


def _decisions_content(writer: Writer) -> bytes:
    try:
        return (writer.path / DECISIONS).read_bytes()
    except FileNotFoundError:
        return b""


def _extractions(
    kept: Kept, texts: Texts, models: Sequence[str], own: OwnNames | None
) -> Iterator[pa.RecordBatch]:
    """Yield what was read out of the texts, with the user's own names."""
    batches = kept.batches(texts, models)
    return with_own_names(batches, texts, own) if own else batches


def _read_missing(
    kept: Kept, texts: Texts, draft: Draft, reader: TextReader
) -> tuple[Settings, int]:
    """Have every text read that no wanted model has read.

    Returns:
        The settings with the models that count, and how many texts were read.
    """
    models = () if draft.upgrade else draft.settings.models
    known = {text for model in models for text in kept.texts(model)}
    missing = [key for key in texts if key not in known]
    if models and not missing:
        return draft.settings, 0
    name, version = reader.choose(texts.of(missing))
    if version not in models:
        models = (*models, version)
        known = kept.texts(version)
        missing = [key for key in missing if key not in known]
    with Keeping(kept) as keeping:
        found = reader.read(texts.of(missing))
        for key, extraction in zip(missing, found, strict=True):
            keeping.add(key, extraction)
    name = name or draft.settings.model_name
    return replace(draft.settings, models=models, model_name=name), len(missing)


def _matches(records: pa.Table, order: Ints, matched: Matched) -> pa.Table:
    """Which paper each record is of, and why, as the report that is kept."""
    place = records.select(["input", "file", "line", "ordinal"]).take(pa.array(order))
    columns = {name: place[name] for name in place.column_names}
    return pa.table(
        columns | {name: matched.records[name] for name in matched.records.column_names}
    )


def _write(
    writer: Writer, draft: Draft, matches: pa.Table, matched: Matched, assembled: Assembled
) -> Manifest:
    reports = {
        "matches": matches,
        "merges": assembled.merges,
        "references": assembled.references,
    }
    manifest = Manifest(
        number=0,
        build="",
        created="",
        action=draft.action,
        tables=writer.store_tables(assembled.tables),
        records=write_parts(writer, draft.parts),
        rejected=write_rejected(writer, draft.rejected),
        reports=tuple(
            TableFile(name, writer.store(REPORTS, name, table)) for name, table in reports.items()
        ),
        inputs=_closed(draft.inputs, matches),
        settings=draft.settings,
        unapplied=(*matched.unapplied, *assembled.unapplied),
    )
    if writer.manifest is None or not manifest.same_as(writer.manifest):
        manifest = writer.commit(manifest)
    else:
        manifest = writer.manifest
    show_rejected(writer)
    return manifest


def show_rejected(writer: Writer) -> None:
    """Have rejected.jsonl say what the current build rejected; the truth of it is in papers/."""
    content = rejected_lines(stored_rejected(writer.path, writer.manifest))
    path = writer.path / REJECTED
    if not path.exists() or path.read_bytes() != content:
        write_bytes(path, content)


def _closed(inputs: tuple[Input, ...], matches: pa.Table) -> tuple[Input, ...]:
    """Return the inputs with how many of their records are of papers that came before them."""
    papers = matches["paper"].combine_chunks().dictionary_encode()
    codes = papers.indices.to_numpy()
    ids = pa.array([each.id for each in inputs], pa.string())
    of_input = pc.index_in(matches["input"], value_set=ids).to_numpy()
    first = np.full(len(papers.dictionary), len(inputs))
    np.minimum.at(first, codes, of_input)
    came = np.bincount(first, minlength=len(inputs)) if len(first) else np.zeros(len(inputs), int)
    had = np.bincount(of_input, minlength=len(inputs))
    return tuple(
        replace(each, merged=int(had[place] - came[place])) for place, each in enumerate(inputs)
    )
