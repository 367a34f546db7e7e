"""Ovid's text exports: fields under their names, or behind tags."""

from kg.model.record import Identifiers, Person, Record, Rejected
from kg.sources.ovid import read_ovid
from kg.sources.reader import Note, Sample
from kg.sources.registry import choose, readers

NAMED = """\
Database: Ovid MEDLINE(R) ALL <1946 to May 01, 2019>
Search Strategy:
--------------------------------------------------------------------------------
1     exp Ice/ (1234)

***************************

<1>
Unique Identifier
  31234567
Title
  Effect of warm ice on walkers: gravel and
  sand on paths.
Source
  Journal of Ice. Part B. 12(3):101-9, 2019 May 02.
Authors
  Berg A; van Dyk B
Authors Full Name
  Berg, Anna; van Dyk, Bram
Year of Publication
  2019
Abstract
  BACKGROUND: Walkers fall.
  METHODS: We spread gravel.
Grant Information
  None of it is abstract.
Digital Object Identifier
  https://dx.doi.org/10.5555/JI.2019.101

<2>
Unique Identifier
  31234568
Source
  Snow Letters. 3:7, 2020.

<3. >
Title
  Sand and salt.
Authors
  Holm E.  Lund CD.
Source
  Snow Letters. 3:7, 2020.
""".splitlines()

TAGGED = """\
 <7. >
 VN  - Ovid Technologies
 DB  - PsycINFO
 AN  - Peer Reviewed Journal: 2015-1-2.
 TI  - Fear of warm ice. [References].
 AU  - Werner, S. M. [Author, Reprint Author; E-mail: s@example.org]
 AU  - Holm, Eva MD
 SO  - Journal of Ice and Fear June/July 2015;58(6):688-696
 AB  - We fear.

 <8. >
 VN  - Ovid Technologies
 DB  - BIOSIS Previews
 TI  - A chapter
 AU  - Lund, C.
 SO  - Berg, A. [Editor], Roe, J. [Editor]. The book of ice.:371-397, 2004.
 YR  - 2004
""".splitlines()


def test_fields_under_their_names_are_read_up_to_the_next_name() -> None:
    """A value may be wrapped; what no reader asks for must not run into the abstract."""
    note, first, second, third = read_ovid(NAMED)
    assert note == Note("what stands before the first record is a search, no paper")
    assert first == Record(
        title="Effect of warm ice on walkers: gravel and sand on paths",
        text="BACKGROUND: Walkers fall. METHODS: We spread gravel.",
        authors=(Person("Berg", "Anna"), Person("van Dyk", "Bram")),
        year=2019,
        date="2019",
        venue="Journal of Ice. Part B",
        ids=Identifiers(doi="10.5555/ji.2019.101", pmid="31234567", key="31234567"),
        line=8,
    )
    assert second == Record(
        year=2020, date="2020", venue="Snow Letters",
        ids=Identifiers(pmid="31234568", key="31234568"), line=30,
    )  # fmt: skip
    assert isinstance(third, Record)
    assert third.authors == (Person("Holm", "E"), Person("Lund", "CD"))


def test_tagged_fields_lose_roles_addresses_and_degrees() -> None:
    """A space stands before every line of some files; a number outside MEDLINE is no PubMed id."""
    first, second = read_ovid(TAGGED)
    assert first == Record(
        title="Fear of warm ice",
        text="We fear.",
        authors=(Person("Werner", "S. M."), Person("Holm", "Eva")),
        year=2015,
        date="2015",
        venue="Journal of Ice and Fear",
        ids=Identifiers(key="Peer Reviewed Journal: 2015-1-2."),
        line=1,
    )
    assert isinstance(second, Record)
    assert (second.venue, second.year, second.line) == ("The book of ice", 2004, 11)


def test_a_record_of_nothing_is_rejected_with_its_lines() -> None:
    """The count must close; a record without title, abstract and identifier is none."""
    _, rejected = read_ovid([*TAGGED[:10], "<9>", "DB  - PsycINFO"])
    assert rejected == Rejected(
        "no title, no abstract and no identifier", "<9>\nDB  - PsycINFO", line=11
    )


def test_both_forms_are_told_from_their_content() -> None:
    """Both are saved as .txt, and one looks like MEDLINE."""
    for lines in (NAMED, TAGGED):
        text = "\n".join(lines)
        chosen = choose(Sample("citation.txt", text.encode(), text, whole=True), readers())
        assert chosen is not None
        assert chosen.name == "ovid"
