"""roiaware_pool3d_forward: the points in each voxel of each box, and their pooled features."""

from __future__ import annotations

from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, Callable, Mapping

import numpy as np
from mluops_reference import roiaware_pool3d_forward, roiaware_pool3d_forward_baseline

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
    Reading,
    Scalar,
    Tensor,
    Theory,
)
from mluops_conformance.operators.limits import ALIGNMENT, Device, Limit, whole_vectors

if TYPE_CHECKING:
    from mluops_reference.roiaware_pool3d_forward import RoiawarePool3dForward
    from numpy.typing import NDArray

AVERAGE = 1
"""The value of `pool_method`."""

_GRID = ("out_x", "out_y", "out_z")
_VOXELS = ("boxes_num", *_GRID)


def _pooled(
    function: Callable[..., RoiawarePool3dForward], inputs: Arrays, scalars: Mapping[str, Scalar]
) -> RoiawarePool3dForward:
    names = ("pool_method", "max_pts_each_voxel", *_GRID)
    return function(
        inputs["rois"], inputs["pts"], inputs["pts_feature"], **{name: scalars[name] for name in names}
    )


def _run(
    function: Callable[..., RoiawarePool3dForward], inputs: Arrays, scalars: Mapping[str, Scalar]
) -> Expectation:
    return Expectation(dict(_pooled(function, inputs, scalars)._asdict()))


def _in_storage_type(
    function: Callable[..., RoiawarePool3dForward], reciprocal: bool
) -> Callable[..., RoiawarePool3dForward]:
    """Return the function with points placed in the type of `rois`, as a device places them."""

    def pooled(rois: NDArray[Any], *others: NDArray[Any], **scalars: Scalar) -> RoiawarePool3dForward:
        result: RoiawarePool3dForward = function(
            rois, *others, coordinates=rois.dtype, reciprocal=reciprocal, **scalars
        )
        return result

    return pooled


def _reading(reciprocal: bool) -> Reading:
    pool = _in_storage_type(roiaware_pool3d_forward, reciprocal)
    baseline = _in_storage_type(roiaware_pool3d_forward_baseline, reciprocal)
    return Reading(partial(_run, pool), partial(_run, baseline), partial(_scale, pool=pool))


def _scale(
    inputs: Arrays,
    scalars: Mapping[str, Scalar],
    pool: Callable[..., RoiawarePool3dForward] = roiaware_pool3d_forward,
) -> Expectation:
    """Return the maximum or average of the absolute features of each voxel."""
    magnitudes = {**inputs, "pts_feature": magnitude(inputs["pts_feature"])}
    result = _pooled(pool, magnitudes, scalars)
    return Expectation({"pooled_features": result.pooled_features})


def _addends(inputs: Arrays, scalars: Mapping[str, Scalar]) -> Arrays:
    """Return how many features each voxel adds up, [boxes_num, out_x, out_y, out_z, 1]."""
    first_channel = {**inputs, "pts_feature": inputs["pts_feature"][:, :1]}
    result = _pooled(roiaware_pool3d_forward, first_channel, scalars)
    counts = result.pts_idx_of_voxels[..., :1]
    return {"pooled_features": counts if scalars["pool_method"] == AVERAGE else np.minimum(counts, 1)}


def _operations(inputs: Arrays, scalars: Mapping[str, Scalar], outputs: Arrays) -> float:
    tests = 7.0 * len(inputs["rois"]) * 3 * len(inputs["pts"])
    return tests + float(outputs["pooled_features"].size) * scalars["max_pts_each_voxel"]


SITES_ALONG = 4
"""Places of boxes along each axis."""

SPACING = 8.0
"""Distance between places; a box and the points beside it stay within half of it."""

SIDES = (24, 40)
"""The sides of a box in steps of `STEP`, the last excluded."""

STEP = 0.125
"""Half precision holds the coordinates of every box, and half of its sides, without rounding."""

BESIDE = 0.3
"""Distance from a face of points outside."""

WITHIN = (0.25, 0.75)
"""The position of a point between two faces of its voxel."""


def _places(context: FillContext) -> NDArray[np.float64]:
    """Return a box a place, [places, 7], made from a stream of their own, as rois and pts both need them."""
    return _all_places(context.options["seed"], context.dtype)[: max(context.dims["boxes_num"], 1)]


