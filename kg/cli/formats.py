"""`kg formats`: what can be read, and what each format gives."""

import json

import click


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def formats(as_json: bool) -> None:
    """List the input formats and what each gives.

    The format of a file is found from its content; --format NAME of `kg build` and `kg extract`
    overrides it. Any of them may be compressed (.gz, .bz2, .xz, .zst) or in a .zip or .tar.

    Example: kg formats
    """
    from kg.sources.reader import GIVES
    from kg.sources.registry import readers

    known = readers().values()
    if as_json:
        rows = [
            {
                "name": each.name,
                "about": each.about,
                "suffixes": list(each.suffixes),
                "gives": [what for what in GIVES if what in each.gives],
                "map": each.mapped,
            }
            for each in known
        ]
        click.echo(json.dumps(rows, ensure_ascii=False, indent=2))
        return
    width = max(len(each.name) for each in known)
    for each in known:
        click.echo(f"{each.name:<{width}}  {each.about}")
        gives = ", ".join(what for what in GIVES if what in each.gives)
        click.echo(f"{'':<{width}}  gives {gives}{'; --map' if each.mapped else ''}")
