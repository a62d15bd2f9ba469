"""The effects of faults on calls with known answers."""

from __future__ import annotations

import mluops
import numpy as np
import pytest
from mluops import errors
from mluops.operators import nms_rotated, roiaware_pool3d_backward
from mluops_emulator import Kind

CORNERS = (0, 0), (0, 2), (1, 0), (1, 2)


def test_without_a_fault_the_answers_are_right(handle_with, pixels, kept, aligned):
    handle = handle_with()
    assert pixels(handle, *CORNERS).tolist() == [[1, 3, 4, 6]]
    assert kept(handle, 0.5) == [2, 1, 0]
    assert aligned(handle, 0, 0) == [12, 10]


def test_an_output_is_not_touched(handle_with, pixels):
    assert np.isnan(pixels(handle_with("any/output-untouched"), *CORNERS)).all()


def test_the_last_element_is_not_written(handle_with, pixels):
    columns = pixels(handle_with("any/last-element"), *CORNERS)
    assert columns[0, :3].tolist() == [1, 3, 4]
    assert np.isnan(columns[0, 3])


def test_the_output_is_that_of_the_call_before(handle_with, pixels):
    handle = handle_with("any/stale-output")
    first, second = pixels(handle, (0, 0), (0, 1)), pixels(handle, (1, 0), (1, 1))
    assert (first.tolist(), second.tolist()) == ([[1, 2]], [[1, 2]])


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        ("any/past-output", Kind.OUT_OF_BOUNDS),
        ("any/before-output", Kind.FOREIGN_POINTER),
        ("workspace/overrun", Kind.OUT_OF_BOUNDS),
    ],
)
def test_memory_beside_a_buffer_is_written(handle_with, pixels, fault, kind):
    handle = handle_with(fault)
    with pytest.raises(mluops.CnrtError):
        pixels(handle, *CORNERS)
    (violation,) = handle.library.symbols.take_violations()
    assert violation.kind is kind


def test_an_input_is_changed(handle_with):
    handle = handle_with("any/input-changed")
    boxes = np.ones((1, 5), np.float32)
    with mluops.DeviceArray.from_numpy(handle.library, boxes) as on_device:
        scores = mluops.DeviceArray.from_numpy(handle.library, boxes[0, :1])
        nms_rotated(handle, on_device, scores, 0.5).close()
        scores.close()
        assert (on_device.numpy() != boxes).sum() == 1


def test_the_device_reports_an_error_though_the_output_is_right(handle_with, pixels):
    with pytest.raises(mluops.CnrtError, match="cnrtErrorKernelTrap"):
        pixels(handle_with("any/device-error"), *CORNERS)


def test_no_device_memory_is_left(handle_with, pixels):
    with pytest.raises(mluops.CnrtError, match="cnrtErrorNoMem"):
        pixels(handle_with("any/out-of-memory"), *CORNERS)


def test_half_of_the_workspace_is_too_little(handle_with, pixels):
    with pytest.raises(mluops.CnrtError):
        pixels(handle_with("workspace/small"), *CORNERS)


def test_a_call_that_succeeds_answers_otherwise(handle_with):
    no_boxes = np.zeros((0, 5), np.float32)
    with pytest.raises(errors.ExecutionFailed):
        nms_rotated(handle_with("any/wrong-success"), no_boxes, no_boxes[:, 0], 0.5)


def test_a_bad_parameter_is_answered_with_another_status(handle_with, kept):
    with pytest.raises(errors.ArchMismatch):
        kept(handle_with("any/wrong-refusal"), 0.5, np.ones((3, 7), np.float32))


def test_a_missing_check_lets_a_call_pass(handle_with, kept):
    boxes = np.ones((3, 7), np.float32)
    with pytest.raises(errors.BadParam):
        kept(handle_with(), 0.5, boxes)
    assert kept(handle_with("nms_rotated/any-width"), 0.5, boxes) == [2]


@pytest.mark.parametrize(
    ("fault", "sums"),
    [("add-dropped", [[2, 10], [11, 10]]), ("add-doubled", [[13, 10], [22, 10]])],
)
def test_an_atomic_addition_is_lost_or_made_twice(handle_with, aligned, fault, sums):
    assert aligned(handle_with(f"rotated_feature_align_backward/{fault}"), 0, 0) in sums


def test_additions_to_one_place_are_lost(handle_with, aligned):
    assert sum(aligned(handle_with("rotated_feature_align_backward/not-atomic"), 0, 0)) < 12 + 10


def test_workspace_is_not_set_to_zero(handle_with, pixels):
    assert pixels(handle_with(), (5, 5)).tolist() == [[0]]
    assert np.isnan(pixels(handle_with("masked_im2col_forward/no-zeros"), (5, 5))).all()


def test_zeros_are_left_out_only_the_second_time(handle_with, pixels):
    handle = handle_with("masked_im2col_forward/zeros-once")
    assert pixels(handle, (5, 5)).tolist() == [[0]]
    assert np.isnan(pixels(handle, (5, 5))).all()


def test_padding_is_exchanged(handle_with, pixels):
    columns = pixels(handle_with("masked_im2col_forward/pads-swapped"), (1, 1), pad_h=1, pad_w=0)
    assert columns.tolist() == [[4]]


def test_the_threshold_is_that_of_the_call_before(handle_with, kept):
    handle = handle_with("nms_rotated/late-threshold")
    assert [kept(handle, threshold) for threshold in (0.4, 0.6, 0.6)] == [[2, 1], [2, 1], [2, 1, 0]]


def test_the_lowest_score_comes_first(handle_with, kept):
    assert kept(handle_with("nms_rotated/score-order"), 0.6) == [0, 1, 2]


def test_shares_are_not_divided_by_their_number(handle_with):
    handle = handle_with("roiaware_pool3d_backward/not-shared")
    voxel = np.array([2, 0, 1], np.int32).reshape(1, 1, 1, 1, 3)
    one = np.ones((1, 1, 1, 1, 1), np.float32)
    shares = roiaware_pool3d_backward(handle, voxel, one.astype(np.int32), one, pool_method=1, pts_num=3)
    assert shares.tolist() == [[1], [1], [0]]
