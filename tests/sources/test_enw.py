"""EndNote's tags as other services understand them."""

from kg.model.record import Identifiers, Person, Record
from kg.sources.enw import read_enw

ADS = """\
%T Warm ice networks
%A Berg, Anna
%F AA(University of Ice), AB(Snow Institute)
%J Journal of Ice
%D 05/2019
%B We walk on ice.
%Y DOI: 10.5555/1; eprintid: arXiv:1905.00001
""".splitlines()


def test_abstract_and_identifiers_of_ads_stand_under_tags_of_its_own() -> None:
    """%B is a book's title elsewhere, %F a key, and %Y a series editor."""
    (record,) = read_enw(ADS)
    assert record == Record(
        title="Warm ice networks",
        text="We walk on ice.",
        authors=(Person("Berg", "Anna"),),
        year=2019,
        date="2019",
        venue="Journal of Ice",
        ids=Identifiers(doi="10.5555/1", arxiv="1905.00001"),
        line=1,
    )


def test_the_book_of_a_chapter_is_no_abstract() -> None:
    """A chapter stands in no journal."""
    (record,) = read_enw(["%0 Book Section", "%T Warm ice", "%B The Book of Ice", "%F Berg2019"])
    assert isinstance(record, Record)
    assert (record.text, record.venue, record.ids.key) == ("", "The Book of Ice", "Berg2019")
