"""The number of values that each element adds up."""

from __future__ import annotations

import numpy as np
import pytest
from mluops_conformance.operators import operators, the_operator

VOXELS = np.array([[2, 0, 1], [1, 1, 9], [0, 1, 1], [-1, 1, 1], [2, 1, 1]], np.int32)


@pytest.mark.parametrize(
    ("pool_method", "counts"),
    [
        pytest.param(0, [[2, 3], [1, 1]], id="max: by channel"),
        pytest.param(1, [[1], [4]], id="avg: point 1 is listed twice by one voxel"),
    ],
)
def test_roiaware_counts_what_a_point_gets(pool_method, counts):
    argmax = np.array([[-1, 0], [0, 0], [0, -1], [-1, 0], [1, 1]], np.int32)
    inputs = {
        "pts_idx_of_voxels": VOXELS.reshape(1, 1, 1, 5, 3),
        "argmax": argmax.reshape(1, 1, 1, 5, 2),
    }
    operator = the_operator("roiaware_pool3d_backward")
    found = operator.addends(inputs, {"pool_method": pool_method, "pts_num": 2})
    assert found["grad_in"].tolist() == counts


def test_roiaware_without_any_point_adds_nothing():
    inputs = {"argmax": np.full((1, 1, 1, 1, 1), -1, np.int32)}
    found = the_operator("roiaware_pool3d_backward").addends(inputs, {"pool_method": 0, "pts_num": 1})
    assert found["grad_in"].tolist() == [[0]]


def boxes_at(*positions):
    """Boxes of sides 0.5 and 0.75 at angle 0 on a map of 3 x 4 pixels; those not given are far outside."""
    boxes = np.full((12, 5), -50, np.float32)
    boxes[:, 2:] = 0.5, 0.75, 0
    boxes[: len(positions), :2] = positions
    return boxes.reshape(1, 3, 4, 5)


def aligned(boxes, points):
    operator = the_operator("rotated_feature_align_backward")
    counts = operator.addends({"bboxes": boxes}, {"spatial_scale": 1.0, "points": points})["bottom_input"]
    assert counts.shape == (1, 3, 4, 1)
    return counts.max()


@pytest.mark.parametrize(
    ("positions", "most"),
    [
        ([(1.5, 1.5)], 2),
        ([(1.5, 1.5), (1.5, 2.5)], 3),
        ([(0.5, 0.5), (2.5, 2.5)], 2),
        ([(-0.5, -0.5), (-0.25, -0.75)], 3),
        ([(3, 4)], 2),
        ([(3.5, 1)], 1),
    ],
)
def test_rotated_counts_a_pixel_s_own_gradient_and_the_samples_around_it(positions, most):
    assert aligned(boxes_at(*positions), points=1) == most


def test_rotated_counts_all_five_points_of_a_box():
    assert aligned(boxes_at((1.5, 1.5)), points=5) == 6


def test_rotated_counts_a_sample_on_a_pixel_for_its_neighbours_too():
    """Rounding may move it to either side."""
    assert aligned(boxes_at((1, 1.5), (0.5, 1.5)), points=1) == 3
    assert aligned(boxes_at((1, 1.5), (2.5, 1.5)), points=1) == 3


def test_rotated_takes_boxes_that_are_no_numbers():
    assert aligned(boxes_at((np.nan, 1), (np.inf, 1)), points=1) == 2


def test_a_far_box_adds_to_no_other_pixel():
    assert aligned(boxes_at((1.5, 1.5), (1e8, 1e8)), points=1) == 2


def test_deform_counts_the_samples_of_each_region():
    rois = np.array([[0, 0, 0, 4, 6], [0, 0, 0, 9, 3], [0, 5, 5, 1, 1]], np.float32)
    scalars = {"spatial_scale": 1.0, "sampling_ratio": 0, "pooled_height": 2, "pooled_width": 2}
    counts = the_operator("deform_roi_pool_forward").addends({"rois": rois}, scalars)["output"]
    assert counts.ravel().tolist() == [2 * 3, 5 * 2, 1]


def test_only_the_operators_that_scatter_add_in_any_order():
    atomic = {name for name, operator in operators().items() if operator.atomic}
    assert atomic == {
        "deform_roi_pool_backward",
        "roiaware_pool3d_backward",
        "rotated_feature_align_backward",
    }
