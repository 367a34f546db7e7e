"""The Cochrane Library's plain text."""

from kg.model.record import Identifiers, Person, Record, Rejected
from kg.sources.cochrane import read_cochrane

EXPORT = """\
Record #1 of 2
ID: CN-01234567
AU: Berg A
AU: van Dyk B
TI: Warm ice and walkers: a trial
SO: Journal of Ice
YR: 2019
PM: PUBMED 31234567
PT: Journal article
KY: ice; walking
DOI: 10.5555/ICE.1
AB: AIMS: To walk.
AIM: To fall.
METHODS: We walked on ice.
US: https://example.org/CN-01234567/full


Record #2 of 2
ID: CN-02
SO: Snow
""".splitlines()


def test_every_numbered_record_counts() -> None:
    """A heading of an abstract is written as a tag is, but longer."""
    record, rejected = read_cochrane(EXPORT)
    assert record == Record(
        title="Warm ice and walkers: a trial",
        text="AIMS: To walk. AIM: To fall. METHODS: We walked on ice.",
        authors=(Person("Berg", "A"), Person("van Dyk", "B")),
        year=2019,
        date="2019",
        venue="Journal of Ice",
        ids=Identifiers(doi="10.5555/ice.1", pmid="31234567", key="CN-01234567"),
        urls=("https://example.org/CN-01234567/full",),
        topics=("ice", "walking"),
        kind="Journal article",
        line=1,
    )
    assert rejected == Rejected(
        "no title, no abstract and no identifier", "\n".join(EXPORT[17:]), line=18
    )
