"""The overlap of rotated boxes as float32 kernels compute it, and the pairs on which they may go wrong.

The kernels of mlu-ops and mmcv collect the points where edges cross and the corners that lie inside, sort
them around the lowest one, walk along their convex hull, and add up its triangles. They compare with absolute
tolerances, so that the hull is wrong for nearly equal boxes, shared edges, slivers and tiny boxes.

`hull_area` follows these steps, with sines, cosines and corners off by a few roundings. Its `fan` leaves out
the walk, as box_iou_rotated does from MLU590 on. `is_certain` marks the pairs on which every float32 hull is
right: each of its decisions has a margin above its error.

Sources: Cambricon/mlu-ops v1.11.1 kernels/nms_rotated/nms_utils.h and
kernels/box_iou_rotated/box_iou_rotated_utils.h; open-mmlab/mmcv box_iou_rotated_utils.hpp.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

import numpy as np

PARALLEL, TURN, NEAR, EMPTY = 1e-14, 1e-6, 1e-8, 1e-14
"""Tolerances of the kernels: of a determinant, a turn, a squared distance, a box's area."""

UNIT = 2.0**-24
ROUNDINGS = 8
"""Roundings of a corner on its way: sine, cosine, their products, the centre and their sum."""

MOST = 25.0
"""A threshold that no hull exceeds: its triangles, of 24 points at most, each have half a box at most."""

_EDGES = np.array([1, 2, 3, 0])
_CROSSINGS = 16


def hull_area(
    boxes1: np.ndarray,
    boxes2: np.ndarray,
    seed: int | None = None,
    *,
    reciprocal: bool = False,
    fan: bool = False,
) -> np.ndarray:
    """Return the area that each pair of boxes shares, by the kernels' method.

    Parameters
    ----------
    boxes1, boxes2 : ndarray, float32 [n, 5 or more]
        (x, y, w, h, angle in radians) of the better and of the worse box of each pair.
    seed : int, optional
        Sines and cosines are off by up to two units in the last place, corners by one, differently for each
        seed; None: they are rounded once.
    reciprocal : bool
        Quotients are products with a reciprocal, as on the 300 series.
    fan : bool
        Sort the points by the square of a cosine, and add up the triangles without a walk along the hull.

    Returns
    -------
    ndarray, float32 [n]
    """
    with np.errstate(all="ignore"):
        first, second = _corners(boxes1, boxes2, seed)
        points, valid = _candidates(first, second, reciprocal)
        usable = (_box_area(boxes1) >= EMPTY) & (_box_area(boxes2) >= EMPTY) & (valid.sum(axis=0) > 2)
        area = np.zeros(len(usable), np.float32)
        if usable.any():
            area[usable] = _polygon_area(points[:, :, usable], valid[:, usable], fan)
    return area


def _box_area(boxes: np.ndarray) -> np.ndarray:
    area: np.ndarray = boxes[:, 2].astype(np.float32) * boxes[:, 3].astype(np.float32)
    return area


def _corners(boxes1: np.ndarray, boxes2: np.ndarray, seed: int | None) -> tuple[np.ndarray, np.ndarray]:
    """Corners relative to the point between the centres, float32 [x or y, 4, n] each."""
    first, second = (np.asarray(boxes, np.float32)[:, :5].T for boxes in (boxes1, boxes2))
    middle = (first[:2] + second[:2]) * np.float32(0.5)
    random = None if seed is None else np.random.RandomState(seed)
    return _around(first[:2] - middle, first, random), _around(second[:2] - middle, second, random)


def _around(centre: np.ndarray, box: np.ndarray, random: np.random.RandomState | None) -> np.ndarray:
    _, _, w, h, angle = box
    wide = angle.astype(np.float64)
    turned = (function(wide).astype(np.float32) for function in (np.cos, np.sin))
    cos, sin = (_moved(values, np.abs(values) != 1, 2, random) for values in turned)
    corners = _cornered(centre, w, h, cos, sin)
    if random is None:
        return corners
    exact = _cornered(*(values.astype(np.float64) for values in (centre, w, h, cos, sin)))
    return _moved(corners, corners != exact, 1, random)


