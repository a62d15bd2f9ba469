"""The binding on the emulator: the same objects and calls as on a device."""

from __future__ import annotations

from typing import Iterator

import mluops
import numpy as np
import pytest
from mluops import Device, DeviceArray, Handle, Queue, operators
from mluops.errors import BadParam
from mluops.library import Library

# open-mmlab/mmcv, tests/test_ops/test_nms_rotated.py, test_nms_rotated
BOXES = np.array([[6, 3, 8, 7, 0.5], [3, 6, 9, 11, 0.6], [3, 7, 10, 12, 0.3], [1, 4, 13, 7, 0.6]], np.float32)
SCORES = np.array([0.7, 0.8, 0.5, 0.9], np.float32)


@pytest.fixture
def library() -> Iterator[Library]:
    """An emulator; at the end of the test nothing must be left on it, and nothing have been misused."""
    library = mluops.load("emulator")
    yield library
    assert library.symbols.take_violations() == []
    assert library.symbols.alive() == []


@pytest.fixture
def handle(library: Library) -> Iterator[Handle]:
    with Queue(library) as queue, Handle(library, queue) as handle:
        yield handle


def test_the_emulator_is_a_library_that_says_what_it_is(library: Library) -> None:
    assert (library.backend, library.path, library.cnrt_path) == ("emulator", "emulator", "emulator")
    assert library.version == (1, 11, 1)


def test_options_go_to_the_emulator() -> None:
    assert Device(mluops.load("emulator", device="MLU590")).isa_version == 592


def test_nms_rotated_from_numpy(handle: Handle) -> None:
    assert operators.nms_rotated(handle, BOXES, SCORES, iou_threshold=0.5).tolist() == [3, 1, 0]


def test_nms_rotated_of_nothing(handle: Handle) -> None:
    assert operators.nms_rotated(handle, BOXES[:0], SCORES[:0], iou_threshold=0.5).tolist() == []


def test_nms_rotated_of_device_arrays(handle: Handle) -> None:
    boxes = DeviceArray.from_numpy(handle.library, BOXES)
    scores = DeviceArray.from_numpy(handle.library, SCORES)
    with boxes, scores, operators.nms_rotated(handle, boxes, scores, iou_threshold=0.5) as kept:
        assert kept.numpy().tolist() == [3, 1, 0]


def test_deform_roi_pool_forward_averages_one_sample_of_each_bin(handle: Handle) -> None:
    """Samples at 0.5 and 1.5 of a map whose value is 4 y + x, which bilinear interpolation keeps."""
    output = operators.deform_roi_pool_forward(
        handle,
        np.arange(16, dtype=np.float32).reshape(1, 4, 4, 1),
        np.array([[0, 0.5, 0.5, 2.5, 2.5]], np.float32),
        pooled_height=2,
        pooled_width=2,
        spatial_scale=1.0,
        sampling_ratio=1,
        gamma=0.1,
    )
    assert output.ravel().tolist() == [2.5, 3.5, 6.5, 7.5]


def test_rotated_feature_align_backward_adds_each_gradient_at_its_cell_and_at_its_point(
    handle: Handle,
) -> None:
    """All boxes are centred on cell (0, 0)."""
    bottom_input = operators.rotated_feature_align_backward(
        handle,
        np.ones((1, 2, 2, 1), np.float32),
        np.zeros((1, 2, 2, 5), np.float32),
        spatial_scale=1.0,
        points=1,
    )
    assert bottom_input.ravel().tolist() == [5, 1, 1, 1]


def test_masked_im2col_forward_copies_patches_into_columns(handle: Handle) -> None:
    data_col = operators.masked_im2col_forward(
        handle,
        np.arange(4, dtype=np.float32).reshape(1, 1, 2, 2),
        np.array([0, 1], np.int32),
        np.array([0, 1], np.int32),
        kernel_h=2,
        kernel_w=2,
        pad_h=0,
        pad_w=0,
    )
    assert data_col.T.tolist() == [[0, 1, 2, 3], [3, 0, 0, 0]]


def test_roiaware_pool3d_backward_shares_the_gradient_among_the_points(handle: Handle) -> None:
    grad_in = operators.roiaware_pool3d_backward(
        handle,
        np.array([2, 0, 1], np.int32).reshape(1, 1, 1, 1, 3),
        np.full((1, 1, 1, 1, 2), -1, np.int32),
        np.ones((1, 1, 1, 1, 2), np.float32),
        pool_method=1,
        pts_num=3,
    )
    assert grad_in.tolist() == [[0.5, 0.5], [0.5, 0.5], [0, 0]]


def test_a_dtype_that_the_operator_does_not_take_is_refused_by_the_library(handle: Handle) -> None:
    with pytest.raises(BadParam, match="mluOpNmsRotated"):
        operators.nms_rotated(handle, BOXES.astype(np.float64), SCORES.astype(np.float64), iou_threshold=0.5)


def test_a_misspelt_option_is_answered_with_the_near_one() -> None:
    with pytest.raises(TypeError, match="the emulator has no option 'devcie': it has device"):
        mluops.load("emulator", devcie="MLU370")


def test_a_device_that_is_not_emulated_is_an_error_of_the_binding() -> None:
    with pytest.raises(mluops.Error, match="no device 'MLU999' to emulate"):
        mluops.load("emulator", device="MLU999")
