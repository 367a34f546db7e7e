"""Plain text: pages saved from paper listings, and abstracts pasted into a file."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice, pairwise

from kg.model.identity import digest, fold
from kg.model.record import Identifiers, Person, Record, Rejected
from kg.sources import identifiers
from kg.sources.boilerplate import framed
from kg.sources.dates import date_of, year_of
from kg.sources.listing_blocks import Block, blocks
from kg.sources.listing_entries import Entry, Stray, entries, stray_reason
from kg.sources.listing_fields import Line, Parts, find_parts
from kg.sources.listing_layout import Layout, find_layout
from kg.sources.listing_lines import MARKDOWN_HEAD, is_reference, without_fold
from kg.sources.listing_pages import without_furniture
from kg.sources.names import people
from kg.sources.reader import Item, Note, Sample, fault, guarded, reader
from kg.sources.text import one_line, readable

_WINDOW = 600  # blocks that are laid out together
_TAIL = 30  # of these, so many are looked at again with the next ones
_YAML = re.compile(r"\s*(?:- )*[a-z][\w-]*:(?:\s|$)|\s*- ")
_STRUCTURE = re.compile(
    r"<(?!/?(?:b|i|u|em|strong|sub|sup|br|p|span|a|font|hr|li|ul|ol|tt|code|small)\b)[A-Za-z!?][^<>]*>",
    re.I,
)
_REMNANT = re.compile(
    r"<(b|i|u|em|strong|sub|sup|p|span|a|font|li|tt|code|small)\b[^<>]*>[^<]*</\1>|<br ?/?>"
    r"|&(?:amp|lt|gt|nbsp|quot|apos|#\d{2,6}|#x[0-9a-f]{2,5});",
    re.IGNORECASE,
)
_MAIL_LINK = re.compile(r"<https?://[^|>\s]+\|([^>]+)>")
_TEX_TITLE = re.compile(
    r"\s*\\(?:(?:sub)*section|paragraph|title|textbf|textit|emph|textsc|bf|large|Large)\*?\s*\{(.*)\}[.:]?\s*"
)
_LINK = re.compile(r"!?\[([^\]]*)\]\((\S+?)\)")


def _sniff(sample: Sample) -> float:
    lines = [line for line in sample.lines if line.strip()]
    markup = sum(line.lstrip().startswith("<") for line in lines)
    yaml = sum(_YAML.match(line) is not None for line in lines)
    no_text = len(sample.tags) >= 3 or markup > 0.5 * len(lines)
    if no_text and not _STRUCTURE.search(sample.text):
        no_text = False  # b, i and br are left of a page that was copied
    is_yaml = bool(lines) and lines[0].strip() == "---" and yaml > 0.5 * len(lines)
    if is_yaml and any(len(line) > 80 and not _YAML.match(line) for line in _behind_front(lines)):
        is_yaml = False
    return 0.0 if not lines or no_text or is_yaml else 0.1


def _behind_front(lines: Sequence[str]) -> Sequence[str]:
    """The lines behind the properties that a note opens with, none where there are no others."""
    ends = [i for i, line in enumerate(lines[1:], start=1) if line.strip() == "---"]
    return lines[ends[0] + 1 :] if ends else ()


@reader(
    "listing",
    about="plain text: saved paper listings, pasted abstracts, Markdown",
    gives=("abstract", "authors", "year", "venue", "identifiers"),
    suffixes=(".txt", ".md", ".text"),
    sniff=_sniff,
)
def read_listing(lines: Iterable[str]) -> Iterator[Item]:
    """Yield a Record for every paper of a listing and a Rejected for every other block.

    The text of a record is a stretch of the file, exactly as it was read.
    """
    seen = _Seen()
    at_start = True
    for window, layout in _windows(blocks(lines)):
        for part in _parts(window, layout):
            for item in guarded(_items, part, layout, at_start):
                seen.add(item)
                yield item
            at_start = False
    yield from seen.notes()


def _windows(source: Iterator[Block]) -> Iterator[tuple[Sequence[Block], Layout]]:
    """Cut the file into windows with one layout each, at the start of an entry."""
    held: list[Block] = []
    layout: Layout | None = None
    while True:
        more = list(islice(source, _WINDOW))
        held = without_furniture([*held, *more])
        if not more:
            break
        if len(more) == _WINDOW:
            layout = find_layout(held)
            cut = _cut(held, layout)
            yield held[:cut], layout
            held = held[cut:]
    if held:
        # A short rest tells little; it goes on as the file did before.
        yield held, layout if layout is not None and len(held) < _TAIL else find_layout(held)


def _parts(window: Sequence[Block], layout: Layout) -> Sequence[Entry | Stray]:
    try:
        return tuple(entries(window, layout))
    except Exception as error:  # the edge between one stretch of the file and the next
        return tuple(Stray(block, fault(error)) for block in window)


def _cut(held: Sequence[Block], layout: Layout) -> int:
    """Where the last entry that starts in the window begins; it may go on in the next one."""
    last = [part for part in entries(held, layout) if isinstance(part, Entry)]
    if len(last) < 2:
        return len(held)
    start = last[-1].blocks[0].line
    return next((i for i, block in enumerate(held) if block.end > start), len(held))


def _items(part: Entry | Stray, layout: Layout, at_start: bool) -> Iterator[Item]:
    if isinstance(part, Stray):
        yield Rejected(part.reason, part.text, line=part.line)
        return
    parts = find_parts(part, layout, at_start=at_start)
    record = _record(parts, part)
    strays = list(_strays(parts))
    items: list[Record | Rejected] = [*strays]
    if record is not None:
        items.append(record)
    elif not strays:
        items.append(
            Rejected("a reference, or neither title nor abstract", part.text, line=part.line)
        )
    yield from sorted(items, key=lambda item: item.line)


def _strays(parts: Parts) -> Iterator[Rejected]:
    """One Rejected for each run of lines that belong to no paper."""
    run: list[Line] = []
    for line, _ in [*parts.strays, (None, "")]:
        if run and (line is None or line.number != run[-1].number + 1):
            block = Block(run[0].number, tuple(each.text for each in run))
            yield Rejected(stray_reason(block), block.text, line=block.line)
            run = []
        if line is not None:
            run.append(line)


def _record(parts: Parts, entry: Entry) -> Record | None:
    raw = _body(parts.body)
    unfolded = without_fold(raw)
    start, end = framed(unfolded)
    text = unfolded[start:end].strip()
    if _REMNANT.search(text):
        text = readable(text)
    raw = _quoted(raw, parts.body, entry)
    title = _title(parts.title)
    meta = "\n".join([*parts.title, *parts.meta])
    ids, version = _identifiers(meta, parts)
    if text and not title and is_reference(text):
        # A line of a bibliography is no abstract; its identifier still names a paper.
        named, _ = identifiers.find(text)
        ids, text = identifiers.merge(ids, named), ""
    if not (text or title or ids != Identifiers()):
        return None
    first = entry.blocks[0].line
    strays = {line.number for line, _ in parts.strays}
    while first in strays:
        first += 1
    when = _date(parts)
    year = _year(parts) or year_of(when)
    return Record(
        title=title,
        text=text,
        original=raw.strip() if raw.strip() != text else "",
        authors=_authors(parts),
        year=year,
        date=when or (f"{year:04d}" if year else ""),
        venue=one_line(" ".join(parts.values.get("venue", [])[:1])),
        ids=ids,
        arxiv_version=version,
        urls=identifiers.urls(f"{meta}\n{text}"),
        topics=_topics(parts),
        line=first,
    )


def _body(lines: Sequence[Line]) -> str:
    """The lines as the file has them, blank ones between them included."""
    if not lines:
        return ""
    pieces = [lines[0].value]
    for before, line in pairwise(lines):
        pieces.append("\n" * max(1, line.number - before.number))
        pieces.append(line.text if line.number > before.number else line.value)
    return "".join(pieces)


def _quoted(raw: str, body: Sequence[Line], entry: Entry) -> str:
    """The lines with the marks of a quotation, if they had some."""
    marked = {
        block.line + index: line
        for block in entry.blocks
        for index, line in enumerate(block.quoted)
    }
    if not any(line.number in marked for line in body):
        return raw
    return "\n".join(marked.get(line.number, line.text) for line in body)


# "## 3. Title" counts the papers; "## 3D Scenes" and "## 1.58 Bits" do not.
_HEADING_NUMBER = re.compile(r"^(?:\d{1,4}[.)]|\[\d{1,4}\](?!\())\s+(?=\S)")


def _title(lines: Sequence[str]) -> str:
    """The title without Markdown and other marks."""
    kept = []
    for line in lines:
        heading = MARKDOWN_HEAD.fullmatch(line)
        kept.append(_HEADING_NUMBER.sub("", heading.group(2)) if heading else line)
    text = _MAIL_LINK.sub(r"\1", _LINK.sub(r"\1", " ".join(kept)))
    text = re.sub(r"(\*\*|__)(.+?)\1", r"\2", text)
    text = re.sub(r"\[\[(?:[^\]|]*\|)?([^\]]+)\]\]", r"\1", text)  # a link within a notebook
    while found := _TEX_TITLE.fullmatch(text):
        text = found.group(1)
    text = re.sub(r"^\s*\[(?:PDF|HTML|BOOK|B|C|CITATION)\](?:\[\w+\])?\s*", "", text)
    return one_line(text).strip("*_ ")


def _authors(parts: Parts) -> tuple[Person, ...]:
    text = " ".join(" ".join(parts.authors).split())
    text = re.sub(r"\s*\([^)]*\)|[*†‡§¶¹²³]|(?<=[^\W\d_])\d+(?:,\d+)*", "", text)
    text = re.sub(r"(?:…|\.\.\.|,?\s*\+\s?\d+ (?:authors?|more|others))\s*$", "", text)
    return people(_LINK.sub(r"\1", text).replace("…", "")) if text.strip() else ()


def _identifiers(meta: str, parts: Parts) -> tuple[Identifiers, str]:
    found, version = identifiers.find(meta)
    for value in parts.values.get("ids", []):
        number, of_number = identifiers.arxiv(value)
        if number and not found.arxiv:
            found, version = identifiers.merge(found, Identifiers(arxiv=number)), of_number
        found = identifiers.merge(found, Identifiers(doi=identifiers.doi(value)))
    return found, version


def _date(parts: Parts) -> str:
    return next((d for value in parts.values.get("date", []) if (d := date_of(value))), "")


def _year(parts: Parts) -> int | None:
    values = [*parts.values.get("year", []), *parts.values.get("venue", [])]
    return next((year for value in values if (year := year_of(value))), None)


def _topics(parts: Parts) -> tuple[str, ...]:
    text = " ".join(parts.values.get("topics", []))
    pieces = re.split(r"\s*[;·•|]\s*", text) if re.search(r"[;·•|]", text) else text.split(",")
    return tuple(
        dict.fromkeys(topic for piece in pieces if (topic := one_line(piece).strip(" .*_")))
    )


@dataclass(slots=True)
class _Seen:
    """Finds abstracts that stand in the file more than once."""

    first: dict[str, int] = field(default_factory=dict)
    again: list[int] = field(default_factory=list)

    def add(self, item: Item) -> None:
        if isinstance(item, Record) and item.text:
            key = digest(fold(item.text))
            if key in self.first:
                self.again.append(item.line)
            else:
                self.first[key] = item.line

    def notes(self) -> Iterator[Note]:
        if self.again:
            shown = ", ".join(map(str, self.again[:10])) + (", ..." if len(self.again) > 10 else "")
            times = "abstract repeats" if len(self.again) == 1 else "abstracts repeat"
            yield Note(f"{len(self.again)} {times} an earlier one (line {shown})")
