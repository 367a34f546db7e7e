"""References to papers: which paper each reference, in a bibliography or a text, means."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any, Final

import pyarrow as pa
from rapidfuzz import fuzz

from kg.model.identity import digest, fold, paper_id
from kg.model.record import Identifiers
from kg.resolve.paper_index import Known, PaperIndex, family_key
from kg.resolve.papers import PAPERS
from kg.resolve.records import REFERENCE
from kg.resolve.reference_strings import parse_reference

REFERENCES = pa.schema(
    [
        pa.field("paper", pa.string(), False),  # the citing one
        pa.field("origin", pa.string(), False),  # metadata, reference or inline
        *REFERENCE.fields,
        pa.field("kind", pa.string()),  # of an inline citation, as its extraction says
        pa.field("target", pa.string()),  # its key or number
        pa.field("start", pa.int64()),  # of an inline citation in the citing paper's text
        pa.field("end", pa.int64()),
    ]
)

RESOLVED = pa.schema(
    [
        pa.field("cited", pa.string()),  # a paper or a stub, null where nothing is meant for sure
        # resolved, stub, ambiguous, missing, self, or link: an address that is no paper's
        pa.field("status", pa.string(), False),
        pa.field("method", pa.string(), False),
        pa.field("score", pa.float64(), False),
        pa.field("candidates", pa.list_(pa.string())),  # of an ambiguous one
    ]
)

_SHARED: Final = tuple(f.name for f in fields(Identifiers) if f.name != "key")
_PIECE: Final = 8192
_TITLE_SURE: Final = 95.0
_TITLE_LIKELY: Final = 86.0
_LONG_TITLE: Final = 5  # words of a title that needs neither author nor year beside it
_STUB_TITLE: Final = 3  # words of a title that a missing paper is told by

Row = dict[str, Any]
Verdict = tuple[float, str]


@dataclass(frozen=True, slots=True)
class Citations:
    """Which paper each reference means, row by row, and the papers that no record describes.

    `stubs` has the columns of PAPERS and is sorted by id.
    """

    resolved: pa.Table
    stubs: pa.Table


def match_references(references: pa.Table, papers: pa.Table) -> Citations:
    """Find the paper of each reference.

    By its identifiers; else by its title, first author and year, which a printed line is taken
    apart for; else, where no title is printed, by first author, year and venue or, in running
    text, all the authors named. A missing paper of which enough is known becomes a stub, the
    same for all references to it.

    Args:
        references: columns of REFERENCES; a paper's own references in the order of its list.
        papers: columns of PAPERS.
    """
    matcher = _Matcher(PaperIndex(papers))
    lists = _Bibliographies()
    resolved: list[pa.Table] = []
    later: list[tuple[int, Row]] = []
    done = 0
    for piece in references.to_batches(_PIECE):
        rows = piece.to_pylist()
        found = [matcher.match(row) for row in rows]
        for number, (row, result) in enumerate(zip(rows, found, strict=True)):
            if row["origin"] != "inline":
                lists.add(row, result["cited"])
            elif row["kind"] == "numeric":
                later.append((done + number, row))
        resolved.append(pa.Table.from_pylist(found, RESOLVED))
        done += len(rows)
    table = pa.concat_tables([RESOLVED.empty_table(), *resolved])
    if later:
        # "[12]" is the twelfth line of the paper's own bibliography, wherever that stands.
        table = _replaced(table, {place: lists.numbered(row) for place, row in later})
    stubs = [matcher.stubs[key] for key in sorted(matcher.stubs)]
    return Citations(table, pa.Table.from_pylist(stubs, PAPERS))


def _replaced(table: pa.Table, rows: Mapping[int, Row]) -> pa.Table:
    held = table.to_pylist()
    for place, row in rows.items():
        held[place] = row
    return pa.Table.from_pylist(held, RESOLVED)


class _Bibliographies:
    """What the numbered lines of each paper's bibliography mean."""

    def __init__(self) -> None:
        self._cited: dict[str, list[str | None]] = {}

    def add(self, row: Row, cited: str | None) -> None:
        # What a service knows by identifiers alone keeps no order, but its place in a mixed list.
        printed = row["origin"] == "reference"
        self._cited.setdefault(row["paper"], []).append(cited if printed else None)

    def numbered(self, row: Row) -> Row:
        """The paper behind a number in a text, where the text's paper lists its references."""
        number = int(row["target"]) if row["target"].isdecimal() else 0
        listed = self._cited.get(row["paper"], [])
        if 0 < number <= len(listed) and listed[number - 1]:
            return _result(listed[number - 1], "resolved", "number in the bibliography", 0.9)
        return _result(None, "missing", "a number without a bibliography", 0.0)


