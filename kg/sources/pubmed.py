"""PubMed: articles and books in XML, as efetch and the yearly baseline write them."""

import re
from collections.abc import Iterator

from lxml import etree

from kg.model.record import Identifiers, Person, Record, Reference
from kg.sources import identifiers
from kg.sources.json_values import date, year
from kg.sources.reader import NoRecordError
from kg.sources.xml_text import child_line, element_abstract, element_line

RECORDS = ("PubmedArticle", "PubmedBookArticle")

_MONTHS = {
    month: number
    for number, month in enumerate(
        "jan feb mar apr may jun jul aug sep oct nov dec".split(), start=1
    )
}


def pubmed_record(element: etree._Element) -> Record:
    """Read one PubmedArticle or PubmedBookArticle."""
    book = element.tag == "PubmedBookArticle"
    citation = element.find("BookDocument" if book else "MedlineCitation")
    if citation is None:
        raise NoRecordError("no MedlineCitation in the article")
    article = citation if book else citation.find("Article")
    if article is None:
        raise NoRecordError("no Article in the MedlineCitation")
    title = child_line(article, "ArticleTitle") or child_line(article, "VernacularTitle")
    title = title or child_line(article, "Book/BookTitle")  # of a book as a whole
    text, original = element_abstract(*_sections(citation, article))
    day = _day(article)
    return Record(
        # PubMed sets translated titles in brackets.
        title=re.sub(r"^\[(.*?)\.?\]?\.?$", r"\1", title)
        if title.startswith("[")
        else title.rstrip("."),
        text=text,
        original=original,
        authors=tuple(_authors(article)),
        year=year(day),
        date=day,
        venue=child_line(article, "Journal/Title") or child_line(article, "Book/BookTitle"),
        ids=_ids(element, citation, article),
        isbns=tuple(
            found for e in article.iter("Isbn") if (found := identifiers.isbn(e.text or ""))
        ),
        topics=tuple(
            dict.fromkeys(
                line
                for path in ("MeshHeadingList/MeshHeading/DescriptorName", "KeywordList/Keyword")
                for e in citation.findall(path)
                if (line := element_line(e))
            )
        ),
        references=tuple(_reference(e) for e in element.findall("PubmedData//Reference")),
        language=child_line(article, "Language"),
        kind=child_line(article, "PublicationTypeList/PublicationType"),
    )


def _sections(citation: etree._Element, article: etree._Element) -> list[etree._Element]:
    """The sections of the abstract; where only publishers gave some, those of the English one."""
    if own := article.findall("Abstract/AbstractText"):
        return own
    others = citation.findall("OtherAbstract")
    others.sort(key=lambda other: other.get("Language", "eng") != "eng")
    return others[0].findall("AbstractText") if others else []


def _ids(element: etree._Element, citation: etree._Element, article: etree._Element) -> Identifiers:
    data = element.find("PubmedData")
    if data is None:
        data = element.find("PubmedBookData")
    listed = _article_ids(data.find("ArticleIdList") if data is not None else None)
    own = _article_ids(citation.find("ArticleIdList"))
    doi = next((e.text or "" for e in article.iter("ELocationID") if e.get("EIdType") == "doi"), "")
    first = Identifiers(
        pmid=identifiers.pmid(citation.findtext("PMID") or ""), doi=identifiers.doi(doi)
    )
    return identifiers.complete(identifiers.merge(first, listed, own))


def _article_ids(ids: etree._Element | None) -> Identifiers:
    found = {e.get("IdType"): (e.text or "").strip() for e in ids} if ids is not None else {}
    return Identifiers(
        doi=identifiers.doi(found.get("doi", "")),
        pmid=identifiers.pmid(found.get("pubmed", "")),
        pmcid=identifiers.pmcid(found.get("pmc", "")),
    )


def _day(article: etree._Element) -> str:
    for path in ("Journal/JournalIssue/PubDate", "ArticleDate", "Book/PubDate", "ContributionDate"):
        found = article.find(path)
        if found is None:
            continue
        month = (found.findtext("Month") or "").strip()
        number = _MONTHS.get(month[:3].lower(), month)
        day = date(found.findtext("Year") or "", str(number), found.findtext("Day") or "")
        if day:
            return day
        medline = year(found.findtext("MedlineDate") or "")
        if medline:
            return str(medline)
    return ""


def _authors(article: etree._Element) -> Iterator[Person]:
    lists = article.findall("AuthorList") or article.findall("Book/AuthorList")
    for author in (a for listed in lists for a in listed.findall("Author")):
        orcid = next(
            (e.text or "" for e in author.findall("Identifier") if e.get("Source") == "ORCID"), ""
        )
        family, given = child_line(author, "LastName"), child_line(author, "ForeName")
        given = given or child_line(author, "Initials")
        suffix = child_line(author, "Suffix")
        if family:
            yield Person(
                family, f"{given}, {suffix}" if suffix else given, "", identifiers.orcid(orcid)
            )
        elif name := child_line(author, "CollectiveName"):
            yield Person(name=name)


def _reference(element: etree._Element) -> Reference:
    raw = child_line(element, "Citation")
    printed = identifiers.find(raw)[0] if raw else Identifiers()
    return Reference(
        raw=raw,
        ids=identifiers.complete(
            identifiers.merge(_article_ids(element.find("ArticleIdList")), printed)
        ),
    )
