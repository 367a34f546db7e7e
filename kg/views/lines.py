"""The lines of a picture: one for all edges between two nodes, and fewer where it gets crowded."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass

RULE = (
    "One line stands for all edges between two nodes. Where that gives more than {most} lines, "
    "each node keeps its {each} strongest ones and those to the node in the middle; "
    "the others show when you select a node."
)
MOST = 700
EACH = 3


@dataclass(frozen=True, slots=True)
class Line:
    """Edges between two nodes, by their numbers; drawn at first, or only on selection."""

    head: int
    tail: int
    edges: tuple[int, ...]
    strength: float
    drawn: bool = True


def lines(
    edges: Sequence[tuple[int, int, float]], centre: int | None = None, *, most: int = MOST
) -> list[Line]:
    """Bundle edges (head, tail, strength) into lines and thin them after RULE.

    A line's strength is the sum over its edges; its direction that of its first edge.
    """
    bundles: dict[tuple[int, int], list[int]] = defaultdict(list)
    for i, (head, tail, _) in enumerate(edges):
        bundles[min(head, tail), max(head, tail)].append(i)
    found = [
        Line(*edges[members[0]][:2], tuple(members), sum(edges[i][2] for i in members))
        for _, members in sorted(bundles.items())
    ]
    if len(found) <= most:
        return found
    kept = _strongest(found, centre)
    return [
        Line(line.head, line.tail, line.edges, line.strength, i in kept)
        for i, line in enumerate(found)
    ]


def rule(found: Collection[Line]) -> str:
    """Return the rule with how many lines it left out, or '' when it left out none."""
    out = sum(not line.drawn for line in found)
    if not out:
        return ""
    return f"{out:,} of {len(found):,} lines are not drawn. " + RULE.format(most=MOST, each=EACH)


def _strongest(found: Sequence[Line], centre: int | None) -> set[int]:
    by_node: dict[int, list[int]] = defaultdict(list)
    for i, line in enumerate(found):
        by_node[line.head].append(i)
        by_node[line.tail].append(i)
    kept = {i for i, line in enumerate(found) if centre in (line.head, line.tail)}
    for members in by_node.values():
        ranked = sorted(members, key=lambda i: (-found[i].strength, i))
        kept.update(ranked[:EACH])
    return kept
