"""Readers of the services that answer in JSON: one format each, told apart by their fields."""

import io
from collections.abc import Callable, Iterator, Mapping
from typing import Any, BinaryIO

from kg.model.record import Record, Rejected
from kg.sources.arxiv import arxiv_record, is_arxiv
from kg.sources.crossref import crossref_record, csl_record, is_csl
from kg.sources.datacite import datacite_record, is_datacite
from kg.sources.json_blocks import JsonBlock, json_blocks
from kg.sources.json_values import mapping
from kg.sources.openalex import is_openalex, openalex_record
from kg.sources.reader import Item, NoRecordError, Sample, Takes, fault, reader
from kg.sources.semantic_scholar import (
    citation_record,
    is_citation,
    s2orc_record,
    semantic_scholar_record,
)
from kg.sources.zotero import is_openreview, openreview_record, zotero_record

_ALL = ("abstract", "authors", "year", "venue", "identifiers")
_CITING = (*_ALL, "references")

RecordOf = Callable[[Mapping[str, Any]], Record]


def records(stream: BinaryIO, record_of: RecordOf) -> Iterator[Item]:
    """Yield a Record or Rejected for every JSON record of a stream."""
    for block in json_blocks(stream):
        try:
            item = _item(block, record_of)
        except Exception as error:  # the edge between one block and all the others
            item = Rejected(fault(error), block.text, line=block.line)
        yield item


def _item(block: JsonBlock, record_of: RecordOf) -> Record | Rejected:
    problem = block.problem
    if not problem and not isinstance(block.value, dict):
        problem = "a value where an object was expected"
    if not problem:
        try:
            record = record_of(block.value)
        except NoRecordError as error:
            problem = str(error)
        else:
            if record.title or record.text or has_identifier(record):
                object.__setattr__(record, "line", block.line)  # as placed() does
                return record
            problem = "neither a title, nor an abstract, nor an identifier"
    return Rejected(problem, block.text, line=block.line)


def has_identifier(record: Record) -> bool:
    """Whether a record can be found again, though it has no title; a key alone is none."""
    ids = record.ids
    return any(
        (ids.doi, ids.arxiv, ids.pmid, ids.pmcid, ids.openalex, ids.s2, ids.corpus, ids.mag)
    ) or any((ids.dblp, ids.acl, ids.openreview, ids.wos, ids.scopus))


@reader(
    "openalex",
    about="OpenAlex works: JSON, JSON lines, pages of the API, parts of the snapshot",
    gives=_CITING,
    takes=Takes.UTF8,
    suffixes=(".json", ".jsonl"),
    sniff=lambda sample: _claim(sample, {"abstract_inverted_index", "authorships"}, is_openalex),
)
def read_openalex(stream: BinaryIO) -> Iterator[Item]:
    """Read works of OpenAlex."""
    return records(stream, openalex_record)


@reader(
    "semantic-scholar",
    about="Semantic Scholar papers, search pages, citation lists and bulk files",
    gives=_CITING,
    takes=Takes.UTF8,
    suffixes=(".json", ".jsonl"),
    sniff=lambda sample: _claim_any(
        sample,
        (
            {"paperId"},
            {"citingcorpusid"},
            {"corpusid", "title"},
            {"corpusid", "openaccessinfo"},
            {"snippet", "paper", "corpusId"},
        ),
    ),
)
def read_semantic_scholar(stream: BinaryIO) -> Iterator[Item]:
    """Read papers of Semantic Scholar; a row of a list of citations gives the paper in it."""
    return records(stream, _semantic_scholar)


@reader(
    "s2orc",
    about="S2ORC metadata of 2020, and later releases with full text",
    gives=_CITING,
    takes=Takes.UTF8,
    suffixes=(".jsonl", ".json"),
    sniff=lambda sample: _claim_any(
        sample,
        (
            {"paper_id", "outbound_citations"},
            {"paper_id", "bib_entries"},
            {"corpusid", "content", "annotations"},
        ),
    ),
)
def read_s2orc(stream: BinaryIO) -> Iterator[Item]:
    """Read rows of S2ORC."""
    return records(stream, s2orc_record)


