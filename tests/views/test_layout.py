"""Positions: the same for the same graph, apart, and readable."""

import numpy as np
import numpy.typing as npt
import pytest

from kg.views.layout import positions

Points = npt.NDArray[np.float64]


def _least_gap(points: Points, radii: list[float]) -> float:
    r = np.array(radii)
    distance = np.hypot(*(points[:, None, :] - points[None, :, :]).transpose(2, 0, 1))
    gaps = distance - r[:, None] - r[None, :]
    np.fill_diagonal(gaps, np.inf)
    return float(gaps.min())


def _ring(n: int) -> list[tuple[int, int]]:
    return [(i, (i + 1) % n) for i in range(n)]


@pytest.mark.parametrize(
    ("n", "pairs"),
    [
        (1, []),
        (2, [(0, 1)]),
        (40, []),
        (40, [(0, i) for i in range(1, 40)]),
        (60, _ring(60)),
        (30, [(i, j) for i in range(30) for j in range(i)]),
        (700, [(i, i // 3) for i in range(1, 700)]),
    ],
    ids=["one", "pair", "no lines", "wheel", "ring", "all joined", "many"],
)
def test_no_two_nodes_overlap(n: int, pairs: list[tuple[int, int]]) -> None:
    """A node under another cannot be clicked."""
    radii = [10.0 + i % 5 for i in range(n)]
    points = positions(radii, pairs, ["Method"] * n)

    assert np.isfinite(points).all()
    assert n == 1 or _least_gap(points, radii) > -2.0


def test_the_same_graph_gives_the_same_picture() -> None:
    """Who opens yesterday's page again looks where it was yesterday."""
    pairs = [(i, (i * 7 + 1) % 50) for i in range(50)]

    first = positions([10.0] * 50, pairs, ["Method"] * 50, 3)
    assert (positions([10.0] * 50, pairs, ["Method"] * 50, 3) == first).all()


def test_the_centre_is_in_the_middle_of_its_part() -> None:
    """The page is about it."""
    pairs = [(0, i) for i in range(1, 30)] + _ring(30)
    points = positions([10.0] * 30, pairs, ["Method"] * 30, 0)

    spread = np.ptp(points, axis=0)
    middle = (points.max(axis=0) + points.min(axis=0)) / 2
    assert (np.abs(points[0] - middle) < 0.25 * spread).all()


def test_clusters_stand_apart() -> None:
    """Two fields that share one method must not look like one field."""
    left = [(i, j) for i in range(12) for j in range(i)]
    right = [(i + 12, j + 12) for i, j in left]
    points = positions([5.0] * 24, [*left, *right, (0, 12)], ["Method"] * 24)

    a, b = points[:12], points[12:]
    within = max(np.hypot(*(c - c.mean(axis=0)).T).mean() for c in (a, b))
    assert np.hypot(*(a.mean(axis=0) - b.mean(axis=0))) > 1.5 * within


def test_a_wheel_keeps_labels_together() -> None:
    """Its rim can be read label by label."""
    groups = ["Paper"] + [["Method", "Task", "Dataset"][i % 3] for i in range(12)]
    points = positions([10.0] * 13, [(0, i) for i in range(1, 13)], groups, 0)

    offset = points - points[0]
    angle, distance = np.arctan2(*offset.T), np.hypot(*offset.T).round(3)
    for ring in set(distance[1:]):
        around = sorted((i for i in range(1, 13) if distance[i] == ring), key=lambda i: angle[i])
        labels = [groups[i] for i in around]
        changes = sum(labels[i] != labels[i - 1] for i in range(len(labels)))
        assert changes <= len(set(labels))


def test_parts_that_are_not_joined_do_not_overlap() -> None:
    """Every paper of a small corpus may be an island."""
    pairs = [(4 * k, 4 * k + j) for k in range(10) for j in (1, 2, 3)]
    points = positions([8.0] * 40, pairs, ["Method"] * 40)

    assert _least_gap(points, [8.0] * 40) > -1.0
