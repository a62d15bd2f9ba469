"""Faults of mluOpRotatedFeatureAlignBackward."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np

from mluops_emulator.call import Call
from mluops_emulator.faults import alterations
from mluops_emulator.faults.alterations import (
    given,
    given_scalar,
    instead,
    whole_slices,
    without,
)
from mluops_emulator.faults.common import EARLY, inputs_early
from mluops_emulator.faults.fault import faults_of
from mluops_emulator.faults.process import segfault, slow
from mluops_emulator.operators import rotated_feature_align_backward as rfa

POINTS = "points must be 1 or 5"
SCALE = "spatial_scale must be positive"
LAYOUT = "the layout of top_output_desc must be MLUOP_LAYOUT_NHWC"


def centre_swapped(boxes: Any, scale: Any, points: int, arithmetic: Any) -> tuple[Any, ...]:
    return boxes[:, [1, 0, 2, 3, 4]], scale, points, arithmetic


def sizes_swapped(boxes: Any, scale: Any, points: int, arithmetic: Any) -> tuple[Any, ...]:
    return boxes[:, [0, 1, 3, 2, 4]], scale, points, arithmetic


def angle_negated(boxes: Any, scale: Any, points: int, arithmetic: Any) -> tuple[Any, ...]:
    return boxes * np.array([1, 1, 1, 1, -1], np.float32), scale, points, arithmetic


def in_degrees(boxes: Any, scale: Any, points: int, arithmetic: Any) -> tuple[Any, ...]:
    return boxes * np.array([1, 1, 1, 1, np.pi / 180], np.float32), scale, points, arithmetic


def whole_size(size: Any, direction: Any, arithmetic: Any) -> Any:
    return arithmetic.rounded(size * direction)


def third_corner_twice(right: Callable[..., Any]) -> Any:
    def altered(*arguments: Any) -> Any:
        points = right(*arguments)
        points[4] = points[3]
        return points

    return altered


def without_identity(right: Callable[..., Any]) -> Any:
    """Take the gradient of each pixel itself away again."""

    def altered(top_output: Any, bboxes: Any, bottom_input: Any, **scalars: Any) -> None:
        right(top_output, bboxes, bottom_input, **scalars)
        bottom_input -= top_output

    return altered


def first_image(right: Callable[..., Any]) -> Any:
    """Add everything to the first image."""

    def altered(order: Any, y: Any, x: Any, map_shape: tuple[int, int], arithmetic: Any) -> Any:
        additions = right(order, y, x, map_shape, arithmetic)
        return additions._replace(cells=additions.cells % (map_shape[0] * map_shape[1]))

    return altered


def above_minus_one(coordinate: Any, size: Any) -> Any:
    return ~((coordinate <= -1) | (coordinate > size))


def below_size(coordinate: Any, size: Any) -> Any:
    return ~((coordinate < -1) | (coordinate >= size))


FAULTS = faults_of(
    "rotated_feature_align_backward",
    ("centre-swapped", rfa, "sample_points", given(centre_swapped), "boxes are read as (x, y, w, h, angle)"),
    ("sizes-swapped", rfa, "sample_points", given(sizes_swapped), "boxes are read as (y, x, h, w, angle)"),
    ("angle-sign", rfa, "sample_points", given(angle_negated), "boxes are turned the other way"),
    ("degrees", rfa, "sample_points", given(in_degrees), "angles count as degrees"),
    ("whole-size", rfa, "half_extent", instead(whole_size), "corners are a whole side off the centre"),
    ("corner-twice", rfa, "_centre_and_corners", third_corner_twice, "the last corner is the third again"),
    ("no-identity", rfa, "kernel", without_identity, "a pixel does not receive its own gradient"),
    ("scale-ignored", rfa, "kernel", given_scalar(spatial_scale=lambda _: 1), "spatial_scale counts as 1"),
    ("one-point", rfa, "kernel", given_scalar(points=lambda _: 1), "points counts as 1"),
    ("output-kept", rfa, "kernel", alterations.added_to_the_output, "the output is not set to zero first"),
    ("segfault", rfa, "kernel", instead(segfault), "the process dereferences NULL", True),
    ("slow", rfa, "kernel", slow, "the kernel takes many seconds", True),
    ("first-image", rfa, "_additions", first_image, "gradients of all images go to the first"),
    ("edge-first", rfa, "is_inside", instead(above_minus_one), "points at -1 are outside"),
    ("edge-last", rfa, "is_inside", instead(below_size), "points at the size of the map are outside"),
    ("add-dropped", rfa, "atomic_add", given(alterations.one_dropped), "one addition in all is lost"),
    ("add-doubled", rfa, "atomic_add", given(alterations.one_doubled), "one addition in all is made twice"),
    ("not-atomic", rfa, "atomic_add", instead(alterations.not_atomic), "additions to one place are lost"),
    ("pixel-lost", rfa, "arrival_order", alterations.last_one_lost, "the last pixel is forgotten"),
    ("channels-left-over", rfa, "channel_slices", instead(whole_slices), "the last slice is lost"),
    ("any-points", rfa, "CHECKS", without(POINTS), "points may be anything"),
    ("any-scale", rfa, "CHECKS", without(SCALE), "spatial_scale may be 0 or negative"),
    ("any-layout", rfa, "CHECKS", without(LAYOUT), "top_output may have any layout"),
    ("inputs-early", Call, "enqueue", inputs_early(rfa.ENTRY_POINTS), EARLY),
)