@reader(
    "crossref",
    about="Crossref works: answers of the API, JSON, JSON lines; JATS tags in abstracts",
    gives=_CITING,
    takes=Takes.UTF8,
    suffixes=(".json", ".jsonl"),
    sniff=lambda sample: _claim_any(
        sample,
        (
            {"DOI", "is-referenced-by-count"},
            {"DOI", "reference-count"},
            {"message-type", "message"},
        ),
    ),
)
def read_crossref(stream: BinaryIO) -> Iterator[Item]:
    """Read works of Crossref; an answer about one work holds it in `message`."""
    return records(stream, _crossref)


@reader(
    "datacite",
    about="DataCite's DOIs, of papers, preprints and data sets: JSON, JSON lines, pages of the API",
    gives=_CITING,
    takes=Takes.UTF8,
    suffixes=(".json", ".jsonl"),
    sniff=lambda sample: _claim(sample, {"titles", "creators"}, is_datacite),
)
def read_datacite(stream: BinaryIO) -> Iterator[Item]:
    """Read DOIs of DataCite."""
    return records(stream, datacite_record)


@reader(
    "csl-json",
    about="CSL-JSON of Zotero, doi.org and reference managers",
    gives=_CITING,
    takes=Takes.UTF8,
    suffixes=(".json",),
    sniff=lambda sample: _claim(sample, {"id", "type"}, is_csl, sure=0.85),
)
def read_csl(stream: BinaryIO) -> Iterator[Item]:
    """Read items of CSL-JSON."""
    return records(stream, csl_record)


@reader(
    "zotero-json",
    about="Zotero's and Better BibTeX's JSON",
    gives=_ALL,
    takes=Takes.UTF8,
    suffixes=(".json",),
    sniff=lambda sample: _claim_any(sample, ({"itemType"},)),
)
def read_zotero(stream: BinaryIO) -> Iterator[Item]:
    """Read items of Zotero; notes and attachments beside them are rejected by name."""
    return records(stream, zotero_record)


@reader(
    "openreview",
    about="OpenReview notes",
    gives=_ALL,
    takes=Takes.UTF8,
    suffixes=(".json", ".jsonl"),
    sniff=lambda sample: _claim(sample, {"content", "title"}, is_openreview),
)
def read_openreview(stream: BinaryIO) -> Iterator[Item]:
    """Read submissions of OpenReview."""
    return records(stream, openreview_record)


@reader(
    "arxiv-json",
    about="arXiv metadata: the snapshot and daily listings, JSON lines",
    gives=_ALL,
    takes=Takes.UTF8,
    suffixes=(".jsonl", ".json"),
    sniff=lambda sample: _claim(sample, {"id", "categories"}, is_arxiv),
)
def read_arxiv_json(stream: BinaryIO) -> Iterator[Item]:
    """Read rows of arXiv's metadata."""
    return records(stream, arxiv_record)


def _semantic_scholar(value: Mapping[str, Any]) -> Record:
    if is_citation(value):
        return citation_record(value)
    for name in ("citedPaper", "citingPaper", "paper"):
        if isinstance(value.get(name), dict):
            return semantic_scholar_record(mapping(value[name]))
    return semantic_scholar_record(value)


def _crossref(value: Mapping[str, Any]) -> Record:
    message = value.get("message")
    return crossref_record(mapping(message) if isinstance(message, dict) else value)


def _claim(
    sample: Sample,
    needed: set[str],
    recognised: Callable[[Mapping[str, Any]], bool],
    *,
    sure: float = 0.95,
) -> float:
    """How sure a format is: its field names, and the first record where it can be seen whole."""
    if not needed <= sample.keys:
        return 0.0
    first = _first_record(sample)
    if first is None:
        return sure - 0.15
    return sure if recognised(first) else 0.0


def _claim_any(sample: Sample, signatures: tuple[set[str], ...]) -> float:
    return 0.95 if any(needed <= sample.keys for needed in signatures) else 0.0


def _first_record(sample: Sample) -> Mapping[str, Any] | None:
    block = next(iter(json_blocks(io.BytesIO(sample.text.encode("utf-8", "replace")))), None)
    return block.value if block is not None and isinstance(block.value, dict) else None
