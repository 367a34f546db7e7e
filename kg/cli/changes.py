"""`kg diff`, `kg history` and `kg undo`: the builds of a graph and what differs between them."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kg.cli.telling import plural, shown, tell

if TYPE_CHECKING:
    from kg.graph.changes import Changes, TableChange
    from kg.graph.reasons import Reasons

_SHOWN = 10
_WIDTH = 100  # characters of a value
_TROUBLE = 2  # 1 says that there are differences


@click.command()
@click.argument("old", type=click.Path(path_type=Path))
@click.argument("new", type=click.Path(path_type=Path), required=False)
@click.option("--since", metavar="BUILD", help="An earlier build of OLD, by number or id.")
@click.option("--all", "all_", is_flag=True, help="Show every row, not the first ten of each.")
@click.option("--json", "as_json", is_flag=True, help="Print every row that differs as JSON.")
@click.pass_context
def diff(
    ctx: click.Context, old: Path, new: Path | None, since: str | None, all_: bool, as_json: bool
) -> None:
    r"""Show what came, went and changed between two graphs, or since a build of one.

    \b
    Examples:
      kg diff last-week.kg this-week.kg
      kg diff my.kg --since 1

    Papers that only stand at another line of their file, since lines before them came or went, are
    counted; --all and --json list them too.

    Exits with 0 when they are the same, with 1 when they differ, be it in lines only, and with 2
    when they cannot be compared, as diff does.
    """
    if (new is None) == (since is None):
        raise click.UsageError("Pass two graphs, or one and --since BUILD.")
    from kg import api
    from kg.errors import KgError

    try:
        changes = api.diff(old, new or old, old_build=since or "")
    except KgError as error:
        click.echo(f"Error: {error.problem}\n{error.remedy}", err=True)
        ctx.exit(_TROUBLE)
    if as_json:
        click.echo(json.dumps(_facts(changes), indent=2, ensure_ascii=False))
    else:
        _print(changes, None if all_ else _SHOWN)
    if changes.size:
        ctx.exit(1)


@click.command()
@click.argument("graph", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print a list of objects.")
def history(graph: Path, as_json: bool) -> None:
    r"""List the builds of GRAPH, the current one last.

    \b
    Example:
      kg history my.kg

    The last three before the current one are kept whole, marked with *: `kg undo` goes back to
    them, `kg diff --since` compares with them.
    """
    from dataclasses import asdict

    from kg import api
    from kg.graph.folder import kept_numbers, open_snapshot

    builds = api.history(graph)
    kept = kept_numbers(graph, open_snapshot(graph).manifest)
    if as_json:
        rows = [{**asdict(build), "kept": build.number in kept} for build in builds]
        click.echo(json.dumps(rows, indent=2, ensure_ascii=False))
        return
    for build in builds:
        mark = "*" if build.number in kept else " "
        counts = f"{plural(build.papers, 'paper')}, {plural(build.edges, 'edge')}"
        said = f"{mark}{build.number:4} {build.build} {build.created}  {counts}"
        click.echo(f"{said}  {_short(build.action)}")


@click.command()
@click.argument("graph", type=click.Path(path_type=Path))
@click.option("--no-wait", is_flag=True, help="Fail when another process writes to the graph.")
@click.option("--json", "as_json", is_flag=True, help="Print what is current now as JSON.")
def undo(graph: Path, no_wait: bool, as_json: bool) -> None:
    r"""Go back one build: what the last build, remove or merge did is undone.

    \b
    Example:
      kg undo my.kg
    """
    from kg import api

    undone = api.history(graph)[-1]
    manifest = api.undo(graph, wait=not no_wait, say=tell)
    if as_json:
        facts = {"undone": undone.number, "number": manifest.number, "build": manifest.build}
        click.echo(json.dumps(facts, indent=2))
        return
    click.echo(f"Undone: build {undone.number} ({_short(undone.action)})")
    click.echo(f"{graph}: build {manifest.number} ({manifest.build}) is current again")


def _print(changes: "Changes", limit: int | None) -> None:
    if not changes.size:
        click.echo("No difference.")
        return
    from kg.graph.moved import without_moved

    reasons = _reasons(changes)
    all_moved = 0
    for change in changes.tables:
        others = without_moved(change)
        moved = change.size - others.size
        all_moved += moved
        click.echo(f"{change.table.name}: {', '.join(_counts(others, moved))}")
        _print_rows(change if limit is None else others, limit, reasons)
    tables = plural(len(changes.tables), "table")
    only = f", of which {all_moved:,} in lines of files only" if all_moved else ""
    click.echo(f"{plural(changes.size, 'difference')} in {tables}{only}")


def _counts(change: "TableChange", moved: int) -> Iterator[str]:
    """Yield how many rows came, went, changed and moved, of what there are any."""
    sides = {"came": change.came, "went": change.went, "changed": change.changed}
    counts = {word: rows.num_rows for word, rows in sides.items()}
    for word, count in (counts | {"moved in their files": moved}).items():
        if count:
            yield f"{count:,} {word}"


def _print_rows(change: "TableChange", limit: int | None, reasons: "Reasons") -> None:
    name = change.table.name
    for sign, rows, why in (("+", change.came, reasons.came), ("-", change.went, reasons.went)):
        for row in rows.slice(0, limit).to_pylist():
            click.echo(f"  {sign} {_words(row)}{_because(why(name, row))}")
        _print_rest(rows.num_rows, limit, sign)
    for row, earlier in _pairs(change, limit):
        click.echo(f"  ~ {_words(row)}{_because(reasons.changed(name, row))}")
        for property_, was, now in _differences(earlier, row):
            click.echo(f"      {property_}: {' -> '.join(_differing(was, now))}")
    _print_rest(change.changed.num_rows, limit, "~")


def _reasons(changes: "Changes") -> "Reasons":
    from kg.graph.reasons import Reasons

    return Reasons(changes)


def _because(reason: str) -> str:
    return f"  ({shown(reason)})" if reason else ""


def _print_rest(count: int, limit: int | None, sign: str) -> None:
    if limit is not None and count > limit:
        click.echo(f"  {sign} and {count - limit:,} more (--all shows them)")


def _pairs(change: "TableChange", limit: int | None) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    sides = (rows.slice(0, limit).to_pylist() for rows in (change.changed, change.before))
    return list(zip(*sides, strict=True))


def _differences(before: dict[str, Any], after: dict[str, Any]) -> list[tuple[str, Any, Any]]:
    return [(name, before[name], after[name]) for name in after if before[name] != after[name]]


def _words(row: dict[str, Any]) -> str:
    if "head" in row:
        return shown(f"{row['head']} -> {row['tail']}")
    name = row.get("name") or row.get("title") or row.get("text") or row.get("raw") or ""
    return shown(f"{row['id']}  {_short(name)}" if name else str(row["id"]))


def _short(value: Any) -> str:
    text = _line(value)
    return text if len(text) <= _WIDTH else f"{text[: _WIDTH - 1]}…"


def _differing(was: Any, now: Any) -> tuple[str, str]:
    """Both values, long ones from shortly before the place where they begin to differ."""
    one, two = _line(was), _line(now)
    if max(len(one), len(two)) > _WIDTH:
        differs = (i for i, (a, b) in enumerate(zip(one, two, strict=False)) if a != b)
        common = next(differs, min(len(one), len(two)))
        start = one.rfind(" ", 0, max(0, common - _WIDTH // 4)) + 1
        if start:
            one, two = f"…{one[start:]}", f"…{two[start:]}"
    return _short(one), _short(two)


def _line(value: Any) -> str:
    text = "; ".join(str(each) for each in value) if isinstance(value, list) else str(value)
    return shown(" ".join(text.split()))


def _facts(changes: "Changes") -> dict[str, Any]:
    reasons = _reasons(changes)
    return {
        "old": changes.old,
        "new": changes.new,
        "differences": changes.size,
        "tables": {
            (name := change.table.name): {
                "came": [
                    {**row, "reason": reasons.came(name, row)} for row in change.came.to_pylist()
                ],
                "went": [
                    {**row, "reason": reasons.went(name, row)} for row in change.went.to_pylist()
                ],
                "changed": [
                    {
                        "id": row["id"],
                        "reason": reasons.changed(name, row),
                        "properties": {
                            name: {"before": was, "after": now}
                            for name, was, now in _differences(earlier, row)
                        },
                    }
                    for row, earlier in _pairs(change, None)
                ],
            }
            for change in changes.tables
        },
    }
