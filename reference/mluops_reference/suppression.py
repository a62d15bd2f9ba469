"""Greedy suppression of boxes in a given order, comparing only those whose upright bounding boxes overlap."""

from __future__ import annotations

from typing import Iterator

import numpy as np

from .bucket_grid import BucketGrid
from .rotated_boxes import iou, reaches

_BLOCK = 128
_LATER = np.triu(np.ones((_BLOCK, _BLOCK), dtype=bool), 1)
_WINDOW = 16 * _BLOCK  # boxes looked through for a block
_PAIRS_AT_ONCE = 1 << 11


class Suppression:
    """The outcome of suppressing boxes, best first.

    Parameters
    ----------
    boxes : ndarray, [7, n]
        `rectangles`, all finite and with an area.
    threshold : float
        Not negative. A kept box suppresses those after it that overlap it by more.

    Attributes
    ----------
    kept : ndarray of bool, [n]
    suppressor : ndarray of int, [n]
        The first kept box that suppresses each box; n for a kept box.
    compared : int
        How many comparisons were made. All others of the plain procedure have an overlap of 0.
    margin : float
        The smallest distance from the threshold among the overlaps compared.
    """

    def __init__(self, boxes: np.ndarray, threshold: float) -> None:
        n = boxes.shape[1]
        self.kept = np.ones(n, dtype=bool)
        self.suppressor = np.full(n, n)
        self.compared = 0
        self.margin = np.inf
        self._threshold = threshold
        self._boxes = boxes
        self._reach_x, self._reach_y = reaches(boxes)
        self._run()

    def _run(self) -> None:
        start, population = 0, 0
        grid: BucketGrid | None = None
        while start < len(self.kept):
            block = start + np.flatnonzero(self.kept[start : start + _WINDOW])[:_BLOCK]
            start = int(block[-1]) + 1 if len(block) == _BLOCK else start + _WINDOW
            self._compare_within(block)
            waiting = int(np.count_nonzero(self.kept[start:]))
            if waiting == 0:
                continue
            if grid is None or 2 * waiting < population:
                grid, population = self._grid(start), waiting
            self._compare_beyond(block[self.kept[block]], start, grid)

    def _grid(self, start: int) -> BucketGrid:
        ids = start + np.flatnonzero(self.kept[start:])
        return BucketGrid(*self._upright(ids), ids)

    def _upright(self, ids: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        return self._boxes[0, ids], self._boxes[1, ids], self._reach_x[ids], self._reach_y[ids]

    def _compare_within(self, block: np.ndarray) -> None:
        """Compare boxes of one block, all of which are still kept, with each other."""
        pairs = np.nonzero(self._near(block[:, None], block) & _LATER[: len(block), : len(block)])
        suppressor: dict[int, int] = {}
        for i, j, overlaps in self._overlaps(block[pairs[0]], block[pairs[1]]):
            over = overlaps > self._threshold
            for better, worse in zip(i[over].tolist(), j[over].tolist()):
                if better not in suppressor:
                    suppressor.setdefault(worse, better)
            self.kept[list(suppressor)] = False
            self.suppressor[list(suppressor)] = list(suppressor.values())
            self._note(i, j, overlaps)

    def _compare_beyond(self, winners: np.ndarray, start: int, grid: BucketGrid) -> None:
        """Compare kept boxes with those from `start` on."""
        for k, ids in grid.near(*self._upright(winners)):
            waiting = np.flatnonzero((ids >= start) & self.kept[ids])
            better, worse = winners[k[waiting]], ids[waiting]
            near = self._near(better, worse)
            for i, j, overlaps in self._overlaps(better[near], worse[near]):
                # Of an index that repeats the last value stays: reversed, a box's best suppressor.
                over = np.flatnonzero((overlaps > self._threshold) & self.kept[j])[::-1]
                self.suppressor[j[over]] = i[over]
                self.kept[j[over]] = False
                self._note(i, j, overlaps)

    def _near(self, i: np.ndarray, j: np.ndarray) -> np.ndarray:
        """Whether the upright bounding boxes of i and j overlap."""
        x, y = self._boxes[:2]
        near: np.ndarray = np.abs(x[i] - x[j]) < self._reach_x[i] + self._reach_x[j]
        near &= np.abs(y[i] - y[j]) < self._reach_y[i] + self._reach_y[j]
        return near

    def _overlaps(self, i: np.ndarray, j: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        for start in range(0, len(i), _PAIRS_AT_ONCE):
            part = slice(start, start + _PAIRS_AT_ONCE)
            boxes = (np.take(self._boxes, ids[part], axis=1) for ids in (i, j))
            yield i[part], j[part], iou(*boxes)

    def _note(self, i: np.ndarray, j: np.ndarray, overlaps: np.ndarray) -> None:
        """Count what the plain procedure compares: boxes with kept ones, up to the first suppressor."""
        made = self.kept[i] & (i <= self.suppressor[j])
        self.compared += int(np.count_nonzero(made))
        distance = np.abs(overlaps[made] - self._threshold)
        self.margin = min(self.margin, float(distance.min(initial=np.inf)))
