"""A graph of any size, made up with the proportions of graphs that kg builds of real abstracts.

Per paper it has as many claims, results, authors and edges of each type, with sentences, names and
ids as long and names as unevenly spread, as a graph of 3,000 abstracts from arXiv.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from kg.graph.folder import Writer, writing
from kg.graph.manifest import Manifest, TableFile
from kg.graph.tables import TABLES, arrow_schema

Ints = npt.NDArray[np.int64]

SENTENCES = 7  # of each paper's text
_WORDS = 26  # of each sentence
_CLAIMS = 0.26  # of a sentence
_RESULTS = 0.375  # of a claim
_AUTHORS = 5.85  # of a paper
_MODEL = "made-0.1.0+00000000"
# Names to draw from per paper; about half of the rare ones are never drawn.
_NAMES = {"Method": 0.65, "Dataset": 0.1, "Task": 0.28, "Metric": 0.04, "Author": 1.3}
_ROLES = {
    "PROPOSES": "proposed",
    "USES": "used",
    "COMPARES_WITH": "compared",
    "EVALUATES_ON": "evaluated_on",
    "ADDRESSES": "addressed",
    "MEASURES": "used",
    "MENTIONS": "mentioned",
}
# Edges per paper, claim or result.
_OF_PAPER = {
    "Method": {"PROPOSES": 0.96, "USES": 3.42, "COMPARES_WITH": 0.22, "MENTIONS": 0.38},
    "Dataset": {"PROPOSES": 0.12, "USES": 0.01, "EVALUATES_ON": 0.37},
    "Task": {"PROPOSES": 0.01, "ADDRESSES": 2.2, "MENTIONS": 0.31},
    "Metric": {"MEASURES": 1.06, "MENTIONS": 0.1},
}
_OF_CLAIM = {
    "ABOUT.Claim.Method": 1.03,
    "ABOUT.Claim.Dataset": 0.01,
    "ABOUT.Claim.Task": 0.11,
    "COMPARED_TO.Claim.Method": 0.19,
    "ON.Claim.Dataset": 0.24,
    "BY.Claim.Metric": 0.45,
}
_OF_RESULT = {
    "ON.Result.Dataset": 0.35,
    "OF.Result.Method": 0.81,
    "AGAINST.Result.Method": 0.17,
    "BY.Result.Metric": 0.69,
}
_RELATIONS = {
    "EXTENDS.Method.Method": 0.11,
    "USES.Method.Method": 1.63,
    "OUTPERFORMS.Method.Method": 0.19,
    "PART_OF.Method.Method": 0.34,
    "EVALUATED_ON.Method.Dataset": 0.62,
    "EXTENDS.Dataset.Dataset": 0.01,
    "PART_OF.Dataset.Dataset": 0.01,
    "ADDRESSES.Method.Task": 1.62,
    "ADDRESSES.Dataset.Task": 0.19,
}
_CITES = 1.0
_VENUES = 400


@dataclass(frozen=True)
class Made:
    """What the tables of a graph of so many papers have in common."""

    papers: int
    texts: "_Texts"
    names: dict[str, pa.Array]
    ids: dict[str, pa.Array]
    seed: int


class _Texts:
    """Sentences made of words that are as unevenly spread as those of a language."""

    def __init__(self, papers: int, rng: np.random.Generator) -> None:
        letters = np.array(list("etaoinshrdlucmfwypvbgkjqxz"))
        lengths = rng.integers(3, 12, 30_000)
        self.words = pa.array(
            ["".join(letters[(26 * rng.random(n) ** 1.7).astype(int)]) for n in lengths]
        )
        count = papers * SENTENCES
        pieces = []
        for start in range(0, count, 100_000):
            size = min(100_000, count - start)
            offsets = np.concatenate([[0], np.cumsum(rng.integers(16, 2 * _WORDS - 15, size))])
            drawn = self.words.take(pa.array(zipf(rng, len(self.words), int(offsets[-1]))))
            lists = pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), drawn)
            pieces.append(pc.binary_join_element_wise(pc.binary_join(lists, " "), ".", ""))
        self.sentences = pa.chunked_array(pieces)
        lengths = pc.utf8_length(self.sentences).to_numpy().astype(np.int64)
        within = np.cumsum(lengths.reshape(papers, SENTENCES) + 1, axis=1)
        self.starts = (within - lengths.reshape(papers, SENTENCES) - 1).ravel()
        self.ends = self.starts + lengths

    def of_papers(self, first: int, last: int) -> pa.Array:
        """The texts of papers first to last."""
        part = self.sentences.slice(first * SENTENCES, (last - first) * SENTENCES).combine_chunks()
        offsets = pa.array(np.arange(last - first + 1) * SENTENCES, pa.int32())
        return pc.binary_join(pa.ListArray.from_arrays(offsets, part), " ")


def zipf(rng: np.random.Generator, names: int, size: int) -> Ints:
    """Draw so many places of a list whose n-th name is drawn 1/n as often as the first."""
    shares = 1.0 / (np.arange(names) + 2.7)
    return np.searchsorted(np.cumsum(shares) / shares.sum(), rng.random(size)).astype(np.int64)


def made_graph(papers: int, seed: int = 7) -> Made:
    """Make what all tables have in common; the same numbers give the same graph."""
    rng = np.random.default_rng(seed)
    texts = _Texts(papers, rng)
    number = np.arange(papers)
    years, months = 2007 + number * 19 // papers, 1 + number % 12
    ids = {
        "Paper": pa.array(
            f"arxiv:{year % 100:02}{month:02}.{n:05}"
            for year, month, n in zip(years.tolist(), months.tolist(), number.tolist(), strict=True)
        )
    }
    names = {}
    for label, share in _NAMES.items():
        count = max(10, int(share * papers))
        words = texts.words.take(pa.array(rng.integers(0, len(texts.words), 2 * count)))
        numbers = pa.array(np.arange(count)).cast(pa.string())
        names[label] = pc.binary_join_element_wise(
            words.slice(0, count), words.slice(count), numbers, " "
        )
        ids[label] = pc.binary_join_element_wise(label.lower(), names[label], ":")
    return Made(papers, texts, names, ids, seed)


def tables(made: Made, papers: int) -> Iterator[pa.Table]:
    """Yield the tables of the first so many papers; the metadata of each has its name."""
    rng = np.random.default_rng(made.seed + 1)
    naming: dict[str, Ints] = {}
    for label, shares in _OF_PAPER.items():
        yield from _roles(made, papers, label, shares, naming, rng)
    claims = np.flatnonzero(rng.random(made.papers * SENTENCES) < _CLAIMS)
    results = claims[rng.random(len(claims)) < _RESULTS]
    claim_ids = _located(made, "claim", claims, 0)
    result_ids = _located(made, "result", results, 5)
    yield _table("Claim", claims // SENTENCES < papers, _claims(made, claims, claim_ids))
    yield _table("Result", results // SENTENCES < papers, _results(made, results, result_ids, rng))
    paper_of = made.ids["Paper"].take(pa.array(claims // SENTENCES))
    yield _edges(made, "MAKES.Paper.Claim", papers, claims, paper_of, claim_ids, rng)
    reporting = np.searchsorted(claims, results)
    heads = claim_ids.take(pa.array(reporting))
    yield _edges(made, "REPORTS.Claim.Result", papers, results, heads, result_ids, rng)
    for shares, at, ids in ((_OF_CLAIM, claims, claim_ids), (_OF_RESULT, results, result_ids)):
        for name, share in shares.items():
            which = _drawn(rng, share, len(at))
            tails = _named(made, name.split(".")[2], len(which), rng)
            yield _edges(made, name, papers, at[which], ids.take(pa.array(which)), tails, rng)
    for name, share in _RELATIONS.items():
        _, head, tail = name.split(".")
        at = rng.integers(0, SENTENCES, int(share * made.papers)) + SENTENCES * np.sort(
            rng.integers(0, made.papers, int(share * made.papers))
        )
        heads, tails = (_named(made, label, len(at), rng) for label in (head, tail))
        yield _edges(made, name, papers, at, heads, tails, rng)
    yield from _bibliography(made, papers, naming, rng)
    yield from _papers(made, papers)
    for label in _OF_PAPER:
        yield _entities(made, label, naming[label], papers)


def write(folder: Path, made: Made, papers: int) -> None:
    """Write the first so many papers as the next build of a graph's folder."""
    with writing(folder, create=True) as writer:
        files = [store(writer, table) for table in tables(made, papers)]
        commit(writer, files)


