"""Papers that are cited and that no record describes: one stub for all references to one."""

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from kg.model.identity import digest, fold, paper_id
from kg.model.record import Identifiers
from kg.resolve.gathering import PIECE, Gatherer, Ints, groups_of
from kg.resolve.paper_fields import PAPERS, SHARED
from kg.resolve.paper_index import family_key

_TITLE: Final = 3  # words of a title that a missing paper is told by

Row = dict[str, Any]


class Stubs:
    """Gathers what references say of missing papers; the fullest of those to one describes it."""

    def __init__(self) -> None:
        self._told: list[pa.RecordBatch] = []
        self._pending: dict[str, Row] = {}
        self._bare: dict[str, list[pa.Array]] = {name: [] for name in SHARED}
        self._aliases: dict[str, set[str]] = {}

    def add_alias(self, paper: str, stub: str) -> None:
        """Add the id, if any, that a paper would have as a stub, without its record."""
        if stub and stub != paper:
            self._aliases.setdefault(paper, set()).add(stub)

    def aliases(self, stubs: pa.Array) -> dict[str, list[str]]:
        """Return the aliases of papers that are no ids of stubs, sorted."""
        every = pa.array(sorted(set().union(*self._aliases.values())), pa.string())
        taken = set(every.filter(pc.is_in(every, value_set=stubs)).to_pylist())
        found = {paper: sorted(ids - taken) for paper, ids in sorted(self._aliases.items())}
        return {paper: ids for paper, ids in found.items() if ids}

    def add(self, stub: Row) -> None:
        """Add what a reference says."""
        known = self._pending.setdefault(stub["id"], stub)
        if known is not stub:
            self._pending[stub["id"]] = min(known, stub, key=_emptiness)
        if len(self._pending) >= PIECE:
            self._flush()

    def add_bare(self, name: str, values: pa.Array) -> None:
        """Add papers of which nothing is known but one identifier each."""
        self._bare[name].append(pc.unique(values))

    def table(self) -> pa.Table:
        """Return columns of kg.resolve.papers.PAPERS, sorted by id."""
        self._flush()
        told = pa.Table.from_batches(self._told, PAPERS)
        rows = Gatherer(told)
        told_ids = told["id"].combine_chunks()
        chosen = _fullest(told_ids, rows)
        names, values, ids = self._only_bare(told_ids)
        every = pa.concat_arrays([told_ids.take(pa.array(chosen)), ids])
        order: Ints = pc.sort_indices(every).to_numpy().astype(np.int64)
        batches = []
        for start in range(0, len(order), PIECE):
            piece = order[start : start + PIECE]
            is_told = piece < len(chosen)
            bare = piece[~is_told] - len(chosen)
            mine = [
                bare_stub(name, value)
                for name, value in zip(
                    names.take(pa.array(bare)).to_pylist(),
                    values.take(pa.array(bare)).to_pylist(),
                    strict=True,
                )
            ]
            batch = pa.RecordBatch.from_pylist(mine, PAPERS)
            if is_told.any():
                both = pa.concat_batches([batch, rows.take(chosen[piece[is_told]])])
                places = np.concatenate([np.flatnonzero(~is_told), np.flatnonzero(is_told)])
                batch = both.take(pa.array(np.argsort(places)))
            batches.append(batch)
        return pa.Table.from_batches(batches, PAPERS)

    def _only_bare(self, told: pa.Array) -> tuple[pa.Array, pa.Array, pa.Array]:
        """Name, value and paper id of the identifiers of which nothing else is told."""
        names = [pa.array([], pa.string())]
        values = [pa.array([], pa.string())]
        for name, found in self._bare.items():
            if found:
                distinct = pc.unique(pa.chunked_array(found, pa.string()))
                names.append(pa.repeat(name, len(distinct)))
                values.append(distinct)
        name_of, value_of = pa.concat_arrays(names), pa.concat_arrays(values)
        ids = pc.binary_join_element_wise(name_of, value_of, ":")
        alone = pc.invert(pc.is_in(ids, value_set=told))
        return name_of.filter(alone), value_of.filter(alone), ids.filter(alone)

    def _flush(self) -> None:
        if self._pending:
            self._told.append(pa.RecordBatch.from_pylist(list(self._pending.values()), PAPERS))
            self._pending = {}


def _fullest(ids: pa.Array, rows: Gatherer) -> Ints:
    """Return one row for each id, in which most is said."""
    codes = ids.dictionary_encode().indices.to_numpy().astype(np.uint64)
    order, bounds = groups_of(codes)
    chosen: Ints = order[bounds[:-1]]
    for at in np.flatnonzero(np.diff(bounds) > 1).tolist():
        members = order[bounds[at] : bounds[at + 1]]
        said = rows.take(members).to_pylist()
        chosen[at] = members[min(range(len(said)), key=lambda i: _emptiness(said[i]))]
    return chosen


def bare_stub(name: str, value: str) -> Row:
    """Return what is known of a paper by one identifier."""
    empty = Identifiers(**{name: value})
    row: Row = {"title": "", "raw": "", "year": None, "authors": [], "venue": ""}
    stub = stub_of(row, empty)
    if stub is None:
        raise ValueError(f"no identifier: {name}")
    return stub


def stub_of(row: Row, ids: Identifiers) -> Row | None:
    """Return what a reference says of a missing paper; None where that is too little."""
    own = stub_id(row, ids)
    if not own:
        return None
    title = row["title"] or ""
    named = [name for name in SHARED if getattr(ids, name)]
    return {
        "id": own,
        "title": title or row["raw"] or None,
        "title_made": False,
        "year": row["year"],
        **{n: getattr(ids, n) or None for n in ("doi", "arxiv", "pmid", "openalex", "s2", "dblp")},
        "acl": ids.acl or None,
        "arxiv_versions": [],
        "isbn": [],
        "urls": [],
        "topics": [],
        "sources": [],
        "aliases": [],
        "identifiers": [f"{n}:{getattr(ids, n)}" for n in named],
        "keys": [],
        "authors": [
            {"family": name, "given": "", "name": "", "orcid": ""} for name in row["authors"] or ()
        ],
        "venue": row["venue"] or "",
        "language": "",
        "references": [],
    }


def stub_id(row: Row, ids: Identifiers) -> str:
    """Return the id of a missing paper; empty where too little is known of it."""
    if any(getattr(ids, name) for name in SHARED):
        return paper_id(ids, row["title"] or "", "")
    key = _stub_key(row)
    return f"hash:{digest('reference', key)}" if key else ""


def _stub_key(row: Row) -> str:
    """What tells a missing paper from others; empty where too little is known."""
    title = fold(row["title"] or "")
    if title.count(" ") + 1 >= _TITLE:
        return title
    families = " ".join(family_key(name) for name in row["authors"] or ())
    if families and row["year"]:
        place = "" if row["origin"] == "inline" else " ".join(_places(row))
        return f"{families} {row['year']} {place}".strip()
    return ""


def _places(row: Row) -> Iterator[str]:
    for name in ("venue", "volume", "page"):
        yield fold(row[name] or "")


def _emptiness(stub: Row) -> tuple[Any, ...]:
    return (-sum(bool(value) for value in stub.values()), repr(sorted(stub.items())))
