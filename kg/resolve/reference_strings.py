"""Printed references taken apart: authors, year, title, venue, volume, page.

No style is told apart for sure, so what is found is a help for matching, not the truth: a part
that cannot be told stays empty, and the whole string is kept.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from kg.model.record import Reference
from kg.sources import identifiers

_IDENTIFIER: Final = re.compile(
    r"(?:https?://|www\.)\S+|\b(?:doi\s*[:=]?\s*)?10\.\d{4,9}/\S+|\b(?:CoRR,?\s*)?abs/\d{4}\.\d{4,5}\S*",
    re.IGNORECASE,
)
_YEAR: Final = re.compile(r"(?<![\d./-])(1[89]\d\d|20\d\d)[a-z]?(?![\d/-])")
_PAREN_YEAR: Final = re.compile(
    r"\(\s*(?:[A-Z][a-z]+\.?\s+(?:\d{1,2},?\s+)?)?(1[89]\d\d|20\d\d)[a-z]?\s*\)"
)
_LABEL: Final = re.compile(r"^\s*(?:\[\w[\w+-]{0,15}\]|\(\d{1,4}\)|\d{1,4}[.)])\s+")
_PAGES: Final = re.compile(
    r"(?:\bpp?\.?\s*|:\s*|,\s*)([A-Za-z]?\d{1,6})\s*[-–—]+\s*[A-Za-z]?\d{1,6}\b"
)
_VOLUME: Final = re.compile(
    r"(?:\bvol(?:ume)?\.?\s*|,\s*|\s)(\d{1,4})\s*(?:\(\s*[\w–-]+\s*\)|,\s*no\.\s*\d+)?"
    r"\s*[:,]\s*(?:pp?\.?\s*)?[A-Za-z]?\d",
    re.IGNORECASE,
)
_QUOTED: Final = re.compile(r"[\"“”]([^\"“”]{8,400})[\"“”]|''([^']{8,400})''|‘([^’]{15,400})’")
_INITIAL: Final = r"(?:[A-ZÀ-Þ]\.?[- ]?){1,4}"
_PARTICLE: Final = (
    r"(?:(?:de|da|di|van|von|der|den|del|della|la|le|el|al|bin|ibn|ter|ten|dos|du|Mc|St\.)[ -])*"
)
_FAMILY: Final = rf"{_PARTICLE}[A-ZÀ-Þ][\w'’À-ÿ-]+(?:[ -][A-ZÀ-Þ][\w'’À-ÿ-]+)?"
# "Vaswani, A.", "Vaswani A.", "Vaswani, Ashish"
_FAMILY_FIRST: Final = re.compile(
    rf"({_FAMILY}),?\s+(?:{_INITIAL}(?![a-zà-ÿ])|[A-ZÀ-Þ][a-zà-ÿ]+\b)"
)
# "A. Vaswani", "Ashish Vaswani"
_GIVEN_FIRST: Final = re.compile(
    rf"(?:{_INITIAL}\s*|(?:[A-ZÀ-Þ][a-zà-ÿ'-]+\s+)(?:[A-ZÀ-Þ]\.?\s+)*)({_FAMILY})"
)
_VENUE_START: Final = re.compile(
    r"^(?:in\b:?|proceedings\b|proc\b|advances\b|journal\b|arxiv\b|corr\b|ieee\b|acm\b|transactions\b|"
    r"international\b|springer\b|elsevier\b|phd\b|technical\b|tech\b)",
    re.IGNORECASE,
)
_SENTENCE_END: Final = re.compile(
    r"(?<=[\w)\]}?!\"”’'])(?<!\b[A-Z])(?<!\bal)(?<!\bvs)(?<!\bSt)[.?!](?:\s+|$)"
)


def parse_reference(raw: str) -> Reference:
    """Take a printed reference apart.

    Web of Science lines ("Pearson K, 1905, NATURE, V72, P294, DOI 10...") and Scopus strings
    ("Pearson K., The problem of the random walk, Nature, 72, (1905)") are recognised; every
    other style is read by where the year, quotation marks and sentence ends stand.

    >>> parse_reference("Pearson K, 1905, NATURE, V72, P294").year
    1905
    """
    text = " ".join(raw.split())
    ids, _ = identifiers.find(text)
    wos = _web_of_science(text)
    if wos is not None:
        return replace(wos, raw=raw, ids=ids)
    body = _LABEL.sub("", text)
    body = _IDENTIFIER.sub(" ", body)
    year, year_span = _year(body)
    authors_part, title, rest = _split(body, year_span)
    return Reference(
        raw=raw,
        ids=ids,
        title=title,
        authors=_families(authors_part),
        year=year,
        venue=_venue(rest),
        volume=_first(_VOLUME, rest),
        page=_first(_PAGES, rest),
    )


def _web_of_science(text: str) -> Reference | None:
    parts = [part.strip() for part in text.split(",")]
    if len(parts) < 3 or not re.fullmatch(r"1[5-9]\d\d|20\d\d", parts[1]):
        return None
    if not re.fullmatch(r"\*?[\w'’.\- ]{2,60}", parts[0]):
        return None
    volume = next((p[1:] for p in parts[2:] if re.fullmatch(r"V\d[\w-]*", p)), "")
    page = next((p[1:] for p in parts[2:] if re.fullmatch(r"P[A-Za-z]?\d[\w-]*", p)), "")
    family = parts[0].lstrip("*")
    family = re.sub(r"\s+[A-Z](?:[.\s]?[A-Z]){0,3}\.?$", "", family)
    anonymous = family.lower().strip("[]") == "anonymous"
    return Reference(
        authors=() if anonymous else (family,),
        year=int(parts[1]),
        venue=parts[2] if not re.match(r"^(?:DOI|V\d|P\d)", parts[2]) else "",
        volume=volume,
        page=page,
    )


def _year(body: str) -> tuple[int | None, tuple[int, int] | None]:
    match = _PAREN_YEAR.search(body)
    if match:
        return int(match.group(1)), match.span()
    found = [m for m in _YEAR.finditer(body) if int(m.group(1)) <= 2035]
    if not found:
        return None, None
    # A year in a title or a page range comes before the year of publication, which ends the
    # line in most styles; right behind the authors it is set off by full stops.
    early = [m for m in found if re.match(r"[a-z]?[.,:]\s", body[m.end() - 1 : m.end() + 2])]
    chosen = early[0] if early and early[0].start() < len(body) * 0.4 else found[-1]
    return int(chosen.group(1)), chosen.span()


def _split(body: str, year: tuple[int, int] | None) -> tuple[str, str, str]:
    """Return the authors' part, the title and the rest."""
    quoted = _QUOTED.search(body)
    if quoted:
        title = next(group for group in quoted.groups() if group)
        return body[: quoted.start()], title.strip(" ,.;"), body[quoted.end() :]
    if year is not None and year[0] < len(body) * 0.55 and len(body) - year[1] > 15:
        after = body[year[1] :].lstrip(" ).,:;")
        title, rest = _first_sentence(after)
        return body[: year[0]], title, rest
    scopus = _scopus(body)
    if scopus is not None:
        return scopus
    authors, after = _leading_authors(body)
    title, rest = _first_sentence(after)
    return authors, title, rest


