"""mluOpDeformRoiPoolForward: means of bilinear samples over the bins of regions, shifted by offsets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Iterator, NamedTuple

import numpy as np
from mluops.dtypes import to_numpy

from mluops_emulator import checks
from mluops_emulator.checks import Check
from mluops_emulator.operators.access import require_within
from mluops_emulator.operators.arithmetic import Arithmetic, arithmetic_of, to_int
from mluops_emulator.operators.bilinear import Taps, axis_taps, corners, is_inside
from mluops_emulator.operators.tasks import aligned_elements, channel_slices, tasks_of_all

if TYPE_CHECKING:
    from mluops.constants import mluOpStatus_t

    from mluops_emulator.call import Call
    from mluops_emulator.device import DeviceModel
    from mluops_emulator.operators.arrays import Array, Bools, Floats, Ints

CHECKS = (
    *checks.not_null("handle", "input_desc", "rois_desc", "output_desc"),
    *checks.layout_is(checks.NHWC, "input_desc", "output_desc"),
    # The library reads four dimensions of these without a look at the rank.
    Check("input_desc must have at least 4 dimensions", lambda call: call["input_desc"].rank >= 4),
    Check("output_desc must have at least 4 dimensions", lambda call: call["output_desc"].rank >= 4),
    *checks.contiguous("input_desc", "rois_desc", "output_desc"),
    *checks.given("offset_desc", *checks.contiguous("offset_desc")),
    checks.dtype_in("input_desc", checks.HALF, checks.FLOAT),
    *checks.same_dtype("input_desc", "rois_desc", "output_desc"),
    *checks.rank_is(2, "rois_desc"),
    checks.dim_is("rois_desc", 1, 5),
    *checks.positive("pooled_height", "pooled_width"),
    checks.dim_is("output_desc", 1, "pooled_height"),
    checks.dim_is("output_desc", 2, "pooled_width"),
    *checks.given(
        "offset_desc",
        *checks.same_dtype("input_desc", "offset_desc"),
        *checks.rank_is(4, "offset_desc"),
        *checks.dims_equal("offset_desc", (0,), "rois_desc", (0,)),
        checks.dim_is("offset_desc", 1, 2),
        checks.dim_is("offset_desc", 2, "pooled_height"),
        checks.dim_is("offset_desc", 3, "pooled_width"),
        *checks.element_limit("offset_desc"),
    ),
    *checks.dims_equal("rois_desc", (0,), "output_desc", (0,)),
    *checks.dims_equal("input_desc", (3,), "output_desc", (3,)),
    *checks.element_limit("input_desc", "rois_desc", "output_desc"),
    Check(
        "offset_desc and offset must both be NULL or both not",
        lambda call: (call["offset_desc"] is None) == (call["offset"] is None),
    ),
    Check("input_desc dims[0] must not be 0", lambda call: call["input_desc"].dims[0] != 0),
    *checks.no_zero_elements("rois_desc", "output_desc"),
    checks.done_unless("the map has pixels", lambda call: call["input_desc"].element_num != 0),
    *checks.not_null("input", "rois", "output"),
)


def forward(call: Call) -> mluOpStatus_t:
    return checks.launch(CHECKS, call, lambda: _run(call))


def _run(call: Call) -> None:
    dtype = to_numpy(call["input_desc"].dtype)
    offset = call["offset_desc"]
    kernel(
        call.array("input", dtype, call["input_desc"].dims[:4]),
        call.array("rois", dtype, call["rois_desc"].dims),
        None if offset is None else call.array("offset", dtype, offset.dims),
        call.array("output", dtype, call["output_desc"].dims[:4], write=True),
        spatial_scale=call["spatial_scale"],
        sampling_ratio=call["sampling_ratio"],
        gamma=call["gamma"],
        device=call.device,
    )


ENTRY_POINTS = {"mluOpDeformRoiPoolForward": forward}

_BINS_AT_ONCE = 1 << 11
_BLOCK_ELEMENTS = 1 << 14  # sums in flight: they and the four corners stay in the host's cache
_PLAN_SAMPLES = 1 << 16  # samples whose cells and weights are computed at once

_INT32_END = 2.0**31


@dataclass(frozen=True)
class Regions:
    """Regions as the kernel reads them; coordinates and scalars are on the storage type's grid."""

    rois: Floats  # [n, 5]
    offset: Floats | None  # [n, 2, pooled_height, pooled_width]
    pooled: tuple[int, int]
    spatial_scale: Floats
    gamma: Floats
    sampling_ratio: int
    arithmetic: Arithmetic


class Axis(NamedTuple):
    """Bins along one axis of the map, one element a bin."""

    start: Floats  # of the region, with the bin's shift
    bin_size: Floats
    position: Ints  # of the bin in its region
    grid: Ints  # samples

    def at(self, bins: Ints) -> Axis:
        return Axis(self.start[bins], self.bin_size[bins], self.position[bins], self.grid[bins])