def store(writer: Writer, table: pa.Table) -> TableFile | None:
    """Write a table as a build does."""
    return writer.store_table(table_name(table), table.replace_schema_metadata())


def commit(writer: Writer, files: list[TableFile | None]) -> None:
    """Make the files the current build."""
    places = list(TABLES)
    found = sorted((f for f in files if f is not None), key=lambda f: places.index(f.table))
    writer.commit(Manifest(0, "", "", "build", tuple(found)))


def table_name(table: pa.Table) -> str:
    """The name of a table that tables() gave."""
    return str(table.schema.metadata[b"table"].decode())


def _table(name: str, kept: npt.NDArray[np.bool_] | None, columns: dict[str, Any]) -> pa.Table:
    """Fill the columns that are not given with nulls, keep some rows, sort by id."""
    schema = arrow_schema(TABLES[name])
    size = len(columns["id"])
    arrays = [
        columns[field.name] if field.name in columns else pa.nulls(size, field.type)
        for field in schema
    ]
    table = pa.table([_cast(a, f.type) for a, f in zip(arrays, schema, strict=True)], schema=schema)
    if kept is not None:
        table = table.filter(pa.array(kept))
    table = table.take(pc.sort_indices(table["id"]))
    return table.replace_schema_metadata({"table": name})


