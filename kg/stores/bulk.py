"""Files for a Neo4j that is not running, or not reachable from here: bulk import, Cypher script."""

import contextlib
import gzip
import io
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

import pyarrow as pa
import pyarrow.compute as pc

from kg.errors import ExportError
from kg.graph.changes import Snapshot
from kg.graph.tables import Table
from kg.model.schema import EdgeTable, PropertyType
from kg.stores.neo4j_rows import rows_of
from kg.stores.neo4j_statements import (
    BUILD,
    GRAPH,
    all_tables,
    columns,
    merge_statement,
    schema_statements,
)

_TYPES = {
    PropertyType.STRING: "string",
    PropertyType.INTEGER: "long",
    PropertyType.FLOAT: "double",
    PropertyType.BOOLEAN: "boolean",
    PropertyType.STRINGS: "string[]",
    PropertyType.INTEGERS: "long[]",
}
# Between the items of a list: the first that no text holds, and else one of private use.
_DELIMITERS = "\x1f\x1e\x1d\x1c\x02\x03\x04\x05\x06\x0e\x0f\x10\x11\x12\x13\x14\x15"
_PRIVATE = range(0xE000, 0xF900)
_SCRIPT_ROWS = 200  # in one statement, which the server parses as a whole


def write_neo4j_admin(snapshot: Snapshot, folder: Path, *, graph: str = "kg") -> None:
    """Write headers, gzipped CSV and import.sh for `neo4j-admin database import full`.

    Args:
        snapshot: the build to write.
        folder: where to; it is made when it is missing.
        graph: name of the graph in the database, as `kg neo4j` takes it by --graph.
    """
    folder.mkdir(parents=True, exist_ok=True)
    delimiter = _free_delimiter(snapshot)
    counts = snapshot.counts()
    arguments = []
    for table in all_tables():
        if not counts[table.name]:
            continue
        header, data = f"{table.name}-header.csv", f"{table.name}.csv.gz"
        (folder / header).write_text(_header(table), encoding="utf-8")
        with _gzipped(folder / data) as file:
            for batch in snapshot.batches(table.name):
                for row in rows_of(batch, columns(table)):
                    file.write(_csv([*row, graph], delimiter))
        option = "relationships" if isinstance(table, EdgeTable) else "nodes"
        name = table.type.value if isinstance(table, EdgeTable) else table.name
        # With a folder, for the importer of 2026 looks into the one that a path names.
        arguments.append(f"--{option}={name}=./{header},./{data}")
    (folder / f"{BUILD}-header.csv").write_text("graph,build,state\n", encoding="utf-8")
    with _gzipped(folder / f"{BUILD}.csv.gz") as file:
        file.write(_csv([graph, snapshot.build, "whole"], delimiter))
    arguments.insert(0, f"--nodes={BUILD}=./{BUILD}-header.csv,./{BUILD}.csv.gz")
    script = folder / "import.sh"
    script.write_text(_command(arguments, delimiter), encoding="utf-8")
    script.chmod(0o755)
    (folder / "indexes.cypher").write_text(
        "".join(f"{statement};\n" for statement in schema_statements()), encoding="utf-8"
    )


def write_cypher(snapshot: Snapshot, path: Path, *, graph: str = "kg") -> None:
    """Write a script that cypher-shell runs: constraints, nodes, edges; running it again is safe.

    Args:
        snapshot: the build to write.
        path: the file.
        graph: name of the graph in the database, as `kg neo4j` takes it by --graph.
    """
    name = _literal(graph)
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for statement in schema_statements():
            file.write(f"{statement};\n")
        file.write("CALL db.awaitIndexes(600);\n")
        for table in all_tables():
            statement = merge_statement(table).replace("$graph", name)
            for rows in _pieces(snapshot, table):
                literal = ",\n".join(_literal(row) for row in rows)
                file.write(statement.replace("$rows", f"[\n{literal}\n]", 1) + ";\n")
        file.write(
            f"MERGE (b:{BUILD} {{graph: {name}}}) "
            f"SET b.build = {_literal(snapshot.build)}, b.state = 'whole' REMOVE b.target;\n"
        )


def _pieces(snapshot: Snapshot, table: Table) -> Iterator[list[list[Any]]]:
    for batch in snapshot.batches(table.name):
        rows = rows_of(batch, columns(table))
        for start in range(0, len(rows), _SCRIPT_ROWS):
            yield rows[start : start + _SCRIPT_ROWS]


