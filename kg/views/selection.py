"""Which nodes a page shows when there are more than it can hold."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from kg.graph.changes import Snapshot
from kg.graph.part import confident
from kg.graph.subgraph import Ids, Reach, reach
from kg.model.schema import EDGE_TABLES, EdgeTable, NodeLabel, RelationshipType

RULE = (
    "Nearest first, but at most half of the places left for one ring while there is another; "
    "in a ring those with the most edges to what is shown, then the strongest role "
    "(proposed, evaluated on, compared, used, addressed, mentioned), then the surest."
)

BUSIEST = "Those with the most edges."

_R = RelationshipType
# How much an edge says of the two nodes it joins; a relation between entities says most.
_WEIGHTS = {
    _R.PROPOSES: 6,
    _R.EVALUATES_ON: 5,
    _R.COMPARES_WITH: 4,
    _R.USES: 3,
    _R.MEASURES: 3,
    _R.ADDRESSES: 2,
    _R.MENTIONS: 1,
}
_STRONGEST = 7


@dataclass(frozen=True, slots=True)
class Selection:
    """The nodes to show, and how many of each label were left out."""

    ids: Ids
    left_out: Mapping[NodeLabel, int]


def weight(relationship: RelationshipType) -> int:
    """Return how much an edge of this type says, from 1 to 7."""
    return _WEIGHTS.get(relationship, _STRONGEST)


def around(
    snapshot: Snapshot,
    start: Collection[str],
    hops: int,
    *,
    labels: Collection[NodeLabel],
    max_nodes: int,
    min_confidence: float = 0.0,
    outer: Collection[NodeLabel] = tuple(NodeLabel),
) -> Selection:
    """Select at most `max_nodes` nodes within some hops of the start, after RULE.

    From the second ring on only nodes of the labels in `outer` are selected.
    """
    found = reach(snapshot, start, hops, labels=labels, min_confidence=min_confidence)
    inner, rest = found.rings[:2], found.rings[2:]
    found = Reach((*inner, *({k: v for k, v in r.items() if k in outer} for r in rest)))
    shown: dict[NodeLabel, list[pa.Array]] = {label: [ids] for label, ids in found.rings[0].items()}
    left = max(max_nodes - _size(found.rings[0]), 0)
    for d, ring in enumerate(found.rings[1:], start=1):
        further = sum(_size(later) for later in found.rings[d + 1 :])
        places = min(_size(ring), max(left - min(left // 2, further), 0))
        if _size(ring) > places or d > 1:
            ring = _best(snapshot, ring, _joined(shown), places, min_confidence)
        for label, ids in ring.items():
            shown.setdefault(label, []).append(ids)
        left -= _size(ring)
    ids = _joined(shown)
    return Selection(ids, _left_out(found.ids, ids))


def busiest(
    snapshot: Snapshot,
    labels: Collection[NodeLabel],
    *,
    max_nodes: int,
    min_confidence: float = 0.0,
) -> Selection:
    """Select the nodes of these labels that have most edges."""
    parts = []
    for table in EDGE_TABLES:
        for end, label in (("head", table.head), ("tail", table.tail)):
            if label not in labels:
                continue
            for batch in _ends(snapshot, table):
                kept = batch.filter(confident(batch["confidence"], min_confidence))
                parts.append(_ranked(kept, end, label, table))
    ids = _highest(parts, max_nodes) if parts else {}
    counts = snapshot.counts()
    left_out = {label: counts[label.value] - len(ids.get(label, ())) for label in labels}
    return Selection(ids, {label: count for label, count in left_out.items() if count})


def _best(
    snapshot: Snapshot, ring: Ids, shown: Ids, places: int, min_confidence: float
) -> dict[NodeLabel, pa.Array]:
    """Return the nodes of the ring that rank highest; those joined to nothing shown never do."""
    parts = []
    for table in EDGE_TABLES:
        for here, there, near, far in (
            ("head", "tail", table.head, table.tail),
            ("tail", "head", table.tail, table.head),
        ):
            if near not in shown or far not in ring:
                continue
            for batch in _ends(snapshot, table):
                mask = pc.and_(
                    pc.is_in(batch[here], value_set=shown[near]),
                    pc.is_in(batch[there], value_set=ring[far]),
                )
                mask = pc.and_(mask, confident(batch["confidence"], min_confidence))
                kept = batch.filter(mask)
                if kept.num_rows:
                    parts.append(_ranked(kept, there, far, table))
    return _highest(parts, places) if parts else {}


def _highest(parts: list[pa.Table], places: int) -> dict[NodeLabel, pa.Array]:
    """Return the ids that rank highest, by edges, then weight, then confidence."""
    ranks = (
        pa.concat_tables(parts)
        .group_by(["label", "id"])
        .aggregate([("edges", "sum"), ("weight", "max"), ("confidence", "max")])
        .sort_by(
            [
                ("edges_sum", "descending"),
                ("weight_max", "descending"),
                ("confidence_max", "descending"),
                ("id", "ascending"),
            ]
        )
        .slice(0, places)
    )
    best = {}
    for label in NodeLabel:
        ids = ranks["id"].filter(pc.equal(ranks["label"], label.value)).combine_chunks()
        if len(ids):
            best[label] = ids.take(pc.sort_indices(ids))
    return best


def _ranked(kept: pa.RecordBatch, there: str, label: NodeLabel, table: EdgeTable) -> pa.Table:
    n = kept.num_rows
    return pa.table(
        {
            "label": pa.repeat(label.value, n),
            "id": kept[there],
            "edges": pa.repeat(1, n),
            "weight": pa.repeat(weight(table.type), n),
            "confidence": pc.fill_null(kept["confidence"], 1.0),
        }
    )


def _ends(snapshot: Snapshot, table: EdgeTable) -> Iterator[pa.RecordBatch]:
    has = any(p.name == "confidence" for p in table.properties)
    for batch in snapshot.batches(table.name, ["head", "tail", *(["confidence"] if has else [])]):
        if has:
            yield batch
        else:
            yield batch.append_column("confidence", pa.nulls(batch.num_rows, pa.float64()))


def _size(ids: Ids) -> int:
    return sum(len(of_label) for of_label in ids.values())


def _joined(shown: Mapping[NodeLabel, list[pa.Array]]) -> dict[NodeLabel, pa.Array]:
    return {label: pa.concat_arrays(parts) for label, parts in shown.items()}


def _left_out(found: Ids, shown: Ids) -> dict[NodeLabel, int]:
    counts = {k: len(found[k]) - len(shown.get(k, ())) for k in NodeLabel if k in found}
    return {label: count for label, count in counts.items() if count}