def _cast(array: Any, wanted: pa.DataType) -> Any:
    if isinstance(array, np.ndarray):
        array = pa.array(array)
    return array if array.type == wanted else array.cast(wanted)


def _same(value: str, size: int) -> pa.Array:
    return pa.array([value]).take(pa.array(np.zeros(size, np.int64)))


def _lists(values: Any) -> pa.Array:
    """Lists of one value each."""
    array = _cast(values, pa.int64()) if isinstance(values, np.ndarray) else values
    return pa.ListArray.from_arrays(pa.array(np.arange(len(array) + 1), pa.int32()), array)


def _empty_lists(size: int) -> pa.Array:
    return pa.ListArray.from_arrays(
        pa.array(np.zeros(size + 1), pa.int32()), pa.array([], pa.string())
    )


def _drawn(rng: np.random.Generator, share: float, size: int) -> Ints:
    """Draw places of a list, each about `share` times."""
    return np.sort(rng.integers(0, size, int(share * size)))


def _named(made: Made, label: str, size: int, rng: np.random.Generator) -> pa.Array:
    return made.ids[label].take(pa.array(zipf(rng, len(made.ids[label]), size)))


def _keys(rng: np.random.Generator, size: int) -> pa.Array:
    """Ids of edges: 24 hexadecimal digits."""
    digits = np.frombuffer(rng.bytes(12 * size).hex().encode(), "S24")
    return pa.array(digits).cast(pa.string())


