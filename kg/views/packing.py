"""Parts of a picture that no line joins, laid side by side as near to the middle as they go."""

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Points = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]

_CELL = 14.0  # pixels; finer is slower and looks the same
_WIDER = 1.15  # width over height, as screens are
_GAP = 10.0  # between nodes of two parts


def packed(
    points: Points, radii: Points, parts: Sequence[Sequence[int]], pairs: Sequence[tuple[int, int]]
) -> Points:
    """Move each part, the largest first, to the free place that is nearest to the middle.

    A part takes the room of its nodes and lines, so that small ones fit into the bays of large
    ones.
    """
    points = points.copy()
    if len(parts) < 2:
        return points
    of_node = {node: i for i, part in enumerate(parts) for node in part}
    inside: list[list[tuple[int, int]]] = [[] for _ in parts]
    for a, b in pairs:
        inside[of_node[a]].append((a, b))
    masks = []
    for part, lines in zip(parts, inside, strict=True):
        members = np.asarray(part)
        points[members] -= (points[members].min(axis=0) + points[members].max(axis=0)) / 2
        masks.append(_mask(points, radii, part, lines))
    taken = np.zeros((_side(masks), _side(masks)), dtype=bool)
    for part, mask in zip(parts, masks, strict=True):
        place = _free_place(taken, mask)
        while place is None:
            taken = np.pad(taken, taken.shape[0] // 2)
            place = _free_place(taken, mask)
        row, column = place
        height, width = mask.shape
        taken[row : row + height, column : column + width] |= mask
        middle = np.array([column + width / 2, row + height / 2]) - taken.shape[0] / 2
        points[np.asarray(part)] += middle * _CELL
    return points


def _mask(
    points: Points, radii: Points, part: Sequence[int], lines: Sequence[tuple[int, int]]
) -> Mask:
    """Return which cells the part takes, in a grid around its middle."""
    members = np.asarray(part)
    reach = radii[members] + _GAP
    half = (np.abs(points[members]) + reach[:, None]).max(axis=0)
    columns, rows = (2 * math.ceil(float(extent) / _CELL) for extent in half)
    mask = np.zeros((rows, columns), dtype=bool)
    ys, xs = (np.indices(mask.shape) + 0.5) * _CELL
    ys -= rows * _CELL / 2
    xs -= columns * _CELL / 2
    for (x, y), r in zip(points[members], reach, strict=True):
        mask |= (np.abs(xs - x) < r) & (np.abs(ys - y) < r)
    for a, b in lines:
        steps = int(np.hypot(*(points[b] - points[a])) / _CELL * 2) + 2
        along = np.linspace(points[a], points[b], steps)
        at = (along / _CELL + (columns / 2, rows / 2)).astype(np.int64)
        mask[at[:, 1].clip(0, rows - 1), at[:, 0].clip(0, columns - 1)] = True
    return mask


def _side(masks: Sequence[Mask]) -> int:
    """Return how many cells wide a square is that holds all parts with room to spare."""
    area = sum(int(mask.sum()) for mask in masks)
    largest = max(int(max(mask.shape)) for mask in masks)
    return 2 * math.ceil(max(1.3 * math.sqrt(area), largest)) + 4


def _free_place(taken: Mask, mask: Mask) -> tuple[int, int] | None:
    """Return the row and column at which the mask covers nothing, nearest to the middle."""
    rows, columns = (taken.shape[i] - mask.shape[i] + 1 for i in (0, 1))
    if rows <= 0 or columns <= 0:
        return None
    # Overlap at every place at once: a correlation, by way of frequencies.
    shape = [taken.shape[i] + mask.shape[i] for i in (0, 1)]
    product = np.fft.rfft2(taken, shape) * np.conj(np.fft.rfft2(mask, shape))
    overlap = np.fft.irfft2(product, shape)[:rows, :columns]
    y, x = np.indices(overlap.shape)
    far = np.hypot(
        (x + (mask.shape[1] - taken.shape[1]) / 2) / _WIDER,
        y + (mask.shape[0] - taken.shape[0]) / 2,
    )
    far[overlap > 0.5] = np.inf
    best = int(far.argmin())
    if not np.isfinite(far.flat[best]):
        return None
    return best // columns, best % columns
