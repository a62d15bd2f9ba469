"""mluOpDeformRoiPoolBackward: gradients of pooled bins go to the cells they sampled, and to their offsets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator, NamedTuple

import numpy as np
from mluops.dtypes import to_numpy

from mluops_emulator import checks
from mluops_emulator.checks import Check
from mluops_emulator.operators.access import require_within
from mluops_emulator.operators.arithmetic import Arithmetic, arithmetic_of, to_int
from mluops_emulator.operators.atomics import atomic_add
from mluops_emulator.operators.bilinear import corners
from mluops_emulator.operators.deform_roi_pool_forward import (
    Regions,
    Samples,
    axes_of,
    sample_count,
    samples_of,
    to_map,
)
from mluops_emulator.operators.tasks import ALIGN_BYTES, aligned_elements, arrival_order, channel_slices

if TYPE_CHECKING:
    from mluops.constants import mluOpStatus_t

    from mluops_emulator.call import Call
    from mluops_emulator.device import DeviceModel
    from mluops_emulator.operators.arrays import Array, Floats, Ints

_GIVEN = ("grad_output_desc", "input_desc", "rois_desc", "grad_input_desc")
_OFFSETS = ("offset_desc", "grad_offset_desc")


def _both_or_none(first: str, second: str) -> Check:
    return Check(
        f"{first} and {second} must both be NULL or both not",
        lambda call: (call[first] is None) == (call[second] is None),
    )


def _offset_shape(descriptor: str) -> checks.Checks:
    return checks.given(
        descriptor,
        *checks.same_dtype("input_desc", descriptor),
        *checks.rank_is(4, descriptor),
        *checks.dims_equal(descriptor, (0,), "rois_desc", (0,)),
        checks.dim_is(descriptor, 1, 2),
        checks.dim_is(descriptor, 2, "pooled_height"),
        checks.dim_is(descriptor, 3, "pooled_width"),
    )


CHECKS = (
    *checks.not_null("handle", *_GIVEN),
    *checks.layout_is(checks.NHWC, "grad_output_desc", "input_desc", "grad_input_desc"),
    # The library reads four dimensions of these without a look at the rank.
    Check(
        "grad_output_desc must have at least 4 dimensions", lambda call: call["grad_output_desc"].rank >= 4
    ),
    Check("input_desc must have at least 4 dimensions", lambda call: call["input_desc"].rank >= 4),
    *checks.contiguous("input_desc", "grad_output_desc", "rois_desc"),
    *checks.given("offset_desc", *checks.contiguous("offset_desc")),
    *checks.contiguous("grad_input_desc"),
    *checks.given("grad_offset_desc", *checks.contiguous("grad_offset_desc")),
    checks.dtype_in("input_desc", checks.HALF, checks.FLOAT),
    *checks.same_dtype("input_desc", "grad_output_desc", "rois_desc", "grad_input_desc"),
    *checks.rank_is(2, "rois_desc"),
    checks.dim_is("rois_desc", 1, 5),
    *checks.positive("pooled_height", "pooled_width"),
    checks.dim_is("grad_output_desc", 1, "pooled_height"),
    checks.dim_is("grad_output_desc", 2, "pooled_width"),
    Check(
        "grad_input_desc must have the dimensions of input_desc",
        lambda call: call["grad_input_desc"].dims == call["input_desc"].dims,
    ),
    _both_or_none("offset_desc", "offset"),
    _both_or_none("grad_offset_desc", "grad_offset"),
    _both_or_none("offset", "grad_offset"),
    *_offset_shape("offset_desc"),
    *_offset_shape("grad_offset_desc"),
    *checks.given("offset_desc", *checks.element_limit("offset_desc")),
    *checks.given("grad_offset_desc", *checks.element_limit("grad_offset_desc")),
    *checks.dims_equal("rois_desc", (0,), "grad_output_desc", (0,)),
    *checks.dims_equal("input_desc", (3,), "grad_output_desc", (3,)),
    *checks.element_limit("grad_output_desc", "input_desc", "rois_desc", "grad_input_desc"),
    *checks.no_zero_elements("grad_output_desc"),
    Check("input_desc dims[0] must not be 0", lambda call: call["input_desc"].dims[0] != 0),
    *checks.no_zero_elements("rois_desc"),
    checks.done_unless("the map has pixels", lambda call: call["input_desc"].element_num != 0),
    *checks.not_null("grad_output", "input", "rois", "grad_input"),
)


def backward(call: Call) -> mluOpStatus_t:
    return checks.launch(CHECKS, call, lambda: _run(call))


def _run(call: Call) -> None:
    dtype = to_numpy(call["input_desc"].dtype)
    offset, shape = call["offset_desc"], call["input_desc"].dims[:4]
    kernel(
        call.array("grad_output", dtype, call["grad_output_desc"].dims[:4]),
        call.array("input", dtype, shape),
        call.array("rois", dtype, call["rois_desc"].dims),
        None if offset is None else call.array("offset", dtype, offset.dims),
        call.array("grad_input", dtype, shape, write=True),
        None if offset is None else call.array("grad_offset", dtype, offset.dims, write=True),
        spatial_scale=call["spatial_scale"],
        sampling_ratio=call["sampling_ratio"],
        gamma=call["gamma"],
        device=call.device,
        rng=call.rng,
    )


ENTRY_POINTS = {"mluOpDeformRoiPoolBackward": backward}

PARTS, PARTS_WITH_OFFSET = 5, 13
"""On-chip buffers of one channel."""

_SAMPLES_AT_ONCE = 1 << 16
_ELEMENTS_AT_ONCE = 1 << 18


class _Plan(NamedTuple):
    """The samples of some bins, bin after bin, row by row of each bin's grid."""

    bins: Ints  # of each sample
    cells: Ints  # [4, samples], counted over all images
    weights: Floats  # [4, samples]
    y: tuple[Floats, Floats]  # from the low cell, and to the high one
    x: tuple[Floats, Floats]


