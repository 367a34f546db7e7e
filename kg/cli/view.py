"""`kg view`: the graph, or what is around a name, as a page."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from kg.api.graph import Graph
    from kg.graph.lookup import Found

# Written out, so that `kg view --help` loads nothing; a test compares it with the schema.
LABELS = ("Paper", "Method", "Dataset", "Task", "Metric", "Claim", "Result", "Author", "Venue")


@click.command()
@click.argument("graph", type=click.Path(path_type=Path))
@click.argument("name", required=False)
@click.option("-o", "--out", type=click.Path(path_type=Path), help="File to write (HTML).")
@click.option("--open", "open_", is_flag=True, help="Open the page in the browser.")
@click.option(
    "--hops", type=click.IntRange(0), help="How far around NAME.  [default: 2; a paper: 1]"
)
@click.option(
    "--max-nodes",
    type=click.IntRange(1),
    default=500,
    show_default=True,
    help="Draw at most so many; the page says which were left out, and by which rule.",
)
@click.option(
    "--min-confidence", type=click.FloatRange(0, 1), default=0.0, help="Leave out the less certain."
)
@click.option(
    "--label",
    "labels",
    multiple=True,
    type=click.Choice(LABELS, case_sensitive=False),
    help="Draw only nodes of this label; again for more.  [default: papers and entities]",
)
@click.option("--json", "as_json", is_flag=True, help="Print what the page shows as JSON.")
def view(
    graph: Path,
    name: str | None,
    out: Path | None,
    open_: bool,
    hops: int | None,
    max_nodes: int,
    min_confidence: float,
    labels: tuple[str, ...],
    as_json: bool,
) -> None:
    r"""Write a page of GRAPH, or of what is around NAME: a name, a title, a DOI or an id.

    The page is one file that asks nothing of the network: send it, archive it, open it anywhere.
    A click on a node or a line shows the sentences it rests on.

    \b
    Examples:
      kg view my.kg -o overview.html --open
      kg view my.kg GRPO -o grpo.html
      kg view my.kg 10.18653/v1/n19-1423 -o bert.html
      kg view my.kg ImageNet --hops 1 --label Method --label Dataset -o imagenet.html
    """
    if out is None and not open_:
        raise click.UsageError("Name the file to write with -o, or pass --open.")
    if hops is not None and name is None:
        raise click.UsageError("--hops goes with a NAME.")
    from kg import api
    from kg.model.schema import NodeLabel
    from kg.views.page import write_page
    from kg.views.scenes import scene

    with api.open(graph) as opened:
        node = _chosen(opened, name) if name else None
        shown = scene(
            opened.snapshot,
            node.id if node else None,
            hops=hops,
            max_nodes=max_nodes,
            min_confidence=min_confidence,
            labels=tuple(NodeLabel(label) for label in labels),
        )
    path = out or _temporary(node.name if node else graph.stem)
    title = "" if node else graph.resolve().stem
    write_page(shown, path, title=title, source=graph.resolve().name)
    left_out = sum(shown.left_out.values())
    if as_json:
        import json

        facts = {
            "page": str(path),
            "kind": shown.kind,
            "node": node.id if node else None,
            "shown": len(shown.drawn),
            "left_out": {label.value: count for label, count in shown.left_out.items()},
        }
        click.echo(json.dumps(facts, ensure_ascii=False))
    else:
        more = f", {left_out:,} more not shown (--max-nodes)" if left_out else ""
        click.echo(f"{path}: {len(shown.drawn):,} nodes{more}")
    if open_:
        click.launch(path.resolve().as_uri())


def _chosen(graph: "Graph", name: str) -> "Found":
    """Return the node that the name means; of several the first, and say so."""
    first, *others = graph.find(name)
    if others:
        ids = ", ".join(found.id for found in others[:5])
        click.echo(f"Showing the {first.label} {first.id}; also called so: {ids}", err=True)
    return first


def _temporary(name: str) -> Path:
    import tempfile

    kept = "".join(c if c.isalnum() else "-" for c in name)[:40].strip("-")
    return Path(tempfile.mkdtemp(prefix="kg-")) / f"{kept or 'graph'}.html"