class _Matcher:
    def __init__(self, index: PaperIndex) -> None:
        self._index = index
        self.stubs: dict[str, Row] = {}

    def match(self, row: Row) -> Row:
        """Judge one reference."""
        if row["kind"] == "url":
            return _result(None, "link", "an address, not a paper", 0.0)
        if row["kind"] == "numeric":
            return _result(None, "missing", "a number without a bibliography", 0.0)
        if row["kind"] == "key":
            return self._settle(row, self._by_key(row))
        ids = {name: row["ids"][name] for name in _SHARED if row["ids"] and row["ids"][name]}
        held = self._index.with_identifiers(ids)
        if held:
            return self._settle(row, {n: (1.0, f"the same {name}") for n, name in held.items()})
        parsed = _parsed(row)
        verdicts = self._by_title(parsed)
        if not verdicts and not parsed["title"]:
            verdicts = self._by_authors(parsed)
        if ids:
            # A paper that has another identifier of the same kind is another paper.
            verdicts = {}
        if verdicts:
            return self._settle(row, verdicts)
        return self._stub(parsed, Identifiers(**ids))

    def _settle(self, row: Row, verdicts: Mapping[int, Verdict]) -> Row:
        if not verdicts:
            return _result(None, "missing", "nothing known by that key", 0.0)
        best = max(score for score, _ in verdicts.values())
        tops = sorted(n for n, (score, _) in verdicts.items() if score >= best - 0.02)
        papers = [self._index.papers[n].id for n in tops]
        if len(set(papers)) > 1:
            return _result(None, "ambiguous", verdicts[tops[0]][1], best / len(tops), papers)
        if papers[0] == row["paper"]:
            return _result(None, "self", verdicts[tops[0]][1], best)
        return _result(papers[0], "resolved", verdicts[tops[0]][1], best)

    def _by_key(self, row: Row) -> dict[int, Verdict]:
        key = row["raw"].rpartition("{")[2].strip("}] @")
        return dict.fromkeys(self._index.with_key(key), (0.95, f"the citation key {key}"))

    def _by_title(self, row: Row) -> dict[int, Verdict]:
        title = fold(row["title"])
        line = fold(row["raw"]) if row["raw"] and row["origin"] != "inline" else ""
        numbers = set(self._index.with_title(title)) if title else set()
        if not numbers:
            numbers.update(self._index.in_line((line or title).split()))
        if not numbers and row["authors"] and row["year"] is not None:
            # "Histogram" is found by its author, as a person would.
            years = range(row["year"] - 1, row["year"] + 2)
            numbers.update(self._index.by_author(family_key(row["authors"][0]), years))
        verdicts = {}
        for number in numbers:
            verdict = _judge_title(self._index.papers[number], title, line, row)
            if verdict is not None:
                verdicts[number] = verdict
        return verdicts

    def _by_authors(self, row: Row) -> dict[int, Verdict]:
        """References without a title: Web of Science lines, and citations in running text."""
        families = [key for name in row["authors"] or () if (key := family_key(name))]
        year = row["year"]
        if not families or year is None:
            return {}
        exact = self._index.by_author(families[0], [year])
        inline = row["origin"] == "inline"
        numbers = exact or (
            self._index.by_author(families[0], [year - 1, year + 1]) if inline else []
        )
        verdicts = {}
        for number in numbers:
            paper = self._index.papers[number]
            if inline and tuple(families[1:]) != paper.families[1 : len(families)]:
                continue
            if not inline and not (row["venue"] and abbreviates(fold(row["venue"]), paper.venue)):
                continue
            score = (0.9 if len(families) > 1 else 0.75) if inline else 0.85
            if not exact:
                if len(families) == 1:
                    continue
                score -= 0.2
            what = "the authors and year" if inline else "the first author, year and venue"
            verdicts[number] = (score, what)
        return verdicts

    def _stub(self, row: Row, ids: Identifiers) -> Row:
        """A paper that nobody has a record of; one for all references that say the same."""
        stub = _stub(row, ids)
        if stub is None:
            return _result(None, "missing", "too little is known of it", 0.0)
        known = self.stubs.setdefault(stub["id"], stub)
        # Several references to one missing paper: the fullest describes it.
        self.stubs[stub["id"]] = min(known, stub, key=_emptiness)
        by = "its identifier" if any(getattr(ids, n) for n in _SHARED) else "what is printed"
        return _result(stub["id"], "stub", f"no record; known by {by}", 1.0 if "id" in by else 0.7)


