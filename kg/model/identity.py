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


def paper_id(ids: Identifiers, title: str, text: str) -> str:
    """Return doi:..., arxiv:..., acl:... and so on, else a hash of folded title and abstract."""
    for key in _PAPER_KEYS:
        value = getattr(ids, key)
        if value:
            return f"{key}:{value}"
    return f"hash:{digest(fold(title), fold(text))}"


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
