"""Non-maximum suppression of rotated boxes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .float32_hull import is_certain
from .numeric import float32
from .rotated_boxes import SMALLEST_AREA, iou, rectangles
from .suppression import Suppression

__all__ = ["NmsRotated", "nms_rotated"]


LEAST_MARGIN = 1e-4
"""Nearer to the threshold than this, float32 devices may decide either way."""


class NmsRotated(NamedTuple):
    """The result of nms_rotated.

    Attributes
    ----------
    output : ndarray, int32, [n]
        Indices of the kept boxes by falling score, in its first `result_num` elements; the rest is 0.
    result_num : int
    margin : float
        The smallest distance of a compared overlap from the threshold; infinite where none was compared. A
        box is compared with the kept boxes before it, up to the first that suppresses it. Overlaps with a
        box that is not finite are left out.
    uncertain : ndarray, int, [m, 2]
        The better and the worse box of each pair that decides on the outcome and is not `is_decided`.
    """

    output: np.ndarray
    result_num: int
    margin: float
    uncertain: np.ndarray


class Decisions:
    """The pairs of boxes that the last call found decided or not: a further call looks at the others alone.

    Given to calls one after the other on boxes of which few change, it saves most of the work.
    """

    def __init__(self) -> None:
        self._boxes: np.ndarray = np.empty((0, 0), np.uint8)  # their bytes
        self._threshold = np.nan
        self._pairs: np.ndarray = np.empty(0, np.int64)
        self._decided: np.ndarray = np.empty(0, bool)

    def decided(
        self, boxes: np.ndarray, better: np.ndarray, worse: np.ndarray, overlaps: np.ndarray, threshold: float
    ) -> np.ndarray:
        """Return which pairs of boxes are `is_decided`; their overlaps are known."""
        held = np.ascontiguousarray(boxes[:, :5]).view(np.uint8)
        pairs = better * np.int64(len(boxes)) + worse
        decided, new = self._known(held, better, worse, pairs, threshold)
        at = better[new], worse[new]
        decided[new] = _decided(boxes[at[0]], boxes[at[1]], overlaps[new], threshold)
        order = np.argsort(pairs)
        self._boxes, self._threshold = held, threshold
        self._pairs, self._decided = pairs[order], decided[order]
        return decided

    def _known(
        self, held: np.ndarray, better: np.ndarray, worse: np.ndarray, pairs: np.ndarray, threshold: float
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return what is known of each pair, and the places of those of which nothing is."""
        if held.shape != self._boxes.shape or threshold != self._threshold or not len(self._pairs):
            return np.zeros(len(pairs), bool), np.arange(len(pairs))
        same = (held == self._boxes).all(axis=1)
        place = np.minimum(np.searchsorted(self._pairs, pairs), len(self._pairs) - 1)
        known = same[better] & same[worse] & (self._pairs[place] == pairs)
        return self._decided[place], np.flatnonzero(~known)


def nms_rotated(
    boxes: np.ndarray, scores: np.ndarray, iou_threshold: float, *, decisions: Decisions | None = None
) -> NmsRotated:
    """Keep every box that no kept box of a higher score overlaps by more than the threshold.

    Source: Cambricon/mlu-ops v1.11.1 kernels/nms_rotated; open-mmlab/mmcv nms_rotated_cuda.cuh.

    Parameters
    ----------
    boxes : ndarray, [n, 5] or [n, 6]
        (x, y, w, h, angle in radians); a label in the sixth column is ignored.
    scores : ndarray, [n]
        Equal scores: the lower index first. Boxes of score -inf or NaN are never kept and suppress nothing.
    iou_threshold : float
        Rounded to float32. NaN keeps every box, a negative one only the best.
    decisions : Decisions, optional
        Of earlier calls.

    Returns
    -------
    NmsRotated

    Raises
    ------
    ValueError
        Shapes that do not fit.
    """
    order = _by_score(boxes, scores)
    with np.errstate(all="ignore"):
        kept, margin, uncertain = _suppress(boxes[order], float32(iou_threshold), decisions or Decisions())
    return _result(order[kept], margin, order[uncertain], len(scores))


