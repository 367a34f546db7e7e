"""Nodes: a label and a signature; what resolution decides about, far fewer than mentions."""

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from kg.model.decision import Form
from kg.model.schema import NodeLabel
from kg.resolve.abbreviations import abbreviates
from kg.resolve.aliases import Known
from kg.resolve.forms import LABELS, Forms, Ints
from kg.resolve.normalise import (
    inner_parenthesis,
    is_acronym,
    key,
    normalise,
    parenthesis,
    signature,
)

_LABELS = tuple(NodeLabel(label) for label in LABELS)
_CHUNK = 1 << 16


@dataclass(frozen=True, slots=True)
class Head:
    """A node whose name is another's with a generic word after it."""

    node: int
    short: str  # the surface of the other
    strong: bool


@dataclass(frozen=True, slots=True)
class Written:
    """A form that gives both, in either order, or in its midst: 'Diffusion Model (DM) prior'."""

    form: int
    first: str  # the form without its parenthesis, of whose node it is
    short: str
    long: str


@dataclass(slots=True)
class Nodes:
    """Nodes by label and signature; those without a form come from lists of names."""

    label: list[int] = field(default_factory=list)
    signature: list[str] = field(default_factory=list)
    _key: list[str] = field(default_factory=list)
    _weight: list[int] = field(default_factory=list)
    # Only of nodes with more than one key.
    _keys: dict[int, dict[str, int]] = field(default_factory=dict)
    # By label, then signature: a tuple for each key would be a third of all memory.
    _ids: tuple[dict[str, int], ...] = field(default_factory=lambda: tuple({} for _ in LABELS))

    def __len__(self) -> int:
        return len(self.label)

    def find(self, label: int, signature: str) -> int | None:
        """Return the node, if there is one."""
        return self._ids[label].get(signature)

    def add(self, label: int, signature: str, key: str, weight: int = 0) -> int:
        """Return the node of a label and signature, made where it is missing."""
        node = self._ids[label].get(signature)
        if node is None:
            node = self._ids[label][signature] = len(self.label)
            self.label.append(label)
            self.signature.append(signature)
            # One string where they are the same, as they are for single words.
            self._key.append(signature if key == signature else key)
            self._weight.append(weight)
        elif key == self._key[node] and node not in self._keys:
            self._weight[node] += weight
        else:
            keys = self._keys.setdefault(node, {self._key[node]: self._weight[node]})
            keys[key] = keys.get(key, 0) + weight
        return node

    def keys(self, node: int) -> tuple[str, ...]:
        """Return the node's keys, the one in most papers first."""
        keys = self._keys.get(node)
        if keys is None:
            return (self._key[node],)
        return tuple(sorted(keys, key=lambda key: (-keys[key], key)))


class Reader:
    """Finds or makes the node of a surface form, with the words that are also acronyms in mind."""

    def __init__(self, nodes: Nodes, words: frozenset[str]) -> None:
        self.nodes = nodes
        self._words = words

    def add(self, label: int, surface: str, normal_key: str, weight: int = 0) -> int:
        """Return the node of a form, made where it is missing."""
        sign = signature(normal_key)
        if sign in self._words and is_acronym(surface):
            # An upper-case key: the acronym ROAD has another id than the word road.
            return self.nodes.add(label, sign.upper(), normal_key.upper(), weight)
        return self.nodes.add(label, sign, normal_key, weight)

    def find(self, label: int, surface: str) -> int | None:
        """Return the node of a form, if there is one."""
        sign = signature(key(surface))
        if sign in self._words and is_acronym(surface):
            return self.nodes.find(label, sign.upper())
        found = self.nodes.find(label, sign)
        if found is None and sign in self._words:
            return self.nodes.find(label, sign.upper())
        return found

    def is_trap(self, normal_key: str) -> bool:
        """The key is an English word that is also an acronym."""
        return signature(normal_key) in self._words


