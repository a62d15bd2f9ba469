"""Whole operators: what reaches the library, what comes back, and that nothing is left behind.

The stand-in computes nothing: it checks layouts, sizes and shapes, and marks its outputs.
"""

from __future__ import annotations

from typing import Any, Callable

import mluops
import numpy as np
import pytest
from mluops import DeviceArray, Handle, Workspace, operators
from mluops.calls import Call
from mluops.constants import mluOpDataType_t
from mluops.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    BadParam,
    Closed,
    CnrtError,
    CnrtKernelTrap,
    NotSupported,
)
from mluops.handle import DESCRIPTORS
from mluops.library import Library

BOXES = np.zeros((5, 5), np.float32)
SCORES = np.zeros(5, np.float32)
INPUT = np.zeros((1, 4, 6, 3), np.float32)
ROIS = np.zeros((2, 5), np.float32)
BINS = {"pooled_height": 3, "pooled_width": 2, "spatial_scale": 0.5, "sampling_ratio": 2, "gamma": 0.25}


def test_nms_rotated_returns_as_many_indices_as_were_kept(handle: Handle) -> None:
    kept = operators.nms_rotated(handle, BOXES, SCORES, 0.5)
    assert isinstance(kept, np.ndarray)
    assert (kept.dtype, kept.tolist()) == (np.int32, [4, 2, 0])


@pytest.mark.parametrize("box_dim", [5, 6])
def test_nms_rotated_of_no_boxes_keeps_none(handle: Handle, box_dim: int) -> None:
    assert operators.nms_rotated(handle, np.zeros((0, box_dim), np.float32), SCORES[:0], 0.5).shape == (0,)


def test_deform_roi_pool_forward_without_an_offset(handle: Handle) -> None:
    output = operators.deform_roi_pool_forward(handle, INPUT, ROIS, **BINS)
    np.testing.assert_array_equal(output, np.full((2, 3, 2, 3), 2.75, np.float32))


def test_deform_roi_pool_forward_with_an_offset(handle: Handle) -> None:
    offset = np.zeros((2, 2, 3, 2), np.float32)
    output = operators.deform_roi_pool_forward(handle, INPUT, ROIS, offset, **BINS)
    np.testing.assert_array_equal(output, np.full((2, 3, 2, 3), 102.75, np.float32))


@pytest.mark.parametrize("dtype", ["float16", "float32"])
def test_outputs_have_the_dtype_of_the_input(handle: Handle, dtype: str) -> None:
    output = operators.deform_roi_pool_forward(handle, INPUT.astype(dtype), ROIS.astype(dtype), **BINS)
    assert output.dtype == dtype


def test_rotated_feature_align_backward(handle: Handle) -> None:
    bboxes = np.zeros((1, 4, 6, 5), np.float32)
    bottom_input = operators.rotated_feature_align_backward(
        handle, INPUT, bboxes, spatial_scale=0.5, points=5
    )
    np.testing.assert_array_equal(bottom_input, np.full(INPUT.shape, 5.5, np.float32))


@pytest.mark.parametrize("mask_cnt", [0, 7])
def test_masked_im2col_forward(handle: Handle, mask_cnt: int) -> None:
    feature, index = np.zeros((1, 2, 4, 6), np.float32), np.zeros(mask_cnt, np.int32)
    data_col = operators.masked_im2col_forward(
        handle, feature, index, index, kernel_h=4, kernel_w=3, pad_h=2, pad_w=1
    )
    np.testing.assert_array_equal(data_col, np.full((24, mask_cnt), 4321, np.float32))


@pytest.mark.parametrize(("release", "mark"), [("1.11.1", 20), ("0.11.0", 10)], ids=["new name", "old name"])
def test_roiaware_pool3d_backward_by_the_name_that_the_library_has(
    load_standin: Callable[..., Any], release: str, mark: int
) -> None:
    voxels = (2, 3, 4, 5)
    with Handle(load_standin(release).library) as handle:
        grad_in = operators.roiaware_pool3d_backward(
            handle,
            np.zeros((*voxels, 6), np.int32),
            np.zeros((*voxels, 7), np.int32),
            np.zeros((*voxels, 7), np.float32),
            pool_method=1,
            pts_num=11,
        )
    np.testing.assert_array_equal(grad_in, np.full((11, 7), mark + 1, np.float32))


def test_results_stay_on_the_device_if_operands_were_there(handle: Handle) -> None:
    with DeviceArray.from_numpy(handle.library, BOXES) as boxes, DeviceArray.from_numpy(
        handle.library, SCORES
    ) as scores, operators.nms_rotated(handle, boxes, scores, 0.5) as kept:
        assert isinstance(kept, DeviceArray)
        assert kept.numpy().tolist() == [4, 2, 0]


def test_operands_on_both_sides_may_be_mixed(handle: Handle) -> None:
    with DeviceArray.from_numpy(handle.library, BOXES) as boxes, operators.nms_rotated(
        handle, boxes, SCORES, 0.5
    ) as kept:
        assert kept.shape == (3,)


def test_a_call_leaves_nothing_but_descriptors_for_the_next_one(standin: Any, library: Library) -> None:
    before = standin.live
    with Handle(library) as handle:
        for _ in range(3):
            operators.nms_rotated(handle, BOXES, SCORES, 0.5)
        assert standin.live == before + 1 + 3  # the handle; boxes, scores and output
    assert standin.live == before


