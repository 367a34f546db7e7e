"""Which paper a reference means; what is not known becomes one stub, never a wrong edge."""

from dataclasses import asdict
from typing import Any

import pyarrow as pa
import pytest

from kg.model.identity import paper_id
from kg.model.record import Identifiers, Person, Record, Reference
from kg.resolve.citations import REFERENCES, match_references
from kg.resolve.paper_fields import SHARED
from kg.resolve.papers import match_records
from kg.resolve.records import records_table
from kg.resolve.reference_titles import abbreviates

PAPERS = (
    Record(
        title="Random walks on sparse graphs",
        authors=(Person("Pearson", "Karl"), Person("Noether", "Emmy")),
        year=1905,
        venue="Journal of Graph Research",
        ids=Identifiers(doi="10.1000/walks", key="pearson1905"),
    ),
    Record(
        title="Random walks on dense graphs",
        authors=(Person("Pearson", "Karl"),),
        year=1906,
        venue="Nature",
        ids=Identifiers(doi="10.1000/dense"),
    ),
    Record(
        title="Walking",
        authors=(Person("van der Berg", "Jan"),),
        year=1999,
        venue="Steps",
        ids=Identifiers(doi="10.1000/walking"),
    ),
)


def match(*references: Reference, inline: tuple[dict[str, Any], ...] = ()) -> list[dict[str, Any]]:
    """What each reference of one paper means, then what the citations in its text mean."""
    common = {"paper": "citing", "kind": "", "target": ""}
    rows: list[dict[str, Any]] = [
        {**common, "origin": "reference" if r.raw else "metadata", **asdict(r)} for r in references
    ]
    rows = [
        {**common, "origin": "inline", **asdict(Reference()), "start": 3, "end": 9, **row}
        for row in inline
    ] + rows
    papers = match_records(records_table(PAPERS)).papers
    return list(
        match_references(pa.Table.from_pylist(rows, REFERENCES), papers).resolved.to_pylist()
    )


def reference_row(reference: Reference, paper: str = "citing") -> dict[str, Any]:
    """A line of a paper's bibliography, as a row of REFERENCES."""
    origin = "reference" if reference.raw else "metadata"
    return {"paper": paper, "origin": origin, "kind": "", "target": "", **asdict(reference)}


PRINTED = {
    "[3] K. Pearson, E. Noether. Random walks on sparse graphs. In J. Graph Res., 1905.": "walks",
    "Pearson, K., & Noether, E. (1905). Random walks on sparse graphs. Graphs, 3, 1-9.": "walks",
    "Pearson K, Noether E. Random walks on spare graphs. J Graph Res. 1905;3:1-9.": "walks",
    "PEARSON K, 1905, J GRAPH RES, V3, P1": "walks",
    "Pearson K., Random walks on dense graphs, Nature, 72, pp. 294, (1906)": "dense",
    "https://doi.org/10.1000/DENSE": "dense",
    "J. van der Berg, “Walking,” Steps, 1999.": "walking",
}


@pytest.mark.parametrize("line", PRINTED)
def test_printed_lines_of_every_style_find_their_paper(line: str) -> None:
    """Most bibliographies hold no identifiers."""
    from kg.sources.identifiers import find

    (found,) = match(Reference(raw=line, ids=find(line)[0]))
    assert (found["status"], found["cited"]) == ("resolved", f"doi:10.1000/{PRINTED[line]}")
    assert 0.75 <= found["score"] <= 1


@pytest.mark.parametrize(
    "reference",
    [
        Reference(title="Random walks on sparse graphs", authors=("Galton",), year=1905),
        Reference(title="Random walks on sparse graphs", authors=("Pearson",), year=1950),
        Reference(title="Random walks on sparse graphs 2", authors=("Pearson",), year=1905),
        Reference(title="Walking", year=1999),
        Reference(ids=Identifiers(doi="10.1000/unknown"), title="Random walks on sparse graphs"),
    ],
)
def test_what_contradicts_is_another_paper(reference: Reference) -> None:
    """A wrong citation is worse than a missing one."""
    (found,) = match(reference)
    assert found["status"] in ("stub", "missing")


def test_two_that_fit_are_ambiguous_and_named() -> None:
    """The user can choose; nothing is guessed."""
    twin = Record(title="Other", authors=(Person("Noether", "Emmy"),), year=1918)
    papers = match_records(
        records_table([twin, Record(title="Another", authors=twin.authors, year=1918)])
    ).papers
    row = {
        **asdict(Reference(raw="(Noether, 1918)", authors=("Noether",), year=1918)),
        "paper": "citing",
        "origin": "inline",
        "kind": "author_year",
        "target": "",
    }
    (found,) = match_references(
        pa.Table.from_pylist([row], REFERENCES), papers
    ).resolved.to_pylist()
    assert (found["status"], found["cited"]) == ("ambiguous", None)
    assert sorted(found["candidates"]) == sorted(papers["id"].to_pylist())


