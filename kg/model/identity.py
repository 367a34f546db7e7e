"""Ids from content: the same input gives the same ids on every machine."""

import hashlib
import re
import unicodedata
from functools import cache

from kg.model.record import Identifiers
from kg.model.schema import NodeLabel, RelationshipType

_SIGNS = re.compile(r"[\W_]+")

# The identifiers that may become a paper's id, the most stable first.
_PAPER_KEYS = (
    "doi",
    "arxiv",
    "acl",
    "pmid",
    "openalex",
    "s2",
    "corpus",
    "dblp",
    "openreview",
    "pmcid",
    "mag",
    "wos",
    "scopus",
)


_TELLING_WORDS = 8  # of an abstract that is more than a remark


def digest(*parts: str, size: int = 16) -> str:
    """Return hexadecimal digits of a hash over the parts, which may hold any character."""
    encoded = [part.encode("utf-8", "surrogatepass") for part in parts]
    # With its length before each, so that no two lists of parts look alike.
    framed = b"".join([len(data).to_bytes(8, "big") + data for data in encoded])
    return hashlib.sha256(framed).hexdigest()[:size]


def fold(text: str) -> str:
    """Return the text without case, accents, punctuation and double spaces, for comparing."""
    if not text.isascii():
        text = unicodedata.normalize("NFKD", text).translate(_marks())
    return " ".join(_SIGNS.sub(" ", text.casefold()).split())


@cache
def _marks() -> dict[int, None]:
    """Every character that only modifies the one before it; none stands above plane 1."""
    return {code: None for code in range(0x300, 0x20000) if unicodedata.combining(chr(code))}


def paper_id(
    ids: Identifiers, title: str, text: str, family: str = "", year: int | None = None
) -> str:
    """Return doi:..., arxiv:... and so on, else a hash of what tells the paper from others.

    Args:
        ids: its identifiers.
        title: its title, folded or not.
        text: its abstract.
        family: the first author's family name, folded; counts where the abstract says little.
        year: of publication; counts with it.
    """
    for key in _PAPER_KEYS:
        value = getattr(ids, key)
        if value:
            return f"{key}:{value}"
    return f"hash:{digest(*content_parts(fold(title), fold(text), family, year))}"


def content_parts(title: str, text: str, family: str, year: int | None) -> tuple[str, ...]:
    """Return what tells papers apart that have no identifiers.

    A title and an abstract do; "Introduction" with no abstract, or with "No abstract.", does not,
    and needs its author and year.

    Args:
        title: folded.
        text: the abstract, folded.
        family: the first author's family name, folded.
        year: of publication.
    """
    if text.count(" ") + 1 >= _TELLING_WORDS or not (family or year):
        return title, text
    return title, text, family, str(year or "")


def entity_id(label: NodeLabel, key: str) -> str:
    """Return an entity's id from its label and its folded canonical name."""
    return f"{label.value.lower()}:{key}"


def claim_id(paper: str, start: int, end: int) -> str:
    """Return a claim's id: its paper and offsets."""
    return f"claim:{paper}:{start}-{end}"


def result_id(paper: str, start: int, end: int) -> str:
    """Return a result's id: its paper and offsets."""
    return f"result:{paper}:{start}-{end}"


def edge_id(relationship: RelationshipType, head: str, tail: str, paper: str = "") -> str:
    """Return an edge's id; `paper` only where one edge exists per supporting paper."""
    return digest(relationship.value, head, tail, paper, size=24)
