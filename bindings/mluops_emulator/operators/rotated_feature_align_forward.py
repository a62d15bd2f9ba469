"""mluOpRotatedFeatureAlignForward: each pixel gains bilinear samples of the map at the points of its box."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from mluops.dtypes import to_numpy

from mluops_emulator import checks
from mluops_emulator.checks import Check
from mluops_emulator.operators.arithmetic import Arithmetic, arithmetic_of
from mluops_emulator.operators.bilinear import axis_taps, corners, is_inside
from mluops_emulator.operators.rotated_feature_align_backward import channel_limit, sample_points
from mluops_emulator.operators.tasks import channel_slices, tasks_of_all

if TYPE_CHECKING:
    from mluops.constants import mluOpStatus_t

    from mluops_emulator.call import Call
    from mluops_emulator.device import DeviceModel
    from mluops_emulator.operators.arrays import Array, Floats, Ints

_DESCRIPTORS = ("input_desc", "bboxes_desc", "output_desc")

CHECKS = (
    *checks.not_null("handle", *_DESCRIPTORS),
    *checks.rank_is(4, *_DESCRIPTORS),
    checks.dtype_in("input_desc", checks.HALF, checks.FLOAT),
    *checks.same_dtype("input_desc", "bboxes_desc", "output_desc"),
    *checks.layout_is(checks.NHWC, "input_desc", "output_desc"),
    *checks.contiguous(*_DESCRIPTORS),
    *checks.dims_equal("output_desc", range(4), "input_desc", range(4)),
    *checks.dims_equal("bboxes_desc", range(3), "input_desc", range(3)),
    checks.dim_is("bboxes_desc", 3, 5),
    *checks.element_limit("input_desc", "output_desc", "bboxes_desc"),
    *checks.no_zero_elements(*_DESCRIPTORS),
    Check("points must be 1 or 5", lambda call: call["points"] in (1, 5)),
    *checks.positive("spatial_scale"),
    *checks.not_null("input", "bboxes", "output"),
)


def forward(call: Call) -> mluOpStatus_t:
    return checks.launch(CHECKS, call, lambda: _run(call))


def _run(call: Call) -> None:
    dtype = to_numpy(call["input_desc"].dtype)
    kernel(
        call.array("input", dtype, call["input_desc"].dims),
        call.array("bboxes", dtype, call["bboxes_desc"].dims),
        call.array("output", dtype, call["output_desc"].dims, write=True),
        spatial_scale=call["spatial_scale"],
        points=call["points"],
        device=call.device,
    )


ENTRY_POINTS = {"mluOpRotatedFeatureAlignForward": forward}

_ELEMENTS_AT_ONCE = 1 << 16  # sums in flight: they and a corner stay in the host's cache


@np.errstate(all="ignore")
def kernel(
    input: Array,
    bboxes: Array,
    output: Array,
    *,
    spatial_scale: float,
    points: int,
    device: DeviceModel,
) -> None:
    """Add the samples. All arrays are float32, or all are float16, and so is the arithmetic.

    Parameters
    ----------
    input, output : [batches, height, width, channels]
    bboxes : [batches, height, width, 5]
        Centre y, centre x, width, height, angle in radians.
    """
    arithmetic = arithmetic_of(output.dtype)
    channels = input.shape[3]
    source, target = input.reshape(-1, channels), output.reshape(-1, channels)
    boxes = arithmetic.load(bboxes).reshape(-1, 5)
    scale = arithmetic.scalar(spatial_scale)
    tasks = tasks_of_all(len(source), device.cores)
    for part in channel_slices(channels, channel_limit(device, input.itemsize)):
        values = arithmetic.load(source[:, part])
        step = max(_ELEMENTS_AT_ONCE // values.shape[1], 1)
        for first in range(0, len(tasks), step):
            pixels = tasks[first : first + step]
            y, x = sample_points(boxes[pixels], scale, points, arithmetic)
            target[pixels, part] = _sums(pixels, values, y, x, input.shape[1:3], arithmetic)


def _sums(
    pixels: Ints, values: Floats, y: Floats, x: Floats, map_shape: tuple[int, ...], arithmetic: Arithmetic
) -> Floats:
    """Return the pixels' own values with the samples of all their points; `y` and `x` are [points, n]."""
    height, width = map_shape
    sums = values[pixels]
    image = first_cell(pixels, height * width)
    inside = is_inside(y, arithmetic.scalar(height)) & is_inside(x, arithmetic.scalar(width))
    for point_y, point_x, counted in zip(y, x, inside):
        chosen = np.flatnonzero(counted)
        cells, weights = corners(
            axis_taps(point_y[chosen], height, arithmetic),
            axis_taps(point_x[chosen], width, arithmetic),
            width,
            arithmetic,
        )
        own = sums[chosen]
        for cell, weight in zip(cells + image[chosen], weights):
            own = add(own, values[cell], weight[:, np.newaxis], arithmetic)
        sums[chosen] = own
    return sums


def first_cell(pixels: Ints, cells: int) -> Ints:
    """Return the first cell of each pixel's image."""
    return pixels - pixels % cells


def add(sums: Floats, values: Floats, weights: Floats, arithmetic: Arithmetic) -> Floats:
    """Return the sums with one corner's products, each operation rounded."""
    return arithmetic.rounded(sums + arithmetic.rounded(values * weights))
