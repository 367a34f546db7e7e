"""One paper of its records: which of what they say is kept."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import astuple, fields
from typing import Any

import pyarrow as pa

from kg.model.identity import paper_id
from kg.model.record import Identifiers
from kg.resolve.records import PERSON, REFERENCE

Row = dict[str, Any]

_strings = pa.list_(pa.string())

PAPERS = pa.schema(
    [
        pa.field("id", pa.string(), False),
        pa.field("title", pa.string()),
        pa.field("title_made", pa.bool_()),
        pa.field("text", pa.string()),
        pa.field("year", pa.int64()),
        pa.field("date", pa.string()),
        pa.field("doi", pa.string()),
        pa.field("arxiv", pa.string()),
        pa.field("arxiv_versions", _strings),
        pa.field("pmid", pa.string()),
        pa.field("openalex", pa.string()),
        pa.field("s2", pa.string()),
        pa.field("dblp", pa.string()),
        pa.field("acl", pa.string()),
        pa.field("isbn", _strings),
        pa.field("urls", _strings),
        pa.field("topics", _strings),
        pa.field("sources", _strings),
        pa.field("aliases", _strings),
        # Beside the schema's properties: what the edges of a paper are made from.
        pa.field("identifiers", _strings),  # doi:..., arxiv:..., of all its records
        pa.field("keys", _strings),  # what files call it: citation keys
        pa.field("authors", pa.list_(PERSON)),
        pa.field("venue", pa.string()),
        pa.field("language", pa.string()),
        pa.field("references", pa.list_(REFERENCE)),
    ]
)

# A key is unique within its file only, so it says nothing across files.
SHARED = tuple(f.name for f in fields(Identifiers) if f.name != "key")
_TITLE_CHARACTERS = 100
_NAMED = ("doi", "arxiv", "pmid", "openalex", "s2", "dblp", "acl")


def joint_paper(rows: Sequence[Row], alone: Sequence[str], own: Sequence[str]) -> Row:
    """One paper of several records.

    Each field is that of the most complete record that has it (a title first, then most
    identifiers, then most fields); the abstract and the authors are the longest, the date the most
    exact, the venue the most frequent. What records say beside it stands in `differs`.

    Args:
        rows: the records, columns of kg.resolve.records.RECORDS.
        alone: the id of the paper that each would be without the others, of what is compared.
        own: the same of what the record says; both differ in odd characters only.

    Returns:
        Columns of PAPERS.
    """
    order = sorted(range(len(rows)), key=lambda place: _completeness(rows[place]))
    ordered = [rows[place] for place in order]
    ids = Identifiers(**{name: _first(row["ids"][name] for row in ordered) for name in SHARED})
    text = max((row["text"] for row in ordered), key=lambda text: (len(text), text))
    title = _first(row["title"] for row in ordered)
    # Without identifiers it is the paper of its most complete record: that is nobody else's id.
    id_ = paper_id(ids, title, text) if any(astuple(ids)) else own[order[0]]
    return {
        "id": id_,
        "title": title or made_title(text),
        "title_made": not title,
        "text": text,
        "year": _first(row["year"] for row in ordered) or None,
        "date": max((row["date"] for row in ordered), key=len) or None,
        **{name: getattr(ids, name) or None for name in _NAMED},
        "arxiv_versions": _all(row["arxiv_version"] for row in ordered),
        "isbn": _all(isbn for row in ordered for isbn in row["isbns"]),
        "urls": _all(url for row in ordered for url in row["urls"]),
        "topics": _all(topic for row in ordered for topic in row["topics"]),
        "sources": _sources(ordered),
        "aliases": sorted(set(alone) - {id_}),
        "identifiers": _all(each for row in ordered for each in identified(row["ids"])),
        "keys": _all(row["ids"]["key"] for row in ordered),
        "authors": max((row["authors"] for row in ordered), key=len),
        "venue": _most_common(row["venue"] for row in ordered),
        "language": _most_common(row["language"] for row in ordered),
        "references": [reference for row in ordered for reference in row["references"]],
    }


def single_papers(records: pa.RecordBatch, own: pa.Array, alone: pa.Array) -> pa.RecordBatch:
    """Papers of one record each: the same as joint_paper of each, column by column.

    Args:
        records: columns of kg.resolve.records.RECORDS.
        own: per record the id of its paper.
        alone: per record what joint_paper takes.
    """
    ids = records["ids"].to_pylist()
    named = {name: [row[name] or None for row in ids] for name in _NAMED}
    titles, texts = (records[name].to_pylist() for name in ("title", "text"))
    places = zip(*(records[name].to_pylist() for name in ("file", "line", "ordinal")), strict=True)
    made = {i: made_title(texts[i]) for i, title in enumerate(titles) if not title}
    pairs = zip(own.to_pylist(), alone.to_pylist(), strict=True)
    columns: dict[str, Any] = {
        "id": own,
        "title": [made.get(i, title) for i, title in enumerate(titles)],
        "title_made": [not title for title in titles],
        "text": records["text"],
        "year": [year or None for year in records["year"].to_pylist()],
        "date": [date or None for date in records["date"].to_pylist()],
        **named,
        "arxiv_versions": [_all([each]) for each in records["arxiv_version"].to_pylist()],
        "isbn": [_all(each) for each in records["isbns"].to_pylist()],
        "urls": [_all(each) for each in records["urls"].to_pylist()],
        "topics": [_all(each) for each in records["topics"].to_pylist()],
        "sources": [[_source(*place)] for place in places],
        "aliases": [[] if one == other else [other] for one, other in pairs],
        "identifiers": [_all(identified(row)) for row in ids],
        "keys": [_all([row["key"]]) for row in ids],
        "authors": records["authors"],
        "venue": records["venue"],
        "language": records["language"],
        "references": records["references"],
    }
    arrays = [
        said if isinstance(said := columns[field.name], pa.Array) else pa.array(said, field.type)
        for field in PAPERS
    ]
    return pa.RecordBatch.from_arrays(arrays, schema=PAPERS)


def identified(ids: Row) -> list[str]:
    """Return doi:..., arxiv:... of a record."""
    return [f"{name}:{ids[name]}" for name in SHARED if ids[name]]


def made_title(text: str) -> str:
    """Return a title for an abstract without one: its beginning, up to the first full stop."""
    words = " ".join(text.split())
    sentence, stop, _ = words.partition(". ")
    if len(sentence) <= _TITLE_CHARACTERS:
        return sentence + stop.strip() if stop else sentence
    cut = sentence[:_TITLE_CHARACTERS].rsplit(" ", 1)[0]
    return f"{cut.rstrip(',;:')}…"


def _completeness(row: Row) -> tuple[Any, ...]:
    """Sort key: the most complete first; the content decides where two are as complete."""
    filled = sum(bool(value) for value in row.values())
    identified = sum(bool(value) for value in row["ids"].values())
    return (
        -bool(row["title"]),
        -identified,
        -filled,
        -len(row["text"]),
        row["title"],
        row["text"],
        row["file"],
        row["ordinal"],
        repr(row),
    )


def _sources(rows: Iterable[Row]) -> list[str]:
    places = {(row["file"], row["line"] or row["ordinal"], bool(row["line"])) for row in rows}
    return [_source(file, place * line, place) for file, place, line in sorted(places)]


def _source(file: str, line: int, ordinal: int) -> str:
    return f"{file}:{line}" if line else f"{file}#{ordinal}"


def _first(values: Iterable[Any]) -> Any:
    return next((value for value in values if value), "")


def _all(values: Iterable[str]) -> list[str]:
    return sorted({value for value in values if value})


def _most_common(values: Iterable[str]) -> str:
    counts = Counter(value for value in values if value)
    return min(counts, key=lambda value: (-counts[value], value)) if counts else ""