class Samples(NamedTuple):
    """The samples of an axis that are inside the map, bin after bin."""

    taps: Taps
    first: Ints  # of each bin
    number: Ints
    coordinate: Floats


@np.errstate(all="ignore")
def kernel(
    input: Array,
    rois: Array,
    offset: Array | None,
    output: Array,
    *,
    spatial_scale: float,
    sampling_ratio: int,
    gamma: float,
    device: DeviceModel,
) -> None:
    """Pool every region. All arrays are float32, or all are float16, and so is the arithmetic.

    Parameters
    ----------
    input : [batches, height, width, channels]
    rois : [n, 5]
        Batch index, x1, y1, x2, y2.
    offset : [n, 2, pooled_height, pooled_width], optional
        Shifts of bins along x and along y, in units of gamma times the region's size.
    output : [n, pooled_height, pooled_width, channels]
        Written.
    """
    arithmetic = arithmetic_of(output.dtype)
    regions = Regions(
        arithmetic.load(rois),
        None if offset is None else arithmetic.load(offset),
        (output.shape[1], output.shape[2]),
        arithmetic.scalar(spatial_scale),
        arithmetic.scalar(gamma),
        sampling_ratio,
        arithmetic,
    )
    pixels, pooled = input.reshape(-1, input.shape[3]), output.reshape(-1, input.shape[3])
    tasks = tasks_of_all(len(pooled), device.cores)
    for part in channel_slices(input.shape[3], channel_limit(device, input.itemsize)):
        channels = arithmetic.load(pixels[:, part])
        for first in range(0, len(tasks), _BINS_AT_ONCE):
            bins = tasks[first : first + _BINS_AT_ONCE]
            pooled[bins, part] = _pool(bins, regions, channels, input.shape[:3])


