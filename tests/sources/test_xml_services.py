"""Each service's XML gives the record that its elements say."""

import io

from kg.model.record import Identifiers, Person, Record, Reference, Rejected
from kg.sources import xml_services
from kg.sources.reader import Item, Note, registered

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"


def read(name: str, text: str, encoding: str = "utf-8") -> list[Item]:
    """What the reader of a format makes of a text."""
    assert xml_services
    return list(registered()[name].read(io.BytesIO(text.encode(encoding))))


def test_pubmed_reads_structured_abstracts_and_references() -> None:
    """Section labels stand before their sections; a copyright line is no part of the abstract."""
    (record,) = read(
        "pubmed-xml",
        """<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>12</PMID><Article>
        <Journal><Title>J</Title><JournalIssue><PubDate><Year>2019</Year><Month>Feb</Month></PubDate>
        </JournalIssue></Journal><ArticleTitle>[A <i>title</i>.]</ArticleTitle>
        <ELocationID EIdType="doi">10.1000/Z</ELocationID>
        <Abstract><AbstractText Label="AIM">To see CO<sub>2</sub>.</AbstractText>
        <AbstractText Label="RESULTS">We saw 10<sup>3</sup>.</AbstractText>
        <CopyrightInformation>(c) 2019</CopyrightInformation></Abstract>
        <AuthorList><Author><LastName>Lee</LastName><ForeName>Ann</ForeName></Author>
        <Author><CollectiveName>The Group</CollectiveName></Author></AuthorList></Article>
        </MedlineCitation><PubmedData><ReferenceList><Reference><Citation>Bee. J. 2001.</Citation>
        <ArticleIdList><ArticleId IdType="pubmed">7</ArticleId></ArticleIdList></Reference>
        </ReferenceList></PubmedData></PubmedArticle></PubmedArticleSet>""",
    )
    assert isinstance(record, Record)
    assert record.title == "A title"
    assert record.text == "AIM: To see CO2.\nRESULTS: We saw 10^3."
    assert record.ids == Identifiers(pmid="12", doi="10.1000/z")
    assert record.authors == (Person("Lee", "Ann"), Person(name="The Group"))
    assert (record.year, record.date, record.venue) == (2019, "2019-02", "J")
    assert record.references == (Reference(raw="Bee. J. 2001.", ids=Identifiers(pmid="7")),)


def test_jats_reads_front_and_references() -> None:
    """Graphical abstracts are not the abstract; formulas are read once."""
    (record,) = read(
        "jats",
        """<!DOCTYPE article><article xmlns:x="u"><front><journal-meta><journal-title>J</journal-title>
        </journal-meta><article-meta><article-id pub-id-type="doi">10.1000/j</article-id>
        <title-group><article-title>T</article-title></title-group>
        <contrib-group><contrib contrib-type="author"><name><surname>Lee</surname>
        <given-names>Ann</given-names></name></contrib></contrib-group>
        <pub-date><year>2018</year></pub-date>
        <abstract abstract-type="graphical"><p>Picture.</p></abstract>
        <abstract><sec><title>Methods</title><p>We use <alternatives><tex-math>x_1</tex-math>
        <m>x1</m></alternatives>.</p></sec></abstract></article-meta></front>
        <back><ref-list><ref><element-citation><person-group><name><surname>Bee</surname></name>
        </person-group><article-title>Old</article-title><source>K</source><year>1999</year>
        <volume>3</volume><fpage>7</fpage><pub-id pub-id-type="pmid">9</pub-id></element-citation>
        </ref></ref-list></back></article>""",
    )
    assert isinstance(record, Record)
    assert record.text == "Methods: We use x_1."
    assert record.venue == "J"
    (reference,) = record.references
    assert (reference.title, reference.authors, reference.year) == ("Old", ("Bee",), 1999)
    assert (reference.volume, reference.page, reference.ids.pmid) == ("3", "7", "9")


