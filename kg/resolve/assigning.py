"""Which entity each mention row names: its node's, or another's where its paper says so."""

from collections import Counter

import numpy as np

from kg.resolve.capitals import judge_by_capitals
from kg.resolve.company import judge_by_company
from kg.resolve.corpus import Corpus
from kg.resolve.forms import Ints
from kg.resolve.partition import Edge


def assign_rows(corpus: Corpus) -> Ints:
    """Return the root of each row's entity; sets without rows of their own are taken in."""
    roots = np.fromiter(corpus.partition.roots(), dtype=np.int64, count=len(corpus.nodes))
    of_group = _of_groups(corpus, roots)
    corpus.by_capitals = judge_by_capitals(corpus, roots)
    corpus.by_company = judge_by_company(corpus, roots)
    for group, root in (corpus.by_company | corpus.by_capitals).items():
        of_group[group] = root
    own = roots[corpus.node_of[corpus.rows.form]]
    given = of_group[corpus.rows.group]
    assigned: Ints = np.where(given >= 0, given, own)
    return _take_in(corpus, own, assigned)


def _of_groups(corpus: Corpus, roots: Ints) -> Ints:
    """One entity for each group; -1 where the user wants its forms apart."""
    groups = corpus.groups
    root = roots[groups.node]
    starts = np.concatenate(([0], np.cumsum(groups.size)))
    of_group = np.full(len(groups.size), -1, dtype=np.int64)
    of_group[groups.group] = root
    lowest = np.full(len(groups.size), len(roots), dtype=np.int64)
    highest = np.full(len(groups.size), -1, dtype=np.int64)
    np.minimum.at(lowest, groups.group, root)
    np.maximum.at(highest, groups.group, root)
    torn = np.flatnonzero(highest > lowest)
    if len(torn) == 0:
        return of_group
    weights = _weights(corpus, torn)
    for group in torn.tolist():
        nodes = groups.node[starts[group] : starts[group + 1]].tolist()
        of_group[group] = _choose(corpus, nodes, roots, weights[group])
    return of_group


def _weights(corpus: Corpus, groups: Ints) -> dict[int, Counter[int]]:
    """Mentions by node, of the groups asked for."""
    wanted = np.zeros(len(corpus.groups.size), dtype=bool)
    wanted[groups] = True
    at = np.flatnonzero(wanted[corpus.rows.group])
    weights: dict[int, Counter[int]] = {group: Counter() for group in groups.tolist()}
    for row in at.tolist():
        node = int(corpus.node_of[corpus.rows.form[row]])
        weights[int(corpus.rows.group[row])][node] += int(corpus.rows.count[row])
    return weights


def _choose(corpus: Corpus, nodes: list[int], roots: Ints, weights: Counter[int]) -> int:
    """The long form's entity where the text expands an abbreviation, else the one named most."""
    for i, one in enumerate(nodes):
        for two in nodes[i + 1 :]:
            if corpus.partition.refused(one, two):
                return -1
    longs = _expanded(corpus, nodes)
    candidates = longs or nodes
    chosen = min(
        candidates,
        key=lambda node: (
            -weights[node],
            -int(corpus.groups.papers[node]),
            corpus.nodes.signature[node],
            corpus.nodes.label[node],
        ),
    )
    return int(roots[chosen])


def _expanded(corpus: Corpus, nodes: list[int]) -> list[int]:
    """The long forms that the group's abbreviations stand for by its own word."""
    inside = set(nodes)
    found = set()
    for short in nodes:
        for sense in corpus.senses[short].senses if short in corpus.senses else ():
            found |= inside.intersection(sense.nodes)
            if inside.intersection(sense.special):
                found.add(sense.nodes[0] if sense.nodes else short)
    return sorted(found)


def _take_in(corpus: Corpus, own: Ints, assigned: Ints) -> Ints:
    """Let a set whose rows all went elsewhere become an alias of where most of them went."""
    empty = np.setdiff1d(own, assigned)
    if len(empty) == 0:
        return assigned
    moved = np.isin(own, empty)
    pairs, counts = np.unique(np.stack([own[moved], assigned[moved]]), axis=1, return_counts=True)
    signs = corpus.nodes.signature
    order = sorted(
        range(len(counts)),
        key=lambda i: (int(pairs[0, i]), -int(counts[i]), signs[int(pairs[1, i])]),
    )
    done = set()
    for i in order:
        one, two = int(pairs[0, i]), int(pairs[1, i])
        if one not in done:
            done.add(one)
            edge = Edge("taken in", int(counts[i]), 0.9)
            # An abbreviation of several things is no id for one of them.
            members = corpus.partition.members(one)
            corpus.short.update(node for node in members if node in corpus.senses)
            corpus.partition.join(two, one, edge)
    mapped = np.fromiter(
        (corpus.partition.root(root) for root in np.unique(assigned).tolist()), dtype=np.int64
    )
    result: Ints = mapped[np.searchsorted(np.unique(assigned), assigned)]
    return result
