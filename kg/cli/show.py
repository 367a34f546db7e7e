"""`kg info` and `kg show`: what a graph holds, and what it says of one thing."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kg.cli.telling import plural, shown, without_abstracts

if TYPE_CHECKING:
    from kg.graph.describe import Description, Touching
    from kg.graph.lookup import Found
    from kg.graph.manifest import Manifest

_SHOWN = 5
_HIDDEN = {"id", "head", "tail"}


@click.command()
@click.argument("graph", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the facts as JSON.")
def info(graph: Path, as_json: bool) -> None:
    r"""Say what GRAPH holds: its inputs, counts and settings.

    \b
    Example:
      kg info my.kg
    """
    from kg import api
    from kg.graph.describe import count_without_text

    with api.open(graph) as opened:
        manifest = opened.snapshot.manifest
        counts = dict(opened.counts())
        bare, known = count_without_text(opened.snapshot)
    if as_json:
        facts = {**_facts(graph, manifest, counts), "without_abstract": bare}
        click.echo(json.dumps(facts, indent=2, ensure_ascii=False))
        return
    click.echo(f"{graph}: build {manifest.number} ({manifest.build}) of {manifest.created}")
    click.echo(f"read by {', '.join(manifest.settings.models) or 'no model'}")
    if manifest.settings.min_confidence:
        click.echo(f"without what is less certain than {manifest.settings.min_confidence:g}")
    inputs = manifest.inputs
    records, merged, rejected, removed = (
        sum(getattr(each, name) for each in inputs)
        for name in ("records", "merged", "rejected", "removed")
    )
    click.echo(
        f"{plural(len(inputs), 'file')}: {plural(records + rejected, 'block')} = "
        f"{plural(records - merged - removed, 'paper')} + {merged:,} merged + "
        f"{rejected:,} rejected" + (f" + {removed:,} removed" if removed else "")
    )
    _print_counts({name: n for name, n in counts.items() if "." not in name})
    types: dict[str, int] = {}
    for name, count in counts.items():
        if "." in name:
            types[name.partition(".")[0]] = types.get(name.partition(".")[0], 0) + count
    _print_counts(types)
    if bare:
        click.echo(without_abstracts(bare, known))
    for line in manifest.unapplied:
        click.echo(f"not applied: {shown(line)}")


@click.command()
@click.argument("graph", type=click.Path(path_type=Path))
@click.argument("name")
@click.option("--all", "all_", is_flag=True, help="Show every edge, not the first five of a type.")
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
def show(graph: Path, name: str, all_: bool, as_json: bool) -> None:
    r"""Show what GRAPH says of a paper, entity, author or venue, with the evidence.

    \b
    Examples:
      kg show my.kg ImageNet
      kg show my.kg 10.1000/example

    NAME is a name, a title, an identifier, any surface form, or an id, also one that it had
    before its entity was joined with another.
    """
    from kg import api
    from kg.graph.describe import describe

    with api.open(graph) as opened:
        found = opened.find(name)
        described = [describe(opened.snapshot, each.label, each.id) for each in found]
    if as_json:
        facts = [_described(each, about) for each, about in zip(found, described, strict=True)]
        click.echo(json.dumps(facts, indent=2, ensure_ascii=False))
        return
    for number, (each, about) in enumerate(zip(found, described, strict=True)):
        if number:
            click.echo()
        _print(each, about, None if all_ else _SHOWN)


def _print_counts(counts: dict[str, int]) -> None:
    for name, count in counts.items():
        if count:
            click.echo(f"  {count:>9,} {name}")


def _facts(graph: Path, manifest: "Manifest", counts: dict[str, int]) -> dict[str, Any]:
    from dataclasses import asdict

    return {
        "graph": str(graph),
        "build": manifest.build,
        "number": manifest.number,
        "created": manifest.created,
        "models": list(manifest.settings.models),
        "min_confidence": manifest.settings.min_confidence,
        "inputs": [{**asdict(each), "papers": each.papers} for each in manifest.inputs],
        "counts": counts,
        "not_applied": list(manifest.unapplied),
    }


def _described(found: "Found", about: "Description") -> dict[str, Any]:
    return {
        "label": found.label.value,
        "found_by": found.by,
        **about.properties,
        "edges": [
            {
                "type": edge.type.value,
                "direction": "out" if edge.outward else "in",
                "other": edge.other,
                "other_label": edge.other_label.value,
                "other_name": edge.other_name,
                **{k: v for k, v in edge.properties.items() if k not in _HIDDEN},
            }
            for edge in about.edges
        ],
    }


def _print(found: "Found", about: "Description", limit: int | None) -> None:
    own = about.properties
    by = f"  (found by {found.by})" if found.by not in ("name", "title", "id") else ""
    click.echo(f"{found.label.value}: {shown(found.name)}{by}")
    click.echo(f"  id: {found.id}")
    _print_properties(own)
    groups: dict[tuple[str, str, str], list[Touching]] = {}
    for edge in about.edges:
        arrow = "->" if edge.outward else "<-"
        groups.setdefault((arrow, edge.type.value, edge.other_label.value), []).append(edge)
    for (arrow, type_, label), edges in groups.items():
        click.echo(f"{arrow} {type_} {label}: {len(edges):,}")
        for edge in edges[:limit]:
            click.echo(f"  {_one_line(edge.other_name)}{_certainty(edge)}")
            sentence = edge.properties.get("sentence")
            if sentence and _one_line(sentence) != _one_line(edge.other_name):
                click.echo(f'    "{shown(" ".join(sentence.split()))}"')
        if limit is not None and len(edges) > limit:
            click.echo(f"  and {len(edges) - limit:,} more (--all shows them)")


def _print_properties(own: dict[str, Any]) -> None:
    if "surfaces" in own:
        rows = zip(own["surfaces"], own["surface_counts"], own["reasons"], strict=True)
        click.echo(f"  in {plural(own['papers'], 'paper')}, {plural(own['mentions'], 'mention')}:")
        for surface, count, reason in rows:
            because = f"  ({reason})" if reason else ""
            click.echo(shown(f"    {count:>6,} {surface}{because}"))
        return
    for name, value in own.items():
        if name not in ("id", "title", "name") and value not in (None, [], ""):
            words = "; ".join(map(str, value)) if isinstance(value, list) else str(value)
            click.echo(f"  {name}: {shown(words)}")


def _certainty(edge: "Touching") -> str:
    confidence = edge.properties.get("confidence")
    return "" if confidence is None else f"  [{confidence:.2f}]"


def _one_line(text: str) -> str:
    text = shown(" ".join(text.split()))
    return text if len(text) <= 120 else f"{text[:119]}…"
