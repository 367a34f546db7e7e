"""XML of reference managers: EndNote, Mendeley's EndNote export, and Zotero RDF."""

from lxml import etree

from kg.model.record import Identifiers, Person, Record
from kg.sources import identifiers
from kg.sources.dates import date_of
from kg.sources.json_values import year
from kg.sources.names import person
from kg.sources.xml_text import child_line, element_abstract, element_line

_RDF_ABOUT = "{http://www.w3.org/1999/02/22-rdf-syntax-ns#}about"
_RDF_RESOURCE = "{http://www.w3.org/1999/02/22-rdf-syntax-ns#}resource"

ZOTERO_ITEMS = (
    "Article Book BookSection Report Thesis Patent Manuscript Document ConferenceProceedings"
    " Description Recording Illustration Data Image Letter Interview MotionPicture Legislation"
).split()


def endnote_record(element: etree._Element) -> Record:
    """Read one record of EndNote's XML, which Mendeley and Bookends write, too."""
    found = element.find("abstract")
    text, original = element_abstract(found) if found is not None else ("", "")
    if original.lstrip().startswith("<style"):
        original = ""  # styles of the reference manager, not of the abstract
    urls = identifiers.urls(" ".join(element_line(e) for e in element.findall("urls//url")))
    day = child_line(element, "dates/year")
    exact = date_of(f"{child_line(element, 'dates/pub-dates/date')} {day}")
    number = child_line(element, "electronic-resource-num")
    people = element.findall("contributors/authors/author") or element.findall(
        "contributors/secondary-authors/author"
    )
    kind = element.find("ref-type")
    own = Identifiers(
        doi=identifiers.doi(number),
        pmid=identifiers.pmid(child_line(element, "accession-num")),
        wos=identifiers.wos(child_line(element, "accession-num")),
        pmcid=identifiers.pmcid(child_line(element, "custom2"))
        if "PMC" in child_line(element, "custom2")
        else "",
        key=child_line(element, "label") or child_line(element, "rec-number"),
    )
    return Record(
        title=child_line(element, "titles/title"),
        text=text,
        original=original,
        authors=tuple(person(line) for e in people if (line := element_line(e))),
        year=year(day),
        date=exact if exact.startswith(str(year(day))) else str(year(day) or ""),
        venue=child_line(element, "titles/secondary-title")
        or child_line(element, "periodical/full-title"),
        ids=identifiers.complete(identifiers.merge(own, identifiers.from_urls(urls))),
        isbns=tuple(
            isbn
            for part in child_line(element, "isbn").replace(";", " ").split()
            if (isbn := identifiers.isbn(part))
        ),
        urls=urls,
        topics=tuple(
            dict.fromkeys(
                line for e in element.findall("keywords/keyword") if (line := element_line(e))
            )
        ),
        language=child_line(element, "language"),
        kind=(kind.get("name") or element_line(kind)) if kind is not None else "",
    )


def zotero_rdf_record(element: etree._Element, journal: etree._Element | None = None) -> Record:
    """Read one item of Zotero RDF: Dublin Core, BIB and FOAF words.

    The journal is the one that the item refers to; Zotero writes the item's DOI into it.
    """
    found = element.find("abstract")
    text, original = element_abstract(found) if found is not None else ("", "")
    about = element.get(_RDF_ABOUT) or ""
    notes = [element_line(e) for e in element.iter("identifier", "value", "description")]
    if journal is not None:
        notes += [element_line(e) for e in journal.iter("identifier")]
    addresses = [
        about,
        *notes,
        *(e.get(_RDF_RESOURCE) or "" for e in element.iter("isReferencedBy")),
    ]
    own, version = identifiers.find(" ".join(addresses))
    day = child_line(element, "date")
    people = element.findall(".//authors//Person") or element.findall(".//editors//Person")
    urls = tuple(dict.fromkeys(a for a in addresses if a.startswith(("http://", "https://"))))
    return Record(
        title=child_line(element, "title"),
        text=text,
        original=original,
        authors=tuple(
            Person(
                child_line(p, "surname"), child_line(p, "givenName") or child_line(p, "givenname")
            )
            for p in people
        ),
        year=year(day),
        date=date_of(day),
        venue=child_line(element, "isPartOf//title")
        or (child_line(journal, "title") if journal is not None else ""),
        ids=identifiers.complete(own),
        arxiv_version=version,
        isbns=tuple(
            isbn for note in notes if "ISBN" in note.upper() and (isbn := identifiers.isbn(note))
        ),
        urls=urls,
        topics=tuple(
            dict.fromkeys(line for e in element.findall("subject") if (line := element_line(e)))
        ),
        language=child_line(element, "language"),
        kind=child_line(element, "itemType"),
    )
