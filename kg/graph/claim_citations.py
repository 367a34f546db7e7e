"""What a claim cites: the citations that stand in its sentence."""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from kg.graph.rows import Collected, changes, edge_ids, joined, lists_of
from kg.graph.text_batch import Exploded, Ints, TextBatch, explode
from kg.model.schema import RelationshipType

# A citation in the sentence of a claim, by the place of each in the paper's text.
CITING = pa.schema(
    [
        pa.field("head", pa.string(), False),  # the claim
        pa.field("paper", pa.string(), False),
        pa.field("sentence", pa.string(), False),
        pa.field("start", pa.int64(), False),  # of the sentence
        pa.field("end", pa.int64(), False),
        pa.field("model", pa.string()),
        pa.field("sure", pa.float64(), False),  # that it is a claim
        pa.field("at", pa.int64(), False),  # where the citation stands
        pa.field("to", pa.int64(), False),
    ]
)


def citing_claims(batch: TextBatch, min_confidence: float) -> pa.Table:
    """Return which claims of a batch, of those that are certain enough, cite something where.

    Returns:
        Columns of CITING.
    """
    claims = explode(batch.extractions["claims"])
    citations = explode(batch.extractions["citations"])
    claim, citation = _standing_in(batch, claims, citations)
    sure = claims.numbers("confidence")[claim]
    claim, citation = claim[sure >= min_confidence], citation[sure >= min_confidence]
    rows, where = claims.parents[claim], pa.array(claim)
    papers = batch.papers.take(pa.array(rows))
    starts, ends = claims.ints("start")[claim], claims.ints("end")[claim]
    at, to = citations.ints("start")[citation], citations.ints("end")[citation]
    # The evidence holds the claim and the citation.
    begin, end = batch.sentence_at(rows, starts, ends)
    begin, end = np.minimum(begin, at), np.maximum(end, to)
    begins, stops = (claims.field(name).take(where) for name in ("start", "end"))
    columns = [
        joined("claim:", papers, ":", begins, "-", stops),
        papers,
        batch.words(rows, begin, end),
        begin,
        end,
        batch.models.take(pa.array(rows)),
        np.clip(sure[sure >= min_confidence], 0.0, 1.0),
        at,
        to,
    ]
    arrays = [
        column.cast(field.type) if isinstance(column, pa.Array) else pa.array(column, field.type)
        for column, field in zip(columns, CITING, strict=True)
    ]
    return pa.table(arrays, schema=CITING)


def addresses(batch: TextBatch, claims: Exploded) -> pa.ListArray:
    """Return the addresses of code and data in the sentence of each claim, in order."""
    citations = explode(batch.extractions["citations"])
    claim, citation = _standing_in(batch, claims, citations)
    found = citations.values.take(pa.array(citation))
    is_address = pc.equal(pc.struct_field(found, "kind"), "url").to_numpy(zero_copy_only=False)
    sizes = np.bincount(claim[is_address], minlength=len(claims.parents))
    offsets = pa.array(np.concatenate([[0], np.cumsum(sizes)]), pa.int32())
    values = pc.struct_field(found, "target").filter(pa.array(is_address))
    return pa.ListArray.from_arrays(offsets, values)


def _standing_in(batch: TextBatch, claims: Exploded, citations: Exploded) -> tuple[Ints, Ints]:
    """Which claims have which citations, by their places, in the order of claims.

    A citation within the span of a claim belongs to that claim; one that is in no claim, but in
    the sentence of claims, to all of these.
    """
    if not len(claims.parents) or not len(citations.parents):
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    starts, ends = claims.ints("start"), claims.ints("end")
    sentence = batch.sentence_at(claims.parents, starts, ends)
    at = citations.ints("start")
    # Both sides are ordered by row and few in a row, so all pairs of a row are looked at.
    first = np.searchsorted(citations.parents, claims.parents, side="left")
    counts = np.searchsorted(citations.parents, claims.parents, side="right") - first
    claim = np.repeat(np.arange(len(first)), counts)
    steps = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    citation = first[claim] + steps
    # Where it begins decides: "et al. [2]" is easily taken for the end of a sentence.
    within = (at[citation] >= starts[claim]) & (at[citation] < ends[claim])
    beside = (at[citation] >= sentence[0][claim]) & (at[citation] < sentence[1][claim])
    owned = np.zeros(len(at), bool)
    owned[citation[within]] = True
    chosen = within | (beside & ~owned[citation])
    return claim[chosen], citation[chosen]


def add_claim_citations(collected: Collected, citing: pa.Table, inline: pa.Table) -> None:
    """Add one edge from each claim to each paper that is cited in its sentence.

    Args:
        collected: where the rows go.
        citing: columns of CITING, over all batches.
        inline: the citations in texts and which paper each means, columns of
            kg.resolve.citations.REFERENCES and RESOLVED.
    """
    if not citing.num_rows:
        return
    cited = inline.select(["paper", "raw", "start", "end", "cited", "method", "score"])
    cited = cited.rename_columns({"start": "at", "end": "to", "cited": "tail"})
    cited = cited.filter(pc.is_valid(cited["tail"]))
    rows = citing.join(cited, ["paper", "at", "to"], join_type="inner")
    if not rows.num_rows:
        return
    rows = rows.combine_chunks()
    heads, tails = (rows[end].combine_chunks() for end in ("head", "tail"))
    # That it is a claim, and that this paper is meant: both have to be right.
    both = pc.multiply(rows["sure"], rows["score"])
    table = pa.table(
        {
            "id": edge_ids(RelationshipType.CITES, heads, tails),
            "head": heads,
            "tail": tails,
            **{name: rows[name] for name in ("paper", "sentence", "start", "end", "model")},
            "component": pa.array(["kg_citations"] * len(heads), pa.string()),
            "confidence": both,
            "origin": pa.array(["inline"] * len(heads), pa.string()),
            **{name: rows[name] for name in ("method", "raw")},
            "at": rows["at"],
        }
    )
    table = table.take(
        pc.sort_indices(
            table,
            [
                ("id", "ascending"), ("confidence", "descending"), ("at", "ascending"),
                ("raw", "ascending"), ("method", "ascending"),
            ],
        )
    )  # fmt: skip
    begins = changes(table["id"])
    starts = lists_of(np.cumsum(begins) - 1, table["at"].to_numpy(), int(begins.sum()))
    chosen = table.filter(pa.array(begins)).drop_columns(["at"])
    collected.add(
        "CITES.Claim.Paper",
        {**{name: chosen[name] for name in chosen.column_names}, "starts": starts},
    )
