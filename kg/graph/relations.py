"""What one entity is to another, once per paper that says so."""

import numpy as np
import pyarrow as pa

from kg.graph.mentions import Entities
from kg.graph.rows import Collected, add_edges, evidence
from kg.graph.text_batch import Ints, TextBatch, explode
from kg.model.extraction import RelationType
from kg.model.schema import RelationshipType

_NONE = -1


def add_relations(
    collected: Collected,
    batch: TextBatch,
    of_local: Ints,
    entities: Entities,
    min_confidence: float,
) -> None:
    """Add the relations of a batch that are certain enough."""
    relations = explode(batch.extractions["relations"])
    if not len(relations.parents):
        return
    first = batch.first_entity[relations.parents]
    heads = of_local[first + relations.ints("head")]
    tails = of_local[first + relations.ints("tail")]
    sure = np.clip(relations.numbers("confidence"), 0.0, 1.0)
    types = relations.field("type").to_numpy(zero_copy_only=False)
    starts, ends = relations.ints("start"), relations.ints("end")
    both = (heads != _NONE) & (tails != _NONE) & (sure >= min_confidence)
    for relation in RelationType:
        at = np.flatnonzero(both & (types == relation.value))
        if not len(at):
            continue
        rows = relations.parents[at]
        add_edges(
            collected,
            RelationshipType(relation.value),
            (entities.ids(heads[at]), entities.labels(heads[at])),
            (entities.ids(tails[at]), entities.labels(tails[at])),
            evidence(batch, rows, starts[at], ends[at], "kg_relations", pa.array(sure[at])),
            per_paper=True,
        )
