"""mluOpRoiAwarePool3dForward: the points in each voxel of each box, and their pooled features."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from mluops.dtypes import to_numpy

from mluops_emulator import checks
from mluops_emulator.checks import Check
from mluops_emulator.operators.arithmetic import Arithmetic, arithmetic_of, to_int
from mluops_emulator.operators.arrays import transpose
from mluops_emulator.operators.roiaware_pool3d_backward import LEAST_ISA, NO_POINT, SIZE_END, PoolMethod
from mluops_emulator.operators.tasks import ALIGN_BYTES, aligned_elements, channel_slices, tasks_of_all

if TYPE_CHECKING:
    from mluops.constants import mluOpStatus_t

    from mluops_emulator.call import Call
    from mluops_emulator.device import DeviceModel
    from mluops_emulator.operators.arrays import Array, Bools, Floats, Ints

MOST_SLOTS = {checks.FLOAT: 2976, checks.HALF: 2944}
"""The greatest max_pts_each_voxel."""

MOST_TESTS = 2**31 - 1
"""The most pairs of a box and a point."""

RECIPROCAL_ISA = 372
"""Devices of this instruction set multiply by the reciprocal of a voxel's side."""

_GIVEN = ("rois_desc", "pts_desc", "pts_feature_desc", "pts_idx_of_voxels_desc", "pooled_features_desc")
_GRID = ("out_x", "out_y", "out_z")
_COUNTS = ("boxes_num", "pts_num", "channels", "max_pts_each_voxel", *_GRID)


def _of_max(*tests: Check) -> tuple[Check, ...]:
    """Return the checks for calls of the maximum alone."""
    return tuple(checks.only_if(lambda call: call["pool_method"] == PoolMethod.MAX, test) for test in tests)


CHECKS = (
    *checks.not_null("handle", *_GIVEN),
    *checks.rank_is(2, "rois_desc", "pts_desc", "pts_feature_desc"),
    *checks.rank_is(5, "pts_idx_of_voxels_desc", "pooled_features_desc"),
    *checks.dims_are("rois_desc", "boxes_num", 7),
    *checks.dims_are("pts_desc", "pts_num", 3),
    *checks.dims_are("pts_feature_desc", "pts_num", "channels"),
    *checks.dims_are("pts_idx_of_voxels_desc", "boxes_num", *_GRID, "max_pts_each_voxel"),
    *checks.dims_are("pooled_features_desc", "boxes_num", *_GRID, "channels"),
    checks.dtype_in("rois_desc", checks.HALF, checks.FLOAT),
    *checks.same_dtype("rois_desc", "pts_desc", "pts_feature_desc"),
    checks.dtype_in("pts_idx_of_voxels_desc", checks.INT32),
    *checks.same_dtype("rois_desc", "pooled_features_desc"),
    Check("pool_method must be 0 or 1", lambda call: call["pool_method"] in list(PoolMethod)),
    *checks.positive(*_COUNTS),
    *checks.contiguous("rois_desc", "pts_desc", "pts_feature_desc"),
    *checks.given("argmax_desc", *checks.contiguous("argmax_desc")),
    *checks.contiguous("pts_idx_of_voxels_desc", "pooled_features_desc"),
    *checks.below(SIZE_END, "boxes_num", "channels"),
    Check(
        "max_pts_each_voxel must fit on chip",
        lambda call: call["max_pts_each_voxel"] <= MOST_SLOTS[call["rois_desc"].dtype],
        checks.NOT_SUPPORTED,
    ),
    *checks.element_limit(*_GIVEN),
    Check(
        "boxes_num * pts_num must be below 2^31",
        lambda call: call["boxes_num"] * call["pts_num"] <= MOST_TESTS,
        checks.NOT_SUPPORTED,
    ),
    checks.workspace_given(),
    *checks.not_null("rois", "pts", "pts_feature", "pts_idx_of_voxels", "pooled_features"),
    *_of_max(
        *checks.not_null("argmax_desc"),
        *checks.rank_is(5, "argmax_desc"),
        *checks.dims_are("argmax_desc", "boxes_num", *_GRID, "channels"),
        checks.dtype_in("argmax_desc", checks.INT32),
        *checks.element_limit("argmax_desc"),
        *checks.not_null("argmax"),
    ),
    Check(
        f"the device must have an instruction set of {LEAST_ISA} or newer",
        lambda call: call.device.isa >= LEAST_ISA,
        checks.ARCH_MISMATCH,
    ),
)

