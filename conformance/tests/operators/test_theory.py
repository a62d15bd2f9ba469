"""The theoretical number of operations of a call: counts by hand."""

from __future__ import annotations

import numpy as np
import pytest
from mluops_conformance.operators import the_operator


def operations(name, inputs, scalars, outputs=None):
    return the_operator(name).theory.operations(inputs, scalars, outputs or {})


def test_nms_rotated_takes_60000_for_each_box_that_stays():
    assert operations("nms_rotated", {}, {}, {"result_num": np.array([3], np.int32)}) == 180_000


@pytest.mark.parametrize(("pool_method", "expected"), [(0, 2 * 8 * 3), (1, 2 * 8 * 10 * 3 * 2)])
def test_roiaware_pool3d_backward_takes_those_of_its_pool_method(pool_method, expected):
    inputs = {"grad_out": np.zeros((2, 2, 2, 2, 3), np.float32)}
    scalars = {"pool_method": pool_method, "max_pts_each_voxel": 10}
    assert operations("roiaware_pool3d_backward", inputs, scalars) == expected


@pytest.mark.parametrize(
    ("centre", "points", "expected"),
    [(0, 1, 8), (0, 5, 40), (9, 1, 4), (9, 5, 20), (-1, 1, 8), (1, 1, 8), (-1.5, 1, 4), (1.5, 1, 4)],
)
def test_rotated_feature_align_backward_takes_more_for_points_on_the_map(centre, points, expected):
    inputs = {
        "top_output": np.zeros((1, 1, 1, 7), np.float32),
        "bboxes": np.array([[[[centre, 0, 0, 0, 0]]]], np.float32),
    }
    scalars = {"spatial_scale": 1.0, "points": points}
    assert operations("rotated_feature_align_backward", inputs, scalars) == 7 * expected


@pytest.mark.parametrize(
    ("roi", "sampling_ratio", "samples"),
    [
        ([0, 0, 0, 4, 2], 0, 1 * 4),  # bins are 1 high and 4 wide
        ([0, 0, 0, 3.5, 2.5], 0, 2 * 4),
        ([0, 0, 0, 4, 2], 3, 9),
        ([0, 4, 2, 0, 0], 0, 0),
        ([0, 0, 0, np.nan, 2], 0, 0),
    ],
)
def test_deform_roi_pool_forward_takes_8_a_sample_and_1_a_bin(roi, sampling_ratio, samples):
    scalars = {
        "pooled_height": 2,
        "pooled_width": 1,
        "channels": 5,
        "spatial_scale": 1.0,
        "sampling_ratio": sampling_ratio,
    }
    inputs = {"rois": np.array([roi], np.float32)}
    assert operations("deform_roi_pool_forward", inputs, scalars) == 5 * 2 * (8 * samples + 1)


def test_masked_im2col_forward_only_moves_data():
    assert the_operator("masked_im2col_forward").theory is None