@np.errstate(all="ignore")
def kernel(
    grad_output: Array,
    input: Array,
    rois: Array,
    offset: Array | None,
    grad_input: Array,
    grad_offset: Array | None,
    *,
    spatial_scale: float,
    sampling_ratio: int,
    gamma: float,
    device: DeviceModel,
    rng: np.random.Generator,
) -> None:
    """Scatter the gradients. All arrays are float32, or all are float16, and so is the arithmetic.

    Parameters
    ----------
    grad_output : [n, pooled_height, pooled_width, channels]
    input, grad_input : [batches, height, width, channels]
        The latter is written: zeros, to which everything is added.
    rois : [n, 5]
        Batch index, x1, y1, x2, y2.
    offset, grad_offset : [n, 2, pooled_height, pooled_width], optional
        Along x, then along y. The latter is written likewise.
    rng : numpy.random.Generator
        Decides the order of the additions.
    """
    arithmetic = arithmetic_of(grad_input.dtype)
    channels = input.shape[3]
    regions = Regions(
        arithmetic.load(rois),
        None if offset is None else arithmetic.load(offset),
        (grad_output.shape[1], grad_output.shape[2]),
        arithmetic.scalar(spatial_scale),
        arithmetic.scalar(gamma),
        sampling_ratio,
        arithmetic,
    )
    gradients = grad_output.reshape(-1, channels)
    order = arrival_order(len(gradients), device.cores, rng)
    cells = int(np.prod(input.shape[:3]))
    sums, moved = zeros((cells, channels)), zeros((len(gradients), 2))
    limit = channel_limit(device, input.itemsize, offset is not None)
    for part in channel_slices(channels, limit):
        values, target = arithmetic.load(input.reshape(cells, channels)[:, part]), sums[:, part].copy()
        for bins in _pieces(order, regions):
            plan, counts = _plan(bins, regions, input.shape[:3])
            shares = share(arithmetic.load(gradients[bins, part]), counts, arithmetic)
            _spread(plan, shares, target, arithmetic)
            if grad_offset is not None:
                _move(plan, shares, values, factors(bins, regions), moved, bins, arithmetic)
        sums[:, part] = target
    grad_input.reshape(cells, channels)[...] = sums
    if grad_offset is not None:
        shape = (len(rois), *regions.pooled, 2)
        grad_offset[...] = moved.reshape(shape).transpose(0, 3, 1, 2)


def zeros(shape: tuple[int, ...]) -> Floats:
    """Return what the outputs are filled with before anything is added."""
    return np.zeros(shape, np.float32)


