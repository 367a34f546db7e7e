"""DataCite's DOIs."""

import io
import json
from typing import Any

import pytest

from kg.model.record import Identifiers, Person, Record, Reference
from kg.sources.reader import Sample, registered
from kg.sources.registry import choose, readers

WORK: dict[str, Any] = {
    "id": "https://doi.org/10.5555/ICE.1",
    "doi": "10.5555/ICE.1",
    "url": "https://example.org/ice/1",
    "types": {"resourceTypeGeneral": "Text", "resourceType": "Preprint"},
    "creators": [
        {
            "name": "Berg, Anna",
            "givenName": "Anna",
            "familyName": "Berg",
            "nameIdentifiers": [{"nameIdentifier": "https://orcid.org/0000-0002-1825-0097"}],
        },
        {"name": "Walkers of Oslo", "nameType": "Organizational"},
        {"name": "Holm, Eva"},
    ],
    "titles": [
        {"title": "Varm is", "titleType": "TranslatedTitle"},
        {"title": "Warm <i>ice</i>"},
        {"title": "A study", "titleType": "Subtitle"},
    ],
    "publisher": {"name": "Ice Archive"},
    "container": {"type": "Series", "title": "Papers on Ice"},
    "subjects": [{"subject": "ice"}, {"subject": "walking"}],
    "dates": [
        {"date": "2018-01-01", "dateType": "Created"},
        {"date": "2019-05-02", "dateType": "Issued"},
    ],
    "publicationYear": 2019,
    "language": "en",
    "descriptions": [
        {"description": "Version 2", "descriptionType": "Other"},
        {"description": "We walk.", "descriptionType": "Abstract"},
    ],
    "relatedIdentifiers": [
        {"relationType": "Cites", "relatedIdentifier": "10.5555/SAND"},
        {"relationType": "References", "relatedIdentifier": "arXiv:2001.00001"},
        {"relationType": "IsCitedBy", "relatedIdentifier": "10.5555/later"},
        {"relationType": "IsPartOf", "relatedIdentifier": "1234-5678"},
        {"relationType": "IsIdenticalTo", "relatedIdentifier": "https://arxiv.org/abs/1905.00001"},
    ],
    "schemaVersion": "http://datacite.org/schema/kernel-4",
}
RECORD = Record(
    title="Warm ice: A study",
    text="We walk.",
    authors=(
        Person("Berg", "Anna", "", "0000-0002-1825-0097"),
        Person(name="Walkers of Oslo"),
        Person("Holm", "Eva"),
    ),
    year=2019,
    date="2019-05-02",
    venue="Papers on Ice",
    ids=Identifiers(doi="10.5555/ice.1", arxiv="1905.00001"),
    urls=("https://example.org/ice/1",),
    topics=("ice", "walking"),
    references=(
        Reference(raw="10.5555/SAND", ids=Identifiers(doi="10.5555/sand")),
        Reference(raw="arXiv:2001.00001", ids=Identifiers(arxiv="2001.00001")),
    ),
    language="en",
    kind="Preprint",
    line=1,
)


@pytest.mark.parametrize(
    "document",
    [
        WORK,
        {"data": {"id": "10.5555/ice.1", "type": "dois", "attributes": WORK}},
        {
            "data": [{"id": "10.5555/ice.1", "type": "dois", "attributes": WORK}],
            "meta": {"total": 1},
        },
    ],
)
def test_a_work_is_read_bare_and_out_of_the_envelopes_of_the_service(document: Any) -> None:
    """Its titles, creators and descriptions are lists of objects, and its publisher has a name, too."""
    text = json.dumps(document)
    chosen = choose(Sample("-", text.encode(), text, whole=True), readers())
    assert chosen is not None
    assert chosen.name == "datacite"
    assert list(registered()["datacite"].read(io.BytesIO(text.encode()))) == [RECORD]


def test_a_chapter_is_published_in_its_book() -> None:
    """The book is a related item with titles of its own."""
    book = {"relationType": "IsPublishedIn", "titles": [{"title": "The Book of Ice"}]}
    text = json.dumps(WORK | {"container": {}, "relatedItems": [book]})
    (record,) = registered()["datacite"].read(io.BytesIO(text.encode()))
    assert isinstance(record, Record)
    assert record.venue == "The Book of Ice"


def test_a_publisher_may_be_a_string_and_is_the_venue_of_what_stands_alone() -> None:
    """As the schema was until 2023."""
    bare = {
        "doi": "10.5555/x",
        "titles": [{"title": "Ice"}],
        "creators": [],
        "publicationYear": "2015",
    }
    text = json.dumps(bare | {"publisher": "Ice Archive"})
    (record,) = registered()["datacite"].read(io.BytesIO(text.encode()))
    assert isinstance(record, Record)
    assert (record.venue, record.year, record.date) == ("Ice Archive", 2015, "2015")
