"""Records to papers: which records, over all files, are of one paper."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from typing import Any

import pyarrow as pa

from kg.model.decision import Decision, DecisionKind, in_force
from kg.model.identity import fold, paper_id
from kg.model.record import Identifiers
from kg.resolve.records import PERSON, REFERENCE

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
        pa.field("authors", pa.list_(PERSON)),
        pa.field("venue", pa.string()),
        pa.field("language", pa.string()),
        pa.field("references", pa.list_(REFERENCE)),
    ]
)

MATCHES = pa.schema(
    [
        pa.field("paper", pa.string(), False),
        pa.field("reason", pa.string(), False),  # why it belongs there; empty for the first
    ]
)

# A key is unique within its file only, so it says nothing across files.
_SHARED = tuple(f.name for f in fields(Identifiers) if f.name != "key")
_TITLE_CHARACTERS = 100


@dataclass(frozen=True, slots=True)
class Matched:
    """Which paper each record is of, and the papers.

    `records` has one row per input record, in order; `papers` has the columns of PAPERS and is
    sorted by id. `unapplied` says of decisions that nothing here is their concern.
    """

    records: pa.Table
    papers: pa.Table
    unapplied: tuple[str, ...] = ()


def match_records(records: pa.Table, decisions: Sequence[Decision] = ()) -> Matched:
    """Group records into papers; the papers do not depend on the order of the records.

    Records are of one paper when they share an identifier, or when title and abstract are the
    same but for case, accents and punctuation.

    Args:
        records: columns of kg.resolve.records.RECORDS.
        decisions: the user's joins and refusals of papers.
    """
    rows = records.to_pylist()
    alone = [_alone(row) for row in rows]
    joined = [d for d in in_force(decisions) if d.about_papers and d.kind is DecisionKind.JOIN]
    unapplied = tuple(
        f"decision {d.number} ({d}): there is no such paper"
        for d in joined
        if not {form.surface for form in d.forms} <= set(alone)
    )
    # Every record hangs on its keys; what shares a key is one paper.
    first: dict[str, int] = {}
    parent = list(range(len(rows)))
    reasons = [""] * len(rows)

    def root(index: int) -> int:
        while parent[index] != index:
            parent[index] = parent[parent[index]]
            index = parent[index]
        return index

    for index, row in enumerate(rows):
        for key, reason in _keys(row, alone[index], joined):
            other = first.setdefault(key, index)
            one, two = root(other), root(index)
            if one != two:
                parent[two] = one
                reasons[index] = reasons[index] or reason
    groups: dict[int, list[int]] = defaultdict(list)
    for index in range(len(rows)):
        groups[root(index)].append(index)
    papers = []
    paper_of = [""] * len(rows)
    for members in groups.values():
        paper = _paper([rows[i] for i in members], [alone[i] for i in members])
        papers.append(paper)
        for i in members:
            paper_of[i] = paper["id"]
    papers.sort(key=lambda paper: str(paper["id"]))
    matches = pa.table([pa.array(paper_of, pa.string()), reasons], schema=MATCHES)
    return Matched(matches, pa.Table.from_pylist(papers, PAPERS), unapplied)


def _alone(row: dict[str, Any]) -> str:
    """The id of the paper that the record would be without others."""
    return paper_id(Identifiers(**row["ids"]), row["title"], row["text"])


def _keys(row: dict[str, Any], alone: str, joined: Iterable[Decision]) -> Iterable[tuple[str, str]]:
    for name in _SHARED:
        if row["ids"][name]:
            yield f"{name}:{row['ids'][name]}", f"the same {name} {row['ids'][name]}"
    title, text = fold(row["title"]), fold(row["text"])
    if text:
        yield f"text:{title}\n{text}", "the same title and abstract"
    elif not any(row["ids"][name] for name in _SHARED):
        yield f"title:{title}", "the same title, neither with an abstract"
    for decision in joined:
        if alone in {form.surface for form in decision.forms}:
            yield f"decision:{decision.number}", f"decision {decision.number}"


def _paper(rows: list[dict[str, Any]], alone: list[str]) -> dict[str, Any]:
    """One paper of its records: each field from the most complete record that has it."""
    ordered = rows if len(rows) == 1 else sorted(rows, key=_completeness)
    ids = Identifiers(**{name: _first(row["ids"][name] for row in ordered) for name in _SHARED})
    text = max((row["text"] for row in ordered), key=lambda text: (len(text), text))
    title = _first(row["title"] for row in ordered)
    own = paper_id(ids, title, text)
    return {
        "id": own,
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
        "aliases": sorted(set(alone) - {own}),
        "identifiers": _all(
            f"{name}:{row['ids'][name]}" for row in ordered for name in _SHARED if row["ids"][name]
        ),
        "authors": max((row["authors"] for row in ordered), key=len),
        "venue": _most_common(row["venue"] for row in ordered),
        "language": _most_common(row["language"] for row in ordered),
        "references": [reference for row in ordered for reference in row["references"]],
    }


_NAMED = ("doi", "arxiv", "pmid", "openalex", "s2", "dblp", "acl")


def made_title(text: str) -> str:
    """Return a title for an abstract without one: its beginning, up to the first full stop."""
    words = " ".join(text.split())
    sentence, stop, _ = words.partition(". ")
    if len(sentence) <= _TITLE_CHARACTERS:
        return sentence + stop.strip() if stop else sentence
    cut = sentence[:_TITLE_CHARACTERS].rsplit(" ", 1)[0]
    return f"{cut.rstrip(',;:')}…"


def _completeness(row: dict[str, Any]) -> tuple[Any, ...]:
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


def _sources(rows: list[dict[str, Any]]) -> list[str]:
    places = {(row["file"], row["line"] or row["ordinal"], bool(row["line"])) for row in rows}
    return [
        f"{file}:{place}" if line else f"{file}#{place}" for file, place, line in sorted(places)
    ]


def _first(values: Iterable[Any]) -> Any:
    return next((value for value in values if value), "")


def _all(values: Iterable[str]) -> list[str]:
    return sorted({value for value in values if value})


def _most_common(values: Iterable[str]) -> str:
    counts = Counter(value for value in values if value)
    return min(counts, key=lambda value: (-counts[value], value)) if counts else ""
