"""`kg neo4j`: load a graph into a Neo4j, keep it in step, and check it."""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kg.cli.telling import tell

if TYPE_CHECKING:
    from kg.stores.neo4j import Neo4jStore


@click.group()
def neo4j() -> None:
    """Load, sync and check a Neo4j database.

    The password is read from KG_NEO4J_PASSWORD or from a file, never from the command line.

    Example: kg neo4j load my.kg --uri bolt://localhost:7687 --user neo4j
    """


def _connection(command: Callable[..., None]) -> Callable[..., None]:
    options = (
        click.argument("graph", type=click.Path(path_type=Path)),
        click.option("--uri", default="bolt://localhost:7687", show_default=True,
                     help="bolt://, neo4j://, bolt+s:// or neo4j+s:// address."),
        click.option("--user", default="neo4j", show_default=True, help="Who asks."),
        click.option("--password-file", type=click.Path(path_type=Path),
                     help="File whose first line is the password; else KG_NEO4J_PASSWORD."),
        click.option("--database", help="Database on the server; its default if not given."),
        click.option("--graph", "name", default="kg", show_default=True,
                     help="Name of this graph, where one database holds several."),
        click.option("--ca-file", type=click.Path(path_type=Path),
                     help="PEM file of the authority that signed the server's certificate."),
        click.option("--json", "as_json", is_flag=True, help="Print facts as JSON."),
    )  # fmt: skip
    for option in reversed(options):
        command = option(command)
    return command


_workers = click.option(
    "--workers", type=click.IntRange(1, 32), default=1, show_default=True,
    help="Transactions at once.",
)  # fmt: skip
_no_wait = click.option(
    "--no-wait", is_flag=True, help="Fail when another process writes the graph there."
)


@neo4j.command()
@_connection
@_workers
@_no_wait
def load(graph: Path, as_json: bool, workers: int, no_wait: bool, **connection: Any) -> None:
    """Make a Neo4j hold GRAPH: whole, once, and nothing else of that name.

    Running it again changes nothing; a load that broke off goes on where it stopped.

    Example: kg neo4j load my.kg --uri bolt://localhost:7687
    """
    from kg.graph.folder import open_snapshot

    snapshot = open_snapshot(graph)
    with _Bars() as bars, _writing(bars, workers, no_wait, connection) as store:
        store.load(snapshot)
        _report(store, snapshot, as_json, "loaded")


@neo4j.command()
@_connection
@_workers
@_no_wait
def sync(graph: Path, as_json: bool, workers: int, no_wait: bool, **connection: Any) -> None:
    """Bring a Neo4j from the build that it holds to the current one by what differs.

    Example: kg neo4j sync my.kg --uri bolt://localhost:7687
    """
    from kg.graph.folder import open_snapshot
    from kg.stores.neo4j_catch_up import catch_up

    snapshot = open_snapshot(graph)
    with _Bars() as bars, _writing(bars, workers, no_wait, connection) as store:
        changed = catch_up(store, snapshot, lambda build: open_snapshot(graph, build))
        _report(store, snapshot, as_json, changed)


@neo4j.command()
@_connection
@click.option("--deep", is_flag=True, help="Compare every id and property, not only counts.")
def check(graph: Path, as_json: bool, deep: bool, **connection: Any) -> None:
    """Compare what a Neo4j holds with GRAPH; exit status 1 when they differ.

    Example: kg neo4j check my.kg --uri bolt://localhost:7687 --deep
    """
    from kg.graph.folder import open_snapshot
    from kg.stores.neo4j_check import differing_content

    snapshot = open_snapshot(graph)
    with connect(**connection) as store:
        differing = differing_content(store, snapshot) if deep else ()
        _report(store, snapshot, as_json, "checked", differing)


def _writing(
    bars: "_Bars", workers: int, no_wait: bool, connection: dict[str, Any]
) -> "Neo4jStore":
    return connect(workers=workers, progress=bars, wait=not no_wait, say=tell, **connection)


def connect(
    uri: str,
    user: str = "neo4j",
    password_file: Path | None = None,
    database: str | None = None,
    ca_file: Path | None = None,
    name: str = "kg",
    **options: Any,
) -> "Neo4jStore":
    """Return the store that the options describe."""
    from kg.stores.neo4j import Neo4jStore
    from kg.stores.neo4j_connection import Address

    address = Address(uri, user, _password(password_file), database, ca_file)
    return Neo4jStore(address, graph=name, **options)


def _password(path: Path | None) -> str | None:
    if path is None:
        return os.environ.get("KG_NEO4J_PASSWORD") or None
    from kg.errors import StoreError

    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise StoreError(
            f"{path}: cannot be read as the file of a password",
            "Name a text file whose first line is the password.",
        ) from error
    if not lines or not lines[0]:
        raise StoreError(f"{path}: holds no password", "Put the password on the first line.")
    return lines[0]


def _report(
    store: "Neo4jStore", snapshot: Any, as_json: bool, done: str, content: tuple[str, ...] = ()
) -> None:
    import json

    wanted, held = snapshot.counts(), store.counts()
    tables = {
        name: {"graph": wanted[name], "database": held[name]}
        for name in held
        if wanted[name] or held[name]
    }
    wrong = [n for n, c in tables.items() if c["graph"] != c["database"]]
    wrong += [name for name in content if name not in wrong]
    build = store.build()
    same = not wrong and build == snapshot.build
    if as_json:
        facts = {
            "result": done, "equal": same, "differing": wrong, "tables": tables,
            "graph_build": snapshot.build, "database_build": build,
        }  # fmt: skip
        click.echo(json.dumps(facts, indent=2))
    else:
        for name, count in tables.items():
            note = "" if name not in wrong else "   differs"
            click.echo(f"{name:32} {count['graph']:>10} {count['database']:>10}{note}")
        nodes = sum(c["database"] for n, c in tables.items() if "." not in n)
        edges = sum(c["database"] for n, c in tables.items() if "." in n)
        click.echo(f"{done}: {nodes} nodes and {edges} edges in the database")
    if same:
        return
    from kg.errors import StoreError

    problem = f"{len(wrong)} tables differ" if wrong else f"the database holds build {build}"
    raise StoreError(
        f"{problem} from the graph", "`kg neo4j load` makes the database equal to the graph."
    )


class _Bars:
    """Progress on stderr, a bar per table, where that is a terminal."""

    def __init__(self) -> None:
        self._progress: Any = None
        self._tasks: dict[str, Any] = {}

    def __enter__(self) -> "_Bars":
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

            self._progress = Progress(
                TextColumn("{task.description:32}"),
                BarColumn(),
                MofNCompleteColumn(),
                console=Console(stderr=True),
                transient=True,
            )
            self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._progress is not None:
            self._progress.stop()

    def __call__(self, table: str, done: int, total: int) -> None:
        if self._progress is None:
            return
        if table not in self._tasks:
            self._tasks[table] = self._progress.add_task(table, total=total)
        self._progress.update(self._tasks[table], completed=done)
