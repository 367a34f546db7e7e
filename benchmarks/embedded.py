"""The embedded store at size: load, memory, sync, first query, canned queries, in one run.

    python -m benchmarks.embedded [--papers 200000] [--place /tmp/kg-embedded] [--plain]

makes a graph of so many papers in a folder (some minutes; kept for the next run), and prints for
each step its time, its CPU time, its peak memory and the limit that it has to keep. Each step is a
process of its own. The time of writing the tables, which a load is compared with, is that of kg's
own writer. --plain also loads by one COPY per table in one transaction, which takes much memory.
"""

import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kg.graph.folder import open_snapshot, writing

ADDED = 1000
_RUNS = 5


@dataclass(frozen=True)
class Step:
    """What a step took."""

    seconds: float
    cpu_seconds: float
    peak_mb: float
    said: dict[str, Any]


def tables(place: Path) -> dict[str, Any]:
    """Write every table of the graph again."""
    snapshot = open_snapshot(place / "a.kg")
    shutil.rmtree(place / "tables.kg", ignore_errors=True)
    seconds = cpu = 0.0
    with writing(place / "tables.kg", create=True) as writer:
        for name, count in snapshot.counts().items():
            if count:
                table = snapshot.table(name)
                begun, used = time.perf_counter(), time.process_time()
                writer.store_table(name, table)
                seconds += time.perf_counter() - begun
                cpu += time.process_time() - used
    shutil.rmtree(place / "tables.kg", ignore_errors=True)
    return {"seconds": seconds, "cpu_seconds": cpu}


def load(place: Path) -> dict[str, Any]:
    """Fill the embedded store."""
    from kg import api

    shutil.rmtree(place / "run.kg", ignore_errors=True)
    shutil.copytree(place / "a.kg", place / "run.kg", copy_function=os.link)
    begun, used = time.perf_counter(), time.process_time()
    with api.open(place / "run.kg") as graph:
        graph.store.close()
    return _since(begun, used) | {"bytes": _size(place / "run.kg" / "db")}


def plain(place: Path) -> dict[str, Any]:
    """Fill a database by one COPY per table in one transaction."""
    import ladybug

    from kg.graph.tables import TABLES
    from kg.stores.embedded_tables import copy_statement, create_statements

    snapshot = open_snapshot(place / "a.kg")
    shutil.rmtree(place / "plain", ignore_errors=True)
    (place / "plain").mkdir()
    begun, used = time.perf_counter(), time.process_time()
    database = ladybug.Database(str(place / "plain" / "db.lbug"))
    connection = ladybug.Connection(database)
    for statement in create_statements():
        connection.execute(statement)
    connection.execute("BEGIN TRANSACTION")
    for name, count in snapshot.counts().items():
        if count:
            connection.execute(copy_statement(TABLES[name], snapshot.files(name)))
    connection.execute("COMMIT")
    connection.close()
    database.close()
    found = _since(begun, used) | {"bytes": _size(place / "plain")}
    shutil.rmtree(place / "plain")
    return found


def queries(place: Path) -> dict[str, Any]:
    """Ask each canned query about what most papers name, after once to warm up."""
    from kg import api
    from kg.stores.find import resolved
    from kg.stores.queries import canned_queries

    with api.open(place / "run.kg") as graph:
        store = graph.store
        frequent = {
            label: store.rows(f"MATCH (n:{label}) RETURN n.name ORDER BY n.papers DESC LIMIT 1")
            for label in ("Method", "Dataset", "Task", "Metric")
        }
        cited = store.rows(
            "MATCH (p:Paper)<-[r:CITES]-() RETURN p.title, count(r) AS n ORDER BY n DESC LIMIT 1"
        )
        typed = {label: answer.rows[0][0] for label, answer in frequent.items()}
        typed["Paper"] = cited.rows[0][0]
        found = {}
        for query in canned_queries().values():
            given = {p.name: typed[p.labels[0]] for p in query.parameters if p.labels}
            store.rows(query.cypher, resolved(store, query, given))
            begun = time.perf_counter()
            values = resolved(store, query, given)
            named = time.perf_counter()
            rows = store.rows(query.cypher, values).rows
            done = time.perf_counter()
            found[query.name] = {
                "seconds": done - begun,
                "of_which_names": named - begun,
                "rows": len(rows),
            }
    return {"seconds": max(each["seconds"] for each in found.values()), "queries": found}


def first(place: Path) -> dict[str, Any]:
    """Ask from the shell for one node by its key."""
    snapshot = open_snapshot(place / "run.kg")
    key = snapshot.table("Method")["id"][1000].as_py()
    cypher = f"MATCH (m:Method {{id: {key!r}}}) RETURN m.name"
    command = [str(Path(sys.executable).parent / "kg"), "query", str(place / "run.kg"), cypher]
    seconds, cpu = [], []
    for _ in range(_RUNS):
        begun, used = time.perf_counter(), _children()
        subprocess.run([*command, "--json"], check=True, stdout=subprocess.DEVNULL)
        seconds.append(time.perf_counter() - begun)
        cpu.append(_children() - used)
    return {"seconds": statistics.median(seconds), "cpu_seconds": statistics.median(cpu)}


