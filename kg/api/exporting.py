"""Every format in which a graph, or a part of one, can be taken away."""

from collections.abc import Callable, Sequence
from pathlib import Path

from kg.errors import ExportError
from kg.exports import FORMATS, write
from kg.graph.changes import Snapshot
from kg.graph.part import Part, at_least
from kg.graph.subgraph import reach

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
        path: a file, or a folder for the formats that are one.
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
    if form in FORMATS:
        write(form, part, path)
    else:
        _bulk(form)(part, path)
    return part


def _bulk(form: str) -> Callable[[Snapshot, Path], None]:
    from kg.stores import bulk

    return bulk.write_neo4j_admin if form == "neo4j-admin" else bulk.write_cypher
