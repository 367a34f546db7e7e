"""The parts of an entry of a listing: which of its lines are title, people, abstract, or neither."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from kg.sources.listing_blocks import Block
from kg.sources.listing_entries import ARXIV_LINE, META_LINE, Entry, is_meta
from kg.sources.listing_head import Head, find_head
from kg.sources.listing_layout import Layout, is_abstract
from kg.sources.listing_lines import (
    BULLET,
    KIND_LINE,
    NUMBER,
    SCHOLAR,
    bare_abstract,
    capitals,
    ends_sentence,
    is_names,
    is_one_name,
    is_page_talk,
    is_prose,
    is_sentence,
    label,
    may_be_title,
    without_fold,
)

_PAGE_ADDRESS = re.compile(r"\W*(?:URLs?|PDF|HTML)\W*:\W*https?://\S+\s*")
# A. Walker, B. Runner. "Walks on Ice." Journal of Ice 3 (2024).
_CITED_TITLE = re.compile(
    r"\s*(?P<names>[^\"“]{4,300}?)[.,]?\s*[\"“](?P<title>[^\"”]{8,300}?)[.,]?[\"”][.,]?(?P<rest>\s.*)"
)
_BOLD_LEAD = re.compile(r"\s*(\*\*|__)(?P<title>.+?)\1\s*[:.–—-]?\s+(?=\S)")
_SIGNED_TITLE = re.compile(
    r"\s*(?P<title>(?:\*\*|__).+?(?:\*\*|__)|\[[^\]]+\]\(\S+?\))\s*(?:[—–-]|by|,)\s*(?P<names>\S.*)"
)
_LINK_LEAD = re.compile(r"\s*\[(?P<title>[^\]]{8,300})\]\(\S+?\)\s*[:.–—-]?\s+(?=\S)")


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the file; what counts of it starts at `cut`, behind a mark or a label."""

    number: int
    text: str
    cut: int = 0

    @property
    def value(self) -> str:
        """What counts of the line."""
        return self.text[self.cut :]


@dataclass(slots=True)
class Parts:
    """What the lines of an entry are."""

    title: list[str] = field(default_factory=list)
    authors: list[str] = field(default_factory=list)
    values: dict[str, list[str]] = field(default_factory=dict)  # by label
    meta: list[str] = field(default_factory=list)  # lines that may hold identifiers and years
    body: list[Line] = field(default_factory=list)
    strays: list[tuple[Line, str]] = field(default_factory=list)  # and why they are no part


def find_parts(entry: Entry, layout: Layout, *, at_start: bool) -> Parts:
    """Return the parts of an entry; `at_start` says that it is the first of the file."""
    parts = Parts()
    groups = [
        [Line(block.line + i, text) for i, text in enumerate(block.lines)] for block in entry.blocks
    ]
    if entry.kind == "marked":
        groups[0][0] = _behind_mark(groups[0][0], layout)
    if any(_strong(line.value) for group in groups for line in group):
        _read_labelled(groups, layout, parts)
    else:
        _read_plain(entry, groups, layout, parts, at_start=at_start)
    _peel(parts)
    return parts


def _behind_mark(line: Line, layout: Layout) -> Line:
    found = (NUMBER if layout.numbered else BULLET).match(line.text)
    return Line(line.number, line.text, found.end() if found else 0)


def _strong(text: str) -> bool:
    found = label(text)
    return ARXIV_LINE.match(text) is not None or (
        found is not None and found.field in ("title", "abstract")
    )


# --- labelled entries ------------------------------------------------------------------------


def _read_labelled(groups: Sequence[list[Line]], layout: Layout, parts: Parts) -> None:
    current = ""
    for group in groups:
        index = 0
        while index < len(group):
            line = group[index]
            found = label(line.value)
            if ARXIV_LINE.match(line.value):
                parts.meta.append(line.value)
                current = "arxiv"
            elif bare_abstract(line.value):
                current = "abstract"
            elif found is not None and _opens(found.field, line, group, index, parts):
                current = found.field
                _take_value(Line(line.number, line.text, line.cut + found.value_at), current, parts)
                parts.meta.append(line.value)
            else:
                index += _take_unlabelled(group, index, current, layout, parts)
                continue
            index += 1
        if current not in ("abstract", "title"):
            current = ""


def _opens(name: str, line: Line, group: list[Line], index: int, parts: Parts) -> bool:
    """Whether a label means what it says; within an abstract it may be a word at a line's start."""
    if not parts.body or name in ("title", "abstract"):
        return True
    if index == 0 or not group[index - 1].value.strip():
        return True
    if name == "urls":  # "Code: https://..." closes many an abstract, "URL: ..." is the page's
        return _PAGE_ADDRESS.fullmatch(line.value) is not None
    return line.value[:1].isupper() and ends_sentence(group[index - 1].value)


def _take_value(line: Line, name: str, parts: Parts) -> None:
    value = line.value.strip()
    if name == "abstract":
        if value:
            parts.body.append(line)
    elif name == "title":
        parts.title.append(value)
    elif name == "authors":
        parts.authors.append(value)
    else:
        parts.values.setdefault(name, []).append(value)


