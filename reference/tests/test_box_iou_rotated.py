"""Overlap of rotated boxes."""

from __future__ import annotations

import numpy as np
import pytest
from mluops_reference import box_iou_rotated

OPERATOR = "box_iou_rotated"


def test_known_answers(known_answer):
    ious = box_iou_rotated(**known_answer.inputs, **known_answer.params)
    np.testing.assert_allclose(ious, known_answer.expected["ious"], rtol=0, atol=1e-4)


def test_aligned_is_the_diagonal():
    boxes1, boxes2 = random_boxes(40, 1), random_boxes(40, 2)
    for mode in (0, 1):
        pairwise = box_iou_rotated(boxes1, boxes2, mode=mode, aligned=False)
        np.testing.assert_array_equal(
            box_iou_rotated(boxes1, boxes2, mode=mode, aligned=True), np.diag(pairwise)
        )


def test_mode_1_divides_by_the_first_box():
    small, large = np.array([[0.0, 0, 1, 1, 0.3]]), np.array([[0.0, 0, 4, 5, 0.3]])
    assert box_iou_rotated(small, large, mode=1, aligned=False).item() == pytest.approx(1)
    assert box_iou_rotated(large, small, mode=1, aligned=False).item() == pytest.approx(1 / 20)


@pytest.mark.parametrize("mode", [0, 1])
def test_boxes_that_are_not_finite(mode):
    box = np.array([[0.0, 0, 2, 2, 0.1]])
    for column, value, expected in [(0, np.nan, 0), (4, np.inf, 0), (2, np.inf, 0), (3, np.nan, np.nan)]:
        other = box.copy()
        other[0, column] = value
        np.testing.assert_equal(box_iou_rotated(other, box, mode=mode).item(), expected)
        np.testing.assert_equal(box_iou_rotated(box, other, mode=mode).item(), 0 if mode else expected)


@pytest.mark.parametrize(
    ("boxes", "options"),
    [((2, 4), {}), ((2, 5), {"mode": 2}), ((2, 5), {"aligned": True})],
)
def test_arguments_that_do_not_fit_are_refused(boxes, options):
    with pytest.raises(ValueError, match="must be"):
        box_iou_rotated(np.zeros(boxes), np.zeros((3, 5)), **options)


def iou(a, b):
    return box_iou_rotated(np.array([a]), np.array([b])).item()


def corners(box):
    x, y, w, h, a = box
    turn = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
    return [turn @ (sx * w / 2, sy * h / 2) + (x, y) for sx, sy in ((1, 1), (-1, 1), (-1, -1), (1, -1))]


def cross(a, b):
    return a[0] * b[1] - a[1] * b[0]


def clipped_iou(a, b):
    """Clip polygon a by the half planes of b; the shoelace area of what is left."""
    polygon, window = corners(a), corners(b)
    for p, q in zip(window, window[1:] + window[:1]):
        kept = []
        for u, v in zip(polygon, polygon[1:] + polygon[:1]):
            side_u, side_v = cross(q - p, u - p), cross(q - p, v - p)
            kept += [u] if side_u >= 0 else []
            kept += [u + (v - u) * (side_u / (side_u - side_v))] if side_u * side_v < 0 else []
        polygon = kept
    shared = sum(cross(u - a[:2], v - a[:2]) for u, v in zip(polygon, polygon[1:] + polygon[:1])) / 2
    return shared / (a[2] * a[3] + b[2] * b[3] - shared)


def random_boxes(n, seed, span=30.0):
    rng = np.random.default_rng(seed)
    return np.column_stack([rng.uniform(0, span, (n, 2)), rng.uniform(1, 30, (n, 2)), rng.uniform(-7, 7, n)])


def test_the_unit_test_of_mmcv():
    # open-mmlab/mmcv tests/test_ops/test_box_iou_rotated.py:12-47
    boxes1 = np.array([[1, 1, 3, 4, 0.5], [2, 2, 3, 4, 0.6], [7, 7, 8, 8, 0.4]], np.float32)
    boxes2 = np.array([[0, 2, 2, 5, 0.3], [2, 1, 3, 3, 0.5], [5, 5, 6, 7, 0.4]], np.float32)
    expected = [[0.3708, 0.4351, 0.0], [0.1104, 0.4487, 0.0424], [0.0, 0.0, 0.3622]]
    np.testing.assert_allclose(box_iou_rotated(boxes1, boxes2), expected, atol=1e-4)


@pytest.mark.parametrize(("sign", "expected"), [(-1, 0.26549), (1, 0.0)])
def test_the_sign_of_the_angle_decides(sign, expected):
    # detectron2 #1207, #4961
    boxes = [160, 153, 230, 23, sign * 0.6457718], [190, 127, 80, 21, sign * 0.8028515]
    assert iou(*boxes) == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ([0, 0, 3, 2, 0], [1, 0, 3, 2, 0], 1 / 2),
        ([0, 0, 10, 10, 0], [4, 0, 10, 10, 0], 3 / 7),
        ([0, 0, 10, 10, 0], [1, 1, 2, 2, 0], 1 / 25),
        ([0, 0, 10, 1, 0], [0, 0, 1, 10, 0], 1 / 19),
        ([0, 0, 2, 2, 0], [0, 0, 2, 2, np.pi / 4], (8 * (np.sqrt(2) - 1)) / (8 - 8 * (np.sqrt(2) - 1))),
        ([0, 0, 4, 2, 0], [0, 0, 2, 4, np.pi / 2], 1),
    ],
)
def test_overlaps_that_geometry_gives(a, b, expected):
    assert iou(a, b) == pytest.approx(expected, abs=1e-14)


