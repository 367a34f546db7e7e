"""`kg citations`: which references were matched to papers, and which were not."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kg.cli.telling import plural, shown

if TYPE_CHECKING:
    import pyarrow as pa

_BATCH = 8192  # references that become Python objects at a time

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
@click.option("--paper", help="Only references of this paper: an id, identifier or title.")
@click.option("--json", "as_json", is_flag=True, help="Print every reference as JSON lines.")
def citations(graph: Path, status: str | None, paper: str | None, as_json: bool) -> None:
    r"""Say what became of every reference and citation that the papers of GRAPH hold.

    \b
    Examples:
      kg citations my.kg
      kg citations my.kg --status ambiguous
      kg citations my.kg --json
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    from kg import api
    from kg.graph.lookup import find_papers

    with api.open(graph) as opened:
        table = opened.snapshot.report("references").select(list(_COLUMNS))
        if paper is not None:
            ids = [id_ for id_, _ in find_papers(opened.snapshot, paper)]
            table = table.filter(pc.is_in(table["paper"], pa.array(ids, pa.string())))
    if status is not None:
        table = table.filter(pc.equal(table["status"], status))
    if status is None and not as_json:
        _print_counts(table)
        return
    for batch in table.to_batches(_BATCH):
        for row in batch.to_pylist():
            click.echo(json.dumps(row, ensure_ascii=False) if as_json else _line(row))


def _print_counts(table: "pa.Table") -> None:
    import pyarrow.compute as pc

    papers = len(pc.unique(table["paper"]))
    click.echo(f"{plural(table.num_rows, 'reference')} in {plural(papers, 'paper')}")
    grouped = table.group_by(["status", "method"]).aggregate([([], "count_all")]).to_pylist()
    for status, words in _WORDS.items():
        counts = {row["method"]: row["count_all"] for row in grouped if row["status"] == status}
        if counts:
            click.echo(f"{sum(counts.values()):>9,} {status}: {words}")
            for method, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
                click.echo(shown(f"{'':>9} {count:>9,} by {method}"))


def _line(row: dict[str, Any]) -> str:
    said = row["raw"] or row["title"] or ", ".join(row["authors"] or ()) or "(identifiers only)"
    year = f" ({row['year']})" if row["year"] and not row["raw"] else ""
    meant = row["cited"] or " or ".join(row["candidates"] or ()) or "-"
    line = f"{row['paper']}  {' '.join(said.split())}{year}  ->  {meant}  [{row['method']}]"
    return shown(line)
