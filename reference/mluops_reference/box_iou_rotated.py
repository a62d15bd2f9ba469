"""Overlap of rotated boxes, aligned or pairwise."""

from __future__ import annotations

import numpy as np

from .rotated_boxes import SMALLEST_AREA, intersection, reaches, rectangles

__all__ = ["box_iou_rotated"]

IOU, IOF = 0, 1
"""Values of `mode`: the intersection over the union, or over the area of the first box (foreground)."""

_PAIRS_AT_ONCE = 1 << 13
_LOOKED_AT_ONCE = 1 << 18


def box_iou_rotated(
    bbox1: np.ndarray, bbox2: np.ndarray, *, mode: int = IOU, aligned: bool = False
) -> np.ndarray:
    """Return the overlap of rotated boxes, by exact geometry.

    Source: open-mmlab/mmcv common/box_iou_rotated_utils.hpp; Cambricon/mlu-ops v1.11.1
    kernels/box_iou_rotated. With A1 and A2 the areas and I the area of the intersection, the overlap is
    I / (A1 + A2 - I) in mode 0 and I / A1 in mode 1.

    Parameters
    ----------
    bbox1 : ndarray, [n, 5]
    bbox2 : ndarray, [m, 5]
        (x, y, w, h, angle in radians). Further columns are ignored.
    mode : int
        0: intersection over union; 1: intersection over the area of the first box.
    aligned : bool
        True: box i of both sets; False: every pair.

    Returns
    -------
    ndarray, float64, [n] where aligned, else [n, m]
        Within [0, 1]. 0 where an area is below 1e-14. A box that is not finite overlaps nothing: 0, or NaN
        where an area that divides is NaN.

    Raises
    ------
    ValueError
        Another `mode`, or shapes that do not fit.
    """
    _check(bbox1, bbox2, mode, aligned)
    with np.errstate(all="ignore"):
        if aligned:
            return _overlap_in_turn(bbox1, bbox2, mode)
        first, second = rectangles(bbox1), rectangles(bbox2)
        ious = np.zeros((len(bbox1), len(bbox2)))
        step = max(1, _LOOKED_AT_ONCE // max(1, len(bbox2)))
        for start in range(0, len(bbox1), step):
            rows = slice(start, start + step)
            _overlap_near_pairs(first[:, rows], second, mode, ious[rows])
    return ious


def _check(bbox1: np.ndarray, bbox2: np.ndarray, mode: int, aligned: bool) -> None:
    if mode not in (IOU, IOF):
        raise ValueError(f"mode must be 0 or 1, not {mode}")
    for name, boxes in (("bbox1", bbox1), ("bbox2", bbox2)):
        if boxes.ndim != 2 or boxes.shape[1] < 5:
            raise ValueError(f"{name} must be [boxes, 5], not {boxes.shape}")
    if aligned and len(bbox1) != len(bbox2):
        raise ValueError(f"aligned boxes must be of one number, not {len(bbox1)} and {len(bbox2)}")


def _overlap_in_turn(bbox1: np.ndarray, bbox2: np.ndarray, mode: int) -> np.ndarray:
    """Return the overlap of the k-th boxes, for every k."""
    ious = np.empty(len(bbox1))
    for start in range(0, len(ious), _PAIRS_AT_ONCE):
        part = slice(start, start + _PAIRS_AT_ONCE)
        ious[part] = _overlaps(rectangles(bbox1[part]), rectangles(bbox2[part]), mode)
    return ious


def _overlap_near_pairs(first: np.ndarray, second: np.ndarray, mode: int, ious: np.ndarray) -> None:
    """Write the overlaps of the pairs whose upright bounding boxes meet, or that are not finite."""
    a, b = (np.stack([*boxes[:2], *reaches(boxes)]) for boxes in (first, second))
    apart = np.abs(a[0][:, None] - b[0]) >= a[2][:, None] + b[2]
    apart |= np.abs(a[1][:, None] - b[1]) >= a[3][:, None] + b[3]
    apart &= np.isfinite(first[6])[:, None] & np.isfinite(second[6])
    pairs = np.flatnonzero(~apart)
    flat = ious.reshape(-1)
    for start in range(0, len(pairs), _PAIRS_AT_ONCE):
        part = pairs[start : start + _PAIRS_AT_ONCE]
        i, j = np.divmod(part, second.shape[1])
        flat[part] = _overlaps(np.take(first, i, axis=1), np.take(second, j, axis=1), mode)


def _overlaps(a: np.ndarray, b: np.ndarray, mode: int) -> np.ndarray:
    """Return the overlap of the k-th `rectangles` of `a` and `b`, for every k."""
    shared = intersection(a, b)
    shared[~np.isfinite(shared)] = 0
    whole = a[6] + b[6] - shared if mode == IOU else a[6]
    ratio: np.ndarray = np.clip(shared / whole, 0, 1)
    ratio[(a[6] < SMALLEST_AREA) | (b[6] < SMALLEST_AREA)] = 0
    return ratio
