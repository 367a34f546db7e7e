"""Which nodes are one: a union-find that knows what must stay apart and why it joined."""

from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Edge:
    """Why two nodes are one: the rule, its evidence in papers, how sure it is, more words."""

    rule: str
    papers: int
    confidence: float
    note: str = ""


class Partition:
    """Nodes 0..size-1 in disjoint sets.

    `apart` are pairs that the user wants in two sets, `owners` nodes that are the canonical names
    of different known things; no union brings two of either together. What joined a set is kept
    as a tree, so that each member's reason can be told.
    """

    def __init__(
        self, size: int, apart: Iterable[tuple[int, int]] = (), owners: Iterable[int] = ()
    ) -> None:
        self._parent = array("l", range(size))
        self._weight = array("l", [1]) * size
        self._tree: dict[int, list[tuple[int, Edge]]] = {}
        self._sides: dict[int, set[tuple[int, int]]] = {}
        for number, (one, two) in enumerate(apart):
            self._sides.setdefault(one, set()).add((number, 0))
            self._sides.setdefault(two, set()).add((number, 1))
        self._owner = {node: node for node in owners}

    def root(self, node: int) -> int:
        """Return the node that stands for its set."""
        parent = self._parent
        while parent[node] != node:
            parent[node] = parent[parent[node]]
            node = parent[node]
        return node

    def roots(self) -> Iterator[int]:
        """Return the root of every node, in order."""
        return (self.root(node) for node in range(len(self._parent)))

    def may_join(self, one: int, two: int) -> bool:
        """Nothing forbids that the two are one."""
        one, two = self.root(one), self.root(two)
        if one == two:
            return True
        if one in self._owner and two in self._owner:
            return False
        return not self.refused(one, two)

    def refused(self, one: int, two: int) -> bool:
        """The user wants the sets of the two apart."""
        mine, theirs = (self._sides.get(self.root(node)) for node in (one, two))
        return bool(mine and theirs and any((n, 1 - side) in theirs for n, side in mine))

    def join(self, one: int, two: int, edge: Edge, *, force: bool = False) -> bool:
        """Make the two one, unless that is forbidden; False when it was.

        With `force` only the user's own refusals forbid it, not that both are known names.
        """
        first, second = self.root(one), self.root(two)
        if first == second:
            return True
        if self.refused(first, second) if force else not self.may_join(first, second):
            return False
        if (self._weight[first], -first) < (self._weight[second], -second):
            first, second = second, first
        self._parent[second] = first
        self._weight[first] += self._weight[second]
        if second in self._sides:
            self._sides.setdefault(first, set()).update(self._sides.pop(second))
        if second in self._owner:
            self._owner.setdefault(first, self._owner[second])
        self._tree.setdefault(one, []).append((two, edge))
        self._tree.setdefault(two, []).append((one, edge))
        return True

    def is_alone(self, node: int) -> bool:
        """Nothing was joined with the node."""
        return node not in self._tree

    def members(self, node: int) -> list[int]:
        """Return every node of a node's set, in ascending order."""
        return sorted((node, *self.paths(node)))

    def paths(self, start: int) -> dict[int, tuple[int, Edge]]:
        """Return, for each other node of the set, the next node towards `start` and why."""
        steps: dict[int, tuple[int, Edge]] = {}
        seen = {start}
        front = [start]
        while front:
            reached = []
            for node in front:
                for neighbour, edge in self._tree.get(node, ()):
                    if neighbour not in seen:
                        seen.add(neighbour)
                        steps[neighbour] = (node, edge)
                        reached.append(neighbour)
            front = reached
        return steps