def sync(place: Path) -> dict[str, Any]:
    """Bring the store to a build with more papers, as kg build does at its end."""
    from benchmarks.made_graph import commit
    from kg.api.syncing import sync_embedded
    from kg.graph.diff import diff

    old, new = (open_snapshot(place / name) for name in ("a.kg", "b.kg"))
    begun, used = time.perf_counter(), time.process_time()
    diff(old, new)
    whole = _since(begun, used)
    used = time.process_time()
    with writing(place / "run.kg") as writer:
        files = []
        for name, count in new.counts().items():
            if count:
                files.append(writer.store_table(name, new.table(name)))
        commit(writer, files)
    spent = time.process_time() - used
    later = open_snapshot(place / "run.kg")
    earlier = open_snapshot(place / "run.kg", str(later.manifest.number - 1))
    begun, used = time.perf_counter(), time.process_time()
    changes = diff(earlier, later)
    kept = _since(begun, used)
    begun, used = time.perf_counter(), time.process_time()
    sync_embedded(later, print)
    return _since(begun, used) | {
        "diff": kept,
        "diff_of_whole_builds": whole,
        "rows": changes.size,
        "build_cpu_seconds": spent,
    }


def empty(place: Path) -> dict[str, Any]:
    """Sync a store that holds the build."""
    from kg.api.syncing import sync_embedded

    begun, used = time.perf_counter(), time.process_time()
    sync_embedded(open_snapshot(place / "run.kg"), print)
    return _since(begun, used)


STEPS: dict[str, Callable[[Path], dict[str, Any]]] = {
    each.__name__: each for each in (tables, load, plain, queries, first, sync, empty)
}


def measured(step: str, place: Path) -> Step:
    """Run a step in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.embedded", "--step", step, "--place", str(place)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    said = json.loads(done.stdout.splitlines()[-1])
    return Step(said["seconds"], said.get("cpu_seconds", 0.0), said["peak_mb"], said)


def _since(begun: float, used: float) -> dict[str, Any]:
    return {"seconds": time.perf_counter() - begun, "cpu_seconds": time.process_time() - used}


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.iterdir())


def make(place: Path, papers: int) -> None:
    """Make the two builds, unless they are there."""
    from benchmarks.made_graph import made_graph, write

    wanted = {"a.kg": papers, "b.kg": papers + ADDED}
    if all((place / name / "manifest.json").exists() for name in wanted):
        found = open_snapshot(place / "a.kg").counts()["Paper"]
        if found == papers:
            return
    shutil.rmtree(place, ignore_errors=True)
    made = made_graph(papers + ADDED)
    for name, count in wanted.items():
        write(place / name, made, count)


def row(what: str, step: Step, limit: str) -> None:
    """Print a line."""
    print(
        f"{what:44} {step.seconds:8.2f} {step.cpu_seconds:8.2f} {step.peak_mb:8.0f}   {limit}",
        flush=True,
    )


def report(place: Path, *, with_plain: bool) -> None:
    """Measure every step and print the table."""
    counts = open_snapshot(place / "a.kg").counts()
    nodes = sum(count for name, count in counts.items() if "." not in name)
    edges = sum(count for name, count in counts.items() if "." in name)
    print(f"{counts['Paper']:,} papers, {nodes:,} nodes, {edges:,} edges; load {os.getloadavg()}")
    print(f"{'':44} {'seconds':>8} {'CPU s':>8} {'peak MB':>8}   limit")
    written = measured("tables", place)
    row("writing the tables as Parquet", written, "")
    if with_plain:
        copied = measured("plain", place)
        ratio = copied.seconds / written.seconds
        row("one COPY per table, one transaction", copied, f"{ratio:.1f} times the tables")
    loaded = measured("load", place)
    ratio, cpu = loaded.seconds / written.seconds, loaded.cpu_seconds / written.cpu_seconds
    limit = f"15 times the tables: {ratio:.1f} ({cpu:.1f} in CPU time); 2500 MB"
    row("load", loaded, limit)
    row("first keyed query from the shell", measured("first", place), "0.4 s")
    asked = measured("queries", place)
    row("slowest canned query, warm", asked, "1 s")
    row("nothing to sync", measured("empty", place), "0.3 s")
    synced = measured("sync", place)
    row(
        f"sync of {ADDED:,} papers ({synced.said['rows']:,} rows)",
        synced,
        f"8 s, of which {synced.said['diff']['cpu_seconds']:.1f} CPU s to read what differs",
    )
    compared = Step(**synced.said["diff_of_whole_builds"], peak_mb=synced.peak_mb, said={})
    row("comparing the two builds, nothing kept", compared, "")
    written_cpu = synced.said["build_cpu_seconds"]
    print(
        f"reading the later build's tables, writing and comparing them took {written_cpu:.1f} CPU "
        f"s; writing the earlier's alone {written.cpu_seconds:.1f}"
    )
    row("first keyed query after that", measured("first", place), "the engine reads its log")
    row("nothing to sync after that", measured("empty", place), "0.3 s")
    print(f"\n{'canned query, warm':44} {'seconds':>8} {'names':>8} {'rows':>8}")
    for name, took in asked.said["queries"].items():
        names = took["of_which_names"]
        print(f"{name:44} {took['seconds']:8.3f} {names:8.3f} {took['rows']:8}")


def main() -> None:
    """Measure and print, or run one step."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--papers", type=int, default=200_000)
    parser.add_argument("--place", type=Path, default=Path("/tmp/kg-embedded"))  # noqa: S108
    parser.add_argument("--plain", action="store_true")
    parser.add_argument("--step", choices=sorted(STEPS))
    options = parser.parse_args()
    if options.step:
        said = STEPS[options.step](options.place)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(json.dumps(said | {"peak_mb": peak}))
        return
    make(options.place, options.papers)
    report(options.place, with_plain=options.plain)


if __name__ == "__main__":
    main()
