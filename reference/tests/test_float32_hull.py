"""The overlap as float32 kernels compute it, and the pairs on which it can be trusted."""

from __future__ import annotations

import numpy as np
import pytest
from mluops_reference import nms_rotated
from mluops_reference.float32_hull import hull_area, is_certain
from mluops_reference.nms_rotated import is_decided
from mluops_reference.rotated_boxes import intersection, iou, rectangles

EQUAL = ((46.3560715, 9.5201683, 12.7118998, 6.05664682, -2.68439007),
         (46.3560715, 9.52016735, 12.7118998, 6.05664682, -2.68439007))  # fmt: skip
SLIVERS = ((33.8804207, 39.6001205, 172.3302, 0.0260510296, 0.932253301),
           (33.8982391, 39.6678391, 172.3302, 0.0260510296, 0.932253301))  # fmt: skip


def pair(first: tuple[float, ...], second: tuple[float, ...]) -> tuple[np.ndarray, np.ndarray]:
    return np.array([first], np.float32), np.array([second], np.float32)


def overlaps(boxes1: np.ndarray, boxes2: np.ndarray) -> np.ndarray:
    return iou(rectangles(boxes1), rectangles(boxes2))


def random_pairs(number: int, longest: float, spread: float) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.RandomState(3)
    first = np.column_stack(
        [
            random.uniform(0, 100, (number, 2)),
            random.uniform(1, longest, (number, 2)),
            random.uniform(-3, 3, number),
        ]
    )
    second = first.copy()
    second[:, :2] += spread * random.uniform(-1, 1, (number, 2)) * first[:, 2:4].min(axis=1, keepdims=True)
    second[:, 2:4] *= 1 + spread * random.uniform(-1, 1, (number, 2))
    second[:, 4] += spread * random.uniform(-1, 1, number)
    return first.astype(np.float32), second.astype(np.float32)


def test_ordinary_boxes_share_the_exact_area_to_float32():
    boxes = random_pairs(500, 40, 0.3)
    exact = intersection(*map(rectangles, boxes))
    assert np.abs(hull_area(*boxes) / exact - 1).max() < 1e-4


def test_a_fan_gives_ordinary_boxes_the_exact_area_too():
    boxes = random_pairs(500, 40, 0.3)
    exact = intersection(*map(rectangles, boxes))
    assert (np.abs(hull_area(*boxes, fan=True) / exact - 1) < 1e-4).mean() > 0.99


def test_a_fan_mistakes_points_on_one_ray():
    boxes = pair((5, 5, 8, 8, -1.2), (5, 5, 4, 8, -1.2))
    areas = {round(float(hull_area(*boxes, seed, fan=True)[0])) for seed in range(32)}
    assert {16, 32} <= areas  # 32 is right


def test_crossing_boxes_share_a_square_exactly():
    boxes = pair((0, 0, 16, 4, 0), (0, 0, 4, 16, 0))
    assert hull_area(*boxes).tolist() == [16.0]
    assert hull_area(*boxes, fan=True).tolist() == [16.0]


def test_boxes_that_are_equal_but_for_a_last_place_share_nothing_to_a_hull():
    boxes = pair(*EQUAL)
    assert overlaps(*boxes)[0] > 0.999999
    assert hull_area(*boxes)[0] < 1e-4


def test_slivers_that_lie_side_by_side_share_a_third_to_a_hull():
    boxes = pair(*SLIVERS)
    assert overlaps(*boxes)[0] == 0
    assert hull_area(*boxes)[0] > 2.0


def test_a_box_without_area_shares_nothing():
    assert hull_area(*pair((0, 0, 4, 0, 0.5), (0, 0, 4, 4, 0.5))).tolist() == [0.0]


def test_no_pairs_have_no_areas():
    assert hull_area(np.empty((0, 5), np.float32), np.empty((0, 5), np.float32)).shape == (0,)


@pytest.mark.parametrize("boxes", [EQUAL, SLIVERS, ((0, 0, 4, 2, 0), (4, 0, 4, 2, 0))])
def test_a_pair_that_a_hull_gets_wrong_or_that_shares_a_line_is_not_certain(boxes):
    first, second = pair(*boxes)
    assert not is_certain(first, second, overlaps(first, second), 0.3)[0]


@pytest.mark.parametrize("threshold", [0.1, 0.5])
def test_crossing_boxes_are_certain(threshold):
    first, second = pair((0, 0, 16, 4, 0.75), (1, 0.5, 4, 16, 0.5))
    assert is_certain(first, second, overlaps(first, second), threshold)[0]


@pytest.mark.parametrize(("longest", "spread", "share"), [(40, 0.3, 0.97), (40, 1e-3, 0.2), (4, 0.3, 0.97)])
def test_no_rounding_of_a_certain_pair_changes_the_verdict(longest, spread, share):
    first, second = random_pairs(2000, longest, spread)
    exact = overlaps(first, second)
    certain = is_certain(first, second, exact, 0.7)
    areas = first[:, 2] * first[:, 3] + second[:, 2] * second[:, 3]
    for seed in range(5):
        shared = hull_area(first, second, seed)
        over = shared > np.float32(0.7) * (areas - shared)
        assert not (certain & (over != (exact > 0.7))).any()
    assert certain.mean() > share


def test_an_overlap_near_the_threshold_is_not_decided():
    first, second = pair((4, 2, 8, 4, 0.1), (7, 3, 6, 5, 0.7))
    overlap = float(overlaps(first, second)[0])
    assert not is_decided(first, second, overlap + 5e-5)[0]
    assert is_decided(first, second, overlap + 5e-4)[0]


def test_nms_names_the_pair_that_it_is_not_certain_of():
    boxes = np.array([*EQUAL, (0, 0, 8, 4, 0.3)], np.float32)
    found = nms_rotated(boxes, np.array([0.8, 0.9, 0.7]), 0.3)
    assert found.uncertain.tolist() == [[1, 0]]
    assert nms_rotated(boxes[1:], np.array([0.8, 0.9]), 0.3).uncertain.tolist() == []
