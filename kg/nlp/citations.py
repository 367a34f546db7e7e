"""Citations in running text: printed forms, keys, identifiers and addresses.

Patterns only: what they find is what is printed; which paper it means is found elsewhere.
"""

import re
from collections.abc import Iterator
from typing import Final

from spacy.language import Language
from spacy.tokens import Doc

from kg.model.extraction import InlineCitation
from kg.nlp.document import text_of

AUTHOR_YEAR: Final = "author_year"
NUMERIC: Final = "numeric"
KEY: Final = "key"
DOI: Final = "doi"
ARXIV: Final = "arxiv"
ACL: Final = "acl"
URL: Final = "url"

_YEAR = r"(?:19|20)\d{2}[a-z]?"
# A family name with particles and hyphens: van der Berg, O'Neill, Müller-Stein.
_NAME = (
    r"(?:(?:[Vv]an|[Vv]on|[Dd]e|[Dd]er|[Dd]en|[Dd]i|[Dd]u|[Ll]a|[Ll]e|[Ee]l|[Aa]l)\s){0,2}"
    r"(?<!\w)[A-ZÀ-ÖØ-ÞŁŚŻČŠŽ][\w'’\\]{0,29}(?:[-‐][A-ZÀ-ÖØ-Þ]?[\w'’]{1,30})?"
)
_AUTHORS = rf"{_NAME}(?:,\s{_NAME}){{0,3}}(?:,?\s(?:and|&|\\&)\s{_NAME}|,?\set\.?\s?al\.?,?)?"
_ONE = re.compile(
    rf"(?P<authors>{_AUTHORS})(?:,\s?|\s)\(?(?P<years>{_YEAR}(?:,\s?(?:{_YEAR}|[a-z]\b))*)"
)
# (Lake and Baroni, 2018; Novak et al., 2020)
_BRACKET = re.compile(
    r"[(\[](?P<inner>[^()\[\]]{6,300}?\b(?:19|20)\d{2}[a-z]?[^()\[\]]{0,60})[)\]]"
)
# Novak et al. (2020)
_TEXTUAL = re.compile(
    rf"(?P<authors>{_AUTHORS})(?:['’]s)?\s[(\[](?P<years>{_YEAR}(?:,\s?(?:{_YEAR}|[a-z]\b))*)(?:,\s?[^()\[\]]{{1,20}})?[)\]]"
)
# Novak et al. [12]
_TEXTUAL_NUMBER = re.compile(
    rf"(?P<authors>{_NAME}(?:\s(?:and|&)\s{_NAME}|\set\.?\s?al\.?))\s?\[(?P<number>\d{{1,3}})\]"
)
_NUMBERS = re.compile(
    r"\[(?P<inner>\d{1,3}(?:\s?(?:,|;|-|–|—)\s?\d{1,3}){0,15})\](?!\s?(?:\^|=|\())"
)
_CITE = re.compile(
    r"\\(?:[a-zA-Z]{0,6}cite[a-zA-Z]{0,10}\*?)(?:\[[^\]]{0,80}\]){0,2}\{(?P<keys>[^{}]{1,300})\}"
)
_DOI = re.compile(
    r"(?:https?://(?:dx\.)?doi\.org/|\bdoi:\s?)?(?P<doi>\b10\.\d{4,9}/[^\s\"<>{}|\\^\[\]`]+)",
    re.IGNORECASE,
)
_ARXIV = re.compile(
    r"(?:https?://(?:www\.)?arxiv\.org/(?:abs|pdf|html)/|\barxiv:\s?|\barxiv preprint arxiv:\s?)"
    r"(?P<id>\d{4}\.\d{4,5}|[a-z][a-z.-]{1,14}/\d{7})(?P<version>v\d{1,2})?(?:\.pdf)?",
    re.IGNORECASE,
)
_ACL = re.compile(
    r"(?:https?://(?:www\.)?(?:aclanthology\.org|aclweb\.org/anthology)/)?"
    r"(?P<id>\b(?:[A-Z]\d{2}-\d{4}|(?:19|20)\d{2}\.[a-z][a-z0-9_-]{1,24}\.\d{1,4})\b)"
    r"(?:\.pdf|/)?"
)
_URL = re.compile(r"(?:https?://|www\.)[^\s<>\"{}|\\^`]+", re.IGNORECASE)