def _edges(
    made: Made,
    name: str,
    papers: int,
    at: Ints,
    heads: pa.Array,
    tails: pa.Array,
    rng: np.random.Generator,
    **more: Any,
) -> pa.Table:
    """Edges that rest on the sentences of these numbers."""
    columns = {
        "id": _keys(rng, len(at)),
        "head": heads,
        "tail": tails,
        "paper": made.ids["Paper"].take(pa.array(at // SENTENCES)),
        "sentence": made.texts.sentences.take(pa.array(at)),
        "start": made.texts.starts[at],
        "end": made.texts.ends[at],
        "component": _same("kg_relations", len(at)),
        "model": _same(_MODEL, len(at)),
        "confidence": np.round(rng.random(len(at)), 4),
        **more,
    }
    return _table(name, at // SENTENCES < papers, columns)


def _roles(
    made: Made,
    papers: int,
    label: str,
    shares: dict[str, float],
    naming: dict[str, Ints],
    rng: np.random.Generator,
) -> Iterator[pa.Table]:
    count = len(made.ids[label])
    paper = _drawn(rng, sum(shares.values()) * 1.05, made.papers)
    pairs = np.unique(paper * count + zipf(rng, count, len(paper)))  # each pair has one role
    naming[label] = pairs
    roles = list(shares)
    chances = np.array(list(shares.values()))
    role = rng.choice(len(roles), len(pairs), p=chances / chances.sum())
    for number, type_ in enumerate(roles):
        own = pairs[role == number]
        at = own // count * SENTENCES + rng.integers(0, SENTENCES, len(own))
        starts = made.texts.starts[at] + rng.integers(0, 80, len(at))
        yield _edges(
            made,
            f"{type_}.Paper.{label}",
            papers,
            at,
            made.ids["Paper"].take(pa.array(own // count)),
            made.ids[label].take(pa.array(own % count)),
            rng,
            role=_same(_ROLES[type_], len(at)),
            starts=_lists(starts),
            ends=_lists(starts + 15),
        )


def _located(made: Made, kind: str, at: Ints, shift: int) -> pa.Array:
    """Ids of claims and results: paper and offsets."""
    offsets = [
        pa.array(side[at] + shift).cast(pa.string())
        for side in (made.texts.starts, made.texts.ends)
    ]
    paper = made.ids["Paper"].take(pa.array(at // SENTENCES))
    return pc.binary_join_element_wise(
        pc.binary_join_element_wise(kind, paper, offsets[0], ":"), offsets[1], "-"
    )


def _claims(made: Made, at: Ints, ids: pa.Array) -> dict[str, Any]:
    return {
        "id": ids,
        "text": made.texts.sentences.take(pa.array(at)),
        "kind": _same("performance", len(at)),
        "polarity": _same("positive", len(at)),
        "certainty": _same("certain", len(at)),
        "paper": made.ids["Paper"].take(pa.array(at // SENTENCES)),
        "start": made.texts.starts[at],
        "end": made.texts.ends[at],
        "confidence": (at % 97) / 97.0,
        "model": _same(_MODEL, len(at)),
    }


def _results(made: Made, at: Ints, ids: pa.Array, rng: np.random.Generator) -> dict[str, Any]:
    value = np.round(100 * rng.random(len(at)), 1)
    return {
        "id": ids,
        "raw": pc.binary_join_element_wise(pa.array(value).cast(pa.string()), "%", ""),
        "value": value,
        "unit": _same("%", len(at)),
        "change": _same("absolute", len(at)),
        "relative": pa.array(np.zeros(len(at), bool)),
        "direction": _same("none", len(at)),
        "paper": made.ids["Paper"].take(pa.array(at // SENTENCES)),
        "start": made.texts.starts[at] + 5,
        "end": made.texts.starts[at] + 10,
        "confidence": np.round(rng.random(len(at)), 4),
    }


def _bibliography(
    made: Made, papers: int, naming: dict[str, Ints], rng: np.random.Generator
) -> Iterator[pa.Table]:
    count = len(made.ids["Author"])
    paper = _drawn(rng, _AUTHORS, made.papers)
    pairs = np.unique(paper * count + zipf(rng, count, len(paper)) * 7919 % count)
    naming["Author"] = pairs
    yield _table(
        "WROTE.Author.Paper",
        pairs // count < papers,
        {
            "id": _keys(rng, len(pairs)),
            "head": made.ids["Author"].take(pa.array(pairs % count)),
            "tail": made.ids["Paper"].take(pa.array(pairs // count)),
            "position": rng.integers(1, 9, len(pairs)),
        },
    )
    written = np.unique(pairs[pairs // count < papers] % count)
    names = made.names["Author"].take(pa.array(written))
    parts = pc.split_pattern(names, " ")
    yield _table(
        "Author",
        None,
        {
            "id": made.ids["Author"].take(pa.array(written)),
            "name": names,
            "given": pc.list_element(parts, 0),
            "family": pc.list_element(parts, 1),
        },
    )
    citing = _drawn(rng, _CITES, made.papers)
    cited = (citing * rng.random(len(citing)) ** 0.5).astype(np.int64)
    links = np.unique((citing * made.papers + cited)[cited < citing])
    citing, cited = links // made.papers, links % made.papers
    yield _table(
        "CITES.Paper.Paper",
        citing < papers,
        {
            "id": _keys(rng, len(links)),
            "head": made.ids["Paper"].take(pa.array(citing)),
            "tail": made.ids["Paper"].take(pa.array(cited)),
            "origin": _same("metadata", len(links)),
            "method": _same("identifier", len(links)),
            "confidence": np.ones(len(links)),
        },
    )
    venues = pa.array([f"venue:journal of things {n}" for n in range(_VENUES)])
    yield _table("Venue", None, {"id": venues, "name": pc.utf8_slice_codeunits(venues, 6)})
    published = np.flatnonzero(rng.random(made.papers) < 0.5)
    yield _table(
        "PUBLISHED_IN.Paper.Venue",
        published < papers,
        {
            "id": _keys(rng, len(published)),
            "head": made.ids["Paper"].take(pa.array(published)),
            "tail": venues.take(pa.array(zipf(rng, _VENUES, len(published)))),
        },
    )


def _papers(made: Made, papers: int) -> Iterator[pa.Table]:
    ids = made.ids["Paper"].slice(0, papers)
    number = np.arange(papers)
    titles = made.texts.sentences.take(pa.array(number * SENTENCES))
    texts = [made.texts.of_papers(n, min(n + 50_000, papers)) for n in range(0, papers, 50_000)]
    years = 2007 + number * 19 // made.papers
    topics = pa.ListArray.from_arrays(
        pa.array(2 * np.arange(papers + 1), pa.int32()), _same("cs.LG", 2 * papers)
    )
    sources = pc.binary_join_element_wise("papers.jsonl", pa.array(number).cast(pa.string()), ":")
    yield _table(
        "Paper",
        None,
        {
            "id": ids,
            "title": pc.utf8_slice_codeunits(titles, 0, 80),
            "title_made": pa.array(np.zeros(papers, bool)),
            "text": pa.chunked_array(texts),
            "year": years,
            "date": pc.binary_join_element_wise(pa.array(years).cast(pa.string()), "06", "-"),
            "arxiv": pc.utf8_slice_codeunits(ids, 6),
            "arxiv_versions": _empty_lists(papers),
            "isbn": _empty_lists(papers),
            "urls": _empty_lists(papers),
            "topics": topics,
            "known": pa.array(np.ones(papers, bool)),
            "sources": _lists(sources),
            "model": _same(_MODEL, papers),
            "aliases": _empty_lists(papers),
        },
    )


def _entities(made: Made, label: str, pairs: Ints, papers: int) -> pa.Table:
    count = len(made.ids[label])
    counts = np.bincount(pairs[pairs // count < papers] % count, minlength=count)
    # Claims and relations name things that stand in no role: they are counted once.
    counts = np.maximum(counts, 1)
    return _table(
        label,
        None,
        {
            "id": made.ids[label],
            "name": made.names[label],
            "named": pa.array(np.arange(count) % 3 == 0),
            "surfaces": _lists(made.names[label]),
            "surface_counts": _lists(counts),
            "reasons": _lists(_same("the name shown", count)),
            "papers": counts,
            "mentions": 2 * counts,
            "aliases": _empty_lists(count),
        },
    )
