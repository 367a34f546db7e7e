"""What an entity is called: its id, the name shown, and the ids it had or could have had."""

import re
from collections.abc import Mapping, Sequence

from kg.model.identity import entity_id
from kg.model.schema import NodeLabel
from kg.resolve.corpus import Corpus
from kg.resolve.forms import LABELS
from kg.resolve.normalise import key

_USER, _KNOWN, _LONG, _SHORT, _WITH_HEAD, _UNSEEN = range(6)


class Naming:
    """Gives ids and names to sets of nodes.

    An id is the label and the known canonical name, else the folded long form where there is one:
    of the forms that a thing goes by it is the one that no other thing shares. Every other key of
    the set is an alias, so that whatever id an earlier build gave still leads here.
    """

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._rank: dict[int, int] = {}
        self._key: dict[int, str] = {}
        self._rank.update(dict.fromkeys(corpus.headed, _WITH_HEAD))
        for short in corpus.short:
            self._rank[short] = _SHORT
        self._rank.update(dict.fromkeys(corpus.unseen, _UNSEEN))
        for name, members in corpus.known_names:
            if members[0] in corpus.uncertain and corpus.best[members[0]] < 0:
                # No paper writes SVD. Were it the id of singular value decomposition, this would
                # move as soon as some paper calls something else so.
                continue
            # Where SAM stands for something else than is known, it is nobody's canonical name.
            root = corpus.partition.root(members[0])
            if any(corpus.partition.root(member) == root for member in members[1:]):
                self._rank[members[0]] = _KNOWN
                self._key[members[0]] = key(name.name)
        for name, members in corpus.user_names:
            self._rank[members[0]] = _USER
            self._key[members[0]] = key(name.name)
        self._user = {members[0]: name.name for name, members in corpus.user_names}

    def is_plain(self, node: int) -> bool:
        """It is a set of its own, with one key, of which nobody knows anything."""
        corpus = self._corpus
        return (
            corpus.partition.is_alone(node)
            and node not in self._rank
            and node not in corpus.labels
            and node not in corpus.shown
            and len(corpus.nodes.keys(node)) == 1
        )

    def label(self, members: Sequence[int]) -> int:
        """Return the label of a set, as an index into LABELS."""
        for member in members:
            if member in self._corpus.labels:
                return self._corpus.labels[member]
        nodes = self._corpus.nodes
        return min(
            (nodes.label[m] for m in members),
            key=lambda label: (
                -sum(int(self._corpus.seen[m]) for m in members if nodes.label[m] == label),
                label,
            ),
        )

    def identity(self, members: Sequence[int], label: int) -> tuple[str, tuple[str, ...]]:
        """Return the id of a set and its aliases, sorted."""
        nodes, papers = self._corpus.nodes, self._corpus.groups.papers
        own = [m for m in members if nodes.label[m] == label] or list(members)
        chosen = min(
            own,
            key=lambda m: (
                self._rank.get(m, _LONG),
                -int(papers[m]),
                len(nodes.keys(m)[0]),
                nodes.keys(m)[0],
                nodes.label[m],
            ),
        )
        chosen_key = self._key.get(chosen, nodes.keys(chosen)[0])
        identifier = entity_id(NodeLabel(LABELS[label]), chosen_key)
        others = {
            entity_id(NodeLabel(LABELS[nodes.label[m]]), k) for m in members for k in nodes.keys(m)
        }
        return identifier, tuple(sorted(others - {identifier}))

    def name(
        self, members: Sequence[int], forms: Mapping[int, int], *, named: bool
    ) -> tuple[str, int]:
        """Return the name shown and the form it is, or -1 when no paper writes it.

        Args:
            members: the set's nodes.
            forms: its forms in the order of preference among equals, with their papers.
            named: it is a proper name: then its abbreviation is what people know it by.
        """
        corpus = self._corpus
        inside = set(members)
        shown = [corpus.shown[m] for m in members if m in corpus.shown]
        shown = shown or [self._user[m] for m in members if m in self._user]
        order = {form: i for i, form in enumerate(forms)}
        by_node: dict[int, int] = {}
        for form, papers in forms.items():
            node = int(corpus.node_of[form])
            by_node[node] = by_node.get(node, 0) + papers
        if shown:
            same = [f for f in forms if str(corpus.forms.surface[f]) == shown[0]]
            return shown[0], same[0] if same else -1

        def rank(node: int) -> tuple[int, int, int, str]:
            if node not in inside:
                kind = 3  # only one paper's word ties it to the set
            elif self._rank.get(node) == _WITH_HEAD:
                kind = 2
            else:
                kind = int((node in corpus.short) != named)
            signature = corpus.nodes.signature[node]
            return kind, -by_node[node], len(signature), signature

        best = min(by_node, key=rank)
        form = min(
            (f for f in forms if corpus.node_of[f] == best),
            key=lambda f: (_is_marred(str(corpus.forms.surface[f])), -forms[f], order[f]),
        )
        return str(corpus.forms.surface[form]), form


def _is_marred(surface: str) -> bool:
    """Whether a form is no good name: two names at once, or broken at the end of a line.

    >>> [_is_marred(s) for s in ("Diffusion Model (DM) prior", "Image- Net", "Image-Net")]
    [True, True, False]
    """
    return "(" in surface or re.search(r"-\s", surface) is not None
