"""Each service's JSON gives the record that its fields say."""

import io
import json
from typing import Any

import pytest

from kg.model.record import Identifiers, Person, Record, Reference, Rejected
from kg.sources import json_services
from kg.sources.openalex import inverted_index
from kg.sources.reader import registered

OPENALEX = {
    "id": "https://openalex.org/W11",
    "doi": "https://doi.org/10.1000/ABC",
    "display_name": "On <i>graphs</i>",
    "publication_year": 2020,
    "publication_date": "2020-02-03",
    "ids": {"pmid": "https://pubmed.ncbi.nlm.nih.gov/77"},
    "authorships": [
        {"author": {"display_name": "Ann Lee", "orcid": "https://orcid.org/0000-0002-1825-0097"}}
    ],
    "primary_location": {
        "landing_page_url": "https://arxiv.org/abs/2001.00001",
        "source": {"display_name": "Journal of Graphs"},
    },
    "abstract_inverted_index": {"walk": [2, 5], "We": [0], "a": [1], "and": [3], "then": [4]},
    "referenced_works": ["https://openalex.org/W12", "nonsense"],
    "language": "en",
    "type": "article",
}


def read(name: str, value: Any) -> list[Any]:
    """What the reader of a format makes of a value."""
    assert json_services
    return list(registered()[name].read(io.BytesIO(json.dumps(value).encode())))


def test_openalex_puts_the_abstract_together() -> None:
    """The snapshot holds abstracts only as {word: [positions]}."""
    (record,) = read("openalex", {"meta": {}, "results": [OPENALEX]})
    assert record == Record(
        title="On graphs",
        text="We a walk and then walk",
        authors=(Person("Lee", "Ann", "", "0000-0002-1825-0097"),),
        year=2020,
        date="2020-02-03",
        venue="Journal of Graphs",
        ids=Identifiers(doi="10.1000/abc", pmid="77", openalex="W11", arxiv="2001.00001"),
        urls=("https://arxiv.org/abs/2001.00001",),
        references=(Reference(ids=Identifiers(openalex="W12")),),
        language="en",
        kind="article",
        line=1,
    )


@pytest.mark.parametrize(
    ("works", "ids"),
    [
        (["https://openalex.org/W7", "https://openalex.org/W80"], ["W7", "W80"]),
        (["https://openalex.org/W7", "w80", "openalex:W9"], ["W7", "W80", "W9"]),
        (["https://openalex.org/W0", "see https://openalex.org/W7", "W7x", 5, None], []),
        ("https://openalex.org/W7", []),
        ([], []),
    ],
)
def test_works_that_openalex_refers_to_are_read_in_every_form(works: Any, ids: list[str]) -> None:
    """Most are addresses, and are read in one go; the others must neither vanish nor spoil them."""
    (record,) = read("openalex", OPENALEX | {"referenced_works": works})
    assert [reference.ids for reference in record.references] == [
        Identifiers(openalex=each) for each in ids
    ]


def test_line_ends_spelt_out_in_openalex_are_blanks() -> None:
    """Some abstracts hold a backslash and an n for each line end; LaTeX begins so, too."""
    words = {"We": [0], "walk\\non": [1], "ice": [2], "\\nof": [3], "$\\nu$.\\n": [4]}
    (record,) = read("openalex", OPENALEX | {"abstract_inverted_index": words})
    assert record.text == "We walk on ice of $\\nu$."


def test_an_inverted_index_cannot_ask_for_gigabytes() -> None:
    """A position of a billion is hostile, not long."""
    assert inverted_index({"a": [10**9], "b": [0, "x", -1]}) == "b"


def test_semantic_scholar_gives_identifiers_and_references() -> None:
    """The paper inside a row of a list of references is the record."""
    paper = {
        "paperId": "ab" * 20,
        "externalIds": {
            "ArXiv": "1706.03762",
            "CorpusId": 13,
            "DOI": "10.1000/X",
            "ACL": "P17-1001",
        },
        "title": "T",
        "abstract": None,
        "year": 2017,
        "venue": "NIPS",
        "authors": [{"name": "A. Vaswani"}],
        "references": [{"paperId": None, "title": "Cited", "year": 2015}],
    }
    (record,) = read("semantic-scholar", {"data": [{"citedPaper": paper}]})
    assert record.ids == Identifiers(
        arxiv="1706.03762", corpus="13", doi="10.1000/x", acl="P17-1001", s2="ab" * 20
    )
    assert record.references == (Reference(title="Cited", year=2015),)
    assert record.authors == (Person("Vaswani", "A."),)