WORKSPACE_CHECKS = checks.not_null("handle", "pts_feature_desc", "workspace_size")


def workspace_size(call: Call) -> mluOpStatus_t:
    """Answer the bytes of transposed points and features, and of the larger of the two once more."""
    status = checks.verdict(WORKSPACE_CHECKS, call)
    if status is not None:
        return status
    pts_num, channels = call["pts_feature_desc"].dims[:2]
    dtype = to_numpy(call["pts_feature_desc"].dtype)
    size = workspace_elements(pts_num, channels) * np.dtype(dtype).itemsize
    call.emulator.host.store(call["workspace_size"], ctypes.c_size_t, size, "workspace_size")
    return checks.SUCCESS


def workspace_elements(pts_num: int, channels: int) -> int:
    return pts_num * (3 + channels + max(3, channels))


def forward(call: Call) -> mluOpStatus_t:
    return checks.launch(CHECKS, call, lambda: _run(call))


def _run(call: Call) -> None:
    dtype = to_numpy(call["rois_desc"].dtype)
    grid = (call["out_x"], call["out_y"], call["out_z"])
    voxels = (call["boxes_num"] * int(np.prod(grid)),)
    elements = workspace_elements(call["pts_num"], call["channels"])
    kernel(
        call.array("rois", dtype, call["rois_desc"].dims),
        call.array("pts", dtype, call["pts_desc"].dims),
        call.array("pts_feature", dtype, call["pts_feature_desc"].dims),
        call.array("workspace", dtype, (elements,), write=True),
        call.array("argmax", np.int32, (*voxels, call["channels"]), write=True),
        call.array("pts_idx_of_voxels", np.int32, (*voxels, call["max_pts_each_voxel"]), write=True),
        call.array("pooled_features", dtype, (*voxels, call["channels"]), write=True),
        pool_method=call["pool_method"],
        grid=grid,
        device=call.device,
    )


ENTRY_POINTS = {
    "mluOpGetRoiAwarePool3dForwardWorkspaceSize": workspace_size,
    "mluOpGetRoiawarePool3dForwardWorkspaceSize": workspace_size,
    "mluOpRoiAwarePool3dForward": forward,
    "mluOpRoiawarePool3dForward": forward,
}

_BUFFERS = {4: 14, 2: 25}
"""On-chip buffers of a point, in elements of the storage type, by its bytes."""

_POINTS_OF_A_STEP = 64

_INDEX_BYTES = 4


_PAIRS_AT_ONCE = 1 << 16
"""Pairs of a box and a point that are emulated together; results do not depend on it."""


class _Boxes(NamedTuple):
    """Boxes on the storage type's grid, a row a box."""

    centre: Floats  # [3, n, 1]; z is that of the bottom face
    side: Floats  # [3, n, 1]
    cos: Floats  # [n, 1]
    sin: Floats

    def at(self, boxes: Ints) -> _Boxes:
        return _Boxes(self.centre[:, boxes], self.side[:, boxes], self.cos[boxes], self.sin[boxes])


