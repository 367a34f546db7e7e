"""What an abbreviation means where its paper does not say: by how it is written.

ToT is tree of thoughts, TOT tip of the tongue, though both are one name but for capitals.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

import numpy as np

from kg.resolve.corpus import Corpus
from kg.resolve.forms import Ints
from kg.resolve.latex import plain
from kg.resolve.senses import OVERWHELMING, Sense

# Papers that expand the abbreviation and write it so.
_FEWEST = 2
_PLURAL = re.compile(r"(?<=[A-Z0-9])s$")


def judge_by_capitals(corpus: Corpus, roots: Ints) -> dict[int, int]:
    """Return the root of the sense for groups that leave an abbreviation unexpanded.

    Only where the papers that expand it write it in different capitals, and nearly all that
    write it as this group does mean one thing.

    Args:
        corpus: whose abbreviations have their senses.
        roots: of every node.
    """
    several = {}
    for short, senses in corpus.senses.items():
        here = [sense for sense in senses.senses if sense.papers and sense.nodes]
        if len(here) > 1:
            several[short] = here
    if not several:
        return {}
    found: dict[int, int] = {}
    spellings = _spellings(corpus, sorted(several))
    for short in sorted(several):
        found |= _judge(several[short], spellings[short], _named(corpus, spellings[short]), roots)
    return found


def _spellings(corpus: Corpus, shorts: Sequence[int]) -> dict[int, dict[int, set[str]]]:
    """How each group writes each abbreviation, without a plural's s."""
    found: dict[int, dict[int, set[str]]] = {short: {} for short in shorts}
    wanted = np.zeros(len(corpus.nodes), dtype=bool)
    wanted[list(shorts)] = True
    at = np.flatnonzero(wanted[corpus.node_of[corpus.rows.form]])
    for form, group in zip(
        corpus.rows.form[at].tolist(), corpus.rows.group[at].tolist(), strict=True
    ):
        spelling = _PLURAL.sub("", plain(str(corpus.forms.surface[form])))
        found[int(corpus.node_of[form])].setdefault(group, set()).add(spelling)
    return found


def _named(corpus: Corpus, groups: Mapping[int, object]) -> dict[int, frozenset[int]]:
    """The nodes that each group names."""
    # Of the type of all groups: otherwise numpy copies these for every search.
    wanted = np.sort(np.fromiter(groups, dtype=corpus.groups.group.dtype, count=len(groups)))
    starts = np.searchsorted(corpus.groups.group, wanted)
    ends = np.searchsorted(corpus.groups.group, wanted, side="right")
    return {
        group: frozenset(corpus.groups.node[start:end].tolist())
        for group, start, end in zip(wanted.tolist(), starts, ends, strict=True)
    }


def _judge(
    senses: Sequence[Sense],
    spellings: Mapping[int, set[str]],
    named: Mapping[int, frozenset[int]],
    roots: Ints,
) -> dict[int, int]:
    if len({spelling for written in spellings.values() for spelling in written}) < 2:
        return {}
    said: dict[str, Counter[int]] = defaultdict(Counter)
    for group, written in spellings.items():
        meant = [i for i, s in enumerate(senses) if named[group] & {*s.nodes, *s.special}]
        if len(meant) == 1:
            for spelling in written:
                said[spelling][meant[0]] += 1
    means: dict[str, int] = {}
    for spelling, counts in said.items():
        sense, papers = min(counts.items(), key=lambda each: (-each[1], senses[each[0]].long))
        if papers >= _FEWEST and papers >= OVERWHELMING * counts.total():
            means[spelling] = sense
    if len(set(means.values())) < 2:
        return {}
    return {
        group: int(roots[senses[means[next(iter(written))]].nodes[0]])
        for group, written in spellings.items()
        if len(named[group]) == 1 and len(written) == 1 and next(iter(written)) in means
    }