def _cornered(
    centre: np.ndarray, w: np.ndarray, h: np.ndarray, cos: np.ndarray, sin: np.ndarray
) -> np.ndarray:
    """Corners around the centre, [x or y, 4, n], in the precision of the arguments."""
    (x, y), half = centre, cos.dtype.type(0.5)
    cos, sin = cos * half, sin * half
    start = np.stack(
        [[x - sin * h - cos * w, x + sin * h - cos * w], [y + cos * h - sin * w, y - cos * h - sin * w]]
    )
    corners: np.ndarray = np.concatenate([start, cos.dtype.type(2) * centre[:, np.newaxis] - start], axis=1)
    return corners


def _moved(
    values: np.ndarray, inexact: np.ndarray, most: int, random: np.random.RandomState | None
) -> np.ndarray:
    """Return the values, the inexact ones off by up to `most` units in the last place."""
    if random is None:
        return values
    steps = np.where(inexact, random.randint(-most, most + 1, values.shape), 0)
    moved: np.ndarray = (values * (1 + steps * 2 * UNIT)).astype(np.float32)
    return moved


def _cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    turn: np.ndarray = a[0] * b[1] - a[1] * b[0]
    return turn


def _dot(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    product: np.ndarray = a[0] * b[0] + a[1] * b[1]
    return product


def _candidates(p: np.ndarray, q: np.ndarray, reciprocal: bool) -> tuple[np.ndarray, np.ndarray]:
    """Crossings, corners of the first box, corners of the second: [x or y, 24, n], and which count."""
    p_edge, q_edge = p[:, _EDGES] - p, q[:, _EDGES] - q
    between = q[:, np.newaxis] - p[:, :, np.newaxis]
    along_p, along_q = p_edge[:, :, np.newaxis], q_edge[:, np.newaxis]
    determinant = _cross(along_q, along_p)
    parts = _cross(along_q, between), _cross(along_p, between)
    if reciprocal:
        t, s = (part * (np.float32(1) / determinant) for part in parts)
    else:
        t, s = (part / determinant for part in parts)
    crosses = (np.abs(determinant) > PARALLEL) & (t >= 0) & (t <= 1) & (s >= 0) & (s <= 1)
    crossings = p[:, :, np.newaxis] + along_p * t
    n = p.shape[2]
    points = np.concatenate([crossings.reshape(2, _CROSSINGS, n), p, q], axis=1)
    return points, np.concatenate([crosses.reshape(_CROSSINGS, n), _inside(p, q), _inside(q, p)])


def _inside(points: np.ndarray, box: np.ndarray) -> np.ndarray:
    side, other = box[:, 1:2] - box[:, 0:1], box[:, 3:4] - box[:, 0:1]
    from_corner = points - box[:, 0:1]
    along, across = _dot(from_corner, side), _dot(from_corner, other)
    inside: np.ndarray = (along >= 0) & (across >= 0)
    return inside & (along <= _dot(side, side)) & (across <= _dot(other, other))


def _polygon_area(points: np.ndarray, valid: np.ndarray, fan: bool) -> np.ndarray:
    """Area of the polygon that the valid points of each pair span."""
    n = valid.shape[1]
    front = np.argsort(~valid, axis=0, kind="stable")
    x, y = (np.take_along_axis(values, front, axis=0) for values in points)
    count, pair = valid.sum(axis=0), np.arange(n)
    there = np.arange(len(valid))[:, np.newaxis] < count
    lowest = np.where(there, y, np.inf).min(axis=0)
    start = np.where(there & (y == lowest), x, np.inf).argmin(axis=0)
    for values in (x, y):
        values -= values[start, pair]
        values[start, pair] = values[0]
        values[0] = 0
    if fan:
        return _fan(x, y, there)
    _sort(x, y, count)
    return _walk(x, y, count)


def _fan(x: np.ndarray, y: np.ndarray, there: np.ndarray) -> np.ndarray:
    """Area of the triangles between the first point and the others, in the order of their angles.

    Points on one ray have equal keys, so that their order, and with it the area, may be wrong.
    """
    distance = x * x + y * y
    counted = there & (distance > NEAR)
    keys = np.where(counted, np.abs(x) * x / np.where(counted, distance, np.float32(1)), np.float32(-1))
    order = np.argsort(-keys, axis=0, kind="stable")
    x, y = (np.take_along_axis(np.where(counted, values, np.float32(0)), order, axis=0) for values in (x, y))
    triangles = np.abs(x[:-1] * y[1:] - y[:-1] * x[1:])
    area: np.ndarray = triangles.sum(axis=0, dtype=np.float32)
    return area / np.float32(2)


def _sort(x: np.ndarray, y: np.ndarray, count: np.ndarray) -> None:
    """Sort by exchange around the first point: the tolerance makes the result depend on the method."""
    distance = x * x + y * y
    for i in range(1, len(x) - 1):
        for j in range(i + 1, int(count.max())):
            turn = x[i] * y[j] - y[i] * x[j]
            swap = (turn < -TURN) | ((np.abs(turn) < TURN) & (distance[i] > distance[j]))
            swap &= j < count
            for values in (x, y, distance):
                values[i], values[j] = (
                    np.where(swap, values[j], values[i]),
                    np.where(swap, values[i], values[j]),
                )


def _walk(x: np.ndarray, y: np.ndarray, count: np.ndarray) -> np.ndarray:
    """Area within the hull that is found walking along the sorted points."""
    pair, hull_x, hull_y = np.arange(len(count)), x.copy(), y.copy()
    size = np.ones(len(count), np.intp)
    for j in range(1, int(count.max())):
        taken = (j < count) & ((size > 1) | (x[j] * x[j] + y[j] * y[j] > NEAR))
        back = taken & (size > 1)
        while back.any():
            below, top = size - 2, size - 1
            turn = (x[j] - hull_x[below, pair]) * (hull_y[top, pair] - hull_y[below, pair])
            turn = turn - (y[j] - hull_y[below, pair]) * (hull_x[top, pair] - hull_x[below, pair])
            back = back & (turn >= 0) & (size > 1)
            size = size - back
        hull_x[size[taken], pair[taken]], hull_y[size[taken], pair[taken]] = x[j, taken], y[j, taken]
        size = size + taken
    triangles = np.abs(hull_x[1:-1] * hull_y[2:] - hull_y[1:-1] * hull_x[2:])
    counted = np.arange(2, len(x))[:, np.newaxis] < size
    area: np.ndarray = np.where(counted, triangles, np.float32(0)).sum(axis=0, dtype=np.float32)
    return area / np.float32(2)


class _Exact(NamedTuple):
    """The boxes of pairs in double precision, and how far float32 corners may be off.

    Attributes
    ----------
    p, q : ndarray [x or y, 4, n]
        Corners relative to the point between the centres.
    off : ndarray [n]
    """

    p: np.ndarray
    q: np.ndarray
    off: np.ndarray


_PAIRS_AT_ONCE = 1 << 12
_CORNERS_AT_ONCE = 1 << 15
"""Any three corners of a polygon are looked at together: they stay in the second-level cache."""


def is_certain(boxes1: np.ndarray, boxes2: np.ndarray, overlaps: np.ndarray, threshold: float) -> np.ndarray:
    """Return of which pairs every float32 hull decides rightly whether their IoU is above a threshold.

    A pair is certain when float32 finds the very points that are the corners of the common polygon (each
    crossing and each corner inside is decided by more than its error), puts them into their order (any three
    of them span more than the tolerance of a turn), and is left with an area that is away from the threshold
    by more than its error.

    Parameters
    ----------
    boxes1, boxes2 : ndarray, float32 [n, 5 or more]
    overlaps : ndarray [n]
        The exact IoU of each pair.
    threshold : float
        Not negative.

    Returns
    -------
    ndarray of bool [n]
    """
    certain = np.zeros(len(boxes1), bool)
    with np.errstate(all="ignore"):
        for start in range(0, len(boxes1), _PAIRS_AT_ONCE):
            part = slice(start, start + _PAIRS_AT_ONCE)
            certain[part] = _certain(boxes1[part], boxes2[part], overlaps[part], threshold)
    return certain


def _certain(boxes1: np.ndarray, boxes2: np.ndarray, overlaps: np.ndarray, threshold: float) -> np.ndarray:
    exact = _exact(boxes1, boxes2)
    points, found, position, decided = _polygon(exact)
    count = found.sum(axis=0)
    extent = np.abs(points).max(axis=(0, 1), where=found, initial=0)
    error, ordered = _order(points, found, count, position, extent)
    areas = [np.prod(boxes[:, 2:4].astype(np.float64), axis=1) for boxes in (boxes1, boxes2)]
    union = (areas[0] + areas[1]) / (1 + overlaps)
    error += ROUNDINGS * UNIT * (areas[0] + areas[1])
    distance = np.abs(overlaps - threshold) * union
    away = distance > (1 + threshold) * error
    # Out of order the triangles add up to this at most, which may be far below the threshold all the same.
    most = count / 2 * _diameter(points, found) ** 2 + error
    small = most * (1 + threshold) < threshold * (areas[0] + areas[1])
    right = decided & ((count == 0) | small | ((count > 2) & ordered & away))
    certain: np.ndarray = right | (threshold > MOST)
    return certain


def _exact(boxes1: np.ndarray, boxes2: np.ndarray) -> _Exact:
    first, second = (boxes[:, :5].T.astype(np.float64) for boxes in (boxes1, boxes2))
    middle = (first[:2] + second[:2]) / 2
    corners = []
    for x, y, w, h, angle in (first, second):
        cos, sin = np.cos(angle) / 2, np.sin(angle) / 2
        centre = np.stack([x, y])[:, np.newaxis] - middle[:, np.newaxis]
        offset = np.stack([[-sin * h - cos * w, sin * h - cos * w], [cos * h - sin * w, -cos * h - sin * w]])
        corners.append(np.concatenate([centre + offset, centre - offset], axis=1))
    reach = np.maximum(*(np.abs(points).max(axis=(0, 1)) for points in corners))
    return _Exact(corners[0], corners[1], ROUNDINGS * UNIT * reach)


def _polygon(exact: _Exact) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return the candidates, which are corners, how far each may be off, and which pairs are decided."""
    p, q, off = exact
    p_edge, q_edge = p[:, _EDGES] - p, q[:, _EDGES] - q
    along_p, along_q = p_edge[:, :, np.newaxis], q_edge[:, np.newaxis]
    between = q[:, np.newaxis] - p[:, :, np.newaxis]
    determinant, d_error = _turn(along_q, along_p, off)
    p_part, p_error = _turn(along_q, between, off)
    q_part, q_error = _turn(along_p, between, off)
    p_in, p_out = _on_edge(p_part, p_error, determinant, d_error)
    q_in, q_out = _on_edge(q_part, q_error, determinant, d_error)
    crosses, apart = p_in & q_in, p_out | q_out
    t = np.where(crosses, p_part / determinant, 0)
    moved = _length(along_p) * (p_error + np.abs(t) * d_error) / np.abs(determinant) + 2 * off
    n = p.shape[2]
    p_within, p_beyond = _surely_inside(p, q, off)
    q_within, q_beyond = _surely_inside(q, p, off)
    points = np.concatenate([(p[:, :, np.newaxis] + along_p * t).reshape(2, _CROSSINGS, n), p, q], axis=1)
    found = np.concatenate([crosses.reshape(_CROSSINGS, n), p_within, q_within])
    undecided = ~np.concatenate(
        [(crosses | apart).reshape(_CROSSINGS, n), p_within | p_beyond, q_within | q_beyond]
    )
    position = np.concatenate([moved.reshape(_CROSSINGS, n), np.broadcast_to(off, (8, n))])
    return points, found, position, ~undecided.any(axis=0)


def _diameter(points: np.ndarray, found: np.ndarray) -> np.ndarray:
    """The diagonal of the upright box around the points that are found."""
    low = np.where(found, points, np.inf).min(axis=1)
    high = np.where(found, points, -np.inf).max(axis=1)
    return np.where(found.any(axis=0), _length(high - low), 0)


def _length(vectors: np.ndarray | tuple[np.ndarray, np.ndarray]) -> np.ndarray:
    """Length of differences of float32 coordinates; a double holds their squares, so hypot is not needed."""
    length: np.ndarray = np.sqrt(vectors[0] * vectors[0] + vectors[1] * vectors[1])
    return length


def _turn(a: np.ndarray, b: np.ndarray, off: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The cross product of differences of corners, and how far float32 may be off."""
    return _cross(a, b), _product_error(_length(a), _length(b), off)


def _product_error(a: np.ndarray, b: np.ndarray, off: np.ndarray) -> np.ndarray:
    error: np.ndarray = 2 * off * (a + b) + 4 * UNIT * a * b
    return error


def _on_edge(
    part: np.ndarray, part_error: np.ndarray, determinant: np.ndarray, d_error: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Mark the quotients part / determinant that are surely in [0, 1], and those that are surely not."""
    error = part_error + d_error + 4 * UNIT * np.abs(determinant)
    sign = np.sign(determinant)
    known = np.abs(determinant) > d_error + PARALLEL
    above, below = sign * part, sign * (determinant - part)
    inside = known & (above > part_error) & (below > error)
    outside = (known & ((above < -part_error) | (below < -error))) | (
        np.abs(part) > np.abs(determinant) + error
    )
    return inside, outside


def _surely_inside(points: np.ndarray, box: np.ndarray, off: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mark the points that are surely in the box, and those that are surely not."""
    from_corner = points - box[:, 0:1]
    distance = _length(from_corner)
    inside, outside = np.ones(distance.shape, bool), np.zeros(distance.shape, bool)
    for side in (box[:, 1:2] - box[:, 0:1], box[:, 3:4] - box[:, 0:1]):
        length = _length(side)
        along, whole = _dot(from_corner, side), length * length
        error = _product_error(distance, length, off)
        far_error = error + _product_error(length, length, off)
        inside &= (along > error) & (whole - along > far_error)
        outside |= (along < -error) | (along - whole > far_error)
    return inside, outside


def _order(
    points: np.ndarray, found: np.ndarray, count: np.ndarray, position: np.ndarray, extent: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return a bound of the polygon's area error, and mark the polygons whose corner order is sure."""
    error, ordered = np.zeros(len(count)), np.ones(len(count), bool)
    for corners in range(1, int(count.max(initial=0)) + 1):
        polygons = np.flatnonzero(count == corners)
        if len(polygons):
            chosen = found[:, polygons].T
            x, y, off = (
                values[:, polygons].T[chosen].reshape(-1, corners).T for values in (*points, position)
            )
            step = _CORNERS_AT_ONCE // corners**2 + 1
            for start in range(0, len(polygons), step):
                part = slice(start, start + step)
                some = polygons[part]
                error[some], ordered[some] = _order_of(
                    x[:, part], y[:, part], off[:, part].max(axis=0), extent[some]
                )
    return error, ordered


@lru_cache(maxsize=None)
def _pairs_of(corners: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the pairs of corners, [2, pairs], and the pairs of these that begin at one corner."""
    pairs = np.array([*combinations(range(corners), 2)], np.intp).reshape(-1, 2)
    spans = [
        (first, second)
        for first, second in combinations(range(len(pairs)), 2)
        if pairs[first, 0] == pairs[second, 0]
    ]
    return pairs.T, np.array(spans, np.intp).reshape(-1, 2).T


def _order_of(
    x: np.ndarray, y: np.ndarray, off: np.ndarray, extent: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the same of polygons with equally many corners, [corners, n], each off by `off` at most."""
    turn_error = 8 * extent * off + 16 * UNIT * extent * extent
    (one, other), (first, second) = _pairs_of(len(x))
    dx, dy = x[other] - x[one], y[other] - y[one]
    near = (_length((dx, dy)) < 2 * NEAR**0.5 + off).any(axis=0)
    least = np.abs(dx[first] * dy[second] - dy[first] * dx[second]).min(axis=0, initial=np.inf)
    lost = np.where(near, 2 * NEAR**0.5 * extent, 0)
    return len(x) * turn_error + lost, least >= TURN + turn_error
