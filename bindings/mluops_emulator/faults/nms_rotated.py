"""Faults of mluOpNmsRotated."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np

from mluops_emulator.call import Call
from mluops_emulator.faults.alterations import (
    after,
    checked_last,
    given,
    instead,
    one_call_late,
    without,
    without_remainder,
)
from mluops_emulator.faults.common import EARLY, inputs_early
from mluops_emulator.faults.fault import faults_of
from mluops_emulator.operators import nms_rotated as nms
from mluops_emulator.operators import overlaps, rotated_iou

BOX_WIDTH = "boxes_desc dims[1] must be 5 or 6"
OUTPUT_DTYPE = "the dtype of output_desc must be MLUOP_DTYPE_INT32"
BOXES = "there are boxes"


def turned_back(fields: Any) -> tuple[Any, ...]:
    return (fields[:5] * _column(1, 1, 1, 1, -1),)


def in_degrees(fields: Any) -> tuple[Any, ...]:
    return (fields[:5] * _column(1, 1, 1, 1, np.pi / 180),)


def upright(fields: Any) -> tuple[Any, ...]:
    return (fields[:5] * _column(1, 1, 1, 1, 0),)


def _column(*factors: float) -> Any:
    return np.array(factors, np.float32)[:, np.newaxis]


def positive_sizes(fields: Any) -> tuple[Any, ...]:
    return (np.stack([*fields[:2], *np.abs(fields[2:4]), fields[4]]),)


def sizes_swapped(fields: Any) -> tuple[Any, ...]:
    return (fields[[0, 1, 3, 2, 4]],)


def centres_swapped(fields: Any) -> tuple[Any, ...]:
    return (fields[[1, 0, 2, 3, 4]],)


def at_least(intersection: Any, union: Any, iou_threshold: float) -> Any:
    return intersection >= iou_threshold * union


def of_the_sum(intersection: Any, union: Any, iou_threshold: float) -> tuple[Any, ...]:
    return intersection, union + intersection, iou_threshold


def none_inside(points: Any, box: Any) -> Any:
    return np.zeros(points.shape, np.bool_)


class OfEqualLabel(overlaps.Overlaps):
    """Drops boxes of the same label only."""

    def __init__(self, fields: Any, *others: Any) -> None:
        super().__init__(fields, *others)
        self._labels = fields[5] if len(fields) > 5 else np.zeros(fields.shape[1])

    def suppressed_by(self, box: int) -> Any:
        dropped = super().suppressed_by(box)
        return dropped[self._labels[dropped] == self._labels[box]]


class ByDroppedToo(overlaps.Overlaps):
    """Drops what overlaps a dropped box, too."""

    def suppressed_by(self, box: int) -> Any:
        dropped = super().suppressed_by(box)
        return np.unique(np.concatenate([dropped, *map(self._overlapping, dropped)]))

    def _overlapping(self, box: int) -> Any:
        near = self._neighbours.of(box)
        boxes = self._boxes.at(np.full(len(near), box)), self._boxes.at(near)
        return near[overlaps.suppresses(*boxes, self._threshold)]


def ascending(scores: Any) -> Any:
    return np.where(scores == nms.OUT, scores, -scores)


def positive_only(scores: Any) -> Any:
    return np.where(scores > 0, scores, nms.OUT)


def in_half(scores: Any) -> Any:
    return scores.astype(np.float16).astype(np.float32)


def full_blocks_only(right: Callable[..., Any]) -> Any:
    return lambda block, output, kept: right(block, output, kept // nms.FLUSH * nms.FLUSH)


def at_the_start(block: Any, output: Any, kept: int) -> None:
    count = kept - max(kept - 1, 0) // nms.FLUSH * nms.FLUSH
    output[:count] = block[:count]


def one_too_many(right: Callable[..., Any]) -> Any:
    def altered(*arrays: Any, **scalars: Any) -> None:
        right(*arrays, **scalars)
        arrays[-1][0] += 1

    return altered


def number_unwritten(*arrays: Any) -> tuple[Any, ...]:
    return (*arrays[:-1], arrays[-1].copy())


def nan_is_zero(iou_threshold: float) -> float:
    return 0.0 if np.isnan(iou_threshold) else iou_threshold


def at_least_zero(iou_threshold: float) -> float:
    return max(iou_threshold, 0.0)


FAULTS = faults_of(
    "nms_rotated",
    ("angle-sign", overlaps, "boxes_of", given(turned_back), "boxes are turned the other way"),
    ("degrees", overlaps, "boxes_of", given(in_degrees), "angles count as degrees"),
    ("upright", overlaps, "boxes_of", given(upright), "angles are ignored"),
    ("sizes-swapped", overlaps, "boxes_of", given(sizes_swapped), "boxes are read as (x, y, h, w, a)"),
    ("centres-swapped", overlaps, "boxes_of", given(centres_swapped), "boxes are read as (y, x, w, h, a)"),
    ("negative-sizes", overlaps, "boxes_of", given(positive_sizes), "negative sizes count as positive"),
    ("at-threshold", overlaps, "is_above", instead(at_least), "an IoU equal to the threshold drops a box"),
    ("denominator", overlaps, "is_above", given(of_the_sum), "the union has the intersection twice"),
    ("nan-threshold", overlaps, "effective_threshold", instead(nan_is_zero), "threshold NaN counts as 0"),
    ("below-zero", overlaps, "effective_threshold", after(at_least_zero), "negative thresholds count as 0"),
    ("late-threshold", overlaps, "effective_threshold", one_call_late, "the last call's threshold counts"),
    ("double-area", rotated_iou, "polygon_area", after(lambda area: 2 * area), "the area is not halved"),
    ("no-containment", rotated_iou, "is_inside", instead(none_inside), "corners inside are not seen"),
    ("by-label", nms, "Overlaps", instead(OfEqualLabel), "boxes drop boxes of the same label only"),
    ("dropped-drop", nms, "Overlaps", instead(ByDroppedToo), "dropped boxes drop others"),
    ("score-order", nms, "selectable", after(ascending), "the least score comes first"),
    ("positive-only", nms, "selectable", after(positive_only), "a score of 0 or less is never kept"),
    ("half-scores", nms, "selectable", after(in_half), "scores are compared in half"),
    ("last-block", nms, "flush", full_blocks_only, "a block that is not full is not written"),
    ("blocks-overlaid", nms, "flush", instead(at_the_start), "all blocks are written to the start of output"),
    ("number-off", nms, "kernel", one_too_many, "result_num is one too large"),
    ("number-unwritten", nms, "kernel", given(number_unwritten), "result_num is not written"),
    ("boxes-left-over", nms, "even_shares", instead(without_remainder), "boxes left over are lost"),
    ("any-width", nms, "CHECKS", without(BOX_WIDTH), "boxes may have any number of fields"),
    ("any-output", nms, "CHECKS", without(OUTPUT_DTYPE), "output may be of any dtype"),
    ("none-too-late", nms, "CHECKS", checked_last(BOXES), "no boxes need pointers all the same"),
    ("inputs-early", Call, "enqueue", inputs_early(nms.ENTRY_POINTS), EARLY),
)
