"""How a name that people type is compared with nodes: in the tables and in every store alike."""

import re

from kg.model.schema import NodeLabel

# Properties of a paper that identify it elsewhere.
IDENTIFIERS = ("doi", "arxiv", "pmid", "openalex", "s2", "dblp", "acl")
_PREFIX = re.compile(
    r"^(https?://(dx\.)?doi\.org/|https?://arxiv\.org/(abs|pdf)/|arxiv:|doi:)", re.I
)


def shown_property(label: NodeLabel) -> str:
    """Return the property of a label that people call its nodes by."""
    return "title" if label is NodeLabel.PAPER else "name"


def identifier_forms(text: str) -> tuple[str, ...]:
    """Return the forms in which the identifiers of a paper may hold what was typed.

    >>> identifier_forms("https://arxiv.org/abs/2401.00001v2")
    ('2401.00001v2', '2401.00001')
    """
    bare = _PREFIX.sub("", text.strip()).removesuffix(".pdf")
    return tuple(dict.fromkeys((bare, bare.lower(), re.sub(r"v\d+$", "", bare))))
