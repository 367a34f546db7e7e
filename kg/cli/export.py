"""`kg export`: the graph, or a part of it, for other tools."""

from pathlib import Path

import click

# Written out, so that `kg export --help` loads nothing; a test compares it with the writers.
FORMATS = (
    "graphml",
    "gexf",
    "csv",
    "csv-spreadsheet",
    "json",
    "jsonl",
    "parquet",
    "neo4j-admin",
    "cypher",
)


@click.command()
@click.argument("graph", type=click.Path(path_type=Path))
@click.argument("form", metavar="FORMAT", type=click.Choice(FORMATS))
@click.argument("name", required=False)
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path),
    required=True,
    help="File or folder to write; - for stdout.",
)
@click.option("--hops", type=click.IntRange(0), help="With NAME: how far around it.  [default: 1]")
@click.option(
    "--min-confidence",
    type=click.FloatRange(0, 1),
    default=0.0,
    help="Leave out edges, claims and results that are less certain, and what only they supported.",
)
@click.option("--json", "as_json", is_flag=True, help="Print what was written as JSON.")
def export(
    graph: Path,
    form: str,
    name: str | None,
    out: Path,
    hops: int | None,
    min_confidence: float,
    as_json: bool,
) -> None:
    r"""Write GRAPH, or what is around NAME in it, in FORMAT.

    \b
    graphml          one file, for networkx, Gephi, yEd and Cytoscape
    gexf             one file (GEXF 1.2), for Gephi and networkx
    csv              a folder, one file per table (RFC 4180), values exactly as they are
    csv-spreadsheet  the same, but no text is run as a formula by a spreadsheet
    json             one file, nodes and edges, for networkx and d3
    jsonl            one object a line
    parquet          a folder, one file per table, all types kept
    neo4j-admin      a folder for neo4j-admin database import
    cypher           one script for cypher-shell

    Lists are joined by ' | ' in GraphML, GEXF and CSV, where \ and | in a value become \\ and \|.
    Characters that XML cannot hold become U+FFFD. A failed export leaves no file, and an earlier
    one stays as it was.

    \b
    Examples:
      kg export my.kg graphml -o my.graphml
      kg export my.kg gexf GRPO --hops 2 -o grpo.gexf
      kg export my.kg csv --min-confidence 0.8 -o tables/
      kg export my.kg jsonl -o - | jq -r 'select(.node == "Method") | .name'
    """
    if hops is not None and name is None:
        raise click.UsageError("--hops goes with a NAME.")
    from kg import api
    from kg.api.exporting import export as write

    with api.open(graph) as opened:
        start = [found.id for found in opened.find(name)] if name else []
        snapshot = opened.snapshot
        written = write(
            snapshot,
            form,
            out,
            start=start,
            hops=1 if hops is None else hops,
            min_confidence=min_confidence,
        )
    counts = written.counts()
    edges = sum(count for table, count in counts.items() if "." in table)
    nodes = sum(counts.values()) - edges
    if as_json:
        import json

        facts = {"path": str(out), "format": form, "nodes": nodes, "edges": edges}
        # What was exported has standard output to itself.
        click.echo(json.dumps(facts, ensure_ascii=False), err=str(out) == "-")
    elif str(out) != "-":
        click.echo(f"{out}: {nodes:,} nodes, {edges:,} edges")
