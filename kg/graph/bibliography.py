"""Papers, known and missing, and who cites whom."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from kg.graph.rows import Collected, changes, edge_ids, lists_of
from kg.graph.tables import TABLES, arrow_schema
from kg.graph.text_batch import TextBatch, explode
from kg.model.record import Identifiers
from kg.model.schema import RelationshipType
from kg.resolve.citations import REFERENCES, Missing
from kg.resolve.gathering import Gatherer
from kg.resolve.records import rows_table

_PIECE = 2048  # papers whose references are matched at a time
_CITED_BY_ID = ("doi", "arxiv", "acl")


def add_papers(
    collected: Collected,
    papers: pa.Table,
    models: pa.Array,
    in_texts: pa.Table,
    missing: Missing,
) -> None:
    """Add the papers, and the stubs of those that are cited but not known.

    Args:
        collected: where the rows go.
        papers: columns of kg.resolve.papers.PAPERS.
        models: per paper the model that read its text; null where there was none to read.
        in_texts: columns of REFERENCES, of citations in texts; addresses are among them.
        missing: papers that are not known, and ids that known ones would have if they were not.
    """
    own = [name for name in arrow_schema(TABLES["Paper"]).names if name not in ("known", "model")]
    known = {name: papers[name] for name in own if name in papers.column_names}
    known["aliases"] = _with_more(papers, "aliases", missing.aliases)
    known["urls"] = _with_more(papers, "urls", _addresses(in_texts))
    collected.add(
        "Paper", {**known, "known": pa.array([True] * papers.num_rows, pa.bool_()), "model": models}
    )
    stubs = missing.stubs
    rows = {name: stubs[name] for name in own if name in stubs.column_names}
    collected.add("Paper", {**rows, "known": pa.array([False] * stubs.num_rows, pa.bool_())})


def _addresses(in_texts: pa.Table) -> dict[str, list[str]]:
    """The addresses in the text of each paper."""
    rows = in_texts.filter(pc.equal(in_texts["kind"], "url")).select(["paper", "target"])
    found: dict[str, list[str]] = {}
    for paper, address in zip(*(column.to_pylist() for column in rows.columns), strict=True):
        found.setdefault(paper, []).append(address)
    return found


def _with_more(papers: pa.Table, name: str, more: Mapping[str, Sequence[str]]) -> pa.ChunkedArray:
    """A column of lists, to which strings are added by the id of the row."""
    if not more:
        return papers[name]
    chunks = []
    for piece in papers.select(["id", name]).to_batches(_PIECE):
        rows = zip(piece["id"].to_pylist(), piece[name].to_pylist(), strict=True)
        lists = [sorted({*held, *more[id_]} - {id_}) if id_ in more else held for id_, held in rows]
        chunks.append(pa.array(lists, pa.list_(pa.string())))
    return pa.chunked_array(chunks, pa.list_(pa.string()))


def references_by_paper(papers: pa.Table, inline: pa.Table) -> Iterator[pa.Table]:
    """Yield the references of some papers after the other, those of one paper together.

    Args:
        papers: columns of kg.resolve.papers.PAPERS.
        inline: rows of REFERENCES for the citations in the texts of all papers.

    Yields:
        Rows of REFERENCES: citations in texts, then what the papers' records list.
    """
    # The row of the citing paper; Arrow keeps the order of those of one paper.
    place = pc.index_in(inline["paper"], value_set=papers["id"].combine_chunks())
    places = place.combine_chunks().to_numpy(zero_copy_only=False).astype(np.int64)
    order = np.argsort(places, kind="stable")
    ordered, rows = places[order], Gatherer(inline)
    start = 0
    for piece in papers.select(["id", "references"]).to_batches(_PIECE):
        low, high = np.searchsorted(ordered, (start, start + piece.num_rows))
        tables = [pa.Table.from_batches([rows.take(order[low:high])])] if high > low else []
        tables += _listed(piece)
        if tables:
            yield pa.concat_tables(tables)
        start += piece.num_rows


def _listed(papers: pa.RecordBatch) -> list[pa.Table]:
    """What the records of some papers list."""
    found = explode(papers["references"])
    count = len(found.parents)
    if not count:
        return []
    raw = found.field("raw")
    # A printed line is a reference; identifiers alone are what a service knows.
    origin = pc.if_else(pc.not_equal(pc.fill_null(raw, ""), ""), "reference", "metadata")
    columns = [
        papers["id"].take(pa.array(found.parents)),
        origin,
        *(found.field(f.name) for f in found.values.type),
        *(pa.array([""] * count, pa.string()) for _ in ("kind", "target")),
        *(pa.nulls(count, pa.int64()) for _ in range(2)),
    ]
    return [pa.table(columns, schema=REFERENCES)]


def inline_references(batch: TextBatch) -> pa.Table:
    """Return rows of REFERENCES for the citations in running text."""
    found = explode(batch.extractions["citations"])
    papers = batch.papers.take(pa.array(found.parents)).to_pylist()
    rows = (
        {
            "paper": paper,
            "origin": "inline",
            "raw": row["raw"],
            "ids": _identifiers(row["kind"], row["target"]),
            "title": "",
            "authors": row["authors"],
            "year": row["year"],
            "venue": "",
            "volume": "",
            "page": "",
            "kind": row["kind"],
            "target": target,
            "start": row["start"],
            "end": row["end"],
        }
        for paper, row in zip(papers, found.values.to_pylist(), strict=True)
        for target in _targets(row["kind"], row["target"])
    )
    return rows_table(rows, REFERENCES)


def add_citations(collected: Collected, references: pa.Table, resolved: pa.Table) -> None:
    """Add one edge per citing and cited paper, by the surest of its references.

    Args:
        collected: where the rows go.
        references: columns of REFERENCES, all those of each paper in it.
        resolved: columns of RESOLVED, row by row.
    """
    cited = resolved["cited"]
    rows = pa.table(
        {
            "head": references["paper"],
            "tail": cited,
            "origin": references["origin"],
            "method": resolved["method"],
            "raw": references["raw"],
            "start": references["start"],
            "confidence": resolved["score"],
        }
    ).filter(pc.is_valid(cited))
    rows = rows.filter(pc.not_equal(rows["head"], rows["tail"]))
    if not rows.num_rows:
        return
    keys = ("confidence", "descending"), *((n, "ascending") for n in ("origin", "method", "raw"))
    ends = [("head", "ascending"), ("tail", "ascending")]
    rows = rows.take(pc.sort_indices(rows, [*ends, *keys, ("start", "ascending")]))
    begins = changes(rows["head"], rows["tail"])
    places = rows["start"].to_numpy().astype(float)
    inline = np.flatnonzero(~np.isnan(places))
    groups = (np.cumsum(begins) - 1)[inline]
    starts = lists_of(groups, places[inline].astype(np.int64), int(begins.sum()))
    chosen = rows.filter(pa.array(begins))
    ends_of = [chosen[end].combine_chunks() for end in ("head", "tail")]
    collected.add(
        "CITES.Paper.Paper",
        {
            "id": edge_ids(RelationshipType.CITES, *ends_of),
            "head": ends_of[0],
            "tail": ends_of[1],
            **{name: chosen[name] for name in ("origin", "method", "raw", "confidence")},
            "starts": starts,
        },
    )


def _targets(kind: str, target: str) -> list[str]:
    """What one citation means: "[3, 5-7]" and a list of keys mean several papers."""
    return target.split(",") if kind in ("numeric", "key") else [target]


def _identifiers(kind: str, target: str) -> dict[str, str]:
    empty = dict.fromkeys((field.name for field in fields(Identifiers)), "")
    return empty | {kind: target} if kind in _CITED_BY_ID else empty