def _literal(value: Any) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case float() if math.isnan(value):
            return "(0.0 / 0.0)"
        case float() if math.isinf(value):
            return "(1.0 / 0.0)" if value > 0 else "(-1.0 / 0.0)"
        case float():
            return repr(value)
        case str():
            return "'" + "".join(map(_escaped, value)) + "'"
        case _:
            return "[" + ", ".join(map(_literal, value)) + "]"


def _escaped(character: str) -> str:
    if character in "'\\":
        return "\\" + character
    # Control characters would end a line, and a backslash-u would be read before all else.
    if character < " " or character in "\x7f\x85\u2028\u2029":
        return f"\\u{ord(character):04x}"
    return character


def _header(table: Table) -> str:
    fields = [f"{p.name}:{_TYPES[p.type]}" for p in table.properties]
    if isinstance(table, EdgeTable):
        fields = [f":START_ID({table.head})", f":END_ID({table.tail})", *fields]
    else:
        fields[0] = f"id:ID({table.name})"
    return ",".join([*fields, f"{GRAPH}:string"]) + "\n"


def _csv(row: list[Any], delimiter: str) -> str:
    return ",".join(_field(value, delimiter) for value in row) + "\n"


def _field(value: Any, delimiter: str) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case float():
            return {"inf": "Infinity", "-inf": "-Infinity", "nan": "NaN"}.get(
                repr(value), repr(value)
            )
        case str():
            text = value
        case list():
            text = delimiter.join(map(str, value))
        case _:
            return str(value)
    return '"' + text.replace('"', '""') + '"'


def _free_delimiter(snapshot: Snapshot) -> str:
    taken: set[str] = set()
    for texts in _listed(snapshot):
        taken.update(c for c in _DELIMITERS if c not in taken and _holds(texts, c))
    if len(taken) < len(_DELIMITERS):
        return next(c for c in _DELIMITERS if c not in taken)
    for texts in _listed(snapshot):
        taken.update(*texts.to_pylist())
    free = next((chr(code) for code in _PRIVATE if chr(code) not in taken), None)
    if free is None:
        raise ExportError(
            "every character that could part the items of a list stands in a text",
            "Export as cypher or parquet, or use `kg neo4j load`.",
        )
    return free


def _listed(snapshot: Snapshot) -> Iterator[pa.Array]:
    """Yield the items of all lists of texts, piece by piece."""
    for table in all_tables():
        names = [p.name for p in table.properties if p.type is PropertyType.STRINGS]
        for batch in snapshot.batches(table.name, names) if names else ():
            yield from (pc.drop_null(batch.column(name).flatten()) for name in names)


def _holds(texts: pa.Array, character: str) -> bool:
    return bool(pc.any(pc.match_substring(texts, character)).as_py())


@contextlib.contextmanager
def _gzipped(path: Path) -> Iterator[TextIO]:
    # Without a name and a time in it the same graph gives the same bytes.
    with (
        path.open("wb") as raw,
        gzip.GzipFile("", "wb", 6, raw, mtime=0) as packed,
        io.TextIOWrapper(packed, encoding="utf-8", newline="\n") as text,
    ):
        yield text


def _command(arguments: list[str], delimiter: str) -> str:
    lines = [
        "#!/bin/sh",
        "# Fills the database neo4j, which must be stopped: ./import.sh /path/to/neo4j-admin",
        "# Afterwards start it and run indexes.cypher, or `kg neo4j load`, which finds all there.",
        "# A list without items comes in as no value: the format cannot tell the two apart.",
        "set -e",
        'admin=$(command -v "${1:-neo4j-admin}")',
        "# A relative path is one from where this was called.",
        'case "$admin" in /*) ;; *) admin="$PWD/$admin" ;; esac',
        'cd "$(dirname "$0")"',
        '"$admin" database import full neo4j --overwrite-destination \\',
        f"  --array-delimiter=U+{ord(delimiter):04X} --multiline-fields=true \\",
        "  --legacy-style-quoting=false --trim-strings=false \\",
        *(f"  '{argument}' \\" for argument in arguments[:-1]),
        f"  '{arguments[-1]}'",
    ]
    return "\n".join(lines) + "\n"
