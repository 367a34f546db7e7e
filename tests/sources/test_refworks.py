"""RefWorks' tagged text."""

from kg.model.record import Identifiers, Person, Record, Rejected
from kg.sources.reader import Note, Sample
from kg.sources.refworks import read_refworks
from kg.sources.registry import choose, readers

WALKS = """\
RT Journal Article
SR Electronic(1)
ID 17
A1 Berg, Anna
A1 van Dyk, Bram
T1 Effect of warm ice on walkers
JF Journal of Ice
YR 2019
FD May 2
K1 ice
K1 walking; paths
AB Walkers fall on ice.
US cities spread gravel.
DO https://doi.org/10.5555/JI.1
LK http://example.org/1
SN 9783161484100
LA English
""".splitlines()


def test_refworks_gives_everything_it_holds() -> None:
    """No dash marks a tag: a line that begins with two capitals may belong to the abstract."""
    (record,) = read_refworks(WALKS)
    assert record == Record(
        title="Effect of warm ice on walkers",
        text="Walkers fall on ice. US cities spread gravel.",
        original="Walkers fall on ice.\nUS cities spread gravel.",
        authors=(Person("Berg", "Anna"), Person("van Dyk", "Bram")),
        year=2019,
        date="2019-05-02",
        venue="Journal of Ice",
        ids=Identifiers(doi="10.5555/ji.1", key="17"),
        isbns=("9783161484100",),
        urls=("http://example.org/1",),
        topics=("ice", "walking", "paths"),
        language="English",
        kind="Journal Article",
        line=1,
    )


def test_a_legend_before_the_records_is_no_paper() -> None:
    """RefWorks itself explains its tags first."""
    legend = [
        "",
        "Refworks Export Tagged Format",
        "Character Set=utf-8",
        "Tag legend",
        "RT=Type",
        "",
    ]
    note, record = read_refworks([*legend, *WALKS])
    assert note == Note("what stands before the first record is a legend, no paper")
    assert isinstance(record, Record)
    assert record.line == 7


def test_every_rt_line_counts() -> None:
    """A record without a title is listed, and the next one is read."""
    rejected, record = read_refworks(["RT Book", "PB Ice Press", "", *WALKS])
    assert rejected == Rejected(
        "no title, no abstract and no identifier", "RT Book\nPB Ice Press\n", line=1
    )
    assert isinstance(record, Record)


def test_refworks_is_told_from_its_content() -> None:
    """It is saved as .txt."""
    text = "\n".join(WALKS)
    chosen = choose(Sample("export.txt", text.encode(), text, whole=True), readers())
    assert chosen is not None
    assert chosen.name == "refworks"
