"""What `kg merges` lists: merges and splits, papers of several records, decisions."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kg.cli.telling import place, plural, shown

if TYPE_CHECKING:
    from kg.graph.snapshot import FolderSnapshot
    from kg.model.decision import Decision


def decisions_of(graph: Path) -> tuple[tuple["Decision", ...], tuple["Decision", ...]]:
    """Every decision, and those that hold."""
    from kg import api
    from kg.graph.decisions import read_decisions
    from kg.graph.folder import DECISIONS
    from kg.model.decision import in_force

    with api.open(graph):  # says so when it is no graph
        known = read_decisions(graph / DECISIONS)
    return known, in_force(known)


def print_decisions(graph: Path, as_json: bool) -> None:
    """Print what the user decided, and what of it was taken back."""
    from kg.graph.decisions import decision_row
    from kg.model.decision import taken_back

    known, _ = decisions_of(graph)
    gone_numbers = taken_back(known)
    for decision in known:
        held = decision.number not in gone_numbers
        if as_json:
            click.echo(json.dumps({**decision_row(decision), "holds": held}, ensure_ascii=False))
            continue
        note = f"  ({decision.note})" if decision.note else ""
        gone = "" if held else "  [taken back]"
        click.echo(shown(f"{decision.number:>4}  {decision}{note}{gone}"))
    if not known and not as_json:
        click.echo("Nothing was decided.")


def merge_rows(
    snapshot: "FolderSnapshot", name: str | None, type_: str | None
) -> list[dict[str, Any]]:
    """Rows of the merges report, the least certain first."""
    rows: list[dict[str, Any]] = snapshot.report("merges").to_pylist()
    if name is not None:
        ids = {node.id for node in _found(snapshot, name, type_)}
        rows = [row for row in rows if row["entity"] in ids or row["surface"] == name]
    elif type_ is not None:
        rows = [row for row in rows if row["entity"].startswith(f"{type_}:")]
    rows.sort(key=lambda row: (row["confidence"], row["entity"], row["surface"], row["other"]))
    return rows


def _found(snapshot: "FolderSnapshot", name: str, type_: str | None) -> list[Any]:
    from kg.graph.lookup import find_nodes
    from kg.model.schema import ENTITY_LABELS

    return [
        node
        for node in find_nodes(snapshot, name)
        if node.label in ENTITY_LABELS and type_ in (None, node.label.value.lower())
    ]


def merge_line(row: dict[str, Any]) -> str:
    """Return a line about a merge, a split or a change of type."""
    mark = {"merge": "=", "split": "≠", "retype": "→"}[row["kind"]]
    if row["kind"] == "split":
        return shown(f"{row['confidence']:.2f}  {mark} {row['entity']}: {row['reason']}")
    said = f"{row['entity']}: '{row['surface']}' {mark} '{row['other']}'"
    return shown(f"{row['confidence']:.2f}  {said}  {row['reason']}")


def print_entities(snapshot: "FolderSnapshot", name: str, type_: str | None) -> None:
    """Print what a name means: forms, counts, and why each form belongs there."""
    import pyarrow.compute as pc

    for node in _found(snapshot, name, type_):
        table = snapshot.table(node.label.value)
        row = table.filter(pc.equal(table["id"], node.id)).to_pylist()[0]
        counts = plural(row["papers"], "paper"), plural(row["mentions"], "mention")
        head = f"{row['name']}  ({node.label.value}, {', '.join(counts)})  {row['id']}"
        click.echo(shown(head))
        for surface, count, reason in zip(
            row["surfaces"], row["surface_counts"], row["reasons"], strict=True
        ):
            click.echo(shown(f"{count:>7,}  {surface}: {reason}"))
        if row["aliases"]:
            click.echo(shown(f"{'':>9}also found as {', '.join(row['aliases'])}"))
        click.echo()


def paper_rows(snapshot: "FolderSnapshot", name: str | None) -> list[dict[str, Any]]:
    """Rows of the report of matched records: those that were matched, or those of a paper."""
    from kg.graph.lookup import find_papers

    rows: list[dict[str, Any]] = snapshot.report("matches").to_pylist()
    if name is not None:
        ids = {id_ for id_, _ in find_papers(snapshot, name)}
        rows = [row for row in rows if row["paper"] in ids]
    else:
        rows = [row for row in rows if row["reason"] or row.get("differs")]
    keys = ("paper", "file", "line", "ordinal")
    rows.sort(key=lambda row: [row[key] for key in keys])
    # A graph that was built before the report had them says nothing of differences.
    return [
        {**{key: row[key] for key in (*keys, "reason")}, "differs": row.get("differs") or []}
        for row in rows
    ]


def paper_line(row: dict[str, Any]) -> str:
    """Return a line about a record, and one for each thing that it says otherwise."""
    where = place(row["file"], row["line"], row["ordinal"])
    differs = "".join(f"\n    {shown(line)}" for line in row["differs"])
    return f"{shown(row['paper'])}  {where}  {shown(row['reason'] or 'the first record')}{differs}"
