"""`kg query`: ask a graph in Cypher, or by the name of a canned query."""

import io
import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kg.cli.telling import shown

if TYPE_CHECKING:
    from kg.stores.protocol import Answer, Store


_NO_WIDTH = 100_000


@click.command()
@click.argument("graph", type=click.Path(path_type=Path), required=False)
@click.argument("query", required=False)
@click.argument("values", nargs=-1, metavar="[NAME=VALUE]...")
@click.option("--list", "list_", is_flag=True, help="Show the canned queries.")
@click.option(
    "--param", "-p", multiple=True, metavar="NAME=VALUE", help="A parameter; again for more."
)
@click.option("--json", "as_json", is_flag=True, help="Print a list of objects.")
@click.option("--csv", "as_csv", is_flag=True, help="Print CSV with a header.")
@click.option("--cypher", "show", is_flag=True, help="Print the text of a canned query.")
@click.option("--write", is_flag=True, help="Let the query change the database.")
@click.option("--uri", help="Ask a Neo4j at this address in place of the embedded database.")
@click.option("--user", default="neo4j", show_default=True, help="With --uri.")
@click.option("--password-file", type=click.Path(path_type=Path), help="With --uri.")
@click.option("--database", help="With --uri: the database; the server's default if not given.")
@click.option(
    "--graph", "name", default="kg", show_default=True, help="With --uri: its name there."
)
@click.option("--ca-file", type=click.Path(path_type=Path), help="With --uri: PEM file of a CA.")
def query(
    graph: Path | None,
    query: str | None,
    values: tuple[str, ...],
    list_: bool,
    param: tuple[str, ...],
    as_json: bool,
    as_csv: bool,
    show: bool,
    write: bool,
    uri: str | None,
    **connection: Any,
) -> None:
    r"""Ask GRAPH in Cypher, or by the name of a canned query.

    \b
    Examples:
      kg query my.kg 'MATCH (m:Method) RETURN m.name, m.papers ORDER BY m.papers DESC LIMIT 5'
      kg query my.kg 'MATCH (p:Paper) WHERE p.year = $year RETURN p.title' -p year=2024
      kg query --list
      kg query my.kg datasets-of-method method=grpo --json

    A number, true, false, null or a list given as a parameter is read as JSON, and anything else
    as text. A canned query takes names as people write them. --list and --cypher need no GRAPH.
    In --json a number that is infinite or none at all (NaN) is null.
    """
    if as_json and as_csv:
        raise click.UsageError("--json and --csv exclude each other.")
    if list_:
        _print_list(as_json)
        return
    if show:
        _print_cypher(query or (str(graph) if graph else ""))
        return
    if graph is None or query is None:
        raise click.UsageError("Pass GRAPH and a query or the name of a canned one, or --list.")
    given = _pairs((*values, *param))
    named = _is_name(query)
    if named:
        from kg.stores.queries import canned_query

        canned_query(query)  # a wrong name is told before a graph is opened
    store = _store(graph, uri, connection)
    try:
        if named:
            answer = _canned(store, query, given)
        elif write:
            answer = store.write(query, {k: _value(v) for k, v in given.items()})
        else:
            answer = store.rows(query, {k: _value(v) for k, v in given.items()})
    finally:
        store.close()
    _print_answer(answer, as_json, as_csv)
    if not answer.rows and not named:
        from kg.stores.cypher.hints import nearest

        hint = nearest(query)
        if hint:
            click.echo(hint, err=True)


def _is_name(query: str) -> bool:
    return bool(query) and all(c.isalnum() or c in "-_" for c in query)


def _pairs(texts: tuple[str, ...]) -> dict[str, str]:
    pairs = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not sign or not name:
            raise click.UsageError(f"{text!r} is no NAME=VALUE; a query goes into one argument.")
        pairs[name.removeprefix("$")] = value
    return pairs


def _value(text: str) -> Any:
    import json

    def no_json(constant: str) -> None:  # NaN and Infinity, which Python reads
        raise ValueError(constant)

    try:
        return json.loads(text, parse_constant=no_json)
    except ValueError:
        return text


def _store(graph: Path, uri: str | None, connection: dict[str, Any]) -> Any:
    if uri is None:
        from kg.api.asking import current_store

        return current_store(graph, lambda line: click.echo(line, err=True))
    from kg.cli.neo4j import connect

    return connect(uri, **connection)


def _canned(store: "Store", name: str, given: dict[str, str]) -> "Answer":
    from kg.stores.find import resolved
    from kg.stores.queries import canned_query

    found = canned_query(name)
    return store.rows(found.cypher, resolved(store, found, given))


def _print_cypher(name: str) -> None:
    from kg.stores.queries import canned_query

    if not name:
        raise click.UsageError("Pass the name of a canned query; --list shows them.")
    click.echo(canned_query(name).cypher, nl=False)


def _print_list(as_json: bool) -> None:
    from kg.stores.queries import canned_queries

    queries = canned_queries().values()
    if as_json:
        import json

        facts = [
            {
                "name": q.name,
                "meaning": q.meaning,
                "parameters": [
                    {"name": p.name, "type": p.type, "default": p.default, "meaning": p.meaning}
                    for p in q.parameters
                ],
                "sample": dict(q.sample),
            }
            for q in queries
        ]
        click.echo(json.dumps(facts, indent=2, ensure_ascii=False))
        return
    for q in queries:
        takes = " ".join(
            f"{p.name}=" if p.default is None else f"[{p.name}=]" for p in q.parameters
        )
        click.echo(f"{q.name} {takes}".rstrip())
        click.echo(f"    {q.meaning}")


def _print_answer(answer: "Answer", as_json: bool, as_csv: bool) -> None:
    from kg.stores.protocol import plain

    rows = [[plain(value) for value in row] for row in answer.rows]
    if as_json:
        import json

        facts = [dict(zip(answer.columns, _finite(row), strict=True)) for row in rows]
        click.echo(json.dumps(facts, indent=2, ensure_ascii=False, allow_nan=False))
    elif as_csv:
        import csv
        import io

        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(answer.columns)
        writer.writerows([_cell(value) for value in row] for row in rows)
        click.echo(text.getvalue(), nl=False)
    else:
        _print_table(answer.columns, rows)


def _finite(value: Any) -> Any:
    """Put null for the floats that JSON has no word for."""
    match value:
        case float() if not math.isfinite(value):
            return None
        case list():
            return [_finite(item) for item in value]
        case dict():
            return {key: _finite(item) for key, item in value.items()}
        case _:
            return value


def _cell(value: Any) -> str:
    import json

    if value is None:
        return ""
    if isinstance(value, list | dict | bool):
        return json.dumps(_finite(value), ensure_ascii=False)
    return str(value)


def _print_table(columns: tuple[str, ...], rows: list[list[Any]]) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    # Text, not markup: a title may hold [brackets].
    table = Table(box=box.SIMPLE_HEAD)
    for name in columns:
        table.add_column(Text(name), overflow="fold")
    for row in rows:
        table.add_row(*(Text(shown(_cell(value))) for value in row))
    # A pipe or a file has no width to fold into.
    piped = None if sys.stdout.isatty() else io.StringIO()
    console = Console(file=piped, width=None if piped is None else _NO_WIDTH)
    if columns:
        console.print(table)
    console.print(f"{len(rows)} row{'' if len(rows) == 1 else 's'}", highlight=False)
    if piped is not None:
        click.echo(piped.getvalue(), nl=False)
