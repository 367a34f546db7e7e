"""JATS: articles of PubMed Central and of publishers."""

from collections.abc import Iterator

from lxml import etree

from kg.model.record import Identifiers, Person, Record, Reference
from kg.sources import identifiers
from kg.sources.json_values import date, year
from kg.sources.names import person
from kg.sources.reader import NoRecordError
from kg.sources.xml_text import child_line, element_abstract, element_line

RECORDS = ("article",)

# Abstracts that are not the abstract.
_OTHER = frozenset(
    {"graphical", "teaser", "toc", "key-points", "editor", "plain-language-summary", "web-summary"}
)
_HREF = "{http://www.w3.org/1999/xlink}href"
_OTHERS = ("sub-article", "response")  # a review or a letter inside, with a bibliography of its own
_CITATIONS = ("element-citation", "mixed-citation", "nlm-citation", "citation")


def jats_record(element: etree._Element) -> Record:
    """Read one article."""
    front = element.find("front")
    if front is None:
        front = element.find("front-stub")
    if front is None:
        raise NoRecordError("no front matter in the article")
    meta = front.find("article-meta")
    meta = front if meta is None else meta
    abstracts = [a for a in meta.findall("abstract") if a.get("abstract-type") not in _OTHER]
    # The plain one before an author's summary, which has a type of its own.
    abstracts.sort(key=lambda a: a.get("abstract-type") is not None)
    text, original = element_abstract(*(abstracts[:1] or meta.findall("abstract")[:1]))
    ids = {e.get("pub-id-type"): (e.text or "").strip() for e in meta.findall("article-id")}
    day = _day(meta)
    title = child_line(meta, "title-group/article-title")
    subtitle = child_line(meta, "title-group/subtitle")
    return Record(
        title=f"{title}: {subtitle}" if title and subtitle else title,
        text=text,
        original=original,
        authors=tuple(_authors(meta)),
        year=year(day),
        date=day,
        venue=child_line(front, "journal-meta//journal-title"),
        ids=identifiers.complete(
            Identifiers(
                doi=identifiers.doi(ids.get("doi", "")),
                pmid=identifiers.pmid(ids.get("pmid", "")),
                pmcid=identifiers.pmcid(ids.get("pmcid", "") or ids.get("pmc", "")),
                arxiv=identifiers.arxiv(ids.get("arxiv", ""))[0],
            )
        ),
        topics=tuple(
            dict.fromkeys(line for e in meta.findall("kwd-group/kwd") if (line := element_line(e)))
        ),
        references=tuple(_references(element)),
        language=element.get("{http://www.w3.org/XML/1998/namespace}lang") or "",
        kind=element.get("article-type") or "",
    )


def _day(meta: etree._Element) -> str:
    dates = sorted(
        date(d.findtext("year") or "", d.findtext("month") or "", d.findtext("day") or "")
        for d in meta.findall("pub-date")
    )
    return next((day for day in dates if day), "")


def _authors(meta: etree._Element) -> Iterator[Person]:
    for contributor in meta.findall("contrib-group/contrib"):
        if contributor.get("contrib-type") not in (None, "author"):
            continue
        orcid = next(
            (
                e.text or ""
                for e in contributor.iter("contrib-id")
                if "orcid" in (e.get("contrib-id-type") or "")
            ),
            "",
        )
        name = contributor.find("name")
        if name is None:
            name = contributor.find("name-alternatives/name")
        if name is not None:
            given, suffix = child_line(name, "given-names"), child_line(name, "suffix")
            yield Person(
                child_line(name, "surname"),
                f"{given}, {suffix}" if suffix else given,
                "",
                identifiers.orcid(orcid),
            )
        elif collab := child_line(contributor, "collab") or child_line(contributor, "string-name"):
            yield Person(name=collab, orcid=identifiers.orcid(orcid))


def _references(element: etree._Element) -> Iterator[Reference]:
    for entry in element.iterfind(".//ref-list/ref"):
        if any(outer.tag in _OTHERS for outer in entry.iterancestors()):
            continue
        for kind in _CITATIONS:
            for citation in entry.iter(kind):
                yield _reference(citation)


def _reference(citation: etree._Element) -> Reference:
    raw = element_line(citation) if _is_printed(citation) else _joined(citation)
    ids = {e.get("pub-id-type"): (e.text or "").strip() for e in citation.findall("pub-id")}
    own = Identifiers(
        doi=identifiers.doi(ids.get("doi", "")),
        pmid=identifiers.pmid(ids.get("pmid", "")),
        pmcid=identifiers.pmcid(ids.get("pmcid", "")),
        arxiv=identifiers.arxiv(ids.get("arxiv", ""))[0],
    )
    links = " ".join(e.get(_HREF) or "" for e in citation.iter("ext-link", "uri"))
    printed = identifiers.find(f"{raw} {links}")[0]
    return Reference(
        raw=raw,
        ids=identifiers.complete(identifiers.merge(own, printed)),
        title=child_line(citation, "article-title") or child_line(citation, "chapter-title"),
        authors=tuple(_families(citation)),
        year=year(citation.findtext("year") or ""),
        venue=child_line(citation, "source"),
        volume=child_line(citation, "volume"),
        page=child_line(citation, "fpage"),
    )


def _families(citation: etree._Element) -> Iterator[str]:
    for name in citation.iter("surname", "string-name"):
        if name.tag == "surname":
            yield from filter(None, [element_line(name)])
        elif name.find("surname") is None and (each := person(element_line(name))).family:
            yield each.family


def _is_printed(citation: etree._Element) -> bool:
    """Whether signs stand between the parts of a reference, as in print; many files hold parts alone."""
    texts = [citation.text, *(child.tail for child in citation)]
    return len(citation) == 0 or any(text and text.strip() for text in texts)


def _joined(citation: etree._Element) -> str:
    """The parts of a reference on one line: Doe J, Roe R. On ice. J Ice. 2001. 7. 12."""
    names = [
        f"{child_line(name, 'surname')} {child_line(name, 'given-names')}".strip()
        for name in citation.iter("name", "string-name")
        if name.find("surname") is not None
    ]
    parts = [
        element_line(child)
        for child in citation
        if child.tag not in ("name", "string-name")
        and (child.tag != "person-group" or child.find(".//surname") is None)
    ]
    return ". ".join(part.rstrip(".") for part in (", ".join(names), *parts) if part)
