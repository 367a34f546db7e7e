"""An open graph: ask it, look at it, take it away."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from kg.graph.lookup import Found, find_nodes
from kg.graph.snapshot import FolderSnapshot
from kg.model.schema import NODE_TABLES, NodeLabel

if TYPE_CHECKING:
    import networkx as nx
    import pyarrow as pa

    from kg.stores.embedded import EmbeddedStore
    from kg.stores.protocol import Answer

Say = Callable[[str], None]


class Graph:
    """One build of a graph; later builds of the folder do not change it."""

    def __init__(self, snapshot: FolderSnapshot, *, say: Say | None = None) -> None:
        self.snapshot = snapshot
        self._say = say or _silent
        self._store: EmbeddedStore | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        counts = self.counts()
        nodes = ", ".join(f"{counts[t.name]:,} {t.name}" for t in NODE_TABLES if counts[t.name])
        edges = sum(count for name, count in counts.items() if "." in name)
        return f"<Graph {self.path} build {self.snapshot.build}: {nodes}; {edges:,} edges>"

    @property
    def path(self) -> Path:
        """The graph's folder."""
        return self.snapshot.path

    def counts(self) -> Mapping[str, int]:
        """Rows of every table."""
        return self.snapshot.counts()

    def query(self, cypher: str, parameters: Mapping[str, Any] | None = None) -> "Answer":
        """Answer a reading query in Cypher from the embedded store."""
        return self.store.rows(cypher, parameters)

    def ask(self, canned: str, **values: str | int) -> "Answer":
        """Answer a canned query, with names as people write them; canned_queries() has them all.

        Raises:
            NotFoundError: no query has that name, or a name means nothing in the graph.
            QueryError: a value is missing or is no number where one is asked for.
        """
        from kg.stores.find import resolved
        from kg.stores.queries import canned_query

        query = canned_query(canned)
        given = {name: str(value) for name, value in values.items()}
        return self.store.rows(query.cypher, resolved(self.store, query, given))

    @property
    def store(self) -> "EmbeddedStore":
        """The embedded store, filled with this build when it is first used."""
        if self._store is None:
            from kg.api.syncing import embedded

            self._store = embedded(self.snapshot, self._say)
        return self._store

    def find(self, name: str) -> tuple[Found, ...]:
        """Return the nodes that a name, id or identifier means; NotFoundError for none."""
        return find_nodes(self.snapshot, name)

    def neighbourhood(self, *names: str, hops: int = 1) -> "nx.MultiDiGraph[str]":
        """Return what stands within some edges of the nodes of these names, for networkx."""
        from kg.graph.subgraph import neighbourhood

        ids = [found.id for name in names for found in self.find(name)]
        return neighbourhood(self.snapshot, ids, hops)

    def to_networkx(self) -> "nx.MultiDiGraph[str]":
        """Return the whole graph for networkx."""
        from kg.graph.subgraph import to_networkx

        return to_networkx(self.snapshot)

    def to_arrow(self, table: str) -> "pa.Table":
        """Return a table by its name, such as Method or USES.Paper.Method."""
        return self.snapshot.table(table)

    def view(
        self,
        name: str = "",
        *,
        path: str | Path,
        hops: int | None = None,
        max_nodes: int = 500,
        min_confidence: float = 0.0,
        labels: Iterable[str] = (),
    ) -> Path:
        """Write a page of what is around a node, or of the whole graph when no name is given.

        `hops` is 1 around a paper and 2 around anything else unless given; `labels` are those of
        the nodes to draw, by default papers and entities.
        """
        from kg.views.page import write_page
        from kg.views.scenes import scene

        node = self.find(name)[0].id if name else None
        shown = scene(
            self.snapshot,
            node,
            hops=hops,
            max_nodes=max_nodes,
            min_confidence=min_confidence,
            labels=tuple(NodeLabel(label) for label in labels),
        )
        title = "" if node else self.path.resolve().stem
        write_page(shown, Path(path), title=title, source=self.path.resolve().name)
        return Path(path)

    def load_neo4j(
        self, uri: str, *, user: str = "neo4j", password: str | None = None, graph: str = "kg"
    ) -> Mapping[str, int]:
        """Make a Neo4j database hold this build, and return the counts that it has then."""
        from kg.stores.neo4j import Neo4jStore
        from kg.stores.neo4j_connection import Address

        with Neo4jStore(Address(uri, user, password), graph=graph) as store:
            store.load(self.snapshot)
            return store.counts()

    def export(
        self,
        form: str,
        path: str | Path,
        *,
        name: str = "",
        hops: int = 1,
        min_confidence: float = 0.0,
    ) -> Path:
        """Write the graph, or what is around a name, in a format of kg.api.exporting.MEANINGS."""
        from kg.api.exporting import export

        start = [found.id for found in self.find(name)] if name else []
        path = Path(path)
        export(self.snapshot, form, path, start=start, hops=hops, min_confidence=min_confidence)
        return path

    def close(self) -> None:
        """Let go of the embedded store."""
        if self._store is not None:
            self._store.close()
            self._store = None


def _silent(_: str) -> None:
    pass
