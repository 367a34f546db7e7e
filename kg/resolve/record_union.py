"""Sets of records that are of one paper, joined as far as nothing forbids it."""

from array import array
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

from kg.model.decision import Decision

# Registrants of preprint servers and repositories: a DOI of theirs may be of a paper that has
# another one elsewhere.
_PREPRINTS = (
    "10.48550/", "10.1101/", "10.64898/", "10.2139/", "10.21203/", "10.31219/", "10.31222/", "10.31223/",
    "10.31234/", "10.31235/", "10.20944/", "10.5281/", "10.6084/", "10.26434/", "10.36227/", "10.22541/",
    "10.14293/", "10.35542/", "10.32942/", "10.17605/", "10.13140/", "10.7287/peerj.preprints",
)  # fmt: skip

_YEARS = 4  # from a preprint to its journal

Distinct = tuple[frozenset[str], ...]


class RecordUnion:
    """Joins what is one paper unless the user or an identifier forbids it."""

    def __init__(
        self,
        size: int,
        ids: Callable[[int], Mapping[str, str]],
        alone: Callable[[int], str],
        year: Callable[[int], int],
        refused: Sequence[Decision],
    ) -> None:
        """Start with every record in a set of its own.

        Args:
            size: how many records there are.
            ids: gives the identifiers of a record.
            alone: gives the id of the paper that a record would be without others.
            year: gives the year of a record, 0 where it says none.
            refused: pairs of papers that the user wants apart.
        """
        self.reasons: dict[int, str] = {}
        self._parent = array("q", range(size))
        self._find_ids = ids
        self._find_alone = alone
        self._find_year = year
        # Of the sets that something was asked about, by their roots.
        self._distinct: dict[int, Distinct] = {}
        self._years: dict[int, tuple[int, int]] = {}
        self._ids: dict[int, set[str]] = {}
        self._members: dict[int, list[int]] = {}
        self._apart: dict[str, set[str]] = defaultdict(set)
        for decision in refused:
            one, two = (form.surface for form in decision.forms)
            self._apart[one].add(two)
            self._apart[two].add(one)

    def root(self, index: int) -> int:
        """The record that stands for a set."""
        parent = self._parent
        while parent[index] != index:
            parent[index] = parent[parent[index]]
            index = parent[index]
        return index

    def groups(self) -> list[list[int]]:
        """Every set of several records, these ascending."""
        return [sorted(members) for members in self._members.values()]

    def join(self, first: int, second: int, reason: str, *, sure: bool, same: bool = False) -> None:
        """Make two sets one; what is only likely yields to identifiers or years that differ.

        Two records agree with a third that says no year, and not with each other.

        Args:
            first: a record of the one set.
            second: a record of the other.
            reason: why, in words.
            sure: whatever else they say.
            same: they say the same word by word, whatever the year.
        """
        one, two = self.root(first), self.root(second)
        if one == two:
            return
        if self._apart and any(self._apart[name] & self._names(two) for name in self._names(one)):
            return
        mine, theirs = self._identifiers(one), self._identifiers(two)
        if not sure and any(
            values and other and values.isdisjoint(other)
            for values, other in zip(mine, theirs, strict=True)
        ):
            return
        years = self._range(one), self._range(two)
        if not (sure or same) and _far_apart(*years):
            return
        self._parent[two] = one
        if not self.reasons.get(second):
            self.reasons[second] = reason
        if self._apart:
            self._names(one).update(self._ids.pop(two))
        self._distinct[one] = tuple(a | b for a, b in zip(mine, theirs, strict=True))
        said = [year for pair in years for year in pair if year]
        self._years[one] = (min(said), max(said)) if said else (0, 0)
        del self._distinct[two], self._years[two]
        self._members.setdefault(one, [one]).extend(self._members.pop(two, [two]))

    def _names(self, root: int) -> set[str]:
        found = self._ids.get(root)
        if found is None:
            found = self._ids[root] = {self._find_alone(root)}
        return found

    def _range(self, root: int) -> tuple[int, int]:
        found = self._years.get(root)
        if found is None:
            found = self._years[root] = (self._find_year(root),) * 2
        return found

    def _identifiers(self, root: int) -> Distinct:
        found = self._distinct.get(root)
        if found is None:
            found = self._distinct[root] = _distinct_ids(self._find_ids(root))
        return found


def _far_apart(one: tuple[int, int], two: tuple[int, int]) -> bool:
    """Whether all years of one set are years away from all of another; no year is near all."""
    return bool(one[0] and two[0]) and max(one[0], two[0]) - min(one[1], two[1]) > _YEARS


def is_preprint(doi: str) -> bool:
    """Say whether a DOI is of a preprint or a deposit: the paper may have another one."""
    return doi.startswith(_PREPRINTS)


def _distinct_ids(ids: Mapping[str, str]) -> Distinct:
    """Identifiers of which one paper has one: the publisher's DOI, the preprint's, PubMed's."""
    doi = ids["doi"]
    published = frozenset({doi}) if doi and not is_preprint(doi) else frozenset()
    return (
        published,
        *(frozenset({ids[n]}) if ids[n] else frozenset() for n in ("arxiv", "pmid", "acl")),
    )
