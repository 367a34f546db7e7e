"""Tagged formats: RIS, EndNote, MEDLINE, Web of Science, PubMed's text."""

from kg.model.record import Identifiers, Person, Record, Reference, Rejected
from kg.sources.enw import read_enw
from kg.sources.medline import read_medline
from kg.sources.pubmed_text import read_pubmed_text
from kg.sources.reader import Note, Sample
from kg.sources.registry import choose, readers
from kg.sources.ris import read_ris
from kg.sources.wos import read_wos, read_wos_table

WALKS = ["TY  - JOUR", "TI  - Random walks", "AU  - Pearson, K.", "ER  - "]


def test_a_block_without_er_is_rejected_and_the_next_one_is_read() -> None:
    """Downloads break off; a paper must not vanish or swallow its neighbour."""
    rejected, record = read_ris(["TY  - JOUR", "TI  - Broken off", *WALKS])
    assert rejected == Rejected(
        reason="no ER line; is the file cut short?", raw="TY  - JOUR\nTI  - Broken off", line=1
    )
    assert record == Record(
        title="Random walks", authors=(Person("Pearson", "K."),), kind="JOUR", line=3
    )


def test_ris_gives_everything_it_holds() -> None:
    """Tags of several services in one block; unknown ones do no harm."""
    (record,) = read_ris(
        [
            "1.",
            "TY  - CONF",
            "T1  - On <i>Ice</i>",
            "A1  - Wanderer, Anna",
            "AU  - Strider, Bo K.; Glider, C.",
            "PY  - 2019/02/03/",
            "T2  - Proc. of Ice",
            "N2  - We walk",
            "on ice.",
            "DO  - https://doi.org/10.1000/ICE",
            "UR  - https://x.org/record?eid=2-s2.0-85123",
            "AN  - 123",
            "DB  - PubMed",
            "KW  - ice",
            "KW  - snow",
            "SN  - 978-0-306-40615-7",
            "N1  - References: Doe, J., Ice, (2001) J. Ice, 3; Roe, R., Snow, (2002)",
            "ZZ  - unknown",
            "ER  -",
        ]
    )
    assert record == Record(
        title="On Ice",
        text="We walk on ice.",
        original="We walk\non ice.",
        authors=(Person("Wanderer", "Anna"), Person("Strider", "Bo K."), Person("Glider", "C.")),
        year=2019,
        date="2019-02-03",
        venue="Proc. of Ice",
        ids=Identifiers(doi="10.1000/ice", pmid="123", scopus="2-s2.0-85123"),
        isbns=("9780306406157",),
        urls=("https://x.org/record?eid=2-s2.0-85123",),
        topics=("ice", "snow"),
        references=(
            Reference(raw="Doe, J., Ice, (2001) J. Ice, 3"),
            Reference(raw="Roe, R., Snow, (2002)"),
        ),
        kind="CONF",
        line=2,
    )


def test_every_ty_line_is_accounted_for() -> None:
    """Empty blocks, lines before the first, the end of the file within a block."""
    items = list(read_ris(["hello", "TY  - GEN", "ER  -", *WALKS, "AU  - Lost, A.", "TY  - JOUR"]))
    assert [type(item).__name__ for item in items] == ["Rejected"] * 2 + ["Record"] + [
        "Rejected"
    ] * 2
    assert [item.line for item in items if not isinstance(item, Note)] == [1, 2, 4, 8, 9]


def test_endnote_and_refer_are_read() -> None:
    """%0 opens a record; refer parts them by blank lines."""
    block = [
        "%T On Ice",
        "%A Wanderer, Anna",
        "%D 2019",
        "%J J. Ice",
        "%X We walk.",
        "%R 10.1000/ice",
    ]
    expected = Record(
        title="On Ice",
        text="We walk.",
        authors=(Person("Wanderer", "Anna"),),
        year=2019,
        date="2019",
        venue="J. Ice",
        ids=Identifiers(doi="10.1000/ice"),
        line=1,
    )
    first, second = read_enw([*block, "", "%T Falls"])
    assert first == expected
    assert isinstance(second, Record)
    assert (second.title, second.line) == ("Falls", 8)
    numbered = list(read_enw(["%0 Journal Article", *block, "%0 Book", "%T Falls"]))
    assert [item.title for item in numbered if isinstance(item, Record)] == ["On Ice", "Falls"]


def test_medline_joins_its_wrapped_lines() -> None:
    """Full names before short ones; the DOI among the article's ids."""
    (record,) = read_medline(
        [
            "",
            "PMID- 12230038",
            "DP  - 2002 Sep 3",
            "TI  - The slippery ice--a brief",
            "      overview.",
            "LID - S0001(02)1 [pii]",
            "LID - 10.1000/ice [doi]",
            "AB  - We walk",
            "      on ice.",
            "FAU - Wanderer, Anna B",
            "AU  - Wanderer AB",
            "JT  - Journal of ice",
            "OT  - snow",
            "PMC - PMC1234567",
        ]
    )
    assert record == Record(
        title="The slippery ice--a brief overview",
        text="We walk on ice.",
        authors=(Person("Wanderer", "Anna B"),),
        year=2002,
        date="2002-09-03",
        venue="Journal of ice",
        ids=Identifiers(doi="10.1000/ice", pmid="12230038", pmcid="PMC1234567"),
        topics=("snow",),
        line=2,
    )


