"""XML cut into its records before it is parsed, so that one broken record spoils only itself.

A file of XML is one tree, and a parser gives up at its first fault. Exports are lists of records
side by side; here their tags are found in the text, and each record is parsed on its own,
without entities of the file's own making, without network, with bounded depth. Memory holds one
record at a time.
"""

import html.entities
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from lxml import etree

from kg.sources.reader import NoRecordError

# A record longer than this is no record: nothing that holds an abstract comes near it.
LONGEST_RECORD = 64 * 1024 * 1024

_FIVE = frozenset({"amp", "lt", "gt", "quot", "apos"})
_NAMED = re.compile(r"&([A-Za-z][A-Za-z0-9]{0,31});")
_BARE = re.compile(r"&(?!#\d{1,7};|#[xX][0-9A-Fa-f]{1,6};|[A-Za-z][\w.-]{0,40};)")
_NAMESPACE = re.compile(r"\sxmlns(?::[\w.-]+)?\s*=\s*(?:\"[^\"<]*\"|'[^'<]*')")
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")
_FORBIDDEN_REFERENCE = re.compile(
    r"&#(?:x0*(?:[0-8bBcCeEfF]|1[0-9a-fA-F])|0*(?:[0-8]|1[124-9]|2\d|3[01]));"
)


# An attribute given twice, a namespace that is no address: the elements and their text are whole.
_HARMLESS = frozenset(
    {etree.ErrorTypes.ERR_ATTRIBUTE_REDEFINED, etree.ErrorTypes.WAR_NS_URI}
    | {etree.ErrorTypes.WAR_NS_URI_RELATIVE, etree.ErrorTypes.NS_ERR_ATTRIBUTE_REDEFINED}
)

# Of bounded length, since a tag that never ends is looked at again with every chunk.
_ATTRIBUTES = r"(?>(?:[^<>\"']{1,4096}|\"[^\"<]{0,65536}\"|'[^'<]{0,65536}'){0,2000}+)"


@dataclass(frozen=True, slots=True)
class Block:
    """One record as it stands in the file; `line` counts from 1. Not closed: the file ended."""

    name: str
    raw: str
    line: int
    closed: bool
    namespaces: str  # the declarations of the elements around it

    @property
    def text(self) -> str:
        """The record as it stands in the file."""
        return self.raw


def xml_blocks(chunks: Iterable[str], names: Iterable[str]) -> Iterator[Block]:
    """Yield every outermost element of these names, in file order.

    Args:
        chunks: pieces of the file's text, of any size.
        names: local names of the elements that are records; a prefix in the file is ignored.
            A name that stands inside a record of the same name belongs to it.
    """
    wanted = "|".join(sorted(map(re.escape, names), key=len, reverse=True))
    token = re.compile(
        rf"(?P<open><!--|<!\[CDATA\[)|<(?P<end>/)?(?:[\w.-]+:)?(?P<name>{wanted})(?=[\s/>])"
        rf"(?P<attributes>{_ATTRIBUTES})>"
    )
    scanner = _Scanner(token)
    for chunk in chunks:
        yield from scanner.feed(chunk)
    yield from scanner.close()


