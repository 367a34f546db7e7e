"""Public Python programs that load a Neo4j, each used as its documentation says, for comparison.

    pip install graphio neo4j-etl-lib pyneoinstance py2neo neo4j-rust-ext

Those that are not installed are left out. Not among them: neo4j-graphrag, langchain-neo4j and the
property graph store of llama-index, since they need APOC in the server, and loaders that run in
Spark. Every loader is given its rows as the Python objects that it wants, made before the clock
starts, in batches of the size that was fastest here.
"""

import contextlib
import importlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from kg.stores.neo4j_connection import Address

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Rows:
    """A graph as rows: nodes of some labels, edges of one type between two of them."""

    nodes: dict[str, list[Row]]  # by label; each has an id
    type: str
    head: str  # label
    tail: str
    edges: list[tuple[str, str, Row]]  # head's id, tail's id, properties


Run = Callable[[], None]
# Given a database, rows and a number of workers: prepares, and returns what writes nodes and edges.
Loader = Callable[[Address, Rows, int], contextlib.AbstractContextManager[tuple[Run, Run]]]
BATCH = 10_000


def _module(name: str) -> Any:
    # By name, as a check of types would want all of them to be installed.
    return importlib.import_module(name)


def _cypher(rows: Rows) -> str:
    return (
        f"UNWIND $batch AS row MATCH (h:{rows.head} {{id: row.start}}) "
        f"MATCH (t:{rows.tail} {{id: row.end}}) CREATE (h)-[r:{rows.type}]->(t) SET r = row.own"
    )


def _flat(rows: Rows) -> list[Row]:
    return [{"start": head, "end": tail, "own": own} for head, tail, own in rows.edges]


@contextlib.contextmanager
def graphio(address: Address, rows: Rows, _: int) -> Iterator[tuple[Run, Run]]:
    """graphio: sets of nodes and relationships, created in batches by one session."""
    library = _module("graphio")

    sets = []
    for label, listed in rows.nodes.items():
        made = library.NodeSet([label], merge_keys=["id"])
        for row in listed:
            made.add_node(row)
        sets.append(made)
    related = library.RelationshipSet(rows.type, [rows.head], [rows.tail], ["id"], ["id"])
    for head, tail, own in rows.edges:
        related.add_relationship({"id": head}, {"id": tail}, own)
    with address.driver() as driver:

        def nodes() -> None:
            for each in sets:
                each.create(driver, batch_size=BATCH)

        yield nodes, lambda: related.create(driver, batch_size=BATCH)


@contextlib.contextmanager
def etl_lib(address: Address, rows: Rows, workers: int) -> Iterator[tuple[Run, Run]]:
    """neo4j-etl-lib: relationships dealt out to parallel transactions that share no node."""
    batches = _module("etl_lib.core.BatchProcessor")
    splitting = _module("etl_lib.core.SplittingBatchProcessor")
    parallel_batches = _module("etl_lib.core.ParallelBatchProcessor")
    CypherBatchSink = _module("etl_lib.data_sink.CypherBatchSink").CypherBatchSink  # noqa: N806

    class Listed(batches.BatchProcessor):  # type: ignore[misc, name-defined]
        """Gives out rows of a list."""

        def __init__(self, context: Any, listed: list[Row]) -> None:
            super().__init__(context)
            self._listed = listed

        def get_batch(self, size: int) -> Iterator[Any]:
            for start in range(0, len(self._listed), size):
                chunk = self._listed[start : start + size]
                yield batches.BatchResults(chunk=chunk, batch_size=len(chunk))

    context = _module("etl_lib.core.ETLContext").ETLContext(
        {
            "NEO4J_URI": address.uri,
            "NEO4J_USERNAME": address.user,
            "NEO4J_PASSWORD": address.password or "none",
        }
    )
    flat = _flat(rows)
    table = 2 * workers

    def nodes() -> None:
        for label, listed in rows.nodes.items():
            query = f"UNWIND $batch AS row CREATE (n:{label}) SET n = row"
            sink = CypherBatchSink(context, None, Listed(context, listed), query)
            for _ in sink.get_batch(BATCH):
                pass

    def edges() -> None:
        deal = splitting.canonical_int_or_str_id_extractor(
            table, monopartite=rows.head == rows.tail
        )
        split = splitting.SplittingBatchProcessor(
            context, table, deal, predecessor=Listed(context, flat)
        )
        parallel = parallel_batches.ParallelBatchProcessor(
            context,
            lambda: CypherBatchSink(context, None, None, _cypher(rows)),
            predecessor=split,
            max_workers=workers,
        )
        for _ in parallel.get_batch(BATCH // 2):
            pass

    yield nodes, edges


@contextlib.contextmanager
def pyneoinstance(address: Address, rows: Rows, workers: int) -> Iterator[tuple[Run, Run]]:
    """pyneoinstance: parts of data frames in threads; edges in turn, as threads would deadlock."""
    pandas = _module("pandas")
    frames = {label: pandas.DataFrame({"own": listed}) for label, listed in rows.nodes.items()}
    flat = pandas.DataFrame(_flat(rows))
    instance = _module("pyneoinstance").Neo4jInstance(
        address.uri, address.user, address.password or "none"
    )

    def nodes() -> None:
        for label, frame in frames.items():
            query = f"WITH $rows AS rows UNWIND rows AS row CREATE (n:{label}) SET n = row.own"
            instance.execute_write_query_with_data(
                query, frame, batchSize=BATCH, parallel=workers > 1, workers=workers
            )

    def edges() -> None:
        query = _cypher(rows).replace("UNWIND $batch", "WITH $rows AS rows UNWIND rows")
        instance.execute_write_query_with_data(query, flat, batchSize=BATCH)

    try:
        yield nodes, edges
    finally:
        instance.close()


@contextlib.contextmanager
def py2neo(address: Address, rows: Rows, _: int) -> Iterator[tuple[Run, Run]]:
    """py2neo.bulk: lists of values, created in batches; no longer maintained."""
    bulk = _module("py2neo.bulk")
    graph = _module("py2neo").Graph(address.uri, auth=(address.user, address.password or "none"))
    keys = list(rows.edges[0][2])
    lists = [(head, [own[k] for k in keys], tail) for head, tail, own in rows.edges]
    nodes_ = {
        label: (list(listed[0]), [list(row.values()) for row in listed])
        for label, listed in rows.nodes.items()
    }

    def nodes() -> None:
        for label, (names, listed) in nodes_.items():
            for start in range(0, len(listed), BATCH):
                part = listed[start : start + BATCH]
                bulk.create_nodes(graph.auto(), part, labels={label}, keys=names)

    def edges() -> None:
        for start in range(0, len(lists), BATCH):
            bulk.create_relationships(
                graph.auto(), lists[start : start + BATCH], rows.type, keys=keys,
                start_node_key=(rows.head, "id"), end_node_key=(rows.tail, "id"),
            )  # fmt: skip

    yield nodes, edges


LOADERS: dict[str, Loader] = {
    "graphio": graphio, "neo4j-etl-lib": etl_lib, "pyneoinstance": pyneoinstance,
    "py2neo": py2neo,
}  # fmt: skip