def test_a_row_of_the_citations_file_is_a_reference() -> None:
    """The bulk files hold papers, abstracts and citations apart; the corpus id joins them."""
    (record,) = read("semantic-scholar", [{"citingcorpusid": 5, "citedcorpusid": 7}])
    assert record.ids == Identifiers(corpus="5")
    assert record.references == (Reference(ids=Identifiers(corpus="7")),)


def test_crossref_takes_tags_out_of_abstracts() -> None:
    """The original is kept beside the text that offsets point into."""
    work = {
        "DOI": "10.1000/1",
        "title": ["Main"],
        "subtitle": ["Sub"],
        "abstract": "<jats:title>Abstract</jats:title><jats:p>We find <jats:italic>x</jats:italic>.</jats:p>",
        "issued": {"date-parts": [[2021, 5]]},
        "container-title": ["J"],
        "author": [{"family": "Lee", "given": "Ann"}, {"name": "The Group"}],
        "reference": [
            {"DOI": "10.1000/2"},
            {"unstructured": "A. Bee, Title, J, 2001", "key": "r2"},
            {
                "author": "Cee",
                "year": "1999",
                "journal-title": "K",
                "volume": "3",
                "first-page": "7",
            },
        ],
        "is-referenced-by-count": 0,
    }
    (record,) = read("crossref", {"message-type": "work", "message": work})
    assert (record.title, record.text) == ("Main: Sub", "We find x.")
    assert record.original == work["abstract"]
    assert (record.year, record.date, record.venue) == (2021, "2021-05", "J")
    assert record.authors == (Person("Lee", "Ann"), Person(name="The Group"))
    assert record.references == (
        Reference(ids=Identifiers(doi="10.1000/2")),
        Reference(raw="A. Bee, Title, J, 2001"),
        Reference(authors=("Cee",), year=1999, venue="K", volume="3", page="7"),
    )


def test_zotero_attachments_are_listed_not_lost() -> None:
    """They are blocks of the file, but no papers."""
    items = [
        {
            "itemType": "journalArticle",
            "title": "T",
            "creators": [{"lastName": "L", "firstName": "A"}],
        },
        {"itemType": "attachment", "title": "T.pdf"},
    ]
    paper, attachment = read("zotero-json", {"config": {}, "items": items})
    assert (paper.title, paper.authors) == ("T", (Person("L", "A"),))
    assert isinstance(attachment, Rejected)
    assert attachment.reason == "a Zotero attachment, not a publication"


def test_openreview_notes_of_both_versions() -> None:
    """The second version of the service wraps each field."""
    old = {
        "id": "x",
        "forum": "f1",
        "content": {"title": "T", "abstract": "A.", "authors": ["A B"]},
    }
    new = {
        "forum": "f2",
        "content": {
            "title": {"value": "T"},
            "abstract": {"value": "A."},
            "authors": {"value": ["A B"]},
        },
    }
    first, second = read("openreview", {"notes": [old, new]})
    assert (first.title, first.text, first.ids.openreview) == ("T", "A.", "f1")
    assert (second.title, second.text, second.ids.openreview) == ("T", "A.", "f2")


@pytest.mark.parametrize(
    "name",
    sorted(n for n, r in registered().items() if r.read.__module__ == json_services.__name__),
)
@pytest.mark.parametrize(
    "value", [{}, {"title": 5, "id": []}, {"title": None, "authors": "x", "ids": 3}, 7, None]
)
def test_fields_of_the_wrong_type_never_make_a_reader_fail(name: str, value: Any) -> None:
    """Every block is a record or a rejection, whatever its fields hold."""
    assert len([i for i in read(name, [value, value]) if isinstance(i, Record | Rejected)]) in (
        0,
        2,
    )


def test_openreview_reviews_are_no_papers() -> None:
    """They belong to the paper's forum, and would be taken for it."""
    paper = {
        "id": "abc",
        "forum": "abc",
        "pdate": 1705000000000,
        "content": {"title": {"value": "On $n$ Walks"}},
    }
    review = {"id": "rev", "forum": "abc", "replyto": "abc", "content": {"rating": {"value": "8"}}}
    record, rejected = read("openreview", {"notes": [paper, review]})
    assert isinstance(record, Record)
    assert (record.title, record.ids.openreview, record.year) == ("On n Walks", "abc", 2024)
    assert isinstance(rejected, Rejected)
    assert rejected.reason == "a review, comment or decision, not a submission"


