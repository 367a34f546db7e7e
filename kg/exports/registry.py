"""The formats by name, and the one function that writes any of them."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import BinaryIO

from kg.errors import ExportError
from kg.exports.csv import write_csv
from kg.exports.gexf import write_gexf
from kg.exports.graphml import write_graphml
from kg.exports.json import write_json, write_jsonl
from kg.exports.tables import write_parquet
from kg.graph.changes import Snapshot
from kg.graph.target import new_file, new_folder

FileWriter = Callable[[Snapshot, BinaryIO], None]
FolderWriter = Callable[[Snapshot, Path], None]


@dataclass(frozen=True, slots=True)
class Format:
    """A format: one file, or a folder of files."""

    name: str
    meaning: str
    file: FileWriter | None = None
    folder: FolderWriter | None = None


_FORMATS = (
    Format("graphml", "one GraphML file, for networkx, Gephi, yEd and Cytoscape", write_graphml),
    Format("gexf", "one GEXF 1.2 file, for Gephi and networkx", write_gexf),
    Format("csv", "a folder, one CSV file per table", folder=write_csv),
    Format(
        "csv-spreadsheet",
        "the same, safe to open in a spreadsheet",
        folder=partial(write_csv, for_spreadsheets=True),
    ),
    Format("json", "one JSON file, nodes and edges", write_json),
    Format("jsonl", "one JSON object a line", write_jsonl),
    Format("parquet", "a folder, one Parquet file per table", folder=write_parquet),
)
FORMATS = {form.name: form for form in _FORMATS}


def write(name: str, snapshot: Snapshot, path: Path) -> None:
    """Write the graph in a format; a failed export leaves no file, and what stood there stays."""
    form = FORMATS.get(name)
    if form is None:
        raise ExportError(f"{name}: no such format", f"Use one of: {', '.join(FORMATS)}.")
    if form.file is not None:
        with new_file(path) as file:
            form.file(snapshot, file)
    elif form.folder is not None:
        with new_folder(path) as folder:
            form.folder(snapshot, folder)
