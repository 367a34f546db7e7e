"""Names of authors, from strings that write them in every order."""

import re
from functools import lru_cache

from kg.model.record import Person

# Lower-case words that belong to the family name: van der Berg, de la Cruz, bin Laden.
_PARTICLES = frozenset(
    "a af al am an ap at auf aus ben bin d da dal dalla dalle das de degli dei del dela della delle"
    " dem den der des di do dos du e el freiherr im in la las le les lo los mac ter ten te 't tot"
    " und van vande vander vom von y zu zum zur".split()
)
_SUFFIX = re.compile(r"(?:[JS]r\.?|I{2,3}|IV|Ph\.?\s?D\.?|M\.?D\.?|Esq\.?)", re.IGNORECASE)
# Capitals without dots after the family name, as PubMed and Web of Science write: Smith JA.
_INITIALS = re.compile(r"[^\W\d_a-zß-öø-ÿ]{1,4}(?:-[^\W\d_a-z]{1,2})?")
# The same where the family name is in capitals: YANG Y, LI WJ; but JOHN LI.
_CAPITALS = re.compile(r"[A-Z]{2,} [A-Z]|[A-Z]{3,} [B-DF-HJ-NP-TV-XZ]{2}")
_EASTERN = re.compile(r"[一-鿿぀-ヿ가-힯]")
_DOTTED = re.compile(r"(?:-?[^\W\d_]\.){1,4}")
_BRACE_OR_AND = re.compile(r"[{}]|\s+and\s+")
_NOBODY = re.compile(
    r"(?:and\s+)?(?:others|et\.?\s*al\.?|\.\.\.|…|anonymous|n/?a|none|unknown|-+)", re.IGNORECASE
)
_GROUPS = frozenset(
    "consortium collaboration group team association society institute university committee"
    " organisation organization council foundation network initiative ministry department inc llc"
    " ltd gmbh investigators working project center centre lab laboratory academy agency board".split()
)
_WORD = re.compile(r"\w+")
# No particle, no suffix, no initials at the end; what a plain name means needs no thought.
_PLAIN = re.compile(r"[A-Z][A-Za-z]*(?: [A-Z][A-Za-z.'-]*)* [A-Z][a-z]{3,}")


@lru_cache(maxsize=1 << 14)
def person(text: str, *, orcid: str = "") -> Person:
    """Read one name: "Family, Given", "Given Family", "von Last, Jr., First", "Smith JA".

    An organisation, or a single word, is kept whole in `name`.

    >>> person("van der Berg, Jan")
    Person(family='van der Berg', given='Jan', name='', orcid='')
    """
    text = " ".join(text.split()).strip(" ,;")
    if text.startswith("{") and text.endswith("}"):
        return Person(name=text.strip("{} "), orcid=orcid)
    if not text:
        return Person(orcid=orcid)
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if len(parts) >= 2:
        return _with_commas(parts, orcid)
    words = text.split(" ")
    if len(words) == 1 or _names_group(text) or _EASTERN.search(text):
        return Person(name=text, orcid=orcid)
    if _SUFFIX.fullmatch(words[-1]) and len(words) > 2 and not words[-1].isupper():
        *words, suffix = words
    else:
        suffix = ""
    initials = _INITIALS.fullmatch(words[-1]) and not _INITIALS.fullmatch(words[0])
    if initials or _CAPITALS.fullmatch(text):
        return Person(family=" ".join(words[:-1]), given=words[-1], orcid=orcid)  # van Dyk JA
    if _DOTTED.fullmatch(words[-1]) and not _DOTTED.fullmatch(words[0]):
        return Person(family=" ".join(words[:-1]), given=words[-1], orcid=orcid)  # Liu F.
    start = _family_start(words)
    given = " ".join(words[:start])
    return Person(
        family=" ".join(words[start:]), given=f"{given}, {suffix}" if suffix else given, orcid=orcid
    )


def plain_name(text: str) -> tuple[str, str] | None:
    """Family and given name of Jane B. Roe, as most are written; None of any other form."""
    if _PLAIN.fullmatch(text) is None or not _GROUPS.isdisjoint(text.lower().split(" ")):
        return None
    given, _, family = text.rpartition(" ")
    return family, given


def _names_group(text: str) -> bool:
    """Whether a word stands in the name that organisations have and people do not."""
    return not _GROUPS.isdisjoint(_WORD.findall(text.lower()))


