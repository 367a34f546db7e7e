"""Which records are of one paper, and which are not, however alike they look."""

import itertools
from dataclasses import replace
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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
    "a letter is missing in its longest word": replace(
        WALKS, title="Randm walks on sparse graphs", ids=Identifiers(), text=""
    ),
    "a space is missing": replace(
        WALKS, title="Random walks onsparse graphs", ids=Identifiers(), text=""
    ),
    "an article is too much": replace(
        WALKS, title="The random walks on sparse graphs", ids=Identifiers(), text=""
    ),
    "a letter is missing in its shortest word": replace(
        WALKS, title="Random walks n sparse graphs", ids=Identifiers(), text=""
    ),
    "the title is cut in a word": replace(
        WALKS, title="Random walks on spar...", ids=Identifiers(), text=""
    ),
    "the title has lost its first half": replace(
        WALKS, title="Forgetting: Random walks on sparse graphs", ids=Identifiers(), text=""
    ),
    "a namesake's number and an initial": replace(
        WALKS, authors=(Person(name="K. Pearson 0001"),), ids=Identifiers(), text=""
    ),
    "the preprint had another title and abstract": replace(
        PREPRINT,
        title="Forgetful walkers",
        text=ABSTRACT.replace("twelve", "nine").replace("We study how", "How")[:210],
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
    "a sister paper on another thing": replace(
        WALKS,
        title="Random walks on dense trees",
        text=ABSTRACT.replace("sparse graphs forget where they", "dense trees recall how all")
        .replace("logarithm of the number of nodes when degrees", "root of the count of leaves if")
        .replace("up to a constant", "but for some factor"),
        ids=Identifiers(),
    ),
    "another thing in the title": replace(
        WALKS, title="Random walks on sparse trees", ids=Identifiers(), text=""
    ),
    "a prefix that turns it round": replace(
        WALKS, title="Random walks on asparse graphs", ids=Identifiers(), text=""
    ),
    "a letter that makes another word": replace(
        WALKS, title="Random walks on sparse grapes", ids=Identifiers(), text=""
    ),
    "a part with another letter": replace(
        WALKS, title="Random walks on sparse graphs, part B", ids=Identifiers(), text=""
    ),
    "a title that begins alike": replace(
        WALKS, title="Random walks on sparse graphs and matroids", ids=Identifiers(), text=""
    ),
    "a subtitle with a number": replace(
        WALKS, title="Random walks on sparse graphs: Part 2", ids=Identifiers(), text=""
    ),
    "a title one letter off with another abstract": replace(
        WALKS, title="Random walks on sparse graph", ids=Identifiers(), text="Nothing of it. " * 20
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
    if "part" in case:
        first = replace(WALKS, title=f"{WALKS.title}, part A")
    assert groups(first, OTHER[case]) == [0, 1]


def test_parts_of_a_series_stay_apart() -> None:
    """They share their authors, year and most of their title and abstract."""
    one = replace(WALKS, title="Walks on graphs and their uses, part I", ids=Identifiers())
    assert groups(one, replace(one, title="Walks on graphs and their uses, part II")) == [0, 1]


def test_generic_titles_name_many_papers() -> None:
    """Every volume has an introduction by its editor."""
    one = Record(title="Introduction", authors=(Person("Bee", "Ann"),), year=2019)
    assert groups(replace(one, venue="A", ids=Identifiers(doi="10.1000/1")), one) == [0, 1]


def test_a_title_alone_does_not_make_two_papers_one() -> None:
    """A column that returns every few years, as a bibliography typed by hand lists it."""
    one = Record(title="Using the canvas", authors=(Person("Bee", "Ann"),), year=2003, file="a")
    later = replace(one, year=2012, file="b")
    other = replace(one, authors=(Person("Cod", "Ian"),), file="c")
    remark = replace(later, text="No abstract available.", file="d")
    again = replace(remark, year=2019, file="e")
    assert groups(one, later, other, replace(one, file="f"), remark, again) == [0, 1, 2, 0, 1, 3]


def test_a_family_name_may_be_a_letter_or_unknown() -> None:
    """What is left of "Arbelaez R" is R; twins must find each other all the same."""
    one = replace(WALKS, ids=Identifiers(), authors=(Person("R", "Carolina Arbeláez"),), text="")
    assert groups(one, replace(one, file="b", year=2020)) == [0, 0]
    chinese = replace(one, authors=(Person("李", "明"),))
    assert groups(chinese, replace(chinese, file="b", year=2020)) == [0, 0]


def test_likely_is_not_transitive_over_identifiers() -> None:
    """A record without identifiers must not weld two papers that have different ones."""
    bare = replace(WALKS, ids=Identifiers())
    other = replace(WALKS, ids=Identifiers(doi="10.1000/other"))
    for order in itertools.permutations((WALKS, bare, other)):
        papers = match_records(records_table(order)).papers
        assert papers.num_rows == 2
        assert sorted(papers["doi"].to_pylist()) == ["10.1000/other", "10.1000/walks"]


def test_likely_is_not_transitive_over_years() -> None:
    """An entry that lacks its year must not weld a paper and its sequel of ten years later."""
    first, bare = replace(WALKS, text="", ids=Identifiers()), replace(WALKS, year=None, text="")
    later = replace(first, year=2029)
    for order in itertools.permutations((first, replace(bare, ids=Identifiers()), later)):
        papers = match_records(records_table(order)).papers
        assert papers.num_rows == 2
        assert papers["year"].to_pylist() in ([2019, 2029], [2029, 2019])


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
    twice = joint_paper(table.to_pylist() * 2, [own["id"], *own["aliases"]], [own["id"]] * 2)
    assert own == twice | {"references": own["references"]}
    assert twice["references"] == own["references"] * 2


_RECORDS = st.builds(
    Record,
    title=st.sampled_from(("", "Walks", "Walks", "Walks on very sparse graphs", "ΑΒ ﬁ İ")),
    text=st.sampled_from(("", "", "Short.", ABSTRACT, f"{ABSTRACT} More of it.")),
    authors=st.sampled_from(((), (Person("Bee", "Ann"),), (Person("Ann", "Bee"), Person("Z", "")))),
    year=st.sampled_from((None, 2019, 2020, 2024)),
    ids=st.builds(
        Identifiers,
        doi=st.sampled_from(("", "", "", "10.1/a", "10.1/b")),
        arxiv=st.sampled_from(("", "", "", "1801.00001")),
        pmid=st.sampled_from(("", "", "", "7", "8")),
        key=st.sampled_from(("", "bee2019")),
    ),
    file=st.sampled_from(("a", "b")),
    ordinal=st.integers(1, 3),
)


@settings(max_examples=150, deadline=None)
@given(st.lists(_RECORDS, max_size=9), st.randoms(use_true_random=False), st.integers(0, 40))
def test_whatever_records_say_the_papers_have_ids_of_their_own(
    records: list[Record], random: Random, seed: int
) -> None:
    """Two nodes with one id would be one in every store, and the count would not close."""
    matched = match_records(records_table(records))
    ids = matched.papers["id"].to_pylist()
    assert len(set(ids)) == len(ids)
    assert sorted(set(matched.records["paper"].to_pylist())) == ids

    one, two = (ids[seed % len(ids)], ids[seed // 7 % len(ids)]) if ids else ("", "")
    refused: tuple[Decision, ...] = ()
    if one != two:
        forms = Form(NodeLabel.PAPER, one), Form(NodeLabel.PAPER, two)
        kind = (DecisionKind.JOIN, DecisionKind.REFUSE)[seed % 2]
        refused = (Decision(1, kind, *forms),)
    table = match_records(records_table(records), refused).papers
    assert len(set(table["id"].to_pylist())) == table.num_rows
    random.shuffle(records)
    assert match_records(records_table(records), refused).papers.equals(table)


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
