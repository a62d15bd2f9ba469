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
    described: np.ndarray = np.empty((7, len(boxes)), dtype)
    described[:4] = boxes[:, :4].T
    half = described[2:4]
    np.multiply(half[0], half[1], out=described[6])
    np.abs(half, out=half)
    half /= 2
    angle: np.ndarray = boxes[:, 4].astype(dtype)
    np.cos(angle, out=described[4])
    np.sin(angle, out=described[5])
    return described


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
    between, a_half, b_half, a_turn, b_turn = a[:2] - b[:2], a[2:4], b[2:4], a[4:6], b[4:6]
    in_a, in_b, turn = _turned(between, a_turn), _turned(between, b_turn), _turned(a_turn, b_turn)
    # Boxes apart along a side of either share nothing, exactly: rounding would leave a trace of area.
    cos, sin = np.abs(turn)
    near = _meet(in_a, a_half, b_half, cos, sin) & _meet(in_b, b_half, a_half, cos, sin)
    at = np.flatnonzero(near)
    centre, (cos, sin), half, unit = (value.take(at, axis=1) for value in (in_b, turn, a_half, b_half))
    centre /= unit
    # Edges along -w start at corners (+, +) and (+, -), those along -h at (-, +) and (+, +): on a
    # counterclockwise way round the box the second of each two runs backwards.
    x, step_x = _edges(centre[0], np.stack([half[0] * cos, -half[1] * sin]) / unit[0])
    y, step_y = _edges(centre[1], np.stack([half[0] * sin, half[1] * cos]) / unit[1])
    forth, back = _clamped_integral(x, y, step_x, step_y)
    back -= forth
    area: np.ndarray = np.zeros_like(near, a.dtype)
    area[at] = (back[0] + back[1]) * (unit[0] * unit[1])
    return area


def _turned(vectors: np.ndarray, turn: np.ndarray) -> np.ndarray:
    """Vectors, [2, n], as seen from frames that are turned by angles of this cos and sin."""
    (x, y), (cos, sin) = vectors, turn
    seen: np.ndarray = vectors * cos
    seen[0] += y * sin
    seen[1] -= x * sin
    return seen


def _meet(
    centre: np.ndarray, half: np.ndarray, other: np.ndarray, cos: np.ndarray, sin: np.ndarray
) -> np.ndarray:
    """Mark boxes that overlap along both sides of the first; `centre` is the other's, in that frame."""
    reach = half + other * cos
    reach += other[::-1] * sin
    along_w, along_h = np.abs(centre) < reach
    near: np.ndarray = along_w & along_h
    return near


def _edges(centre: np.ndarray, half: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """One coordinate of where edges start, [forth or back, along w or h, boxes], and of their steps.

    `half` has half of each side, [along w or h, boxes].
    """
    corner, steps = centre + half[0], -2 * half
    corner += half[1]
    starts = np.empty((2, *steps.shape), steps.dtype)
    starts[0, 0] = starts[1, 1] = corner
    np.add(corner, steps[0], out=starts[0, 1])
    np.add(corner, steps[1], out=starts[1, 0])
    return starts, steps


def _clamped_integral(x: np.ndarray, y: np.ndarray, step_x: np.ndarray, step_y: np.ndarray) -> np.ndarray:
    """The integral of clamp(y, -1, 1) dx along the edge (x, y) + t (step_x, step_y), 0 <= t <= 1, where |x|
    <= 1.

    With that part's ends at heights p and q, and P and Q those clamped, the mean of clamp(y) is ::

        M + (Q - P) / (q - p) ((p + q) / 2 - M),    M = (P + Q) / 2

    The quotient is within [0, 1], and 0 for p = q: nothing cancels, however small the difference.
    """
    # Operations write into arrays that are no longer needed: fresh ones take longer than the arithmetic.
    tiny = np.finfo(x.dtype).tiny
    half = 1 / (np.abs(step_x) + tiny)
    leave = x * np.copysign(half, -step_x)
    enter = leave - half
    leave += half
    for t in (enter, leave):
        t.clip(0, 1, out=t)
    first, last = enter * step_y, leave * step_y
    first += y
    last += y
    leave -= enter
    low, high = first.clip(-1, 1, out=enter), last.clip(-1, 1)
    both = first + last
    last -= first
    last = np.abs(last, out=last)
    last += tiny
    quotient = np.abs(np.subtract(high, low, out=first), out=first)
    quotient /= last
    twice: np.ndarray = np.add(low, high, out=low)
    both -= twice
    both *= quotient
    twice += both
    twice *= leave
    twice *= step_x / 2
    return twice
