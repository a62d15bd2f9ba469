"""box_iou_rotated on both devices, through the C interface."""

from __future__ import annotations

import numpy as np
import pytest
from mluops import operators

IOU, IOF = 0, 1

# Boxes and answers of open-mmlab/mmcv, tests/test_ops/test_box_iou_rotated.py.
MMCV_1 = [[1, 1, 3, 4, 0.5], [2, 2, 3, 4, 0.6], [7, 7, 8, 8, 0.4]]
MMCV_2 = [[0, 2, 2, 5, 0.3], [2, 1, 3, 3, 0.5], [5, 5, 6, 7, 0.4]]
MMCV_IOU = [[0.3708, 0.4351, 0.0000], [0.1104, 0.4487, 0.0424], [0.0000, 0.0000, 0.3622]]
MMCV_IOF = [[0.4959, 0.5306, 0.0000], [0.1823, 0.5420, 0.1832], [0.0000, 0.0000, 0.4404]]


def overlaps(handle, bbox1, bbox2, mode=IOU, aligned=False):
    boxes = np.array(bbox1, np.float32), np.array(bbox2, np.float32)
    return operators.box_iou_rotated(handle, *boxes, mode=mode, aligned=aligned)


@pytest.mark.parametrize(("mode", "expected"), [(IOU, MMCV_IOU), (IOF, MMCV_IOF)])
def test_answers_of_mmcv(handle, mode, expected):
    assert overlaps(handle, MMCV_1, MMCV_2, mode) == pytest.approx(np.array(expected), abs=1e-4)


@pytest.mark.parametrize(("mode", "expected"), [(IOU, MMCV_IOU), (IOF, MMCV_IOF)])
def test_aligned_boxes_give_the_diagonal(handle, mode, expected):
    actual = overlaps(handle, MMCV_1, MMCV_2, mode, aligned=True)
    assert actual == pytest.approx(np.diagonal(expected), abs=1e-4)


@pytest.mark.parametrize(
    ("one", "other", "iou"),
    [
        ([0, 0, 4, 4, 0], [0.3, 0.2, 2, 2, 0.3], 0.25),
        ([0, 0, 2, 2, 0], [5, 5, 2, 2, 0], 0),
        ([0, 0, 2, 2, 0], [0, 0, 2, 2, np.pi / 4], 2**-0.5),
    ],
    ids=["contained", "apart", "turned by 45 degrees"],
)
def test_overlaps_that_geometry_gives(handle, one, other, iou):
    assert overlaps(handle, [one], [other])[0, 0] == pytest.approx(iou, abs=1e-6)


def test_the_first_box_divides_in_mode_iof(handle):
    large, small = [0, 0, 4, 4, 0], [0.3, 0.2, 2, 2, 0.3]
    assert overlaps(handle, [large, small], [small, large], IOF, aligned=True) == pytest.approx([0.25, 1])


def test_a_positive_angle_turns_from_x_to_y(handle):
    """The long box points along (0.8, 0.6), where one of the squares lies."""
    long = [0, 0, 10, 2, np.arctan2(0.6, 0.8)]
    squares = [[3.2, 2.4, 1, 1, 0.2], [3.2, -2.4, 1, 1, 0.2]]
    assert overlaps(handle, squares, [long], IOF).ravel() == pytest.approx([1, 0], abs=1e-5)


@pytest.mark.parametrize("flat", [[0, 0, 0, 2, 0], [0, 0, -2, 2, 0], [0, 0, 9e-8, 1e-7, 0]])
def test_a_box_without_area_overlaps_nothing(handle, flat):
    assert overlaps(handle, [flat], [[0.1, 0.2, 2, 2, 0.1]]).tolist() == [[0]]


@pytest.mark.parametrize("shapes", [(0, 3), (3, 0)])
def test_no_boxes_give_an_empty_matrix(handle, shapes):
    assert overlaps(handle, *(np.zeros((count, 5)) for count in shapes)).shape == shapes
