"""Overlap of rotated boxes in float32: corners and edge crossings, their convex hull, its area.

The method and its absolute tolerances are those of the vendor's kernel, and of mmcv's: good to about 1e-6 for
boxes of ordinary size, and known to go wrong for nearly equal boxes, shared edges, slivers and tiny boxes.
Points are complex64 numbers x + iy. The points of a pair lie along the first axis, the pairs along the last.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Callable, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from mluops_emulator.operators.arrays import Bools, Floats, Ints, Points

    AreaOf = Callable[[Points], Floats]

AREA_TOLERANCE = 1e-14
PARALLEL_TOLERANCE = 1e-14
TURN_TOLERANCE = 1e-6
DISTANCE_TOLERANCE = 1e-8
LEAST_POINTS = 3

NEXT = np.array([1, 2, 3, 0])
"""The corner behind each one."""


class Boxes(NamedTuple):
    """Rotated boxes, along the last axis."""

    centre: Points
    along: Points  # from the centre to the side at its right, before the box is turned
    across: Points  # and to the one above
    area: Floats

    def at(self, index: Ints) -> Boxes:
        return Boxes(self.centre[index], self.along[index], self.across[index], self.area[index])

    def corners_around(self, middle: Points) -> Points:
        """Return the corners in order around each box, [4, n], relative to a point.

        The first two are mirrored at the centre, as on the device: last bits decide where boxes touch.
        """
        centre = self.centre - middle
        first, second = centre + self.across - self.along, centre - self.across - self.along
        return np.stack([first, second, 2 * centre - first, 2 * centre - second])

    def reach(self) -> Floats:
        """Return the distance of the corners from the centre."""
        return np.maximum(np.abs(self.along + self.across), np.abs(self.along - self.across))


def boxes_of(fields: Floats) -> Boxes:
    """Boxes of x, y, width, height and angle in radians: float32 [5 or more, n]."""
    x, y, width, height, angle = fields[:5]
    along = half_extent(width, np.cos(angle), np.sin(angle))
    across = half_extent(height, -np.sin(angle), np.cos(angle))
    return Boxes(_points(x, y), along, across, width * height)


def half_extent(size: Floats, x: Floats, y: Floats) -> Points:
    """The vector from the centre to a side, in the direction (x, y)."""
    half = size * np.float32(0.5)
    return _points(half * x, half * y)


def _points(x: Floats, y: Floats) -> Points:
    points = np.empty(x.shape, np.complex64)
    points.real, points.imag = x, y
    return points


def cross(a: Points, b: Points) -> Floats:
    return a.real * b.imag - a.imag * b.real


def dot(a: Points, b: Points) -> Floats:
    return a.real * b.real + a.imag * b.imag


def degenerate(boxes: Boxes) -> Bools:
    return boxes.area < AREA_TOLERANCE


def intersection_area(first: Boxes, second: Boxes, area_of: AreaOf | None = None) -> Floats:
    """Return the area that the boxes of each pair share, float32 [n]; 0 where one of them is degenerate.

    `area_of` gives the area of the polygons that [m, n] points span: `hull_area` by default.
    """
    area_of = area_of or hull_area
    middle = (first.centre + second.centre) * np.float32(0.5)
    points, found = candidates(first.corners_around(middle), second.corners_around(middle))
    numbers = np.where(degenerate(first) | degenerate(second), 0, found.sum(axis=0))
    area = np.zeros(numbers.shape, np.float32)
    for number in np.unique(numbers[numbers >= LEAST_POINTS]):
        pairs = np.flatnonzero(numbers == number)
        chosen = points.T[pairs][found.T[pairs]].reshape(len(pairs), number)
        area[pairs] = area_of(np.ascontiguousarray(chosen.T))
    return area


def candidates(p: Points, q: Points) -> tuple[Points, Bools]:
    """The 24 points that may be corners of the common polygon, and which of them are.

    Parameters
    ----------
    p, q : complex64 [4, n]
        The corners of the boxes.

    Returns
    -------
    points : complex64 [24, n]
        Edge crossings, corners of the first box, corners of the second.
    found : bool [24, n]
    """
    crossings, crossing = edge_crossings(p, q)
    points = np.concatenate([crossings, p, q])
    return points, np.concatenate([crossing, is_inside(p, q), is_inside(q, p)])


def edge_crossings(p: Points, q: Points) -> tuple[Points, Bools]:
    """Return the crossings of the first box's edges with the second's, [16, n], and mark the real ones."""
    p_edge, q_edge = (p[NEXT] - p)[:, np.newaxis], (q[NEXT] - q)[np.newaxis]
    between = q[np.newaxis] - p[:, np.newaxis]
    determinant = cross(q_edge, p_edge)
    p_part = cross(q_edge, between) / determinant
    q_part = cross(p_edge, between) / determinant
    crossing = is_on_edge(p_part) & is_on_edge(q_part) & ~is_parallel(determinant)
    points = p[:, np.newaxis] + p_edge * p_part
    return points.reshape(16, -1), crossing.reshape(16, -1)


def is_parallel(determinant: Floats) -> Bools:
    return np.abs(determinant) <= PARALLEL_TOLERANCE


def is_on_edge(part: Floats) -> Bools:
    """Mark the points on an edge, its ends included, by their fraction of the edge's length."""
    return (part >= 0) & (part <= 1)


