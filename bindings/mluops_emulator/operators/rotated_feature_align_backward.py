"""mluOpRotatedFeatureAlignBackward: the gradient of each pixel goes to where its box sampled the map."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from mluops.dtypes import to_numpy

from mluops_emulator import checks
from mluops_emulator.checks import Check
from mluops_emulator.operators.arithmetic import Arithmetic, arithmetic_of
from mluops_emulator.operators.atomics import atomic_add
from mluops_emulator.operators.bilinear import axis_taps, corners, is_inside
from mluops_emulator.operators.tasks import aligned_elements, arrival_order, channel_slices

if TYPE_CHECKING:
    from mluops.constants import mluOpStatus_t

    from mluops_emulator.call import Call
    from mluops_emulator.device import DeviceModel
    from mluops_emulator.operators.arrays import Array, Floats, Ints

_DESCRIPTORS = ("top_output_desc", "bboxes_desc", "bottom_input_desc")

CHECKS = (
    *checks.not_null("handle", *_DESCRIPTORS),
    *checks.rank_is(4, *_DESCRIPTORS),
    checks.dtype_in("top_output_desc", checks.HALF, checks.FLOAT),
    *checks.same_dtype("top_output_desc", "bboxes_desc", "bottom_input_desc"),
    *checks.layout_is(checks.NHWC, "top_output_desc", "bottom_input_desc"),
    *checks.contiguous(*_DESCRIPTORS),
    *checks.dims_equal("top_output_desc", range(4), "bottom_input_desc", range(4)),
    *checks.dims_equal("top_output_desc", range(3), "bboxes_desc", range(3)),
    checks.dim_is("bboxes_desc", 3, 5),
    Check("points must be 1 or 5", lambda call: call["points"] in (1, 5)),
    *checks.positive("spatial_scale"),
    *checks.element_limit(*_DESCRIPTORS),
    *checks.no_zero_elements(*_DESCRIPTORS),
    *checks.not_null("top_output", "bboxes", "bottom_input"),
)


def backward(call: Call) -> mluOpStatus_t:
    return checks.launch(CHECKS, call, lambda: _run(call))


def _run(call: Call) -> None:
    dtype = to_numpy(call["top_output_desc"].dtype)
    kernel(
        call.array("top_output", dtype, call["top_output_desc"].dims),
        call.array("bboxes", dtype, call["bboxes_desc"].dims),
        call.array("bottom_input", dtype, call["bottom_input_desc"].dims, write=True),
        spatial_scale=call["spatial_scale"],
        points=call["points"],
        device=call.device,
        rng=call.rng,
    )


ENTRY_POINTS = {"mluOpRotatedFeatureAlignBackward": backward}

_BOX_BYTES = 64
_SEGMENTS = 10  # a gradient and its products for four corners, twice, to load while computing


class _Additions(NamedTuple):
    """Atomic additions by arrival: to which cell, of which pixel's gradient, times which weight."""

    cells: Ints
    pixels: Ints
    weights: Floats


@np.errstate(all="ignore")
def kernel(
    top_output: Array,
    bboxes: Array,
    bottom_input: Array,
    *,
    spatial_scale: float,
    points: int,
    device: DeviceModel,
    rng: np.random.Generator,
) -> None:
    """Scatter the gradients. All arrays are float32, or all are float16, and so is the arithmetic.

    Parameters
    ----------
    top_output : [batches, height, width, channels]
    bboxes : [batches, height, width, 5]
        Centre y, centre x, width, height, angle in radians.
    bottom_input : [batches, height, width, channels]
        Written: zeros, to which everything is added.
    rng : numpy.random.Generator
        Decides the order of the additions.
    """
    arithmetic = arithmetic_of(bottom_input.dtype)
    pixels, channels = bboxes.size // 5, top_output.shape[3]
    order = arrival_order(pixels, device.cores, rng)
    y, x = sample_points(
        arithmetic.load(bboxes).reshape(-1, 5)[order], arithmetic.scalar(spatial_scale), points, arithmetic
    )
    additions = _additions(order, y, x, top_output.shape[1:3], arithmetic)
    top, bottom = top_output.reshape(pixels, channels), bottom_input.reshape(pixels, channels)
    for part in channel_slices(channels, channel_limit(device, top.itemsize)):
        bottom[:, part] = _scatter(arithmetic.load(top[:, part]), additions, arithmetic)


