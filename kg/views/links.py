"""Addresses that a page may link to: made from identifiers, or given and checked."""

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urlsplit

# Identifier, and how it is resolved. The identifier is quoted into the place of {}.
_RESOLVERS = {
    "doi": ("DOI", "https://doi.org/{}"),
    "arxiv": ("arXiv", "https://arxiv.org/abs/{}"),
    "acl": ("ACL Anthology", "https://aclanthology.org/{}"),
    "pmid": ("PubMed", "https://pubmed.ncbi.nlm.nih.gov/{}"),
    "openalex": ("OpenAlex", "https://openalex.org/{}"),
    "s2": ("Semantic Scholar", "https://www.semanticscholar.org/paper/{}"),
    "dblp": ("DBLP", "https://dblp.org/rec/{}"),
    "orcid": ("ORCID", "https://orcid.org/{}"),
}
_UNSAFE = re.compile(r"[\x00-\x20\x7f-\x9f\s\"'<>\\^`{|}\u200b-\u200f\u2028-\u202e\ud800-\udfff]")


def links(properties: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return text and address of every link that a node's properties give."""
    found = []
    for key, (name, pattern) in _RESOLVERS.items():
        value = properties.get(key)
        if value:
            safe = quote(str(value), safe="/:;()-._~", errors="replace")
            found.append((f"{name} {value}", pattern.format(safe)))
    for url in properties.get("urls") or ():
        address = safe_url(url)
        if address:
            found.append((address, address))
    return found


def safe_url(url: str) -> str:
    """Return the address if it is one of the web that can be followed as it stands, else ''.

    >>> safe_url("https://example.org/a?b=c")
    'https://example.org/a?b=c'
    >>> safe_url("javascript:alert(1)")
    ''
    """
    if _UNSAFE.search(url):
        return ""
    try:
        parts = urlsplit(url)
        host = parts.hostname
    except ValueError:
        return ""
    # A user name before the host is there to deceive about where the link leads.
    return url if parts.scheme in ("http", "https") and host and "@" not in parts.netloc else ""