def channel_limit(device: DeviceModel, itemsize: int, with_offset: bool) -> int:
    """Return the channels that fit on chip at once."""
    parts = PARTS_WITH_OFFSET if with_offset else PARTS
    return aligned_elements(device.usable_nram_bytes // parts, itemsize)


def _pieces(order: Ints, regions: Regions) -> Iterator[Ints]:
    """Split the bins into pieces of about `_SAMPLES_AT_ONCE` samples."""
    _, y, x = axes_of(order, regions)
    samples = np.maximum(y.grid, 0) * np.maximum(x.grid, 0)
    piece = np.cumsum(samples + 1) // _SAMPLES_AT_ONCE
    yield from np.split(order, np.flatnonzero(np.diff(piece)) + 1)


def _plan(bins: Ints, regions: Regions, map_shape: tuple[int, ...]) -> tuple[_Plan, Ints]:
    """Lay out the samples of some bins; also return by how many samples each bin's gradient is divided."""
    arithmetic = regions.arithmetic
    batches, height, width = map_shape
    batch, y_axis, x_axis = axes_of(bins, regions)
    y, x = samples_of(y_axis, height, arithmetic), samples_of(x_axis, width, arithmetic)
    number = y.number * x.number
    image = to_int(batch)
    require_within(image[number > 0], batches, "batch index of a region", "images of input")
    which = np.repeat(np.arange(len(bins)), number)
    step = np.arange(len(which)) - np.repeat(np.cumsum(number) - number, number)
    row, column = np.divmod(step, x.number[which])
    rows, columns = y.first[which] + row, x.first[which] + column
    cells, weights = corners(y.taps.at(rows), x.taps.at(columns), width, arithmetic)
    cells += image[which] * (height * width)
    levers = [levers_of(axis, index, arithmetic) for axis, index in ((y, rows), (x, columns))]
    return _Plan(which, cells, weights, *levers), sample_count(y_axis.grid, x_axis.grid)


def levers_of(axis: Samples, index: Ints, arithmetic: Arithmetic) -> tuple[Floats, Floats]:
    """Return the distances of samples from their low cells and to their high cells, not clamped."""
    coordinate = axis.coordinate[index]
    low, high = axis.taps.low[index], axis.taps.high[index]
    rounded, number = arithmetic.rounded, arithmetic.number
    return rounded(coordinate - number(low)), rounded(number(high) - coordinate)


def share(gradients: Floats, counts: Ints, arithmetic: Arithmetic) -> Floats:
    """Return each bin's gradient times the reciprocal of its count of samples."""
    reciprocal = arithmetic.rounded(1 / arithmetic.number(counts))
    return arithmetic.rounded(gradients * reciprocal[:, np.newaxis])


def _spread(plan: _Plan, shares: Floats, target: Floats, arithmetic: Arithmetic) -> None:
    """Add to each sample's four cells."""
    rows = plan.cells.T.reshape(-1)
    weights = plan.weights.T.reshape(-1)
    sources = np.repeat(plan.bins, 4)

    def addends(chosen: Ints) -> Floats:
        own = shares.take(sources.take(chosen), axis=0)
        return arithmetic.rounded(own * weights.take(chosen)[:, np.newaxis])

    atomic_add(target, rows, addends, arithmetic)


def factors(bins: Ints, regions: Regions) -> Floats:
    """Return gamma times the width and the height of each bin's region, [bins, 2]."""
    arithmetic = regions.arithmetic
    edges = to_map(regions.rois[:, 1:], regions.spatial_scale, arithmetic)
    sizes = arithmetic.rounded(edges[:, 2:] - edges[:, :2])
    per_roi = arithmetic.rounded(sizes * regions.gamma)
    return per_roi[bins // (regions.pooled[0] * regions.pooled[1])]


def _move(
    plan: _Plan,
    shares: Floats,
    values: Floats,
    factor: Floats,
    moved: Floats,
    bins: Ints,
    arithmetic: Arithmetic,
) -> None:
    """Add what each sample gains along x and along y to its bin's offset gradient."""
    step = max(_ELEMENTS_AT_ONCE // values.shape[1], 1)
    for first in range(0, len(plan.bins), step):
        some = slice(first, first + step)
        own = plan.bins[some]
        near = [values.take(cells, axis=0) for cells in plan.cells[:, some]]
        gains = np.stack(
            [
                gain(terms, factor[own, axis], shares[own], arithmetic)
                for axis, terms in enumerate(
                    slopes(near, *([side[some] for side in axis] for axis in plan[3:]))
                )
            ],
            axis=1,
        )
        atomic_add(moved, bins[own], gains.__getitem__, arithmetic)


def slopes(
    near: list[Floats], y: list[Floats], x: list[Floats]
) -> tuple[list[tuple[Floats, Floats]], list[tuple[Floats, Floats]]]:
    """Return the terms of the derivatives along x and along y, in order: cells and their levers."""
    low_low, low_high, high_low, high_high = near
    (below, above), (left, right) = y, x
    along_x = [(high_high, below), (low_high, above), (high_low, -below), (low_low, -above)]
    along_y = [(high_high, left), (high_low, right), (low_high, -left), (low_low, -right)]
    return along_x, along_y


def gain(
    terms: list[tuple[Floats, Floats]], factor: Floats, shares: Floats, arithmetic: Arithmetic
) -> Floats:
    """Return the sum over the channels of each sample's derivative times its share."""
    rounded = arithmetic.rounded
    products = [rounded(values * lever[:, np.newaxis]) for values, lever in terms]
    total = products[0]
    for product in products[1:]:
        total = rounded(total + product)
    total = rounded(rounded(total * factor[:, np.newaxis]) * shares)
    return lane_sum(total, arithmetic)


def lane_sum(values: Floats, arithmetic: Arithmetic) -> Floats:
    """Sum over the last axis: lanes first, then over the lanes."""
    lanes = ALIGN_BYTES // np.dtype(arithmetic.dtype).itemsize
    padded = np.zeros((len(values), -(-values.shape[1] // lanes) * lanes), np.float32)
    padded[:, : values.shape[1]] = values
    sums = arithmetic.running_sum(padded.reshape(len(values), -1, lanes).transpose(1, 0, 2))
    return arithmetic.running_sum(sums.T)
