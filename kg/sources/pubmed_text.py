"""PubMed's "Abstract (text)": numbered citations, each with title, people, abstract and PMID."""

import re
from collections.abc import Iterable, Iterator, Sequence

from kg.model.record import Person, Record, Rejected
from kg.sources import identifiers
from kg.sources.boilerplate import framed
from kg.sources.dates import date_of, year_of
from kg.sources.listing_blocks import Block, blocks
from kg.sources.listing_lines import is_prose
from kg.sources.names import people
from kg.sources.reader import Item, Sample, guarded, reader
from kg.sources.text import one_line

_CITATION = re.compile(
    r"(?P<number>\d{1,6})\. (?P<journal>[^.]+(?:\. [^.\d]+)?)\. (?P<date>\d{4}\b[^;.:]*)"
)
_PMID = re.compile(r"(?m)^PMID: ?(\d+)")
_NOT_ABSTRACT = re.compile(
    r"(?:Author information:|Comment (?:in|on)|Erratum (?:in|for)|Update (?:in|of)|Republished|Summary for"
    r"|Retraction|Conflict of interest|DOI:|PMCID:|PMID:|Copyright|©|Collaborators:|Free (?:PMC )?article)",
    re.IGNORECASE,
)


def _sniff(sample: Sample) -> float:
    starts = any(_CITATION.match(line) for line in sample.lines[:20])
    return 0.9 if starts and (_PMID.search(sample.text) or not sample.whole) else 0.0


@reader(
    "pubmed-text",
    about="PubMed's abstracts saved as text",
    gives=("abstract", "authors", "year", "venue", "identifiers"),
    suffixes=(".txt",),
    sniff=_sniff,
)
def read_pubmed_text(lines: Iterable[str]) -> Iterator[Item]:
    """Yield one Record or Rejected per numbered citation."""
    held: list[Block] = []
    for block in blocks(lines):
        if _CITATION.match(block.lines[0]) and (
            not held or _PMID.search(held[-1].text) or _closed(held)
        ):
            yield from _read(held)
            held = []
        held.append(block)
    yield from _read(held)


def _read(held: Sequence[Block]) -> Iterable[Item]:
    if not held:
        return ()
    whole = Block(held[0].line, tuple("\n\n".join(block.text for block in held).split("\n")))
    return guarded(_items, whole, held)


def _closed(held: Sequence[Block]) -> bool:
    """Whether the citation before has its PMID, after which notes may still stand."""
    return any(_PMID.search(block.text) for block in held)


def _items(whole: Block, held: Sequence[Block]) -> Iterator[Item]:
    raw = whole.text
    first = held[0]
    citation = _CITATION.match(" ".join(first.lines))
    if citation is None:
        yield Rejected("before the first numbered citation", raw, line=first.line)
        return
    if len(held) < 2:
        yield Rejected("a citation without a title; is the file cut short?", raw, line=first.line)
        return
    ids, _ = identifiers.find("\n".join([*first.lines, *_tail(held)]))
    text, original = _abstract(held[2:])
    when = date_of(citation.group("date"))
    yield Record(
        title=one_line(" ".join(held[1].lines)).removesuffix("."),
        text=text,
        original=original,
        authors=_authors(held[2]) if len(held) > 2 else (),
        year=year_of(when),
        date=when,
        venue=one_line(citation.group("journal")),
        ids=ids,
        line=first.line,
    )


def _tail(held: Sequence[Block]) -> Iterator[str]:
    """The lines that state identifiers."""
    for block in held:
        yield from (line for line in block.lines if re.match(r"(?:DOI|PMC?ID): ?\S", line))


def _authors(block: Block) -> tuple[Person, ...]:
    names = re.sub(r"\(\d+\)|#|\*", "", " ".join(block.lines)).strip().rstrip(".")
    return (
        () if is_prose(block.text) and not re.search(r"\b[A-Z]{1,3}\b,", names) else people(names)
    )


def _abstract(candidates: Sequence[Block]) -> tuple[str, str]:
    """The paragraphs that read like an abstract, as they stand, and with what frames them."""
    chosen: list[Block] = []
    for index, block in enumerate(candidates):
        if _NOT_ABSTRACT.match(block.text):
            if chosen:
                break
            continue
        if is_prose(block.text) and not (index == 0 and _looks_like_names(block)):
            chosen.append(block)
    pieces: list[str] = []
    for index, block in enumerate(chosen):
        if index:
            pieces.append("\n" * (block.line - chosen[index - 1].end + 1))
        pieces.append(block.text)
    raw = "".join(pieces).strip()
    start, end = framed(raw)
    text = raw[start:end].strip()
    return text, raw if raw != text else ""


def _looks_like_names(block: Block) -> bool:
    """Walker AB(1)(2), Runner C(3)."""
    return (
        re.match(r"[^\s,(]+(?: [^\s,(]+){0,3} [A-Z]{1,3}(?:\(\d+\))*[,.]", block.text) is not None
    )
