"""Readers of services and programs that write XML: one format each, told apart by their tags."""

import codecs
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import BinaryIO

from lxml import etree

from kg.model.record import Record, Rejected
from kg.sources.anthology import anthology_record
from kg.sources.arxiv import atom_record, oai_record
from kg.sources.dblp import RECORDS as DBLP
from kg.sources.dblp import dblp_record
from kg.sources.jats import RECORDS as JATS
from kg.sources.jats import jats_record
from kg.sources.json_services import has_identifier
from kg.sources.pubmed import RECORDS as PUBMED
from kg.sources.pubmed import pubmed_record
from kg.sources.reader import Item, NoRecordError, Note, Sample, Takes, guarded, placed, reader
from kg.sources.reference_managers import ZOTERO_ITEMS, endnote_record, zotero_rdf_record
from kg.sources.xml_blocks import Block, parse_block, xml_blocks
from kg.sources.xml_text import child_line

_ALL = ("abstract", "authors", "year", "venue", "identifiers")
_CITING = (*_ALL, "references")
_CHUNK = 1024 * 1024
_DECLARATION = re.compile(rb"^\s*<\?xml[^>]*?encoding\s*=\s*[\"']([\w.:-]+)[\"']")
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

_ABOUT = re.compile(r"\babout\s*=\s*[\"']([^\"']*)[\"']")
_PART_OF = re.compile(r"isPartOf\s[^<>]*\bresource\s*=\s*[\"']([^\"']*)[\"']")
_WAITING = 200_000  # items that may wait for their journal
# What Zotero writes beside its items, DBLP beside publications, and the Anthology beside papers.
_ZOTERO_BESIDE = ("Attachment", "Memo", "Collection")
_BESIDE = {
    "Attachment": "attachments",
    "Memo": "notes",
    "Collection": "collections",
    "www": "web pages",
    "frontmatter": "front matters",
}

RecordOf = Callable[[etree._Element], Record]


def characters(stream: BinaryIO) -> Iterator[str]:
    """Decode XML by its byte order mark, its declaration, else as UTF-8; line ends become LF."""
    head = stream.read(_CHUNK)
    encoding, skip = _encoding(head)
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    data = head[skip:]
    held = ""
    while data:
        text = held + decoder.decode(data)
        held = "\r" if text.endswith("\r") else ""
        yield _line_ends(text[: len(text) - len(held)])
        data = stream.read(_CHUNK)
    yield _line_ends(held + decoder.decode(b"", final=True))