@lru_cache(maxsize=64)
def _all_places(seed: int, dtype: np.dtype[Any]) -> NDArray[np.float64]:
    stream, count = Stream(seed), SITES_ALONG**3
    cells = np.stack(np.unravel_index(stream.permutation(count), (SITES_ALONG,) * 3), axis=1)
    centres = (cells - (SITES_ALONG - 1) / 2) * SPACING
    sides = stream.integers(count * 3, *SIDES).reshape(-1, 3) * STEP
    heading = stream.uniform(count, -3.2, 3.2, np.float64)
    centres[:, 2] -= SPACING / 4
    boxes = np.column_stack([centres, sides, heading]).astype(dtype).astype(np.float64)
    boxes.flags.writeable = False
    return boxes


def _boxes(stream: Stream, context: FillContext) -> NDArray[Any]:
    places = _places(context)
    return places[np.arange(context.shape[0]) % len(places)].astype(context.dtype)


def _points(stream: Stream, context: FillContext) -> NDArray[Any]:
    count, places = context.shape[0], _places(context)
    boxes = places[stream.integers(count, 0, len(places))]
    grid = np.array([context.dims[name] for name in _GRID])
    crowded = np.minimum(grid, context.options["cells"] or grid)
    cells = np.stack([stream.integers(count, 0, int(size)) for size in crowded], axis=1)
    within = stream.uniform(count * 3, *WITHIN, np.float64).reshape(-1, 3)
    local = ((cells + within) / grid - 0.5) * boxes[:, 3:6]
    _move_outside(stream, local, boxes, context.options["outside"])
    cos, sin = np.cos(boxes[:, 6]), np.sin(boxes[:, 6])
    x = boxes[:, 0] + local[:, 0] * cos - local[:, 1] * sin
    y = boxes[:, 1] + local[:, 0] * sin + local[:, 1] * cos
    z = boxes[:, 2] + boxes[:, 5] / 2 + local[:, 2]
    return np.column_stack([x, y, z]).astype(context.dtype)


def _move_outside(
    stream: Stream, local: NDArray[np.float64], boxes: NDArray[np.float64], share: float
) -> None:
    """Move a share of the points, given from the middle of their box, beyond one of its faces."""
    count = len(local)
    moved = np.flatnonzero(stream.uniform(count, 0, 1, np.float64) < share)
    axis, side = stream.integers(count, 0, 3)[moved], stream.integers(count, 0, 2)[moved] * 2 - 1
    local[moved, axis] = side * (boxes[moved, 3 + axis] / 2 + BESIDE)


def _points_check(context: FillContext) -> str | None:
    finest = FINEST[context.dtype.name]
    if max(context.dims[name] for name in _GRID) <= finest:
        return None
    return f"keeps points off the faces of voxels up to {finest} along an axis in {context.dtype}"


FINEST = {"float16": 24, "float32": 4096, "float64": 4096}
"""Voxels along an axis at which the rounding of coordinates stays well below a quarter of a voxel."""

_SEED = Option("seed", "integer", 0, "chooses the boxes, the same for rois and pts; the run's seed does not")

BOXES = Fill("boxes", (_SEED,), _boxes, "boxes that lie apart at 64 places; beyond 64, the first ones again")

POINTS_IN_BOXES = Fill(
    "points_in_boxes",
    (
        _SEED,
        Option("outside", "number", 0.1, "share of points a little outside of the box that they belong to"),
        Option("cells", "integer", 0, "only the first so many voxels along each axis hold points; 0: all"),
    ),
    _points,
    "points in the voxels of `boxes` of the same seed, off the faces of boxes and voxels",
    check=_points_check,
)

MOST_SLOTS = {4: 2976, 2: 2944}
"""By bytes of an element; more are refused: mlu_op.h. The design document says 2880 and 2930."""

_INDEX_BYTES = 4
_BUFFERS = {4: 14, 2: 25}
_POINTS_OF_A_STEP = 64


def _on_chip_points(device: Device, itemsize: int, scalars: Mapping[str, Scalar]) -> int:
    points = device.usable_nram_bytes // itemsize // _BUFFERS[itemsize]
    return points // _POINTS_OF_A_STEP * _POINTS_OF_A_STEP


