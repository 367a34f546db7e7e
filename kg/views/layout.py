"""Where nodes stand on a page: the same graph gives the same picture.

Three steps: each connected part is laid out by itself (a wheel when everything is joined to one
node, else forces), nodes that overlap are pushed apart, and the parts are packed side by side.
"""

import math
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from kg.views.packing import packed

Points = npt.NDArray[np.float64]
Pairs = Sequence[tuple[int, int]]

_GOLDEN = math.pi * (3 - math.sqrt(5))
_GAP = 6.0  # between the rims of two nodes
_SPARE = 1.3  # area of a picture over that of its nodes
_BLOCK = 512  # nodes whose distances from all others are held at once
_LINE = 90.0  # length at which a line pulls as hard as two nodes push


def positions(
    sizes: Sequence[float], pairs: Pairs, groups: Sequence[str], centre: int | None = None
) -> Points:
    """Return a point for each node, in pixels.

    Args:
        sizes: radius of each node, with the room its name needs.
        pairs: which nodes are joined; once is enough.
        groups: label of each node; a wheel keeps those of one label together.
        centre: the node in the middle, if there is one.
    """
    radii = np.asarray(sizes, dtype=np.float64)
    points = np.zeros((len(radii), 2))
    parts = _components(len(radii), pairs)
    for part in parts:
        number = {node: i for i, node in enumerate(part)}
        inside = [(number[a], number[b]) for a, b in pairs if a in number and a != b]
        middle = number.get(centre, -1) if centre is not None else -1
        hub = middle if middle >= 0 else _hub(len(part), inside)
        if hub >= 0 and _is_wheel(len(part), inside, hub):
            laid = wheel(radii[part], [groups[node] for node in part], hub)
        else:
            laid = forces(radii[part], inside, middle)
        points[part] = separate(laid, radii[part], middle)
    return packed(points, radii, parts, pairs)


def wheel(radii: Points, groups: Sequence[str], hub: int) -> Points:
    """Put the hub in the middle and the others on rings around it, label by label."""
    points = np.zeros((len(radii), 2))
    others = sorted((i for i in range(len(radii)) if i != hub), key=lambda i: (groups[i], i))
    step = 2 * float(max(radii[others], default=0.0)) + _GAP
    distance = float(radii[hub]) + step / 2 + _GAP
    capacities: list[tuple[float, int]] = []
    left = len(others)
    while left > 0:
        # One ring holds what fits on its rim; the next rings take the rest.
        count = min(max(1, int(2 * math.pi * distance / step)), left)
        capacities.append((distance, count))
        left -= count
        distance += step
    dealt = _dealt(others, [count for _, count in capacities])
    for turn, ((distance, count), members) in enumerate(zip(capacities, dealt, strict=True)):
        for k, node in enumerate(members):
            angle = 2 * math.pi * (k + turn / 2) / count - math.pi / 2
            points[node] = (distance * math.cos(angle), distance * math.sin(angle))
    return points


def forces(radii: Points, pairs: Pairs, centre: int = -1) -> Points:
    """Let every two nodes push each other off and every line pull its ends together.

    The pull grows with the logarithm of a line's length, which parts clusters from each other
    (Noack 2007, Energy models for graph clustering). The lines of the centre pull weakly: it is
    joined to most, so they would press everything into one ball.
    """
    n = len(radii)
    if n == 1:
        return np.zeros((1, 2))
    degrees = np.bincount(np.asarray(pairs, dtype=np.int64).reshape(-1), minlength=n)
    mass = 1.0 + np.sqrt(degrees)
    points = _spiral(n, order=np.lexsort((np.arange(n), -degrees)))
    heads, tails = (np.array([p[i] for p in pairs], dtype=np.int64) for i in (0, 1))
    pull = np.where((heads == centre) | (tails == centre), 0.25, 1.0)
    # Nor may a hub hold together what has nothing else in common.
    pull /= np.sqrt(np.maximum(degrees[heads], degrees[tails]).clip(min=8) / 8)
    # About the same work for every size, and enough rounds for small graphs to settle.
    rounds = int(np.clip(6e7 / n**2, 60, 400))
    heat = _LINE * math.sqrt(n) / 4
    for i in range(rounds):
        move = np.zeros((n, 2))
        for rows in _blocks(n):
            push = mass[rows, None] * mass[None, :] * _LINE / (_squares(points, rows) + 1.0)
            move[rows] = _away(points, rows, push)
        along = points[tails] - points[heads]
        length = np.sqrt(np.einsum("ij,ij->i", along, along)) + 1e-9
        strength = pull * np.log1p(length / _LINE) / length * 6.0
        for end, sign in ((heads, 1.0), (tails, -1.0)):
            np.add.at(move, end, sign * strength[:, None] * along)
        # Towards the middle, so that parts held by one line do not drift off.
        move -= 0.004 * mass[:, None] * points
        size = np.sqrt(np.einsum("ij,ij->i", move, move)) + 1e-9
        limit = heat * (1 - i / rounds) ** 1.5 + 0.5
        points += move * (np.minimum(size * 8.0, limit) / size)[:, None]
        if centre >= 0:
            points[centre] *= 0.5
    return points * _tightening(points, radii)


