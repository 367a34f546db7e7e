"""What is known before a corpus is read: aliases, abbreviations, words that are also acronyms.

The files in kg/resolve/data are written by pipelines/aliases.py, which names their sources.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

from kg.model.known_name import KnownName
from kg.model.schema import NodeLabel
from kg.resolve.abbreviations import abbreviates
from kg.resolve.normalise import is_acronym, key, signature

REST = "*"
_PLAIN_KINDS = (NodeLabel.DATASET, NodeLabel.METRIC)
_HEADS = {
    "Dataset": frozenset("benchmark corpus dataset database treebank challenge".split()),
    "Metric": frozenset(
        "accuracy coefficient correlation distance divergence error index precision rank rate"
        " ratio recall score".split()
    ),
}
_CERTAIN = 0.9
_FEWEST_CERTAIN = 5
# What a listed abbreviation weighs beside counted ones.
_LISTED_PAPERS = 10


@dataclass(frozen=True, slots=True)
class Expansion:
    """A long form of an abbreviation, and how many papers write the two together.

    `kind` is Dataset or Metric where the long form is nothing else, else empty: methods and tasks
    are too often each other.
    """

    long: str  # a key; REST for all rare ones together
    papers: int
    kind: str = ""
    listed: bool = False  # nobody counted: it is on a list of names


@dataclass(frozen=True, slots=True)
class Known:
    """Names by (label, signature), expansions by the abbreviation's signature, trap words."""

    names: tuple[KnownName, ...] = ()
    expansions: Mapping[str, tuple[Expansion, ...]] = field(default_factory=dict)
    # English words: in capitals they are somebody's acronym, and road and ROAD two things.
    words: frozenset[str] = frozenset()
    # Abbreviations of one word that nearly always stand for one thing.
    certain: Mapping[str, Expansion] = field(default_factory=dict)
    # Names by label and signature of each of their forms.
    by_form: Mapping[tuple[str, str], tuple[KnownName, ...]] = field(default_factory=dict)

    def acronym(self, sign: str) -> str:
        """Return the signature of an acronym's node: in capitals where it is also a word."""
        return sign.upper() if sign in self.words else sign

    def expands(self, sign: str) -> bool:
        """Return whether a node's signature is a known abbreviation's."""
        word = sign.lower()
        return word in self.expansions and sign == self.acronym(word)

    def expand(self, sign: str, label: NodeLabel) -> tuple[Expansion, ...]:
        """Return what an abbreviation, by its node's signature, may stand for under a label."""
        every = self.expansions[sign.lower()] if self.expands(sign) else ()
        own = tuple(each for each in every if each.kind == label.value)
        if own and label in _PLAIN_KINDS:
            return own
        return tuple(each for each in every if each.kind in ("", label.value))


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
        found = Expansion(long, int(papers), _kind(long))
        expansions.setdefault(signature(short), []).append(found)
    for name in names:
        for short, long in abbreviated(name):
            kind = name.label.value if name.label in _PLAIN_KINDS else ""
            listed = expansions.setdefault(signature(key(short)), [])
            if signature(key(long)) not in {signature(each.long) for each in listed}:
                listed.append(Expansion(key(long), _LISTED_PAPERS, kind, listed=True))
    words = frozenset(line[0] for line in lines("words.tsv"))
    frozen = {short: tuple(listed) for short, listed in expansions.items()}
    return Known(names, frozen, words, dict(_certain(frozen)), _by_form(names, words))


def _by_form(
    names: Iterable[KnownName], words: frozenset[str]
) -> dict[tuple[str, str], tuple[KnownName, ...]]:
    found: dict[tuple[str, str], tuple[KnownName, ...]] = {}
    for name in names:
        for form in name.forms:
            sign = signature(key(form))
            signs = {sign.upper() if is_acronym(form) else sign} if sign in words else {sign}
            for each in signs:
                mark = (name.label.value, each)
                found[mark] = (*found.get(mark, ()), name)
    return found


def _certain(expansions: Mapping[str, tuple[Expansion, ...]]) -> Iterator[tuple[str, Expansion]]:
    for short, listed in expansions.items():
        first = max(listed, key=lambda each: each.papers)
        total = sum(each.papers for each in listed)
        if first.long != REST and first.papers >= max(_FEWEST_CERTAIN, _CERTAIN * total):
            yield short, first


def abbreviated(name: KnownName) -> Iterator[tuple[str, str]]:
    """Yield the name's forms that abbreviate another of its forms, with that."""
    for short in name.forms:
        long = next((form for form in name.forms if abbreviates(short, form)), None)
        if long is not None:
            yield short, long


def _kind(long: str) -> str:
    last = long.split()[-1]
    return next((kind for kind, heads in _HEADS.items() if last in heads), "")
