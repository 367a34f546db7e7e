"""What a paper claims: claims, their results, and what they are about."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from kg.graph.claim_citations import addresses
from kg.graph.mentions import Entities
from kg.graph.rows import Collected, add_edges, best, evidence, joined
from kg.graph.text_batch import Exploded, Ints, TextBatch, explode
from kg.model.schema import NodeLabel, RelationshipType

_NONE = -1
_LINKS = (
    ("about", RelationshipType.ABOUT),
    ("compared_to", RelationshipType.COMPARED_TO),
    ("on", RelationshipType.ON),
    ("metrics", RelationshipType.BY),
)
_RESULT_LINKS = (
    ("of", RelationshipType.OF),
    ("against", RelationshipType.AGAINST),
    ("on", RelationshipType.ON),
    ("by", RelationshipType.BY),
)


def add_claims(
    collected: Collected,
    batch: TextBatch,
    of_local: Ints,
    entities: Entities,
    min_confidence: float,
) -> None:
    """Add the claims of a batch that are certain enough, and everything that hangs on them."""
    claims = explode(batch.extractions["claims"])
    claims = _kept(claims, claims.numbers("confidence") >= min_confidence)
    if not len(claims.parents):
        return
    starts, ends = claims.ints("start"), claims.ints("end")
    sure = np.clip(claims.numbers("confidence"), 0.0, 1.0)
    papers = batch.papers.take(pa.array(claims.parents))
    ids = _ids("claim", papers, claims)
    same = ("text", "kind", "polarity", "certainty")
    rows = {
        "id": ids,
        **{name: claims.field(name) for name in same},
        "paper": papers,
        "start": pa.array(starts, pa.int64()),
        "end": pa.array(ends, pa.int64()),
        "confidence": pa.array(sure, pa.float64()),
        "model": batch.models.take(pa.array(claims.parents)),
        "urls": addresses(batch, claims),
    }
    _add_best(collected, NodeLabel.CLAIM, rows)
    said = evidence(batch, claims.parents, starts, ends, "kg_claims", sure)
    add_edges(
        collected,
        RelationshipType.MAKES,
        (papers, _constant(NodeLabel.PAPER, len(ids))),
        (ids, _constant(NodeLabel.CLAIM, len(ids))),
        said,
        per_paper=False,
    )
    said["component"] = pa.array(["kg_links"] * len(ids), pa.string())
    first = batch.first_entity
    for name, relationship in _LINKS:
        links = explode(claims.field(name))
        places = first[claims.parents[links.parents]] + links.values.to_numpy()
        _add_links(
            collected, relationship, NodeLabel.CLAIM, ids, said, links.parents,
            of_local[places], entities,
        )  # fmt: skip
    _add_results(collected, batch, claims, ids, said, of_local, entities, min_confidence)


def _add_results(
    collected: Collected,
    batch: TextBatch,
    claims: Exploded,
    claim_ids: pa.Array,
    said: dict[str, pa.Array],
    of_local: Ints,
    entities: Entities,
    min_confidence: float,
) -> None:
    results = explode(claims.field("results"))
    results = _kept(results, results.numbers("confidence") >= min_confidence)
    if not len(results.parents):
        return
    owners = pa.array(results.parents)
    rows = claims.parents[results.parents]
    papers = batch.papers.take(pa.array(rows))
    ids = _ids("result", papers, results)
    sure = pa.array(np.clip(results.numbers("confidence"), 0.0, 1.0), pa.float64())
    same = ("raw", "value", "value_from", "unit", "change", "relative", "direction")
    columns = {
        "id": ids,
        **{name: results.field(name) for name in same},
        "paper": papers,
        "start": results.field("start").cast(pa.int64()),
        "end": results.field("end").cast(pa.int64()),
        "confidence": sure,
    }
    _add_best(collected, NodeLabel.RESULT, columns)
    # A result rests on the words of its claim.
    own = {name: column.take(owners) for name, column in said.items()} | {"confidence": sure}
    reported = own | {"component": pa.array(["kg_results"] * len(ids), pa.string())}
    add_edges(
        collected,
        RelationshipType.REPORTS,
        (claim_ids.take(owners), _constant(NodeLabel.CLAIM, len(ids))),
        (ids, _constant(NodeLabel.RESULT, len(ids))),
        reported,
        per_paper=False,
    )
    for name, relationship in _RESULT_LINKS:
        links = results.ints(name)
        linked = np.flatnonzero(links != _NONE)
        targets = of_local[batch.first_entity[rows[linked]] + links[linked]]
        _add_links(collected, relationship, NodeLabel.RESULT, ids, own, linked, targets, entities)


def _add_links(
    collected: Collected,
    relationship: RelationshipType,
    label: NodeLabel,
    ids: pa.Array,
    said: dict[str, pa.Array],
    owners: Ints,
    targets: Ints,
    entities: Entities,
) -> None:
    """Add edges from claims or results, by their place in `ids`, to rows of the entity table."""
    present = targets != _NONE
    owners, targets = owners[present], targets[present]
    at = pa.array(owners)
    add_edges(
        collected,
        relationship,
        (ids.take(at), _constant(label, len(owners))),
        (entities.ids(targets), entities.labels(targets)),
        {name: column.take(at) for name, column in said.items()},
        per_paper=False,
    )


def _add_best(collected: Collected, label: NodeLabel, columns: dict[str, Any]) -> None:
    """Add nodes; of two with one span the more certain."""
    rows = best(pa.table(columns), (("confidence", "descending"), *_ties(columns)))
    collected.add(label.value, {name: rows[name] for name in rows.column_names})


def _ties(columns: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    others = (name for name in columns if name not in ("id", "confidence", "urls"))
    return tuple((name, "ascending") for name in others)


def _ids(kind: str, papers: pa.Array, spans: Exploded) -> pa.Array:
    """kg.model.identity.claim_id and result_id, column by column."""
    return joined(f"{kind}:", papers, ":", spans.field("start"), "-", spans.field("end"))


def _kept(exploded: Exploded, mask: npt.NDArray[np.bool_]) -> Exploded:
    if mask.all():
        return exploded
    kept = pa.array(mask)
    return Exploded(exploded.parents[mask], pc.filter(exploded.values, kept))


def _constant(label: NodeLabel, length: int) -> npt.NDArray[np.object_]:
    return np.full(length, label.value, dtype=object)