def _take_unlabelled(
    group: list[Line], index: int, current: str, layout: Layout, parts: Parts
) -> int:
    """Take the lines from `index` up to the next label; return how many."""
    stop = index + 1
    while stop < len(group) and not _label_at(group, stop, current, parts):
        stop += 1
    run = group[index:stop]
    text = " ".join(line.value for line in run)
    cited = _CITED_TITLE.fullmatch(text)
    if cited and not (parts.title or parts.body or current):
        parts.title.append(cited.group("title"))
        parts.authors.append(cited.group("names"))
        parts.meta.append(cited.group("rest"))
        return len(run)
    if current == "abstract":
        parts.body.extend(run)
    elif is_prose(text) and not parts.body and (parts.title or current == "arxiv"):
        head = find_head([line.value for line in run]) if not parts.title else Head()
        _take_head(run, head, parts)
        parts.body.extend(run[head.size :])
    elif is_prose(text) and not parts.body and not parts.title:
        parts.body.extend(run)
    elif current == "title" and (
        _authors_follow(group, stop) or not (is_names(text) or is_one_name(text))
    ):
        parts.title.append(text)
    elif current == "authors":
        parts.authors.append(text)
    elif not parts.title and may_be_title(run[0].value):
        _take_short(run, parts, wrapped=layout.wrapped)
    elif not parts.authors and (is_names(text) or (parts.title and is_one_name(text))):
        parts.authors.append(text)
    elif current in parts.values:
        parts.values[current].append(text)
        parts.meta.append(text)
    elif current or parts.title:
        parts.meta.extend(line.value for line in run)
    else:
        parts.strays.extend((line, "") for line in run)
    return len(run)


def _authors_follow(group: list[Line], start: int) -> bool:
    found = [label(line.value) for line in group[start : start + 3]]
    return any(each is not None and each.field == "authors" for each in found)


def _label_at(group: list[Line], index: int, current: str, parts: Parts) -> bool:
    line = group[index]
    if ARXIV_LINE.match(line.value) or bare_abstract(line.value):
        return True
    found = label(line.value)
    if found is None:
        return False
    if current != "abstract":
        # "Code: https://..." closes many an abstract that nothing labels.
        return found.field != "urls" or label(group[index - 1].value) is not None
    return _opens(found.field, line, group, index, parts) if parts.body else True


# --- entries without labels ------------------------------------------------------------------


def _read_plain(
    entry: Entry, groups: Sequence[list[Line]], layout: Layout, parts: Parts, *, at_start: bool
) -> None:
    for block, group in zip(entry.blocks, groups, strict=True):
        text = "\n".join(line.value for line in group)
        titular = entry.titled and layout.sentence_titles and is_sentence(text)
        if is_abstract(Block(0, tuple(text.split("\n")))) and not (titular and not parts.title):
            if not parts.body:
                _read_first_prose(block, group, layout, parts, at_start=at_start)
            else:
                parts.body.extend(group)
        elif parts.body:
            if layout.titles_below and not parts.title:
                _take_short(group, parts, wrapped=layout.wrapped)
            elif is_meta(block):
                _take_lines_under_title(group, parts)
            else:
                parts.strays.extend((line, "") for line in group)
        elif is_meta(block):
            _take_lines_under_title(group, parts)
        elif not parts.title and not bare_abstract(text):
            _take_short(group, parts, wrapped=layout.wrapped)
        elif not bare_abstract(text):
            _take_lines_under_title(group, parts)


def _read_first_prose(
    block: Block, group: list[Line], layout: Layout, parts: Parts, *, at_start: bool
) -> None:
    """Part title and abstract in the block where the abstract begins."""
    # A mark counts for the width of its line, if not for what it says.
    values = [" " * line.cut + line.value for line in group]
    lead = _BOLD_LEAD.match(values[0]) or _LINK_LEAD.match(values[0])
    if (
        lead
        and not parts.title
        and may_be_title(lead.group("title").rstrip(".:"))
        and is_prose(" ".join([values[0][lead.end() :], *values[1:]]))
    ):
        parts.title.append(lead.group("title").rstrip(".:"))
        parts.meta.append(lead.group())
        parts.body.append(Line(group[0].number, group[0].text, lead.end()))
        parts.body.extend(group[1:])
        return
    if layout.bullet and not parts.title and _take_sentence_title(group, parts):
        return
    head = find_head(values, expected=layout.inline_titles and not parts.title)
    expected = layout.inline_titles or head.marked
    if head.title and not parts.title and expected:
        _take_head(group, head, parts)
    elif head.title and not parts.title and (at_start or max(map(len, block.lines)) > 200):
        # One heading over many abstracts, with no blank line after it.
        parts.strays.extend((line, "") for line in group[: head.size])
    elif layout.numbered and not parts.title and _take_sentence_title(group, parts):
        return
    else:
        head = Head()
    parts.body.extend(group[head.size :])


