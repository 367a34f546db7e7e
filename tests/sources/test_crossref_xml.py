"""Crossref's XML: answers of its resolver, and deposits."""

import io
from dataclasses import replace

from kg.model.record import Identifiers, Person, Record, Reference, Rejected
from kg.sources.reader import Item, Sample, registered
from kg.sources.registry import choose, readers

ARTICLE = """\
<journal_article publication_type="full_text" language="en">
<titles><title>Warm <i>ice</i>: </title><subtitle>A study</subtitle></titles>
<contributors>
<person_name contributor_role="author" sequence="first"><given_name>Anna</given_name><surname>Berg</surname>
<ORCID>https://orcid.org/0000-0002-1825-0097</ORCID></person_name>
<organization contributor_role="author" sequence="additional">Walkers of Oslo</organization>
<person_name contributor_role="editor" sequence="first"><given_name>Ed</given_name><surname>Itor</surname></person_name>
</contributors>
<jats:abstract abstract-type="summary"><jats:p>For all.</jats:p></jats:abstract>
<jats:abstract><jats:p>We walk.</jats:p></jats:abstract>
<publication_date media_type="print"><month>07</month><year>2019</year></publication_date>
<publication_date media_type="online"><month>5</month><day>2</day><year>2019</year></publication_date>
<doi_data><doi>10.5555/ICE.1</doi><resource>https://example.org/ice/1</resource></doi_data>
<citation_list>
<citation key="1"><doi>10.5555/SAND</doi><unstructured_citation>Holm E. Sand. 2001.</unstructured_citation></citation>
<citation key="2"><author>Lund</author><article_title>Tar</article_title><journal_title>Road</journal_title>
<volume>3</volume><first_page>9</first_page><cYear>2002</cYear></citation>
</citation_list>
</journal_article>"""
JOURNAL = "<journal><journal_metadata><full_title>Journal of Ice</full_title></journal_metadata>{}</journal>"
SECOND = "<journal_article><titles><title>Sand</title></titles></journal_article>"
ANSWER = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<doi_records xmlns:jats="http://www.ncbi.nlm.nih.gov/JATS1">'
    "{}</doi_records>"
)
RECORD = Record(
    title="Warm ice: A study",
    text="We walk.",
    authors=(Person("Berg", "Anna", "", "0000-0002-1825-0097"), Person(name="Walkers of Oslo")),
    year=2019,
    date="2019-05-02",
    venue="Journal of Ice",
    ids=Identifiers(doi="10.5555/ice.1"),
    urls=("https://example.org/ice/1",),
    references=(
        Reference(raw="Holm E. Sand. 2001.", ids=Identifiers(doi="10.5555/sand")),
        Reference(title="Tar", authors=("Lund",), year=2002, venue="Road", volume="3", page="9"),
    ),
    language="en",
    kind="journal_article",
    line=2,
)


def read(text: str) -> list[Item]:
    """What the reader makes of a document, after the format was told from it."""
    chosen = choose(Sample("-", text.encode(), text, whole=True), readers())
    assert chosen is not None
    assert chosen.name == "crossref-xml"
    return list(registered()["crossref-xml"].read(io.BytesIO(text.encode())))


def test_an_answer_of_the_resolver_gives_everything_it_holds() -> None:
    """The date is the earliest of those that are given; editors are no authors."""
    (record,) = read(
        ANSWER.format(f"<doi_record><crossref>{JOURNAL.format(ARTICLE)}</crossref></doi_record>")
    )
    assert isinstance(record, Record)
    assert "We walk." in record.original
    assert record == replace(RECORD, original=record.original)


def test_every_paper_of_a_deposit_counts() -> None:
    """A deposit holds a journal with its articles; a journal alone is none."""
    prefixes = 'xmlns:jats="http://www.ncbi.nlm.nih.gov/JATS1"'
    deposit = (
        f'<doi_batch version="5.3.1" {prefixes}><body>\n{JOURNAL.format(ARTICLE + SECOND)}\n'
        f"{JOURNAL.format('')}</body></doi_batch>"
    )
    first, second, rejected = read(deposit)
    assert isinstance(first, Record)
    assert isinstance(second, Record)
    assert (first.ids.doi, second.title, second.venue) == (
        "10.5555/ice.1",
        "Sand",
        "Journal of Ice",
    )
    assert isinstance(rejected, Rejected)
    assert (rejected.reason, rejected.line) == (
        "a journal or series without a paper in it",
        3 + ARTICLE.count("\n"),
    )


def test_a_chapter_names_its_book_and_a_book_its_editors() -> None:
    """One block speaks of both; the chapter is the paper."""
    book = (
        "<book_metadata><contributors><person_name contributor_role='editor'><given_name>Ed</given_name>"
        "<surname>Itor</surname></person_name></contributors><titles><title>The Book of Ice</title></titles>"
        "<isbn>9783161484100</isbn></book_metadata>"
    )
    chapter = "<content_item><titles><title>Warm ice</title></titles></content_item>"
    blocks = "".join(
        f"<doi_record><crossref><book>{inner}</book></crossref></doi_record>"
        for inner in (book + chapter, book)
    )
    one, whole = read(ANSWER.format(blocks))
    assert isinstance(one, Record)
    assert isinstance(whole, Record)
    assert (one.title, one.venue, one.isbns) == ("Warm ice", "The Book of Ice", ("9783161484100",))
    assert (whole.title, whole.venue, whole.authors) == (
        "The Book of Ice",
        "",
        (Person("Itor", "Ed"),),
    )


def test_what_the_service_says_instead_of_a_record_is_the_reason() -> None:
    """A DOI that is not Crossref's."""
    error = "<doi_record><crossref><error>Resource not found.</error></crossref></doi_record>"
    (rejected,) = read(ANSWER.format(error))
    assert isinstance(rejected, Rejected)
    assert rejected.reason == "the service says: Resource not found."
