"""The ACL Anthology's XML: a collection of volumes of papers."""

from lxml import etree

from kg.model.record import Identifiers, Person, Record
from kg.sources import identifiers
from kg.sources.json_values import year
from kg.sources.xml_text import child_line, element_abstract


def anthology_record(paper: etree._Element, *, venue: str, published: str) -> Record:
    """Read one paper; its volume says where and when it was published."""
    found = paper.find("abstract")
    text, original = element_abstract(found) if found is not None else ("", "")
    url = paper.findtext("url") or ""
    return Record(
        title=child_line(paper, "title"),
        text=text,
        original=original,
        authors=tuple(
            Person(
                child_line(a, "last"),
                child_line(a, "first"),
                "",
                identifiers.orcid(a.get("orcid") or ""),
            )
            for a in paper.findall("author")
        ),
        year=year(published),
        date=str(year(published) or ""),
        venue=venue,
        ids=identifiers.complete(
            Identifiers(
                doi=identifiers.doi(paper.findtext("doi") or ""),
                acl=identifiers.acl(url),
                key=paper.findtext("bibkey") or "",
            )
        ),
        urls=() if identifiers.acl(url) or not url.startswith("http") else (url,),
        language=paper.findtext("language") or "",
        kind="paper",
    )