def _channel_slice(device: Device, itemsize: int, scalars: Mapping[str, Scalar]) -> int:
    vector = ALIGNMENT // itemsize
    slots = -(-int(scalars["max_pts_each_voxel"]) // vector) * vector
    free = device.usable_nram_bytes - ALIGNMENT - slots * _INDEX_BYTES
    return whole_vectors(free // ((slots + 1) * itemsize + _INDEX_BYTES) * itemsize, itemsize)


def _slots(device: Device, itemsize: int, scalars: Mapping[str, Scalar]) -> int:
    return MOST_SLOTS[itemsize]


LIMITS = (
    Limit(
        "on_chip_points",
        _on_chip_points,
        "points that a core tests at once",
        "(NRAM - 128 KiB) / bytes of an element / 14, or 25 for half, in steps of 64",
        "mlu-ops, kernels/roiaware_pool3d: buffers of a point",
        dim="pts_num",
    ),
    Limit(
        "channel_slice",
        _channel_slice,
        "channels that a core pools at once",
        "(NRAM - 128 KiB - 128 - 4 K) / ((K + 1) bytes of an element + 4), in whole vectors of 128 bytes; "
        "K is max_pts_each_voxel, rounded up to a vector's elements",
        "roiaware_pool3d_forward design document, 3.4; mlu-ops, kernels/roiaware_pool3d",
        given=("max_pts_each_voxel",),
        dim="channels",
    ),
    Limit(
        "slots",
        _slots,
        "the greatest max_pts_each_voxel",
        "2976, or 2944 for half",
        "mlu_op.h",
        dim="max_pts_each_voxel",
    ),
)


def _least_workspace(scalars: Mapping[str, Scalar], itemsize: int) -> int:
    """Return the bytes of transposed points and features, and of the larger once more: section 3.4."""
    channels = int(scalars["channels"])
    return int(scalars["pts_num"]) * (3 + channels + max(3, channels)) * itemsize


OPERATOR = Operator(
    name="roiaware_pool3d_forward",
    functions=("mluOpRoiAwarePool3dForward", "mluOpRoiawarePool3dForward"),
    dtypes=("float32", "float16"),
    dims=(
        Dim("boxes_num", "boxes", most=65535),
        Dim("pts_num", "points"),
        Dim("channels", "channels of a point", most=65535),
        Dim(
            "max_pts_each_voxel",
            "slots of a voxel, the first of which holds its count",
            most=max(MOST_SLOTS.values()),
        ),
        Dim("out_x", "voxels of a box along x"),
        Dim("out_y", "voxels of a box along y"),
        Dim("out_z", "voxels of a box along z"),
    ),
    params=(Param("pool_method", int, "0: max, 1: avg", 0, accepts=(0, 1)),),
    inputs=(
        Tensor("rois", ("boxes_num", "7"), "boxes", fill={"fill": "boxes"}),
        Tensor("pts", ("pts_num", "3"), "points", fill={"fill": "points_in_boxes"}),
        Tensor(
            "pts_feature",
            ("pts_num", "channels"),
            "features of the points",
            fill={"fill": "uniform", "range": (-1, 1)},
        ),
    ),
    outputs=(
        Tensor("argmax", (*_VOXELS, "channels"), "point of the maximum, -1 for none", "int32"),
        Tensor(
            "pts_idx_of_voxels",
            (*_VOXELS, "max_pts_each_voxel"),
            "count and points of each voxel",
            "int32",
        ),
        Tensor("pooled_features", (*_VOXELS, "channels"), "maximum or average of the voxel's features"),
    ),
    criteria=Criteria(
        measures=("diff1", "diff2", "diff4"),
        rates={"diff1": 10, "diff2": 10, "diff4": 1},
        source="roiaware_pool3d_forward design document, 1.5.1",
    ),
    reference=partial(_run, roiaware_pool3d_forward),
    baseline=partial(_run, roiaware_pool3d_forward_baseline),
    interpretations={"division": _reading(reciprocal=False), "reciprocal": _reading(reciprocal=True)},
    scale=_scale,
    theory=Theory(
        _operations,
        "gtest, roiaware_pool3d_forward.cpp: 21 a pair of a box and a point, 1 a slot and channel of a voxel",
    ),
    addends=_addends,
    workspace_functions=(
        "mluOpGetRoiAwarePool3dForwardWorkspaceSize",
        "mluOpGetRoiawarePool3dForwardWorkspaceSize",
    ),
    least_workspace=_least_workspace,
    channelwise=("pts_feature", "argmax", "pooled_features"),
    fills={BOXES.name: BOXES, POINTS_IN_BOXES.name: POINTS_IN_BOXES},
    own_limits=LIMITS,
)
