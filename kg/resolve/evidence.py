"""What the texts themselves say is one: pairs of nodes that one paper uses for one thing."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from kg.resolve.abbreviations import abbreviates, extends
from kg.resolve.forms import Ints, Numbers, Rows
from kg.resolve.nodes import Nodes
from kg.resolve.normalise import numbers

_PIECE = 1 << 16


@dataclass(frozen=True, slots=True)
class Groups:
    """Distinct pairs of group and node, sorted; a group is one local entity of one paper."""

    group: Numbers
    node: Numbers
    size: Ints  # of each group, by group
    papers: Ints  # groups of each node, by node


def group_nodes(rows: Rows, node_of: Ints, nodes: int) -> Groups:
    """Return which nodes each group names."""
    width = max(1, nodes)
    pairs = np.unique(rows.group.astype(np.int64) * width + node_of[rows.form])
    group, node = (pairs // width).astype(np.int32), (pairs % width).astype(np.int32)
    size = np.bincount(group, minlength=int(group.max()) + 1 if len(group) else 0)
    return Groups(group, node, size.astype(np.int64), np.bincount(node, minlength=nodes))


def pair_counts(groups: Groups) -> tuple[Ints, Ints, Ints]:
    """Return nodes that stand together in groups, the lower number first, and in how many."""
    width = max(1, len(groups.papers))
    starts = np.concatenate(([0], np.cumsum(groups.size)))
    found = [np.zeros(0, np.int64)]
    for size in np.unique(groups.size[groups.size > 1]).tolist():
        first = starts[:-1][groups.size == size]
        found += [
            groups.node[first + i].astype(np.int64) * width + groups.node[first + j]
            for i in range(size)
            for j in range(i + 1, size)
        ]
    pairs, counts = np.unique(np.concatenate(found), return_counts=True)
    return pairs // width, pairs % width, counts.astype(np.int64)


@dataclass(frozen=True, slots=True)
class InText:
    """Pairs by what they are: an abbreviation and its long forms, or two ways to say it."""

    expansions: dict[int, dict[int, int]]  # abbreviation -> long form -> papers
    variants: dict[int, dict[int, int]]  # both ways, of which several papers say it


def sort_pairs(
    pairs: tuple[Ints, Ints, Ints], nodes: Nodes, surface: Callable[[int], str]
) -> InText:
    """Tell abbreviations from other pairs; nodes of different labels are no pair."""
    expansions: dict[int, dict[int, int]] = {}
    variants: dict[int, dict[int, int]] = {}
    for start in range(0, len(pairs[0]), _PIECE):
        piece = (column[start : start + _PIECE].tolist() for column in pairs)
        for one, two, papers in zip(*piece, strict=True):
            if nodes.label[one] != nodes.label[two]:
                continue
            surfaces = surface(one), surface(two)
            if abbreviates(*surfaces):
                expansions.setdefault(one, {})[two] = papers
            elif abbreviates(*surfaces[::-1]):
                expansions.setdefault(two, {})[one] = papers
            elif papers > 1:
                variants.setdefault(one, {})[two] = papers
                variants.setdefault(two, {})[one] = papers
    return InText(expansions, variants)


def satellites(
    variants: dict[int, dict[int, int]], papers: Ints, nodes: Nodes
) -> Iterator[tuple[int, int, int, float]]:
    """Yield nodes that mostly stand beside one other: node, other, papers together, share.

    A way of saying it that half of its own papers use for something else joins nothing, and each
    joins one other at most: one careless text must not tie two things over the whole corpus.
    One that says more, such as document-level machine translation, is another thing elsewhere.
    """
    for node in sorted(variants):
        total = int(papers[node])
        best = min(
            variants[node],
            key=lambda other: (
                -variants[node][other],
                -int(papers[other]),
                nodes.signature[other],
            ),
        )
        together = variants[node][best]
        share = together / total
        if share > 0.5 and _may_be_variants(nodes, node, best):
            yield node, best, together, share


def _may_be_variants(nodes: Nodes, one: int, two: int) -> bool:
    """Neither says more than the other, nor another number."""
    a, b = nodes.keys(one)[0], nodes.keys(two)[0]
    return numbers(a) == numbers(b) and not extends(a, b) and not extends(b, a)