def _by_score(boxes: np.ndarray, scores: np.ndarray) -> np.ndarray:
    """Indices of the boxes that take part, by falling score."""
    if boxes.ndim != 2 or boxes.shape[1] not in (5, 6) or scores.shape != boxes.shape[:1]:
        raise ValueError(
            f"boxes must be [n, 5] or [n, 6] and scores [n], not {boxes.shape} and {scores.shape}"
        )
    candidates = np.flatnonzero(scores > -np.inf)
    return candidates[np.argsort(-scores[candidates], kind="stable")]


def _result(kept: np.ndarray, margin: float, uncertain: np.ndarray, boxes: int) -> NmsRotated:
    output = np.zeros(boxes, np.int32)
    output[: len(kept)] = kept
    return NmsRotated(output, len(kept), margin, uncertain)


def _suppress(
    boxes: np.ndarray, threshold: float, decisions: Decisions
) -> tuple[np.ndarray, float, np.ndarray]:
    """Return the mask of kept boxes (best first), the margin, and the uncertain pairs."""
    described = rectangles(boxes)
    finite = np.isfinite(described).all(axis=0)
    kept = np.ones(len(boxes), dtype=bool)
    none = np.empty((0, 2), np.intp)
    if np.isnan(threshold):
        return kept, np.inf, none
    if threshold < 0:
        kept[1:] = False
        others = np.flatnonzero(finite[1:]) + 1 if finite[:1].all() else none[:, 0]
        overlaps = iou(described[:, np.zeros_like(others)], described[:, others])
        return kept, float(overlaps.min(initial=np.inf)) - threshold, none
    # Boxes without area or not finite overlap nothing, by the formula: they are kept and suppress nothing.
    solid = np.flatnonzero(finite & (described[6] >= SMALLEST_AREA))
    outcome = Suppression(np.take(described, solid, axis=1), threshold)
    kept[solid] = outcome.kept
    uncertain = _uncertain(outcome, boxes[solid], threshold, decisions)
    margin = outcome.margin
    if _comparisons(outcome, solid, kept, finite) > outcome.compared:
        margin = min(margin, threshold)  # those left out have an overlap of 0
    return kept, margin, solid[uncertain]


def _uncertain(outcome: Suppression, boxes: np.ndarray, threshold: float, decisions: Decisions) -> np.ndarray:
    """The pairs that decide on the outcome and are not decided in float32, [m, 2]."""
    better, worse, overlaps = outcome.decisive()
    unsure = ~decisions.decided(boxes, better, worse, overlaps, threshold)
    return np.column_stack([better[unsure], worse[unsure]])


def is_decided(boxes1: np.ndarray, boxes2: np.ndarray, threshold: float) -> np.ndarray:
    """Return of which pairs any correct float32 device tells whether their IoU is above the threshold.

    Their IoU is not near the threshold, and no float32 hull gets them wrong.

    Parameters
    ----------
    boxes1, boxes2 : ndarray, [n, 5 or more]
    threshold : float

    Returns
    -------
    ndarray of bool, [n]
    """
    with np.errstate(all="ignore"):
        overlaps = iou(rectangles(boxes1), rectangles(boxes2))
        return _decided(boxes1, boxes2, overlaps, float32(threshold))


def _decided(boxes1: np.ndarray, boxes2: np.ndarray, overlaps: np.ndarray, threshold: float) -> np.ndarray:
    close = np.abs(overlaps - threshold) < LEAST_MARGIN
    close &= (overlaps > 0) | (threshold > 0)
    decided: np.ndarray = ~close & is_certain(boxes1, boxes2, overlaps, threshold)
    return decided


def _comparisons(outcome: Suppression, solid: np.ndarray, kept: np.ndarray, finite: np.ndarray) -> int:
    """Count the comparisons of finite boxes that the plain procedure makes."""
    rivals = np.cumsum(kept & finite)
    last = np.arange(len(kept)) - 1  # a kept box is compared with all kept ones before it
    suppressed = ~outcome.kept
    last[solid[suppressed]] = solid[outcome.suppressor[suppressed]]
    return int(np.append(rivals, 0)[last[finite]].sum())
