"""roiaware_pool3d_backward: gradients of pooled voxels, given back to the points that were pooled."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Callable, Mapping

import numpy as np
from mluops_reference import roiaware_pool3d_backward, roiaware_pool3d_backward_baseline

from mluops_conformance.fills.registry import Fill, FillContext, Option
from mluops_conformance.fills.stream import Stream
from mluops_conformance.operators._local_scale import magnitude
from mluops_conformance.operators.base import (
    Arrays,
    Criteria,
    Dim,
    Expectation,
    Operator,
    Param,
    Scalar,
    Tensor,
    Theory,
)
from mluops_conformance.operators.limits import ALIGNMENT, Device, Limit, whole_vectors

if TYPE_CHECKING:
    from numpy.typing import NDArray


def _run(function: Callable[..., NDArray[Any]], inputs: Arrays, scalars: Mapping[str, Scalar]) -> Expectation:
    gradient = function(
        inputs["pts_idx_of_voxels"],
        inputs["argmax"],
        inputs["grad_out"],
        pool_method=scalars["pool_method"],
        pts_num=scalars["pts_num"],
    )
    return Expectation({"grad_in": gradient})


def _scale(inputs: Arrays, scalars: Mapping[str, Scalar]) -> Expectation:
    return _run(roiaware_pool3d_backward, {**inputs, "grad_out": magnitude(inputs["grad_out"])}, scalars)


def _addends(inputs: Arrays, scalars: Mapping[str, Scalar]) -> Arrays:
    """Return how many gradients each point gets, [pts_num, channels], or [pts_num, 1] in avg mode."""
    pts_num = int(scalars["pts_num"])
    if scalars["pool_method"] == 0:
        points = inputs["argmax"].reshape(-1, inputs["argmax"].shape[-1]).astype(np.int64)
        channels = points.shape[1]
        elements = (points * channels + np.arange(channels))[points >= 0]
        return {"grad_in": np.bincount(elements, minlength=pts_num * channels).reshape(-1, channels)}
    rows = inputs["pts_idx_of_voxels"].reshape(-1, inputs["pts_idx_of_voxels"].shape[-1])
    listed = rows[:, 1:][np.arange(rows.shape[1] - 1) < rows[:, :1]]
    return {"grad_in": np.bincount(listed, minlength=pts_num)[:, np.newaxis]}


def _operations(inputs: Arrays, scalars: Mapping[str, Scalar], outputs: Arrays) -> float:
    elements = float(inputs["grad_out"].size)
    return elements if scalars["pool_method"] == 0 else 2 * elements * scalars["max_pts_each_voxel"]


def _voxel_points(stream: Stream, context: FillContext) -> NDArray[Any]:
    slots = context.shape[-1] - 1
    points = stream.integers(context.size, 0, context.dims["pts_num"])
    rows = points.astype(context.dtype).reshape(-1, slots + 1)
    low, high = context.options["filled"]
    counts = np.rint(slots * stream.uniform(len(rows), low, high, np.float64))
    rows[:, 0] = np.where(_share(stream, len(rows), context.options["empty"]), 0, counts)
    return rows.reshape(context.shape)


def _voxel_points_check(context: FillContext) -> str | None:
    low, high = context.options["filled"]
    if 0 <= low <= high <= 1:
        return None
    return f"needs shares of the slots from 0 to 1 as filled, got [{low:g}, {high:g}]"


def _argmax(stream: Stream, context: FillContext) -> NDArray[Any]:
    points = stream.integers(context.size, 0, context.dims["pts_num"]).astype(context.dtype)
    points[_share(stream, context.size, context.options["none"])] = -1
    return points.reshape(context.shape)


def _share(stream: Stream, count: int, share: float) -> NDArray[Any]:
    return stream.uniform(count, 0, 1) < share


VOXEL_POINTS = Fill(
    "voxel_points",
    (
        Option("filled", "pair", (0, 1), "least and most points of a voxel, as a share of its slots"),
        Option("empty", "number", 0.25, "share of voxels without a point"),
    ),
    _voxel_points,
    "a voxel's count, its points, and leftovers in the slots behind them",
    dtype_kinds="i",
    check=_voxel_points_check,
)

ARGMAX = Fill(
    "argmax",
    (Option("none", "number", 0.25, "share of -1, which names no point"),),
    _argmax,
    "points, and -1 where a voxel has none",
    dtype_kinds="i",
)

_INDEX_BYTES = 4
MOST_SLOTS = 98240
"""More are refused: mlu_op.h; the design document says 2048."""


def _max_channel_slice(device: Device, itemsize: int, scalars: Mapping[str, Scalar]) -> int:
    return device.usable_nram_bytes // (itemsize + _INDEX_BYTES)


def _avg_channel_slice(device: Device, itemsize: int, scalars: Mapping[str, Scalar]) -> int:
    vector = ALIGNMENT // itemsize
    row_bytes = -(-int(scalars["max_pts_each_voxel"]) // vector) * vector * _INDEX_BYTES
    return whole_vectors((device.usable_nram_bytes - row_bytes) // 2, itemsize)


def _slots(device: Device, itemsize: int, scalars: Mapping[str, Scalar]) -> int:
    return min((device.usable_nram_bytes - 2 * ALIGNMENT) // _INDEX_BYTES, MOST_SLOTS)


LIMITS = (
    Limit(
        "max_channel_slice",
        _max_channel_slice,
        "channels that a core takes at once in max mode",
        "(NRAM - 128 KiB) / (bytes of an element + 4)",
        "roiaware_pool3d_backward design document, 3.4: argmax beside grad_out",
        dim="channels",
    ),
    Limit(
        "avg_channel_slice",
        _avg_channel_slice,
        "channels that a core takes at once in avg mode",
        "(NRAM - 128 KiB - 4 max_pts_each_voxel, which is rounded up to a vector's elements) / 2, in whole "
        "vectors of 128 bytes",
        "roiaware_pool3d_backward design document, 3.4: grad_out and grad_in beside pts_idx_of_voxels",
        given=("max_pts_each_voxel",),
        dim="channels",
    ),
    Limit(
        "slots",
        _slots,
        "slots of a voxel beside which avg mode has room for a vector of channels",
        "(NRAM - 128 KiB - 2 vectors of 128 bytes) / 4, at most 98240",
        "roiaware_pool3d_backward design document, 3.4; mlu_op.h",
        dim="max_pts_each_voxel",
    ),
)

_VOXELS = ("boxes_num", "out_x", "out_y", "out_z")

OPERATOR = Operator(
    name="roiaware_pool3d_backward",
    functions=("mluOpRoiAwarePool3dBackward", "mluOpRoiawarePool3dBackward"),
    dtypes=("float32", "float16"),
    dims=(
        Dim("boxes_num", "boxes", most=65535),
        Dim("out_x", "voxels of a box along x"),
        Dim("out_y", "voxels of a box along y"),
        Dim("out_z", "voxels of a box along z"),
        Dim("channels", "channels of a point", most=65535),
        Dim(
            "max_pts_each_voxel",
            "slots of a voxel, the first of which holds its count",
            most=MOST_SLOTS,
        ),
        Dim("pts_num", "points"),
    ),
    params=(Param("pool_method", int, "0: max, 1: avg", 0, accepts=(0, 1)),),
    inputs=(
        Tensor(
            "pts_idx_of_voxels",
            (*_VOXELS, "max_pts_each_voxel"),
            "count and points of each voxel",
            "int32",
            fill={"fill": "voxel_points"},
        ),
        Tensor("argmax", (*_VOXELS, "channels"), "point of the maximum", "int32", fill={"fill": "argmax"}),
        Tensor(
            "grad_out",
            (*_VOXELS, "channels"),
            "gradient of the pooled voxels",
            fill={"fill": "uniform", "range": (-1, 1)},
        ),
    ),
    outputs=(Tensor("grad_in", ("pts_num", "channels"), "gradient of the points"),),
    criteria=Criteria(
        measures=("diff1", "diff2", "diff4"),
        rates={"diff1": 10, "diff2": 10, "diff4": 1},
        source="roiaware_pool3d_backward design document, 1.5.1",
    ),
    reference=partial(_run, roiaware_pool3d_backward),
    baseline=partial(_run, roiaware_pool3d_backward_baseline),
    scale=_scale,
    theory=Theory(
        _operations,
        "gtest, roiaware_pool3d_backward.cpp:220-230: 1 an element of grad_out, or 2 a slot of its voxel",
    ),
    addends=_addends,
    atomic=True,
    channelwise=("argmax", "grad_out", "grad_in"),
    fills={VOXEL_POINTS.name: VOXEL_POINTS, ARGMAX.name: ARGMAX},
    own_limits=LIMITS,
)