def test_a_reply_with_a_title_is_no_paper_either() -> None:
    """Comments have titles; read as papers they would be taken for the paper of their forum."""
    content = {"title": "Official Comment", "comment": "Thanks."}
    reply = {"id": "rep", "forum": "abc", "replyto": "abc", "content": content}
    (rejected,) = read("openreview", {"notes": [reply]})
    assert isinstance(rejected, Rejected)


@pytest.mark.parametrize(
    ("content", "year"),
    [
        ({"_bibtex": "@misc{x,\nyear={2021},\n}", "venue": "ICLR 2022 Poster"}, 2021),
        ({"venue": {"value": "ICLR 2022 Poster"}}, 2022),
        ({"venue": "Submitted"}, 2020),
    ],
)
def test_a_paper_of_openreview_is_of_the_year_of_its_conference(content: Any, year: int) -> None:
    """It was submitted the year before."""
    note = {"id": "abc", "forum": "abc", "cdate": 1601308132000, "content": content}
    (record,) = read("openreview", note | {"content": {"title": "On walks"} | content})
    assert record.year == year


@pytest.mark.parametrize(
    ("issued", "date"),
    [
        ({"date-parts": [[2019, 5, 2]]}, "2019-05-02"),
        ({"date-parts": [["2019", "5"], [2020]]}, "2019-05"),
        ({"date-parts": [2019, 5]}, "2019-05"),
        ({"date-parts": [[None]]}, ""),
        ({"raw": "May 2, 2019"}, "2019-05-02"),
        ({"literal": "Spring 2019"}, "2019"),
        ({"year": 2019, "month": "5"}, "2019-05"),
        ([{"year": 2019}], "2019"),
        ("2019-05-02T00:00:00Z", "2019-05-02"),
    ],
)
def test_dates_of_csl_are_read_in_every_form(issued: Any, date: str) -> None:
    """Each tool has its own idea of the one date of a paper."""
    item = {"id": "a", "type": "article-journal", "title": "On walks", "issued": issued}
    (record,) = read("csl-json", [item])
    assert (record.date, record.year) == (date, int(date[:4]) if date else None)


def test_s2orc_full_texts_give_what_they_cite() -> None:
    """The parses of 2020 list entries, later releases mark them in the text."""
    entry = {
        "title": "Snow",
        "authors": [{"first": "R", "last": "Roe"}],
        "year": 2001,
        "venue": "J",
        "link": "88",
    }
    parse = {"paper_id": "9", "metadata": {"title": "On Ice"}, "abstract": [{"text": "We walk."}],
             "bib_entries": {"BIBREF0": entry}}  # fmt: skip
    text = "On Ice\nJane Doe\nRoe R. Snow. 2001."
    marks = {
        "title": '[{"start": 0, "end": 6}]',
        "author": '[{"start": 7, "end": 15}]',
        "bibentry": '[{"start": 16, "end": 34, "attributes": {"matched_paper_id": 88}}]',
    }
    release = {"corpusid": 77, "content": {"text": text, "annotations": marks}}
    (first,) = read("s2orc", parse)
    assert isinstance(first, Record)
    assert (first.title, first.text, first.ids.corpus) == ("On Ice", "We walk.", "9")
    assert first.references == (
        Reference(
            ids=Identifiers(corpus="88"), title="Snow", authors=("Roe",), year=2001, venue="J"
        ),
    )
    (second,) = read("s2orc", release)
    assert isinstance(second, Record)
    assert [person.display for person in second.authors] == ["Jane Doe"]
    assert second.references == (Reference(raw="Roe R. Snow. 2001.", ids=Identifiers(corpus="88")),)


def test_dates_as_people_write_them() -> None:
    """Zotero keeps what was typed, CSL has a raw form."""
    (zotero,) = read("zotero-json", {"itemType": "book", "title": "B", "date": "May 3, 2019"})
    (csl,) = read(
        "csl-json", {"id": "b", "type": "book", "title": "B", "issued": {"raw": "2018-01-02"}}
    )
    assert isinstance(zotero, Record)
    assert isinstance(csl, Record)
    assert (zotero.date, csl.date) == ("2019-05-03", "2018-01-02")
