"""mluOpRoiAwarePool3dBackward: the gradients of pooled voxels go back to the points that were pooled."""

from __future__ import annotations

from enum import IntEnum
from math import prod
from typing import TYPE_CHECKING, Iterator

import numpy as np
from mluops.dtypes import to_numpy

from mluops_emulator import checks
from mluops_emulator.checks import Check
from mluops_emulator.operators.access import require_within
from mluops_emulator.operators.arithmetic import Arithmetic, arithmetic_of
from mluops_emulator.operators.atomics import atomic_add
from mluops_emulator.operators.tasks import ALIGN_BYTES, aligned_elements, arrival_order, channel_slices

if TYPE_CHECKING:
    from mluops.constants import mluOpStatus_t

    from mluops_emulator.call import Call
    from mluops_emulator.device import DeviceModel
    from mluops_emulator.operators.arrays import Array, Bools, Floats, Ints


class PoolMethod(IntEnum):
    MAX = 0
    AVERAGE = 1


LEAST_ISA = 370
SIZE_END = 65536
MAX_PTS_EACH_VOXEL_END = 98241  # the design document says 2049

_DESCRIPTORS = ("pts_idx_of_voxels_desc", "argmax_desc", "grad_out_desc", "grad_in_desc")
_VOXELS = ("boxes_num", "out_x", "out_y", "out_z")

CHECKS = (
    *checks.not_null("handle", *_DESCRIPTORS),
    *checks.rank_is(5, "pts_idx_of_voxels_desc", "argmax_desc", "grad_out_desc"),
    *checks.rank_is(2, "grad_in_desc"),
    *checks.dims_are("pts_idx_of_voxels_desc", *_VOXELS, "max_pts_each_voxel"),
    *checks.dims_are("argmax_desc", *_VOXELS, "channels"),
    *checks.dims_are("grad_out_desc", *_VOXELS, "channels"),
    checks.dim_is("grad_in_desc", 1, "channels"),
    checks.dtype_in("pts_idx_of_voxels_desc", checks.INT32),
    checks.dtype_in("argmax_desc", checks.INT32),
    checks.dtype_in("grad_out_desc", checks.HALF, checks.FLOAT),
    *checks.same_dtype("grad_out_desc", "grad_in_desc"),
    Check("pool_method must be 0 or 1", lambda call: call["pool_method"] in list(PoolMethod)),
    *checks.positive("boxes_num"),
    Check("grad_in_desc dims[0] must be positive", lambda call: call["grad_in_desc"].dims[0] > 0),
    *checks.positive("channels", "max_pts_each_voxel", "out_x", "out_y", "out_z"),
    *checks.contiguous(*_DESCRIPTORS),
    *checks.below(SIZE_END, "boxes_num", "channels"),
    *checks.below(MAX_PTS_EACH_VOXEL_END, "max_pts_each_voxel"),
    *checks.element_limit(*_DESCRIPTORS),
    *checks.not_null("pts_idx_of_voxels", "argmax", "grad_out", "grad_in"),
    Check(
        f"the device must have an instruction set of {LEAST_ISA} or newer",
        lambda call: call.device.isa >= LEAST_ISA,
        checks.ARCH_MISMATCH,
    ),
)


def backward(call: Call) -> mluOpStatus_t:
    run = _run_max if call["pool_method"] == PoolMethod.MAX else _run_average
    return checks.launch(CHECKS, call, lambda: run(call))


def _run_max(call: Call) -> None:
    max_kernel(_indices(call, "argmax"), *_gradients(call), device=call.device, rng=call.rng)


def _run_average(call: Call) -> None:
    average_kernel(_indices(call, "pts_idx_of_voxels"), *_gradients(call), device=call.device, rng=call.rng)


def _indices(call: Call, name: str) -> Ints:
    return call.array(name, np.int32, _by_voxel(call[f"{name}_desc"].dims))


def _gradients(call: Call) -> tuple[Array, Array]:
    dtype = to_numpy(call["grad_out_desc"].dtype)
    return (
        call.array("grad_out", dtype, _by_voxel(call["grad_out_desc"].dims)),
        call.array("grad_in", dtype, call["grad_in_desc"].dims, write=True),
    )


def _by_voxel(dims: tuple[int, ...]) -> tuple[int, int]:
    return prod(dims[:-1]), dims[-1]


ENTRY_POINTS = {
    "mluOpRoiAwarePool3dBackward": backward,
    "mluOpRoiawarePool3dBackward": backward,
}

NO_POINT = -1

_INDEX_BYTES = 4
_ADDITIONS = 1 << 20  # ordered at once