def channel_limit(device: DeviceModel, itemsize: int) -> int:
    """Channels that fit on chip at once: the sums, and four corners twice, to load while computing."""
    return aligned_elements(device.usable_nram_bytes // 9, itemsize)


def _pool(bins: Ints, regions: Regions, channels: Floats, map_shape: tuple[int, ...]) -> Floats:
    """The outputs of the given bins, float32 [bins, channels]."""
    arithmetic = regions.arithmetic
    batches, height, width = map_shape
    batch, y_axis, x_axis = axes_of(bins, regions)
    y, x = samples_of(y_axis, height, arithmetic), samples_of(x_axis, width, arithmetic)
    image = to_int(batch)
    sampled = (y.number * x.number) > 0
    require_within(image[sampled], batches, "batch index of a region", "images of input")
    sums = _sum_samples(channels, image * (height * width), y, x, width, arithmetic)
    return mean(sums, sample_count(y_axis.grid, x_axis.grid)[:, np.newaxis], arithmetic)


def axes_of(bins: Ints, regions: Regions) -> tuple[Floats, Axis, Axis]:
    """Return the batch index of each bin's region, and the bins along y and along x."""
    roi, row, column = np.unravel_index(bins, (len(regions.rois), *regions.pooled))
    batch, x1, y1, x2, y2 = regions.rois[roi].T
    x_shift, y_shift = None, None
    if regions.offset is not None:
        x_shift, y_shift = regions.offset[roi, :, row, column].T
    y_axis = axis_of(y1, y2, y_shift, row, regions.pooled[0], regions)
    x_axis = axis_of(x1, x2, x_shift, column, regions.pooled[1], regions)
    return batch, y_axis, x_axis


def axis_of(
    low: Floats, high: Floats, shift: Floats | None, position: Ints, pooled: int, regions: Regions
) -> Axis:
    arithmetic = regions.arithmetic
    start = to_map(low, regions.spatial_scale, arithmetic)
    extent = arithmetic.rounded(to_map(high, regions.spatial_scale, arithmetic) - start)
    bin_size = arithmetic.rounded(extent / arithmetic.scalar(pooled))
    if shift is not None:
        start = shifted(start, extent, shift, regions.gamma, arithmetic)
    return Axis(start, bin_size, position, grid_size(bin_size, regions.sampling_ratio))


def to_map(coordinate: Floats, scale: Floats, arithmetic: Arithmetic) -> Floats:
    """From image to map coordinates, half a cell back."""
    return arithmetic.rounded(arithmetic.rounded(coordinate * scale) - np.float32(0.5))


def shifted(start: Floats, extent: Floats, shift: Floats, gamma: Floats, arithmetic: Arithmetic) -> Floats:
    """The start of a region, moved for one of its bins."""
    distance = arithmetic.rounded(arithmetic.rounded(extent * gamma) * shift)
    return arithmetic.rounded(start + distance)


def grid_size(bin_size: Floats, sampling_ratio: int) -> Ints:
    """Samples of each bin along an axis: `sampling_ratio`, or one a cell begun; none for sizes beyond int."""
    if sampling_ratio > 0:
        return np.full(bin_size.shape, sampling_ratio, np.int64)
    cells = np.ceil(bin_size)
    return np.where(np.abs(cells) < _INT32_END, to_int(cells), 0)


def sample_coordinate(axis: Axis, index: Ints, arithmetic: Arithmetic) -> Floats:
    """The coordinate start + position * bin_size + (index + 0.5) * bin_size / grid, rounded at each step."""
    distance = arithmetic.rounded(arithmetic.number(axis.position) * axis.bin_size)
    step = arithmetic.rounded(arithmetic.number(index) + np.float32(0.5))
    step = arithmetic.rounded(arithmetic.rounded(step * axis.bin_size) / arithmetic.number(axis.grid))
    return arithmetic.rounded(arithmetic.rounded(axis.start + distance) + step)


def samples_of(axis: Axis, size: int, arithmetic: Arithmetic) -> Samples:
    grid = np.maximum(axis.grid, 0)
    bins = np.repeat(np.arange(len(grid)), grid)
    index = np.arange(len(bins)) - np.repeat(np.cumsum(grid) - grid, grid)
    coordinate = sample_coordinate(axis.at(bins), index, arithmetic)
    inside = is_inside(coordinate, arithmetic.scalar(size))
    number = np.bincount(bins[inside], minlength=len(grid))
    coordinate = coordinate[inside]
    taps = axis_taps(coordinate, size, arithmetic)
    return Samples(taps, np.cumsum(number) - number, number, coordinate)


def _sum_samples(
    channels: Floats, image: Ints, y: Samples, x: Samples, width: int, arithmetic: Arithmetic
) -> Floats:
    """Sums of the samples of each bin, [bins, channels]; many bins advance together, sample by sample.

    `image` is the first cell of each bin's map.
    """
    sums = np.zeros((len(image), channels.shape[1]), np.float32)
    number = y.number * x.number
    order = np.argsort(-number, kind="stable")[: np.count_nonzero(number)]
    block = max(_BLOCK_ELEMENTS // channels.shape[1], 1)
    for first in range(0, len(order), block):
        bins = order[first : first + block]
        total = np.zeros((len(bins), channels.shape[1]), np.float32)
        for cells, weights, exists in plan_samples(bins, image, y, x, width, block, arithmetic):
            accumulate(
                total[: exists.shape[1]], sample(channels, cells, weights, arithmetic), exists, arithmetic
            )
        sums[bins] = total
    return sums


def plan_samples(
    bins: Ints, image: Ints, y: Samples, x: Samples, width: int, block: int, arithmetic: Arithmetic
) -> Iterator[tuple[Ints, Floats, Bools]]:
    """The next samples of the first k bins, those that have any left: about `block` samples in all.

    The bins come by descending number of samples; the samples of each, row by row of its grid.

    Yields
    ------
    cells, weights : [4, steps, k]
    exists : bool [steps, k]
        False for samples beyond a bin's number, all True in the first step.
    """
    number = y.number[bins] * x.number[bins]
    planned = max(_PLAN_SAMPLES // len(bins), 1)
    together = max(block // len(bins), 1)
    for first in range(0, number[0], planned):
        step = np.arange(first, min(first + planned, number[0]))[:, np.newaxis]
        row, column = np.divmod(np.minimum(step, number - 1), x.number[bins])
        cells, weights = corners(
            y.taps.at(y.first[bins] + row), x.taps.at(x.first[bins] + column), width, arithmetic
        )
        cells += image[bins]
        exists = step < number
        left = exists.sum(axis=1)
        for i in range(0, len(step), together):
            steps, bins_left = slice(i, i + together), slice(left[i])
            yield cells[:, steps, bins_left], weights[:, steps, bins_left], exists[steps, bins_left]


def sample(channels: Floats, cells: Ints, weights: Floats, arithmetic: Arithmetic) -> Floats:
    """Interpolated values, [steps, k, channels]."""
    values = channels.take(cells.ravel(), axis=0).reshape(*cells.shape, -1)
    return interpolate(values, weights[..., np.newaxis], arithmetic)


def accumulate(total: Floats, values: Floats, exists: Bools, arithmetic: Arithmetic) -> None:
    """Add values to `total` [k, channels], step after step."""
    if len(values) > 1:
        values[~exists] = 0
    for value in values:
        total += value
        arithmetic.rounded(total)


def interpolate(values: Floats, weights: Floats, arithmetic: Arithmetic) -> Floats:
    """Values times weights, summed over the first axis from its first element; spoils `values`."""
    values *= weights
    arithmetic.rounded(values)
    total: Floats = values[0]
    for product in values[1:]:
        total += product
        arithmetic.rounded(total)
    return total


def sample_count(grid_height: Ints, grid_width: Ints) -> Ints:
    """Return the divisor of a bin's sum: the number of its samples, those outside the map included."""
    samples: Ints = grid_height * grid_width
    return np.maximum(samples, 1)


def mean(sums: Floats, count: Ints, arithmetic: Arithmetic) -> Floats:
    """Sums times the reciprocal of the count, which is 0 in half for counts beyond 65504."""
    reciprocal = arithmetic.rounded(1 / arithmetic.number(count))
    return arithmetic.rounded(sums * reciprocal)
