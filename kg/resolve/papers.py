"""Records to papers: which records, over all files, are of one paper."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from kg.model.decision import Decision, DecisionKind, in_force
from kg.resolve.compared_records import ComparedRecords
from kg.resolve.disagreement import differences
from kg.resolve.gathering import PIECE, Gatherer, Ints
from kg.resolve.paper_fields import PAPERS, joint_paper, single_papers
from kg.resolve.record_union import RecordUnion

__all__ = ["MATCHES", "PAPERS", "Matched", "match_records"]

MATCHES = pa.schema(
    [
        pa.field("paper", pa.string(), False),
        pa.field("reason", pa.string(), False),  # why it belongs there; empty for the first
        pa.field("differs", pa.list_(pa.string())),  # what it says that was not kept
    ]
)


@dataclass(frozen=True, slots=True)
class Matched:
    """Which paper each record is of, and the papers.

    `records` has one row per input record, in order; `papers` has the columns of PAPERS and is
    sorted by id. `unapplied` says of decisions that nothing here is their concern.
    """

    records: pa.Table
    papers: pa.Table
    unapplied: tuple[str, ...] = ()


def match_records(
    records: pa.Table, decisions: Sequence[Decision] = (), *, order: Ints | None = None
) -> Matched:
    """Group records into papers; the papers do not depend on the order of the records.

    Records are of one paper when they share an identifier; else when title, first author and
    year agree, or the abstracts are nearly the same (kg.resolve.paper_similarity). What is only
    likely yields to identifiers that differ, and everything yields to the user's refusals.

    Args:
        records: columns of kg.resolve.records.RECORDS.
        decisions: the user's joins and refusals of papers.
        order: the rows of `records` in the order that the answer is wanted in, where it is
            another than theirs.
    """
    if order is None:
        order = np.arange(records.num_rows)
    compared = ComparedRecords(records, order)
    holding = [d for d in in_force(decisions) if d.about_papers]
    joined = [d for d in holding if d.kind is DecisionKind.JOIN]
    refused = [d for d in holding if d.kind is DecisionKind.REFUSE]
    named = compared.with_alone({f.surface for d in (*joined, *refused) for f in d.forms})
    unapplied = tuple(
        f"decision {d.number} ({d}): there is no such paper"
        for d in (*joined, *refused)
        if not {form.surface for form in d.forms} <= named.keys()
    )
    union = RecordUnion(len(order), compared.ids, compared.alone, compared.year, refused)
    for key, reason, members in sorted([*compared.sharing(), *_decided(joined, named)]):
        same = key.startswith(("text:", "title:"))
        first, *others = compared.ordered(members)
        for other in others:
            union.join(first, other, reason, sure=not same, same=same)
    for pair in compared.similar_pairs():
        union.join(pair.first, pair.second, pair.reason, sure=False)
    return _matched(records, order, compared, union, unapplied)


def _decided(
    joined: Iterable[Decision], named: dict[str, list[int]]
) -> Iterator[tuple[str, str, list[int]]]:
    """What the user joined, as records that share a key."""
    for decision in joined:
        members = {i for form in decision.forms for i in named.get(form.surface, ())}
        if members:
            yield f"decision:{decision.number}", f"decision {decision.number}", sorted(members)


def _matched(
    records: pa.Table,
    order: Ints,
    compared: ComparedRecords,
    union: RecordUnion,
    unapplied: tuple[str, ...],
) -> Matched:
    rows = Gatherer(records)
    groups = union.groups()
    joint, differs = _joint_papers(rows, order, compared, groups)
    single = np.ones(len(order), bool)
    paper_of = np.zeros(len(order), np.int64)
    for number, members in enumerate(groups):
        single[members] = False
        paper_of[members] = number
    alone = np.flatnonzero(single)
    paper_of[alone] = len(groups) + np.arange(len(alone))
    ids = pa.chunked_array([*joint["id"].chunks, compared.own(alone)], pa.string())
    ids = ids.combine_chunks()
    papers = _papers(ids, joint, rows, order, compared, alone)
    none: list[str] = []
    matches = pa.table(
        [
            ids.take(pa.array(paper_of)),
            pa.array([union.reasons.get(i, "") for i in range(len(order))], pa.string()),
            pa.array([differs.get(i, none) for i in range(len(order))], MATCHES.types[2]),
        ],
        schema=MATCHES,
    )
    return Matched(matches, papers, unapplied)


def _joint_papers(
    rows: Gatherer, order: Ints, compared: ComparedRecords, groups: Sequence[Sequence[int]]
) -> tuple[pa.Table, dict[int, list[str]]]:
    """The papers of several records each, and what single records say otherwise."""
    tables = [PAPERS.empty_table()]
    differs: dict[int, list[str]] = {}
    for start in range(0, len(groups), PIECE):
        piece = groups[start : start + PIECE]
        members = [i for group in piece for i in group]
        said = dict(
            zip(members, rows.take(order[members]).to_pylist(maps_as_pydicts=None), strict=True)
        )
        papers = []
        for group in piece:
            own = compared.own(np.array(group, np.int64)).to_pylist()
            alone = [compared.alone(i) for i in group]
            paper = joint_paper([said[i] for i in group], alone, own)
            papers.append(paper)
            for i in group:
                found = differences(said[i], paper)
                if found:
                    differs[i] = found
        tables.append(pa.Table.from_pylist(papers, PAPERS))
    return pa.concat_tables(tables), differs


def _papers(
    ids: pa.Array,
    joint: pa.Table,
    rows: Gatherer,
    order: Ints,
    compared: ComparedRecords,
    alone: Ints,
) -> pa.Table:
    """All papers, sorted by id: of `ids` the first are joint ones, the others of one record."""
    several = Gatherer(joint)
    batches = []
    by_id: Ints = pc.sort_indices(ids).to_numpy().astype(np.int64)
    for start in range(0, len(by_id), PIECE):
        piece = by_id[start : start + PIECE]
        is_joint = piece < joint.num_rows
        mine = alone[piece[~is_joint] - joint.num_rows]
        batch = single_papers(rows.take(order[mine]), compared.own(mine), compared.alone_of(mine))
        if is_joint.any():
            both = pa.concat_batches([batch, several.take(piece[is_joint])])
            places = np.concatenate([np.flatnonzero(~is_joint), np.flatnonzero(is_joint)])
            batch = both.take(pa.array(np.argsort(places)))
        batches.append(batch)
    return pa.Table.from_batches(batches, PAPERS)
