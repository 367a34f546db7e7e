"""Authors and venues of papers: who wrote what, and where it appeared."""

from collections.abc import Iterator

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from kg.graph.rows import Collected, edge_ids
from kg.graph.text_batch import Ints, explode
from kg.model.identity import fold
from kg.model.record import Person
from kg.model.schema import RelationshipType
from kg.resolve.gathering import groups_of
from kg.resolve.records import PERSON

_PIECE = 1 << 16


def add_people(collected: Collected, papers: pa.Table) -> None:
    """Add authors and who wrote what.

    Two papers have one author when both give the same ORCID iD, or, where they give none, the
    same name: a name alone does not tell namesakes apart, and does not try to.
    """
    paper, position, written = _authorships(papers)
    person, persons = _distinct(written)
    keys, lengths = _keys(persons)
    encoded = keys.dictionary_encode()
    key_of = encoded.indices.to_numpy()
    # The first of the authors of a paper that are one, and none without a name.
    unnamed = pc.index(encoded.dictionary, pa.scalar("", pa.string())).as_py()
    width = max(1, len(encoded.dictionary))
    _, first = np.unique(paper * width + key_of[person], return_index=True)
    kept = np.sort(first[key_of[person[first]] != unnamed])
    counts = np.bincount(person[kept], minlength=len(keys))
    shown = _shown(key_of, counts, lengths, persons)
    columns = [column.take(pa.array(shown)) for column in persons]
    author = pc.binary_join_element_wise(pa.scalar("author:"), encoded.dictionary, "")
    given, family, orcid = (
        pc.if_else(pc.equal(column, ""), pa.scalar(None, pa.string()), column)
        for column in (columns[1], columns[0], columns[3])
    )
    collected.add(
        "Author",
        {
            "id": author.take(pa.array(key_of[shown])),
            "name": [person.display for person in _people(columns)],
            "family": family,
            "given": given,
            "orcid": orcid,
        },
    )
    heads = author.take(pa.array(key_of[person[kept]]))
    tails = papers["id"].combine_chunks().take(pa.array(paper[kept]))
    collected.add(
        "WROTE.Author.Paper",
        {
            "id": edge_ids(RelationshipType.WROTE, heads, tails),
            "head": heads,
            "tail": tails,
            "position": pa.array(position[kept], pa.int64()),
        },
    )


def add_venues(collected: Collected, papers: pa.Table) -> None:
    """Add venues and what appeared there; names that differ in case or signs are one venue."""
    names = pc.fill_null(papers["venue"].combine_chunks(), "").dictionary_encode()
    codes = names.indices.to_numpy()
    keys = pa.array([fold(name) for name in names.dictionary.to_pylist()], pa.string())
    counts = np.bincount(codes, minlength=len(keys))
    # Of the names of one venue that in most papers, the first in the alphabet of several.
    ranked = pa.table({"key": keys, "count": counts, "name": names.dictionary})
    order = [("key", "ascending"), ("count", "descending"), ("name", "ascending")]
    ranked = ranked.take(pc.sort_indices(ranked, order)).filter(pc.field("key") != "")
    key = ranked["key"].to_numpy()
    ranked = ranked.filter(pa.array(np.concatenate([[True], key[1:] != key[:-1]])[: len(key)]))
    ids = pc.binary_join_element_wise(pa.scalar("venue:"), ranked["key"], "")
    collected.add("Venue", {"id": ids, "name": ranked["name"]})
    placed = np.flatnonzero(pc.not_equal(keys, "").to_numpy(zero_copy_only=False)[codes])
    heads = papers["id"].combine_chunks().take(pa.array(placed))
    tails = pc.binary_join_element_wise(pa.scalar("venue:"), keys.take(pa.array(codes[placed])), "")
    edges = edge_ids(RelationshipType.PUBLISHED_IN, heads, tails)
    collected.add("PUBLISHED_IN.Paper.Venue", {"id": edges, "head": heads, "tail": tails})


def _authorships(papers: pa.Table) -> tuple[Ints, Ints, list[pa.Array]]:
    """Row of the paper, position from 1, and the fields of the person, author by author."""
    rows, positions = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    fields: list[list[pa.Array]] = [[] for _ in PERSON]
    start = 0
    for batch in papers.select(["authors"]).to_batches():
        found = explode(batch["authors"])
        sizes = np.bincount(found.parents, minlength=batch.num_rows)
        before = np.repeat(np.cumsum(sizes) - sizes, sizes)
        rows.append(found.parents + start)
        positions.append(np.arange(len(found.parents)) - before + 1)
        for pieces, field in zip(fields, PERSON, strict=True):
            pieces.append(found.field(field.name))
        start += batch.num_rows
    columns = [pa.chunked_array(pieces, pa.string()).combine_chunks() for pieces in fields]
    return np.concatenate(rows), np.concatenate(positions), columns


def _distinct(columns: list[pa.Array]) -> tuple[Ints, list[pa.Array]]:
    """Number equal rows: the number of each row, and the rows by number."""
    codes = np.zeros(len(columns[0]), np.int64)
    first = codes
    for column in columns:
        encoded = column.dictionary_encode()
        both = codes * max(1, len(encoded.dictionary)) + encoded.indices.to_numpy()
        _, first, codes = np.unique(both, return_index=True, return_inverse=True)
    return codes.astype(np.int64), [column.take(pa.array(first)) for column in columns]


def _keys(persons: list[pa.Array]) -> tuple[pa.Array, Ints]:
    """What makes people one, and how long the name of each is."""
    keys, lengths = [pa.array([], pa.string())], [np.zeros(0, np.int64)]
    for start in range(0, len(persons[0]), _PIECE):
        people = list(_people([column.slice(start, _PIECE) for column in persons]))
        keys.append(pa.array([p.orcid or fold(p.display) for p in people], pa.string()))
        lengths.append(np.array([len(p.display) for p in people], np.int64))
    return pa.concat_arrays(keys), np.concatenate(lengths)


def _people(columns: list[pa.Array]) -> Iterator[Person]:
    return (
        Person(*fields) for fields in zip(*(column.to_pylist() for column in columns), strict=True)
    )


def _shown(key_of: Ints, counts: Ints, lengths: Ints, persons: list[pa.Array]) -> Ints:
    """Return per key the person that most papers give, of several the longest name."""
    rank = np.stack([key_of, -counts, -lengths])[:, counts > 0]
    numbers = np.flatnonzero(counts > 0)[np.lexsort(rank[::-1])]
    order, bounds = groups_of(key_of[numbers].astype(np.uint64))
    ordered = numbers[order]
    shown: Ints = ordered[bounds[:-1]]
    same = (counts[ordered] == np.repeat(counts[shown], np.diff(bounds))) & (
        lengths[ordered] == np.repeat(lengths[shown], np.diff(bounds))
    )
    for at in np.flatnonzero(np.add.reduceat(same, bounds[:-1]) > 1) if len(shown) else ():
        group = slice(bounds[at], bounds[at + 1])
        equal = ordered[group][same[group]]
        people = list(_people([column.take(pa.array(equal)) for column in persons]))
        shown[at] = equal[min(range(len(people)), key=lambda i: repr(people[i]))]
    return shown
