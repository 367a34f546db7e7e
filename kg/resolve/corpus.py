"""What resolution works on: the forms of a corpus, their nodes, and which of these are one."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from kg.model.decision import Decision, DecisionKind, Form
from kg.model.known_name import KnownName
from kg.model.schema import NodeLabel
from kg.resolve.aliases import REST, Known, abbreviated
from kg.resolve.evidence import Groups, group_nodes
from kg.resolve.forms import LABELS, Forms, Ints, Rows
from kg.resolve.nodes import Head, Nodes, Reader, Written, best_forms, build_nodes
from kg.resolve.normalise import key, signature
from kg.resolve.partition import Edge, Partition
from kg.resolve.senses import OVERWHELMING, Senses


@dataclass(slots=True)
class Corpus:
    """Forms, nodes, groups, and the partition in the making."""

    rows: Rows
    forms: Forms
    reader: Reader
    node_of: Ints  # by form
    groups: Groups
    partition: Partition
    best: Ints  # form in most papers, by node; -1 where a node has none
    named: Ints  # rows that take it for a proper name, by node
    seen: Ints  # rows, by node
    heads: list[Head]
    parentheses: list[Written]
    finder: "Finder"
    unseen: frozenset[int] = frozenset()  # known long forms that no paper writes
    user_names: list[tuple[KnownName, tuple[int, ...]]] = field(default_factory=list)
    known_names: list[tuple[KnownName, tuple[int, ...]]] = field(default_factory=list)
    uncertain: frozenset[int] = frozenset()  # canonical names that may abbreviate something else
    claimed: dict[int, int] = field(default_factory=dict)  # form -> name in the user's list
    name_shaped: set[int] = field(default_factory=set)  # GRPO of GRPO algorithm
    headed: set[int] = field(default_factory=set)  # one with their name without generic word
    short: set[int] = field(default_factory=set)  # abbreviations that are one with a long form
    expansions: dict[int, dict[int, int]] = field(default_factory=dict)  # papers, by long form
    senses: dict[int, Senses] = field(default_factory=dict)  # of abbreviations
    labels: dict[int, int] = field(default_factory=dict)  # node -> label given to its entity
    by_company: dict[int, int] = field(default_factory=dict)  # group -> root of its entity
    by_capitals: dict[int, int] = field(default_factory=dict)  # the same
    yielded: list[tuple[int, int, Edge]] = field(default_factory=list)  # to another type
    shown: dict[int, str] = field(default_factory=dict)  # node -> name given to its entity

    @property
    def nodes(self) -> Nodes:
        """All nodes."""
        return self.reader.nodes

    def surface(self, node: int) -> str:
        """Return the form of a node that most papers write, else its key."""
        form = int(self.best[node])
        return str(self.forms.surface[form]) if form >= 0 else self.nodes.keys(node)[0]

    def mostly_named(self, node: int) -> bool:
        """Most of the papers that write it take it for a proper name."""
        return bool(self.seen[node] and 2 * self.named[node] >= self.seen[node])


class Finder:
    """Finds what a decision or a list of names speaks of: the form itself, else what is like it."""

    def __init__(self, reader: Reader, forms: Forms, node_of: Ints, wanted: Iterable[str]) -> None:
        values = pa.array(sorted(set(wanted)), pa.string())
        at = np.flatnonzero(
            pc.is_in(forms.surface, value_set=values).to_numpy(zero_copy_only=False)
        )
        self._exact = {
            (int(forms.label[i]), str(forms.surface[i])): int(node_of[i]) for i in at.tolist()
        }
        self._reader = reader

    def find(self, form: Form) -> int | None:
        """Return the node of a form.

        When nothing under the form's label is like it, a form of the one other label that has it
        is meant: another model may have typed it otherwise.
        """
        label = LABELS.index(form.label.value)
        node = self._under(label, form.surface)
        if node is not None:
            return node
        others = [self._under(other, form.surface) for other in range(len(LABELS))]
        found = [node for node in others if node is not None]
        return found[0] if len(found) == 1 else None

    def everywhere(self, surface: str) -> list[int]:
        """Return the nodes of a surface form under every label that has it."""
        found = (self._under(label, surface) for label in range(len(LABELS)))
        return [node for node in found if node is not None]

    def _under(self, label: int, surface: str) -> int | None:
        exact = self._exact.get((label, surface))
        return exact if exact is not None else self._reader.find(label, surface)


def read_corpus(
    rows: Rows,
    forms: Forms,
    decisions: Sequence[Decision],
    names: Sequence[KnownName],
    known: Known,
) -> Corpus:
    """Fold forms to nodes, add the nodes of known names, and forbid what the user refused."""
    refused = [d.forms for d in decisions if d.kind is DecisionKind.REFUSE]
    reader, node_of, heads, parentheses = build_nodes(forms, known, _alone(refused))
    nodes = reader.nodes
    name_shaped = {
        reader.add(nodes.label[head.node], head.short, key(head.short))
        for head in heads
        if head.strong
    }
    wanted = [form.surface for decision in decisions for form in decision.forms]
    wanted += [form for name in names for form in name.forms]
    finder = Finder(reader, forms, node_of, wanted)
    user_names = [
        (name, _members(reader, name))
        for name in sorted(names, key=lambda name: (name.label, name.name))
        if any(finder.everywhere(form) for form in name.forms)
    ]
    touched = _touched(nodes, known)
    known_names = [(name, _members(reader, name)) for name in touched]
    uncertain = frozenset(
        members[0] for name, members in known_names if _may_be_another(name, known)
    )
    unseen = _add_expansions(nodes, known)
    apart = []
    for one, two in refused:
        first, second = finder.find(one), finder.find(two)
        if first is not None and second is not None and first != second:
            apart.append((first, second))
    size = len(nodes)
    return Corpus(
        rows=rows,
        forms=forms,
        reader=reader,
        node_of=node_of,
        groups=group_nodes(rows, node_of, size),
        partition=Partition(size, apart, {members[0] for _, members in user_names}),
        best=best_forms(forms, node_of, size),
        named=np.bincount(node_of, weights=forms.named, minlength=size).astype(np.int64),
        seen=np.bincount(node_of, weights=forms.rows, minlength=size).astype(np.int64),
        heads=heads,
        parentheses=parentheses,
        finder=finder,
        user_names=user_names,
        known_names=known_names,
        uncertain=uncertain,
        unseen=unseen,
        name_shaped=name_shaped,
    )


def _add_expansions(nodes: Nodes, known: Known) -> frozenset[int]:
    """Add what abbreviations of the corpus nearly always stand for; return what was added."""
    added = set()
    for node in abbreviated_nodes(nodes, known):
        label = nodes.label[node]
        expansions = known.expand(nodes.signature[node], NodeLabel(LABELS[label]))
        first = max(expansions, key=lambda e: e.papers, default=None)
        if first is None or first.long == REST:
            continue
        if first.papers < OVERWHELMING * sum(e.papers for e in expansions):
            continue
        if nodes.find(label, signature(first.long)) is None:
            added.add(nodes.add(label, signature(first.long), first.long))
    return frozenset(added)


def _may_be_another(name: KnownName, known: Known) -> bool:
    """It is an abbreviation that now and then stands for something else."""
    shorts = {short for short, _ in abbreviated(name)}
    return name.name in shorts and signature(key(name.name)) not in known.certain


def _touched(nodes: Nodes, known: Known) -> list[KnownName]:
    """Return the known names of which the corpus has a form, sorted."""
    if len(nodes) < len(known.by_form):
        marks = ((LABELS[nodes.label[n]], nodes.signature[n]) for n in range(len(nodes)))
        found = {name for mark in marks for name in known.by_form.get(mark, ())}
    else:
        found = {
            name
            for (label, sign), names in known.by_form.items()
            if nodes.find(LABELS.index(label), sign) is not None
            for name in names
        }
    return sorted(found, key=lambda name: (name.label, name.name))


def abbreviated_nodes(nodes: Nodes, known: Known) -> list[int]:
    """Return the nodes that a known abbreviation may be, in order."""
    if len(nodes) < len(known.expansions):
        return [n for n, sign in enumerate(nodes.signature) if known.expands(sign)]
    found = (
        nodes.find(label, sign)
        for sign in map(known.acronym, known.expansions)
        for label in range(len(LABELS))
    )
    return sorted(node for node in found if node is not None)


def _members(reader: Reader, name: KnownName) -> tuple[int, ...]:
    label = LABELS.index(name.label.value)
    return tuple(dict.fromkeys(reader.add(label, form, key(form)) for form in name.forms))


def _alone(refused: Sequence[tuple[Form, ...]]) -> list[Form]:
    """Of two refused forms with one signature, the one that must leave the node they share."""
    alone = []
    for one, two in refused:
        if signature(key(one.surface)) == signature(key(two.surface)):
            # The form that is its own key keeps the node, for an id cannot be given twice.
            alone.append(one if two.surface == key(two.surface) else two)
    return alone