# A word before a year that is no author: months, events, "Figure".
_NO_AUTHOR = re.compile(
    r"^(?:January|February|March|April|May|June|July|August|September|October|November|December"
    r"|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|Figure|Table|Section|In|The|Since|From|Until"
    r"|During|Spring|Summer|Autumn|Fall|Winter|Task|Track|Challenge|Competition|Workshop|Subtask"
    r"|Between|Before|After|By|For|At|On|Of|And|Version|Windows|Season|Year|Olympics|Elections?)$"
)
_ACRONYM = re.compile(r"[A-Z]{2}|[a-z]{3}[A-Z]|\d")
_LONGEST_RANGE: Final = 30


def inline_citations(text: str) -> tuple[InlineCitation, ...]:
    """Return every citation of a text, in text order; none lies in another.

    >>> [(c.raw, c.kind) for c in inline_citations("See [3, 5-6] and Li and Wu (2019).")]
    [('[3, 5-6]', 'numeric'), ('Li and Wu (2019)', 'author_year')]
    """
    found: list[InlineCitation] = []
    taken: list[tuple[int, int]] = []
    # Longer and surer forms first: what they hold is theirs.
    for reader, sign in _READERS:
        if not sign.search(text):
            continue
        for start, end, citations in reader(text):
            if any(a < end and start < b for a, b in taken):
                continue
            taken.append((start, end))
            found += citations
    return tuple(sorted(found, key=lambda c: (c.start, c.end, c.target)))


Found = Iterator[tuple[int, int, list[InlineCitation]]]


def _keys(text: str) -> Found:
    for match in _CITE.finditer(text):
        keys = [key.strip() for key in match["keys"].split(",") if key.strip()]
        yield (
            *match.span(),
            [_plain(match.group(), match.start(), KEY, target=key) for key in keys],
        )


def _arxiv(text: str) -> Found:
    for match in _ARXIV.finditer(text):
        target = match["id"].lower()
        yield *match.span(), [_plain(match.group(), match.start(), ARXIV, target=target)]


def _dois(text: str) -> Found:
    for match in _DOI.finditer(text):
        doi = _unclosed(match["doi"])
        raw = match.group()[: len(match.group()) - len(match["doi"]) + len(doi)]
        end = match.start() + len(raw)
        yield match.start(), end, [_plain(raw, match.start(), DOI, target=doi.lower())]


def _acl(text: str) -> Found:
    for match in _ACL.finditer(text):
        yield *match.span(), [_plain(match.group(), match.start(), ACL, target=match["id"])]


def _urls(text: str) -> Found:
    for match in _URL.finditer(text):
        raw = _unclosed(match.group())
        if "." not in raw.split("//")[-1]:
            continue
        end = match.start() + len(raw)
        yield match.start(), end, [_plain(raw, match.start(), URL, target=raw)]


def _textual(text: str) -> Found:
    for match in _TEXTUAL.finditer(text):
        if _is_author(match["authors"]):
            yield *match.span(), _dated(match.group(), match.start(), match)


def _textual_numbers(text: str) -> Found:
    for match in _TEXTUAL_NUMBER.finditer(text):
        citation = InlineCitation(
            raw=match.group(),
            start=match.start(),
            end=match.end(),
            kind=NUMERIC,
            authors=_families(match["authors"]),
            target=match["number"],
        )
        yield *match.span(), [citation]


def _bracketed(text: str) -> Found:
    for match in _BRACKET.finditer(text):
        parts = [part for part in re.split(r";\s*", match["inner"]) if part.strip()]
        read = [_ONE.search(part) for part in parts]
        if not any(one and _is_author(one["authors"]) for one in read):
            continue
        citations = [
            citation
            for one in read
            if one and _is_author(one["authors"])
            for citation in _dated(match.group(), match.start(), one)
        ]
        yield *match.span(), citations


