"""Every format in which a graph, or a part of one, can be taken away."""

import sys
from collections.abc import Sequence
from pathlib import Path

from kg.errors import ExportError
from kg.exports import FORMATS, write
from kg.graph.changes import Snapshot
from kg.graph.part import Part, at_least
from kg.graph.subgraph import reach
from kg.graph.target import new_folder, new_path

# What a database loads is written by its store's layer, which the exports do not know.
BULK = {
    "neo4j-admin": "a folder of CSV for neo4j-admin database import, with the command to run",
    "cypher": "one Cypher script, for cypher-shell",
}
MEANINGS = {**{name: form.meaning for name, form in FORMATS.items()}, **BULK}


def export(
    snapshot: Snapshot,
    form: str,
    path: Path,
    *,
    start: Sequence[str] = (),
    hops: int = 1,
    min_confidence: float = 0.0,
) -> Snapshot:
    """Write a graph in a format and return what was written; a failure leaves no file.

    Args:
        snapshot: the graph.
        form: one of MEANINGS.
        path: a file, or a folder for the formats that are one; - for standard output.
        start: ids of nodes; with them only what lies around them is written.
        hops: how far around.
        min_confidence: leave out what is less certain.

    Raises:
        ExportError: no such format, or the file could not be written.
    """
    if form not in MEANINGS:
        raise ExportError(f"{form}: no such format", f"Use one of: {', '.join(MEANINGS)}.")
    part = at_least(snapshot, min_confidence)
    if start:
        found = reach(part, start, hops, min_confidence=min_confidence)
        part = Part(part, found.ids, min_confidence=min_confidence)
    if str(path) == "-":
        _to_stdout(form, part)
    elif form in FORMATS:
        write(form, part, path)
    else:
        _bulk(form, part, path)
    return part


def _to_stdout(form: str, part: Snapshot) -> None:
    writer = FORMATS[form].file if form in FORMATS else None
    if writer is None:
        raise ExportError(f"{form} cannot go to standard output", "Name a file or folder after -o.")
    writer(part, sys.stdout.buffer)
    sys.stdout.flush()


def _bulk(form: str, part: Snapshot, path: Path) -> None:
    from kg.exports.tables import write_schema
    from kg.stores import bulk

    if form == "cypher":
        with new_path(path) as beside:
            bulk.write_cypher(part, beside)
        return
    with new_folder(path) as folder:
        bulk.write_neo4j_admin(part, folder)
        write_schema(part, folder, suffix=".csv.gz")