@np.errstate(all="ignore")
def kernel(
    rois: Array,
    pts: Array,
    pts_feature: Array,
    workspace: Array,
    argmax: Array,
    pts_idx_of_voxels: Array,
    pooled_features: Array,
    *,
    pool_method: int,
    grid: tuple[int, int, int],
    device: DeviceModel,
) -> None:
    """Find the points of each voxel, then pool their features.

    Parameters
    ----------
    rois : [boxes, 7]
    pts : [points, 3]
    pts_feature : [points, channels]
    workspace : [workspace_elements]
        Points and features by coordinate and channel.
    argmax, pooled_features : [voxels, channels]
        Written.
    pts_idx_of_voxels : [voxels, slots]
        Written.
    """
    by_axis = workspace[: pts.size].reshape(3, -1)
    by_channel = workspace[pts.size : pts.size + pts_feature.size].reshape(pts_feature.shape[1], -1)
    transpose(pts, by_axis)
    transpose(pts_feature, by_channel)
    initialise(argmax, pts_idx_of_voxels, pooled_features, pool_method)
    collect(rois, by_axis, pts_idx_of_voxels, grid, device)
    pool(by_channel, pts_idx_of_voxels, argmax, pooled_features, pool_method, device)


def initialise(argmax: Array, pts_idx_of_voxels: Array, pooled_features: Array, pool_method: int) -> None:
    """Write what empty voxels hold."""
    argmax[:] = NO_POINT if pool_method == PoolMethod.MAX else 0
    pts_idx_of_voxels[:] = 0
    pooled_features[:] = 0


