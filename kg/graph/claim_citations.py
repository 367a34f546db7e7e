"""What a claim cites: the citations that stand in its sentence."""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from kg.graph.rows import Collected, changes, edge_ids, joined, lists_of
from kg.graph.text_batch import TextBatch, explode
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

# Larger than any offset into a text, so that row and offset make one sortable number.
_ROW = 1 << 32


def citing_claims(batch: TextBatch, min_confidence: float) -> pa.Table:
    """Return which claims of a batch, of those that are certain enough, cite something where.

    A citation within the span of a claim belongs to that claim; one that is in no claim, but in
    the sentence of claims, to all of these.

    Returns:
        Columns of CITING.
    """
    claims, citations = (
        explode(batch.extractions["claims"]),
        explode(batch.extractions["citations"]),
    )
    kept = np.flatnonzero(claims.numbers("confidence") >= min_confidence)
    if not len(kept) or not len(citations.parents):
        return CITING.empty_table()
    rows = claims.parents[kept]
    spans = claims.ints("start")[kept], claims.ints("end")[kept]
    sentences = batch.sentence_at(rows, *spans)
    at, to = citations.ints("start"), citations.ints("end")
    # Both sides are ordered by row and few in a row, so all pairs of a row are looked at.
    first = np.searchsorted(citations.parents, rows, side="left")
    counts = np.searchsorted(citations.parents, rows, side="right") - first
    claim = np.repeat(np.arange(len(kept)), counts)
    steps = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    citation = first[claim] + steps
    within = (at[citation] >= spans[0][claim]) & (to[citation] <= spans[1][claim])
    beside = (at[citation] >= sentences[0][claim]) & (to[citation] <= sentences[1][claim])
    owned = np.zeros(len(at), bool)
    owned[citation[within]] = True
    chosen = within | (beside & ~owned[citation])
    claim, citation = claim[chosen], citation[chosen]
    where = pa.array(kept[claim])
    papers = batch.papers.take(pa.array(rows[claim]))
    begins, ends = (claims.field(name).take(where) for name in ("start", "end"))
    # The evidence holds the claim and the citation.
    from_, until = sentences[0][claim], sentences[1][claim]
    columns = [
        joined("claim:", papers, ":", begins, "-", ends),
        papers,
        batch.words(rows[claim], from_, until),
        from_,
        until,
        batch.models.take(pa.array(rows[claim])),
        np.clip(claims.numbers("confidence")[kept][claim], 0.0, 1.0),
        at[citation],
        to[citation],
    ]
    arrays = [
        column.cast(field.type) if isinstance(column, pa.Array) else pa.array(column, field.type)
        for column, field in zip(columns, CITING, strict=True)
    ]
    return pa.table(arrays, schema=CITING)


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
