"""JSON of services that have no reader of their own, its fields told by their names."""

import json
from typing import Any

import pytest

from kg.model.record import Identifiers, Person, Record
from tests.sources.test_counts import run

EUROPE_PMC = {
    "hitCount": 1,
    "resultList": {
        "result": [
            {
                "id": "31234567",
                "source": "MED",
                "pmid": "31234567",
                "title": "Warm ice",
                "authorString": "Berg A.",
                "authorList": {"author": [{"fullName": "Berg A", "firstName": "Anna", "lastName": "Berg"}]},
                "journalInfo": {"volume": "3", "journal": {"title": "J Ice"}},
                "pubYear": "2019",
                "abstractText": "We walk.",
            }
        ]
    },
}  # fmt: skip
INSPIRE = {
    "hits": {
        "hits": [
            {
                "id": "1",
                "metadata": {
                    "titles": [{"title": "Warm ice"}, {"title": "Varm is"}],
                    "authors": [{"full_name": "Berg, Anna"}],
                    "abstracts": [{"value": "We walk."}],
                    "arxiv_eprints": [{"value": "1905.00001"}],
                    "references": [{"reference": {"dois": ["10.1000/SAND"]}}],
                },
            }
        ]
    }
}
SCOPUS = {
    "search-results": {
        "entry": [
            {
                "dc:title": "Warm ice",
                "dc:creator": "Berg A.",
                "prism:publicationName": "J Ice",
                "prism:coverDate": "2019-05-02",
                "prism:doi": "10.1000/ICE",
                "eid": "2-s2.0-85123",
            }
        ]
    }
}


@pytest.mark.parametrize(
    ("page", "authors", "ids"),
    [
        (EUROPE_PMC, (Person("Berg", "Anna"),), Identifiers(pmid="31234567", key="31234567")),
        (INSPIRE, (Person("Berg", "Anna"),), Identifiers(arxiv="1905.00001", key="1")),
        (SCOPUS, (Person("Berg", "A."),), Identifiers(doi="10.1000/ice", scopus="2-s2.0-85123")),
    ],
)
def test_a_page_of_any_service_gives_its_papers(
    page: Any, authors: tuple[Person, ...], ids: Identifiers
) -> None:
    """The list stands two objects deep, and names carry their vocabulary or the object around."""
    items, report = run(json.dumps(page).encode())
    (record,) = (item for item in items if isinstance(item, Record))
    assert (record.title, record.authors, record.ids) == ("Warm ice", authors, ids)
    assert (report.format, report.records, report.rejected) == ("json", 1, 0)


def test_the_journal_is_the_venue_and_not_the_database() -> None:
    """Europe PMC calls its database the source."""
    items, _ = run(json.dumps(EUROPE_PMC).encode())
    (record,) = (item for item in items if isinstance(item, Record))
    assert (record.venue, record.year, record.text) == ("J Ice", 2019, "We walk.")


def test_references_inside_of_an_object_of_that_name_are_read() -> None:
    """INSPIRE wraps each."""
    items, _ = run(json.dumps(INSPIRE).encode())
    (record,) = (item for item in items if isinstance(item, Record))
    assert [reference.ids.doi for reference in record.references] == ["10.1000/sand"]


def test_an_author_of_whom_nothing_is_known_is_none() -> None:
    """An object without a name that is known."""
    row = {"title": "Warm ice", "authors": [{"id": 5}, {"creator": "Berg, Anna"}, None]}
    items, _ = run(json.dumps([row]).encode())
    (record,) = (item for item in items if isinstance(item, Record))
    assert record.authors == (Person("Berg", "Anna"),)