def test_citations_in_text_by_authors_keys_and_numbers() -> None:
    """A number means a line of the paper's own bibliography, wherever that stands."""
    authors, key, number, beyond, link, *_ = match(
        Reference(raw="J. van der Berg, 1999", ids=Identifiers(doi="10.1000/walking")),
        inline=(
            {"kind": "author_year", "authors": ["Pearson", "Noether"], "year": 1905},
            {"kind": "key", "raw": r"\cite{pearson1905}", "target": "pearson1905"},
            {"kind": "numeric", "raw": "[1]", "target": "1"},
            {"kind": "numeric", "raw": "[2]", "target": "2"},
            {"kind": "url", "raw": "https://example.org", "target": "https://example.org"},
        ),
    )
    assert (authors["cited"], authors["status"]) == ("doi:10.1000/walks", "resolved")
    assert (key["cited"], key["status"]) == ("doi:10.1000/walks", "resolved")
    assert (number["cited"], number["status"]) == ("doi:10.1000/walking", "resolved")
    assert (beyond["cited"], beyond["status"]) == (None, "missing")
    assert link["status"] == "link"


def test_a_number_means_no_line_of_a_list_without_an_order() -> None:
    """A service lists the papers that it knows, in an order of its own."""
    known, number = match(
        Reference(ids=Identifiers(doi="10.1000/walks")),
        inline=({"kind": "numeric", "raw": "[1]", "target": "1"},),
    )[::-1]
    assert (known["cited"], known["status"]) == ("doi:10.1000/walks", "resolved")
    assert (number["cited"], number["status"]) == (None, "missing")


def test_a_number_means_whatever_became_of_its_line() -> None:
    """A line that nobody has a record of is no more resolved by a number."""
    number, other, stub, odd = match(
        Reference(raw="A. Bee. A paper nobody has. Lost Journal, 2000."),
        Reference(raw="ibid."),
        inline=(
            {"kind": "numeric", "raw": "[1, 2]", "target": "1"},
            {"kind": "numeric", "raw": "[1, 2]", "target": "2"},
        ),
    )
    assert (number["status"], number["cited"]) == ("stub", stub["cited"])
    assert number["score"] < stub["score"]
    assert (other["status"], other["cited"]) == ("missing", None)
    assert odd["status"] == "missing"


ARXIV = Record(
    title="A theory of damp cellars",
    authors=(Person("Pearson", "Karl"),),
    year=1907,
    ids=Identifiers(arxiv="0701.00001"),
)


@pytest.mark.parametrize(
    ("ids", "cited"),
    [
        (Identifiers(doi="10.1000/wet"), "arxiv:0701.00001"),
        (Identifiers(arxiv="0702.00002"), "arxiv:0702.00002"),
        (Identifiers(doi="10.1000/wet", arxiv="0702.00002"), "doi:10.1000/wet"),
    ],
)
def test_a_paper_is_found_by_its_title_where_it_lacks_the_identifier(
    ids: Identifiers, cited: str
) -> None:
    """A publisher's list gives the DOI of a paper that a library has from arXiv."""
    papers = match_records(records_table([*PAPERS, ARXIV])).papers
    reference = Reference(ids=ids, title=ARXIV.title, authors=("Pearson",), year=1907)
    rows = pa.Table.from_pylist([reference_row(reference)], REFERENCES)
    assert match_references(rows, papers).resolved["cited"].to_pylist() == [cited]


def test_a_stub_that_becomes_whole_keeps_its_id_as_an_alias() -> None:
    """Links to the stub still lead to the paper when its record has come."""
    reference = Reference(raw="K. Pearson. A theory of damp cellars. Damp Journal, 1907.")
    rows = pa.Table.from_pylist([reference_row(reference)], REFERENCES)
    without = match_references(rows, match_records(records_table(PAPERS)).papers)
    (stub,) = without.stubs["id"].to_pylist()
    assert without.aliases == {}

    whole = match_references(rows, match_records(records_table([*PAPERS, ARXIV])).papers)
    assert (whole.stubs.num_rows, whole.aliases) == (0, {"arxiv:0701.00001": [stub]})

    # Somebody else means another paper of that title, which is a stub still.
    later = Reference(raw="K. Pearson. A theory of damp cellars. Damp Journal, 1927.")
    both = pa.Table.from_pylist([reference_row(reference), reference_row(later)], REFERENCES)
    found = match_references(both, match_records(records_table([*PAPERS, ARXIV])).papers)
    assert (found.stubs["id"].to_pylist(), found.aliases) == ([stub], {})