def channel_limit(device: DeviceModel, itemsize: int) -> int:
    """Channels that fit on chip at once, beside the box."""
    return aligned_elements((device.usable_nram_bytes - _BOX_BYTES) // _SEGMENTS, itemsize)


def _scatter(gradient: Floats, additions: _Additions, arithmetic: Arithmetic) -> Floats:
    def addends(chosen: Ints) -> Floats:
        rows = gradient.take(additions.pixels.take(chosen), axis=0)
        return weighted(rows, additions.weights.take(chosen)[:, np.newaxis], arithmetic)

    result = np.zeros_like(gradient)
    atomic_add(result, additions.cells, addends, arithmetic)
    return result


def weighted(gradient: Floats, weights: Floats, arithmetic: Arithmetic) -> Floats:
    """Return a corner's share of a gradient; overwrite `gradient`."""
    gradient *= weights
    return arithmetic.rounded(gradient)


def _additions(
    order: Ints, y: Floats, x: Floats, map_shape: tuple[int, ...], arithmetic: Arithmetic
) -> _Additions:
    """Pixel by pixel in `order`: the corners of its points (y and x, [points, n]), then the pixel itself."""
    height, width = map_shape
    inside = is_inside(y, arithmetic.scalar(height)) & is_inside(x, arithmetic.scalar(width))
    cells = np.empty((4, *y.shape), np.int64)
    weights = np.empty((4, *y.shape), np.float32)
    cells[:, inside], weights[:, inside] = corners(
        axis_taps(y[inside], height, arithmetic), axis_taps(x[inside], width, arithmetic), width, arithmetic
    )
    cells += order - order % (height * width)
    made = _by_pixel(np.broadcast_to(inside, cells.shape), np.ones(len(order), bool))
    return _Additions(
        _by_pixel(cells, order)[made],
        np.broadcast_to(order[:, np.newaxis], made.shape)[made],
        _by_pixel(weights, np.ones(len(order), np.float32))[made],
    )


def _by_pixel(of_corners: Array, of_pixel: Array) -> Array:
    """[corner, point, n] and [n] to [n, points * corners + 1]."""
    return np.column_stack([of_corners.T.reshape(len(of_pixel), -1), of_pixel])


def sample_points(boxes: Floats, scale: Floats, points: int, arithmetic: Arithmetic) -> tuple[Floats, Floats]:
    """Return the cells at which boxes [n, 5] sample the map: the centre, and for 5 points the corners too.

    Returns
    -------
    y, x : float32 [points, n]
    """
    y, x, width, height = (arithmetic.rounded(field * scale) for field in boxes.T[:4])
    if points == 1:
        return y[np.newaxis], x[np.newaxis]
    cosine, sine = arithmetic.rounded(np.cos(boxes[:, 4])), arithmetic.rounded(np.sin(boxes[:, 4]))
    return (
        _centre_and_corners(
            y, half_extent(width, sine, arithmetic), half_extent(height, cosine, arithmetic), arithmetic
        ),
        _centre_and_corners(
            x, half_extent(width, cosine, arithmetic), half_extent(height, -sine, arithmetic), arithmetic
        ),
    )


def half_extent(size: Floats, direction: Floats, arithmetic: Arithmetic) -> Floats:
    """One coordinate of the vector from the centre to a side."""
    return arithmetic.rounded(arithmetic.rounded(size * np.float32(0.5)) * direction)


def _centre_and_corners(centre: Floats, along: Floats, across: Floats, arithmetic: Arithmetic) -> Floats:
    """One coordinate of the points: the centre, then (+, +), (-, +), (-, -), (+, -) along and across."""
    far, near = arithmetic.rounded(centre + along), arithmetic.rounded(centre - along)
    return arithmetic.rounded(np.stack([centre, far + across, near + across, near - across, far - across]))
