"""Who wrote what, and which of the ways to write a name is shown."""

import pyarrow as pa

from kg.graph.people import add_people, add_venues
from kg.graph.rows import Collected
from kg.model.record import Identifiers, Person, Record
from kg.resolve.papers import match_records
from kg.resolve.records import records_table

ORCID = "0000-0002-1825-0097"


def papers(*authors: tuple[Person, ...], venues: tuple[str, ...] = ()) -> pa.Table:
    """Papers with these authors and venues, in order."""
    records = [
        Record(
            title=f"Title {number}",
            authors=people,
            venue=venues[number] if venues else "",
            ids=Identifiers(doi=f"10.1/{number}"),
        )
        for number, people in enumerate(authors)
    ]
    return match_records(records_table(records)).papers


def test_authors_are_told_by_orcid_or_name_and_shown_as_most_papers_write_them() -> None:
    """Of names that are as frequent the longest, then the first of all."""
    collected = Collected()
    lin, accented = Person("Lin", "B."), Person("Lín", "B.")
    add_people(
        collected,
        papers(
            (Person("Bee", "Ann", orcid=ORCID), Person(name="B. Lin"), Person()),
            (lin, Person("Bee", "Ann"), lin),
            (Person("Bee", "A.", orcid=ORCID), accented),
            (accented, Person("Bee", "A.", orcid=ORCID)),
            (Person("Lin", "B "), Person("", "", "–")),
        ),
    )
    assert collected.table("Author").to_pylist() == [
        {"id": f"author:{ORCID}", "name": "A. Bee", "family": "Bee", "given": "A.", "orcid": ORCID},
        {"id": "author:ann bee", "name": "Ann Bee", "family": "Bee", "given": "Ann", "orcid": None},
        {"id": "author:b lin", "name": "B. Lín", "family": "Lín", "given": "B.", "orcid": None},
    ]
    wrote = collected.table("WROTE.Author.Paper").to_pylist()
    assert sorted((row["tail"], row["position"], row["head"]) for row in wrote) == [
        ("doi:10.1/0", 1, f"author:{ORCID}"),
        ("doi:10.1/0", 2, "author:b lin"),
        ("doi:10.1/1", 1, "author:b lin"),
        ("doi:10.1/1", 2, "author:ann bee"),
        ("doi:10.1/2", 1, f"author:{ORCID}"),
        ("doi:10.1/2", 2, "author:b lin"),
        ("doi:10.1/3", 1, "author:b lin"),
        ("doi:10.1/3", 2, f"author:{ORCID}"),
        ("doi:10.1/4", 1, "author:b lin"),
    ]


def test_of_names_that_are_as_frequent_and_long_one_is_always_the_same() -> None:
    """Whatever order the papers come in."""
    one, two = (Person("Lin", "B."),), (Person(name="B. Lin"),)
    for authors in ((one, two), (two, one)):
        collected = Collected()
        add_people(collected, papers(*authors))
        (author,) = collected.table("Author").to_pylist()
        assert (author["name"], author["family"]) == ("B. Lin", None)


def test_venues_that_differ_in_signs_are_one() -> None:
    """The name that most papers give is shown."""
    collected = Collected()
    venues = ("J. Walks", "Nature", "j walks", "", "J. Walks", "—")
    add_venues(collected, papers(*[()] * len(venues), venues=venues))
    assert collected.table("Venue").to_pylist() == [
        {"id": "venue:j walks", "name": "J. Walks"},
        {"id": "venue:nature", "name": "Nature"},
    ]
    edges = collected.table("PUBLISHED_IN.Paper.Venue").to_pylist()
    assert sorted((edge["head"], edge["tail"]) for edge in edges) == [
        ("doi:10.1/0", "venue:j walks"),
        ("doi:10.1/1", "venue:nature"),
        ("doi:10.1/2", "venue:j walks"),
        ("doi:10.1/4", "venue:j walks"),
    ]


def test_nobody_and_nowhere_is_fine() -> None:
    """A listing gives titles alone."""
    collected = Collected()
    add_people(collected, papers((), ()))
    add_venues(collected, papers((), ()))
    assert not collected.table("Author").num_rows
    assert not collected.table("Venue").num_rows
