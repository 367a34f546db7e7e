"""How much faster edges are loaded in batches than by one transaction per row, in one run.

    python benchmarks/neo4j_load.py --uri bolt://localhost:7687 [--edges 100000] [--workers 1]

Empty the database first; both ways write to graphs of their own, which stay. The row by row way
is timed on --rows edges after as many to warm up, since all of them would take an hour. Each end
of a row is found by an index, as a careful beginner would do it.
"""

import argparse
import os
import time

import neo4j

from kg.graph.snapshot import MemorySnapshot
from kg.stores.neo4j import Neo4jStore
from kg.stores.neo4j_connection import Address

SENTENCE = "In this work the proposed approach is compared with it on several benchmarks."
ROW_BY_ROW = (
    "MATCH (h:Method {kg_graph: $graph, id: $head}) MATCH (t:Method {kg_graph: $graph, id: $tail}) "
    "MERGE (h)-[r:USES {id: $id}]->(t) SET r.sentence = $sentence, r.confidence = $confidence"
)


def made(edges: int) -> MemorySnapshot:
    """A graph with so many edges between a tenth as many nodes."""
    nodes = max(2, edges // 10)
    names = [f"method:{i:07}" for i in range(nodes)]
    return MemorySnapshot.of_rows(
        {
            "Method": [{"id": id_, "name": id_.upper(), "surfaces": [id_]} for id_ in names],
            "USES.Method.Method": [
                {
                    "id": f"{i:024x}",
                    "head": names[i % nodes],
                    "tail": names[(i * 7919 + i // nodes) % nodes],
                    "sentence": SENTENCE,
                    "confidence": 0.9,
                }
                for i in range(edges)
            ],
        }
    )


def row_by_row(address: Address, graph: str, rows: list[dict[str, object]]) -> float:
    """Write edges one transaction each; return rows a second."""
    with address.driver() as driver, driver.session(database=address.database) as session:

        def write(tx: neo4j.ManagedTransaction, row: dict[str, object]) -> None:
            tx.run(ROW_BY_ROW, {**row, "graph": graph}).consume()

        half = len(rows) // 2
        for row in rows[:half]:
            session.execute_write(write, row)
        begun = time.perf_counter()
        for row in rows[half:]:
            session.execute_write(write, row)
        return (len(rows) - half) / (time.perf_counter() - begun)


def main() -> None:
    """Time both and print the rates and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--uri", default="bolt://localhost:7687")
    parser.add_argument("--user", default="neo4j")
    parser.add_argument("--edges", type=int, default=100_000)
    parser.add_argument("--rows", type=int, default=1000)
    parser.add_argument("--workers", type=int, default=1)
    options = parser.parse_args()
    address = Address(options.uri, options.user, os.environ.get("KG_NEO4J_PASSWORD"))
    graph = made(options.edges)
    began: dict[str, float] = {}
    ended: dict[str, float] = {}

    def note(table: str, done: int, _: int) -> None:
        (began if done == 0 else ended)[table] = time.perf_counter()

    with Neo4jStore(address, graph="batches", workers=options.workers, progress=note) as store:
        begun = time.perf_counter()
        store.load(graph)
        whole = time.perf_counter() - begun
    nodes_only = MemorySnapshot.of_rows({"Method": graph.table("Method").to_pylist()})
    with Neo4jStore(address, graph="rows") as store:
        store.load(nodes_only)
    rows = graph.table("USES.Method.Method").slice(0, 2 * options.rows)
    names = ["id", "head", "tail", "sentence", "confidence"]
    one = row_by_row(address, "rows", rows.select(names).to_pylist())
    batches = options.edges / (ended["USES.Method.Method"] - began["USES.Method.Method"])
    print(f"batches:    {batches:10.0f} edges/s (whole load with indexes and check {whole:.1f} s)")
    print(f"row by row: {one:10.0f} edges/s")
    print(f"ratio:      {batches / one:10.1f}")


if __name__ == "__main__":
    main()