WOS = [
    "FN Clarivate Analytics Web of Science",
    "VR 1.0",
    "PT J",
    "AU Wanderer, A",
    "   Strider, BK",
    "AF Wanderer, Anna",
    "   Strider, Bo K.",
    "TI On ice and",
    "   snow",
    "SO JOURNAL OF ICE",
    "DE ice; snow",
    "AB We walk.",
    "OI Strider, Bo/0000-0002-1825-0097",
    "CR Doe J, 2001, J ICE, V3, P4, DOI 10.1000/d",
    "   [Anonymous], 2002, ICE BOOK",
    "   no year at all",
    "PY 2019",
    "PD FEB 3",
    "DI 10.1000/ice",
    "UT WOS:000238592600006",
    "ER",
    "",
    "EF",
]
ICE = Record(
    title="On ice and snow",
    text="We walk.",
    authors=(Person("Wanderer", "Anna"), Person("Strider", "Bo K.", orcid="0000-0002-1825-0097")),
    year=2019,
    date="2019-02-03",
    venue="JOURNAL OF ICE",
    ids=Identifiers(doi="10.1000/ice", wos="WOS:000238592600006"),
    topics=("ice", "snow"),
    references=(
        Reference(
            raw="Doe J, 2001, J ICE, V3, P4, DOI 10.1000/d",
            ids=Identifiers(doi="10.1000/d"),
            authors=("Doe",),
            year=2001,
            venue="J ICE",
            volume="3",
            page="4",
        ),
        Reference(raw="[Anonymous], 2002, ICE BOOK", year=2002, venue="ICE BOOK"),
        Reference(raw="no year at all"),
    ),
    kind="J",
    line=3,
)


def test_web_of_science_gives_cited_references() -> None:
    """They become CITES edges, with and without a DOI."""
    assert list(read_wos(WOS)) == [ICE]


def test_web_of_science_tables_say_the_same() -> None:
    """One library, exported twice, is the same papers."""
    header = "PT\tAU\tAF\tTI\tSO\tDE\tAB\tOI\tCR\tPY\tPD\tDI\tUT"
    row = (
        "J\tWanderer, A; Strider, BK\tWanderer, Anna; Strider, Bo K.\tOn ice and snow\tJOURNAL OF ICE\t"
        "ice; snow\tWe walk.\tStrider, Bo/0000-0002-1825-0097\tDoe J, 2001, J ICE, V3, P4, DOI 10.1000/d;"
        " [Anonymous], 2002, ICE BOOK; no year at all\t2019\tFEB 3\t10.1000/ice\tWOS:000238592600006"
    )
    record, rejected = read_wos_table([header, row, "J\tshort"])
    assert isinstance(record, Record)
    assert (record.references, record.authors, record.title, record.date) == (
        ICE.references,
        ICE.authors,
        ICE.title,
        ICE.date,
    )
    assert rejected == Rejected("2 cells where the header has 13", "J\tshort", line=3)


def test_pubmed_text_is_cut_at_its_numbers() -> None:
    """Affiliations, notices and statements are no part of the abstract."""
    first, second = read_pubmed_text(
        """
1. J Ice. 2021 May 3;593(7858):238-243. doi: 10.1000/ice. Epub
2021 Apr 7.

On walking.

Wanderer AB(1)(2), van der Drop C(3).

Author information:
(1)Department of Walking, University of Ice, Cold Town, where people walk.

BACKGROUND: Walking on ice is hard for people and penguins.
RESULTS: We fell.

© 2021. The Authors.

DOI: 10.1000/ice
PMID: 33828299 [Indexed for MEDLINE]

Conflict of interest statement: The authors declare that they have none at all.


2. Snow. 2020;1(1):2.

On falling.

Drop C.

PMID: 33828300
""".split("\n")
    )
    assert first == Record(
        title="On walking",
        text="BACKGROUND: Walking on ice is hard for people and penguins.\nRESULTS: We fell.",
        authors=(Person("Wanderer", "AB"), Person("van der Drop", "C")),
        year=2021,
        date="2021-05-03",
        venue="J Ice",
        ids=Identifiers(doi="10.1000/ice", pmid="33828299"),
        line=2,
    )
    assert isinstance(second, Record)
    assert (second.title, second.text, second.ids.pmid) == ("On falling", "", "33828300")


