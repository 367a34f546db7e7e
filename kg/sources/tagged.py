"""Records of tagged lines, as RIS, EndNote, MEDLINE and Web of Science write them."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from kg.model.record import Person, Record, Rejected
from kg.sources.names import person, split_names
from kg.sources.text import one_line


@dataclass(slots=True)
class Tagged:
    """One record: its first line, its tags with their values in order, and its raw lines."""

    line: int
    tags: dict[str, list[str]] = field(default_factory=dict)
    raw: list[str] = field(default_factory=list)
    closed: bool = False  # its end was marked
    parted: bool = False  # a blank line stands after it
    followed: bool = False  # another record starts after it

    @property
    def text(self) -> str:
        """The record as it stands in the file."""
        return "\n".join(self.raw)

    def all(self, *tags: str) -> list[str]:
        """Every value of the tags, in the order of the tags."""
        return [value for tag in tags for value in self.tags.get(tag, ()) if value]

    def first(self, *tags: str) -> str:
        """The first value of the first tag that has one."""
        return next(iter(self.all(*tags)), "")


@dataclass(frozen=True, slots=True)
class Style:
    """How a format writes its tags."""

    tag: re.Pattern[str]  # groups tag and value
    starts: frozenset[str]  # tags that open a record
    ends: frozenset[str]  # tags that close one
    blank_ends: bool = False  # a blank line closes a record, too
    joins: Callable[[str, str], str] = lambda _tag, _value: " "  # what stands before a continuation
    outside: frozenset[str] = frozenset()  # tags of the file, not of a record


# A record of more lines than this has lost its end.
_LONGEST = 100_000


def tagged_records(lines: Iterable[str], style: Style) -> Iterator[Tagged]:
    """Yield the records of a file; a start without an end before it closes the record, too.

    Lines outside of any record that are not blank make a record without tags, so that nothing
    vanishes; list numbers such as "12." between records are passed over.
    """
    current: Tagged | None = None
    stray: Tagged | None = None
    last = ""
    for number, line in enumerate(lines, start=1):
        found = style.tag.match(line)
        tag = found.group("tag") if found else ""
        if found and tag in style.outside:
            continue
        if found and tag in style.ends:
            if current is not None:
                current.raw.append(line)
                current.closed = True
                yield current
            current, last = None, ""
            continue
        opens = found is not None and (current is None or tag in style.starts)
        if opens and current is not None and not _same_start(current, tag, style):
            current.followed = True
            yield current
            current = None
        if current is None and not opens:
            if not line.strip() or re.fullmatch(r"\s*[\[(]?\d+[.)\]]?\s*", line):
                continue
            if not found:
                stray = stray or Tagged(number)
                stray.raw.append(line)
                continue
        if stray is not None:
            yield stray
            stray = None
        if current is None:
            current, last = Tagged(number), ""
        if found:
            last, current.parted = tag, False
            current.tags.setdefault(tag, []).append((found.group("value") or "").strip())
        elif not line.strip():
            current.parted = True
            if style.blank_ends:
                current.closed = True
                yield current
                current, last = None, ""
                continue
        elif last:
            current.parted = False
            values = current.tags[last]
            values[-1] = f"{values[-1]}{style.joins(last, line)}{line.strip()}".strip()
        current.raw.append(line)
        if len(current.raw) > _LONGEST:
            yield current
            current = None
    if current is not None:
        yield current
    if stray is not None:
        yield stray


def _same_start(current: Tagged, tag: str, style: Style) -> bool:
    """Whether a start tag repeats within one record: some exports write several TY lines."""
    return tag in current.tags and set(current.tags) <= style.starts


def record_or_rejected(found: Tagged, record: Record | None) -> Record | Rejected:
    """Return the record that was made of a block, else the block with why there is none."""
    if record is not None:
        return record
    reason = "no title, no abstract and no identifier" if found.tags else "lines without a tag"
    return Rejected(reason, found.text, line=found.line)


def people(values: Iterable[str]) -> tuple[Person, ...]:
    """Return the people of fields that name one each, or several parted by semicolons."""
    return tuple(
        person(one_line(name))
        for value in values
        for name in (split_names(value) if ";" in value else [value])
    )


def topics(values: Iterable[str]) -> tuple[str, ...]:
    """Return the topics of fields in which line ends and semicolons part them, each once."""
    parts = (one_line(part) for value in values for part in re.split(r"[\n;]", value))
    return tuple(dict.fromkeys(filter(None, parts)))
