"""Papers with their authors and venues, and who cites whom."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import fields
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from kg.graph.rows import Collected, changes, edge_ids, lists_of
from kg.graph.tables import TABLES, arrow_schema
from kg.graph.text_batch import TextBatch, explode
from kg.model.identity import fold
from kg.model.record import Identifiers, Person
from kg.model.schema import RelationshipType
from kg.resolve.citations import REFERENCES, Citations
from kg.resolve.records import rows_table

_PIECE = 8192
_CITED_BY_ID = ("doi", "arxiv", "acl")


def add_papers(collected: Collected, papers: pa.Table, stubs: pa.Table, models: pa.Array) -> None:
    """Add the papers, and the stubs of those that are cited but not known.

    Args:
        collected: where the rows go.
        papers: columns of kg.resolve.papers.PAPERS.
        stubs: the same, of papers without a record.
        models: per paper the model that read its text; null where there was none to read.
    """
    own = [name for name in arrow_schema(TABLES["Paper"]).names if name not in ("known", "model")]
    known = {name: papers[name] for name in own if name in papers.column_names}
    collected.add(
        "Paper", {**known, "known": pa.array([True] * papers.num_rows, pa.bool_()), "model": models}
    )
    missing = {name: stubs[name] for name in own if name in stubs.column_names}
    collected.add("Paper", {**missing, "known": pa.array([False] * stubs.num_rows, pa.bool_())})


def add_people(collected: Collected, papers: pa.Table) -> None:
    """Add authors and who wrote what.

    Two papers have one author when both give the same ORCID iD, or, where they give none, the
    same name: a name alone does not tell namesakes apart, and does not try to.
    """
    people: dict[str, tuple[Counter[Person], str]] = {}
    heads, tails, positions = [], [], []
    for paper, authors in _pairs(papers, "authors"):
        seen = set()
        for position, row in enumerate(authors or (), 1):
            person = Person(**row)
            key = person.orcid or fold(person.display)
            if not key or key in seen:
                continue
            seen.add(key)
            own = f"author:{key}"
            people.setdefault(own, (Counter(), person.orcid))[0][person] += 1
            heads.append(own)
            tails.append(paper)
            positions.append(position)
    ordered = sorted(people)
    shown = [_most_common(people[key][0]) for key in ordered]
    collected.add(
        "Author",
        {
            "id": pa.array(ordered, pa.string()),
            "name": [person.display for person in shown],
            "family": [person.family or None for person in shown],
            "given": [person.given or None for person in shown],
            "orcid": [people[key][1] or None for key in ordered],
        },
    )
    ends = pa.array(heads, pa.string()), pa.array(tails, pa.string())
    ids = edge_ids(RelationshipType.WROTE, *ends)
    collected.add(
        "WROTE.Author.Paper", {"id": ids, "head": ends[0], "tail": ends[1], "position": positions}
    )


def add_venues(collected: Collected, papers: pa.Table) -> None:
    """Add venues and what appeared there; names that differ in case or signs are one venue."""
    names: dict[str, Counter[str]] = {}
    heads, tails = [], []
    for paper, venue in _pairs(papers, "venue"):
        key = fold(venue or "")
        if key:
            names.setdefault(f"venue:{key}", Counter())[venue] += 1
            heads.append(paper)
            tails.append(f"venue:{key}")
    ordered = sorted(names)
    shown = [min(names[key], key=lambda n: (-names[key][n], n)) for key in ordered]
    collected.add("Venue", {"id": pa.array(ordered, pa.string()), "name": shown})
    ends = pa.array(heads, pa.string()), pa.array(tails, pa.string())
    ids = edge_ids(RelationshipType.PUBLISHED_IN, *ends)
    collected.add("PUBLISHED_IN.Paper.Venue", {"id": ids, "head": ends[0], "tail": ends[1]})


def bibliography_references(papers: pa.Table) -> Iterator[pa.Table]:
    """Yield rows of REFERENCES for what the papers' records list."""
    for piece in papers.select(["id", "references"]).to_batches(_PIECE):
        found = explode(piece["references"])
        count = len(found.parents)
        if count:
            raw = found.field("raw")
            # A printed line is a reference; identifiers alone are what a service knows.
            origin = pc.if_else(pc.not_equal(pc.fill_null(raw, ""), ""), "reference", "metadata")
            yield pa.table(
                [
                    piece["id"].take(pa.array(found.parents)),
                    origin,
                    *(found.field(f.name) for f in found.values.type),
                    *(pa.array([""] * count, pa.string()) for _ in ("kind", "target")),
                    *(pa.nulls(count, pa.int64()) for _ in range(2)),
                ],
                schema=REFERENCES,
            )


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


def add_citations(collected: Collected, references: pa.Table, found: Citations) -> None:
    """Add one edge per citing and cited paper, by the surest of its references."""
    cited = found.resolved["cited"]
    rows = pa.table(
        {
            "head": references["paper"],
            "tail": cited,
            "origin": references["origin"],
            "method": found.resolved["method"],
            "raw": references["raw"],
            "start": references["start"],
            "confidence": found.resolved["score"],
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


def _pairs(papers: pa.Table, column: str) -> Iterator[tuple[str, Any]]:
    for piece in papers.select(["id", column]).to_batches(_PIECE):
        yield from zip(piece["id"].to_pylist(), piece[column].to_pylist(), strict=True)


def _most_common(people: Counter[Person]) -> Person:
    return min(people, key=lambda person: (-people[person], -len(person.display), repr(person)))
