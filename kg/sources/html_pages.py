"""Pages saved from a browser: arXiv's listings, searches and abstracts; pages that name their paper.

A page is read whole, since browsers save pages of a few megabytes and HTML has no end of tricks;
nothing in it is run or fetched.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from lxml import etree, html

from kg.model.record import Identifiers, Person, Record, Rejected
from kg.sources import identifiers
from kg.sources.arxiv import id_year
from kg.sources.json_values import year
from kg.sources.listing import read_listing
from kg.sources.names import people, person
from kg.sources.reader import Item, Note, Sample, Takes, guarded, reader
from kg.sources.text import abstract, one_line

_LONGEST = 64 * 1024 * 1024
_ABS = re.compile(r"arxiv\.org/abs/|^/abs/")
_LABEL = re.compile(r"^\s*(?:Title|Authors?|Subjects?|Comments?|Journal-ref|Abstract)\s*:\s*", re.I)
_BLOCKS = frozenset(
    "address article aside blockquote dd div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6"
    " header hr li main nav ol p pre section table td th tr ul br".split()
)
_UNSEEN = frozenset(
    "script style noscript template svg math head nav footer button select form iframe".split()
)


def _is_html(sample: Sample) -> bool:
    start = sample.start[:2000].lower()
    return start.startswith(("<!doctype html", "<html")) or ("<html" in start and start[:1] == "<")


def _sniff_arxiv(sample: Sample) -> float:
    if not sample.start.startswith("<"):
        return 0.0
    marks = ("list-title", "arxiv-result", 'name="citation_arxiv_id"', "list-identifier")
    return 0.97 if any(mark in sample.text for mark in marks) else 0.0


def _sniff_meta(sample: Sample) -> float:
    return 0.9 if _is_html(sample) and "citation_title" in sample.text else 0.0


@reader(
    "arxiv-html",
    about="arXiv pages saved from a browser: listings, searches, abstracts",
    gives=("abstract", "authors", "year", "venue", "identifiers"),
    takes=Takes.UTF8,
    suffixes=(".html", ".htm", ".xhtml"),
    sniff=_sniff_arxiv,
)
def read_arxiv_html(stream: BinaryIO) -> Iterator[Item]:
    """Read every paper that a page of arXiv lists."""
    root = _page(stream)
    if root is None:
        return
    found = False
    for term, description in _listed(root):
        found = True
        yield from guarded(_listing_items, _Part(description), term)
    for result in _with_class(root, "arxiv-result"):
        found = True
        yield from guarded(_search_items, _Part(result))
    if not found:
        yield from _abstract_page(root)


@reader(
    "html-meta",
    about="A saved page of one paper that names it in citation_ tags, as publishers' pages do",
    gives=("abstract", "authors", "year", "venue", "identifiers"),
    takes=Takes.UTF8,
    suffixes=(".html", ".htm", ".xhtml"),
    sniff=_sniff_meta,
)
def read_html_meta(stream: BinaryIO) -> Iterator[Item]:
    """Read the paper that a page is about."""
    root = _page(stream)
    if root is not None:
        yield from _abstract_page(root)


@reader(
    "html",
    about="Any other saved page; its blocks are read as a listing",
    gives=("abstract", "authors", "year", "venue", "identifiers"),
    takes=Takes.UTF8,
    suffixes=(".html", ".htm", ".xhtml"),
    sniff=lambda sample: 0.3 if _is_html(sample) else 0.0,
)
def read_html(stream: BinaryIO) -> Iterator[Item]:
    """Read what a page shows, block by block, as a listing of papers is read."""
    root = _page(stream)
    if root is not None:
        yield from read_listing(page_lines(root))


def page_lines(root: etree._Element) -> Iterator[str]:
    """Yield the text of a page a line per block, empty lines between blocks."""
    pieces: list[str] = []
    for kind, text in _walk(root):
        if kind == "text":
            pieces.append(text)
            continue
        if line := one_line("".join(pieces)):
            yield line
        if pieces:
            yield ""
        pieces.clear()
    if line := one_line("".join(pieces)):
        yield line


def _walk(element: etree._Element) -> Iterator[tuple[str, str]]:
    # Without recursion: a hostile page nests deeper than Python's stack.
    for event, node in etree.iterwalk(element, events=("start", "end", "comment", "pi")):
        if not isinstance(node.tag, str):
            if event in ("comment", "pi") and node.tail:
                yield "text", node.tail
            continue
        hidden = any(a.tag in _UNSEEN for a in (node, *node.iterancestors()))
        if node.tag in _BLOCKS:
            yield "break", ""
        if event == "start" and node.text and not hidden:
            yield "text", node.text
        if event == "end" and node.tail:
            parent = node.getparent()
            if parent is None or not any(
                a.tag in _UNSEEN for a in (parent, *parent.iterancestors())
            ):
                yield "text", node.tail


def _page(stream: BinaryIO) -> etree._Element | None:
    data = stream.read(_LONGEST)
    parser = html.HTMLParser(encoding="utf-8", no_network=True, remove_pis=True, huge_tree=False)
    try:
        return html.document_fromstring(data, parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError):
        return None


@dataclass(frozen=True, slots=True)
class _Part:
    """The element of a page that is about one paper."""

    element: etree._Element

    @property
    def line(self) -> int:
        return _line(self.element)

    @property
    def text(self) -> str:
        return _text(self.element)


def _listing_items(part: _Part, term: etree._Element) -> Iterator[Item]:
    yield _or_rejected(_listing_record(term, part.element), part)


def _search_items(part: _Part) -> Iterator[Item]:
    yield _or_rejected(_search_record(part.element), part)


def _listed(root: etree._Element) -> Iterator[tuple[etree._Element, etree._Element]]:
    """The pairs of a listing: the term with the number, the description behind it."""
    for term in root.iter("dt"):
        following = term.getnext()
        if following is not None and following.tag == "dd" and _number(term)[0]:
            yield term, following


def _listing_record(term: etree._Element, description: etree._Element) -> Record:
    number, version = _number(term)
    paragraphs = [p for p in _with_class(description, "mathjax") if p.tag == "p"]
    text = abstract(_text(paragraphs[0]))[0] if paragraphs else ""
    subjects = _part(description, "list-subjects")
    return Record(
        title=_part(description, "list-title"),
        text=text,
        authors=_link_names(description, "list-authors"),
        year=id_year(number),
        venue=_part(description, "list-journal-ref"),
        ids=Identifiers(arxiv=number, doi=identifiers.doi(_part(description, "list-doi"))),
        arxiv_version=version,
        topics=_subjects(subjects),
        kind="preprint",
        line=_line(description),
    )


def _search_record(result: etree._Element) -> Record:
    number, version = _number(result)
    chosen = _with_class(result, "abstract-full") or _with_class(result, "abstract-short")
    text = re.sub(r"\s*(?:△|▽)\s*(?:Less|More)\s*$", "", _text(chosen[0])) if chosen else ""
    titles = _with_class(result, "title")
    submitted = next((_text(p) for p in result.iter("p") if "Submitted" in _text(p)), "")
    return Record(
        title=one_line(_text(titles[0])) if titles else "",
        text=abstract(text)[0],
        authors=_link_names(result, "authors"),
        year=year(submitted) or id_year(number),
        ids=Identifiers(arxiv=number),
        arxiv_version=version,
        topics=tuple(
            one_line(_text(tag)) for tag in _with_class(result, "tag") if tag.tag == "span"
        ),
        kind="preprint",
        line=_line(result),
    )


def _abstract_page(root: etree._Element) -> Iterator[Item]:
    meta: dict[str, list[str]] = {}
    for tag in root.iter("meta"):
        name = (tag.get("name") or tag.get("property") or "").lower()
        if content := tag.get("content"):
            meta.setdefault(name, []).append(content)

    def first(*names: str) -> str:
        return next((meta[name][0] for name in names if name in meta), "")

    quoted = [e for e in _with_class(root, "abstract") if e.tag == "blockquote"]
    raw = first("citation_abstract", "dc.description", "dcterms.abstract")
    if quoted:
        raw = _LABEL.sub("", _text(quoted[0]))
    text = abstract(raw)[0]
    number, version = identifiers.arxiv(first("citation_arxiv_id"))
    title = one_line(first("citation_title", "dc.title", "og:title"))
    if not title and not text:
        yield Note("a page without papers")
        return
    day = first("citation_publication_date", "citation_date", "citation_online_date", "dc.date")
    yield Record(
        title=title,
        text=text,
        authors=tuple(person(name) for name in meta.get("citation_author", [])),
        year=year(day),
        date=day.replace("/", "-") if re.fullmatch(r"\d{4}[/-]\d\d[/-]\d\d", day) else "",
        venue=one_line(first("citation_journal_title", "citation_conference_title")),
        ids=identifiers.complete(
            Identifiers(
                doi=identifiers.doi(first("citation_doi", "dc.identifier", "prism.doi")),
                arxiv=number,
                pmid=identifiers.pmid(first("citation_pmid")),
            )
        ),
        arxiv_version=version,
        urls=tuple(u for u in meta.get("citation_public_url", []) if u.startswith("http")),
        topics=tuple(one_line(k) for k in meta.get("citation_keywords", [])),
        line=1,
    )


def _number(element: etree._Element) -> tuple[str, str]:
    for link in element.iter("a"):
        address = link.get("href") or ""
        if _ABS.search(address):
            found = identifiers.arxiv(address.split("/abs/")[-1])
            if found[0]:
                return found
    return identifiers.arxiv("")


def _part(element: etree._Element, name: str) -> str:
    return next((one_line(_LABEL.sub("", _text(e))) for e in _with_class(element, name)), "")


def _link_names(element: etree._Element, name: str) -> tuple[Person, ...]:
    for part in _with_class(element, name):
        links = [one_line(_text(link)) for link in part.iter("a")]
        if links:
            return tuple(person(link) for link in links if link)
        return people(one_line(_LABEL.sub("", _text(part))))
    return ()


def _subjects(text: str) -> tuple[str, ...]:
    return tuple(
        re.sub(r"^.*\(([\w.-]+)\)$", r"\1", part.strip())
        for part in text.split(";")
        if part.strip()
    )


def _with_class(element: etree._Element, name: str) -> list[etree._Element]:
    return [e for e in element.iter() if name in (e.get("class") or "").split()]


def _text(element: etree._Element) -> str:
    return "".join(str(piece) for piece in element.itertext())


def _or_rejected(record: Record, part: _Part) -> Item:
    if record.title or record.text:
        return record
    return Rejected("neither a title nor an abstract", part.text, line=part.line)


def _line(element: etree._Element) -> int:
    return element.sourceline if isinstance(element.sourceline, int) else 0
