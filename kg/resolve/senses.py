"""What an abbreviation stands for: one thing, one above all, or several with none above all."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from kg.resolve.abbreviations import same_long_form
from kg.resolve.aliases import Expansion

# A sense that at least this share of the papers means is what a bare abbreviation means.
OVERWHELMING = 0.8
# What is known beforehand weighs as much as this many papers, so that three papers of a
# corpus that say otherwise are heard, and one is not.
_PRIOR_PAPERS = 3
# Papers that leave a name unexpanded for each that expands it: far above that, the name is
# one that everybody knows, and the few expansions are likelier to be something else.
_BARE_PER_EXPANDED = 20
_COMPARED = 24


@dataclass(frozen=True, slots=True)
class Sense:
    """Long forms that say the same; `papers` expand the abbreviation so, `prior` elsewhere."""

    nodes: tuple[int, ...]  # in most papers first; empty: known, but not in this corpus
    papers: int
    prior: int
    long: str  # key of the commonest long form

    def weight(self, known: int) -> float:
        """Papers for this sense, those known beforehand scaled down; `known` is their sum."""
        return self.papers + (_PRIOR_PAPERS * self.prior / known if known else 0.0)


@dataclass(frozen=True, slots=True)
class Senses:
    """All senses of one abbreviation, the commonest first, and the one that bare uses mean."""

    senses: tuple[Sense, ...]
    overwhelming: Sense | None
    share: float  # of the commonest


def senses_of(
    long_papers: dict[int, int],
    known: Iterable[Expansion],
    *,
    bare: int,
    key: Callable[[int], str],
    root: Callable[[int], int],
    find: Callable[[str], int | None],
) -> Senses:
    """Gather an abbreviation's long forms into senses.

    Args:
        long_papers: papers that expand it, by long form.
        known: expansions known beforehand.
        bare: papers that do not expand it.
        key: a node's key.
        root: nodes that are already known to be one have one root.
        find: the node of a key under the abbreviation's label, if the corpus has it.
    """
    clusters: list[list[int]] = []
    by_root: dict[int, list[int]] = {}
    for node in sorted(long_papers, key=lambda node: (-long_papers[node], key(node))):
        cluster = by_root.get(root(node)) or _alike(clusters, key(node), key)
        if cluster is None:
            cluster = []
            clusters.append(cluster)
        cluster.append(node)
        by_root[root(node)] = cluster
    prior = [0] * len(clusters)
    unseen: list[Sense] = []
    for expansion in known:
        node = find(expansion.long)
        match = by_root.get(root(node)) if node is not None else None
        if match is None:
            match = _alike(clusters, expansion.long, key)
        if match is not None:
            prior[clusters.index(match)] += expansion.papers
        else:
            nodes = (node,) if node is not None else ()
            unseen.append(Sense(nodes, 0, expansion.papers, expansion.long))
    senses = [
        Sense(tuple(cluster), sum(long_papers[n] for n in cluster), prior[i], key(cluster[0]))
        for i, cluster in enumerate(clusters)
    ]
    return _weigh([*senses, *unseen], bare)


def _alike(clusters: list[list[int]], long: str, key: Callable[[int], str]) -> list[int] | None:
    for cluster in clusters[:_COMPARED]:
        if same_long_form(key(cluster[0]), long):
            return cluster
    return None


def _weigh(senses: list[Sense], bare: int) -> Senses:
    known = sum(sense.prior for sense in senses)
    total = sum(sense.weight(known) for sense in senses)
    senses.sort(key=lambda sense: (-sense.weight(known), sense.long))
    if not total:
        return Senses((), None, 0.0)
    first = senses[0]
    share = first.weight(known) / total
    heard = first.prior > 0 or bare <= _BARE_PER_EXPANDED * first.papers
    return Senses(tuple(senses), first if share >= OVERWHELMING and heard else None, share)
