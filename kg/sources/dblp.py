"""DBLP's XML; its records have no abstracts, but their papers are cited."""

import re

from lxml import etree

from kg.model.record import Identifiers, Person, Record, Reference
from kg.sources import identifiers
from kg.sources.json_values import year
from kg.sources.names import person
from kg.sources.reader import NoRecordError
from kg.sources.xml_text import child_line, element_line

RECORDS = (
    "article",
    "inproceedings",
    "proceedings",
    "book",
    "incollection",
    "phdthesis",
    "mastersthesis",
    "data",
)


def dblp_record(element: etree._Element) -> Record:
    """Read one publication."""
    addresses = tuple(dict.fromkeys((e.text or "").strip() for e in element.findall("ee")))
    own = Identifiers(dblp=identifiers.dblp(element.get("key") or ""))
    title = child_line(element, "title")
    if not title and not own.dblp:
        raise NoRecordError("a publication without title and key")
    return Record(
        title=title[:-1] if title.endswith(".") else title,
        authors=tuple(_person(e) for e in element.findall("author") or element.findall("editor")),
        year=year(element.findtext("year") or ""),
        date=str(year(element.findtext("year") or "") or ""),
        venue=child_line(element, "journal") or child_line(element, "booktitle"),
        ids=identifiers.complete(identifiers.merge(own, identifiers.from_urls(addresses))),
        isbns=tuple(
            found for e in element.findall("isbn") if (found := identifiers.isbn(e.text or ""))
        ),
        urls=tuple(address for address in addresses if "doi.org" not in address and address),
        references=tuple(
            Reference.to(Identifiers.only("dblp", found))
            for e in element.findall("cite")
            if (found := identifiers.dblp((e.text or "").strip()))
        ),
        kind=element.tag,
    )


def _person(element: etree._Element) -> Person:
    # DBLP tells namesakes apart by a number behind the name.
    name = re.sub(r" \d{4}$", "", element_line(element))
    return person(name, orcid=identifiers.orcid(element.get("orcid") or ""))
