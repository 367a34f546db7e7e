"""Which records are of one paper, and which are not, however alike they look."""

import itertools
from dataclasses import replace

import numpy as np
import pytest

from kg.model.decision import Decision, DecisionKind, Form
from kg.model.record import Identifiers, Person, Record, Reference
from kg.model.schema import NodeLabel
from kg.resolve.paper_fields import joint_paper
from kg.resolve.papers import match_records
from kg.resolve.records import records_table

ABSTRACT = (
    "We study how random walks on sparse graphs forget where they began. We prove that the time"
    " grows with the logarithm of the number of nodes when degrees are bounded. Experiments with"
    " twelve networks agree with the bound up to a constant of two."
)
WALKS = Record(
    title="Random walks on sparse graphs",
    text=ABSTRACT,
    authors=(Person("Pearson", "Karl"),),
    year=2019,
    ids=Identifiers(doi="10.1000/walks"),
)


def groups(*records: Record, decisions: tuple[Decision, ...] = ()) -> list[int]:
    """The number of the paper of each record, counted from 0 in order of appearance."""
    papers = match_records(records_table(records), decisions).records["paper"].to_pylist()
    seen = list(dict.fromkeys(papers))
    return [seen.index(paper) for paper in papers]


PREPRINT = replace(WALKS, ids=Identifiers(arxiv="1801.00001"), year=2018)
SAME = {
    "the resolver's address and the bare DOI are one": replace(WALKS, title="Other", text=""),
    "the preprint came a year earlier": PREPRINT,
    "the title differs in case and punctuation": replace(
        WALKS, title="RANDOM WALKS, on sparse graphs.", ids=Identifiers(), text=""
    ),
    "given and family names change places": replace(
        WALKS, authors=(Person("Karl", "Pearson"),), ids=Identifiers(pmid="7")
    ),
    "a listing has the abstract alone": Record(text=ABSTRACT),
    "the title was changed on publication": replace(
        PREPRINT, title="How walks on sparse graphs forget", year=2017
    ),
    "a letter is wrong in the title": replace(
        WALKS, title="Random walks on sparse grahps", ids=Identifiers(), text=""
    ),
}
OTHER = {
    "two publishers' DOIs": replace(WALKS, ids=Identifiers(doi="10.1000/other")),
    "an erratum": replace(
        WALKS, title="Erratum: Random walks on sparse graphs", ids=Identifiers(), text=""
    ),
    "a reply": replace(
        WALKS,
        title="Reply to: Random walks on sparse graphs",
        ids=Identifiers(),
        authors=(Person("Bee", "Ann"),),
    ),
    "another first author": replace(
        WALKS, authors=(Person("Bee", "Ann"),), ids=Identifiers(), text=""
    ),
    "four years later": replace(WALKS, year=2023, ids=Identifiers(), text=""),
    "another arXiv id beside the same title": replace(
        PREPRINT, ids=Identifiers(arxiv="1901.00009")
    ),
}


@pytest.mark.parametrize("case", SAME)
def test_one_paper_of_two_records(case: str) -> None:
    """The same paper from several sources is one node."""
    assert groups(WALKS, SAME[case]) == [0, 0]


@pytest.mark.parametrize("case", OTHER)
def test_two_papers_stay_apart(case: str) -> None:
    """A wrong merge loses a paper."""
    first = PREPRINT if "arXiv" in case else WALKS
    assert groups(first, OTHER[case]) == [0, 1]


def test_parts_of_a_series_stay_apart() -> None:
    """They share their authors, year and most of their title and abstract."""
    one = replace(WALKS, title="Walks on graphs and their uses, part I", ids=Identifiers())
    assert groups(one, replace(one, title="Walks on graphs and their uses, part II")) == [0, 1]


def test_generic_titles_name_many_papers() -> None:
    """Every volume has an introduction by its editor."""
    one = Record(title="Introduction", authors=(Person("Bee", "Ann"),), year=2019)
    assert groups(replace(one, venue="A", ids=Identifiers(doi="10.1000/1")), one) == [0, 1]


def test_likely_is_not_transitive_over_identifiers() -> None:
    """A record without identifiers must not weld two papers that have different ones."""
    bare = replace(WALKS, ids=Identifiers())
    other = replace(WALKS, ids=Identifiers(doi="10.1000/other"))
    for order in itertools.permutations((WALKS, bare, other)):
        papers = match_records(records_table(order)).papers
        assert papers.num_rows == 2
        assert sorted(papers["doi"].to_pylist()) == ["10.1000/other", "10.1000/walks"]


