"""Faults of mluOpDeformRoiPoolBackward."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np

from mluops_emulator import checks
from mluops_emulator.call import Call
from mluops_emulator.faults import alterations
from mluops_emulator.faults.alterations import (
    answering,
    checked_last,
    given,
    given_scalar,
    instead,
    whole_slices,
    without,
)
from mluops_emulator.faults.common import EARLY, inputs_early
from mluops_emulator.faults.fault import faults_of
from mluops_emulator.operators import deform_roi_pool_backward as deform
from mluops_emulator.operators import deform_roi_pool_forward as forward

PAIR = "offset_desc and offset must both be NULL or both not"
GRADIENT_PAIR = "grad_offset_desc and grad_offset must both be NULL or both not"
BOTH = "offset and grad_offset must both be NULL or both not"
DIMENSIONS = "grad_input_desc must have the dimensions of input_desc"
PIXELS = "the map has pixels"
STRIDES = "grad_offset_desc must be contiguous"
COLUMNS = "grad_output_desc dims[2] must be pooled_width"
SHAPE = "grad_offset_desc dims[3] must be pooled_width"

ROIS, OFFSET, GRAD_INPUT, GRAD_OFFSET = 2, 3, 4, 5
"""The indices of the kernel's arrays."""


def changed(position: int, change: Callable[[Any], Any]) -> Any:
    """Give the kernel another array in the place of one that is there."""

    def arrays(*arrays: Any) -> tuple[Any, ...]:
        return tuple(
            change(array) if place == position and array is not None else array
            for place, array in enumerate(arrays)
        )

    return given(arrays)


def first_image(rois: Any) -> Any:
    return rois * np.array([0, 1, 1, 1, 1], rois.dtype)


def afterwards(position: int, change: Callable[[Any], Any]) -> Any:
    """Change an output in its place when the kernel has ended."""

    def alter(right: Callable[..., Any]) -> Any:
        def altered(*arrays: Any, **scalars: Any) -> None:
            right(*arrays, **scalars)
            if arrays[position] is not None:
                arrays[position][...] = change(arrays[position])

        return altered

    return alter


def kept(position: int) -> Any:
    """Add to what an output held before."""

    def alter(right: Callable[..., Any]) -> Any:
        def altered(*arrays: Any, **scalars: Any) -> None:
            before = None if arrays[position] is None else arrays[position].copy()
            right(*arrays, **scalars)
            if before is not None:
                arrays[position][...] += before

        return altered

    return alter


def clamped(axis: Any, index: Any, arithmetic: Any) -> Any:
    """Give the distances of the coordinate that the weights are of."""
    taps = axis.taps.at(index)
    return taps.high_weight, taps.low_weight


def cells_of_a_row_swapped(near: Any, y: Any, x: Any) -> tuple[Any, ...]:
    low_low, low_high, high_low, high_high = near
    return [low_high, low_low, high_high, high_low], y, x


def rows_swapped(near: Any, y: Any, x: Any) -> tuple[Any, ...]:
    low_low, low_high, high_low, high_high = near
    return [high_low, high_high, low_low, low_high], y, x


def first_lanes(values: Any, arithmetic: Any) -> tuple[Any, ...]:
    """Leave out channels behind the last whole vector, where there is one."""
    lanes = 128 // np.dtype(arithmetic.dtype).itemsize
    whole = values.shape[1] // lanes * lanes
    return (values[:, :whole] if whole else values), arithmetic


def above_minus_one(coordinate: Any, size: Any) -> Any:
    return ~((coordinate <= -1) | (coordinate > size))


def below_size(coordinate: Any, size: Any) -> Any:
    return ~((coordinate < -1) | (coordinate >= size))


def on_pixels(coordinate: Any, size: Any) -> Any:
    return ~((coordinate < 0) | (coordinate > size - 1))


def not_shared(gradients: Any, counts: Any, arithmetic: Any) -> Any:
    return gradients


def one_too_many(gradients: Any, counts: Any, arithmetic: Any) -> tuple[Any, ...]:
    return gradients, counts + 1, arithmetic


def not_zeroed(shape: tuple[int, ...]) -> Any:
    return np.full(shape, 0.25, np.float32)


