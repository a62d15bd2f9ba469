"""The overlap of rotated boxes, where float32 gets it right and where it is known not to."""

from __future__ import annotations

import numpy as np
import pytest
from mluops_emulator.operators.rotated_iou import boxes_of, hull_area, intersection_area, lowest

# From open-mmlab/mmcv tests/test_ops/test_box_iou_rotated.py.
FIRST = [[1, 1, 3, 4, 0.5], [2, 2, 3, 4, 0.6], [7, 7, 8, 8, 0.4]]
SECOND = [[0, 2, 2, 5, 0.3], [2, 1, 3, 3, 0.5], [5, 5, 6, 7, 0.4]]
IOUS = [[0.3708, 0.4351, 0], [0.1104, 0.4487, 0.0424], [0, 0, 0.3622]]


@pytest.fixture(autouse=True)
def _no_warnings():
    with np.errstate(all="ignore"):
        yield


def overlap(first, second):
    """Intersection and IoU of pairs of boxes, [n, 5] each."""
    a, b = (boxes_of(np.array(boxes, np.float32).T) for boxes in (first, second))
    area = intersection_area(a, b)
    return area, area / (a.area + b.area - area)


def test_ious_of_mmcvs_unit_test():
    first, second = np.repeat(FIRST, 3, axis=0), np.tile(SECOND, (3, 1))
    assert overlap(first, second)[1].reshape(3, 3) == pytest.approx(np.array(IOUS), abs=1e-4)


@pytest.mark.parametrize(("sign", "iou"), [(-1, 0.26549), (1, 0.0)])
def test_the_sign_of_the_angle_counts(sign, iou):
    """detectron2 issues 1207 and 4961: y points down, so positive angles turn clockwise."""
    first = [[160, 153, 230, 23, sign * 0.6457718]]
    second = [[190, 127, 80, 21, sign * 0.8028515]]
    assert overlap(first, second)[1] == pytest.approx([iou], abs=1e-4)


@pytest.mark.parametrize(
    ("first", "second", "area"),
    [
        ([0, 0, 3, 2, 0], [1, 0, 3, 2, 0], 4),
        ([0, 0, 2, 2, 0], [2, 0, 2, 2, 0], 0),
        ([0, 0, 2, 2, 0], [2, 2, 2, 2, 0], 0),
        ([0, 0, 10, 10, 0], [1, -1, 2, 4, 0.3], 8),
        ([0, 0, 10, 1, 0], [0, 0, 1, 10, 0], 1),
        ([0, 0, 2, 2, 0], [0, 0, 2, 2, np.pi / 4], 8 * (2**0.5 - 1)),
        ([0, 0, 4, 2, 0], [0, 0, 4, 2, np.pi], 8),
        ([0, 0, 4, 2, 0], [0, 0, 2, 4, np.pi / 2], 8),
        ([1000, 500, 30, 20, 0.3], [1000, 500, 30, 20, 0.3], 600),
    ],
    ids=["crossing", "side", "corner", "inside", "cross", "octagon", "half turn", "quarter turn", "equal"],
)
def test_areas_known_from_geometry(first, second, area):
    assert overlap([first], [second])[0] == pytest.approx([area], rel=1e-5, abs=1e-5)


def test_two_negative_sides_are_as_good_as_positive_ones():
    assert overlap([[0, 0, -3, -2, 0.1]], [[0, 0, 3, 2, 0.1]])[0] == pytest.approx([6], rel=1e-5)


@pytest.mark.parametrize("box", [[0, 0, 0, 2, 0], [0, 0, -2, 2, 0], [0, 0, 1e-8, 1e-8, 0]])
def test_boxes_without_area_share_nothing(box):
    assert overlap([box], [[0, 0, 4, 4, 0]])[0] == 0


@pytest.mark.parametrize("field", range(4))
def test_nan_shares_nothing(field):
    box = [0, 0, 2, 2, 0]
    box[field] = np.nan
    assert not overlap([box], [[0, 0, 4, 4, 0]])[0] > 0


def test_tiny_boxes_are_lost_to_the_absolute_tolerances():
    """Equal boxes of size 1e-4 have no common area, as the vendor's method has it."""
    assert overlap([[0, 0, 1e-4, 1e-4, 0.2]], [[0, 0, 1e-4, 1e-4, 0.2]])[0] == 0


SQUARE = [0, 2, 2 + 2j, 2j]


@pytest.mark.parametrize(
    "more",
    [[], [1 + 1j], [1, 2 + 1j], [0, 2 + 2j], [1 + 1j, 0.5 + 1j, 1.5 + 0.5j]],
    ids=["alone", "inner", "on sides", "twice", "more inner"],
)
@pytest.mark.parametrize("turn", [1, 1j, np.exp(0.3j)])
def test_a_hull_does_not_see_points_that_are_no_corners(more, turn):
    points = np.array([*more, *SQUARE])[:, np.newaxis] * turn
    assert hull_area(points.astype(np.complex64)) == pytest.approx([4], rel=1e-5)


def test_a_hull_starts_from_the_lowest_point_and_of_those_the_leftmost():
    assert lowest(np.array([[1j, 2j], [2, 1], [1, 1 + 0.5j]], np.complex64)).tolist() == [2, 1]


def test_random_boxes_of_ordinary_size_agree_with_clipping_in_double(random_boxes):
    rng = np.random.default_rng(8)
    first, second = (random_boxes(rng, 400, (0, 60), (5, 40)) for _ in range(2))
    expected = [clipped_area(a, b) for a, b in zip(first.astype(np.float64), second.astype(np.float64))]
    assert overlap(first, second)[0] == pytest.approx(np.array(expected), rel=1e-4, abs=1e-3)


def clipped_area(first, second):
    """Area of one box clipped by the four sides of the other (Sutherland and Hodgman)."""
    polygon = outline(first)
    clip = outline(second)
    for a, b in zip(clip, np.roll(clip, -1)):
        polygon = [point for edge in zip(polygon, np.roll(polygon, -1)) for point in kept(*edge, a, b)]
        if not polygon:
            return 0.0
    polygon = np.array(polygon)
    return (polygon.conj() * np.roll(polygon, -1)).imag.sum() / 2


def outline(box):
    x, y, width, height, angle = box
    corners = np.array([-width - 1j * height, width - 1j * height, width + 1j * height, -width + 1j * height])
    return x + 1j * y + corners / 2 * np.exp(1j * angle)


def kept(start, end, a, b):
    """Return the part of an edge left of the line a, b: its start, and its crossing with the line."""
    side = [((b - a).conjugate() * (point - a)).imag for point in (start, end)]
    points = [start] if side[0] >= 0 else []
    if (side[0] >= 0) != (side[1] >= 0):
        points.append(start + (end - start) * side[0] / (side[0] - side[1]))
    return points