def _judge_title(paper: Known, title: str, line: str, row: Row) -> Verdict | None:
    """How sure a paper is meant whose title is like the reference's; None when it is not."""
    words = paper.title.split()
    alike = fuzz.ratio(title, paper.title) if title else 0.0
    if line and alike < _TITLE_SURE and len(words) >= _STUB_TITLE:
        # Where the title ends in a printed line is a guess; that it stands there is not.
        inside = fuzz.partial_ratio(paper.title, line) if len(paper.title) <= len(line) else 0.0
        alike = max(alike, inside - 1.0)
    if alike < _TITLE_LIKELY:
        return None
    year = _years(paper.year, row["year"])
    author = _authors(paper, row, line)
    if year is False or author is False:
        return None
    if [w for w in words if w.isdigit()] != _digits_of(title, line, words):
        return None
    if len(words) < _STUB_TITLE and not (author and year and title == paper.title):
        return None
    if alike >= _TITLE_SURE and (author or year or len(words) >= _LONG_TITLE):
        agreeing = [n for n, a in (("first author", author), ("year", year)) if a]
        return 0.9 + 0.04 * len(agreeing), " and ".join(["title", *agreeing])
    if author and year:
        return 0.85, f"first author and year, the title {alike:.0f}% alike"
    return None


def _digits_of(title: str, line: str, words: list[str]) -> list[str]:
    """The numbers of the reference's title; of a printed line only those that the paper has."""
    if title and not line:
        return [w for w in title.split() if w.isdigit()]
    held = Counter(line.split())
    return [w for w in words if w.isdigit() and held[w]]


def _years(known: int | None, said: int | None) -> bool | None:
    # A preprint is cited by the year of its journal, and the other way round.
    return None if known is None or said is None else abs(known - said) <= 1


def _authors(paper: Known, row: Row, line: str) -> bool | None:
    if not paper.families:
        return None
    if row["authors"]:
        first = family_key(row["authors"][0])
        if first in paper.names or paper.families[0] in {family_key(a) for a in row["authors"]}:
            return True
        # Names may be misread in a printed line, but then they stand in it.
        return bool(line) and paper.families[0] in line.split()
    return paper.families[0] in line.split() if line else None


def abbreviates(short: str, long: str) -> bool:
    """Whether a folded venue may be the abbreviation of another, whichever is the longer.

    >>> abbreviates("j mach learn res", "journal of machine learning research")
    True
    """
    one, two = sorted((short.split(), long.split()), key=len)
    if not one:
        return False
    rest = iter(two)
    return all(any(_shortens(part, word) or _shortens(word, part) for word in rest) for part in one)


def _shortens(part: str, word: str) -> bool:
    """Whether a word is cut or contracted to a part: journal to j, national to natl."""
    letters = iter(word)
    return part[:1] == word[:1] and all(letter in letters for letter in part)


def _parsed(row: Row) -> Row:
    """Fill what a printed line says and its fields do not."""
    if not row["raw"] or row["origin"] == "inline" or row["title"]:
        return row
    found = parse_reference(row["raw"])
    return {
        **row,
        "title": found.title,
        "authors": row["authors"] or list(found.authors),
        "year": row["year"] or found.year,
        "venue": row["venue"] or found.venue,
        "volume": row["volume"] or found.volume,
        "page": row["page"] or found.page,
    }


def _stub(row: Row, ids: Identifiers) -> Row | None:
    title = row["title"] or ""
    named = [name for name in _SHARED if getattr(ids, name)]
    if named:
        own = paper_id(ids, title, "")
    elif key := _stub_key(row):
        own = f"hash:{digest('reference', key)}"
    else:
        return None
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


def _stub_key(row: Row) -> str:
    """What tells a missing paper from others; empty where too little is known."""
    title = fold(row["title"] or "")
    if title.count(" ") + 1 >= _STUB_TITLE:
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


def _result(
    cited: str | None, status: str, method: str, score: float, candidates: list[str] | None = None
) -> Row:
    return {
        "cited": cited,
        "status": status,
        "method": method,
        "score": score,
        "candidates": candidates or [],
    }