def test_the_order_of_records_changes_nothing() -> None:
    """The same input in another order gives the same papers."""
    records = (WALKS, *SAME.values(), *OTHER.values())
    papers = match_records(records_table(records)).papers
    for seed in range(5):
        turned = (*records[seed + 1 :], *records[: seed + 1])
        assert match_records(records_table(turned)).papers.equals(papers)


APART = (
    Record(title="Ünïcode? Yes", ids=Identifiers(key="b", pmid="9"), isbns=("9", "1", "")),
    Record(text="One sentence. Another.", file="a.txt", line=12, urls=("https://b", "https://a")),
    Record(
        title="On something else entirely",
        text="Other words.",
        authors=(Person("Bee", "Ann"),),
        ids=Identifiers(doi="10.1000/else", arxiv="1901.00009"),
        arxiv_version="v2",
        year=2019,
        date="2019-05",
        venue="Steps",
        language="en",
        references=(Reference(raw="ibid."), Reference(ids=Identifiers(doi="10.1/x"))),
        topics=("walks", "graphs", "walks"),
        file="b.bib",
        ordinal=5,
    ),
)


@pytest.mark.parametrize("record", APART)
def test_a_paper_of_one_record_is_made_as_one_of_several(record: Record) -> None:
    """Most papers have one record, and a shorter way."""
    table = records_table([record])
    (own,) = match_records(table).papers.to_pylist()
    twice = joint_paper(table.to_pylist() * 2, [own["id"], *own["aliases"]])
    assert own == twice | {"references": own["references"]}
    assert twice["references"] == own["references"] * 2


def test_the_size_of_pieces_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Records are looked at some at a time; which ones come together must not show."""
    table = records_table([*SAME.values(), *APART, WALKS, *OTHER.values()])
    whole = match_records(table)
    assert whole.papers.num_rows > len(APART) + 1
    for size in (1, 2, 5):
        for module in ("papers.PIECE", "compared_records.PIECE", "paper_similarity.COMPARED"):
            monkeypatch.setattr(f"kg.resolve.{module}", size)
        pieces = match_records(table)
        assert pieces.papers.equals(whole.papers)
        assert pieces.records.equals(whole.records)


def test_an_order_may_be_asked_for() -> None:
    """The answer is as if the records had come so."""
    table = records_table([*SAME.values(), *APART, WALKS])
    order = np.random.default_rng(3).permutation(table.num_rows)
    asked, taken = match_records(table, order=order), match_records(table.take(order))
    assert asked.records.equals(taken.records)
    assert asked.papers.equals(taken.papers)


def test_the_user_has_the_last_word() -> None:
    """A refusal parts what shares a title; a join welds what shares nothing."""
    bare = replace(WALKS, ids=Identifiers(pmid="7"))
    forms = Form(NodeLabel.PAPER, "doi:10.1000/walks"), Form(NodeLabel.PAPER, "pmid:7")
    refuse = Decision(1, DecisionKind.REFUSE, *forms)
    assert groups(WALKS, bare) == [0, 0]
    assert groups(WALKS, bare, decisions=(refuse,)) == [0, 1]

    far = replace(WALKS, title="Nothing alike", text="", year=1950, ids=Identifiers(pmid="7"))
    assert groups(WALKS, far) == [0, 1]
    assert groups(WALKS, far, decisions=(Decision(1, DecisionKind.JOIN, *forms),)) == [0, 0]


def test_a_merged_paper_has_both_identifiers_and_says_why() -> None:
    """The reason stands at each record after the first."""
    matched = match_records(records_table((WALKS, PREPRINT)))
    (paper,) = matched.papers.to_pylist()
    assert (paper["id"], paper["doi"], paper["arxiv"]) == (
        "doi:10.1000/walks",
        "10.1000/walks",
        "1801.00001",
    )
    assert paper["aliases"] == ["arxiv:1801.00001"]
    assert sorted(matched.records["reason"].to_pylist()) in (
        ["", "the same title and abstract"],
        ["", "the same title, first author and year within one"],
    )


def test_what_records_say_beside_what_was_kept_is_listed() -> None:
    """The user sees which source is wrong; spelling alone is no disagreement."""
    other = replace(
        WALKS, title="RANDOM WALKS on sparse graphs", year=2018, venue="J. Walks", ids=Identifiers()
    )
    matched = match_records(records_table((replace(WALKS, venue="J. Walks"), other)))
    assert matched.papers["year"].to_pylist() == [2019]
    assert matched.records["differs"].to_pylist() == [[], ["year: 2018; kept is 2019"]]