def _scopus(body: str) -> tuple[str, str, str] | None:
    """Authors and title parted by commas only: "Kipf T.N., Welling M., Title, Venue, (2017)"."""
    parts = body.split(", ")
    count = 0
    while count < len(parts) and re.fullmatch(rf"{_FAMILY}\s+{_INITIAL}", parts[count].strip()):
        count += 1
    if not count or count >= len(parts):
        return None
    head = ", ".join(parts[:count])
    rest = parts[count:]
    if re.match(rf"{_FAMILY}\s+{_INITIAL}(?![a-zà-ÿ])", rest[0]):
        return None  # "Ren S, Sun J. Title": the list ends in a full stop, not in a comma
    title = rest[0]
    taken = 1
    # A comma inside the title is followed by a lower-case word.
    while taken < len(rest) - 1 and re.match(r"(?:and\s|or\s)?[a-z]", rest[taken]):
        title += ", " + rest[taken]
        taken += 1
    return head, title.strip(" ."), ", ".join(rest[taken:])


def _leading_authors(body: str) -> tuple[str, str]:
    position = 0
    while True:
        rest = body[position:]
        joint = re.match(r"(?:\s*(?:,|;|&|\band\b|\bet al\.?)\s*)+", rest) if position else None
        start = position + (joint.end() if joint else 0)
        match = _FAMILY_FIRST.match(body, start) or _GIVEN_FIRST.match(body, start)
        if match is None or (position and joint is None):
            break
        position = match.end()
    if position:
        tail = re.match(
            r"\s*(?:,?\s*(?:and\s+)?(?:et al|others)\.?)?\s*[.,:;]?\s*", body[position:]
        )
        end = position + (tail.end() if tail else 0)
        return body[:position], body[end:]
    first, rest = _first_sentence(body)
    return (first, rest) if rest else ("", body)


def _first_sentence(text: str) -> tuple[str, str]:
    match = _SENTENCE_END.search(text, 8)
    if match is None:
        head, comma, rest = text.partition(", in ")
        return (head.strip(" .,"), rest) if comma else (text.strip(" .,"), "")
    return text[: match.start()].strip(" ,.;"), text[match.end() :].strip()


def _families(part: str) -> tuple[str, ...]:
    """Return the family names of a list of authors, in order."""
    cleaned = re.sub(r"\bet al\b\.?|\band others\b", " ", part).strip(" .,;:(")
    pieces = re.split(r"\s*;\s*|\s*&\s*|,?\s+and\s+", cleaned)
    found: list[str] = []
    for piece in pieces:
        found.extend(_family_of_list(piece))
    return tuple(found)


def _family_of_list(piece: str) -> Sequence[str]:
    names = [name.strip() for name in piece.split(",") if name.strip(" .")]
    families: list[str] = []
    for name in names:
        if re.fullmatch(_INITIAL + r"(?:\s*(?:Jr|Sr|II|III)\.?)?", name):
            continue  # the initials of "Family, A. B."
        given_first = re.fullmatch(rf"{_INITIAL}\s*({_FAMILY})(?:,? (?:Jr|Sr)\.?)?", name)
        if given_first:
            families.append(given_first.group(1))
            continue
        family_first = re.fullmatch(rf"({_FAMILY})\s+{_INITIAL}", name)
        if family_first:
            families.append(family_first.group(1))
            continue
        words = name.split()
        if 1 <= len(words) <= 4 and words[-1][:1].isupper():
            families.append(words[-1].strip("."))
    return families


def _venue(rest: str) -> str:
    head = re.split(r"[,.;]\s|\s(?=\d|\()", _VENUE_LEAD.sub("", rest.strip(" .,")), maxsplit=1)[0]
    return head.strip(" .,;:")


_VENUE_LEAD: Final = re.compile(r"^in\b:?\s*", re.IGNORECASE)


def _first(pattern: re.Pattern[str], text: str) -> str:
    match = pattern.search(text)
    return match.group(1) if match else ""