@pytest.mark.parametrize("size", [1e-6, 1e-3, 1.0, 1e6])
def test_boxes_of_any_size_with_a_shared_edge(size):
    # Absolute tolerances of 1e-8 to 1e-6 lose these in the usual code (mmcv #2952, detectron2 #2154).
    for angle in (0.0, 0.3, 1.0):
        step = size / 4 * np.array([np.cos(angle), np.sin(angle)])
        assert iou([0, 0, size, size, angle], [*step, size, size, angle]) == pytest.approx(3 / 5, abs=1e-12)


@pytest.mark.parametrize("size", [1e-4, 1.0, 1e4])
def test_a_box_covers_itself(size):
    boxes = random_boxes(50, 1) * (1, 1, size, size, 1)
    np.testing.assert_allclose(np.diag(box_iou_rotated(boxes, boxes)), 1, atol=1e-13)


@pytest.mark.parametrize("angle", [0.0, 0.25])
def test_touching_boxes_share_nothing(angle):
    along = 2 * np.array([np.cos(angle), np.sin(angle)])
    assert iou([0, 0, 2, 2, angle], [*along, 2, 2, angle]) < 1e-15


def test_boxes_apart_give_zero_exactly():
    boxes = random_boxes(60, 2, span=150.0)
    exact = np.array([[clipped_iou(a, b) for b in boxes] for a in boxes])
    apart = exact == 0
    assert apart.sum() > 1000
    assert (box_iou_rotated(boxes, boxes)[apart] == 0).all()


def test_random_boxes_agree_with_polygon_clipping():
    a, b = random_boxes(40, 3), random_boxes(40, 4)
    expected = [[clipped_iou(p, q) for q in b] for p in a]
    np.testing.assert_allclose(box_iou_rotated(a, b), expected, atol=1e-13)


def test_slivers_agree_with_polygon_clipping():
    a, b = random_boxes(30, 5), random_boxes(30, 6)
    a[:, 3] *= 1e-4
    b[:, 2] *= 1e-5
    expected = [[clipped_iou(p, q) for q in b] for p in a]
    np.testing.assert_allclose(box_iou_rotated(a, b), expected, rtol=1e-6, atol=1e-16)


def test_the_order_of_the_boxes_does_not_matter():
    a, b = random_boxes(40, 7), random_boxes(40, 8)
    np.testing.assert_allclose(box_iou_rotated(a, b), box_iou_rotated(b, a).T, atol=1e-13)


@pytest.mark.parametrize(("turn", "shift"), [(0.7, (0, 0)), (0, (300, -200)), (2.5, (-40, 90))])
def test_moving_both_boxes_changes_nothing(turn, shift):
    boxes = random_boxes(40, 9)
    moved = boxes.copy()
    rotation = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    moved[:, :2] = boxes[:, :2] @ rotation.T + shift
    moved[:, 4] += turn
    np.testing.assert_allclose(box_iou_rotated(moved, moved), box_iou_rotated(boxes, boxes), atol=1e-12)


def test_scaling_both_boxes_changes_nothing():
    boxes = random_boxes(40, 10)
    scaled = boxes * (1e-3, 1e-3, 1e-3, 1e-3, 1)
    np.testing.assert_allclose(box_iou_rotated(scaled, scaled), box_iou_rotated(boxes, boxes), atol=1e-13)


def test_a_quarter_turn_swaps_the_sides():
    boxes = random_boxes(40, 11)
    turned = boxes[:, [0, 1, 3, 2, 4]] + (0, 0, 0, 0, np.pi / 2)
    np.testing.assert_allclose(box_iou_rotated(boxes, turned), box_iou_rotated(boxes, boxes), atol=1e-12)


@pytest.mark.parametrize("sides", [(0, 5), (5, 0), (-5, 5), (1e-8, 9e-7)])
def test_a_box_without_area_or_with_one_negative_side_overlaps_nothing(sides):
    assert iou([0, 0, *sides, 0.3], [0, 0, 4, 4, 0]) == 0
    assert iou([0, 0, *sides, 0.3], [0, 0, *sides, 0.3]) == 0


def test_two_negative_sides_count_as_positive():
    assert iou([0, 0, -4, -2, 0.3], [1, 0, 3, 3, 0]) == iou([0, 0, 4, 2, 0.3], [1, 0, 3, 3, 0]) > 0


@pytest.mark.parametrize("value", [np.nan, np.inf])
@pytest.mark.parametrize("field", range(5))
def test_a_box_that_is_not_finite_overlaps_nothing(value, field):
    box = [0.0, 0.0, 4.0, 4.0, 0.0]
    box[field] = value
    expected = np.nan if np.isnan(value) and field in (2, 3) else 0  # a NaN side makes a NaN area
    assert iou(box, [0, 0, 4, 4, 0]) == pytest.approx(expected, nan_ok=True)
    assert iou([0, 0, 4, 4, 0], box) == pytest.approx(expected, nan_ok=True)


def test_labels_are_ignored():
    labelled = np.array([[0.0, 0, 2, 2, 0, 0], [0.0, 0, 2, 2, 0, 1]])
    np.testing.assert_array_equal(box_iou_rotated(labelled, labelled), np.ones((2, 2)))


def test_no_boxes_give_no_overlaps():
    assert box_iou_rotated(np.zeros((0, 5)), random_boxes(3, 12)).shape == (0, 3)
    assert box_iou_rotated(random_boxes(3, 12), np.zeros((0, 5))).shape == (3, 0)