def test_a_handle_keeps_descriptors_of_so_many_shapes_alone(standin: Any, handle: Handle) -> None:
    before = standin.live
    for number in range(DESCRIPTORS + 10):
        assert handle.described((number,), mluOpDataType_t.MLUOP_DTYPE_FLOAT, "ARRAY") is handle.described(
            (number,), mluOpDataType_t.MLUOP_DTYPE_FLOAT, "ARRAY"
        )
    assert standin.live == before + 10


def test_a_call_on_device_arrays_leaves_only_its_result(standin: Any, handle: Handle) -> None:
    with DeviceArray.from_numpy(standin.library, BOXES) as boxes, DeviceArray.from_numpy(
        standin.library, SCORES
    ) as scores:
        operators.nms_rotated(handle, boxes, scores, 0.5).close()
        before = standin.live
        operators.nms_rotated(handle, boxes, scores, 0.5).close()
        assert standin.live == before


def test_a_refusal_is_raised_and_leaves_nothing(standin: Any, library: Library) -> None:
    before = standin.live
    with Handle(library) as handle, pytest.raises(
        BadParam, match="mluOpNmsRotated returned MLUOP_STATUS_BAD_PARAM"
    ):
        operators.nms_rotated(handle, BOXES.astype(np.float64), SCORES, 0.5)
    assert standin.live == before


def test_a_refusal_by_any_status_has_its_class(standin: Any, handle: Handle) -> None:
    standin.mluops.standin_answer(7)
    with pytest.raises(NotSupported):
        operators.nms_rotated(handle, BOXES, SCORES, 0.5)


def test_a_kernel_that_fails_is_noticed_before_its_output_is_read(standin: Any, library: Library) -> None:
    standin.cnrt.standin_sync_answer(100132)
    before = standin.live
    with Handle(library) as handle, pytest.raises(CnrtKernelTrap, match="cnrtQueueSync"):
        operators.nms_rotated(handle, BOXES, SCORES, 0.5)
    assert standin.live == before


def test_a_release_that_fails_is_raised_and_keeps_no_other_from_its_release() -> None:
    library = mluops.load("emulator")
    with Handle(library) as handle:
        before = library.symbols.newest
        call = Call(handle, "mluOpNmsRotated")
        call.give(boxes=BOXES, scores=SCORES, iou_threshold=0.5)
        call.output("output", (5,), np.int32)
        call.output("result_num", (1,), np.int32)
        wait = library.synchronize
        library.synchronize = lambda queue: (wait(queue), library.cnrtFree.checked(call._temporary[0].raw))
        with pytest.raises(CnrtError, match="cnrtFree"):
            call.run()
        assert [resource for resource in library.symbols.alive(before) if "buffer" in resource.text] == []


def test_an_output_that_shares_memory_with_an_input_is_refused(standin: Any, handle: Handle) -> None:
    with DeviceArray.empty(standin.library, (5, 5), "float32") as boxes:
        scores, out = boxes.reshape(25)[:5], DeviceArray.borrow(standin.library, (5,), "int32", boxes.pointer)
        with pytest.raises(ArgumentValueError, match="out shares memory with boxes"):
            operators.nms_rotated(handle, boxes, scores, 0.5, out=out)


def test_a_workspace_that_is_closed_is_refused_by_name(standin: Any, handle: Handle) -> None:
    workspace = Workspace(standin.library, 64)
    workspace.close()
    with pytest.raises(Closed, match="workspace is closed"):
        operators.nms_rotated(handle, BOXES, SCORES, 0.5, workspace=workspace)
    array = DeviceArray.empty(standin.library, (64,), "uint8")
    array.close()
    with pytest.raises(Closed, match="workspace is a closed DeviceArray"):
        operators.nms_rotated(handle, BOXES, SCORES, 0.5, workspace=array)


def test_a_negative_size_is_refused_before_the_output_is_allocated(handle: Handle) -> None:
    feature, index = np.zeros((1, 2, 4, 6), np.float32), np.zeros(3, np.int32)
    with pytest.raises(ValueError, match=r"the shape \[-6, 3\]"):
        operators.masked_im2col_forward(
            handle, feature, index, index, kernel_h=-1, kernel_w=3, pad_h=0, pad_w=0
        )


def test_a_library_in_place_of_the_handle_is_refused_by_name(handle: Handle) -> None:
    with pytest.raises(ArgumentTypeError, match="handle must be a Handle, not a Library"):
        operators.nms_rotated(handle.library, BOXES, SCORES, 0.5)  # type: ignore[arg-type]


def test_lists_are_taken_as_numpy_takes_them(handle: Handle) -> None:
    assert operators.nms_rotated(handle, BOXES.tolist(), SCORES.tolist(), 0.5).tolist() == [4, 2, 0]


@pytest.mark.parametrize("scores", ["high", object(), [[0.5], [0.5, 1]], [None], {"a": 1}])
def test_an_operand_that_is_no_array_is_refused_by_name(handle: Handle, scores: Any) -> None:
    with pytest.raises(ArgumentTypeError, match="scores"):
        operators.nms_rotated(handle, BOXES, scores, 0.5)


def test_an_operand_of_another_rank_is_named(handle: Handle) -> None:
    with pytest.raises(
        ValueError, match=r"boxes must have the dimensions \[N box_dim\], not the shape \[5\]"
    ):
        operators.nms_rotated(handle, SCORES, SCORES, 0.5)
