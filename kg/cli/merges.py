"""`kg merges`: why forms are one entity, and what the user decides about it."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kg.cli.merge_lists import (
    decisions_of,
    merge_line,
    merge_rows,
    paper_line,
    paper_rows,
    print_decisions,
    print_entities,
)
from kg.cli.telling import shown, tell

if TYPE_CHECKING:
    from kg.model.decision import Decision, Form

_TYPES = ("method", "dataset", "task", "metric")
_LIST = "list"


class _Merges(click.Group):
    """`kg merges GRAPH` lists; a folder that is called refuse is ./refuse."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args or (args[0] not in self.commands and args[0] not in ctx.help_option_names):
            args = [_LIST, *args]
        return super().parse_args(ctx, args)


def _keep_wait(ctx: click.Context, _: click.Parameter, no_wait: bool) -> None:
    ctx.meta[_WAIT] = not no_wait


_WAIT = "kg.cli.merges.wait"
_no_wait = click.option(
    "--no-wait",
    is_flag=True,
    expose_value=False,
    callback=_keep_wait,
    help="Fail when another process writes to the graph.",
)


@click.group(cls=_Merges, subcommand_metavar="GRAPH [NAME] | COMMAND GRAPH ...")
def merges() -> None:
    r"""List and explain which names were taken for one thing; refuse, join, retype, rename, undo.

    \b
    Examples:
      kg merges my.kg                    the least certain merges first
      kg merges my.kg GRPO               what GRPO is, and why
      kg merges refuse my.kg DPO 'Deterministic Policy Optimization'
      kg merges join my.kg 'ImageNet' 'ILSVRC'
      kg merges retype my.kg MMLU --to dataset
      kg merges undo my.kg 3

    Decisions are kept in decisions.jsonl of the graph and hold for every later build.
    """


@merges.command(_LIST)
@click.argument("graph", type=click.Path(path_type=Path))
@click.argument("name", required=False)
@click.option("--type", "type_", type=click.Choice(_TYPES), help="Only entities of this type.")
@click.option(
    "--kind", type=click.Choice(("merge", "split", "retype")), help="Only merges, splits or types."
)
@click.option("--below", type=click.FloatRange(0, 1), help="Only what is less certain than this.")
@click.option("--limit", type=click.IntRange(1), default=50, show_default=True, help="Lines shown.")
@click.option("--papers", is_flag=True, help="Records that are of one paper, in place of names.")
@click.option("--decisions", is_flag=True, help="What you decided, in place of merges.")
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON lines.")
def list_(
    graph: Path,
    name: str | None,
    type_: str | None,
    kind: str | None,
    below: float | None,
    limit: int,
    papers: bool,
    decisions: bool,
    as_json: bool,
) -> None:
    r"""List merges and splits of GRAPH with their reasons, or explain those of NAME.

    \b
    Examples:
      kg merges my.kg --below 0.9
      kg merges my.kg GRPO --json
      kg merges my.kg --decisions
    """
    from kg import api

    if sum((papers, decisions)) > 1:
        raise click.UsageError("--papers and --decisions exclude each other.")
    if decisions:
        print_decisions(graph, as_json)
        return
    with api.open(graph) as opened:
        snapshot = opened.snapshot
        if papers:
            rows = paper_rows(snapshot, name)
        else:
            rows = merge_rows(snapshot, name, type_)
            rows = [
                row
                for row in rows
                if (kind is None or row["kind"] == kind)
                and (below is None or row["confidence"] < below)
            ]
        if as_json:
            for row in rows:
                click.echo(json.dumps(row, ensure_ascii=False))
            return
        if name is not None and not papers:
            print_entities(snapshot, name, type_)
    for row in rows[:limit]:
        click.echo(paper_line(row) if papers else merge_line(row))
    if len(rows) > limit:
        click.echo(f"... and {len(rows) - limit:,} more: --limit {len(rows)}, --json or NAME")
    elif not rows and name is None:
        click.echo("Nothing was merged.")


@merges.command()
@click.argument("graph", type=click.Path(path_type=Path))
@click.argument("one")
@click.argument("two")
@click.option("--type", "type_", type=click.Choice(_TYPES), help="Where both types have the name.")
@click.option("--papers", is_flag=True, help="ONE and TWO are papers: ids or titles.")
@click.option("--note", default="", help="Why; kept with the decision.")
@_no_wait
@click.option("--json", "as_json", is_flag=True, help="Print the decision as JSON.")
def refuse(graph: Path, one: str, two: str, type_: str | None, papers: bool, **rest: Any) -> None:
    r"""Keep ONE and TWO apart: they are two things.

    \b
    Example:
      kg merges refuse my.kg Adam ADAM --note 'ADAM is a data set of ours'
    """
    _decide_pair(graph, "refuse", (one, two), type_, papers, **rest)


@merges.command()
@click.argument("graph", type=click.Path(path_type=Path))
@click.argument("one")
@click.argument("two")
@click.option("--type", "type_", type=click.Choice(_TYPES), help="Where both types have the name.")
@click.option("--papers", is_flag=True, help="ONE and TWO are papers: ids or titles.")
@click.option("--note", default="", help="Why; kept with the decision.")
@_no_wait
@click.option("--json", "as_json", is_flag=True, help="Print the decision as JSON.")
def join(graph: Path, one: str, two: str, type_: str | None, papers: bool, **rest: Any) -> None:
    r"""Make ONE and TWO one thing; of two types, ONE's is kept.

    \b
    Example:
      kg merges join my.kg ImageNet ILSVRC
    """
    _decide_pair(graph, "join", (one, two), type_, papers, **rest)