def test_ris_without_blanks_or_ends() -> None:
    """TY-JOUR, a record that ends where the next begins, and a wrapped line that starts as a tag could."""
    dense = list(read_ris(["TY-JOUR", "T1-On Ice", "A1-Doe, Jane", "Y1-2019/05/03/", "ER-"]))
    assert [(r.title, r.date) for r in dense if isinstance(r, Record)] == [("On Ice", "2019-05-03")]
    followed = ["TY  - JOUR", "TI  - On Snow", "AB  - We look at", "T2-weighted images of it."]
    record, walks, note = read_ris([*followed, *WALKS])
    assert isinstance(record, Record)
    assert record.text == "We look at T2-weighted images of it."
    assert isinstance(walks, Record)
    assert note == Note("1 records end without ER, at a blank line or where the next begins")


def test_scopus_writes_pubmed_numbers_into_c2() -> None:
    """Elsewhere C2 may hold anything."""
    base = ["TY  - JOUR", "TI  - On Ice", "C2  - 31421429"]
    for more, pmid in (["DB  - Scopus"], "31421429"), ([], ""):
        (record,) = read_ris([*base, *more, "ER  -"])
        assert isinstance(record, Record)
        assert record.ids.pmid == pmid


def test_medline_gives_each_orcid_to_its_author() -> None:
    """AUID stands under the name; a translated title loses its brackets."""
    names = ["FAU - Doe, Jane", "AU  - Doe J", "FAU - Roe, Rik", "AU  - Roe R"]
    lines = ["PMID- 1", "TI  - [On ice.].", *names, "AUID- ORCID: 0000-0002-1825-0097"]
    (record,) = read_medline(lines)
    assert isinstance(record, Record)
    assert record.title == "On ice"
    assert [person.orcid for person in record.authors] == ["", "0000-0002-1825-0097"]


def test_the_service_that_wrote_a_ris_record_is_no_record() -> None:
    """Wiley, JSTOR and others name themselves before each record; other stray lines are rejected."""
    heads = [
        "Record #1 of 2",
        "Provider: A House, Ltd.",
        'Content: text/plain; charset="UTF-8"',
        "",
    ]
    ovid = ["Link to the Ovid Full Text or citation: x", "", "C1  - Database: A Base", "Strategy:"]
    items = list(read_ris([*heads, *WALKS, "", *ovid, *WALKS, "a remark"]))
    assert [type(item).__name__ for item in items] == ["Record", "Record", "Rejected", "Note"]
    assert items[3] == Note("3 times the service speaks of itself between records")


def test_tagged_files_are_told_apart() -> None:
    """RIS may hold a PMID line, MEDLINE of ERIC none, and Web of Science may write tabs."""
    eric = ["OWN - ERIC", "TI  - On ice", "AU  - Roe, Ann", "DP  - 2020", "LA  - English"]
    texts = {
        "ris": "\n".join([*WALKS[:-1], "PMID - 12345678", "OWN - NLM", *WALKS[-1:]]),
        "medline": "\n".join(["", *eric, "", *eric]),
        "wos": "FN Thomson\nVR 1.0\nPT\tJ\nAU\tRoe, A\nTI\tOn\n   ice\nER\n\nEF",
    }
    for name, text in texts.items():
        found = choose(Sample("-", text.encode(), text, whole=True), readers())
        assert found is not None
        assert found.name == name
    first, second = read_medline(texts["medline"].split("\n"))
    assert isinstance(first, Record)
    assert isinstance(second, Record)
    assert (first.title, first.authors, first.year) == ("On ice", (Person("Roe", "Ann"),), 2020)
    assert (first.line, second.line) == (2, 8)
    (record,) = read_wos(texts["wos"].split("\n"))
    assert isinstance(record, Record)
    assert (record.title, record.authors) == ("On ice", (Person("Roe", "A"),))


def test_other_collections_of_web_of_science_have_numbers_of_their_own() -> None:
    """MEDLINE's is the PubMed id; in Derwent's patents, names have no commas."""
    medline = ["PT J", "TI On ice", "UT MEDLINE:31234567", "ER"]
    patent = ["PT P", "AU DOE Y", "   ROE RJ", "TI Ice", "UT DIIDW:2018123456", "ER"]
    first, second = read_wos(["FN X", "VR 1.0", *medline, "", *patent, "EF"])
    assert isinstance(first, Record)
    assert isinstance(second, Record)
    assert first.ids == Identifiers(pmid="31234567")
    assert second.ids == Identifiers(wos="DIIDW:2018123456")
    assert second.authors == (Person("DOE", "Y"), Person("ROE", "RJ"))


def test_web_of_science_saved_as_csv_keeps_its_tags() -> None:
    """ID holds keywords there, and CR cited references."""
    text = 'AU,TI,SO,PT,ID,CR,PY\n"Roe, A; Doe, B",On ice,J ICE,J,SNOW,"Poe C, 2001, J ICE, V1, P2",2005'
    found = choose(Sample("-", text.encode(), text, whole=True), readers())
    assert found is not None
    assert found.name == "wos-tab"
    (record,) = read_wos_table(text.split("\n"))
    assert isinstance(record, Record)
    assert record.authors == (Person("Roe", "A"), Person("Doe", "B"))
    assert (record.title, record.topics, record.year) == ("On ice", ("SNOW",), 2005)
    assert [(cited.authors, cited.year) for cited in record.references] == [(("Poe",), 2001)]