FAULTS = faults_of(
    "deform_roi_pool_backward",
    ("offset-swapped", deform, "kernel", changed(OFFSET, lambda a: a[:, ::-1]), "offset is read as (y, x)"),
    (
        "gradients-swapped",
        deform,
        "kernel",
        afterwards(GRAD_OFFSET, lambda a: a[:, ::-1].copy()),
        "grad_offset is written as (y, x)",
    ),
    (
        "axes-swapped",
        deform,
        "kernel",
        changed(ROIS, lambda a: a[:, [0, 2, 1, 4, 3]]),
        "rois are read as (y1, x1, y2, x2)",
    ),
    ("first-image", deform, "kernel", changed(ROIS, first_image), "every region is of the first image"),
    (
        "by-column",
        deform,
        "kernel",
        afterwards(GRAD_OFFSET, lambda a: a.transpose(0, 1, 3, 2).reshape(a.shape).copy()),
        "grad_offset is written column by column",
    ),
    ("map-kept", deform, "kernel", kept(GRAD_INPUT), "grad_input is not set to zero first"),
    ("offset-kept", deform, "kernel", kept(GRAD_OFFSET), "grad_offset is not set to zero first"),
    ("filled", deform, "zeros", instead(not_zeroed), "outputs are filled with 0.25 first"),
    ("gamma-ignored", deform, "kernel", given_scalar(gamma=lambda _: 1), "gamma counts as 1"),
    ("scale-ignored", deform, "kernel", given_scalar(spatial_scale=lambda _: 1), "spatial_scale counts as 1"),
    (
        "ratio-ignored",
        deform,
        "kernel",
        given_scalar(sampling_ratio=lambda _: 0),
        "sampling_ratio counts as 0",
    ),
    ("offset-ignored", forward, "shifted", instead(lambda start, *_: start), "offsets move nothing"),
    ("not-shared", deform, "share", instead(not_shared), "gradients are not divided among samples"),
    ("one-more-sample", deform, "share", given(one_too_many), "gradients are divided by one sample more"),
    ("clamped", deform, "levers_of", instead(clamped), "offset gradients are of clamped coordinates"),
    (
        "columns-swapped",
        deform,
        "slopes",
        given(cells_of_a_row_swapped),
        "slopes along x have the other sign",
    ),
    ("rows-swapped", deform, "slopes", given(rows_swapped), "slopes along y have the other sign"),
    (
        "planes-swapped",
        deform,
        "slopes",
        alterations.after(lambda terms: terms[::-1]),
        "the slope along y is the gradient along x",
    ),
    (
        "sizes-swapped",
        deform,
        "factors",
        alterations.after(lambda sizes: sizes[:, ::-1]),
        "the gradient along x has the region's height",
    ),
    (
        "no-size",
        deform,
        "factors",
        alterations.after(np.ones_like),
        "offset gradients lack gamma and the region's size",
    ),
    ("lanes-left-over", deform, "lane_sum", given(first_lanes), "channels behind whole vectors do not count"),
    ("edge-first", forward, "is_inside", instead(above_minus_one), "samples at -1 are outside"),
    ("edge-last", forward, "is_inside", instead(below_size), "samples at the size of the map are outside"),
    ("edge-strip", forward, "is_inside", instead(on_pixels), "samples beyond the outer pixels are outside"),
    ("half-in-float", deform, "arithmetic_of", given(lambda _: (np.float16,)), "float is computed in half"),
    ("add-dropped", deform, "atomic_add", given(alterations.one_dropped), "one addition in all is lost"),
    (
        "add-doubled",
        deform,
        "atomic_add",
        given(alterations.one_doubled),
        "one addition in all is made twice",
    ),
    ("not-atomic", deform, "atomic_add", instead(alterations.not_atomic), "additions to one place are lost"),
    ("bin-lost", deform, "arrival_order", alterations.last_one_lost, "the last bin is forgotten"),
    ("channels-left-over", deform, "channel_slices", instead(whole_slices), "the last slice is lost"),
    ("no-pixels-late", deform, "CHECKS", checked_last(PIXELS), "no pixels need pointers all the same"),
    ("offset-unpaired", deform, "CHECKS", without(PAIR), "offset without its descriptor is accepted"),
    ("gradient-unpaired", deform, "CHECKS", without(GRADIENT_PAIR), "grad_offset without its descriptor is"),
    ("one-of-both", deform, "CHECKS", without(BOTH), "grad_offset is accepted without offset"),
    ("any-dimensions", deform, "CHECKS", without(DIMENSIONS), "grad_input may have any dimensions"),
    ("any-columns", deform, "CHECKS", without(COLUMNS), "grad_output may have any number of columns"),
    ("any-shape", deform, "CHECKS", without(SHAPE), "grad_offset may have any number of columns"),
    ("stride-status", deform, "CHECKS", answering(checks.BAD_PARAM, STRIDES), "strides are a bad parameter"),
    ("inputs-early", Call, "enqueue", inputs_early(deform.ENTRY_POINTS), EARLY),
)
