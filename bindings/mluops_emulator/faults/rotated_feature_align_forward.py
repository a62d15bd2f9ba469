"""Faults of mluOpRotatedFeatureAlignForward."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np

from mluops_emulator.call import Call
from mluops_emulator.faults.alterations import given, given_scalar, instead, whole_slices, without
from mluops_emulator.faults.common import LATE, outputs_late
from mluops_emulator.faults.fault import faults_of
from mluops_emulator.faults.rotated_feature_align_backward import (
    above_minus_one,
    angle_negated,
    below_size,
    centre_swapped,
    in_degrees,
    sizes_swapped,
)
from mluops_emulator.operators import rotated_feature_align_forward as rfa

POINTS = "points must be 1 or 5"
SCALE = "spatial_scale must be positive"
LAYOUT = "the layout of input_desc must be MLUOP_LAYOUT_NHWC"
BOXES = "bboxes_desc dims[2] must be equal to input_desc dims[2]"


def without_own(right: Callable[..., Any]) -> Any:
    """Take each pixel's own value away again."""

    def altered(input: Any, bboxes: Any, output: Any, **scalars: Any) -> None:
        right(input, bboxes, output, **scalars)
        output -= input

    return altered


def mean_of_points(right: Callable[..., Any]) -> Any:
    """Add the mean of the samples in place of their sum."""

    def altered(input: Any, bboxes: Any, output: Any, *, points: int, **scalars: Any) -> None:
        right(input, bboxes, output, points=points, **scalars)
        output[...] = input + (output - input) / points

    return altered


def added_to_the_output(right: Callable[..., Any]) -> Any:
    def altered(input: Any, bboxes: Any, output: Any, **scalars: Any) -> None:
        before = output.copy()
        right(input, bboxes, output, **scalars)
        output += before

    return altered


def last_corner_lost(right: Callable[..., Any]) -> Any:
    def altered(*arguments: Any) -> Any:
        cells, weights = right(*arguments)
        weights[3] = 0
        return cells, weights

    return altered


def corners_crossed(right: Callable[..., Any]) -> Any:
    """Exchange the weights of the second and the third corner."""

    def altered(*arguments: Any) -> Any:
        cells, weights = right(*arguments)
        return cells, weights[[0, 2, 1, 3]]

    return altered


def four_points(right: Callable[..., Any]) -> Any:
    """Forget the last point of five."""

    def altered(boxes: Any, scale: Any, points: int, arithmetic: Any) -> Any:
        y, x = right(boxes, scale, points, arithmetic)
        return (y[:4], x[:4]) if points == 5 else (y, x)

    return altered


def everywhere(coordinate: Any, size: Any) -> Any:
    return np.isfinite(coordinate)


def last_pixel_lost(tasks: int, cores: int) -> tuple[int, int]:
    return tasks - 1, cores


FAULTS = faults_of(
    "rotated_feature_align_forward",
    ("centre-swapped", rfa, "sample_points", given(centre_swapped), "boxes are read as (x, y, w, h, angle)"),
    ("sizes-swapped", rfa, "sample_points", given(sizes_swapped), "boxes are read as (y, x, h, w, angle)"),
    ("angle-sign", rfa, "sample_points", given(angle_negated), "boxes are turned the other way"),
    ("degrees", rfa, "sample_points", given(in_degrees), "angles count as degrees"),
    ("four-points", rfa, "sample_points", four_points, "the last corner of a box is not sampled"),
    ("no-own-value", rfa, "kernel", without_own, "a pixel's own value is not added"),
    ("mean", rfa, "kernel", mean_of_points, "samples are averaged over the points"),
    ("output-kept", rfa, "kernel", added_to_the_output, "what the output held is added"),
    ("scale-ignored", rfa, "kernel", given_scalar(spatial_scale=lambda _: 1), "spatial_scale counts as 1"),
    ("one-point", rfa, "kernel", given_scalar(points=lambda _: 1), "points counts as 1"),
    (
        "first-image",
        rfa,
        "first_cell",
        instead(lambda pixels, cells: pixels * 0),
        "samples come from image 0",
    ),
    ("corner-lost", rfa, "corners", last_corner_lost, "the fourth corner has no weight"),
    ("corners-crossed", rfa, "corners", corners_crossed, "two corners have each other's weights"),
    ("edge-first", rfa, "is_inside", instead(above_minus_one), "points at -1 are outside"),
    ("edge-last", rfa, "is_inside", instead(below_size), "points at the size of the map are outside"),
    ("no-border", rfa, "is_inside", instead(everywhere), "points outside are clamped to the map"),
    ("pixel-lost", rfa, "tasks_of_all", given(last_pixel_lost), "the last pixel is forgotten"),
    ("channels-left-over", rfa, "channel_slices", instead(whole_slices), "the last slice is lost"),
    ("any-points", rfa, "CHECKS", without(POINTS), "points may be anything"),
    ("any-scale", rfa, "CHECKS", without(SCALE), "spatial_scale may be 0 or negative"),
    ("any-layout", rfa, "CHECKS", without(LAYOUT), "input may have any layout"),
    ("any-boxes", rfa, "CHECKS", without(BOXES), "bboxes may be of another width"),
    ("outputs-late", Call, "enqueue", outputs_late(rfa.ENTRY_POINTS), LATE),
)
