"""What an abbreviation means where its paper does not say: by the other names of the paper.

Only where no sense is overwhelming. A paper of MAP that names hidden Markov models beside it is
likelier one of those that expand it as maximum a posteriori.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from math import log

import numpy as np

from kg.resolve.corpus import Corpus
from kg.resolve.forms import Bools, Ints
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
    groups = corpus.groups
    paper_of = np.zeros(len(groups.size), dtype=np.int64)
    paper_of[corpus.rows.group] = corpus.rows.paper
    concerned = np.isin(groups.node, list(open_shorts))
    papers = np.unique(paper_of[groups.group[concerned]])
    near = np.isin(paper_of[groups.group], papers)
    nodes_of, company_of = _sort_out(corpus, roots, paper_of, near)
    found: dict[int, int] = {}
    for short in sorted(open_shorts):
        own = groups.group[groups.node == short].tolist()
        found |= _judge(short, open_shorts[short], own, roots, paper_of, nodes_of, company_of)
    return found


def _sort_out(
    corpus: Corpus, roots: Ints, paper_of: Ints, near: Bools
) -> tuple[dict[int, set[int]], dict[int, dict[int, set[int]]]]:
    """The nodes of each group, and the roots of each paper's groups."""
    groups = corpus.groups
    nodes_of: dict[int, set[int]] = defaultdict(set)
    company_of: dict[int, dict[int, set[int]]] = defaultdict(lambda: defaultdict(set))
    for group, node in zip(groups.group[near].tolist(), groups.node[near].tolist(), strict=True):
        nodes_of[group].add(node)
        company_of[int(paper_of[group])][group].add(int(roots[node]))
    return nodes_of, company_of


def _judge(
    short: int,
    senses: Sequence[Sense],
    own: Sequence[int],
    roots: Ints,
    paper_of: Ints,
    nodes_of: dict[int, set[int]],
    company_of: dict[int, dict[int, set[int]]],
) -> dict[int, int]:
    def company(group: int) -> set[int]:
        others = company_of[int(paper_of[group])]
        return {root for other, found in others.items() if other != group for root in found}

    counts: list[Counter[int]] = [Counter() for _ in senses]
    said = [0] * len(senses)
    bare = []
    for group in own:
        meant = [i for i, s in enumerate(senses) if nodes_of[group] & {*s.nodes, *s.special}]
        if len(meant) == 1:
            said[meant[0]] += 1
            counts[meant[0]].update(company(group))
        elif nodes_of[group] == {short}:
            bare.append(group)
    judged: dict[int, int] = {}
    for group in bare:
        names = company(group)
        scores = [
            log(said[i] + _SMOOTH)
            + sum(
                log((counts[i][name] + _SMOOTH) / (said[i] + 2 * _SMOOTH))
                for name in names
                if any(each[name] for each in counts)
            )
            for i in range(len(senses))
        ]
        order = sorted(range(len(senses)), key=lambda i: (-scores[i], senses[i].long))
        best = order[0]
        shared = sum(1 for name in names if counts[best][name])
        if shared >= _SHARED and scores[best] - scores[order[1]] >= log(_TIMES):
            judged[group] = int(roots[senses[best].nodes[0]])
    return judged