def _tightening(points: Points, radii: Points) -> float:
    """Return the factor that gives the nodes a fixed share of the picture."""
    spread = np.quantile(points, 0.95, axis=0) - np.quantile(points, 0.05, axis=0)
    area = float(max(spread[0], 1.0) * max(spread[1], 1.0))
    return math.sqrt(_SPARE * float(((2 * radii + _GAP) ** 2).sum()) / area)


def separate(points: Points, radii: Points, fixed: int = -1) -> Points:
    """Push nodes apart until no two overlap, or 80 rounds are over."""
    points = points.copy()
    n = len(radii)
    turns = np.stack([np.cos(np.arange(n) * _GOLDEN), np.sin(np.arange(n) * _GOLDEN)], axis=1)
    for _ in range(80):
        move, deepest = np.zeros((n, 2)), 0.0
        for rows in _blocks(n):
            distance = np.sqrt(_squares(points, rows))
            itself = (np.arange(rows.stop - rows.start), np.arange(rows.start, rows.stop))
            distance[itself] = np.inf
            overlap = np.maximum(radii[rows, None] + radii[None, :] + _GAP - distance, 0.0)
            deepest = max(deepest, float(overlap.max(initial=0.0)))
            move[rows] = _away(points, rows, overlap / 2 / np.maximum(distance, 1e-3))
            # Nodes on one spot have no direction to part in: their numbers give one.
            same = np.flatnonzero((distance < 1e-3).any(axis=1)) + rows.start
            move[same] += turns[same]
        if deepest < 0.5:
            break
        size = np.sqrt(np.einsum("ij,ij->i", move, move)) + 1e-9
        move *= (np.minimum(size, 40.0) / size)[:, None]
        if fixed >= 0:
            move[fixed] = 0.0
        points += move
    return points


def _blocks(n: int) -> Iterator[slice]:
    """Yield pieces of n rows: all pairs of some thousand nodes at once would fill the memory."""
    for start in range(0, n, _BLOCK):
        yield slice(start, min(start + _BLOCK, n))


def _squares(points: Points, rows: slice) -> Points:
    """Return the squared distance of some points from all."""
    # Not by a matrix product: its sums, and so the picture, differ with the number of threads.
    x, y = points.T
    dx: Points = np.subtract.outer(x[rows], x)
    dy: Points = np.subtract.outer(y[rows], y)
    dx *= dx
    dy *= dy
    dx += dy
    return dx


def _away(points: Points, rows: slice, push: Points) -> Points:
    """Return for some points the sum of their offsets from all, each times the push."""
    x, y = points.T
    others = np.stack([(push * x).sum(axis=1), (push * y).sum(axis=1)], axis=1)
    moved: Points = points[rows] * push.sum(axis=1)[:, None] - others
    return moved


def _components(n: int, pairs: Pairs) -> list[list[int]]:
    """Return the connected parts, the largest first."""
    parent = list(range(n))

    def root(i: int) -> int:
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    for a, b in pairs:
        parent[root(a)] = root(b)
    parts: dict[int, list[int]] = {}
    for i in range(n):
        parts.setdefault(root(i), []).append(i)
    return sorted(parts.values(), key=lambda part: (-len(part), part[0]))


def _hub(n: int, pairs: Pairs) -> int:
    degrees = np.bincount(np.asarray(pairs, dtype=np.int64).reshape(-1), minlength=n)
    return int(degrees.argmax()) if n > 1 else 0


def _is_wheel(n: int, pairs: Pairs, hub: int) -> bool:
    """Say whether all are joined to the hub and hardly anything among themselves."""
    spokes = {a if b == hub else b for a, b in pairs if hub in (a, b)}
    rim = len({frozenset(p) for p in pairs if hub not in p})
    return len(spokes) == n - 1 and (n <= 48 or rim < n / 4)


def _dealt(others: list[int], counts: list[int]) -> list[list[int]]:
    """Deal nodes to rings so that each ring runs through the labels in the same order."""
    total = len(others)
    rings: list[list[int]] = [[] for _ in counts]
    for i, node in enumerate(others):
        # The ring that is furthest behind its share takes the next node.
        behind = [
            count * (i + 1) / total - len(ring) for ring, count in zip(rings, counts, strict=True)
        ]
        rings[int(np.argmax(behind))].append(node)
    return rings


def _spiral(n: int, order: npt.NDArray[np.intp]) -> Points:
    points = np.zeros((n, 2))
    k = np.arange(n)
    distance = _LINE * 0.6 * np.sqrt(k + 0.5)
    angle = k * _GOLDEN
    points[order] = np.stack([distance * np.cos(angle), distance * np.sin(angle)], axis=1)
    return points