def test_atom_reads_versions_of_both_kinds_of_id() -> None:
    """Ids before 2007 hold a slash."""
    new, old = read(
        "arxiv-atom",
        """<feed xmlns="http://www.w3.org/2005/Atom" xmlns:arxiv="u"><entry>
        <id>http://arxiv.org/abs/1706.03762v5</id><title>New
          one</title><summary>We do.</summary><published>2017-06-12T00:00:00Z</published>
        <author><name>Ann Lee</name></author><arxiv:doi>10.1000/q</arxiv:doi>
        <category term="cs.CL"/></entry><entry><id>http://arxiv.org/abs/cs/0501001v1</id>
        <title>Old one</title><summary>We did.</summary></entry></feed>""",
    )
    assert isinstance(new, Record)
    assert isinstance(old, Record)
    assert (new.title, new.ids.arxiv, new.arxiv_version) == ("New one", "1706.03762", "v5")
    assert (new.ids.doi, new.topics, new.date) == ("10.1000/q", ("cs.CL",), "2017-06-12")
    assert (old.ids.arxiv, old.year) == ("cs/0501001", 2005)


def test_oai_deleted_records_are_listed() -> None:
    """A deleted record is a block of the file, but no paper."""
    whole, deleted = read(
        "oai-pmh",
        """<OAI-PMH><ListRecords><record><header/><metadata><arXiv><id>2001.00001</id>
        <created>2020-01-02</created><authors><author><keyname>Lee</keyname><forenames>Ann</forenames>
        </author></authors><title>T</title><categories>cs.CL cs.LG</categories>
        <abstract>We do.</abstract></arXiv></metadata></record>
        <record><header status="deleted"/></record></ListRecords></OAI-PMH>""",
    )
    assert isinstance(whole, Record)
    assert (whole.title, whole.text, whole.topics) == ("T", "We do.", ("cs.CL", "cs.LG"))
    assert whole.authors == (Person("Lee", "Ann"),)
    assert isinstance(deleted, Rejected)
    assert "deleted" in deleted.reason


def test_dblp_is_read_in_its_own_encoding_and_with_its_entities() -> None:
    """DBLP leaves &ouml; to a DTD and numbers namesakes."""
    (record,) = read(
        "dblp-xml",
        '<?xml version="1.0" encoding="ISO-8859-1"?><dblp><article key="journals/x/A1">'
        "<author>Arnold Sch&ouml;nhage</author><author>Jos\xe9 Lee 0001</author><title>T.</title>"
        "<year>1977</year><journal>J</journal><ee>https://doi.org/10.1000/d</ee></article></dblp>",
        "iso-8859-1",
    )
    assert isinstance(record, Record)
    assert record.authors == (Person("Schönhage", "Arnold"), Person("Lee", "José"))
    assert record.ids == Identifiers(dblp="journals/x/A1", doi="10.1000/d")
    assert (record.title, record.year, record.venue) == ("T", 1977, "J")


def test_anthology_papers_know_their_volume() -> None:
    """The venue and the year stand once, before the papers."""
    one, two = read(
        "acl-xml",
        """<collection id="2020.x"><volume id="1"><meta><booktitle>V1</booktitle><year>2020</year></meta>
        <paper id="1"><title><fixed-case>B</fixed-case>ert</title><author><first>Ann</first>
        <last>Lee</last></author><abstract>We <i>do</i>.</abstract><url>2020.x-1.1</url></paper></volume>
        <volume id="2"><meta><booktitle>V2</booktitle><year>2021</year></meta>
        <paper id="1"><title>U</title></paper></volume></collection>""",
    )
    assert isinstance(one, Record)
    assert isinstance(two, Record)
    assert (one.title, one.text, one.venue, one.year) == ("Bert", "We do.", "V1", 2020)
    assert one.ids.acl == "2020.x-1.1"
    assert (two.title, two.venue, two.year) == ("U", "V2", 2021)