class _Scanner:
    """Keeps the text that is not yet decided, where it starts, and how deep it is in a record.

    What is opened and not closed, a comment or a record, is given up when the text ends or grows
    too long: the comment's mark is passed over, the record ends where the next one starts.
    """

    def __init__(self, token: re.Pattern[str]) -> None:
        self._token = token
        self._text = ""
        self._line = 1  # at `_counted`
        self._counted = 0
        self._at = 0  # everything before it was looked at
        self._start = -1  # of the open record
        self._name = ""
        self._depth = 0
        self._namespaces = ""
        self._any = False  # a record was found; what is declared around it is known
        self._closer = ""  # of the open comment
        self._searched: dict[str, int] = {}  # up to where there is no such closer
        self._given_up = 0  # comments that open before it and do not close are none
        self._nested = True  # whether records of a name may stand in each other

    def feed(self, chunk: str) -> Iterator[Block]:
        self._text += chunk
        yield from self._scan()
        if len(self._text) - max(self._start, 0) > LONGEST_RECORD:
            yield from self._give_up()
        if self._start >= 0:
            self._drop(self._start)
        else:
            # A tag or a comment may be cut by the end of the chunk.
            self._drop(max(self._at, self._undecided()) if not self._closer else self._at)

    def close(self) -> Iterator[Block]:
        if self._closer or self._start >= 0:
            yield from self._give_up()

    def _undecided(self) -> int:
        tag = self._text.rfind("<", self._at)
        # Text without a record in sight must not pile up.
        return tag if 0 <= len(self._text) - tag < LONGEST_RECORD else len(self._text)

    def _give_up(self) -> Iterator[Block]:
        """Read again what an unclosed comment or record would swallow."""
        self._given_up = len(self._text)
        if self._closer:
            self._closer = ""
            yield from self._scan()
        if self._start >= 0:
            # Its own end is missing; from now on a record ends where the next one starts.
            self._nested = False
            self._at, self._depth, self._searched = self._start + 1, 1, {}
            yield from self._scan()
        if self._start >= 0:
            self._at = len(self._text)
            yield self._block(len(self._text.rstrip()), closed=False)

    def _scan(self) -> Iterator[Block]:
        if self._closer and not self._passed_comment():
            return
        while match := self._token.search(self._text, self._at):
            place = match.start()
            if match["open"]:
                self._closer = "-->" if match["open"] == "<!--" else "]]>"
                self._at = match.end()
                if not self._passed_comment():
                    if place >= self._given_up:
                        return
                    self._closer = ""
                continue
            name = match["name"]
            alone = match["attributes"].rstrip().endswith("/")
            starts = not match["end"] and self._start >= 0 and name == self._name
            if starts and not self._nested and place > self._start:
                yield self._block(place, closed=False)
            self._at = match.end()
            if self._start < 0:
                if match["end"]:
                    continue
                if not self._any:
                    self._namespaces = self._namespaces or _declared(self._text[:place])
                    self._any = True
                self._start, self._name, self._depth = place, name, 0
            if name == self._name and not alone:
                self._depth += -1 if match["end"] else 1
            if self._depth == 0:
                yield self._block(match.end(), closed=True)

    def _passed_comment(self) -> bool:
        """Go on behind the open comment, if its end is in the text at hand."""
        at = max(self._at, self._searched.get(self._closer, 0))
        end = self._text.find(self._closer, at)
        if end < 0:
            # Neither this comment nor a later one ends before here.
            self._searched[self._closer] = max(at, len(self._text) - 2)
            return False
        self._at, self._closer = end + len(self._closer), ""
        return True

    def _block(self, end: int, *, closed: bool) -> Block:
        line = self._line_at(self._start)
        block = Block(self._name, self._text[self._start : end], line, closed, self._namespaces)
        self._start = -1
        return block

    def _line_at(self, place: int) -> int:
        self._line += self._text.count("\n", self._counted, place)
        self._counted = place
        return self._line

    def _drop(self, end: int) -> None:
        if not end:
            return
        if not self._any and not self._namespaces:
            self._namespaces = _declared(self._text[:end])
        self._line_at(end)
        self._text = self._text[end:]
        self._at = max(0, self._at - end)
        self._given_up = max(0, self._given_up - end)
        self._searched = {closer: max(0, place - end) for closer, place in self._searched.items()}
        self._counted = 0
        if self._start >= 0:
            self._start -= end


def parse_block(block: Block) -> etree._Element:
    """Parse one record; tags come out without namespaces.

    Entities with an HTML name (&uuml;) are resolved, others stay unresolved: none is ever
    fetched or expanded from the file's own definitions.

    Raises:
        NoRecordError: the record is not well-formed; the message says where and why.
    """
    raw = _FORBIDDEN.sub("\ufffd", block.raw)
    if "&" in raw:
        raw = _BARE.sub("&amp;", _NAMED.sub(_character, raw))
        raw = _FORBIDDEN_REFERENCE.sub("\ufffd", raw)
    wrapped = f"<kg{block.namespaces}>{raw}</kg>".encode("utf-8", "replace")
    try:
        root = etree.fromstring(wrapped, _parser())
    except etree.XMLSyntaxError as error:
        if (whole := _recovered(wrapped)) is not None:
            root = whole
        elif "prefix" in str(error).lower():
            root = _without_prefixes(raw, block)
        else:
            raise NoRecordError(_message(error, block)) from error
    element = root[0]
    for child in element.iter():
        if isinstance(child.tag, str) and "}" in child.tag:
            child.tag = child.tag.rpartition("}")[2]
    return element


def _parser(*, recover: bool = False) -> etree.XMLParser:
    return etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, remove_pis=True, recover=recover
    )


def _recovered(wrapped: bytes) -> etree._Element | None:
    """A record with faults that cost no text; None where there are others."""
    parser = _parser(recover=True)
    root = etree.fromstring(wrapped, parser)
    return root if all(entry.type in _HARMLESS for entry in parser.error_log) else None


def _without_prefixes(raw: str, block: Block) -> etree._Element:
    """Parse a record whose prefixes nobody declared, by declaring them."""
    prefixes = sorted(
        set(re.findall(r"[<\s/]([A-Za-z_][\w.-]*):[\w.-]+[\s=/>]", raw)) - {"xml", "xmlns"}
    )
    declared = "".join(f' xmlns:{prefix}="urn:{prefix}"' for prefix in prefixes)
    wrapped = f"<kg{declared}>{raw}</kg>".encode("utf-8", "replace")
    try:
        return etree.fromstring(wrapped, _parser())
    except etree.XMLSyntaxError as error:
        raise NoRecordError(_message(error, block)) from error


def _message(error: etree.XMLSyntaxError, block: Block) -> str:
    line, column = error.position
    place = f"line {block.line + max(0, (line or 1) - 1)}, column {column}"
    return f"not well-formed XML at {place}: {error.msg}"


def _declared(text: str) -> str:
    """The namespace declarations of the elements before the first record."""
    seen: dict[str, str] = {}
    for match in _NAMESPACE.finditer(text):
        key = match.group().split("=")[0].strip()
        seen[key] = " " + match.group().strip()
    return "".join(seen.values())


def _character(match: re.Match[str]) -> str:
    name = match.group(1)
    if name in _FIVE:
        return match.group()
    # An entity of the file's own making is shown as it is written.
    character = html.entities.html5.get(name + ";")
    return character if character is not None else f"&amp;{name};"
