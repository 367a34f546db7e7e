"""A process that writes a made graph into a Neo4j, and can be held in the middle of it.

    python -m tests.stores.neo4j_writer URI WORKERS [--sync] [--other] [--hold FILE] [--no-wait] [--lease S]

It says "holding" on stdout when it has written some rows, and goes on when FILE is there.
"""

import argparse
import time
from dataclasses import replace
from pathlib import Path

from kg.errors import KgError
from kg.graph.snapshot import MemorySnapshot
from kg.stores.neo4j import Neo4jStore
from kg.stores.neo4j_catch_up import catch_up
from kg.stores.neo4j_connection import Address
from tests.stores.made import edge, entity

METHODS, EDGES = 300, 6_000  # more edges than a batch holds


def crowded(*, other: bool = False) -> MemorySnapshot:
    """A graph of some batches; the other one lacks some edges and has more of a node."""
    methods = [entity(f"method:{i:04}", f"M{i}", papers=2 if other else 1) for i in range(METHODS)]
    edges = [
        edge(
            "USES.Method.Method", f"method:{i % METHODS:04}", f"method:{i * 7 % METHODS:04}",
            paper=f"p{i}", sentence=f"M{i} it is.", confidence=0.5,
        )
        for i in range(0, EDGES, 3 if other else 1)
    ]  # fmt: skip
    made = MemorySnapshot.of_rows({"Method": methods, "USES.Method.Method": edges})
    return replace(made, build="other" if other else "crowded")


def main() -> None:
    """Write, and end with 2 and the message where another process is in the way."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("uri")
    parser.add_argument("workers", type=int)
    parser.add_argument("--hold", type=Path)
    parser.add_argument("--no-wait", action="store_true")
    parser.add_argument("--lease", type=float, default=30)
    parser.add_argument("--other", action="store_true")
    parser.add_argument("--sync", action="store_true")
    options = parser.parse_args()

    def hold(table: str, done: int, _: int) -> None:
        if (
            (options.sync or "." in table)
            and done
            and options.hold is not None
            and not options.hold.exists()
        ):
            print("holding", flush=True)
            while not options.hold.exists():
                time.sleep(0.02)

    def say(line: str) -> None:
        print(line, flush=True)

    try:
        with Neo4jStore(
            Address(options.uri), workers=options.workers, progress=hold, say=say,
            wait=not options.no_wait, lease_s=options.lease,
        ) as store:  # fmt: skip
            builds = {each.build: each for each in (crowded(), crowded(other=True))}
            wanted = builds["other" if options.other else "crowded"]
            print("begun", flush=True)
            if options.sync:
                catch_up(store, wanted, builds.__getitem__)
            else:
                store.load(wanted)
    except KgError as error:
        print(error, flush=True)
        raise SystemExit(2) from None


if __name__ == "__main__":
    main()
