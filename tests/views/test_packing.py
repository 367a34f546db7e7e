"""Parts of a picture side by side."""

import numpy as np
import numpy.typing as npt

from kg.views.packing import packed

Points = npt.NDArray[np.float64]


def _stars(count: int) -> tuple[Points, list[list[int]], list[tuple[int, int]]]:
    """Return `count` stars of five nodes on one spot."""
    star = np.array([(0, 0), (60, 0), (-60, 0), (0, 60), (0, -60)], dtype=float)
    points = np.concatenate([star] * count)
    parts = [[5 * k + i for i in range(5)] for k in range(count)]
    pairs = [(5 * k, 5 * k + i) for k in range(count) for i in range(1, 5)]
    return points, parts, pairs


def test_parts_keep_their_shape_and_cover_nothing_of_each_other() -> None:
    """A part is moved, not changed."""
    points, parts, pairs = _stars(9)
    radii = np.full(45, 10.0)
    found = packed(points, radii, parts, pairs)

    shapes = [found[part] - found[part[0]] for part in parts]
    assert np.allclose(shapes, shapes[0])
    distance = np.hypot(*(found[:, None] - found[None, :]).transpose(2, 0, 1))
    np.fill_diagonal(distance, np.inf)
    assert distance.min() >= 20


def test_a_small_part_fits_into_a_bay_of_a_large_one() -> None:
    """Boxes or discs around the parts would waste most of the picture."""
    ring = [(300 * np.cos(a), 300 * np.sin(a)) for a in np.linspace(0, 2 * np.pi, 20, False)]
    points = np.array([*ring, (0.0, 0.0)])
    pairs = [(i, (i + 1) % 20) for i in range(20)]
    found = packed(points, np.full(21, 10.0), [list(range(20)), [20]], pairs)

    assert np.hypot(*found[20]) < 60


def test_no_part_lies_on_a_line_of_another() -> None:
    """It would seem to belong to it."""
    points = np.array([(-200.0, 0.0), (200.0, 0.0), (0.0, 0.0)])
    found = packed(points, np.full(3, 10.0), [[0, 1], [2]], [(0, 1)])

    assert abs(found[2][1] - found[0][1]) > 10


def test_many_single_nodes_stay_near_the_middle() -> None:
    """Papers in which nothing was found."""
    points = np.zeros((400, 2))
    found = packed(points, np.full(400, 10.0), [[i] for i in range(400)], [])

    assert np.abs(found).max() < 800
    assert len({tuple(p) for p in found.round().tolist()}) == 400
