"""Boxes that nms_rotated kept or dropped wrongly, the box that decides on each, and the reason."""

from __future__ import annotations

from itertools import product
from typing import Iterator, Mapping, Sequence

import numpy as np
from mluops_reference import nms_rotated
from mluops_reference.float32_hull import hull_area, is_certain
from mluops_reference.numeric import float32
from mluops_reference.rotated_boxes import SMALLEST_AREA, iou, reaches, rectangles

from mluops_conformance.operators.base import Arrays, Finding, Scalar
from mluops_conformance.operators.limits import Device

HULL, SCORES = "float32-hull", "scores-left-behind"
CAUSES = {
    HULL: "a float32 hull, run on the pair of boxes, gives the library's answer",
    SCORES: "more boxes than SRAM holds with their scores, and none is kept",
}
"""Causes that known issues refer to."""

ROUNDING = 1e-6
"""An exact IoU that is nearer to the threshold than this may fall on either side in float32."""

ROUNDINGS = (None, *range(32))
"""Seeds of the roundings that the hull is tried with, the plain ones first."""

RARE_ROUNDINGS = 1 << 14
"""So many more are tried of a pair that these get right and others may not: one of a thousand goes wrong."""

MOST_UNEXPLAINED = 20
"""After so many wrong boxes that nothing explains, the others are not looked at."""

_BLOCK = 64


def examine(
    inputs: Arrays, scalars: Mapping[str, Scalar], outputs: Arrays, device: Device
) -> Sequence[Finding]:
    """Return what is wrong with the kept boxes; nothing where all that differs is within rounding."""
    boxes, scores = inputs["boxes"], inputs["scores"]
    total, count = len(boxes), int(outputs["result_num"].reshape(-1)[0])
    if not 0 <= count <= total:
        return [Finding(f"result_num is {count}, and there are {_boxes(total)}")]
    kept = outputs["output"].reshape(-1)[:count].astype(np.int64)
    if not count and total > sram_boxes(device) and device.cores_per_cluster > 1:
        return [Finding(f"no box of {total} is kept", SCORES)]
    misplaced = list(_misplaced(kept, scores))
    if misplaced:
        return misplaced
    threshold = float32(scalars["iou_threshold"])
    with np.errstate(all="ignore"):
        return list(_wrong(boxes, scores, threshold, kept))


def sram_boxes(device: Device) -> int:
    """The most boxes that SRAM holds with their scores: five numbers and a score, and a row for maxima."""
    return (device.usable_sram_bytes - 28) // 24


def compare(outputs: Arrays, others: Arrays) -> Sequence[str]:
    """Return which boxes one output keeps and the other does not; nothing where both are the same."""
    kept, before = (_kept(arrays) for arrays in (outputs, others))
    lost, new = np.setdiff1d(before, kept), np.setdiff1d(kept, before)
    common = np.intersect1d(kept, before)
    told = []
    if lost.size:
        told.append(f"{_boxes(lost.size)} lost: {_listed(lost)}")
    if new.size:
        told.append(f"{_boxes(new.size)} kept beside: {_listed(new)}")
    if not np.array_equal(kept[np.isin(kept, common)], before[np.isin(before, common)]):
        told.append(f"the {common.size} boxes in common stand in another order")
    return told


def _kept(outputs: Arrays) -> np.ndarray:
    output = outputs["output"].reshape(-1)
    if "result_num" not in outputs:
        return output
    return output[: min(max(int(outputs["result_num"].reshape(-1)[0]), 0), output.size)]


def _boxes(count: int) -> str:
    return "1 box" if count == 1 else f"{count} boxes"


def _listed(boxes: np.ndarray) -> str:
    shown = ", ".join(map(str, boxes[:20].tolist()))
    return f"{shown} and {boxes.size - 20} more" if boxes.size > 20 else shown