@np.errstate(all="ignore")
def max_kernel(
    argmax: Ints, grad_out: Array, grad_in: Array, *, device: DeviceModel, rng: np.random.Generator
) -> None:
    """Give each gradient to the point that was the maximum of its voxel and channel.

    Parameters
    ----------
    argmax : int32 [voxels, channels]
        The point; -1 for none.
    grad_out : [voxels, channels]
        float32 or float16, and so are the additions.
    grad_in : [points, channels]
        Written: zeros, to which everything is added.
    rng : numpy.random.Generator
        Decides the order of the additions.
    """
    arithmetic = arithmetic_of(grad_in.dtype)
    voxels, channels = grad_out.shape
    order = arrival_order(voxels, device.cores, rng)
    for part in channel_slices(channels, max_channel_limit(device, grad_out.itemsize)):
        sums = np.zeros((len(grad_in), part.stop - part.start), np.float32)
        for arrived in _pieces(order, np.full(voxels, sums.shape[1])):
            points = argmax[arrived, part]
            made = has_point(points)
            require_within(points[made], len(sums), "argmax", "points of grad_in")
            elements = points.astype(np.int64) * sums.shape[1] + np.arange(sums.shape[1])
            gradient = arithmetic.load(grad_out[arrived, part])[made]
            every = np.arange(len(gradient))
            _add_rows(sums.reshape(-1, 1), elements[made], gradient[:, np.newaxis], every, arithmetic)
        grad_in[:, part] = sums


@np.errstate(all="ignore")
def average_kernel(
    pts_idx_of_voxels: Ints, grad_out: Array, grad_in: Array, *, device: DeviceModel, rng: np.random.Generator
) -> None:
    """Share each gradient among the points of its voxel.

    Parameters
    ----------
    pts_idx_of_voxels : int32 [voxels, max_pts_each_voxel]
        How many points there are, then these points; what follows is left over, and not read.
    grad_out : [voxels, channels]
        float32 or float16, and so are the additions.
    grad_in : [points, channels]
        Written: zeros, to which everything is added.
    rng : numpy.random.Generator
        Decides the order of the additions.
    """
    arithmetic = arithmetic_of(grad_in.dtype)
    voxels, slots = pts_idx_of_voxels.shape
    number = points_in_voxel(pts_idx_of_voxels)
    require_within(number, slots, "count of points in a voxel", "slots of pts_idx_of_voxels")
    order = arrival_order(voxels, device.cores, rng)
    for part in channel_slices(grad_out.shape[1], average_channel_limit(device, slots, grad_out.itemsize)):
        shares = shared(arithmetic.load(grad_out[:, part]), number[:, np.newaxis], arithmetic)
        sums = np.zeros((len(grad_in), shares.shape[1]), np.float32)
        for arrived in _pieces(order, number):
            points = pts_idx_of_voxels[arrived][is_used(number[arrived], slots)]
            require_within(points, len(sums), "pts_idx_of_voxels", "points of grad_in")
            _add_rows(sums, points, shares, np.repeat(arrived, number[arrived]), arithmetic)
        grad_in[:, part] = sums


def max_channel_limit(device: DeviceModel, itemsize: int) -> int:
    """Channels whose gradients and points fit on chip at once."""
    return device.usable_nram_bytes // (itemsize + _INDEX_BYTES)


def average_channel_limit(device: DeviceModel, slots: int, itemsize: int) -> int:
    """Channels whose gradients, loaded and shared, fit on chip beside the points of a voxel."""
    vector = ALIGN_BYTES // itemsize
    points_bytes = -(-slots // vector) * vector * _INDEX_BYTES
    return aligned_elements((device.usable_nram_bytes - points_bytes) // 2, itemsize)


def has_point(argmax: Ints) -> Bools:
    exists: Bools = argmax != NO_POINT
    return exists


def points_in_voxel(pts_idx_of_voxels: Ints) -> Ints:
    """The first slot of each voxel; counts that are not positive mean none."""
    return np.maximum(pts_idx_of_voxels[:, 0], 0)


def is_used(number: Ints, slots: int) -> Bools:
    """Mark the slots that hold a voxel's points, [voxels, slots]: `number` of them, after the first."""
    used: Bools = np.arange(slots) <= number[:, np.newaxis]
    used[:, 0] = False
    return used


def shared(gradient: Floats, number: Ints, arithmetic: Arithmetic) -> Floats:
    """Each point's share: times 1 / number in float32 whatever the storage type, then rounded to it."""
    share = 1 / np.maximum(number, 1).astype(np.float32)
    return arithmetic.rounded(gradient * share)


def _pieces(order: Ints, additions: Ints) -> Iterator[Ints]:
    """Split `order` into pieces of about `_ADDITIONS` additions, given how many each voxel makes."""
    piece = np.cumsum(additions[order], dtype=np.int64) // _ADDITIONS
    yield from np.split(order, np.flatnonzero(np.diff(piece)) + 1)


def _add_rows(memory: Floats, rows: Ints, values: Floats, source: Ints, arithmetic: Arithmetic) -> None:
    """Add rows `source` of `values` to rows `rows` of `memory`, atomically and in order."""
    atomic_add(memory, rows, lambda chosen: values.take(source.take(chosen), axis=0), arithmetic)