def is_inside(points: Points, box: Points) -> Bools:
    """Mark the points in the box, its border included; both [4, n]."""
    width, height = box[1] - box[0], box[3] - box[0]
    along, across = dot(points - box[0], width), dot(points - box[0], height)
    return (along >= 0) & (along <= dot(width, width)) & (across >= 0) & (across <= dot(height, height))


def hull_area(points: Points) -> Floats:
    """Area of the convex hulls of m points each, by Graham's scan; [m, n] to [n], spoils `points`."""
    pairs = np.arange(points.shape[1])
    start = lowest(points)
    points[start, pairs], points[0] = points[0].copy(), points[start, pairs]
    points -= points[0].copy()
    sort_by_angle(points)
    return polygon_area(*scan(points))


def lowest(points: Points) -> Ints:
    """Return the index of each pair's point with the least y, and among equal y the least x."""
    candidates = np.where(points.imag == points.imag.min(axis=0), points.real, np.float32(np.inf))
    return candidates.argmin(axis=0)


def sort_by_angle(points: Points) -> None:
    """Sort all but the first point by their angle, the nearer first where angles agree.

    By exchange, as the device does it: the comparison has a tolerance, so it is not transitive, and another
    method would give another order.
    """
    distance = dot(points, points)
    for i in range(1, len(points) - 1):
        for j in range(i + 1, len(points)):
            swap = comes_after(points[i], points[j], distance[i], distance[j])
            if not swap.any():
                continue
            for array in (points, distance):
                array[i], array[j] = np.where(swap, array[j], array[i]), np.where(swap, array[i], array[j])


def comes_after(a: Points, b: Points, a_distance: Floats, b_distance: Floats) -> Bools:
    turn = cross(a, b)
    return (turn < -TURN_TOLERANCE) | ((np.abs(turn) < TURN_TOLERANCE) & (a_distance > b_distance))


def scan(points: Points) -> tuple[Points, Ints]:
    """The hulls of sorted points, and how many of their points count: [m, n] and [n].

    Leading points that coincide with the first one, within the tolerance, are left out.
    """
    pairs = np.arange(points.shape[1])
    hull = points.copy()
    size = np.ones(points.shape[1], np.int64)
    for point in points[1:]:
        taken = (size > 1) | (dot(point, point) > DISTANCE_TOLERANCE)
        back = taken
        while True:
            below, top = hull[size - 2, pairs], hull[size - 1, pairs]
            back = back & (size > 1) & is_no_corner(below, top, point)
            if not back.any():
                break
            size -= back
        hull[size[taken], pairs[taken]] = point[taken]
        size += taken
    return hull, size


def is_no_corner(below: Points, top: Points, point: Points) -> Bools:
    """Mark the pairs for which the path `below`, `top`, `point` makes no left turn."""
    return cross(point - below, top - below) >= 0


def polygon_area(hull: Points, size: Ints) -> Floats:
    """The triangles between the first point and each side, summed."""
    triangles = np.abs(cross(hull[1:-1] - hull[0], hull[2:] - hull[0]))
    counted = np.arange(2, len(hull))[:, np.newaxis] < size
    total: Floats = np.where(counted, triangles, np.float32(0)).sum(axis=0)
    return total / 2
