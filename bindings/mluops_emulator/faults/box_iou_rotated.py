"""Faults of mluOpBoxIouRotated."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np

from mluops_emulator.call import Call
from mluops_emulator.faults.alterations import given, given_scalar, instead, without, without_remainder
from mluops_emulator.faults.common import LATE, outputs_late
from mluops_emulator.faults.fault import faults_of
from mluops_emulator.operators import box_iou_rotated as iou

MODE = "mode must be 0 or 1"
ROWS = "ious_desc dims[0] must be equal to bbox1_desc dims[0]"
COLUMNS = "ious_desc dims[1] must be equal to bbox2_desc dims[0]"
ALIGNED = "bbox1_desc dims[0] must be equal to bbox2_desc dims[0]"
FIVE = "bbox2_desc dims[1] must be 5 where there are boxes"


def swapped(bbox1: Any, bbox2: Any, ious: Any) -> tuple[Any, ...]:
    return (bbox2, bbox1, ious) if bbox1.shape == bbox2.shape else (bbox1, bbox2, ious)


def sides_swapped(fields: Any) -> tuple[Any, ...]:
    return (fields[[0, 1, 3, 2, 4]],)


def angle_negated(fields: Any) -> tuple[Any, ...]:
    return (fields * np.array([1, 1, 1, 1, -1], np.float32)[:, np.newaxis],)


def in_degrees(fields: Any) -> tuple[Any, ...]:
    return (fields * np.array([1, 1, 1, 1, np.pi / 180], np.float32)[:, np.newaxis],)


def sum_of_areas(first: Any, second: Any, shared: Any, mode: int) -> Any:
    return first.area if mode == iou.Mode.IOF else first.area + second.area


def second_area(first: Any, second: Any, shared: Any, mode: int) -> Any:
    return second.area if mode == iou.Mode.IOF else first.area + second.area - shared


def half_area(right: Callable[..., Any]) -> Any:
    return lambda *arguments: right(*arguments) / 2


def first_batch_again(right: Callable[..., Any]) -> Any:
    """Pair all but the first 64 boxes of the second side with those in front of them."""

    def altered(rows: Any, others: int, aligned: bool) -> Any:
        for one, other in right(rows, others, aligned):
            yield one, other if aligned else np.where(other >= 320, other - 320, other)

    return altered


FAULTS = faults_of(
    "box_iou_rotated",
    ("boxes-swapped", iou, "kernel", given(swapped), "bbox1 and bbox2 are exchanged"),
    ("mode-ignored", iou, "kernel", given_scalar(mode=lambda _: 0), "mode counts as 0"),
    ("sides-swapped", iou, "boxes_of", given(sides_swapped), "boxes are read as (x, y, h, w, angle)"),
    ("angle-sign", iou, "boxes_of", given(angle_negated), "boxes are turned the other way"),
    ("degrees", iou, "boxes_of", given(in_degrees), "angles count as degrees"),
    ("sum-of-areas", iou, "divisor", instead(sum_of_areas), "the intersection is not taken off the sum"),
    ("second-area", iou, "divisor", instead(second_area), "mode 1 divides by the second box"),
    ("half-area", iou, "intersection_area", half_area, "triangles count half"),
    ("boxes-left-over", iou, "even_shares", instead(without_remainder), "boxes left over are lost"),
    ("batch-again", iou, "pairs", first_batch_again, "later batches are paired with the first"),
    (
        "degenerate-counts",
        iou,
        "degenerate",
        instead(lambda boxes: boxes.area < -np.inf),
        "any area overlaps",
    ),
    ("any-mode", iou, "CHECKS", without(MODE), "mode may be anything"),
    ("any-rows", iou, "CHECKS", without(ROWS), "ious may have any number of rows"),
    ("any-columns", iou, "CHECKS", without(COLUMNS), "ious may have any number of columns"),
    ("any-aligned", iou, "CHECKS", without(ALIGNED), "aligned boxes may be of different numbers"),
    ("any-length", iou, "CHECKS", without(FIVE), "bbox2 may have any number of columns"),
    ("outputs-late", Call, "enqueue", outputs_late(iou.ENTRY_POINTS), LATE),
)
