"""mluOpBoxIouRotated: the overlap of rotated boxes, box by box or of all pairs, in float32."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Iterator

import numpy as np

from mluops_emulator import checks
from mluops_emulator.checks import Check
from mluops_emulator.operators.rotated_iou import (
    DISTANCE_TOLERANCE,
    Boxes,
    boxes_of,
    degenerate,
    dot,
    hull_area,
    intersection_area,
    lowest,
    polygon_area,
)
from mluops_emulator.operators.tasks import even_shares

if TYPE_CHECKING:
    from mluops.constants import mluOpStatus_t

    from mluops_emulator.call import Call
    from mluops_emulator.device import DeviceModel
    from mluops_emulator.operators.arrays import Array, Floats, Ints, Points


class Mode(IntEnum):
    IOU = 0
    IOF = 1


FAN_ISA = 592
"""From this instruction set on, points are ordered by their direction alone, without a hull."""

ALIGNED_END = 10_000_001
"""Aligned boxes are limited below `FAN_ISA`."""

_DESCRIPTORS = ("bbox1_desc", "bbox2_desc", "ious_desc")


def _last_is_five(descriptor: str) -> Check:
    return Check(
        f"{descriptor} dims[1] must be 5 where there are boxes",
        lambda call: call[descriptor].dims[0] == 0 or call[descriptor].dims[1] == 5,
    )


def _if_aligned(aligned: bool, *tests: Check) -> Iterator[Check]:
    """Yield the checks for calls that are aligned, or for those that are not."""
    for test in tests:
        yield checks.only_if(lambda call: bool(call["aligned"]) == aligned, test)


CHECKS = (
    *checks.not_null("handle", *_DESCRIPTORS),
    checks.dtype_in("bbox1_desc", checks.FLOAT),
    *checks.same_dtype("bbox1_desc", "bbox2_desc", "ious_desc"),
    Check("mode must be 0 or 1", lambda call: call["mode"] in list(Mode)),
    *checks.rank_is(2, "bbox1_desc", "bbox2_desc"),
    _last_is_five("bbox1_desc"),
    _last_is_five("bbox2_desc"),
    *checks.dims_equal("ious_desc", (0,), "bbox1_desc", (0,)),
    *_if_aligned(
        True,
        *checks.rank_is(1, "ious_desc"),
        *checks.dims_equal("bbox1_desc", (0,), "bbox2_desc", (0,)),
        Check(
            f"aligned boxes must be fewer than {ALIGNED_END} before arch {FAN_ISA}",
            lambda call: call.device.isa >= FAN_ISA or call["bbox1_desc"].dims[0] < ALIGNED_END,
            checks.NOT_SUPPORTED,
        ),
    ),
    *_if_aligned(
        False,
        *checks.rank_is(2, "ious_desc"),
        *checks.dims_equal("ious_desc", (1,), "bbox2_desc", (0,)),
    ),
    *checks.contiguous(*_DESCRIPTORS),
    checks.done_unless(
        "there are boxes on both sides",
        lambda call: call["bbox1_desc"].dims[0] != 0 and call["bbox2_desc"].dims[0] != 0,
    ),
    *checks.element_limit(*_DESCRIPTORS),
    *checks.not_null("bbox1", "bbox2", "ious"),
)


def box_iou_rotated(call: Call) -> mluOpStatus_t:
    return checks.launch(CHECKS, call, lambda: _run(call))


def _run(call: Call) -> None:
    kernel(
        call.array("bbox1", np.float32, call["bbox1_desc"].dims),
        call.array("bbox2", np.float32, call["bbox2_desc"].dims),
        call.array("ious", np.float32, call["ious_desc"].dims, write=True),
        mode=call["mode"],
        aligned=bool(call["aligned"]),
        device=call.device,
    )


ENTRY_POINTS = {"mluOpBoxIouRotated": box_iou_rotated}

_PAIRS_AT_ONCE = 1 << 12


@np.errstate(all="ignore")
def kernel(bbox1: Array, bbox2: Array, ious: Array, *, mode: int, aligned: bool, device: DeviceModel) -> None:
    """Write the overlaps.

    Parameters
    ----------
    bbox1 : float32 [n, 5]
    bbox2 : float32 [m, 5]
        x, y, width, height, angle in radians.
    ious : float32, [n] where aligned, else [n, m]
        Written.
    """
    first, second = boxes_of(bbox1.T), boxes_of(bbox2.T)
    flat = ious.reshape(-1)
    rows = np.concatenate([np.arange(len(bbox1))[share] for share in even_shares(len(bbox1), device.cores)])
    for one, other in pairs(rows, len(bbox2), aligned):
        places = one if aligned else one * len(bbox2) + other
        flat[places] = overlap(first.at(one), second.at(other), mode, device)


def pairs(rows: Ints, others: int, aligned: bool) -> Iterator[tuple[Ints, Ints]]:
    """Yield the pairs of some boxes of the first side, `_PAIRS_AT_ONCE` at a time."""
    count = len(rows) if aligned else len(rows) * others
    for start in range(0, count, _PAIRS_AT_ONCE):
        pair = np.arange(start, min(start + _PAIRS_AT_ONCE, count))
        if aligned:
            yield rows[pair], rows[pair]
        else:
            yield rows[pair // others], pair % others


def overlap(first: Boxes, second: Boxes, mode: int, device: DeviceModel) -> Floats:
    """Return the overlap of each pair; 0 where an area is too small."""
    shared = intersection_area(first, second, fan_area if device.isa >= FAN_ISA else hull_area)
    whole = divisor(first, second, shared, mode)
    ratio = quotient(shared, whole, device)
    return np.where(degenerate(first) | degenerate(second), np.float32(0), ratio)


def divisor(first: Boxes, second: Boxes, shared: Floats, mode: int) -> Floats:
    return first.area if mode == Mode.IOF else first.area + second.area - shared


def quotient(shared: Floats, whole: Floats, device: DeviceModel) -> Floats:
    """Divide; devices before `FAN_ISA` multiply by the reciprocal."""
    return shared / whole if device.isa >= FAN_ISA else shared * (1 / whole)


def fan_area(points: Points) -> Floats:
    """Return the area of the triangles from the lowest point over all others, by direction; [m, n] to [n].

    Points that coincide with the lowest are left out. Two on one ray from it may come in the wrong order.
    """
    every = np.arange(points.shape[1])
    start = lowest(points)
    points = points - points[start, every]
    distance = dot(points, points)
    valid = distance > DISTANCE_TOLERANCE
    key = np.where(valid, np.abs(points.real) * points.real / distance, -np.inf)
    order = np.argsort(-key, axis=0, kind="stable")
    ordered = np.take_along_axis(points, order, axis=0)
    fan = np.concatenate([np.zeros_like(ordered[:1]), ordered])
    return polygon_area(fan, valid.sum(axis=0) + 1)
