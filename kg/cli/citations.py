"""`kg citations`: which references were matched to papers, and which were not."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import click

from kg.cli.telling import plural

_WORDS = {
    "resolved": "a paper of the graph",
    "stub": "a paper without a record; a Paper node with known = false",
    "ambiguous": "several papers fit; no edge",
    "missing": "too little is known; no edge",
    "self": "the paper itself; no edge",
    "link": "an address that is no paper's",
}
_COLUMNS = (
    "paper",
    "origin",
    "raw",
    "title",
    "authors",
    "year",
    "start",
    "end",
    "status",
    "method",
    "score",
    "cited",
    "candidates",
)


@click.command()
@click.argument("graph", type=click.Path(path_type=Path))
@click.option("--status", type=click.Choice(list(_WORDS)), help="List the references of a status.")
@click.option("--paper", help="Only references of the paper with this id.")
@click.option("--json", "as_json", is_flag=True, help="Print every reference as JSON lines.")
def citations(graph: Path, status: str | None, paper: str | None, as_json: bool) -> None:
    r"""Say what became of every reference and citation that the papers of GRAPH hold.

    \b
    Examples:
      kg citations my.kg
      kg citations my.kg --status ambiguous
      kg citations my.kg --json
    """
    from kg import api

    with api.open(graph) as opened:
        table = opened.snapshot.report("references").select(list(_COLUMNS))
    rows = [
        row
        for batch in table.to_batches()
        for row in batch.to_pylist()
        if (status is None or row["status"] == status) and (paper is None or row["paper"] == paper)
    ]
    if as_json:
        for row in rows:
            click.echo(json.dumps(row, ensure_ascii=False))
    elif status is None:
        _print_counts(rows)
    else:
        for row in rows:
            click.echo(_line(row))


def _print_counts(rows: list[dict[str, Any]]) -> None:
    click.echo(
        f"{plural(len(rows), 'reference')} in {plural(len({r['paper'] for r in rows}), 'paper')}"
    )
    counts = Counter(row["status"] for row in rows)
    for status, words in _WORDS.items():
        if counts[status]:
            click.echo(f"{counts[status]:>9,} {status}: {words}")
            methods = Counter(row["method"] for row in rows if row["status"] == status)
            for method, count in sorted(methods.items(), key=lambda item: (-item[1], item[0])):
                click.echo(f"{'':>9} {count:>9,} by {method}")


def _line(row: dict[str, Any]) -> str:
    said = row["raw"] or row["title"] or ", ".join(row["authors"] or ()) or "(identifiers only)"
    year = f" ({row['year']})" if row["year"] and not row["raw"] else ""
    meant = row["cited"] or " or ".join(row["candidates"] or ()) or "-"
    return f"{row['paper']}  {' '.join(said.split())}{year}  ->  {meant}  [{row['method']}]"
