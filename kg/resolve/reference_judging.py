"""Which paper a reference means, judged one by one."""

from collections.abc import Mapping
from typing import Final

from kg.model.identity import fold
from kg.model.record import Identifiers
from kg.resolve.paper_fields import SHARED
from kg.resolve.paper_index import PaperIndex, family_key
from kg.resolve.record_union import is_preprint
from kg.resolve.reference_strings import parse_reference
from kg.resolve.reference_titles import Row, Verdict, abbreviates, judge_title
from kg.resolve.stubs import Stubs, stub_id, stub_of


class Judge:
    """Finds the papers that references may mean, and says which one they do."""

    def __init__(self, index: PaperIndex, stubs: Stubs) -> None:
        self._index = index
        self._stubs = stubs

    def judge(self, row: Row) -> Row:
        """Judge one reference: columns of REFERENCES to columns of RESOLVED."""
        if row["kind"] == "url":
            return result(None, "link", "an address, not a paper", 0.0)
        if row["kind"] == "numeric":
            return result(None, "missing", NO_LIST, 0.0)
        if row["kind"] == "key":
            return self._settle(row, self._by_key(row))
        ids = {name: row["ids"][name] for name in SHARED if row["ids"] and row["ids"][name]}
        held = self._index.with_identifiers(ids)
        if held:
            return self._settle(row, {n: (1.0, f"the same {name}") for n, name in held.items()})
        parsed, known = _parsed(row), Identifiers(**ids)
        if ids:
            verdicts = self._without(ids, parsed)
            verdicts = (
                verdicts if len(verdicts) == 1 else {}
            )  # its identifier is surer than a guess
        else:
            verdicts = self._by_title(parsed)
            if not verdicts and not parsed["title"]:
                verdicts = self._by_authors(parsed)
        if not verdicts:
            return self._stub(parsed, known)
        found = self._settle(row, verdicts)
        if found["status"] == "resolved":
            self._stubs.add_alias(found["cited"], stub_id(parsed, known))
        return found

    def _without(self, ids: Mapping[str, str], row: Row) -> dict[int, Verdict]:
        """Papers of exactly the title that have no identifiers of these kinds: not other ones."""
        title = fold(row["title"])
        found = {}
        for number in self._index.with_title(title) if title else ():
            if not any(_differ(ids, each) for each in self._index.identifiers(number)):
                verdict = judge_title(self._index.known(number), title, "", row)
                if verdict is not None:
                    found[number] = verdict
        return found

    def _settle(self, row: Row, verdicts: Mapping[int, Verdict]) -> Row:
        if not verdicts:
            return result(None, "missing", "nothing known by that key", 0.0)
        best = max(score for score, _ in verdicts.values())
        tops = sorted(n for n, (score, _) in verdicts.items() if score >= best - 0.02)
        papers = [self._index.known(n).id for n in tops]
        if len(set(papers)) > 1:
            return result(None, "ambiguous", verdicts[tops[0]][1], best / len(tops), papers)
        if papers[0] == row["paper"]:
            return result(None, "self", verdicts[tops[0]][1], best)
        return result(papers[0], "resolved", verdicts[tops[0]][1], best)

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
            verdict = judge_title(self._index.known(number), title, line, row)
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
            paper = self._index.known(number)
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
        stub = stub_of(row, ids)
        if stub is None:
            return result(None, "missing", "too little is known of it", 0.0)
        self._stubs.add(stub)
        if any(getattr(ids, name) for name in SHARED):
            return result(stub["id"], "stub", BY_IDENTIFIER, 1.0)
        return result(stub["id"], "stub", "no record; known by what is printed", 0.7)


def _differ(ids: Mapping[str, str], held: str) -> bool:
    """Whether a paper holds another identifier where it has one; a preprint has its own DOI."""
    name, _, value = held.partition(":")
    said = ids.get(name, "")
    return bool(said) and not (name == "doi" and (is_preprint(said) or is_preprint(value)))


NO_LIST: Final = "a number without a bibliography"
BY_IDENTIFIER: Final = "no record; known by its identifier"


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


def result(
    cited: str | None, status: str, method: str, score: float, candidates: list[str] | None = None
) -> Row:
    """Return columns of RESOLVED."""
    return {
        "cited": cited,
        "status": status,
        "method": method,
        "score": score,
        "candidates": candidates or [],
    }
