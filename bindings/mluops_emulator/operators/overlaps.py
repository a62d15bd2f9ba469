"""The boxes that a kept box drops, computed for several coming boxes at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from mluops_emulator.operators.rotated_iou import Boxes, boxes_of, degenerate, intersection_area

if TYPE_CHECKING:
    from mluops_emulator.operators.arrays import Bools, Floats, Ints


class Overlaps:
    """Answers which live boxes a box drops.

    Whether two boxes overlap does not depend on when it is asked, and boxes that are apart do not. So only
    near pairs are computed, together for as many of the coming boxes as the cores can hold pairs at a time.

    Parameters
    ----------
    fields : float32 [5 or 6, n]
        The boxes.
    live : float32 [n]
        Their scores, -inf for those that are out; read whenever asked.
    iou_threshold : float
        NaN drops nothing, a negative number everything.
    pairs : int
        How many are computed together.
    """

    def __init__(self, fields: Floats, live: Floats, iou_threshold: float, pairs: int) -> None:
        self._boxes = boxes_of(fields)
        self._neighbours = _Neighbours(self._boxes)
        self._live = live
        self._threshold = effective_threshold(iou_threshold)
        self._pairs = pairs
        self._ranking = np.argsort(-live, kind="stable")
        self._next = 0  # in the ranking
        self._known: dict[int, Ints] = {}

    def suppressed_by(self, box: int) -> Ints:
        """The boxes that `box` drops; it must be the best of those left."""
        if self._threshold < 0:
            return np.arange(len(self._live))
        if box not in self._known:
            self._known = self._look_ahead()
        return self._known.pop(box)

    def _look_ahead(self) -> dict[int, Ints]:
        others: dict[int, Ints] = {}
        pairs = 0
        while pairs < self._pairs and self._next < len(self._ranking):
            box = int(self._ranking[self._next])
            self._next += 1
            if self._live[box] > -np.inf:
                near = self._neighbours.of(box)
                others[box] = near[(self._live[near] > -np.inf) & (near != box)]
                pairs += len(others[box]) + 1  # the one for boxes without neighbours
        lengths = [len(near) for near in others.values()]
        first = np.repeat(np.array(list(others)), lengths)
        second = np.concatenate(list(others.values()))
        dropped = suppresses(self._boxes.at(first), self._boxes.at(second), self._threshold)
        parts = np.split(dropped, np.cumsum(lengths)[:-1])
        return {box: near[part] for (box, near), part in zip(others.items(), parts)}


def effective_threshold(iou_threshold: float) -> float:
    return np.inf if np.isnan(iou_threshold) else iou_threshold


def suppresses(first: Boxes, second: Boxes, iou_threshold: float) -> Bools:
    """Mark the pairs with an IoU above the threshold; the IoU of a degenerate box is 0."""
    intersection = intersection_area(first, second)
    union = first.area + second.area - intersection
    sound = ~(degenerate(first) | degenerate(second))
    return sound & is_above(intersection, union, iou_threshold)


def is_above(intersection: Floats, union: Floats, iou_threshold: float) -> Bools:
    """IoU strictly above the threshold, without a division."""
    return intersection > iou_threshold * union


class _Neighbours:
    """Finds the boxes near a box: all others share no point with it, however coordinates are rounded."""

    def __init__(self, boxes: Boxes) -> None:
        x, y = boxes.centre.real, boxes.centre.imag
        rounding = np.maximum(np.abs(x), np.abs(y)) * np.float32(1e-6)
        reach = boxes.reach() * np.float32(1.001) + rounding
        self._by_x = np.argsort(x, kind="stable")
        self._rank = np.argsort(self._by_x, kind="stable")
        self._x, self._y, self._reach = x[self._by_x], y[self._by_x], reach[self._by_x]
        self._widest = np.where(np.isnan(reach), 0, reach).max()

    def of(self, box: int) -> Ints:
        """The boxes near `box`, with itself."""
        rank = self._rank[box]
        x, y, reach = self._x[rank], self._y[rank], self._reach[rank]
        within = reach + self._widest
        near = slice(*np.searchsorted(self._x, [x - within, x + within]))
        distance = np.maximum(np.abs(self._x[near] - x), np.abs(self._y[near] - y))
        found: Ints = self._by_x[near][distance <= self._reach[near] + reach]
        return found
