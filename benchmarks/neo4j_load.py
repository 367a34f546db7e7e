"""How fast a Neo4j is loaded: by kg, row by row, and by other public loaders, in one run.

    python -m benchmarks.neo4j_load --uri bolt://localhost:7687 [--edges 100000] [--workers 2]
    python -m benchmarks.neo4j_load --uri bolt://localhost:7687 --memory

EMPTIES the database before each way of loading, so give it one of its own. Every way writes the same
nodes and edges with the same properties, finds the ends of an edge by an index, and is checked by
counting; the median of --rounds counts, in turn, so that a busy minute strikes all. kg's time leaves
out its constraints and indexes as it does everybody's; the whole is printed beside it. The row by row way is
timed on --rows edges after as many to warm up, since all of them would take an hour. --pid of a
server on this machine adds the CPU seconds of server and client, which a busy machine changes less.

--memory loads two graphs, one eight times the other, each in a process of its own, and prints the
peak memory of both.
"""

import argparse
import contextlib
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import neo4j
from neo4j._codec.packstream import v1

from benchmarks.neo4j_loaders import LOADERS, Loader, Row, Rows
from kg.graph.changes import Snapshot
from kg.graph.folder import open_snapshot, writing
from kg.graph.manifest import Manifest
from kg.graph.snapshot import MemorySnapshot
from kg.stores.neo4j import Neo4jStore
from kg.stores.neo4j_connection import Address

SENTENCE = (
    "In this work we evaluate {name} on several benchmarks and compare it with what is known."
)
EDGES = "USES.Paper.Method"
ROW_BY_ROW = (
    "MATCH (h:Paper {id: $head}) MATCH (t:Method {id: $tail}) "
    "MERGE (h)-[r:USES {id: $id}]->(t) SET r += $own"
)