def collect(
    rois: Array, points: Array, pts_idx_of_voxels: Ints, grid: tuple[int, int, int], device: DeviceModel
) -> None:
    """List the first points of each voxel, after their number."""
    arithmetic = arithmetic_of(rois.dtype)
    boxes, tasks = boxes_of(arithmetic.load(rois), arithmetic), tasks_of_all(len(rois), device.cores)
    for part in channel_slices(points.shape[1], points_on_chip(device, rois.itemsize)):
        batch = arithmetic.load(points[:, part])
        for group in channel_slices(len(tasks), max(1, _PAIRS_AT_ONCE // batch.shape[1])):
            box, point, voxel = place(batch, boxes.at(tasks[group]), grid, arithmetic, device)
            voxel += tasks[group][box] * int(np.prod(grid))
            keep(pts_idx_of_voxels, voxel, point + part.start)


def points_on_chip(device: DeviceModel, itemsize: int) -> int:
    """Return how many points a core tests at once."""
    points = device.usable_nram_bytes // itemsize // _BUFFERS[itemsize]
    return points // _POINTS_OF_A_STEP * _POINTS_OF_A_STEP


def boxes_of(rois: Floats, arithmetic: Arithmetic) -> _Boxes:
    columns = rois.T[:, :, np.newaxis]
    angle = -columns[6]
    cos, sin = arithmetic.rounded(np.cos(angle)), arithmetic.rounded(np.sin(angle))
    return _Boxes(columns[:3], columns[3:6], cos, sin)


def place(
    points: Floats, boxes: _Boxes, grid: tuple[int, int, int], arithmetic: Arithmetic, device: DeviceModel
) -> tuple[Ints, Ints, Ints]:
    """Return the pairs of a box and a point, of [3, n], that lies in it, and in which of its voxels."""
    rounded = arithmetic.rounded
    half = rounded(boxes.side / np.float32(2))
    a, b, height = (rounded(axis - centre) for axis, centre in zip(points, boxes.centre))
    x = rounded(rounded(a * boxes.cos) - rounded(b * boxes.sin))
    y = rounded(rounded(a * boxes.sin) + rounded(b * boxes.cos))
    middle = rounded(boxes.centre[2] + half[2])
    box, point = np.nonzero(is_inside(x, y, rounded(points[2] - middle), half))
    x, y, height = (axis[box, point] for axis in (x, y, height))
    offsets = rounded(x + half[0, box, 0]), rounded(y + half[1, box, 0]), height
    voxel = np.zeros(len(box), np.int64)
    for offset, side, cells in zip(offsets, boxes.side, grid):
        step = rounded(side / np.float32(cells))[box, 0]
        voxel = voxel * cells + np.clip(to_int(quotient(offset, step, arithmetic, device)), 0, cells - 1)
    return box, point, voxel


def is_inside(x: Floats, y: Floats, z: Floats, half: Floats) -> Bools:
    """Return which points are inside, given from the box's middle: faces along z are, others are not."""
    inside: Bools = ~(np.abs(z) > half[2]) & (np.abs(x) < half[0]) & (np.abs(y) < half[1])
    return inside


def quotient(offset: Floats, step: Floats, arithmetic: Arithmetic, device: DeviceModel) -> Floats:
    """Return how many voxels lie before each point."""
    if device.isa == RECIPROCAL_ISA:
        return arithmetic.rounded(offset * arithmetic.rounded(1 / step))
    return arithmetic.rounded(offset / step)


def keep(voxels: Ints, voxel: Ints, points: Ints) -> None:
    """Add points to voxels, [voxels, slots], while they have room; points come by ascending number."""
    order = np.argsort(voxel, kind="stable")
    voxel, points = voxel[order], points[order]
    rank = np.arange(len(voxel)) - np.searchsorted(voxel, voxel)
    slot = voxels[voxel, 0] + rank + 1
    kept = has_room(slot, voxels.shape[1])
    voxels[voxel[kept], slot[kept]] = points[kept]
    some, counts = np.unique(voxel[kept], return_counts=True)
    voxels[some, 0] += counts.astype(np.int32)


def has_room(slot: Ints, slots: int) -> Bools:
    room: Bools = slot < slots
    return room


def pool(
    features: Array,
    pts_idx_of_voxels: Ints,
    argmax: Ints,
    pooled_features: Array,
    pool_method: int,
    device: DeviceModel,
) -> None:
    """Pool the features, [channels, points], of the points that each voxel lists."""
    arithmetic = arithmetic_of(features.dtype)
    slots = pts_idx_of_voxels.shape[1]
    tasks = tasks_of_all(len(pts_idx_of_voxels), device.cores)
    filled = tasks[pts_idx_of_voxels[tasks, 0] > 0]
    listed = pts_idx_of_voxels[filled]
    for part in channel_slices(len(features), channel_limit(device, slots, features.itemsize)):
        values = arithmetic.load(features[part])
        if pool_method == PoolMethod.MAX:
            pooled_features[filled, part], argmax[filled, part] = maxima(values, listed)
        else:
            pooled_features[filled, part] = averages(values, listed, arithmetic)


def channel_limit(device: DeviceModel, slots: int, itemsize: int) -> int:
    """Return the channels whose features fit on chip beside the points of a voxel."""
    whole = -(-slots * itemsize // ALIGN_BYTES) * ALIGN_BYTES // itemsize
    free = device.usable_nram_bytes - ALIGN_BYTES - whole * _INDEX_BYTES
    return aligned_elements(free // ((whole + 1) * itemsize + _INDEX_BYTES) * itemsize, itemsize)


def maxima(features: Floats, listed: Ints) -> tuple[Floats, Ints]:
    """Return each voxel's first maximum and its point by channel; 0 and none where nothing exceeds -inf."""
    best = np.full((len(listed), len(features)), -np.inf, np.float32)
    point = np.full(best.shape, NO_POINT, np.int32)
    for turn in range(1, listed[:, 0].max(initial=0) + 1):
        some = np.flatnonzero(listed[:, 0] >= turn)
        candidate = features[:, listed[some, turn]].T
        greater = exceeds(candidate, best[some])
        best[some] = np.where(greater, candidate, best[some])
        point[some] = np.where(greater, listed[some, turn][:, np.newaxis], point[some])
    return np.where(point == NO_POINT, np.float32(0), best), point


def exceeds(candidate: Floats, best: Floats) -> Bools:
    greater: Bools = candidate > best
    return greater


def averages(features: Floats, listed: Ints, arithmetic: Arithmetic) -> Floats:
    """Return each voxel's average by channel, summed in float32 point by point."""
    sums = np.zeros((len(listed), len(features)), np.float32)
    for turn in range(1, listed[:, 0].max(initial=0) + 1):
        some = np.flatnonzero(listed[:, 0] >= turn)
        sums[some] += features[:, listed[some, turn]].T
    return arithmetic.rounded(sums / divisor(listed)[:, np.newaxis])


def divisor(listed: Ints) -> Floats:
    """Return the number of each voxel's points."""
    return listed[:, 0].astype(np.float32)