def build_nodes(
    forms: Forms, known: Known, alone: Iterable[Form] = ()
) -> tuple[Reader, Ints, list[Head], list[Written]]:
    """Fold forms to nodes.

    Args:
        forms: every distinct form.
        known: tells English words that are also acronyms, and acronyms that are no words.
        alone: forms that the user tells from others of the same signature.

    Returns:
        The nodes, the node of each form, nodes with a generic head, and forms that give both an
        abbreviation and its long form.
    """
    nodes = Nodes()
    reader = Reader(nodes, known.words)
    apart = {(form.label.value, form.surface) for form in alone}
    node_of = np.empty(len(forms.surface), dtype=np.int64)
    heads: dict[int, Head] = {}
    both: list[Written] = []
    in_lower_case: list[tuple[int, str]] = []
    index = 0
    for start in range(0, len(forms.surface), _CHUNK):
        for surface in forms.surface.slice(start, _CHUNK).to_pylist():
            label = int(forms.label[index])
            weight = int(forms.rows[index])
            written = _both(index, surface)
            if written:
                both.append(written)
            normal = normalise(written.first if written else surface, _LABELS[label])
            if apart and (LABELS[label], surface) in apart:
                node = nodes.add(label, f"={surface}", surface, weight)
            elif _may_be_a_word(normal.key, surface, known):
                # Needs to know of the acronyms first.
                in_lower_case.append((index, normal.key))
                index += 1
                continue
            else:
                node = reader.add(label, surface, normal.key, weight)
            node_of[index] = node
            if normal.short and node not in heads:
                heads[node] = Head(node, normal.short, normal.strong)
            index += 1
    acronyms = _acronyms(forms, node_of, nodes, in_lower_case)
    for index, normal_key in in_lower_case:
        label, weight = int(forms.label[index]), int(forms.rows[index])
        sign = signature(normal_key)
        is_name = 2 * int(forms.named[index]) >= weight
        node_of[index] = _word_node(reader, label, normal_key, weight, is_name=is_name)
        if node_of[index] in acronyms and not is_name:
            # An unknown acronym: TIGER is no tiger, and has its id from before the tiger came.
            node_of[index] = nodes.add(label, f"{sign}~", f"{normal_key} (word)", weight)
    return reader, node_of, sorted(heads.values(), key=lambda head: head.node), both


def _both(form: int, surface: str) -> Written | None:
    if "(" not in surface and "[" not in surface:
        return None
    midst = inner_parenthesis(surface)
    if midst is not None:
        long, short, rest = midst
        said_twice = signature(key(short)) == signature(key(long))  # three-dimensional (3D)
        if said_twice or abbreviates(short, long):
            return Written(form, f"{long} {rest}", short, long)
        return None
    parts = parenthesis(surface)
    if parts is None:
        return None
    before, inside = parts
    if abbreviates(inside, before):
        return Written(form, before, inside, before)
    if abbreviates(before, inside):
        return Written(form, before, before, inside)
    return None


def _may_be_a_word(normal_key: str, surface: str, known: Known) -> bool:
    if " " in normal_key or is_acronym(surface):
        return False
    sign = signature(normal_key)
    return sign in known.words or (sign.isalpha() and sign not in known.expansions)


def _word_node(reader: Reader, label: int, normal_key: str, weight: int, *, is_name: bool) -> int:
    """The acronym's node for a word that is used as a name, else the word's own."""
    sign = signature(normal_key)
    acronym = reader.nodes.find(label, sign.upper()) if reader.is_trap(normal_key) else None
    if acronym is not None and is_name:
        return reader.nodes.add(label, sign.upper(), normal_key.upper(), weight)
    return reader.nodes.add(label, sign, normal_key, weight)


def _acronyms(
    forms: Forms, node_of: Ints, nodes: Nodes, words: Iterable[tuple[int, str]]
) -> set[int]:
    """Nodes that hold acronyms only, most of them names, for lower-case words to keep off."""
    wanted = set()
    for index, normal_key in words:
        node = nodes.find(int(forms.label[index]), signature(normal_key))
        if node is not None:
            wanted.add(node)
    if not wanted:
        return set()
    pending = np.zeros(len(node_of), dtype=bool)
    pending[[index for index, _ in words]] = True
    at = np.flatnonzero(~pending)
    at = at[np.isin(node_of[at], list(wanted))]
    rows = np.bincount(node_of[at], weights=forms.rows[at], minlength=len(nodes))
    named = np.bincount(node_of[at], weights=forms.named[at], minlength=len(nodes))
    return {node for node in wanted if 2 * named[node] >= rows[node] > 0}


def best_forms(forms: Forms, node_of: Ints, size: int) -> Ints:
    """Return each node's form in most papers; -1 for a node without forms."""
    order = np.lexsort((np.arange(len(node_of)), -forms.rows, node_of))
    best = np.full(size, -1, dtype=np.int64)
    first = np.unique(node_of[order], return_index=True)
    best[first[0]] = order[first[1]]
    return best