def _misplaced(kept: np.ndarray, scores: np.ndarray) -> Iterator[Finding]:
    """Indices that cannot stand in an output at all, or not in this order."""
    strange = kept[(kept < 0) | (kept >= len(scores))]
    if strange.size:
        yield Finding(f"output names box {strange[0]}, and there are {len(scores)}")
        return
    values, times = np.unique(kept, return_counts=True)
    if (times > 1).any():
        box = values[times > 1][0]
        yield Finding(f"box {box} is kept {times[times > 1][0]} times")
    for box in kept[~(scores[kept] > -np.inf)][:1]:
        yield Finding(f"box {box} is kept, though its score is {scores[box]}")
    first, second = kept[:-1], kept[1:]
    late = (scores[first] < scores[second]) | ((scores[first] == scores[second]) & (first > second))
    for place in np.flatnonzero(late)[:1]:
        a, b = first[place], second[place]
        yield Finding(f"box {a} (score {scores[a]:.9g}) stands before box {b} (score {scores[b]:.9g})")


def _wrong(boxes: np.ndarray, scores: np.ndarray, threshold: float, kept: np.ndarray) -> Iterator[Finding]:
    """Judge each box that differs by the better boxes that the output itself keeps.

    So a box that another wrong decision lets stay or go is not told.
    """
    expected = nms_rotated(boxes, scores, threshold)
    differing = np.setxor1d(kept, expected.output[: expected.result_num])
    rank = np.empty(len(scores), np.int64)
    rank[np.argsort(-scores, kind="stable")] = np.arange(len(scores))
    differing = differing[np.argsort(rank[differing])]
    kept = kept[np.argsort(rank[kept])]
    is_kept = np.isin(differing, kept)
    described = rectangles(boxes)
    found: list[Finding] = []
    seen = 0
    while seen < len(differing) and sum(not finding.cause for finding in found) < MOST_UNEXPLAINED:
        part = slice(seen, seen + _BLOCK)
        pairs = _pairs(described, rank, kept, differing[part], threshold)
        found += _findings(boxes, threshold, differing[part], is_kept[part], *pairs)
        seen += _BLOCK
    yield from sorted(found, key=lambda finding: finding.cause)  # what nothing explains comes first
    if seen < len(differing):
        yield Finding(f"{len(differing) - seen} more boxes differ")