def people(text: str) -> tuple[Person, ...]:
    """Read a list of names, parted by "and", semicolons, bars, line ends, or by commas.

    >>> [p.family for p in people("A. Vaswani, N. Shazeer, and J. Uszkoreit")]
    ['Vaswani', 'Shazeer', 'Uszkoreit']
    """
    return tuple(person(name) for name in split_names(text) if not _NOBODY.fullmatch(name))


def split_names(text: str) -> list[str]:
    """Cut a list of names into the strings of its names."""
    text = re.sub(r"[,;]?\s*\b(?:et\.?\s+al\b\.?|and others)\s*$", "", text.strip()).strip(",;")
    for separator in (";", "|", "\n", "·", "•"):
        if separator in text:
            parts = (part.strip(" ,") for part in text.split(separator))
            return [re.sub(r"^(?:and|&)\s+", "", " ".join(p.split())) for p in parts if p.strip()]
    pieces = [
        p.strip(" ,")
        for p in re.split(r"\s*,?\s+(?:and|&|und|et)\s+(?!al\b)", text)
        if p.strip(" ,")
    ]
    names: list[str] = []
    for piece in pieces:
        names.extend(_split_commas(piece, alone=len(pieces) == 1))
    return names


def bibtex_names(text: str) -> tuple[Person, ...]:
    """Read a BibTeX name list, where only " and " outside braces parts names."""
    names: list[str] = []
    depth, start = 0, 0
    for match in _BRACE_OR_AND.finditer(text):
        found = match.group()
        if found == "{":
            depth += 1
        elif found == "}":
            depth = max(0, depth - 1)
        elif depth == 0:
            names.append(text[start : match.start()])
            start = match.end()
    names.append(text[start:])
    stripped = (name.strip(" \t\r\n,") for name in names)
    return tuple(person(name) for name in stripped if name and not _NOBODY.fullmatch(name))


def _with_commas(parts: list[str], orcid: str) -> Person:
    family, *rest = parts
    if len(rest) == 1 and _SUFFIX.fullmatch(rest[0]) and " " in family:
        words = family.split(" ")
        start = _family_start(words)
        return Person(" ".join(words[start:]), f"{' '.join(words[:start])}, {rest[0]}", "", orcid)
    if len(rest) > 1 and any(_SUFFIX.fullmatch(part) for part in rest):
        # BibTeX: von Last, Jr, First. RIS: Last, First, Jr.
        given = [part for part in rest if not _SUFFIX.fullmatch(part)]
        suffix = [part for part in rest if _SUFFIX.fullmatch(part)]
        return Person(family, ", ".join([" ".join(given), *suffix]).strip(", "), "", orcid)
    if len(rest) > 2 or (len(rest) == 2 and _names_group(" ".join(parts))):
        return Person(name=", ".join(parts), orcid=orcid)
    return Person(family, " ".join(rest), "", orcid)


def _family_start(words: list[str]) -> int:
    """The index of the first word of the family name: the first particle, else the last word."""
    for index in range(1, len(words) - 1):
        if words[index].lower().strip(".") in _PARTICLES and words[index][0].islower():
            return index
    if words[0][0].islower() and words[0].lower() in _PARTICLES and len(words) > 1:
        return 0
    return len(words) - 1


def _split_commas(piece: str, *, alone: bool) -> list[str]:
    """Part a list by commas unless they part family and given names."""
    parts = [part.strip() for part in piece.split(",") if part.strip()]
    if len(parts) < 2:
        return parts
    if len(parts) == 3 and any(_SUFFIX.fullmatch(part) for part in parts[1:]):
        return [piece]  # von Last, Jr., First
    whole = all(" " in part for part in parts)
    if len(parts) == 2 and not _has_initial(parts[0]) and not (whole and alone):
        return [piece]  # Smith, John
    families, given = parts[::2], parts[1::2]
    if (
        len(families) == len(given)
        and all(len(part.split()) <= 2 for part in given)
        and any(_has_initial(part) or len(part) <= 3 for part in given)
        and not any(_has_initial(part) for part in families)
    ):
        return [f"{last}, {first}" for last, first in zip(families, given, strict=True)]
    return parts


def _has_initial(part: str) -> bool:
    return bool(re.match(r"(?:[^\W\d_]\.|[A-Z]{1,3}\s)", part))
