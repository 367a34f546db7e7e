"""Try many names that want to be more than names, in the embedded store and in a Neo4j.

    python -m benchmarks.fuzz_names [--names 20000] [--seed 1] [--uri bolt://localhost:7687]

Each is the name, the id and a surface form of a method and a sentence of an edge; it is loaded,
looked up by a parameter, by `find` and by a canned query, and has to mean itself and nothing else.
With --uri it EMPTIES that database again and again, and compares every property with what was
loaded. Ends with status 1 when a name meant more; the last line counts what was tried.
"""

import argparse
import contextlib
import os
import random
import tempfile
import time
from pathlib import Path

from kg.graph.snapshot import MemorySnapshot
from kg.stores.bulk import _literal
from kg.stores.embedded import EmbeddedStore
from kg.stores.neo4j import Neo4jStore
from kg.stores.neo4j_check import differing_content
from kg.stores.neo4j_connection import Address
from tests.stores.naming import drawn, named, wrong

PIECE = 500  # names in one graph


def in_embedded(snapshot: MemorySnapshot) -> list[str]:
    """Return what is wrong in the embedded store."""
    with (
        tempfile.TemporaryDirectory() as folder,
        contextlib.closing(EmbeddedStore(Path(folder) / "db")) as store,
    ):
        store.load(snapshot)
        return wrong(store, snapshot)


def in_neo4j(address: Address, snapshot: MemorySnapshot) -> list[str]:
    """Return what is wrong in Neo4j, in a graph that is called like one of the names."""
    names = snapshot.table("Method")["name"].to_pylist()
    with address.driver() as driver:
        driver.execute_query("MATCH (n) DETACH DELETE n")
        read = driver.execute_query(f"RETURN {_literal(names)} AS names").records[0]["names"]
    found = [] if read == names else ["a text in a script"]
    with Neo4jStore(address, graph=names[0].replace("|", "")[:100] or "'") as store:
        store.load(snapshot)
        found += wrong(store, snapshot)
        found += differing_content(store, snapshot)
    return found


def main() -> None:
    """Draw, try and count."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--names", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--uri")
    parser.add_argument("--user", default="neo4j")
    options = parser.parse_args()
    stores = {"embedded": in_embedded}
    if options.uri:
        address = Address(options.uri, options.user, os.environ.get("KG_NEO4J_PASSWORD"))
        stores["neo4j"] = lambda snapshot: in_neo4j(address, snapshot)
    rng = random.Random(options.seed)  # noqa: S311 - no secret
    tried, bad, begun = 0, 0, time.monotonic()
    while tried < options.names:
        snapshot = named([drawn(rng) for _ in range(min(PIECE, options.names - tried))])
        for name, ask in stores.items():
            for what in ask(snapshot):
                bad += 1
                print(f"{name}: {what!r}", flush=True)
        tried += snapshot.counts()["Method"]
    print(f"{tried} names in {' and '.join(stores)}, {bad} wrong, {time.monotonic() - begun:.0f} s")
    raise SystemExit(1 if bad else 0)


if __name__ == "__main__":
    main()