def made(edges: int) -> MemorySnapshot:
    """A graph of papers that use methods, five edges a paper, with the evidence that real ones have."""
    papers, methods = max(1, edges // 5), max(1, edges // 20)
    names = [f"method:{i:07}" for i in range(methods)]
    titles = [f"arxiv:24{i % 12 + 1:02}.{i:06}" for i in range(papers)]
    return MemorySnapshot.of_rows(
        {
            "Paper": [
                {
                    "id": id_,
                    "title": f"On {id_} and what it is good for",
                    "year": 2024,
                    "known": True,
                }
                for id_ in titles
            ],
            "Method": [
                {"id": id_, "name": id_.upper(), "surfaces": [id_], "papers": 20, "named": True}
                for id_ in names
            ],
            EDGES: [
                {
                    "id": f"{i * 2654435761 % (1 << 96):024x}",
                    "head": titles[i % papers],
                    "tail": names[(i * 7919 + i // papers) % methods],
                    "paper": titles[i % papers],
                    "sentence": SENTENCE.format(name=names[i % methods]),
                    "start": i % 1000,
                    "end": i % 1000 + 80,
                    "component": "kg_relations",
                    "model": "kg_fast-1",
                    "confidence": 0.9,
                    "role": "used",
                    "starts": [i % 1000],
                    "ends": [i % 1000 + 14],
                }
                for i in range(edges)
            ],
        }
    )


def as_rows(snapshot: MemorySnapshot) -> Rows:
    """The same without Arrow."""

    def listed(name: str) -> list[Row]:
        rows = snapshot.table(name).to_pylist()
        return [{k: v for k, v in row.items() if v is not None} for row in rows]

    edges: list[tuple[str, str, Row]] = [
        (row.pop("head"), row.pop("tail"), row) for row in listed(EDGES)
    ]
    return Rows({n: listed(n) for n in ("Paper", "Method")}, "USES", "Paper", "Method", edges)


@dataclass
class Time:
    """What a load took, in seconds."""

    nodes: float
    edges: float
    whole: float = 0  # with constraints, indexes and a check
    cpu: float = 0  # of server and client, for rows alone

    @property
    def rows(self) -> float:
        """Nodes and edges together."""
        return self.nodes + self.edges


class Bench:
    """A database and what is written into it."""

    def __init__(self, address: Address, edges: int, workers: int, pid: int | None) -> None:
        self.address = address
        self.workers = workers
        self.pid = pid
        self.snapshot = made(edges)
        self.rows = as_rows(self.snapshot)
        self.nodes = sum(map(len, self.rows.nodes.values()))
        self.edges = edges

    def empty(self) -> None:
        """Take everything out of the database, constraints and indexes too."""
        with self.address.driver() as driver, driver.session() as session:

            def run(cypher: str) -> list[str]:
                return [record[0] for record in session.run(cast("Any", cypher))]

            # Edges first: a node with very many would not fit into a transaction.
            run("MATCH ()-[r]->() CALL (r) { DELETE r } IN TRANSACTIONS OF 5000 ROWS")
            run("MATCH (n) CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 5000 ROWS")
            for name in run("SHOW CONSTRAINTS YIELD name"):
                run(f"DROP CONSTRAINT {name}")
            for name in run("SHOW INDEXES YIELD name, type WHERE type <> 'LOOKUP' RETURN name"):
                run(f"DROP INDEX {name}")

    def constrain(self) -> None:
        """Make ids unique, as every loader's documentation advises."""
        with self.address.driver() as driver:
            for label in self.rows.nodes:
                driver.execute_query(
                    cast("Any", f"CREATE CONSTRAINT FOR (n:{label}) REQUIRE n.id IS UNIQUE")
                )

    def check(self) -> None:
        """Count what has been written."""
        with self.address.driver() as driver:
            for cypher, wanted in (
                ("MATCH (n:Paper|Method) RETURN count(n)", self.nodes),
                ("MATCH (:Paper)-[r:USES]->(:Method) RETURN count(r.sentence)", self.edges),
            ):
                found = driver.execute_query(cast("Any", cypher)).records[0][0]
                assert found == wanted, f"{found} rows instead of {wanted}"

    def cpu(self) -> float:
        """CPU seconds of this process and of the server so far."""
        used = time.process_time()
        if self.pid:
            stat = Path(f"/proc/{self.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2]
            ticks = sum(map(int, stat.split()[11:13]))
            used += ticks / os.sysconf("SC_CLK_TCK")
        return used

    def by_kg(self) -> Time:
        """Load as `kg neo4j load` does."""
        began: dict[str, tuple[float, float]] = {}
        ended: dict[str, tuple[float, float]] = {}

        def note(table: str, done: int, _: int) -> None:
            (ended if done else began)[table] = (time.perf_counter(), self.cpu())

        begun = time.perf_counter()
        with Neo4jStore(self.address, workers=self.workers, progress=note) as store:
            store.load(self.snapshot)
        whole = time.perf_counter() - begun
        took = {t: [b - a for a, b in zip(began[t], ended[t], strict=True)] for t in ended}
        nodes = sum(took[label][0] for label in self.rows.nodes)
        return Time(nodes, took[EDGES][0], whole, sum(cpu for _, cpu in took.values()))

    def by(self, loader: Loader) -> Time:
        """Load with another program."""
        self.constrain()
        with loader(self.address, self.rows, self.workers) as (nodes, edges):
            used, begun = self.cpu(), time.perf_counter()
            nodes()
            half = time.perf_counter()
            edges()
            ended = time.perf_counter()
        return Time(half - begun, ended - half, ended - begun, self.cpu() - used)

    def row_by_row(self, count: int) -> float:
        """Write edges one transaction each, beside those that are there; return rows a second."""
        edges = self.rows.edges[: 2 * count]
        with self.address.driver() as driver, driver.session() as session:

            def write(tx: neo4j.ManagedTransaction, edge: tuple[str, str, Row]) -> None:
                head, tail, own = edge
                rest = {name: value for name, value in own.items() if name != "id"}
                given = {"head": head, "tail": tail, "id": f"one {own['id']}", "own": rest}
                tx.run(ROW_BY_ROW, given).consume()

            for edge in edges[:count]:
                session.execute_write(write, edge)
            begun = time.perf_counter()
            for edge in edges[count:]:
                session.execute_write(write, edge)
            return count / (time.perf_counter() - begun)


def compare(bench: Bench, rounds: int, rows: int, names: list[str]) -> None:
    """Time all in turn and print rates and ratios."""
    ways: dict[str, Callable[[], Time]] = {"kg": bench.by_kg}
    for name in names:
        ways[name] = lambda loader=LOADERS[name]: bench.by(loader)  # type: ignore[misc]
    times: dict[str, list[Time]] = {}
    for number in range(rounds + 1):
        for name, way in list(ways.items()):
            bench.empty()
            try:
                took = way()
                bench.check()
            except Exception as error:  # another program's failure must not end ours
                if name == "kg":
                    raise
                print(f"{name}: left out: {str(error).splitlines()[0][:150]}", flush=True)
                del ways[name]
                continue
            if number:  # the first round warms the server up
                times.setdefault(name, []).append(took)
    total = bench.nodes + bench.edges
    middle = {n: statistics.median(t.rows for t in listed) for n, listed in times.items()}
    print(f"{bench.nodes} nodes, {bench.edges} edges, {bench.workers} workers, {_codec()}")
    for name, listed in times.items():
        nodes, edges = (
            statistics.median(getattr(t, w) for t in listed) for w in ("nodes", "edges")
        )
        cpu = statistics.median(t.cpu for t in listed)
        print(
            f"{name:15} {total / middle[name]:8.0f} rows/s {bench.nodes / nodes:8.0f} nodes/s "
            f"{bench.edges / edges:8.0f} edges/s {cpu:6.1f} s CPU   kg is "
            f"{middle[name] / middle['kg']:.2f} times as fast"
        )
    whole = statistics.median(t.whole for t in times["kg"])
    print(f"kg with constraints, indexes and a check: {total / whole:.0f} rows/s")
    bench.empty()
    bench.by_kg()  # which leaves an index of ids behind
    one = bench.row_by_row(rows)
    edges = statistics.median(t.edges for t in times["kg"])
    print(
        f"row by row      {one:8.0f} edges/s   kg is {bench.edges / edges / one:.1f} times as fast"
    )


def _codec() -> str:
    rust = getattr(v1, "_rust_pack", None) and v1.Packer._pack is not v1.Packer._py_pack
    return "with neo4j-rust-ext" if rust else "without neo4j-rust-ext"


def memory(address: Address, bench: Bench, edges: int, workers: int) -> None:
    """Load two sizes and print the peak memory of the processes that did."""
    for size in (edges, 8 * edges):
        bench.empty()
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "my.kg"
            store(path, made(size))
            done = subprocess.run(
                [
                    sys.executable, "-m", "benchmarks.neo4j_load", "--uri", address.uri,
                    "--user", address.user, "--load", path, "--workers", str(workers),
                ],
                capture_output=True, text=True, check=True,
            )  # fmt: skip
        print(f"{size:9} edges: peak memory {done.stdout.strip()} MB", flush=True)


def store(path: Path, snapshot: Snapshot) -> None:
    """Write a graph's folder."""
    with writing(path, create=True) as writer:
        tables = writer.store_tables({n: snapshot.table(n) for n in snapshot.counts()})
        writer.commit(Manifest(0, "", "", "build", tables))


def main() -> None:
    """Read the options and run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--uri", default="bolt://localhost:7687")
    parser.add_argument("--user", default="neo4j")
    parser.add_argument("--edges", type=int, default=100_000)
    parser.add_argument("--rows", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--only", default=",".join(LOADERS), help="names of other loaders")
    parser.add_argument("--pid", type=int, help="of the server, where it runs here")
    parser.add_argument("--memory", action="store_true")
    parser.add_argument("--load", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--pure", action="store_true", help="do without neo4j-rust-ext")
    options = parser.parse_args()
    address = Address(options.uri, options.user, os.environ.get("KG_NEO4J_PASSWORD"))
    if options.load:
        with Neo4jStore(address, workers=options.workers) as loaded:
            loaded.load(open_snapshot(options.load))
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
        return
    if options.pure:
        v1.Packer._pack = v1.Packer._py_pack  # type: ignore[method-assign]
    bench = Bench(address, options.edges, options.workers, options.pid)
    if options.memory:
        memory(address, bench, options.edges, options.workers)
    else:
        with contextlib.suppress(KeyboardInterrupt):
            compare(bench, options.rounds, options.rows, [n for n in options.only.split(",") if n])


if __name__ == "__main__":
    main()