def test_endnote_reads_through_its_styles() -> None:
    """Every string of EndNote is wrapped in a style."""
    (record,) = read(
        "endnote-xml",
        """<xml><records><record><ref-type name="Journal Article">17</ref-type><contributors><authors>
        <author><style face="normal">Lee, Ann</style></author></authors></contributors><titles><title>
        <style>T</style></title><secondary-title><style>J</style></secondary-title></titles>
        <dates><year><style>2015</style></year></dates><abstract><style>We do.</style></abstract>
        <electronic-resource-num><style>10.1000/e</style></electronic-resource-num></record></records></xml>""",
    )
    assert isinstance(record, Record)
    assert (record.title, record.text, record.venue, record.year) == ("T", "We do.", "J", 2015)
    assert (record.authors, record.ids.doi) == ((Person("Lee", "Ann"),), "10.1000/e")


def test_zotero_rdf_reads_items() -> None:
    """Attachments beside the items are no papers."""
    record, _ = read(
        "zotero-rdf",
        """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:bib="b" xmlns:dc="d"
        xmlns:dcterms="t" xmlns:foaf="f" xmlns:z="z"><bib:Article rdf:about="https://doi.org/10.1000/r">
        <z:itemType>journalArticle</z:itemType><dcterms:isPartOf><bib:Journal><dc:title>J</dc:title>
        </bib:Journal></dcterms:isPartOf><bib:authors><rdf:Seq><rdf:li><foaf:Person>
        <foaf:surname>Lee</foaf:surname><foaf:givenName>Ann</foaf:givenName></foaf:Person></rdf:li>
        </rdf:Seq></bib:authors><dc:title>T</dc:title><dcterms:abstract>We do.</dcterms:abstract>
        <dc:date>2012-03</dc:date></bib:Article><z:Attachment rdf:about="#a"/></rdf:RDF>""",
    )
    assert isinstance(record, Record)
    assert (record.title, record.text, record.venue, record.year) == ("T", "We do.", "J", 2012)
    assert (record.authors, record.ids.doi) == ((Person("Lee", "Ann"),), "10.1000/r")


def test_a_file_cut_short_says_so() -> None:
    """What is whole before the break is read."""
    whole, cut = read(
        "dblp-xml",
        '<dblp><book key="books/x/A"><title>A.</title></book>\n<book key="books/x/B"><title>B.',
    )
    assert isinstance(whole, Record)
    assert cut == Rejected(
        "no </book>; is the file cut short?",
        '<book key="books/x/B"><title>B.',
        line=2,
    )


def test_a_journal_that_zotero_writes_apart_belongs_to_its_item() -> None:
    """The DOI of the item stands in its journal; the item may come first."""
    journal = (
        '<bib:Journal rdf:about="urn:issn:1"><dc:title>J Ice</dc:title>'
        "<dc:identifier>DOI 10.1000/ice</dc:identifier></bib:Journal>"
    )
    item = (
        '<bib:Article rdf:about="#i"><dcterms:isPartOf rdf:resource="urn:issn:1"/>'
        "<dc:title>On Ice</dc:title><dc:date>2019-05-03</dc:date></bib:Article>"
    )
    for body in (journal + item, item + journal):
        file = f'<rdf:RDF xmlns:rdf="{RDF}" xmlns:bib="b" xmlns:dc="d" xmlns:dcterms="t">{body}</rdf:RDF>'
        (record,) = read("zotero-rdf", file)
        assert isinstance(record, Record)
        assert (record.title, record.venue, record.date) == ("On Ice", "J Ice", "2019-05-03")
        assert record.ids.doi == "10.1000/ice"


def test_jats_takes_the_abstract_before_the_summary_and_links_for_identifiers() -> None:
    """Marks of notes are no part of a title, members of a group no part of its name."""
    article = (
        '<article xmlns:xlink="http://www.w3.org/1999/xlink"><front><article-meta><title-group>'
        '<article-title>On Ice<xref ref-type="fn">*</xref></article-title></title-group><contrib-group>'
        "<contrib><collab>ICE<contrib-group><contrib><name><surname>In</surname></name></contrib>"
        '</contrib-group></collab></contrib></contrib-group><abstract abstract-type="summary"><p>For all.</p>'
        "</abstract><abstract><p>We walk.</p></abstract></article-meta></front><back><ref-list><ref>"
        '<mixed-citation>Roe. Snow. <ext-link xlink:href="https://doi.org/10.1000/snow">link</ext-link>'
        "</mixed-citation></ref></ref-list></back></article>"
    )
    (record,) = read("jats", article)
    assert isinstance(record, Record)
    assert (record.title, record.text) == ("On Ice", "We walk.")
    assert [person.display for person in record.authors] == ["ICE"]
    assert [reference.ids.doi for reference in record.references] == ["10.1000/snow"]


