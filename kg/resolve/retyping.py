"""Entities of another label: as the user decided or listed, and where a rare type yields."""

from collections import defaultdict
from collections.abc import Sequence

from kg.model.decision import Decision, DecisionKind
from kg.model.schema import NodeLabel
from kg.resolve.corpus import Corpus
from kg.resolve.forms import LABELS
from kg.resolve.normalise import is_acronym
from kg.resolve.partition import Edge

# A form is of the type that this many papers and this share of them take it for.
_ENOUGH = 9
_SHARE = 0.9


def retype_decided(corpus: Corpus, decisions: Sequence[Decision]) -> None:
    """Give entities the label that the user decided, and join what then is the same."""
    for decision in decisions:
        if decision.kind is not DecisionKind.RETYPE or decision.first is None:
            continue
        node = corpus.finder.find(decision.first)
        if node is None:
            continue
        label = LABELS.index(decision.to)
        edge = Edge("decision", 0, 1.0, str(decision.number))
        for member in corpus.partition.members(node):
            namesake = corpus.nodes.find(label, corpus.nodes.signature[member])
            if namesake is not None:
                corpus.partition.join(member, namesake, edge)
        _give(corpus, node, label)


def retype_named(corpus: Corpus) -> None:
    """Give what the user's names list the type that they give it."""
    listed: dict[str, set[NodeLabel]] = defaultdict(set)
    for name, _ in corpus.user_names:
        for form in name.forms:
            listed[form].add(name.label)
    for name, members in corpus.user_names:
        label = LABELS.index(name.label.value)
        for form in name.forms:
            if len(listed[form]) > 1:
                continue  # the user knows two things of that name
            for node in corpus.finder.everywhere(form):
                if corpus.nodes.label[node] != label:
                    corpus.partition.join(node, members[0], Edge("names", 0, 1.0, name.name))
                    _give(corpus, members[0], label)


def yield_rare(corpus: Corpus) -> None:
    """Join an entity with its namesake of another type that overwhelmingly more papers mean.

    Not where its own texts say that it is something else: a method MAP that some paper expands
    as maximum a posteriori stays beside a metric MAP.
    """
    partition, nodes = corpus.partition, corpus.nodes
    seen = corpus.seen
    pairs = []
    for node, sign in enumerate(nodes.signature):
        for label in range(len(LABELS)):
            found = nodes.find(label, sign) if label != nodes.label[node] else None
            # Only a form that is at least as frequent can be the overwhelming one.
            if found is not None and seen[node] and seen[found] >= seen[node]:
                pairs.append((node, found))
    pairs.sort(key=lambda pair: (-int(seen[pair[1]]), nodes.signature[pair[0]], pair))
    for node, other in pairs:
        if partition.root(node) == partition.root(other):
            continue
        mine, theirs = partition.members(node), partition.members(other)
        few, many = (int(corpus.groups.papers[members].sum()) for members in (mine, theirs))
        if many < _ENOUGH or many < _SHARE * (many + few) or _given(corpus, mine) is not None:
            continue
        if _stands_for_itself(corpus, node, mine, theirs) or _other_capitals(corpus, node, other):
            continue
        note = f"{LABELS[nodes.label[other]]}:{many}:{LABELS[nodes.label[node]]}:{few}"
        given = _given(corpus, theirs)
        edge = Edge("type", many, many / (many + few), note)
        if partition.join(node, other, edge):
            _give(corpus, other, nodes.label[other] if given is None else given)
            corpus.yielded.append((node, other, edge))


def _stands_for_itself(corpus: Corpus, node: int, mine: list[int], theirs: list[int]) -> bool:
    """Its own papers call it by a name that the namesake does not go by."""
    signs = {corpus.nodes.signature[other] for other in theirs}
    shared = foreign = 0
    for member in mine:
        if corpus.nodes.signature[member] in signs:
            shared += int(corpus.groups.papers[member])
        else:
            foreign += int(corpus.groups.papers[member])
    return foreign >= shared or (foreign > 0 and node in corpus.short)


def _other_capitals(corpus: Corpus, node: int, other: int) -> bool:
    """Both are acronyms, written otherwise: FiD is a method, FID a metric."""
    one, two = corpus.surface(node), corpus.surface(other)
    return is_acronym(one) and is_acronym(two) and _letters(one) != _letters(two)


def _letters(surface: str) -> str:
    letters = "".join(c for c in surface if c.isalnum())
    return letters[:-1] if letters.endswith("s") and letters[-2:-1].isupper() else letters


def _given(corpus: Corpus, members: list[int]) -> int | None:
    given = [corpus.labels[member] for member in members if member in corpus.labels]
    return given[-1] if given else None


def _give(corpus: Corpus, node: int, label: int) -> None:
    for member in corpus.partition.members(node):
        corpus.labels.pop(member, None)
    corpus.labels[node] = label
