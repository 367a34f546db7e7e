"""What an abbreviation stands for: one thing, one above all, or several with none above all."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from kg.resolve.abbreviations import extends, same_long_form, truncates
from kg.resolve.aliases import REST, Expansion

# A sense that at least this share of the papers means is what a bare abbreviation means.
OVERWHELMING = 0.8
# What is known beforehand weighs as much as one paper: a corpus that says otherwise is heard
# when several of its papers do.
_PRIOR_PAPERS = 1
# Papers that leave a name unexpanded for each that expands it: far above that, the name is
# one that everybody knows, and the few expansions are likelier to be something else.
_BARE_PER_EXPANDED = 20
_COMPARED = 24


@dataclass(frozen=True, slots=True)
class Sense:
    """Long forms that say the same; `papers` expand the abbreviation so, `prior` elsewhere.

    `special` are long forms that say more, such as LLM-based multi-agent system for MAS: papers
    that write so mean this sense, but elsewhere they are a thing of their own.
    """

    nodes: tuple[int, ...]  # in most papers first; empty: known, but not in this corpus
    special: tuple[int, ...]
    papers: int
    prior: int
    long: str  # key of the commonest long form
    listed: bool = False  # known from a list of names, not from counting

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
    clusters: list[_Cluster] = []
    by_root: dict[int, _Cluster] = {}
    for node in sorted(long_papers, key=lambda node: (-long_papers[node], key(node))):
        cluster = by_root.get(root(node)) or _alike(clusters, key(node))
        if cluster is None:
            cluster = _Cluster(key(node))
            clusters.append(cluster)
        cluster.nodes.append(node)
        cluster.papers += long_papers[node]
        by_root[root(node)] = cluster
    unknown = _Cluster(REST)
    for expansion in known:
        if expansion.long == REST:
            unknown.prior += expansion.papers
            continue
        found = find(expansion.long)
        cluster = by_root.get(root(found)) if found is not None else None
        cluster = cluster or _alike(clusters, expansion.long)
        if cluster is None:
            cluster = _Cluster(expansion.long, [] if found is None else [found])
            clusters.append(cluster)
        if found is not None:
            by_root[root(found)] = cluster
        cluster.prior += expansion.papers
        cluster.listed &= expansion.listed
    kept = _specialised(clusters)
    if unknown.prior:
        kept.append(unknown)
    return _weigh([cluster.sense() for cluster in kept], bare)


@dataclass(slots=True)
class _Cluster:
    """A sense in the making."""

    long: str
    nodes: list[int] = field(default_factory=list)
    special: list[int] = field(default_factory=list)
    papers: int = 0
    prior: int = 0
    listed: bool = True

    def sense(self) -> Sense:
        nodes, special = tuple(self.nodes), tuple(self.special)
        return Sense(nodes, special, self.papers, self.prior, self.long, self.listed)


def _alike(clusters: list[_Cluster], long: str) -> _Cluster | None:
    for cluster in clusters[:_COMPARED]:
        if same_long_form(cluster.long, long):
            return cluster
    return None


def _specialised(clusters: list[_Cluster]) -> list[_Cluster]:
    """Let long forms that only say more than another, or were cut at a hyphen, count for that."""
    bases = clusters[:_COMPARED]
    kept: list[_Cluster] = []
    # A base says less, so it is decided upon before.
    for cluster in sorted(clusters, key=lambda c: (len(c.long.split()), c.long)):
        base = next((b for b in kept if extends(cluster.long, b.long) and b in bases), None)
        if base is not None and cluster.nodes and not base.nodes:
            # No paper here writes the shorter one: it is this one that others heard of.
            kept.remove(base)
            cluster.prior += base.prior
            base = None
        _keep_or_add(kept, cluster, base)
    whole: list[_Cluster] = []
    for cluster in sorted(kept, key=lambda c: (-c.papers - c.prior, -len(c.long), c.long)):
        base = next((b for b in whole if truncates(cluster.long, b.long)), None)
        _keep_or_add(whole, cluster, base)
    return whole


def _keep_or_add(kept: list[_Cluster], cluster: _Cluster, base: _Cluster | None) -> None:
    if base is None:
        kept.append(cluster)
    else:
        base.special += [*cluster.nodes, *cluster.special]
        base.papers += cluster.papers
        base.prior += cluster.prior


def _weigh(senses: list[Sense], bare: int) -> Senses:
    known = sum(sense.prior for sense in senses)
    total = sum(sense.weight(known) for sense in senses)
    senses.sort(key=lambda sense: (-sense.weight(known), sense.long))
    if not total:
        return Senses((), None, 0.0)
    if bare == 0 and sum(sense.papers > 0 for sense in senses) == 1:
        # Every paper says what it means, and all mean the same.
        only = next(sense for sense in senses if sense.papers)
        return Senses(tuple(senses), only, 1.0)
    first = senses[0]
    share = first.weight(known) / total
    heard = first.prior > 0 or bare <= _BARE_PER_EXPANDED * first.papers
    return Senses(tuple(senses), first if share >= OVERWHELMING and heard else None, share)
