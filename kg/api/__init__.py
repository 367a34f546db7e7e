"""The verbs of kg for programs: what the commands do, without words on a terminal.

>>> from kg import api
>>> report = api.build(["listing.txt"], "my.kg")       # doctest: +SKIP
>>> with api.open("my.kg") as graph:                   # doctest: +SKIP
...     graph.query("MATCH (m:Method) RETURN m.name LIMIT 5").dicts()
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from kg.api.building import BuildReport
    from kg.api.extracting import Extracted, Pipeline
    from kg.api.graph import Graph
    from kg.api.removing import RemoveReport
    from kg.graph.changes import Changes
    from kg.graph.manifest import Manifest, PastBuild
    from kg.model.decision import Decision
    from kg.model.record import FileReport, Record, Rejected
    from kg.stores.queries import CannedQuery

PathLike = str | Path
Say = Callable[[str], None]
Progress = Callable[[int, int], None]  # texts read, texts to read


def read(
    inputs: Iterable[PathLike],
    *,
    format: str | None = None,  # noqa: A002
    fields: Mapping[str, str] | None = None,
    stdin: BinaryIO | None = None,
    on_file: Callable[[FileReport], None] | None = None,
) -> Iterator[Record | Rejected]:
    """Yield every record of files, folders, globs and "-", and every block that is none."""
    from kg.sources.registry import read as read_sources

    return read_sources(inputs, format=format, fields=fields, stdin=stdin, on_file=on_file)


def extract(
    records: Iterable[Record | Rejected],
    *,
    model: PathLike | Pipeline = "auto",
    processes: int = 0,
    names: PathLike | None = None,
) -> Iterator[Extracted]:
    """Yield each record that has a text with what was read out of it, in order.

    Args:
        records: as read() gives them.
        model: auto, fast, accurate, a folder of a model, or a loaded pipeline.
        processes: that read texts at the same time; 0 for as many as there are cores.
        names: CSV with name, type and aliases of things that you know, which win over the model.
    """
    from kg.api.extracting import extract_records

    own = Path(names) if names else None
    return extract_records(records, model=model, processes=processes, names=own)


def build(
    inputs: Iterable[PathLike],
    out: PathLike,
    *,
    model: PathLike | Pipeline | None = None,
    format: str | None = None,  # noqa: A002
    fields: Mapping[str, str] | None = None,
    names: PathLike | None = None,
    min_confidence: float | None = None,
    processes: int = 0,
    upgrade: bool = False,
    reread: bool = False,
    wait: bool = True,
    stdin: BinaryIO | None = None,
    say: Say | None = None,
    progress: Progress | None = None,
) -> BuildReport:
    """Make a graph, or add to one; what was read before is not read again.

    Args:
        inputs: files, folders, globs and "-"; none to rebuild from what is there.
        out: the graph's folder.
        model: auto, fast, accurate, a folder of a model, or a loaded pipeline; None for the
            model that the graph was made with, for a new graph auto.
        format: name of a reader; None tells it from the content.
        fields: which column or key holds what: {"abstract": "Summary"}.
        names: CSV with name, type and aliases of things that you know; kept for later builds.
        min_confidence: leave out what is less certain; kept for later builds.
        processes: that read texts at the same time; 0 for as many as there are cores.
        upgrade: read again what another model has read.
        reread: read inputs again that are known, with the papers that were removed.
        wait: for another writer; otherwise LockedError.
        stdin: what "-" reads.
        say: told what a person should know while it goes on.
        progress: called with the number of texts read and to be read.

    Raises:
        KgError: nothing could be read or written; what was there before is intact.
    """
    from kg.api.building import Options, build_graph

    options = Options(
        model, format, dict(fields or {}), Path(names) if names else None, min_confidence,
        processes, upgrade, reread, wait, stdin, say, progress,
    )  # fmt: skip
    return build_graph(list(inputs), Path(out), options)


def remove(
    path: PathLike, papers: Iterable[str], *, wait: bool = True, say: Say | None = None
) -> RemoveReport:
    """Take papers out of a graph, by id, identifier or title, and what nothing else supports."""
    from kg.api.removing import remove_papers

    return remove_papers(Path(path), list(papers), wait=wait, say=say)


def decide(
    path: PathLike, decisions: Iterable[Decision], *, wait: bool = True, say: Say | None = None
) -> tuple[Decision, ...]:
    """Take decisions, under the next numbers, and build the graph with them."""
    from kg.api.building import decide as take

    return take(Path(path), list(decisions), wait=wait, say=say)


def undo(path: PathLike, *, wait: bool = True, say: Say | None = None) -> Manifest:
    """Go back one build, and return the manifest of what is current now."""
    from kg.api.building import undo as back

    return back(Path(path), wait=wait, say=say)


def history(path: PathLike) -> tuple[PastBuild, ...]:
    """Return every build of a graph, the current one last."""
    from kg.graph.folder import open_snapshot

    manifest = open_snapshot(Path(path)).manifest
    return (*manifest.past, manifest.as_past())


def diff(old: PathLike, new: PathLike, *, old_build: str = "", new_build: str = "") -> Changes:
    """Return what came, went and changed between two graphs, or two builds of one."""
    from kg.graph.diff import diff as differences
    from kg.graph.folder import open_snapshot

    return differences(open_snapshot(Path(old), old_build), open_snapshot(Path(new), new_build))


def open(path: PathLike, *, build: str = "", say: Say | None = None) -> Graph:  # noqa: A001
    """Open a graph, or one of its earlier builds by number or id."""
    from kg.api.graph import Graph
    from kg.graph.folder import open_snapshot

    return Graph(open_snapshot(Path(path), build), say=say)


def canned_queries() -> Mapping[str, CannedQuery]:
    """Return the queries that Graph.ask() answers, by name: what each means, takes and says."""
    from kg.stores.queries import canned_queries as queries

    return queries()
