"""Records to papers: which records, over all files, are of one paper."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from typing import Any

import pyarrow as pa

from kg.model.decision import Decision, DecisionKind, in_force
from kg.model.identity import paper_id
from kg.model.record import Identifiers
from kg.resolve.disagreement import differences
from kg.resolve.paper_similarity import Folded, fold_record, similar_pairs
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
        pa.field("keys", _strings),  # what files call it: citation keys
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
        pa.field("differs", pa.list_(pa.string())),  # what it says that was not kept
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

    Records are of one paper when they share an identifier; else when title, first author and
    year agree, or the abstracts are nearly the same (kg.resolve.paper_similarity). What is only
    likely yields to identifiers that differ, and everything yields to the user's refusals.

    Args:
        records: columns of kg.resolve.records.RECORDS.
        decisions: the user's joins and refusals of papers.
    """
    rows = records.to_pylist()
    folded = [fold_record(row) for row in rows]
    alone = [_alone(row, each) for row, each in zip(rows, folded, strict=True)]
    holding = [d for d in in_force(decisions) if d.about_papers]
    joined = [d for d in holding if d.kind is DecisionKind.JOIN]
    refused = [d for d in holding if d.kind is DecisionKind.REFUSE]
    known = set(alone)
    unapplied = tuple(
        f"decision {d.number} ({d}): there is no such paper"
        for d in (*joined, *refused)
        if not {form.surface for form in d.forms} <= known
    )
    union = _Union(rows, alone, refused)
    # Every record hangs on its keys; what shares a key is one paper.
    holders: dict[str, list[int]] = defaultdict(list)
    why: dict[str, str] = {}
    for index, row in enumerate(rows):
        for key, reason in _keys(row, folded[index], alone[index], joined):
            holders[key].append(index)
            why[key] = reason
    for key in sorted(holders):
        members = holders[key]
        if len(members) > 1:
            members.sort(key=lambda i: (alone[i], folded[i].digest))
        for other in members[1:]:
            sure = not key.startswith(("text:", "title:"))
            union.join(members[0], other, why[key], sure=sure)
    for pair in similar_pairs(folded):
        union.join(pair.first, pair.second, pair.reason, sure=False)
    reasons = union.reasons
    groups: dict[int, list[int]] = defaultdict(list)
    for index in range(len(rows)):
        groups[union.root(index)].append(index)
    papers = []
    paper_of = [""] * len(rows)
    differs: list[list[str]] = [[] for _ in rows]
    for members in groups.values():
        paper = _paper([rows[i] for i in members], [alone[i] for i in members])
        papers.append(paper)
        for i in members:
            paper_of[i] = paper["id"]
            if len(members) > 1:
                differs[i] = differences(rows[i], paper)
    papers.sort(key=lambda paper: str(paper["id"]))
    matches = pa.table([pa.array(paper_of, pa.string()), reasons, differs], schema=MATCHES)
    return Matched(matches, pa.Table.from_pylist(papers, PAPERS), unapplied)


# Registrants of preprint servers and repositories: a DOI of theirs may be of a paper that has
# another one elsewhere.
_PREPRINTS = (
    "10.48550/", "10.1101/", "10.64898/", "10.2139/", "10.21203/", "10.31219/", "10.31222/", "10.31223/",
    "10.31234/", "10.31235/", "10.20944/", "10.5281/", "10.6084/", "10.26434/", "10.36227/", "10.22541/",
    "10.14293/", "10.35542/", "10.32942/", "10.17605/", "10.13140/", "10.7287/peerj.preprints",
)  # fmt: skip


class _Union:
    """Sets of records; joins what is one paper unless the user or an identifier forbids it."""

    def __init__(
        self, rows: Sequence[dict[str, Any]], alone: Sequence[str], refused: Sequence[Decision]
    ) -> None:
        self._parent = list(range(len(rows)))
        self.reasons = [""] * len(rows)
        self._distinct = [_distinct_ids(row["ids"]) for row in rows]
        self._ids = [{name} for name in alone]
        self._apart: dict[str, set[str]] = defaultdict(set)
        for decision in refused:
            one, two = (form.surface for form in decision.forms)
            self._apart[one].add(two)
            self._apart[two].add(one)

    def root(self, index: int) -> int:
        """The record that stands for a set."""
        while self._parent[index] != index:
            self._parent[index] = self._parent[self._parent[index]]
            index = self._parent[index]
        return index

    def join(self, first: int, second: int, reason: str, *, sure: bool) -> None:
        """Make two sets one; what is only likely yields to identifiers that differ."""
        one, two = self.root(first), self.root(second)
        if one == two:
            return
        if self._apart and any(self._apart[name] & self._ids[two] for name in self._ids[one]):
            return
        if not sure and any(
            values and other and values.isdisjoint(other)
            for values, other in zip(self._distinct[one], self._distinct[two], strict=True)
        ):
            return
        self._parent[two] = one
        self.reasons[second] = self.reasons[second] or reason
        self._ids[one] |= self._ids[two]
        self._distinct[one] = tuple(
            values | other
            for values, other in zip(self._distinct[one], self._distinct[two], strict=True)
        )


def _distinct_ids(ids: dict[str, str]) -> tuple[frozenset[str], ...]:
    """Identifiers of which one paper has one: the publisher's DOI, the preprint's, PubMed's."""
    doi = ids["doi"]
    published = frozenset({doi}) if doi and not doi.startswith(_PREPRINTS) else frozenset()
    return (
        published,
        *(frozenset({ids[n]}) if ids[n] else frozenset() for n in ("arxiv", "pmid", "acl")),
    )


def _alone(row: dict[str, Any], folded: Folded) -> str:
    """The id of the paper that the record would be without others."""
    return paper_id(Identifiers(**row["ids"]), folded.title, folded.text)


def _keys(
    row: dict[str, Any], folded: Folded, alone: str, joined: Iterable[Decision]
) -> Iterable[tuple[str, str]]:
    for name in _SHARED:
        if row["ids"][name]:
            yield f"{name}:{row['ids'][name]}", f"the same {name} {row['ids'][name]}"
    if folded.text:
        yield f"text:{folded.title}\n{folded.text}", "the same title and abstract"
    elif not any(row["ids"][name] for name in _SHARED):
        yield f"title:{folded.title}", "the same title, neither with an abstract"
    for decision in joined:
        if alone in {form.surface for form in decision.forms}:
            yield f"decision:{decision.number}", f"decision {decision.number}"


def _paper(rows: list[dict[str, Any]], alone: list[str]) -> dict[str, Any]:
    """One paper of its records.

    Each field is that of the most complete record that has it (a title first, then most
    identifiers, then most fields); the abstract and the authors are the longest, the date the most
    exact, the venue the most frequent. What records say beside it stands in `differs`.
    """
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
        "keys": _all(row["ids"]["key"] for row in ordered),
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