def _numbers(text: str) -> Found:
    for match in _NUMBERS.finditer(text):
        before = text[max(0, match.start() - 1) : match.start()]
        if (
            before.isalnum()
            or before in {"_", "^", "\\", "$", "{"}
            or re.search(r"\b0", match["inner"])
        ):
            continue
        if re.search(
            r"(?:[a-zA-Z]\s?[=∈]|\\in|interval|range|between|within)\s?$",
            text[max(0, match.start() - 10) : match.start()],
        ):
            continue  # an interval of numbers, not a list of references
        targets = _expanded(match["inner"])
        raw, start = match.group(), match.start()
        yield *match.span(), [_plain(raw, start, NUMERIC, target=target) for target in targets]


def _plain(raw: str, start: int, kind: str, *, target: str) -> InlineCitation:
    return InlineCitation(raw=raw, start=start, end=start + len(raw), kind=kind, target=target)


def _dated(raw: str, start: int, match: re.Match[str]) -> list[InlineCitation]:
    """One citation per year: (Novak, 2019a, 2020) means two papers."""
    families = _families(match["authors"])
    years: list[str] = []
    for part in match["years"].split(","):
        year = part.strip()
        # "2020a,b": the letter alone stands for the year before it.
        years.append(year if year[0].isdigit() else years[-1][:4] + year)
    return [
        InlineCitation(
            raw=raw,
            start=start,
            end=start + len(raw),
            kind=AUTHOR_YEAR,
            authors=families,
            year=int(year[:4]),
            target=year,
        )
        for year in years
    ]


def _families(authors: str) -> tuple[str, ...]:
    plain = re.sub(r",?\s?et\.?\s?al\.?,?", "", authors)
    names = re.split(r",\s|\s(?:and|&|\\&)\s", plain)
    return tuple(name.strip(" ,") for name in names if name.strip(" ,"))


def _is_author(authors: str) -> bool:
    names = _families(authors)
    if len(names) == 1 and names[0] == authors and _ACRONYM.search(authors):
        return False  # CoNLL 2003, GPT (2018)
    return bool(names) and not any(_NO_AUTHOR.match(name) for name in names)


def _expanded(inner: str) -> list[str]:
    """The numbers of "3, 5-7"."""
    targets: list[str] = []
    for part in re.split(r"\s?[,;]\s?", inner):
        ends = [int(digits) for digits in re.findall(r"\d+", part)]
        if len(ends) == 2 and 0 < ends[1] - ends[0] <= _LONGEST_RANGE:
            targets += [str(n) for n in range(ends[0], ends[1] + 1)]
        else:
            targets += [str(n) for n in ends]
    return targets


def _unclosed(address: str) -> str:
    """An address without the punctuation of the sentence around it."""
    while address:
        if address[-1] in ".,;:!?'\"*’”" or (
            address[-1] in ")]"
            and address.count(address[-1]) > address.count("(["[")]".index(address[-1])])
        ):
            address = address[:-1]
        else:
            break
    return address


# Each form with what no citation of that form is without, which is found at once.
_READERS: Final = tuple(
    (reader, re.compile(sign))
    for reader, sign in (
        (_keys, r"\\[a-zA-Z]{0,6}cite"),
        (_arxiv, r"(?i:arxiv)"),
        (_dois, r"10\.\d"),
        (_acl, r"\d-\d{4}|\d{2}\.[a-z]"),
        (_urls, r"(?i:://|www)"),
        (_textual, r"[(\[](?:19|20)\d{2}"),
        (_textual_numbers, r"\[\d{1,3}\]"),
        (_bracketed, r"[(\[][^()\[\]]{6,300}?\b(?:19|20)\d{2}"),
        (_numbers, r"\[\d{1,3}"),
    )
)


@Language.component("kg_citations", assigns=["doc._.kg_citations"])
def kg_citations(doc: Doc) -> Doc:
    """Set the citations of the text."""
    doc._.kg_citations = inline_citations(text_of(doc))
    return doc