def test_missing_papers_become_one_stub_each() -> None:
    """Co-citation works before the record arrives."""
    one, two, other = match(
        Reference(title="A paper nobody has", authors=("Bee",), year=2000),
        Reference(raw="A. Bee. A paper nobody has. Lost Journal, 2000."),
        Reference(title="Another paper nobody has"),
    )
    assert one["status"] == two["status"] == other["status"] == "stub"
    assert one["cited"] == two["cited"] != other["cited"]


def test_too_little_is_said_to_be_too_little() -> None:
    """Neither an edge nor silence."""
    (found,) = match(Reference(raw="ibid."))
    assert (found["status"], found["cited"]) == ("missing", None)


@pytest.mark.parametrize(
    ("short", "long", "expected"),
    [
        ("nature", "nature", True),
        ("proc natl acad sci", "proceedings of the national academy of sciences", True),
        ("science", "nature", False),
        ("", "nature", False),
    ],
)
def test_venues_are_abbreviated_word_by_word(short: str, long: str, expected: bool) -> None:
    """Web of Science writes J MACH LEARN RES."""
    assert abbreviates(short, long) is expected


@pytest.mark.parametrize("name", SHARED)
def test_an_identifier_alone_tells_a_paper(name: str) -> None:
    """Services list what a paper cites by their own identifiers, and nothing else."""
    ids = Identifiers(**{name: "7"})
    (found,) = match(Reference(ids=ids))
    assert (found["cited"], found["status"], found["score"]) == (paper_id(ids, "", ""), "stub", 1.0)
    papers = match_records(records_table([Record(title="Known", ids=ids)])).papers
    rows = [reference_row(Reference(ids=ids)), reference_row(Reference(ids=ids), found["cited"])]
    resolved = match_references(pa.Table.from_pylist(rows, REFERENCES), papers).resolved
    assert resolved["status"].to_pylist() == ["resolved", "self"]
    assert resolved["cited"].to_pylist() == [found["cited"], None]
    assert resolved["method"].to_pylist() == [f"the same {name}"] * 2


def test_the_fullest_of_all_references_describes_a_missing_paper(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In whatever order they come, and however many are looked at together."""
    ids = Identifiers(doi="10.1000/lost")
    full = Reference(ids=ids, title="A paper nobody has", authors=("Bee",), year=2000)
    references = [
        Reference(ids=ids),
        Reference(ids=ids, year=2000),
        full,
        Reference(ids=ids, title="A paper nobody has", authors=("Bee",)),
        Reference(ids=Identifiers(openalex="W7")),
        Reference(ids=Identifiers(doi="10.1000/walks", arxiv="0001.00001")),
        Reference(ids=Identifiers(doi="10.1000/walks", acl="W00-0001")),
    ]
    papers = match_records(records_table(PAPERS)).papers
    expected = None
    for size in (1, 2, 100):
        for module in ("citations._PIECE", "citations._ROWS", "stubs.PIECE"):
            monkeypatch.setattr(f"kg.resolve.{module}", size)
        for turn in range(len(references)):
            rows = [reference_row(each) for each in (*references[turn:], *references[:turn])]
            stubs = match_references(pa.Table.from_pylist(rows, REFERENCES), papers).stubs
            assert stubs["id"].to_pylist() == ["doi:10.1000/lost", "openalex:W7"]
            assert stubs["title"].to_pylist() == [full.title, None]
            assert stubs["year"].to_pylist() == [full.year, None]
            expected = expected or stubs
            assert stubs.equals(expected)


def test_identifiers_of_two_papers_are_ambiguous() -> None:
    """One of them is wrong, and nobody knows which."""
    (found,) = match(Reference(ids=Identifiers(doi="10.1000/walks", key="x", arxiv="1801.00001")))
    assert found["status"] == "resolved"
    other = Record(title="Another", ids=Identifiers(arxiv="1801.00001"))
    papers = match_records(records_table([*PAPERS, other])).papers
    row = reference_row(Reference(ids=Identifiers(doi="10.1000/walks", arxiv="1801.00001")))
    (found,) = match_references(
        pa.Table.from_pylist([row], REFERENCES), papers
    ).resolved.to_pylist()
    assert (found["status"], found["candidates"]) == (
        "ambiguous",
        ["arxiv:1801.00001", "doi:10.1000/walks"],
    )
