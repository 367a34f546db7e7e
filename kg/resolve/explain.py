"""Reasons in words: why a surface form belongs to its entity."""

import re

from kg.resolve.latex import plain
from kg.resolve.normalise import key
from kg.resolve.partition import Edge

SHOWN = "the name shown"
_SENSES_TOLD = 5


def likeness(surface: str, name: str) -> str:
    """Say what differs between two forms of one signature."""
    if surface == name:
        return SHOWN
    said = f"'{name}'"
    if surface.casefold() == name.casefold():
        return f"{said} but for capitals"
    bare, other = plain(surface), plain(name)
    if bare.casefold() == other.casefold():
        return f"{said} but for LaTeX or special signs"
    if _letters(bare) == _letters(other):
        return f"{said} but for hyphens, spaces and signs"
    if key(surface) == key(name):
        return f"{said} but for plural, spelling or article"
    return f"{said} but for plural, spelling or the way of writing numbers"


def because(edge: Edge, surface: str, other: str) -> str:
    """Say why an edge joins the form with another."""
    short, long = sorted((surface, other), key=lambda form: (len(form), form))
    match edge.rule:
        case "decision":
            return f"you said so: decision {edge.note}"
        case "names":
            return f"your list of names gives it to '{edge.note}'"
        case "alias":
            return f"a well-known alias of '{edge.note}'"
        case "head":
            return f"'{short}' with a generic word after it"
        case "adjective":
            return f"'{other}' but for an adjective's ending"
        case "wording":
            return f"'{other}' with another form of a word"
        case "order":
            return f"'{other}' with its words in another order"
        case "slip":
            return f"'{other}' but for a slip of the keys"
        case "itself":
            return f"'{short}' with a word before it that only says that it is meant"
        case "year":
            return f"'{other}' but for the century of the year"
        case "moved number":
            return f"'{other}' with the number in another place"
        case "capitals":
            return f"'{other}' but for capitals"
        case "abbreviation":
            return f"{papers(edge.papers)} '{long} ({short})'"
        case "known abbreviation":
            return f"'{short}' stands for '{long}' in {edge.papers} papers read beforehand"
        case "long form":
            return f"like '{other}', it is what '{edge.note}' stands for"
        case "parts":
            if len(surface) > len(other):
                return f"'{other}' with '{edge.note}' written out"
            return f"'{other}' with '{edge.note}' abbreviated"
        case "text" | "taken in":
            return f"{papers(edge.papers)} '{surface}' and '{other}' for one thing"
        case "type":
            many, count, few, rare = edge.note.split(":")
            return f"a {many} in {count} papers, a {few} in only {rare}"
    raise ValueError(edge.rule)


def by_company(short: str, count: int) -> str:
    """Say that papers do not expand an abbreviation, but name what others of this sense do."""
    return f"'{short}' means this in {_unsaid(count)} not say so, by the other names there"


def by_capitals(short: str, count: int) -> str:
    """Say that papers do not expand an abbreviation, but write it as others of this sense do."""
    return f"'{short}' means this in {_unsaid(count)} not say so, by its capitals"


def _unsaid(count: int) -> str:
    return "1 paper, which does" if count == 1 else f"{count} papers, which do"


def papers(count: int) -> str:
    """Return '1 paper writes' or '12 papers write'."""
    return "1 paper writes" if count == 1 else f"{count} papers write"


def _letters(text: str) -> str:
    return re.sub(r"[\W_]+", "", text.casefold())


def split_reason(short: str, senses: list[tuple[str, int]], bare: str) -> str:
    """Say what an abbreviation stands for, and what papers mean that do not say."""
    said = ", ".join(
        f"'{long}' in {count} paper{'s' * (count != 1)}" for long, count in senses[:_SENSES_TOLD]
    )
    if len(senses) > _SENSES_TOLD:
        said += f" and {len(senses) - _SENSES_TOLD} more"
    rest = (
        f"it is taken as '{bare}'"
        if bare
        else "its capitals or the other names there decide, else it stays apart"
    )
    return f"'{short}' stands for {said}; where a paper does not say, {rest}"
