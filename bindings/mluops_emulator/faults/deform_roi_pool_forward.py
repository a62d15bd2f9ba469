"""Faults of mluOpDeformRoiPoolForward."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable

import numpy as np

from mluops_emulator import checks
from mluops_emulator.call import Call
from mluops_emulator.faults.alterations import (
    after,
    answering,
    checked_last,
    given,
    instead,
    whole_slices,
    without,
)
from mluops_emulator.faults.common import LATE, outputs_late
from mluops_emulator.faults.fault import faults_of
from mluops_emulator.faults.process import deadlock
from mluops_emulator.operators import deform_roi_pool_forward as deform

if TYPE_CHECKING:
    from mluops_emulator.operators.bilinear import Taps

OFFSET_PAIR = "offset_desc and offset must both be NULL or both not"
POOLED_WIDTH = "output_desc dims[2] must be pooled_width"
PIXELS = "the map has pixels"
STRIDES = "input_desc must be contiguous"


def offset_swapped(input: Any, rois: Any, offset: Any, output: Any) -> tuple[Any, ...]:
    return input, rois, None if offset is None else offset[:, ::-1], output


def axes_swapped(input: Any, rois: Any, offset: Any, output: Any) -> tuple[Any, ...]:
    return input, rois[:, [0, 2, 1, 4, 3]], offset, output


def first_image(input: Any, rois: Any, offset: Any, output: Any) -> tuple[Any, ...]:
    return input, rois * np.array([0, 1, 1, 1, 1], rois.dtype), offset, output


def by_column(right: Callable[..., Any]) -> Any:
    """Lay the bins of each region out column by column."""

    def altered(input: Any, rois: Any, offset: Any, output: Any, **scalars: Any) -> None:
        right(input, rois, offset, output, **scalars)
        output[:] = output.transpose(0, 2, 1, 3).reshape(output.shape)

    return altered


def last_bit(right: Callable[..., Any]) -> Any:
    """Change the last bit of one element, another one in each call."""
    random = np.random.default_rng()

    def altered(input: Any, rois: Any, offset: Any, output: Any, **scalars: Any) -> None:
        right(input, rois, offset, output, **scalars)
        output.reshape(-1).view(np.uint8)[output.itemsize * random.integers(output.size)] ^= 1

    return altered


def without_gamma(start: Any, extent: Any, shift: Any, gamma: Any, arithmetic: Any) -> tuple[Any, ...]:
    return start, extent, shift, np.float32(1), arithmetic


def subtracted(start: Any, extent: Any, shift: Any, gamma: Any, arithmetic: Any) -> tuple[Any, ...]:
    return start, extent, -shift, gamma, arithmetic


def unshifted(coordinate: Any, scale: Any, arithmetic: Any) -> Any:
    return arithmetic.rounded(coordinate * scale)


def at_corner(axis: Any, index: Any, arithmetic: Any) -> tuple[Any, ...]:
    return axis, index - 0.5, arithmetic


def floored(bin_size: Any, sampling_ratio: int) -> tuple[Any, ...]:
    return np.floor(bin_size), sampling_ratio


def above_minus_one(coordinate: Any, size: Any) -> Any:
    return ~((coordinate <= -1) | (coordinate > size))


def below_size(coordinate: Any, size: Any) -> Any:
    return ~((coordinate < -1) | (coordinate >= size))


def on_pixels(coordinate: Any, size: Any) -> Any:
    return ~((coordinate < 0) | (coordinate > size - 1))


def weights_swapped(taps: Taps) -> Taps:
    return taps._replace(low_weight=taps.high_weight, high_weight=taps.low_weight)


def whole_rounds(tasks: int, cores: int) -> tuple[int, int]:
    """Forget the tasks left over when all cores have had as many."""
    return tasks - tasks % cores, cores


def zero_weights_skipped(right: Callable[..., Any]) -> Any:
    return lambda values, weights, arithmetic: right(np.where(weights == 0, 0, values), weights, arithmetic)


FAULTS = faults_of(
    "deform_roi_pool_forward",
    ("offset-swapped", deform, "kernel", given(offset_swapped), "the channels of offset are read as (y, x)"),
    ("axes-swapped", deform, "kernel", given(axes_swapped), "rois are read as (y1, x1, y2, x2)"),
    ("first-image", deform, "kernel", given(first_image), "every region is pooled from the first image"),
    ("by-column", deform, "kernel", by_column, "the bins of a region are written column by column"),
    ("last-bit", deform, "kernel", last_bit, "equal calls differ in the last bit of some element"),
    ("hang", deform, "kernel", instead(deadlock), "the kernel never ends", True),
    ("gamma-ignored", deform, "shifted", given(without_gamma), "gamma counts as 1"),
    ("offset-sign", deform, "shifted", given(subtracted), "offsets are subtracted"),
    ("half-cell-missing", deform, "to_map", instead(unshifted), "coordinates lack the shift by -0.5"),
    ("sample-shift", deform, "sample_coordinate", given(at_corner), "samples are not moved by half a step"),
    ("edge-first", deform, "is_inside", instead(above_minus_one), "samples at -1 are outside"),
    ("edge-last", deform, "is_inside", instead(below_size), "samples at the size of the map are outside"),
    ("edge-strip", deform, "is_inside", instead(on_pixels), "samples beyond the outer pixels are outside"),
    ("weights-swapped", deform, "axis_taps", after(weights_swapped), "each neighbour has the other's weight"),
    ("zero-weights", deform, "interpolate", zero_weights_skipped, "NaN does not spread with weight 0"),
    ("grid-floor", deform, "grid_size", given(floored), "a cell begun by a bin has no sample"),
    ("ratio-ignored", deform, "grid_size", given(lambda size, _: (size, 0)), "sampling_ratio counts as 0"),
    ("empty-roi", deform, "sample_count", instead(lambda h, w: h * w), "an empty region divides 0 by 0"),
    ("sum", deform, "mean", instead(lambda sums, *_: sums), "samples are summed, and not divided"),
    ("half-in-float", deform, "arithmetic_of", given(lambda _: (np.float16,)), "float is computed in half"),
    ("bins-left-over", deform, "tasks_of_all", given(whole_rounds), "the bins of the last round are lost"),
    ("channels-left-over", deform, "channel_slices", instead(whole_slices), "the last slice is lost"),
    ("no-pixels-late", deform, "CHECKS", checked_last(PIXELS), "no pixels need pointers all the same"),
    ("offset-unpaired", deform, "CHECKS", without(OFFSET_PAIR), "offset without its descriptor is accepted"),
    ("any-columns", deform, "CHECKS", without(POOLED_WIDTH), "output may have any number of columns"),
    ("stride-status", deform, "CHECKS", answering(checks.BAD_PARAM, STRIDES), "strides are a bad parameter"),
    ("outputs-late", Call, "enqueue", outputs_late(deform.ENTRY_POINTS), LATE),
)
