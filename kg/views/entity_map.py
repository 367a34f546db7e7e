"""A map of a graph too large to draw whole: entities joined where papers name them together."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import networkx as nx
import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
from scipy import sparse

from kg.graph.changes import Snapshot
from kg.graph.part import Part, confident
from kg.graph.subgraph import Ids, to_networkx
from kg.model.schema import EDGE_TABLES, ENTITY_LABELS, EdgeTable, NodeLabel
from kg.views.palette import NAMED_TOGETHER
from kg.views.selection import weight

RULE = (
    "The {most} entities that most papers name. A line joins two entities that papers name "
    "together or that a paper relates; each entity keeps its {ties} strongest such ties, measured "
    "as shared papers over the geometric mean of the papers of both."
)
TIES = 3
# Papers that an entity, and a tie, show as their evidence.
SHOWN_PAPERS = 3
TIE_PAPERS = 2

Integers = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class EntityMap:
    """The map: entities drawn, papers behind them as evidence."""

    graph: "nx.MultiDiGraph[str]"
    drawn: frozenset[str]
    left_out: Mapping[NodeLabel, int]
    rule: str


def entity_map(
    snapshot: Snapshot, max_nodes: int, min_confidence: float, labels: Collection[NodeLabel]
) -> EntityMap:
    """Return the map of the entities of these labels."""
    wanted = [label for label in ENTITY_LABELS if label in labels]
    tables = [t for t in EDGE_TABLES if t.head is NodeLabel.PAPER and t.tail in wanted]
    counts = _papers_per_entity(snapshot, tables, min_confidence)
    top = counts.sort_by([("papers", "descending"), ("id", "ascending")]).slice(0, max_nodes)
    names = _named(snapshot, tables, top["id"].combine_chunks(), min_confidence)
    ids: Ids = {
        label: top["id"].filter(pc.equal(top["label"], label.value)).combine_chunks()
        for label in wanted
    }
    graph = to_networkx(Part(snapshot, ids, min_confidence=min_confidence))
    shown = _evidence_papers(names)
    for i, j, count, strength, papers in _ties(names):
        head, tail = names.entities[i], names.entities[j]
        key = f"{head} {tail}"
        graph.add_edge(
            head, tail, key=key, id=key, type=NAMED_TOGETHER, count=count, strength=strength
        )
        shown |= {(paper, entity) for paper in papers for entity in (i, j)}
    _add_evidence(snapshot, graph, tables, names, shown)
    left_out = {label: snapshot.counts()[label.value] - len(ids.get(label, ())) for label in labels}
    drawn = frozenset(i for of_label in ids.values() for i in of_label.to_pylist())
    rule = RULE.format(most=len(drawn), ties=TIES)
    return EntityMap(graph, drawn, {k: v for k, v in left_out.items() if v}, rule)


@dataclass(frozen=True, slots=True)
class _Names:
    """Which paper names which entity: parallel arrays of numbers into two lists of ids."""

    entities: list[str]
    papers: pa.Array
    entity: Integers
    paper: Integers
    rank: npt.NDArray[np.float64]  # role, then confidence

    def matrix(self) -> sparse.csc_matrix:
        """Papers by entities, 1 where named."""
        shape = (len(self.papers), len(self.entities))
        ones = np.ones(len(self.paper), dtype=np.int64)
        return sparse.csc_matrix((ones, (self.paper, self.entity)), shape=shape)


def _papers_per_entity(
    snapshot: Snapshot, tables: list[EdgeTable], min_confidence: float
) -> pa.Table:
    parts = []
    for table in tables:
        for batch in snapshot.batches(table.name, ["tail", "confidence"]):
            kept = batch["tail"].filter(confident(batch["confidence"], min_confidence))
            seen = kept.value_counts()
            parts.append(
                pa.table(
                    {
                        "id": seen.field("values"),
                        "papers": seen.field("counts"),
                        "label": pa.repeat(table.tail.value, len(seen)),
                    }
                )
            )
    empty = pa.table({"id": [""], "papers": [0], "label": [""]}).slice(0, 0)
    schema = pa.schema([("id", pa.string()), ("papers", pa.int64()), ("label", pa.string())])
    together = pa.concat_tables([empty.cast(schema), *(part.cast(schema) for part in parts)])
    summed = together.group_by(["id", "label"]).aggregate([("papers", "sum")])
    return summed.rename_columns({"papers_sum": "papers"})


def _named(
    snapshot: Snapshot, tables: list[EdgeTable], top: pa.Array, min_confidence: float
) -> _Names:
    heads, tails, ranks = [], [], []
    for table in tables:
        for batch in snapshot.batches(table.name, ["head", "tail", "confidence"]):
            mask = pc.and_(
                pc.is_in(batch["tail"], value_set=top),
                confident(batch["confidence"], min_confidence),
            )
            kept = batch.filter(mask)
            heads.append(kept["head"])
            tails.append(pc.index_in(kept["tail"], value_set=top))
            confidence = pc.fill_null(kept["confidence"], 1.0)
            ranks.append(confidence.to_numpy(zero_copy_only=False) + 2.0 * weight(table.type))
    head = pa.concat_arrays([*heads, pa.array([], pa.string())])
    papers = pc.unique(head).sort()
    return _Names(
        top.to_pylist(),
        papers,
        pa.concat_arrays([*tails, pa.array([], pa.int32())]).to_numpy().astype(np.int64),
        pc.index_in(head, value_set=papers).to_numpy().astype(np.int64),
        np.concatenate([*ranks, np.zeros(0)]),
    )


def _ties(names: _Names) -> list[tuple[int, int, int, float, list[int]]]:
    """Return entity, entity, shared papers, strength and some of the papers of each tie kept."""
    matrix = names.matrix()
    matrix.data[:] = 1
    shared = np.asarray((matrix.T @ matrix).todense(), dtype=np.float64)
    papers = np.maximum(np.diag(shared).copy(), 1.0)
    np.fill_diagonal(shared, 0.0)
    strength = shared / np.sqrt(papers[:, None] * papers[None, :])
    # A pair in one paper only is chance, unless there is nothing better.
    strong = np.where(shared >= 2, strength, strength * 1e-3)
    kept = set()
    for i, row in enumerate(strong):
        for j in np.lexsort((np.arange(len(row)), -row))[:TIES]:
            if row[j] > 0:
                kept.add((min(i, int(j)), max(i, int(j))))
    matrix.sort_indices()
    papers_of = [
        matrix.indices[matrix.indptr[k] : matrix.indptr[k + 1]] for k in range(matrix.shape[1])
    ]
    return [
        (i, j, int(shared[i, j]), float(strength[i, j]), _first_common(papers_of[i], papers_of[j]))
        for i, j in sorted(kept)
    ]


def _first_common(one: Integers, other: Integers) -> list[int]:
    """Return the first papers that are in both, each of which is in order."""
    few, many = sorted((one, other), key=len)
    found: list[int] = []
    # Piece by piece: the names that most papers have in common meet early.
    for start in range(0, len(few), 1024):
        piece = few[start : start + 1024]
        at = np.searchsorted(many, piece).clip(max=len(many) - 1)
        found += piece[many[at] == piece].tolist()
        if len(found) >= TIE_PAPERS:
            break
    return found[:TIE_PAPERS]


def _evidence_papers(names: _Names) -> set[tuple[int, int]]:
    """Return paper and entity for the papers that say most about each entity."""
    order = np.lexsort((names.paper, -names.rank, names.entity))
    entity, paper = names.entity[order], names.paper[order]
    # The place of each row among those of its entity.
    place = np.arange(len(entity)) - np.searchsorted(entity, entity)
    best = place < SHOWN_PAPERS
    return set(zip(paper[best].tolist(), entity[best].tolist(), strict=True))


def _add_evidence(
    snapshot: Snapshot,
    graph: "nx.MultiDiGraph[str]",
    tables: list[EdgeTable],
    names: _Names,
    shown: set[tuple[int, int]],
) -> None:
    """Add the papers chosen as evidence, and their edges to the entities."""
    numbers = sorted({paper for paper, _ in shown})
    papers = names.papers.take(pa.array(numbers, pa.int64()))
    paper_ids = dict(zip(numbers, papers.to_pylist(), strict=True))
    pairs = {(paper_ids[paper], names.entities[entity]) for paper, entity in shown}
    nodes = to_networkx(Part(snapshot, {NodeLabel.PAPER: papers}))
    graph.add_nodes_from(nodes.nodes(data=True))
    entities = pa.array(names.entities, pa.string())
    for table in tables:
        for batch in snapshot.batches(table.name):
            mask = pc.and_(
                pc.is_in(batch["head"], value_set=papers),
                pc.is_in(batch["tail"], value_set=entities),
            )
            for row in batch.filter(mask).to_pylist():
                if (row["head"], row["tail"]) in pairs:
                    _add_edge(graph, table, row)


def _add_edge(graph: "nx.MultiDiGraph[str]", table: EdgeTable, row: dict[str, Any]) -> None:
    head, tail = row.pop("head"), row.pop("tail")
    held = {key: value for key, value in row.items() if value is not None}
    graph.add_edge(head, tail, key=row["id"], type=table.type.value, **held)
