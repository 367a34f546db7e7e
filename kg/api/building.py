"""Making graphs and changing them: build, decide, undo."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO

import pyarrow as pa
import pyarrow.compute as pc

from kg import __version__
from kg.api.extracting import AUTO, Pipeline, Reading
from kg.api.inputs import NewInputs, read_inputs
from kg.api.syncing import sync_embedded, way_back
from kg.errors import InputError
from kg.graph.build import Built, Draft, decisions_changed, make_build, show_rejected, undo_build
from kg.graph.decisions import add_decision
from kg.graph.describe import count_without_text
from kg.graph.durable import write_bytes
from kg.graph.folder import DECISIONS, PAPERS, Writer, writing
from kg.graph.manifest import Input, Manifest, Settings
from kg.graph.name_list import read_name_list
from kg.graph.record_parts import (
    RECORD_PART,
    REJECTED_PART,
    Part,
    stored_parts,
    stored_rejected,
    without_inputs,
)
from kg.graph.snapshot import FolderSnapshot
from kg.model.decision import Decision

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Options:
    """How a build is made; kg.api.build says what each means."""

    model: str | Path | Pipeline | None = None
    format: str | None = None
    fields: Mapping[str, str] | None = None
    names: Path | None = None
    min_confidence: float | None = None
    processes: int = 0
    upgrade: bool = False
    reread: bool = False
    wait: bool = True
    stdin: BinaryIO | None = None
    say: Say | None = None
    progress: Callable[[int, int], None] | None = None


@dataclass(frozen=True, slots=True)
class RejectedBlock:
    """A block of a named input that did not become a record."""

    file: str
    line: int
    ordinal: int
    reason: str


@dataclass(frozen=True, slots=True)
class BuildReport:
    """What a build read and made; of a build that found nothing to do, what is there."""

    path: Path
    manifest: Manifest
    changed: bool
    read: tuple[Input, ...]  # read now, with how their counts close
    known: tuple[Input, ...]  # named again, and as they were
    rejected: tuple[RejectedBlock, ...]  # of the inputs that were named
    texts_read: int = 0
    texts_kept: int = 0  # whose extraction was there already
    mended: tuple[str, ...] = ()  # files of the graph that were damaged, and are whole again
    known_papers: int = 0  # of which there is a record
    without_abstract: int = 0  # of these


def build_graph(inputs: Sequence[str | Path], out: Path, options: Options) -> BuildReport:
    """Make a graph of the inputs, or add them to the one that is there."""
    say = options.say or silent
    with writing(out, create=bool(inputs), wait=options.wait, say=say) as writer:
        before = writer.manifest
        known_inputs = before.inputs if before else ()
        found = _read(inputs, known_inputs, out, options, say)
        settings = _settings(writer, options)
        model = options.model if isinstance(options.model, Pipeline) else settings.model_name
        reading = Reading(model, options.processes, progress=options.progress, say=say)
        same = (
            before is not None
            and not found.new
            and settings == before.settings
            and not options.upgrade
            and not decisions_changed(writer)
            and before.kg == __version__
        )
        if before is not None and before.kg != __version__:
            say(
                f"{out} was built by kg {before.kg}: its tables are made again by kg {__version__}."
            )
        # Looked for where nothing else makes tables be written.
        damaged = writer.damaged() if same else ()
        nothing_new = same and not damaged
        if before is not None and nothing_new:
            show_rejected(writer)  # what a killed build may not have come to
            sync_embedded(FolderSnapshot(out, before), say)
            bare, known = count_without_text(FolderSnapshot(out, before))
            return BuildReport(
                out, before, False, (), found.known, _rejected(found.known, _refused(writer)),
                known_papers=known, without_abstract=bare,
            )  # fmt: skip
        parts = without_inputs(stored_parts(out, before), found.replaced)
        rejected = _refused(writer)
        rejected = rejected.filter(
            pc.invert(pc.is_in(rejected["input"], pa.array(found.replaced, pa.string())))
        )
        draft = Draft(
            parts=(*parts, Part(found.records)),
            rejected=pa.concat_tables([rejected, found.rejected]),
            inputs=(*(i for i in known_inputs if i.id not in set(found.replaced)), *found.new),
            settings=settings,
            action=_action(inputs, options),
            upgrade=options.upgrade,
        )
        if not any(part.rows.num_rows for part in draft.parts):
            raise _no_papers(found)
        built = make_build(writer, draft, reading)
        if built.changed:
            _say_models(built.manifest, say)
        sync_embedded(FolderSnapshot(out, built.manifest), say)
        still = set(writer.damaged()) if damaged else set()
        mended = tuple(file for file in damaged if file not in still)
        return replace(_report(out, built, found, draft), mended=mended)


def decide(
    path: Path, decisions: Sequence[Decision], *, wait: bool, say: Say | None
) -> tuple[Decision, ...]:
    """Write decisions down and build the graph with them."""
    with writing(path, wait=wait, say=say) as writer:
        before = current_build(writer)
        earlier = (path / DECISIONS).read_bytes() if (path / DECISIONS).exists() else b""
        try:
            taken, built = _decided(writer, before, decisions)
        except BaseException:
            # A decision that no graph was built with must not wait for the next one unseen; one
            # that the current build was made with must not be lost.
            if writer.manifest == before:
                write_bytes(path / DECISIONS, earlier)
            raise
        sync_embedded(FolderSnapshot(path, built.manifest), say or silent)
        return taken


def _decided(
    writer: Writer, before: Manifest, decisions: Sequence[Decision]
) -> tuple[tuple[Decision, ...], Built]:
    path = writer.path
    taken = tuple(add_decision(path / DECISIONS, decision) for decision in decisions)
    draft = Draft(
        parts=stored_parts(path, before),
        rejected=stored_rejected(path, before),
        inputs=before.inputs,
        settings=before.settings,
        action="decide: " + "; ".join(str(decision) for decision in taken),
    )
    return taken, make_build(writer, draft, reading_of(before))


def undo(path: Path, *, wait: bool, say: Say | None) -> Manifest:
    """Go back one build."""
    with writing(path, wait=wait, say=say) as writer:
        # The tables of the build that is undone go with it.
        back = way_back(FolderSnapshot(path, current_build(writer)))
        manifest = undo_build(writer)
        sync_embedded(FolderSnapshot(path, manifest), say or silent, known=back)
        return manifest


def silent(_: str) -> None:
    """Say nothing."""


def current_build(writer: Writer) -> Manifest:
    """Return the manifest of a folder that is known to hold a build."""
    if writer.manifest is None:  # writing() saw to it
        raise ValueError(f"{writer.path} holds no build")
    return writer.manifest


def reading_of(manifest: Manifest) -> Reading:
    """Return what reads texts that a change of the graph makes necessary: its own model."""
    return Reading(manifest.settings.model_name or AUTO)


def _read(
    inputs: Sequence[str | Path], known: tuple[Input, ...], out: Path, options: Options, say: Say
) -> NewInputs:
    if not inputs:
        return NewInputs((), (), (), RECORD_PART.empty_table(), REJECTED_PART.empty_table())
    return read_inputs(
        list(inputs),
        known,
        out=out,
        format=options.format,
        fields=options.fields or {},
        reread=options.reread,
        stdin=options.stdin,
        say=say,
    )


def _settings(writer: Writer, options: Options) -> Settings:
    """Return the settings of the current build, with what was asked for now."""
    settings = writer.manifest.settings if writer.manifest else Settings(model_name=AUTO)
    # auto chooses once: a graph goes on with the model that was chosen for it, until an upgrade.
    chosen = writer.manifest is not None and options.model == AUTO and not options.upgrade
    if options.model is not None and not isinstance(options.model, Pipeline) and not chosen:
        settings = replace(settings, model_name=str(options.model))
    if options.min_confidence is not None:
        settings = replace(settings, min_confidence=options.min_confidence)
    if options.names is not None:
        content, _ = read_name_list(options.names)
        settings = replace(settings, names=writer.store_bytes(PAPERS, "names", ".csv", content))
    return settings


def _action(inputs: Sequence[str | Path], options: Options) -> str:
    words = ["build", *(str(each) for each in inputs)]
    if options.upgrade:
        words.append("--upgrade")
    if options.names:
        words.append(f"--names {options.names}")
    if options.min_confidence is not None:
        words.append(f"--min-confidence {options.min_confidence:g}")
    return " ".join(words)


def _refused(writer: Writer) -> pa.Table:
    return stored_rejected(writer.path, writer.manifest)


def _rejected(inputs: Sequence[Input], rejected: pa.Table) -> tuple[RejectedBlock, ...]:
    ids = pa.array([each.id for each in inputs], pa.string())
    rows = rejected.filter(pc.is_in(rejected["input"], ids))
    rows = rows.select(["file", "line", "ordinal", "reason"])
    return tuple(RejectedBlock(**row) for row in rows.to_pylist())


def _report(out: Path, built: Built, found: NewInputs, draft: Draft) -> BuildReport:
    new = {each.id for each in found.new}
    named = (*found.known, *found.new)
    bare, known = count_without_text(FolderSnapshot(out, built.manifest))
    return BuildReport(
        path=out,
        manifest=built.manifest,
        changed=built.changed,
        read=tuple(each for each in built.manifest.inputs if each.id in new),
        known=found.known,
        rejected=_rejected(named, draft.rejected),
        texts_read=built.texts_read,
        texts_kept=built.texts_kept,
        known_papers=known,
        without_abstract=bare,
    )


def _no_papers(found: NewInputs) -> InputError:
    rejected = _rejected(found.new, found.rejected)
    first = f": {rejected[0].file}: {rejected[0].reason}" if rejected else ""
    return InputError(
        f"no paper was found in {len(found.new)} file(s){first}",
        "See kg formats for what can be read; pass --format to say what a file is.",
    )


def _say_models(manifest: Manifest, say: Say) -> None:
    models = manifest.settings.models
    if len(models) > 1:
        say(
            f"The texts were read by {len(models)} models ({', '.join(models)}); "
            "kg build --upgrade reads all of them with the last."
        )
