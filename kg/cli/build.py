"""`kg build` and `kg remove`: what goes into a graph, and out of it."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kg.cli.telling import Progress, name, place, plural, shown, tell, without_abstracts

if TYPE_CHECKING:
    from kg.api.building import BuildReport
    from kg.graph.manifest import Input, Manifest

_SHOWN_FILES = 20
_SHOWN_REJECTED = 10
_STRICT = 3


@click.command()
@click.argument("inputs", nargs=-1, metavar="INPUT...")
@click.option(
    "-o", "--out", type=click.Path(path_type=Path), required=True, help="Folder of the graph."
)
@click.option("--view", type=click.Path(path_type=Path), help="Write a page of the graph here.")
@click.option(
    "--model",
    metavar="fast|accurate|auto|PATH",
    help="What reads the texts; by default the graph's own, for a new graph the best installed.",
)
@click.option("--format", "format_", metavar="FORMAT", help="Read every input as this format.")
@click.option(
    "--map", "mapping", multiple=True, metavar="FIELD=COLUMN",
    help="Which column or key holds what, such as abstract=Summary; again for more.",
)  # fmt: skip
@click.option("--names", type=click.Path(path_type=Path), help="CSV of names: name,type,aliases.")
@click.option(
    "--min-confidence", type=click.FloatRange(0, 1), help="Leave out what is less certain."
)
@click.option(
    "--processes", type=click.IntRange(0), default=0, help="How many read texts at the same time."
)
@click.option("--upgrade", is_flag=True, help="Read again what another model has read.")
@click.option(
    "--reread", is_flag=True, help="Read known files again, with papers that were removed."
)
@click.option("--strict", is_flag=True, help="Exit with 3 when a block was rejected.")
@click.option("--no-wait", is_flag=True, help="Fail when another process writes to the graph.")
@click.option("--json", "as_json", is_flag=True, help="Print what was read and made as JSON.")
@click.pass_context
def build(
    ctx: click.Context,
    /,
    inputs: tuple[str, ...],
    out: Path,
    view: Path | None,
    mapping: tuple[str, ...],
    format_: str | None,
    no_wait: bool,
    strict: bool,
    as_json: bool,
    **options: Any,
) -> None:
    r"""Read papers from files, folders, globs or - and build a graph, or add to one.

    \b
    Examples:
      kg build listing.txt -o my.kg --view page.html
      kg build export.bib more/*.jsonl -o my.kg
      kg build papers.csv --map abstract=Summary --map title=Name -o my.kg

    What was read before is not read again: run it as often as you like. Without INPUT the graph is
    rebuilt from what it holds, with new options or decisions.
    """
    from kg import api

    report = api.build(
        inputs,
        out,
        format=format_,
        fields=fields_of(mapping),
        wait=not no_wait,
        stdin=sys.stdin.buffer,
        say=tell,
        progress=Progress("Read"),
        **options,
    )
    if view is not None:
        with api.open(out, say=tell) as graph:
            graph.view(path=view)
    if as_json:
        click.echo(json.dumps(_facts(report, view), indent=2, ensure_ascii=False))
    else:
        _print(report)
        if view is not None:
            click.echo(f"{view}: open it in a browser")
    _hint(report, options)
    if strict and report.rejected:
        ctx.exit(_STRICT)


@click.command()
@click.argument("graph", type=click.Path(path_type=Path))
@click.argument("papers", nargs=-1, required=True, metavar="ID_OR_TITLE...")
@click.option("--no-wait", is_flag=True, help="Fail when another process writes to the graph.")
@click.option("--json", "as_json", is_flag=True, help="Print what was removed as JSON.")
def remove(graph: Path, papers: tuple[str, ...], no_wait: bool, as_json: bool) -> None:
    r"""Take papers out of GRAPH, with everything that nothing else supports.

    \b
    Example:
      kg remove my.kg arxiv:2401.01234 'A title'

    `kg undo` brings them back; so does `kg build --reread` with the file they came from.
    """
    from kg import api

    report = api.remove(graph, papers, wait=not no_wait, say=tell)
    if as_json:
        facts = {
            "graph": str(graph),
            "build": report.manifest.build,
            "number": report.manifest.number,
            "removed": [{"id": id_, "title": title} for id_, title in report.papers],
            "records": report.records,
        }
        click.echo(json.dumps(facts, indent=2, ensure_ascii=False))
        return
    for id_, title in report.papers:
        click.echo(shown(f"removed {id_}: {' '.join(title.split())}"))
    click.echo(_summary(graph, report.manifest))


def fields_of(mapping: tuple[str, ...]) -> dict[str, str]:
    """Return what --map says, which may be given several times or hold several parts."""
    fields = {}
    for text in mapping:
        for part in text.split(","):
            name, sign, column = part.partition("=")
            if not sign or not name.strip() or not column.strip():
                raise click.UsageError(f"--map {part!r} is not FIELD=COLUMN.")
            fields[name.strip()] = column.strip()
    return fields


def _print(report: "BuildReport") -> None:
    for file in report.mended:
        click.echo(f"Written anew, since it was damaged: {file}")
    if not report.changed and not report.mended:
        click.echo(f"Nothing to do: {_files(report.known)}")
    elif report.known:
        click.echo(f"Known, and not read again: {plural(len(report.known), 'file')}")
    for each in report.read[:_SHOWN_FILES]:
        click.echo(_closing(each))
    if len(report.read) > _SHOWN_FILES:
        rest = report.read[_SHOWN_FILES:]
        click.echo(f"and {plural(len(rest), 'more file')}, in all {_total(report.read)}")
    for block in report.rejected[:_SHOWN_REJECTED]:
        where = place(block.file, block.line, block.ordinal)
        click.echo(f"rejected {where}: {shown(block.reason)}")
    if len(report.rejected) > _SHOWN_REJECTED:
        more = len(report.rejected) - _SHOWN_REJECTED
        click.echo(f"and {more:,} more rejected; all are in {report.path / 'rejected.jsonl'}")
    if report.changed and report.texts_kept and not report.texts_read:
        click.echo("No text had to be read again.")
    for line in report.manifest.unapplied:
        click.echo(f"not applied: {shown(line)}")
    click.echo(_summary(report.path, report.manifest))
    if report.without_abstract:
        click.echo(without_abstracts(report.without_abstract, report.known_papers))


def _hint(report: "BuildReport", options: dict[str, Any]) -> None:
    """Say what --upgrade alone does not do: it keeps the model, in its present version."""
    from kg.nlp.models import SHIPPED, available

    own, better = report.manifest.settings.model_name, available()[-1:]
    if (
        options["upgrade"]
        and not options["model"]
        and own in SHIPPED
        and better not in ((), (own,))
    ):
        tell(f"Read by {own}, as before; --upgrade --model {better[0]} reads all with {better[0]}.")


def _files(inputs: tuple["Input", ...]) -> str:
    if len(inputs) == 1:
        return f"{name(inputs[0].file)} is in the graph as it is."
    if not inputs:
        return "the graph is as it was built last."
    return f"{plural(len(inputs), 'file')} are in the graph as they are."


def _closing(each: "Input") -> str:
    form = f" ({each.format})" if each.format else ""
    blocks = plural(each.records + each.rejected, "block")
    notes = "".join(f"\n  {shown(note)}" for note in each.notes if each.records)
    return (
        f"{name(each.file)}{form}: {blocks} = {plural(each.papers, 'paper')} + {each.merged} merged"
        f" + {each.rejected} rejected{notes}"
    )


def _total(inputs: tuple["Input", ...]) -> str:
    papers, merged, rejected = (
        sum(getattr(each, name) for each in inputs) for name in ("papers", "merged", "rejected")
    )
    return f"{plural(papers, 'paper')} + {merged:,} merged + {rejected:,} rejected"


def _summary(path: Path, manifest: "Manifest") -> str:
    labels = ("Paper", "Method", "Dataset", "Task", "Metric", "Claim", "Result")
    counts = ", ".join(
        plural(manifest.rows(label), label.lower()) for label in labels if manifest.rows(label)
    )
    edges = sum(table.stored.rows for table in manifest.tables if "." in table.table)
    return f"{path}: build {manifest.number} ({manifest.build}): {counts}; {plural(edges, 'edge')}"


def _facts(report: "BuildReport", view: Path | None) -> dict[str, Any]:
    manifest = report.manifest
    return {
        "graph": str(report.path),
        "build": manifest.build,
        "number": manifest.number,
        "changed": report.changed,
        "models": list(manifest.settings.models),
        "files": [
            {
                "file": each.file,
                "format": each.format,
                "blocks": each.records + each.rejected,
                "papers": each.papers,
                "merged": each.merged,
                "rejected": each.rejected,
                "removed": each.removed,
                "notes": list(each.notes),
            }
            for each in report.read
        ],
        "known": [each.file for each in report.known],
        "rejected": [
            {"file": b.file, "line": b.line, "ordinal": b.ordinal, "reason": b.reason}
            for b in report.rejected
        ],
        "texts": {"read": report.texts_read, "kept": report.texts_kept},
        "without_abstract": report.without_abstract,
        "mended": list(report.mended),
        "not_applied": list(manifest.unapplied),
        "counts": {table.table: table.stored.rows for table in manifest.tables},
        "view": str(view) if view else None,
    }
