"""Crossref's XML: what its resolver answers (unixref), and what publishers deposit."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from lxml import etree

from kg.model.record import Identifiers, Person, Record, Reference, Rejected
from kg.sources import identifiers
from kg.sources.json_services import has_identifier
from kg.sources.json_values import date, year
from kg.sources.names import person
from kg.sources.reader import Item, NoRecordError, Sample, Takes, guarded, placed, reader
from kg.sources.xml_blocks import Block, parse_block, xml_blocks
from kg.sources.xml_services import characters
from kg.sources.xml_text import child_line, element_abstract

# One answer of the resolver, or what holds the papers of a deposit.
_BLOCKS = (
    "doi_record", "journal", "conference", "book", "posted_content", "dissertation",
    "report-paper", "standard", "database", "peer_review",
)  # fmt: skip
_PARTS = ("journal_article", "conference_paper", "content_item", "dataset")
_WHOLES = (
    "posted_content", "dissertation", "report-paper_metadata", "report-paper_series_metadata",
    "standard_metadata", "peer_review", "book_metadata", "book_series_metadata", "book_set_metadata",
    "proceedings_metadata", "database_metadata",
)  # fmt: skip
_NAMES = ("person_name", "organization")
_DATES = ("publication_date", "posted_date", "approval_date", "review_date", "database_date")
_VENUES = (
    ".//journal_metadata/full_title", ".//proceedings_title", ".//book_metadata/titles/title",
    ".//book_series_metadata/titles/title", ".//institution_name", ".//group_title",
)  # fmt: skip


def _sniff(sample: Sample) -> float:
    tags = [tag.rpartition(":")[2] for tag in sample.tags]
    if "doi_record" in tags or tags[:1] == ["doi_batch"]:
        return 0.96
    return 0.0


@reader(
    "crossref-xml",
    about="Crossref's XML: unixref and deposits",
    gives=("abstract", "authors", "year", "venue", "identifiers", "references"),
    takes=Takes.BYTES,
    suffixes=(".xml",),
    sniff=_sniff,
)
def read_crossref_xml(stream: BinaryIO) -> Iterator[Item]:
    """Yield a Record for every paper of every block; a block without one is a Rejected."""
    for block in xml_blocks(characters(stream), _BLOCKS):
        yield from guarded(_items, block)


def _items(block: Block) -> Iterator[Item]:
    if not block.closed:
        problem = f"no </{block.name}>; is the file cut short?"
        yield Rejected(problem, block.raw, line=block.line)
        return
    try:
        element = parse_block(block)
    except NoRecordError as error:
        yield Rejected(str(error), block.raw, line=block.line)
        return
    found = list(_papers(element))
    for paper in found:
        yield from guarded(_paper_items, _Paper(block.line, paper), element)
    if not found:
        said = child_line(element, ".//error")
        problem = (
            f"the service says: {said}" if said else "a journal or series without a paper in it"
        )
        yield Rejected(problem, block.raw, line=block.line)


@dataclass(frozen=True, slots=True)
class _Paper:
    """One of the papers of a block; `line` is the block's."""

    line: int
    element: etree._Element

    @property
    def text(self) -> str:
        """Its XML."""
        return str(etree.tostring(self.element, encoding="unicode", with_tail=False))


def _paper_items(paper: _Paper, around: etree._Element) -> Iterator[Item]:
    record = _record(paper.element, around)
    if record.title or record.text or has_identifier(record):
        yield placed(record, line=paper.line)
    else:
        problem = "neither a title, nor an abstract, nor an identifier"
        yield Rejected(problem, paper.text, line=paper.line)


def _papers(element: etree._Element) -> list[etree._Element]:
    """The articles, papers and chapters; else the one work that the block is about."""
    parts = list(element.iter(*_PARTS))
    return parts or list(element.iter(*_WHOLES))[-1:]


def _record(paper: etree._Element, around: etree._Element) -> Record:
    abstracts = paper.findall("abstract")
    # Some publishers deposit a summary for everybody beside the abstract.
    abstracts.sort(key=lambda each: each.get("abstract-type") is not None)
    text, original = element_abstract(*abstracts[:1])
    day = _day(paper) or _day(around)
    doi = identifiers.doi(child_line(paper, "doi_data/doi"))
    address = child_line(paper, "doi_data/resource")
    title, subtitle = child_line(paper, "titles/title"), child_line(paper, "titles/subtitle")
    return Record(
        title=f"{title.rstrip(': ')}: {subtitle}" if title and subtitle else title,
        text=text,
        original=original,
        authors=tuple(_authors(paper)),
        year=year(day),
        date=day,
        venue=_venue(around, title),
        ids=identifiers.complete(Identifiers(doi=doi)),
        isbns=tuple(
            dict.fromkeys(
                isbn for each in around.iter("isbn") if (isbn := identifiers.isbn(each.text or ""))
            )
        ),
        urls=(address,) if address.startswith("http") else (),
        references=tuple(_reference(each) for each in paper.iterfind("citation_list/citation")),
        language=paper.get("language") or "",
        kind=str(paper.tag),
    )


def _venue(around: etree._Element, title: str) -> str:
    names = (child_line(around, path) for path in _VENUES)
    return next((name for name in names if name and name != title), "")


def _day(element: etree._Element) -> str:
    """The earliest of the dates of the first kind that is given: online goes before print."""
    for kind in _DATES:
        days = [
            date(e.findtext("year") or "", e.findtext("month") or "", e.findtext("day") or "")
            for e in (element.findall(kind) or element.iterfind(f".//{kind}"))
        ]
        if found := sorted(filter(None, days)):
            return found[0]
    return ""


def _authors(paper: etree._Element) -> Iterator[Person]:
    """The authors, else whoever else stands there, as the editors of a book do."""
    listed = paper.find("contributors")
    names = [each for each in (paper if listed is None else listed) if each.tag in _NAMES]
    authors = [each for each in names if each.get("contributor_role") == "author"]
    for each in authors or names:
        orcid = identifiers.orcid(child_line(each, "ORCID"))
        family, given = child_line(each, "surname"), child_line(each, "given_name")
        suffix = child_line(each, "suffix")
        if each.tag == "organization":
            yield Person(name=child_line(each, "."))
        elif family:
            yield Person(family, f"{given}, {suffix}" if suffix else given, "", orcid)


def _reference(citation: etree._Element) -> Reference:
    raw = child_line(citation, "unstructured_citation")
    printed = identifiers.find(raw)[0] if raw else Identifiers()
    own = Identifiers(doi=identifiers.doi(child_line(citation, "doi")))
    author = child_line(citation, "author")
    first = person(author)
    return Reference(
        raw=raw,
        ids=identifiers.complete(identifiers.merge(own, printed)),
        title=child_line(citation, "article_title") or child_line(citation, "volume_title"),
        authors=(first.family or first.name,) if author else (),
        year=year(child_line(citation, "cYear")),
        venue=child_line(citation, "journal_title") or child_line(citation, "series_title"),
        volume=child_line(citation, "volume"),
        page=child_line(citation, "first_page"),
    )