_TITLE_SENTENCE = re.compile(
    r"\s*(?P<title>[^.!?(]{8,200}?(?:[.?!]|[?!]?(?P<cited>\s\([^)]*\b(?:19|20)\d\d\w?\))?\s[–—-]{1,2}(?=\s)))"
    r"\s+(?=[A-Z\"“])"
)


def _take_sentence_title(group: Sequence[Line], parts: Parts) -> bool:
    """Take a title that stands before the abstract as its first sentence: * On Ice. We walk ..."""
    for count in range(1, min(4, len(group)) + 1):
        joined = " ".join(line.value for line in group[:count])
        found = _TITLE_SENTENCE.match(joined)
        before = len(" ".join(line.value for line in group[: count - 1])) + (count > 1)
        if found is None or found.end() <= before:
            continue
        cited = found.group("cited") or ""
        title = found.group("title").rstrip(" .–—-").removesuffix(cited)
        rest = " ".join([joined[found.end() :], *(line.value for line in group[count:])])
        if not may_be_title(title) or capitals(title) < 0.7 or not is_prose(rest):
            return False
        parts.title.append(title)
        parts.meta.append(cited)
        last = group[count - 1]
        parts.body.append(Line(last.number, last.text, last.cut + found.end() - before))
        parts.body.extend(group[count:])
        return True
    return False


def _take_head(group: Sequence[Line], head: Head, parts: Parts) -> None:
    parts.title.extend(line.value for line in group[: head.title])
    _take_lines_under_title(group[head.title : head.size], parts)


def _take_short(group: Sequence[Line], parts: Parts, *, wrapped: bool) -> None:
    """Read a short block: a title on its first lines, names and places on the others."""
    while len(group) > 1 and KIND_LINE.fullmatch(group[0].value):
        parts.meta.append(group[0].value)
        group = group[1:]
    signed = _SIGNED_TITLE.fullmatch(group[0].value)
    if signed and (is_names(signed["names"]) or is_one_name(signed["names"])):
        parts.title.append(signed.group("title"))
        parts.authors.append(signed.group("names"))
        _take_lines_under_title(group[1:], parts)
        return
    count = 1
    while (
        count < len(group)
        and not (is_names(group[count].value) and may_be_title(group[count - 1].value))
        and not (
            is_one_name(group[count].value)
            and _stands_alone(group[count - 1].value, wrapped=wrapped)
        )
        and not SCHOLAR.fullmatch(group[count].value)
        and label(group[count].value) is None
        and not META_LINE.fullmatch(group[count].value)
        and not group[count].value.strip().startswith(("(", "["))
        and not re.search(r"\b(?:19|20)\d\d\b", group[count].value)
    ):
        count += 1
    parts.title.extend(line.value for line in group[:count])
    _take_lines_under_title(group[count:], parts)


def _stands_alone(text: str, *, wrapped: bool) -> bool:
    """Whether a title's line was not broken by a wrapper: there was room, or no wrapper at all."""
    return may_be_title(text) and not (wrapped and 55 <= len(text.rstrip()) <= 90)


def _take_lines_under_title(group: Sequence[Line], parts: Parts) -> None:
    index = 0
    while index < len(group):
        stop = index + 1
        for longer in range(len(group), index + 1, -1):
            if is_names(group[index].value) and is_names(
                " ".join(line.value for line in group[index:longer])
            ):
                stop = longer
                break
        _take_under_title(" ".join(line.value.strip() for line in group[index:stop]), parts)
        index = stop


def _take_under_title(text: str, parts: Parts) -> None:
    scholar = SCHOLAR.fullmatch(text)
    found = label(text)
    if found is not None:
        _take_value(Line(0, text, found.value_at), found.field, parts)
    elif scholar is not None and not parts.authors:
        parts.authors.append(scholar.group("names"))
        parts.values.setdefault("venue", []).append(scholar.group("venue"))
        parts.values.setdefault("year", []).append(scholar.group("year"))
    elif not parts.authors and (is_names(text) or is_one_name(text)):
        parts.authors.append(text)
    parts.meta.append(text)


_CREDIT = re.compile(r"\s*(?:[—–]|--)\s*(?P<title>[^\W_].{8,200}[^.\s])\s*")


def _peel(parts: Parts) -> None:
    """Take what stands under the abstract off its end: keywords, addresses, links of the page."""
    while len(parts.body) > 1:
        line, before = parts.body[-1], parts.body[-2]
        found = label(line.value)
        unfolded = without_fold(before.value)
        finished = unfolded != before.value or ends_sentence(unfolded)
        labelled = (
            found is not None
            and found.field not in ("title", "abstract", "urls")  # the last is part of the text
            and line.value.strip()[:1].isupper()
            and finished
        )
        if labelled and found is not None:
            _take_value(Line(0, line.value, found.value_at), found.field, parts)
        elif finished and not parts.title and (credit := _CREDIT.fullmatch(line.value)):
            parts.title.append(credit.group("title"))
        elif not finished or not (META_LINE.fullmatch(line.value) or is_page_talk(line.value)):
            break
        parts.meta.append(line.value)
        parts.body.pop()
