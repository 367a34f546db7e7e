"""What an abbreviation means where its paper does not say: by the other names of the paper.

Only where no sense is overwhelming. A paper of MAP that names hidden Markov models beside it is
likelier one of those that expand it as maximum a posteriori.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from math import log

import numpy as np

from kg.resolve.corpus import Corpus
from kg.resolve.forms import Ints
from kg.resolve.senses import Sense

# The best sense is so many times as likely as the next, and shares so many names with the paper.
_TIMES = 20.0
_SHARED = 2
_SMOOTH = 0.5


def judge_by_company(corpus: Corpus, roots: Ints) -> dict[int, int]:
    """Return the root of the sense for groups that leave an open abbreviation unexpanded.

    Args:
        corpus: whose abbreviations have their senses.
        roots: of every node.
    """
    open_shorts = {
        short: [sense for sense in senses.senses if sense.papers and sense.nodes]
        for short, senses in corpus.senses.items()
        if senses.overwhelming is None
    }
    open_shorts = {short: here for short, here in open_shorts.items() if len(here) > 1}
    if not open_shorts:
        return {}
    company = _Company(corpus, roots)
    found: dict[int, int] = {}
    for short in sorted(open_shorts):
        found |= _judge(short, open_shorts[short], company, roots)
    return found


class _Company:
    """What each group names, and what the other groups of its paper name."""

    def __init__(self, corpus: Corpus, roots: Ints) -> None:
        self._groups = corpus.groups
        self._roots = roots
        self._starts = np.concatenate(([0], np.cumsum(corpus.groups.size)))
        # Groups are numbered paper by paper.
        self._paper = np.zeros(len(corpus.groups.size), dtype=np.int64)
        self._paper[corpus.rows.group] = corpus.rows.paper
        self._first = np.concatenate(
            ([0], np.flatnonzero(np.diff(self._paper)) + 1, [len(self._paper)])
        )
        order = np.argsort(corpus.groups.node, kind="stable")
        self._by_node = corpus.groups.group[order]
        self._nodes = corpus.groups.node[order]

    def groups(self, node: int) -> list[int]:
        """The groups that name a node, ascending."""
        # Of one type: otherwise numpy copies all nodes for every search.
        bounds = np.array((node, node + 1), dtype=self._nodes.dtype)
        start, end = np.searchsorted(self._nodes, bounds)
        found: list[int] = self._by_node[start:end].tolist()
        return found

    def nodes(self, group: int) -> set[int]:
        """The nodes that a group names."""
        return set(self._groups.node[self._starts[group] : self._starts[group + 1]].tolist())

    def others(self, group: int) -> list[int]:
        """The roots of what the other groups of its paper name, ascending."""
        at = int(np.searchsorted(self._first, group, side="right"))
        first, last = int(self._first[at - 1]), int(self._first[at])
        before = self._groups.node[self._starts[first] : self._starts[group]]
        behind = self._groups.node[self._starts[group + 1] : self._starts[last]]
        return sorted({*self._roots[before].tolist(), *self._roots[behind].tolist()})


def _judge(short: int, senses: Sequence[Sense], company: _Company, roots: Ints) -> dict[int, int]:
    said = [0] * len(senses)
    counts: dict[int, Counter[int]] = defaultdict(Counter)  # of a name, by sense
    meaning: dict[int, set[int]] = defaultdict(set)
    for i, sense in enumerate(senses):
        for node in {*sense.nodes, *sense.special}:
            meaning[node].add(i)
    bare = []
    for group in company.groups(short):
        named = company.nodes(group)
        meant = {i for node in named if node in meaning for i in meaning[node]}
        if len(meant) == 1:
            (sense_meant,) = meant
            said[sense_meant] += 1
            for name in company.others(group):
                counts[name][sense_meant] += 1
        elif named == {short}:
            bare.append(group)
    start = np.array([log(count + _SMOOTH) for count in said])
    absent = np.array([log(_SMOOTH / (count + 2 * _SMOOTH)) for count in said])
    judged: dict[int, int] = {}
    for group in bare:
        names = [name for name in company.others(group) if name in counts]
        scores = np.zeros(len(senses))
        for name in names:
            likely = absent.copy()
            for i, count in counts[name].items():
                likely[i] = log((count + _SMOOTH) / (said[i] + 2 * _SMOOTH))
            scores += likely
        scores += start
        top = np.flatnonzero(scores == scores.max()).tolist()
        best = min(top, key=lambda i: senses[i].long)
        shared = sum(1 for name in names if counts[name][best])
        lead = 0.0 if len(top) > 1 else scores[best] - np.partition(scores, -2)[-2]
        if shared >= _SHARED and lead >= log(_TIMES):
            judged[group] = int(roots[senses[best].nodes[0]])
    return judged
