"""Rotated rectangles and their exact overlap.

A box is (x, y, w, h, angle); its corners are ``(x, y) + R(angle) (+/- w/2, +/- h/2)`` with ``R = [c -s; s
c]``, so that with y pointing down a positive angle turns clockwise.

The intersection area comes from Green's theorem: in the frame of box B, scaled so that B is [-1, 1] x [-1,
1], the area of A within B is minus the integral of clamp(y, -1, 1) dx along the part of A's boundary with
|x| <= 1. It needs no clipped polygon and no tolerance, and has no degenerate cases: parallel, touching and
shared edges just add up.
"""

from __future__ import annotations

import numpy as np

SMALLEST_AREA = 1e-14
"""A box of less area, or with one negative side, overlaps nothing (mmcv box_iou_rotated_utils.hpp)."""


def rectangles(boxes: np.ndarray, dtype: type = np.float64) -> np.ndarray:
    """Describe boxes, [n, 5 or more], as [7, n]: centre x and y, half w and h, cos and sin, area.

    Columns past the fifth (labels) are ignored; two negative sides count as positive ones.
    """
    x, y, w, h, angle = boxes[:, :5].T.astype(dtype)
    return np.stack([x, y, np.abs(w) / 2, np.abs(h) / 2, np.cos(angle), np.sin(angle), w * h])


def reaches(boxes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Half the width and half the height of the upright bounding boxes of `rectangles`."""
    _, _, half_w, half_h, cos, sin, _ = boxes
    cos, sin = np.abs(cos), np.abs(sin)
    return half_w * cos + half_h * sin, half_w * sin + half_h * cos


def iou(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Intersection over union of the k-th `rectangles` of `a` and `b`, for every k."""
    shared = intersection(a, b)
    shared[~np.isfinite(shared)] = 0
    ratio: np.ndarray = np.clip(shared / (a[6] + b[6] - shared), 0, 1)
    ratio[(a[6] < SMALLEST_AREA) | (b[6] < SMALLEST_AREA)] = 0
    return ratio


def intersection(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Area of the k-th of `a` within the k-th of `b`; meaningless for boxes without area or not finite."""
    a_x, a_y, a_w, a_h, a_cos, a_sin, _ = a
    b_x, b_y, b_w, b_h, b_cos, b_sin, _ = b
    dx, dy = a_x - b_x, a_y - b_y
    x, y = (dx * b_cos + dy * b_sin) / b_w, (dy * b_cos - dx * b_sin) / b_h
    cos, sin = a_cos * b_cos + a_sin * b_sin, a_sin * b_cos - a_cos * b_sin
    w_x, w_y = a_w * cos / b_w, a_w * sin / b_h
    h_x, h_y = -a_h * sin / b_w, a_h * cos / b_h
    # Boxes apart along a side of either share nothing, exactly: rounding would leave a trace of area.
    apart = (np.abs(x) >= 1 + np.abs(w_x) + np.abs(h_x)) | (np.abs(y) >= 1 + np.abs(w_y) + np.abs(h_y))
    cos, sin = np.abs(cos), np.abs(sin)
    apart |= np.abs(dx * a_cos + dy * a_sin) >= a_w + b_w * cos + b_h * sin
    apart |= np.abs(dy * a_cos - dx * a_sin) >= a_h + b_w * sin + b_h * cos
    near = np.flatnonzero(~apart)
    x, y, w_x, w_y, h_x, h_y = (value[near] for value in (x, y, w_x, w_y, h_x, h_y))
    # Edges along -w start at corners (+, +) and (+, -), those along -h at (-, +) and (+, +): on a
    # counterclockwise way round the box the second of each two runs backwards.
    step_x, step_y = -2 * np.stack([w_x, h_x]), -2 * np.stack([w_y, h_y])
    starts_x, starts_y = _edge_starts(x + w_x + h_x, step_x), _edge_starts(y + w_y + h_y, step_y)
    forth, back = _clamped_integral(starts_x, starts_y, step_x, step_y)
    area: np.ndarray = np.zeros_like(dx)
    area[near] = (back - forth).sum(axis=0) * (b_w * b_h)[near]
    return area


def _edge_starts(corner: np.ndarray, steps: np.ndarray) -> np.ndarray:
    """One coordinate of where edges start, [forth or back, along w or h, boxes]."""
    starts = np.empty((2, *steps.shape), steps.dtype)
    starts[0, 0] = starts[1, 1] = corner
    starts[0, 1], starts[1, 0] = corner + steps[0], corner + steps[1]
    return starts


def _clamped_integral(x: np.ndarray, y: np.ndarray, step_x: np.ndarray, step_y: np.ndarray) -> np.ndarray:
    """The integral of clamp(y, -1, 1) dx along the edge (x, y) + t (step_x, step_y), 0 <= t <= 1, where |x|
    <= 1.

    With that part's ends at heights p and q, and P and Q those clamped, the mean of clamp(y) is ::

        M + (Q - P) / (q - p) ((p + q) / 2 - M),    M = (P + Q) / 2

    The quotient is within [0, 1], and 0 for p = q: nothing cancels, however small the difference.
    """
    tiny = np.finfo(x.dtype).tiny
    half = 1 / np.maximum(np.abs(step_x), tiny)
    middle = x * np.copysign(half, -step_x)
    enter, leave = (np.minimum(np.maximum(t, 0), 1) for t in (middle - half, middle + half))
    first, last = y + enter * step_y, y + leave * step_y
    low, high = (np.minimum(np.maximum(height, -1), 1) for height in (first, last))
    quotient = np.abs(high - low)
    quotient /= np.maximum(np.abs(last - first), tiny)
    twice: np.ndarray = low + high
    first += last
    first -= twice
    first *= quotient
    twice += first
    leave -= enter
    twice *= leave
    twice *= step_x / 2
    return twice
