"""What is known before a corpus is read: aliases, abbreviations, words that are also acronyms.

The files in kg/resolve/data are written by pipelines/aliases.py, which names their sources.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

from kg.model.schema import NodeLabel
from kg.resolve.names import KnownName
from kg.resolve.normalise import signature


@dataclass(frozen=True, slots=True)
class Expansion:
    """A long form of an abbreviation, and how many papers write the two together."""

    long: str  # a key
    papers: int


@dataclass(frozen=True, slots=True)
class Known:
    """Names by (label, signature), expansions by the abbreviation's signature, trap words."""

    names: tuple[KnownName, ...] = ()
    expansions: Mapping[str, tuple[Expansion, ...]] = field(default_factory=dict)
    # Lower-case English words that are also somebody's acronym: road and ROAD are two things.
    words: frozenset[str] = frozenset()


NOTHING = Known()


@cache
def shipped() -> Known:
    """Return what ships with kg."""
    data = files("kg.resolve") / "data"

    def lines(name: str) -> Iterable[list[str]]:
        text = (data / name).read_text(encoding="utf-8")
        return (line.split("\t") for line in text.splitlines() if line and line[0] != "#")

    names = tuple(
        KnownName(canonical, NodeLabel(label), tuple(aliases))
        for label, canonical, *aliases in lines("aliases.tsv")
    )
    expansions: dict[str, list[Expansion]] = {}
    for short, long, papers in lines("abbreviations.tsv"):
        expansions.setdefault(signature(short), []).append(Expansion(long, int(papers)))
    words = frozenset(line[0] for line in lines("words.tsv"))
    return Known(names, {k: tuple(v) for k, v in expansions.items()}, words)
