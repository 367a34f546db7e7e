"""What a page calls things: types read from the head and from the tail, names, facts."""

from collections.abc import Mapping
from typing import Any

from kg.model.schema import RelationshipType
from kg.views.claims import result_text
from kg.views.palette import NAMED_TOGETHER

_R = RelationshipType
PHRASES: dict[str, tuple[str, str]] = {
    _R.PROPOSES: ("proposes", "proposed by"),
    _R.USES: ("uses", "used by"),
    _R.COMPARES_WITH: ("compares with", "compared against by"),
    _R.EVALUATES_ON: ("evaluates on", "used for evaluation by"),
    _R.ADDRESSES: ("addresses", "addressed by"),
    _R.MEASURES: ("measures", "measured by"),
    _R.MENTIONS: ("mentions", "mentioned by"),
    _R.MAKES: ("claims", "claimed by"),
    _R.CITES: ("cites", "cited by"),
    _R.PUBLISHED_IN: ("published in", "published"),
    _R.WROTE: ("wrote", "written by"),
    _R.ABOUT: ("is about", "subject of"),
    _R.COMPARED_TO: ("compares to", "baseline of"),
    _R.ON: ("on", "where"),
    _R.REPORTS: ("reports", "reported by"),
    _R.OF: ("result of", "has result"),
    _R.AGAINST: ("against", "baseline of"),
    _R.BY: ("measured by", "measures"),
    _R.EXTENDS: ("extends", "extended by"),
    _R.OUTPERFORMS: ("outperforms", "outperformed by"),
    _R.PART_OF: ("part of", "has part"),
    _R.EVALUATED_ON: ("evaluated on", "evaluates"),
    NAMED_TOGETHER: ("named together with", "named together with"),
}


def name(node: str, properties: Mapping[str, Any]) -> str:
    """Return what a person calls the node."""
    if properties.get("label") == "Result":
        return result_text(dict(properties)) or node
    for key in ("name", "title", "text"):
        if properties.get(key):
            return str(properties[key])
    return node


def short(text: str, most: int) -> str:
    """Return the text in at most so many characters, cut at a word where one is near.

    >>> short("Random walks on graphs", 15)
    'Random walks…'
    """
    text = " ".join(text.split())
    if len(text) <= most:
        return text
    cut = text[: most - 1]
    space = cut.rfind(" ")
    return (cut[:space] if space > most * 0.6 else cut).rstrip(" ,;:-") + "…"


def facts(properties: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return what a panel says of a node under its name."""
    p = properties
    found: list[tuple[str, str]] = []
    if p.get("known") is False:
        found.append(("Read", "no: other papers cite it"))
    if p.get("title_made"):
        found.append(("Title", "made from the first sentence"))
    for key, word in (("date", "Date"), ("kind", "Kind"), ("certainty", "Certainty")):
        if p.get(key):
            found.append((word, str(p[key])))
    if p.get("year") and not p.get("date"):
        found.append(("Year", str(p["year"])))
    if p.get("polarity") == "negative":
        found.append(("Says", "that something does not hold"))
    for key, word in (("papers", "Papers"), ("mentions", "Mentions")):
        if p.get(key) is not None:
            found.append((word, f"{p[key]:,}"))
    surfaces = list(p.get("surfaces") or ())
    if len(surfaces) > 1:
        counts = list(p.get("surface_counts") or ())
        written = [f"{s} ({c})" for s, c in zip(surfaces, counts, strict=False)] or surfaces
        more = f" and {len(written) - 12} more" if len(written) > 12 else ""
        found.append(("Written as", ", ".join(written[:12]) + more))
    if p.get("topics"):
        found.append(("Topics", ", ".join(list(p["topics"])[:12])))
    if p.get("label") in ("Claim", "Result") and p.get("confidence") is not None:
        found.append(("Confidence", f"{p['confidence']:.2f}"))
    return found