def test_a_formula_is_not_the_document_around_it() -> None:
    """As Springer writes them; one that has structure keeps its dollars."""
    head = (
        r"\documentclass[12pt]{minimal} \usepackage{amsmath} \begin{document}$$%s$$\end{document}"
    )
    formulas = "".join(
        f"<inline-formula><alternatives><tex-math>{head % inner}</tex-math><graphic/></alternatives>"
        f"</inline-formula>, "
        for inner in (r"\alpha \le 5", r"\frac{1}{n}")
    )
    article = (
        "<article><front><article-meta><title-group><article-title>T</article-title></title-group>"
        f"<abstract><p>We use {formulas}and walk.</p></abstract></article-meta></front></article>"
    )
    (record,) = read("jats", article)
    assert isinstance(record, Record)
    assert record.text == r"We use α≤5, $\frac{1}{n}$, and walk."


def test_arxiv_raw_names_places_behind_its_authors() -> None:
    """They are no authors; the first version's date is the paper's."""
    raw = (
        "<OAI-PMH><record><header/><metadata><arXivRaw><id>hep-th/9901001</id><version version='v1'>"
        "<date>Fri, 1 Jan 1999 19:18:42 GMT</date></version><title>On $\\alpha$</title>"
        '<authors>J. Doe, R. Roe (U. Ice, (North)) and M. M\\"uller</authors></arXivRaw></metadata>'
        "</record></OAI-PMH>"
    )
    (record,) = read("oai-pmh", raw)
    assert isinstance(record, Record)
    assert [person.display for person in record.authors] == ["J. Doe", "R. Roe", "M. Müller"]
    assert (record.title, record.date) == ("On α", "1999-01-01")


def test_a_book_of_pubmed_has_the_title_of_its_book() -> None:
    """A whole book has no article title."""
    (record,) = read(
        "pubmed-xml",
        "<PubmedArticleSet><PubmedBookArticle><BookDocument><PMID>7</PMID><Book><BookTitle>Walks"
        "</BookTitle></Book></BookDocument></PubmedBookArticle></PubmedArticleSet>",
    )
    assert isinstance(record, Record)
    assert (record.title, record.ids) == ("Walks", Identifiers(pmid="7"))


def test_what_stands_beside_the_papers_is_counted() -> None:
    """Notes and files of Zotero, web pages of DBLP, front matters of the Anthology."""
    zotero = (
        f'<rdf:RDF xmlns:rdf="{RDF}" xmlns:bib="b#" xmlns:z="z#" xmlns:dc="d#"><bib:Article>'
        "<dc:title>Walks</dc:title></bib:Article><bib:Memo><rdf:value>odd</rdf:value></bib:Memo>"
        "<z:Attachment><dc:title>PDF</dc:title></z:Attachment></rdf:RDF>"
    )
    paper, files, notes = read("zotero-rdf", zotero)
    assert isinstance(paper, Record)
    assert (files, notes) == (Note("1 attachments, no paper"), Note("1 notes, no paper"))
    dblp = '<dblp><www key="www/a"><title>A</title></www><article key="journals/a/B1"/></dblp>'
    assert read("dblp-xml", dblp)[1:] == [Note("1 web pages, no paper")]
    volume = "<frontmatter><url>1-1.0</url></frontmatter><paper id='1'><title>T</title></paper>"
    anthology = f"<collection><volume><meta/>{volume}</volume></collection>"
    assert read("acl-xml", anthology)[1:] == [Note("1 front matters, no paper")]