@merges.command()
@click.argument("graph", type=click.Path(path_type=Path))
@click.argument("name")
@click.option("--to", type=click.Choice(_TYPES), required=True, help="What it is.")
@click.option("--type", "type_", type=click.Choice(_TYPES), help="What it is now, if several are.")
@click.option("--note", default="", help="Why; kept with the decision.")
@_no_wait
@click.option("--json", "as_json", is_flag=True, help="Print the decision as JSON.")
def retype(graph: Path, name: str, to: str, type_: str | None, note: str, as_json: bool) -> None:
    r"""Say that NAME is a method, dataset, task or metric.

    \b
    Example:
      kg merges retype my.kg MMLU --to dataset
    """
    from kg.model.decision import Decision, DecisionKind

    form = _form(graph, name, type_)
    kind = DecisionKind.RETYPE
    _decide(graph, Decision(1, kind, form, to=to.capitalize(), note=note), as_json)


@merges.command()
@click.argument("graph", type=click.Path(path_type=Path))
@click.argument("name")
@click.argument("new")
@click.option("--type", "type_", type=click.Choice(_TYPES), help="Where several have the name.")
@click.option("--note", default="", help="Why; kept with the decision.")
@_no_wait
@click.option("--json", "as_json", is_flag=True, help="Print the decision as JSON.")
def rename(graph: Path, name: str, new: str, type_: str | None, note: str, as_json: bool) -> None:
    r"""Show the entity NAME as NEW; its id stays.

    \b
    Example:
      kg merges rename my.kg imagenet ImageNet
    """
    from kg.model.decision import Decision, DecisionKind

    form = _form(graph, name, type_)
    _decide(graph, Decision(1, DecisionKind.RENAME, form, to=new, note=note), as_json)


@merges.command()
@click.argument("graph", type=click.Path(path_type=Path))
@click.argument("number", type=click.IntRange(1))
@click.option("--note", default="", help="Why; kept with the decision.")
@_no_wait
@click.option("--json", "as_json", is_flag=True, help="Print the decision as JSON.")
def undo(graph: Path, number: int, note: str, as_json: bool) -> None:
    r"""Take back decision NUMBER; `kg merges GRAPH --decisions` lists them.

    \b
    Example:
      kg merges undo my.kg 3
    """
    from kg.errors import NotFoundError
    from kg.model.decision import Decision, DecisionKind

    known, holding = decisions_of(graph)
    if number not in {decision.number for decision in known}:
        raise NotFoundError(
            f"{graph}: there is no decision {number}", f"See kg merges {graph} --decisions"
        )
    if number not in {decision.number for decision in holding}:
        raise NotFoundError(
            f"{graph}: decision {number} was taken back before",
            f"See kg merges {graph} --decisions",
        )
    _decide(graph, Decision(1, DecisionKind.UNDO, undoes=number, note=note), as_json)


def _decide_pair(
    graph: Path,
    kind: str,
    names: tuple[str, str],
    type_: str | None,
    papers: bool,
    *,
    note: str,
    as_json: bool,
) -> None:
    from kg.model.decision import Decision, DecisionKind

    find = _paper if papers else _form
    one, two = (find(graph, name, type_) for name in names)
    _decide(graph, Decision(1, DecisionKind(kind), one, two, note=note), as_json)


def _form(graph: Path, name: str, type_: str | None) -> "Form":
    from kg import api
    from kg.graph.naming_forms import find_form
    from kg.model.schema import NodeLabel

    with api.open(graph) as opened:
        label = NodeLabel(type_.capitalize()) if type_ else None
        return find_form(opened.snapshot, name, label)


def _paper(graph: Path, name: str, type_: str | None) -> "Form":
    from kg import api
    from kg.errors import DecisionError
    from kg.graph.lookup import find_papers
    from kg.model.decision import Form
    from kg.model.schema import NodeLabel

    if type_:
        raise click.UsageError("--type says nothing of papers.")
    with api.open(graph) as opened:
        found = find_papers(opened.snapshot, name)
    if len(found) > 1:
        raise DecisionError(
            f"'{name}' is the title of {len(found)} papers",
            f"Use an id: {', '.join(id_ for id_, _ in found)}",
        )
    return Form(NodeLabel.PAPER, found[0][0])


def _decide(graph: Path, decision: "Decision", as_json: bool) -> None:
    from kg import api
    from kg.graph.decisions import decision_row

    wait = click.get_current_context().meta[_WAIT]
    (taken,) = api.decide(graph, [decision], wait=wait, say=tell)
    with api.open(graph) as opened:
        idle = [line for line in opened.snapshot.manifest.unapplied if line.startswith(f"{taken}:")]
    if as_json:
        facts = {**decision_row(taken), "applied": not idle}
        click.echo(json.dumps(facts, ensure_ascii=False))
        return
    click.echo(shown(f"Decision {taken.number}: {taken}"))
    for line in idle:
        click.echo(shown(f"It finds nothing to do: {line.removeprefix(f'{taken}: ')}"))