def _line_ends(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _encoding(head: bytes) -> tuple[str, int]:
    for mark, name in _MARKS:
        if head.startswith(mark):
            return name, len(mark)
    if head[:4] == b"<\x00?\x00":
        return "utf-16-le", 0
    if head[:4] == b"\x00<\x00?":
        return "utf-16-be", 0
    declared = _DECLARATION.match(head)
    name = declared.group(1).decode("ascii", "replace") if declared else "utf-8"
    try:
        codecs.getincrementaldecoder(name)
    except LookupError:
        return "utf-8", 0
    # What calls itself ASCII or Latin-1 and is UTF-8 all the same reads better as that.
    if name.lower() in {"us-ascii", "ascii"}:
        return "utf-8", 0
    if name.lower() in {"iso-8859-1", "latin-1", "latin1"}:
        return "cp1252" if _any_c1(head) else "iso-8859-1", 0
    return name, 0


def _any_c1(head: bytes) -> bool:
    return bool(re.search(rb"[\x80\x82-\x8c\x8e\x91-\x9c\x9e\x9f]", head))


def records(
    stream: BinaryIO, names: Iterable[str], record_of: RecordOf, *, beside: str = ""
) -> Iterator[Item]:
    """Yield a Record or Rejected for every element of these names; those called `beside` are counted."""
    passed: Counter[str] = Counter()
    for block in xml_blocks(characters(stream), (*names, *filter(None, [beside]))):
        if block.name == beside:
            passed[beside] += 1
        else:
            yield from guarded(_items, block, record_of)
    yield from _passed(passed)


def _passed(counts: Counter[str]) -> Iterator[Note]:
    """Say what else the file holds."""
    for name, count in sorted(counts.items()):
        yield Note(f"{count} {_BESIDE[name]}, no paper")


def _items(block: Block, record_of: RecordOf) -> Iterator[Item]:
    if not block.closed:
        problem = f"no </{block.name}>; is the file cut short?"
    else:
        try:
            record = record_of(parse_block(block))
        except NoRecordError as error:
            problem = str(error)
        else:
            if record.title or record.text or has_identifier(record):
                yield placed(record, line=block.line)
                return
            problem = "neither a title, nor an abstract, nor an identifier"
    yield Rejected(problem, block.raw, line=block.line)


def _has(*tags: str) -> Callable[[Sample], float]:
    """Claim a file whose sample opens all of these elements, whatever their prefix."""

    def sniff(sample: Sample) -> float:
        local = {tag.rpartition(":")[2] for tag in sample.tags}
        return 0.95 if set(tags) <= local else 0.0

    return sniff


def _any(*sniffers: Callable[[Sample], float]) -> Callable[[Sample], float]:
    return lambda sample: max(sniff(sample) for sniff in sniffers)


@reader(
    "pubmed-xml",
    about="PubMed articles and books in XML",
    gives=_CITING,
    takes=Takes.BYTES,
    suffixes=(".xml",),
    sniff=_any(_has("PubmedArticle"), _has("PubmedBookArticle"), _has("PubmedArticleSet")),
)
def read_pubmed(stream: BinaryIO) -> Iterator[Item]:
    """Read PubmedArticle and PubmedBookArticle elements."""
    return records(stream, PUBMED, pubmed_record)


@reader(
    "jats",
    about="JATS articles of PubMed Central and publishers",
    gives=_CITING,
    takes=Takes.BYTES,
    suffixes=(".nxml", ".xml"),
    sniff=_any(_has("article", "front"), _has("article", "article-meta")),
)
def read_jats(stream: BinaryIO) -> Iterator[Item]:
    """Read article elements."""
    return records(stream, JATS, jats_record)


@reader(
    "arxiv-atom",
    about="Atom feeds of arXiv's API",
    gives=_ALL,
    takes=Takes.BYTES,
    suffixes=(".xml", ".atom"),
    sniff=_any(_has("feed", "entry"), _has("feed", "totalResults")),
)
def read_atom(stream: BinaryIO) -> Iterator[Item]:
    """Read entries of an Atom feed."""
    return records(stream, ("entry",), atom_record)


@reader(
    "oai-pmh",
    about="OAI-PMH harvests: arXiv, arXivRaw and Dublin Core",
    gives=_ALL,
    takes=Takes.BYTES,
    suffixes=(".xml",),
    sniff=_any(
        _has("OAI-PMH"), _has("ListRecords", "record"), _has("record", "header", "metadata")
    ),
)
def read_oai(stream: BinaryIO) -> Iterator[Item]:
    """Read record elements of a harvest."""
    return records(stream, ("record",), oai_record)


@reader(
    "dblp-xml",
    about="DBLP's XML; records without abstracts",
    gives=("authors", "year", "venue", "identifiers", "references"),
    takes=Takes.BYTES,
    suffixes=(".xml",),
    sniff=_any(_has("dblp"), _has("dblpperson")),
)
def read_dblp(stream: BinaryIO) -> Iterator[Item]:
    """Read publications; pages of persons beside them hold none."""
    return records(stream, DBLP, dblp_record, beside="www")


@reader(
    "endnote-xml",
    about="XML of EndNote, Mendeley and Bookends",
    gives=_ALL,
    takes=Takes.BYTES,
    suffixes=(".xml",),
    sniff=_any(_has("records", "record", "ref-type"), _has("xml", "records", "record")),
)
def read_endnote_xml(stream: BinaryIO) -> Iterator[Item]:
    """Read record elements."""
    return records(stream, ("record",), endnote_record)


@reader(
    "zotero-rdf",
    about="Zotero RDF",
    gives=_ALL,
    takes=Takes.BYTES,
    suffixes=(".rdf", ".xml"),
    sniff=lambda sample: 0.95 if "RDF" in {t.rpartition(":")[2] for t in sample.tags[:2]} else 0.0,
)
def read_zotero_rdf(stream: BinaryIO) -> Iterator[Item]:
    """Read items; attachments, memos and collections beside them are no papers.

    An item whose journal follows it in the file comes after the others.
    """
    journals: dict[str, etree._Element] = {}
    waiting: list[tuple[Block, str]] = []
    beside: Counter[str] = Counter()
    for block in xml_blocks(characters(stream), (*ZOTERO_ITEMS, "Journal", *_ZOTERO_BESIDE)):
        if block.name in _ZOTERO_BESIDE:
            beside[block.name] += 1
            continue
        if block.name == "Journal":
            if (named := _ABOUT.search(block.raw)) and (journal := _parsed(block)) is not None:
                journals[named.group(1)] = journal
            continue
        found = _PART_OF.search(block.raw)
        wanted = found.group(1) if found else ""
        if wanted and wanted not in journals and len(waiting) < _WAITING:
            waiting.append((block, wanted))
            continue
        read = partial(zotero_rdf_record, journal=journals.get(wanted))
        yield from guarded(_items, block, read)
    for block, wanted in waiting:
        read = partial(zotero_rdf_record, journal=journals.get(wanted))
        yield from guarded(_items, block, read)
    yield from _passed(beside)


def _parsed(block: Block) -> etree._Element | None:
    try:
        return parse_block(block)
    except NoRecordError:
        return None


@reader(
    "acl-xml",
    about="The ACL Anthology's XML",
    gives=_ALL,
    takes=Takes.BYTES,
    suffixes=(".xml",),
    sniff=_has("collection", "volume", "paper"),
)
def read_anthology(stream: BinaryIO) -> Iterator[Item]:
    """Read papers; the meta element before them says the venue and year of their volume."""
    venue = published = ""
    beside: Counter[str] = Counter()
    for block in xml_blocks(characters(stream), ("meta", "paper", "frontmatter")):
        if block.name == "frontmatter":
            beside[block.name] += 1
            continue
        if block.name == "meta":
            meta = _parsed(block)
            if meta is None:
                venue = published = ""
                continue
            venue, published = child_line(meta, "booktitle"), child_line(meta, "year")
            continue
        # Bound now: the next volume has another venue.
        read = partial(anthology_record, venue=venue, published=published)
        yield from guarded(_items, block, read)
    yield from _passed(beside)