def test_attributes_given_twice_cost_no_text() -> None:
    """Faults of attributes leave elements and text whole; a wrong end tag does not."""
    twice = '<record><header/><metadata><dc xmlns:d="no ad"><title x="1" x="2">Walks</title>{}</dc></metadata></record>'
    sound, broken = read("oai-pmh", f"<OAI-PMH>{twice.format('')}{twice.format('</b>')}</OAI-PMH>")
    assert isinstance(sound, Record)
    assert sound.title == "Walks"
    assert isinstance(broken, Rejected)


def test_indented_xml_does_not_part_words_and_signs() -> None:
    """Programs that indent put blanks before inline tags; what they part reads as one."""
    (record,) = read(
        "pubmed-xml",
        "<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>7</PMID><Article><ArticleTitle>On a"
        " gene (\n  <i>ICE</i>\n  ), and\n  <i>snow</i>.</ArticleTitle><Abstract><AbstractText>CO\n  <sub>2</sub>"
        " melts.</AbstractText></Abstract></Article></MedlineCitation></PubmedArticle></PubmedArticleSet>",
    )
    assert isinstance(record, Record)
    assert (record.title, record.text) == ("On a gene (ICE), and snow", "CO2 melts.")


def test_parts_of_a_jats_reference_without_signs_between_them_stay_apart() -> None:
    """Files tag the parts and leave the signs to the printer."""
    parts = (
        "<mixed-citation><name><surname>Doe</surname><given-names>J</given-names></name><name><surname>"
        "Roe</surname><given-names>R</given-names></name><article-title>On ice</article-title><source>J Ice"
        "</source><year>2001</year><volume>7</volume><fpage>12</fpage></mixed-citation>"
    )
    printed = "<mixed-citation>Doe, J. Ice 3, 7 (1973).<issn>0047-259X</issn><pub-id>10.1000/x</pub-id></mixed-citation>"
    (record,) = read(
        "jats",
        "<article><front><article-meta><title-group><article-title>T</article-title></title-group>"
        f"</article-meta></front><back><ref-list><ref>{parts}</ref><ref>{printed}</ref></ref-list></back></article>",
    )
    assert isinstance(record, Record)
    first, second = record.references
    assert first.raw == "Doe J, Roe R. On ice. J Ice. 2001. 7. 12"
    assert (first.title, first.authors, first.year) == ("On ice", ("Doe", "Roe"), 2001)
    assert second.raw == "Doe, J. Ice 3, 7 (1973). 0047-259X 10.1000/x"
    assert second.ids == Identifiers(doi="10.1000/x")


def test_an_abstract_that_only_the_publisher_gave_is_read() -> None:
    """The English one, where there are several."""
    other = '<OtherAbstract Language="{}"><AbstractText>{}</AbstractText></OtherAbstract>'
    (record,) = read(
        "pubmed-xml",
        "<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>7</PMID><Article><ArticleTitle>T"
        f"</ArticleTitle></Article>{other.format('ger', 'Wir gehen.')}{other.format('eng', 'We walk.')}"
        "</MedlineCitation></PubmedArticle></PubmedArticleSet>",
    )
    assert isinstance(record, Record)
    assert record.text == "We walk."


def test_jats_names_and_years_inside_running_text_are_found() -> None:
    """A name as one string has a family name; a year that is tagged stands apart."""
    (record,) = read(
        "jats",
        "<article><front><article-meta/></front><back><ref-list><ref><mixed-citation>See Keenan<year>2005"
        "</year> and <string-name>Acohido, B.</string-name>.</mixed-citation></ref></ref-list></back></article>".replace(
            "<article-meta/>",
            "<article-meta><title-group><article-title>T</article-title></title-group></article-meta>",
        ),
    )
    assert isinstance(record, Record)
    (cited,) = record.references
    assert (cited.raw, cited.authors, cited.year) == (
        "See Keenan 2005 and Acohido, B..",
        ("Acohido",),
        2005,
    )
