"""Definitions hand their tensors and scalars to the reference as it means them: known answers come out."""

from __future__ import annotations

import numpy as np
import pytest
from mluops_conformance.operators import the_operator


def expect(operator, inputs, **scalars):
    return the_operator(operator).reference(inputs, scalars)


@pytest.mark.parametrize(
    ("offset", "expected"),
    [([[[[0.5, 0]], [[0, 0.5]]]], [6.5, 10.5]), (None, [5.5, 6.5])],
    ids=["with-offset", "without"],
)
def test_offsets_move_bins_along_x_and_y(offset, expected):
    """mlu-ops gtest reference and open-mmlab/mmcv deform_roi_pool_cuda_kernel.cuh"""
    inputs = {
        "input": np.arange(1, 13, dtype=np.float32).reshape(1, 3, 4, 1),
        "rois": np.array([[0, 0.5, 0.5, 2.5, 2.5]], np.float32),
    }
    if offset is not None:
        inputs["offset"] = np.array(offset, np.float32)
    found = expect(
        "deform_roi_pool_forward",
        inputs,
        pooled_height=1,
        pooled_width=2,
        spatial_scale=1.0,
        sampling_ratio=1,
        gamma=1.0,
    )
    assert found.outputs["output"].ravel().tolist() == expected


def test_a_gradient_goes_to_its_pixel_and_to_its_box_centre():
    top_output = np.zeros((1, 2, 3, 1), np.float32)
    top_output[0, 0, 1] = 8
    boxes = np.zeros((1, 2, 3, 5), np.float32)
    boxes[..., :2] = [2, 0.5]  # y = 1 and x = 0.25 on the map
    inputs = {"top_output": top_output, "bboxes": boxes}
    found = expect("rotated_feature_align_backward", inputs, spatial_scale=0.5, points=1)
    assert found.outputs["bottom_input"][0, :, :, 0].tolist() == [[0, 8, 0], [6, 2, 0]]


def test_columns_hold_windows_with_zeros_outside():
    """Cambricon/mlu-ops masked_im2col kernels"""
    inputs = {
        "feature": np.arange(1, 10, dtype=np.float32).reshape(1, 1, 3, 3),
        "mask_h_idx": np.array([2, 0, 1], np.int32),
        "mask_w_idx": np.array([2, 0, 1], np.int32),
    }
    found = expect("masked_im2col_forward", inputs, kernel_h=3, kernel_w=3, pad_h=1, pad_w=1)
    assert found.outputs["data_col"].T.tolist() == [
        [5, 6, 0, 8, 9, 0, 0, 0, 0],
        [0, 0, 0, 0, 1, 2, 0, 4, 5],
        [1, 2, 3, 4, 5, 6, 7, 8, 9],
    ]


def test_max_gradients_go_to_the_point_of_the_maximum():
    """open-mmlab/mmcv issue 2046"""
    inputs = {
        "pts_idx_of_voxels": np.zeros((1, 1, 1, 2, 4), np.int32),
        "argmax": np.array([[0, 2], [-1, 2]], np.int32).reshape(1, 1, 1, 2, 2),
        "grad_out": np.array([[1, 2], [4, 8]], np.float32).reshape(1, 1, 1, 2, 2),
    }
    found = expect("roiaware_pool3d_backward", inputs, pool_method=0, pts_num=3)
    assert found.outputs["grad_in"].tolist() == [[1, 0], [0, 0], [0, 10]]


def test_a_removed_box_removes_no_other():
    """mlu-ops gtest reference of nms_rotated"""
    inputs = {
        "boxes": np.array([[0, 0, 10, 10, 0], [4, 0, 10, 10, 0], [8, 0, 10, 10, 0]], np.float32),
        "scores": np.array([0.9, 0.8, 0.7], np.float32),
    }
    found = expect("nms_rotated", inputs, iou_threshold=0.3)
    assert found.outputs["output"].tolist() == [0, 2, 0]
    assert found.outputs["result_num"].tolist() == [2]
    assert found.valid == {"output": 2}


def test_the_margin_is_how_near_an_iou_came_to_the_threshold():
    inputs = {
        "boxes": np.array([[0, 0, 10, 10, 0], [4, 0, 10, 10, 0]], np.float32),  # IoU 3 / 7
        "scores": np.array([0.9, 0.8], np.float32),
    }
    found = expect("nms_rotated", inputs, iou_threshold=0.3)
    assert found.notes["margin"] == pytest.approx(3 / 7 - 0.3, abs=1e-6)
