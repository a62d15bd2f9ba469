"""The status of each refused call, and the fault that decides when a call has two."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from mluops_emulator.device import MODELS

DATA = Path(__file__).parent / "data"
API_STATUS = [
    case
    for name in ("api_status", "api_status_siblings")
    for case in json.loads((DATA / f"{name}.json").read_text())
]

MAX_POINTS = 98240

DEFORM = "mluOpDeformRoiPoolForward"
ROTATED = "mluOpRotatedFeatureAlignBackward"
IM2COL = "mluOpMaskedIm2colForward"
IM2COL_WORKSPACE = "mluOpGetMaskedIm2colForwardWorkspaceSize"
ROIAWARE = "mluOpRoiAwarePool3dBackward"
NMS = "mluOpNmsRotated"
NMS_WORKSPACE = "mluOpGetNmsRotatedWorkspaceSize"


def array(dtype, *dims):
    return ["ARRAY", dtype, list(dims)]


def roiaware(boxes_num=2, out_x=3, out_y=4, out_z=5, channels=6, max_pts_each_voxel=7, pts_num=8):
    voxels = (boxes_num, out_x, out_y, out_z)
    scalars = dict(zip(("boxes_num", "out_x", "out_y", "out_z"), voxels))
    scalars.update(pool_method=0, channels=channels, max_pts_each_voxel=max_pts_each_voxel)
    tensors = {
        "pts_idx_of_voxels": array("INT32", *voxels, max_pts_each_voxel),
        "argmax": array("INT32", *voxels, channels),
        "grad_out": array("FLOAT", *voxels, channels),
        "grad_in": array("FLOAT", pts_num, channels),
    }
    return tensors, scalars


def im2col(channels=36, height=37, width=3, masks=88, kernel_h=2, kernel_w=2):
    tensors = {
        "feature": ["NCHW", "FLOAT", [1, channels, height, width]],
        "mask_h_idx": array("INT32", masks),
        "mask_w_idx": array("INT32", masks),
        "data_col": array("FLOAT", channels * kernel_h * kernel_w, masks),
    }
    return tensors, {"kernel_h": kernel_h, "kernel_w": kernel_w, "pad_h": 1, "pad_w": 1}


def nms(boxes=2, box_dim=5):
    tensors = {
        "boxes": array("FLOAT", boxes, box_dim),
        "scores": array("FLOAT", boxes),
        "output": array("INT32", boxes),
    }
    return tensors, {"iou_threshold": 0.5}


def rotated(batches=2, height=3, width=4, channels=6, points=5, spatial_scale=0.5):
    tensors = {
        "top_output": ["NHWC", "FLOAT", [batches, height, width, channels]],
        "bboxes": array("FLOAT", batches, height, width, 5),
        "bottom_input": ["NHWC", "FLOAT", [batches, height, width, channels]],
    }
    return tensors, {"points": points, "spatial_scale": spatial_scale}


def deform(batches=1, height=5, width=6, channels=4, rois=3, pooled_height=2, pooled_width=7):
    tensors = {
        "input": ["NHWC", "FLOAT", [batches, height, width, channels]],
        "rois": array("FLOAT", rois, 5),
        "offset": array("FLOAT", rois, 2, pooled_height, pooled_width),
        "output": ["NHWC", "FLOAT", [rois, pooled_height, pooled_width, channels]],
    }
    scalars = {"spatial_scale": 1.0, "sampling_ratio": 1, "gamma": 1.0}
    return tensors, {**scalars, "pooled_height": pooled_height, "pooled_width": pooled_width}


CALLS = {
    DEFORM: deform,
    ROTATED: rotated,
    IM2COL: im2col,
    IM2COL_WORKSPACE: im2col,
    ROIAWARE: roiaware,
    NMS: nms,
    NMS_WORKSPACE: nms,
}

OPERATORS = (DEFORM, ROTATED, IM2COL, ROIAWARE, NMS)

POINTERS = {
    DEFORM: ("input", "rois", "output"),
    ROTATED: ("top_output", "bboxes", "bottom_input"),
    IM2COL: ("feature", "mask_h_idx", "mask_w_idx", "data_col", "workspace"),
    IM2COL_WORKSPACE: ("workspace_size",),
    ROIAWARE: ("pts_idx_of_voxels", "argmax", "grad_out", "grad_in"),
    NMS: ("boxes", "scores", "workspace", "output", "result_num"),
    NMS_WORKSPACE: ("workspace_size",),
}

DESCRIPTORS = {
    **{name: tuple(f"{tensor}_desc" for tensor in CALLS[name]()[0]) for name in CALLS},
    DEFORM: ("input_desc", "rois_desc", "output_desc"),
    NMS_WORKSPACE: ("boxes_desc",),
}


def pairs(table):
    return [(function, name) for function, names in table.items() for name in names]


def transposed(tensors, name):
    """Give a tensor the strides of its transposition; its two last dimensions must not be 1."""
    layout, dtype, dims = tensors[name]
    strides = [1]
    for size in dims[:0:-1]:
        strides.insert(0, strides[0] * size)
    strides[-2:] = strides[:-3:-1] if len(strides) > 1 else [2]
    return {**tensors, name: [layout, dtype, dims, strides]}


@pytest.mark.parametrize("function", sorted({case["function"] for case in API_STATUS}))
def test_calls_of_the_vendors_api_test_get_the_status_it_expects(caller, function):
    cases = [case for case in API_STATUS if case["function"] == function]
    found = []
    for case in cases:
        scalars = {"pad_h": 1, "pad_w": 1, "iou_threshold": 0.5, **case["scalars"]}
        status = caller.status(function, case["tensors"], scalars, null=case.get("null", ()))
        found.append((case["name"], status))
    assert found == [(case["name"], case["status"]) for case in cases]


REFUSED_FOR_NULL = {case["function"]: case for case in API_STATUS if "null" in case}


@pytest.mark.parametrize("case", REFUSED_FOR_NULL.values(), ids=REFUSED_FOR_NULL)
def test_calls_that_are_refused_for_a_null_alone_are_accepted_without_it(caller, case):
    assert caller.status(case["function"], case["tensors"], case["scalars"]) == "SUCCESS"


@pytest.mark.parametrize("function", CALLS)
def test_a_valid_call_is_accepted(caller, function):
    assert caller.status(function, *CALLS[function]()) == "SUCCESS"


@pytest.mark.parametrize("function", CALLS)
def test_a_null_handle_is_a_bad_parameter(caller, function):
    assert caller.status(function, *CALLS[function](), null=["handle"]) == "BAD_PARAM"


@pytest.mark.parametrize(("function", "descriptor"), pairs(DESCRIPTORS))
def test_a_null_descriptor_is_a_bad_parameter(caller, function, descriptor):
    assert caller.status(function, *CALLS[function](), null=[descriptor]) == "BAD_PARAM"


@pytest.mark.parametrize(("function", "pointer"), pairs(POINTERS))
def test_a_null_pointer_is_a_bad_parameter(caller, function, pointer):
    assert caller.status(function, *CALLS[function](), null=[pointer]) == "BAD_PARAM"


FREE_DIMENSIONS = {
    *((DEFORM, "input", axis) for axis in (0, 1, 2)),
    *((IM2COL, "feature", axis) for axis in (2, 3)),
    (ROIAWARE, "grad_in", 0),
}
DIMENSIONS = [
    (function, tensor, axis)
    for function in OPERATORS
    for tensor, (_, _, dims) in CALLS[function]()[0].items()
    for axis in range(len(dims))
]


@pytest.mark.parametrize(("function", "tensor", "axis"), DIMENSIONS)
def test_each_dimension_must_agree_with_the_others_if_it_is_not_free(caller, function, tensor, axis):
    tensors, scalars = CALLS[function]()
    tensors[tensor][2][axis] += 2
    status = "SUCCESS" if (function, tensor, axis) in FREE_DIMENSIONS else "BAD_PARAM"
    assert caller.status(function, tensors, scalars) == status


TENSORS = [(function, tensor) for function in OPERATORS for tensor in CALLS[function]()[0]]


@pytest.mark.parametrize(("function", "tensor"), TENSORS)
def test_every_tensor_has_one_dtype_given_the_others(caller, function, tensor):
    tensors, scalars = CALLS[function]()
    its_own = tensors[tensor][1]
    found = {}
    for dtype in ("INVALID", "HALF", "FLOAT", "DOUBLE", "INT32", "INT64", "BFLOAT16"):
        tensors[tensor][1] = dtype
        found[dtype] = caller.status(function, tensors, scalars)
    assert found == {**dict.fromkeys(found, "BAD_PARAM"), its_own: "SUCCESS"}


@pytest.mark.parametrize("function", [DEFORM, ROTATED, IM2COL, ROIAWARE])
def test_half_is_accepted_where_all_floating_tensors_have_it(caller, function):
    tensors, scalars = CALLS[function]()
    for spec in tensors.values():
        spec[1] = spec[1].replace("FLOAT", "HALF")
    assert caller.status(function, tensors, scalars) == "SUCCESS"


@pytest.mark.parametrize(
    ("function", "tensor"), [pair for pair in TENSORS if pair not in ((DEFORM, "input"), (DEFORM, "output"))]
)
def test_one_dimension_more_is_a_bad_parameter(caller, function, tensor):
    tensors, scalars = CALLS[function]()
    tensors[tensor][2].append(1)
    assert caller.status(function, tensors, scalars) == "BAD_PARAM"


def test_roiaware_needs_an_mlu370_or_newer(monkeypatch, make_caller):
    monkeypatch.setitem(MODELS, "MLU290", replace(MODELS["MLU370"], name="MLU290", isa=290))
    assert make_caller(device="MLU290").status(ROIAWARE, *roiaware()) == "ARCH_MISMATCH"


@pytest.mark.parametrize("null", [["offset"], ["offset_desc"]])
def test_offset_without_its_descriptor_or_the_reverse_is_a_bad_parameter(caller, null):
    assert caller.status(DEFORM, *deform(), null=null) == "BAD_PARAM"


def test_neither_offset_nor_its_descriptor_is_accepted(caller):
    assert caller.status(DEFORM, *deform(), null=["offset", "offset_desc"]) == "SUCCESS"


@pytest.mark.parametrize(("function", "tensor"), TENSORS)
def test_strides_that_are_not_contiguous_are_not_supported(caller, function, tensor):
    tensors, scalars = CALLS[function]()
    assert caller.status(function, transposed(tensors, tensor), scalars) == "NOT_SUPPORTED"


def test_a_dimension_of_size_one_may_have_any_stride(caller):
    tensors, scalars = nms(boxes=1)
    tensors["boxes"] = ["ARRAY", "FLOAT", [1, 5], [1000, 1]]
    assert caller.status(NMS, tensors, scalars) == "SUCCESS"


def test_strides_of_a_tensor_without_elements_do_not_matter(caller):
    tensors, scalars = nms(boxes=0)
    tensors["boxes"] = ["ARRAY", "FLOAT", [0, 5], [77, 99]]
    assert caller.status(NMS, tensors, scalars) == "SUCCESS"


LARGE = [
    (DEFORM, deform(height=1 << 20, width=1 << 9, channels=4), "input"),
    (DEFORM, deform(rois=1 << 20, pooled_height=16, pooled_width=32), "output"),
    (ROTATED, rotated(height=1 << 10, width=1 << 10, channels=1 << 10), "top_output"),
    (IM2COL, im2col(height=1 << 13, width=1 << 13), "feature"),
    (IM2COL, im2col(masks=1 << 24), "data_col"),
    (IM2COL_WORKSPACE, im2col(masks=1 << 24), "data_col"),
    (
        ROIAWARE,
        roiaware(out_x=1 << 10, out_y=1 << 10, out_z=1 << 10, channels=1, max_pts_each_voxel=1),
        "argmax",
    ),
    (ROIAWARE, roiaware(channels=1 << 15, pts_num=1 << 16), "grad_in"),
    (NMS, nms(boxes=429496730), "boxes"),
]


@pytest.mark.parametrize(("function", "call", "tensor"), LARGE, ids=lambda value: str(value)[:40])
def test_two_to_the_31_elements_are_not_supported_whatever_the_pointers(caller, function, call, tensor):
    tensors, scalars = call
    assert caller.status(function, tensors, scalars, null=[tensor]) == "NOT_SUPPORTED"


BARELY_SMALL = [
    (ROTATED, rotated(batches=1, height=1, width=1, channels=(1 << 31) - 1), "top_output"),
    (IM2COL, im2col(channels=1, height=1, width=(1 << 31) - 1, masks=1), "feature"),
    (DEFORM, deform(height=1, width=(1 << 31) - 1, channels=1), "input"),
    (NMS, nms(boxes=429496729), "boxes"),
]


@pytest.mark.parametrize(("function", "call", "pointer"), BARELY_SMALL, ids=lambda value: str(value)[:40])
def test_just_below_two_to_the_31_elements_the_pointer_decides(caller, capfd, function, call, pointer):
    tensors, scalars = call
    assert caller.status(function, tensors, scalars, null=[pointer]) == "BAD_PARAM"
    assert f"{pointer} must not be NULL" in capfd.readouterr().err


def changed(call, changes):
    tensors, scalars = call
    moved = {name: change(tensors[name]) for name, change in changes.items() if name in tensors}
    return {**tensors, **moved}, {**scalars, **{k: v for k, v in changes.items() if k not in tensors}}


def strided(function, tensor, **changes):
    """Change a call, and make one of its tensors not contiguous."""
    tensors, scalars = changed(CALLS[function](), changes)
    return transposed(tensors, tensor), scalars


def of_dtype(dtype):
    return lambda spec: [spec[0], dtype, spec[2]]


def of_layout(layout):
    return lambda spec: [layout, *spec[1:]]


def of_size(axis, size):
    return lambda spec: [*spec[:2], [*spec[2][:axis], size, *spec[2][axis + 1 :]]]


def of_rank(rank):
    return lambda spec: [*spec[:2], [*spec[2], 1][:rank]]


STRIDES_SECOND = [
    (DEFORM, "rois", {"input": of_layout("NCHW")}),
    (DEFORM, "rois", {"output": of_layout("NCHW")}),
    (NMS, "boxes", {"boxes": of_dtype("HALF")}),
    (NMS, "boxes", {"scores": of_dtype("HALF")}),
    (NMS, "boxes", {"output": of_dtype("FLOAT")}),
    (NMS, "boxes", {"scores": of_rank(2)}),
    (NMS, "boxes", {"output": of_rank(2)}),
    (ROTATED, "top_output", {"bboxes": of_rank(5)}),
    (ROTATED, "top_output", {"bboxes": of_dtype("HALF")}),
    (ROTATED, "bboxes", {"bottom_input": of_layout("NCHW")}),
    (IM2COL, "mask_h_idx", {"feature": of_layout("NHWC")}),
    (IM2COL, "feature", {"mask_h_idx": of_dtype("FLOAT")}),
    (IM2COL, "feature", {"mask_h_idx": of_size(0, 89)}),
    (IM2COL, "feature", {"data_col": of_size(0, 145)}),
    (IM2COL, "feature", {"kernel_h": -2, "kernel_w": -2}),
    (ROIAWARE, "argmax", {"pts_idx_of_voxels": of_size(4, 6)}),
    (ROIAWARE, "argmax", {"grad_in": of_size(1, 5)}),
    (ROIAWARE, "argmax", {"grad_out": of_dtype("INT32")}),
    (ROIAWARE, "argmax", {"pool_method": 2}),
    (ROIAWARE, "argmax", {"grad_in": of_size(0, 0)}),
]

STRIDES_FIRST = [
    (DEFORM, "input", {"input": of_dtype("INT32")}),
    (DEFORM, "input", {"rois": of_rank(3)}),
    (DEFORM, "input", {"pooled_height": 0}),
    (DEFORM, "offset", {"output": of_size(1, 3)}),
    (DEFORM, "input", {"rois": of_size(0, 0)}),
    (NMS, "boxes", {"scores": of_size(0, 3)}),
    (NMS, "boxes", {"output": of_size(0, 3)}),
    (NMS, "boxes", {"boxes": of_size(1, 7)}),
    (ROTATED, "top_output", {"bottom_input": of_size(1, 4)}),
    (ROTATED, "top_output", {"bboxes": of_size(2, 5)}),
    (ROTATED, "top_output", {"bboxes": of_size(3, 6)}),
    (ROTATED, "top_output", {"points": 3}),
    (ROTATED, "top_output", {"spatial_scale": 0.0}),
    (IM2COL, "mask_h_idx", {"feature": of_size(2, 0)}),
]

SIZES_SECOND = [
    (DEFORM, deform(height=1 << 20, width=1 << 9), {"rois": of_size(1, 6)}),
    (DEFORM, deform(height=1 << 20, width=1 << 9), {"output": of_size(3, 5)}),
    (NMS, nms(boxes=429496730), {"output": of_size(0, 8)}),
    (ROTATED, rotated(height=1 << 10, width=1 << 10, channels=1 << 10), {"bboxes": of_size(3, 6)}),
    (ROTATED, rotated(height=1 << 10, width=1 << 10, channels=1 << 10), {"points": 3}),
    (IM2COL, im2col(height=1 << 13, width=1 << 13), {"mask_w_idx": of_size(0, 89)}),
    (ROIAWARE, roiaware(boxes_num=65536), {"pool_method": 2}),
    (ROIAWARE, roiaware(boxes_num=65536, out_x=0), {}),
    (ROIAWARE, roiaware(channels=65536, pts_num=0), {}),
    (ROIAWARE, roiaware(max_pts_each_voxel=MAX_POINTS + 1, out_x=0), {}),
]

SIZES_FIRST = [
    (DEFORM, deform(height=1 << 20, width=1 << 9, rois=0), {}),
    (DEFORM, deform(rois=1 << 20, pooled_height=32, pooled_width=32, channels=1), {"output": of_size(0, 9)}),
    (IM2COL, im2col(channels=1 << 16, height=0, width=1, masks=1 << 15), {}),
]


def named(value):
    return value if isinstance(value, str) else ""


class TestOfTwoFaultsTheFirstCheckedDecides:
    """The order of v1.11.1, where it can be told from the status; no document promises it."""

    @pytest.mark.parametrize(("function", "tensor", "changes"), STRIDES_SECOND, ids=named)
    def test_what_is_checked_before_strides(self, caller, function, tensor, changes):
        assert caller.status(function, *strided(function, tensor, **changes)) == "BAD_PARAM"

    @pytest.mark.parametrize(("function", "tensor", "changes"), STRIDES_FIRST, ids=named)
    def test_what_is_checked_after_strides(self, caller, function, tensor, changes):
        assert caller.status(function, *strided(function, tensor, **changes)) == "NOT_SUPPORTED"

    @pytest.mark.parametrize(("function", "call", "changes"), SIZES_SECOND, ids=named)
    def test_what_is_checked_before_sizes(self, caller, function, call, changes):
        assert caller.status(function, *changed(call, changes)) == "BAD_PARAM"

    @pytest.mark.parametrize(("function", "call", "changes"), SIZES_FIRST, ids=named)
    def test_what_is_checked_after_sizes(self, caller, function, call, changes):
        assert caller.status(function, *changed(call, changes)) == "NOT_SUPPORTED"

    def test_null_descriptor_before_strides(self, caller):
        tensors, scalars = rotated()
        tensors = transposed(tensors, "top_output")
        assert caller.status(ROTATED, tensors, scalars, null=["bboxes_desc"]) == "BAD_PARAM"

    def test_zero_elements_before_null_pointers(self, caller):
        assert caller.status(NMS, *nms(boxes=0), null=POINTERS[NMS]) == "SUCCESS"

    @pytest.mark.parametrize(
        "changes", [{"boxes": of_dtype("HALF")}, {"scores": of_size(0, 7)}], ids=["dtype", "length"]
    )
    def test_nms_dtypes_and_shapes_before_zero_elements(self, caller, changes):
        assert caller.status(NMS, *changed(nms(boxes=0), changes)) == "BAD_PARAM"

    def test_im2col_dtypes_before_zero_elements(self, caller):
        changes = {"mask_w_idx": of_dtype("FLOAT")}
        assert caller.status(IM2COL, *changed(im2col(masks=0), changes)) == "BAD_PARAM"

    def test_deform_dtypes_before_zero_elements(self, caller):
        assert caller.status(DEFORM, *changed(deform(height=0), {"rois": of_dtype("HALF")})) == "BAD_PARAM"

    def test_deform_offset_without_its_descriptor_before_zero_elements(self, caller):
        assert caller.status(DEFORM, *deform(height=0), null=["offset_desc"]) == "BAD_PARAM"

    def test_roiaware_pointers_before_the_architecture(self, monkeypatch, make_caller):
        monkeypatch.setitem(MODELS, "MLU290", replace(MODELS["MLU370"], name="MLU290", isa=290))
        caller = make_caller(device="MLU290")
        assert caller.status(ROIAWARE, *roiaware(), null=["argmax"]) == "BAD_PARAM"


ZERO = [
    (DEFORM, deform(height=0), "SUCCESS"),
    (DEFORM, deform(width=0), "SUCCESS"),
    (DEFORM, deform(batches=0), "BAD_PARAM"),
    (DEFORM, deform(rois=0), "BAD_PARAM"),
    (DEFORM, deform(channels=0), "BAD_PARAM"),
    (ROTATED, rotated(batches=0), "BAD_PARAM"),
    (ROTATED, rotated(height=0), "BAD_PARAM"),
    (ROTATED, rotated(width=0), "BAD_PARAM"),
    (ROTATED, rotated(channels=0), "BAD_PARAM"),
    (IM2COL, im2col(masks=0), "SUCCESS"),
    (IM2COL, im2col(channels=0), "BAD_PARAM"),
    (IM2COL, im2col(height=0), "BAD_PARAM"),
    (IM2COL, im2col(width=0), "BAD_PARAM"),
    (NMS, nms(boxes=0), "SUCCESS"),
    *(
        (ROIAWARE, roiaware(**{size: 0}), "BAD_PARAM")
        for size in ("boxes_num", "out_x", "out_y", "out_z", "channels", "max_pts_each_voxel", "pts_num")
    ),
]


@pytest.mark.parametrize(("function", "call", "status"), ZERO, ids=lambda value: str(value)[:40])
def test_zero_elements_succeed_or_are_refused_as_documented(caller, function, call, status):
    assert caller.status(function, *call) == status


SUCCEEDS_WITHOUT_WORK = [call for call in ZERO if call[2] == "SUCCESS"]


@pytest.mark.parametrize(
    ("function", "call", "status"), SUCCEEDS_WITHOUT_WORK, ids=lambda value: str(value)[:40]
)
def test_success_without_elements_writes_nothing(caller, function, call, status):
    before = caller.content()
    assert caller.status(function, *call) == status
    assert np.array_equal(caller.content(), before)


def test_without_masks_the_workspace_query_leaves_the_size_as_it_was(caller):
    assert caller.status(IM2COL_WORKSPACE, *im2col(masks=0)) == "SUCCESS"
    assert caller.size.value == 12345


def test_im2col_workspace_holds_the_feature_and_the_columns(caller):
    caller.status(IM2COL_WORKSPACE, *im2col(channels=3, height=5, width=7, masks=11))
    assert caller.size.value == 4 * (3 * 5 * 7 + 3 * 2 * 2 * 11)


@pytest.mark.parametrize(("box_dim", "size"), [(5, 4 * (70 + 14)), (6, 4 * (84 + 14))])
def test_nms_workspace_holds_the_boxes_and_their_scores(caller, box_dim, size):
    caller.status(NMS_WORKSPACE, *nms(boxes=14, box_dim=box_dim))
    assert caller.size.value == size


def test_nms_workspace_query_looks_at_nothing_but_null(caller):
    tensors, scalars = nms()
    tensors["boxes"] = ["NCHW", "HALF", [4, 7], [1, 4]]
    assert caller.status(NMS_WORKSPACE, tensors, scalars) == "SUCCESS"
    assert caller.size.value == 2 * (28 + 4)


def test_a_null_workspace_is_refused_only_with_a_size(caller):
    tensors, scalars = nms()
    scalars["workspace_size"] = 0
    assert caller.status(NMS, tensors, scalars, null=["workspace"]) == "SUCCESS"


LIMITS = [
    ({"max_pts_each_voxel": 2049}, "SUCCESS"),
    ({"max_pts_each_voxel": MAX_POINTS}, "SUCCESS"),
    ({"max_pts_each_voxel": MAX_POINTS + 1}, "NOT_SUPPORTED"),
    ({"boxes_num": 65535}, "SUCCESS"),
    ({"boxes_num": 65536}, "NOT_SUPPORTED"),
    ({"channels": 65535}, "SUCCESS"),
    ({"channels": 65536}, "NOT_SUPPORTED"),
]


@pytest.mark.parametrize(("sizes", "status"), LIMITS, ids=str)
def test_roiaware_sizes_have_limits(caller, sizes, status):
    """mlu-ops 5d89cb4f, 73957343, 9204b3a1; the design document has 2048 points at most."""
    least = dict.fromkeys(
        ("boxes_num", "out_x", "out_y", "out_z", "channels", "max_pts_each_voxel", "pts_num"), 1
    )
    assert caller.status(ROIAWARE, *roiaware(**{**least, **sizes})) == status


@pytest.mark.parametrize(
    ("pool_method", "status"), [(0, "SUCCESS"), (1, "SUCCESS"), (2, "BAD_PARAM"), (-1, "BAD_PARAM")]
)
def test_roiaware_pools_by_maximum_or_average(caller, pool_method, status):
    tensors, scalars = roiaware()
    scalars["pool_method"] = pool_method
    assert caller.status(ROIAWARE, tensors, scalars) == status


def test_roiaware_has_two_names(caller):
    tensors, scalars = roiaware()
    scalars["pool_method"] = 2
    assert caller.status("mluOpRoiawarePool3dBackward", tensors, scalars) == "BAD_PARAM"


@pytest.mark.parametrize(
    ("points", "spatial_scale", "status"),
    [
        (1, 0.5, "SUCCESS"),
        (5, 0.5, "SUCCESS"),
        (0, 0.5, "BAD_PARAM"),
        (4, 0.5, "BAD_PARAM"),
        (5, 0.0, "BAD_PARAM"),
        (5, -0.5, "BAD_PARAM"),
        (5, float("nan"), "BAD_PARAM"),
    ],
)
def test_rotated_takes_one_or_five_points_and_a_positive_scale(caller, points, spatial_scale, status):
    assert caller.status(ROTATED, *rotated(points=points, spatial_scale=spatial_scale)) == status


@pytest.mark.parametrize("scalar", ["spatial_scale", "gamma"])
@pytest.mark.parametrize("value", [0.0, -1.0, float("nan"), float("inf")])
def test_deform_takes_any_scale_and_gamma(caller, scalar, value):
    tensors, scalars = deform()
    assert caller.status(DEFORM, tensors, {**scalars, scalar: value}) == "SUCCESS"


def test_deform_takes_a_trailing_dimension_of_one(caller):
    tensors, scalars = deform()
    tensors["input"][2].append(1)
    assert caller.status(DEFORM, tensors, scalars) == "SUCCESS"


@pytest.mark.parametrize(("pad_h", "kernel_h", "status"), [(-3, 2, "SUCCESS"), (0, 0, "BAD_PARAM")])
def test_im2col_takes_any_padding_but_a_positive_kernel(caller, pad_h, kernel_h, status):
    tensors, scalars = im2col(kernel_h=kernel_h)
    assert caller.status(IM2COL, tensors, {**scalars, "pad_h": pad_h}) == status


UNCHECKED_LAYOUTS = [
    (DEFORM, "rois"),
    (DEFORM, "offset"),
    (ROTATED, "bboxes"),
    (IM2COL, "mask_h_idx"),
    (IM2COL, "mask_w_idx"),
    (IM2COL, "data_col"),
    *((ROIAWARE, tensor) for tensor in roiaware()[0]),
    *((NMS, tensor) for tensor in nms()[0]),
]

CHECKED_LAYOUTS = [
    (DEFORM, "input"),
    (DEFORM, "output"),
    (ROTATED, "top_output"),
    (ROTATED, "bottom_input"),
    (IM2COL, "feature"),
]


@pytest.mark.parametrize(
    ("function", "tensor", "status"),
    [(*pair, "SUCCESS") for pair in UNCHECKED_LAYOUTS] + [(*pair, "BAD_PARAM") for pair in CHECKED_LAYOUTS],
)
def test_layout_counts_only_for_feature_maps(caller, function, tensor, status):
    tensors, scalars = CALLS[function]()
    tensors[tensor][0] = "HWCN"
    assert caller.status(function, tensors, scalars) == status