def _pairs(
    described: np.ndarray, rank: np.ndarray, kept: np.ndarray, boxes: np.ndarray, threshold: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Kept boxes with the worse ones of `boxes` that they are near to: better, place in `boxes`, IoU."""
    upright = np.stack([*described[:2], *reaches(described)])
    a, b = upright[:, kept, np.newaxis], upright[:, np.newaxis, boxes]
    near = (np.abs(a[:2] - b[:2]) <= 1.001 * (a[2:] + b[2:])).all(axis=0) | (threshold < 0)
    better, place = np.nonzero(near & (rank[kept, np.newaxis] < rank[boxes]))
    overlaps = iou(described[:, kept[better]], described[:, boxes[place]])
    overlaps = np.where(np.isfinite(overlaps), overlaps, 0)
    return kept[better], place, overlaps


def _findings(
    boxes: np.ndarray,
    threshold: float,
    worse: np.ndarray,
    is_kept: np.ndarray,
    better: np.ndarray,
    place: np.ndarray,
    overlaps: np.ndarray,
) -> Iterator[Finding]:
    over = overlaps > threshold
    for k, box in enumerate(worse):
        mine = np.flatnonzero(place == k)
        above = mine[over[mine]]
        if is_kept[k] and above.size:
            yield from _kept_wrongly(boxes, threshold, box, better[above], overlaps[above])
        if not is_kept[k] and not above.size:
            yield from _dropped_wrongly(boxes, threshold, box, better[mine], overlaps[mine])


def _kept_wrongly(
    boxes: np.ndarray, threshold: float, box: int, rivals: np.ndarray, overlaps: np.ndarray
) -> Iterator[Finding]:
    most = int(overlaps.argmax())
    if 0 < overlaps[most] - threshold < ROUNDING:
        return
    spared = _hull_errs(boxes, threshold, box, rivals, overlaps, suppresses=False)
    cause = HULL if spared.all() else ""
    if not cause:
        most = int(np.where(spared, -1, overlaps).argmax())
    yield Finding(
        f"box {box} is kept wrongly: box {rivals[most]} overlaps it with "
        f"{_distance(overlaps[most], threshold)}, and {blame(cause, boxes[rivals[most]], boxes[box])}",
        cause,
    )


def _dropped_wrongly(
    boxes: np.ndarray, threshold: float, box: int, rivals: np.ndarray, overlaps: np.ndarray
) -> Iterator[Finding]:
    if not rivals.size:
        yield Finding(f"box {box} is dropped wrongly: no better box that is kept is near it")
        return
    most = int(overlaps.argmax())
    if 0 < threshold - overlaps[most] < ROUNDING:
        return
    suppressed = _hull_errs(boxes, threshold, box, rivals, overlaps, suppresses=True)
    cause = HULL if suppressed.any() else ""
    if cause:
        most = int(np.where(suppressed, overlaps, -1).argmax())
    told = blame(cause, boxes[rivals[most]], boxes[box])
    yield Finding(
        f"box {box} is dropped wrongly: of the better boxes that are kept, box {rivals[most]} overlaps it "
        f"most, with {_distance(overlaps[most], threshold)}, and {told}",
        cause,
    )


def _distance(overlap: float, threshold: float) -> str:
    side = "above" if overlap > threshold else "below"
    return f"an IoU of {overlap:.9g}, {abs(overlap - threshold):.3g} {side} the threshold {threshold:.9g}"


def blame(cause: str, first: np.ndarray, second: np.ndarray) -> str:
    """Return whether a float32 hull gets a pair of boxes wrong, with their numbers."""
    pair = " and ".join("(" + ", ".join(f"{value:.9g}" for value in box[:5]) + ")" for box in (first, second))
    if cause:
        return f"a float32 hull gets this pair wrong: {pair}"
    return f"no float32 hull gets this pair wrong: {pair}"


def _hull_errs(
    boxes: np.ndarray,
    threshold: float,
    box: int,
    rivals: np.ndarray,
    overlaps: np.ndarray,
    *,
    suppresses: bool,
) -> np.ndarray:
    """Mark the rivals that suppress (or spare) the box by a float32 hull in any of several roundings.

    A pair that few roundings get wrong is tried in many more, unless no rounding can get it wrong.
    """
    first, second = boxes[rivals], np.broadcast_to(boxes[box], (len(rivals), boxes.shape[1]))
    erring = np.zeros(len(rivals), bool)
    for seed, reciprocal in product(ROUNDINGS, (False, True)):
        erring |= _suppresses(first, second, threshold, seed, reciprocal) == suppresses
        if erring.any() if suppresses else erring.all():
            return erring
    left = np.flatnonzero(~erring)
    left = left[~is_certain(first[left], second[left], overlaps[left], threshold)]
    for rival in left:
        one, other = (np.repeat(side[rival : rival + 1], RARE_ROUNDINGS, axis=0) for side in (first, second))
        erring[rival] = (_suppresses(one, other, threshold, 0, False) == suppresses).any()
    return erring


def _suppresses(
    better: np.ndarray, worse: np.ndarray, threshold: float, seed: int | None, reciprocal: bool
) -> np.ndarray:
    """Mark the pairs whose better box suppresses the worse one by a float32 hull."""
    sizes = better[:, 2] * better[:, 3], worse[:, 2] * worse[:, 3]
    shared = hull_area(better, worse, seed, reciprocal=reciprocal)
    over = shared > np.float32(threshold) * (sizes[0] + sizes[1] - shared)
    suppresses: np.ndarray = (np.minimum(*sizes) >= SMALLEST_AREA) & over
    return suppresses
