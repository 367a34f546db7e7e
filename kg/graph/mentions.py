"""What a paper's text names: mentions for resolution, then the edges from papers to entities."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from kg.graph.role_cues import shows_role
from kg.graph.rows import Collected, edge_ids, evidence
from kg.graph.text_batch import Ints, TextBatch, explode
from kg.model.extraction import EntityType, Role
from kg.model.schema import ENTITY_LABELS, NodeLabel, edge_tables, relationship_for
from kg.resolve.entities import MENTIONS, Resolution

_NONE = -1
_ROLES = tuple(role.value for role in Role)  # the strongest first
_LABELS = {kind.value: kind.label.value for kind in EntityType}


@dataclass(frozen=True, slots=True)
class BatchMentions:
    """The rows that resolution reads, and which entity of the batch each belongs to."""

    rows: pa.Table
    entities: Ints


def confidence(batch: TextBatch) -> npt.NDArray[np.float64]:
    """Return how likely each entity is one, with that role: both have to be right."""
    both = batch.entities.numbers("confidence") * batch.entities.numbers("role_confidence")
    return np.clip(both, 0.0, 1.0)


def batch_mentions(batch: TextBatch, min_confidence: float) -> BatchMentions:
    """Return one row per paper, entity that is certain enough, and surface form."""
    entities = batch.entities
    kept = confidence(batch) >= min_confidence
    texts = explode(entities.field("texts"))
    # A line that was broken inside a name is no other form of it, and no part of the name.
    surfaces = pc.replace_substring_regex(texts.values, r"\s+", " ")
    rows = pa.table({"entity": texts.parents, "surface": surfaces})
    rows = rows.filter(pa.array(kept[texts.parents]))
    counted = rows.group_by(["entity", "surface"], use_threads=False).aggregate([([], "count_all")])
    at = counted["entity"].to_numpy()
    parents = entities.parents[at]
    types = entities.field("type").to_numpy(zero_copy_only=False)[at]
    table = pa.table(
        [
            batch.papers.take(pa.array(parents)),
            pa.array(at - batch.first_entity[parents], pa.int32()),
            pa.array([_LABELS[kind] for kind in types], pa.string()),
            counted["surface"],
            entities.field("named").take(pa.array(at)),
            counted["count_all"].cast(pa.int32()),
        ],
        schema=MENTIONS,
    )
    return BatchMentions(table, at.astype(np.int64))


class Entities:
    """Which entity of the graph each entity of each text is.

    Built from the resolution of all mention rows, which came batch by batch; asked batch by
    batch in the same order.
    """

    def __init__(self, resolution: Resolution) -> None:
        assignment = resolution.assignment
        table = resolution.entities
        place = pc.index_in(assignment.dictionary, value_set=_flat(table["id"]))
        places = place.to_numpy(zero_copy_only=False)
        codes = assignment.indices.to_numpy(zero_copy_only=False)
        self._rows: Ints = places[codes].astype(np.int64) if len(codes) else np.zeros(0, np.int64)
        self._ids = _flat(table["id"])
        self._labels = _flat(table["label"]).to_numpy(zero_copy_only=False)

    def of_locals(self, mentions: BatchMentions, start: int, batch: TextBatch) -> Ints:
        """Return the row of the entity table per entity of the batch, -1 for none.

        Args:
            mentions: the batch's.
            start: how many mention rows the batches before it had.
            batch: the batch.
        """
        own = self._rows[start : start + mentions.rows.num_rows]
        found = np.full(len(batch.entities.parents), _NONE, np.int64)
        # The form that stands most often decides where the forms of one local part company.
        order = np.lexsort((own, mentions.rows["count"].to_numpy()))
        found[mentions.entities[order]] = own[order]
        return found

    def ids(self, rows: Ints) -> pa.Array:
        """Return the ids of rows of the entity table."""
        return self._ids.take(pa.array(rows))

    def labels(self, rows: Ints) -> npt.NDArray[np.object_]:
        """Return the labels of rows of the entity table."""
        labels: npt.NDArray[np.object_] = self._labels[rows]
        return labels


def add_mention_edges(
    collected: Collected, batch: TextBatch, of_local: Ints, entities: Entities
) -> None:
    """Add the one edge between each paper and entity, by the strongest role it has there."""
    local = np.flatnonzero(of_local != _NONE)
    if not len(local):
        return
    parents, targets = batch.entities.parents[local], of_local[local]
    roles = batch.entities.field("role").to_numpy(zero_copy_only=False)[local]
    ranks = np.array([_ROLES.index(role) for role in roles], np.int64)
    sure = confidence(batch)[local]
    starts, ends = _spans(batch, "starts"), _spans(batch, "ends")
    first_start = starts[1][np.searchsorted(starts[0], local)]
    # The strongest role of a paper's entity, then the most certain, then the earliest.
    order = np.lexsort((first_start, -sure, ranks, targets, parents))
    key = np.stack([parents[order], targets[order]])
    begins = np.concatenate([[True], (key[:, 1:] != key[:, :-1]).any(axis=0)])
    groups = np.cumsum(begins) - 1
    chosen = order[begins]
    group_of_local = np.full(len(of_local), _NONE, np.int64)
    group_of_local[local[order]] = groups
    mentions = _gathered(group_of_local, starts, ends, len(chosen))
    rows, targets, roles, sure = parents[chosen], targets[chosen], roles[chosen], sure[chosen]
    at = _telling(batch, rows, roles, _runs(starts[0], local[chosen]), (starts[1], ends[1]))
    span = batch.sentence_at(rows, starts[1][at], ends[1][at])
    columns = {
        **evidence(batch, rows, *span, "kg_roles", sure),
        "role": pa.array(roles, pa.string()),
        "starts": mentions[0],
        "ends": mentions[1],
    }
    papers, tails, labels = columns["paper"], entities.ids(targets), entities.labels(targets)
    for label in ENTITY_LABELS:
        for role in _ROLES:
            where = np.flatnonzero((labels == label.value) & (roles == role))
            if not len(where):
                continue
            at = pa.array(where)
            relationship = relationship_for(role, label)
            table = next(
                table
                for table in edge_tables(relationship)
                if table.head is NodeLabel.PAPER and table.tail is label
            )
            heads, ids = papers.take(at), tails.take(at)
            own = {name: column.take(at) for name, column in columns.items()}
            keys = edge_ids(relationship, heads, ids)
            collected.add(table.name, {"id": keys, "head": heads, "tail": ids, **own})


def _runs(owners: Ints, wanted: Ints) -> tuple[Ints, Ints]:
    """Where the mentions of entities begin, and how many there are."""
    first = np.searchsorted(owners, wanted, side="left")
    return first, np.searchsorted(owners, wanted, side="right") - first


def _telling(
    batch: TextBatch,
    rows: Ints,
    roles: npt.NDArray[np.object_],
    runs: tuple[Ints, Ints],
    spans: tuple[Ints, Ints],
) -> Ints:
    """Per entity the first mention in whose sentence its role is told, else the first of all."""
    first, counts = runs
    several = np.flatnonzero(counts > 1)
    sizes = counts[several]
    owner = np.repeat(several, sizes)
    steps = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    places = first[owner] + steps
    sentences = batch.sentence_at(rows[owner], spans[0][places], spans[1][places])
    words = batch.words(rows[owner], *sentences)
    told = np.zeros(len(owner), bool)
    for role in _ROLES:
        where = np.flatnonzero(roles[owner] == role)
        if len(where):
            found = shows_role(words.take(pa.array(where)), role)
            told[where] = found.to_numpy(zero_copy_only=False)
    owners, begins = np.unique(owner[told], return_index=True)
    chosen: Ints = first.copy()
    chosen[owners] = places[told][begins]
    return chosen


def _spans(batch: TextBatch, name: str) -> tuple[Ints, Ints]:
    """Per mention of the batch its entity and an offset."""
    offsets = explode(batch.entities.field(name))
    return offsets.parents, offsets.values.to_numpy(zero_copy_only=False).astype(np.int64)


def _gathered(
    group_of_local: Ints, starts: tuple[Ints, Ints], ends: tuple[Ints, Ints], groups: int
) -> tuple[pa.Array, pa.Array]:
    """Per group the offsets of its mentions, in text order and each once."""
    group = group_of_local[starts[0]]
    kept = np.flatnonzero(group != _NONE)
    rows = np.unique(np.stack([group[kept], starts[1][kept], ends[1][kept]]), axis=1)
    sizes = np.bincount(rows[0], minlength=groups)
    offsets = pa.array(np.concatenate([[0], np.cumsum(sizes)]), pa.int32())
    return tuple(pa.ListArray.from_arrays(offsets, pa.array(row, pa.int64())) for row in rows[1:])


def entity_rows(resolution: Resolution) -> Iterable[tuple[str, dict[str, pa.Array]]]:
    """Yield the name and the columns of each entity table."""
    table = resolution.entities
    for label in ENTITY_LABELS:
        rows = table.filter(pc.equal(table["label"], label.value))
        yield label.value, {name: rows[name] for name in rows.column_names if name != "label"}


def _flat(column: pa.ChunkedArray | pa.Array) -> pa.Array:
    return column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
