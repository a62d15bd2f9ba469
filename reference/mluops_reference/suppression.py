"""Greedy suppression of boxes in a given order, comparing only those whose upright bounding boxes overlap."""

from __future__ import annotations

from typing import Iterator, Tuple

import numpy as np

from .bucket_grid import BucketGrid
from .rotated_boxes import iou, reaches

_BLOCK = 128
_LATER = np.triu(np.ones((_BLOCK, _BLOCK), dtype=bool), 1)
_WINDOW = 16 * _BLOCK  # boxes looked through for a block
_PAIRS_AT_ONCE = 1 << 13
_CROWDED = 1 / 64  # the share of near pairs from which on a look at all is cheaper than a search
_SAMPLE = 32
_WIDTH = 512  # boxes looked at for a block at once

_Pairs = Tuple[np.ndarray, np.ndarray]  # better, worse


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
        self._noted: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
        self._threshold = threshold
        self._boxes = boxes
        self._all_upright = np.stack([*boxes[:2], *reaches(boxes)])
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
            winners = block[self.kept[block]]
            if self._crowded(winners, start):
                self._compare_beyond(self._looked_through(winners, self._waiting(start)))
                continue
            if grid is None or 2 * waiting < population:
                ids = self._waiting(start)
                grid, population = BucketGrid(self._upright(ids), ids), waiting
            self._compare_beyond(self._searched(winners, start, grid))

    def decisive(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The pairs that the outcome hangs on (better, worse) and their overlaps.

        They are each suppressed box with its suppressor, and kept boxes with each other where they are near.
        """
        if not self._noted:
            return np.empty(0, np.intp), np.empty(0, np.intp), np.empty(0)
        i, j, overlaps = (np.concatenate(parts) for parts in zip(*self._noted))
        decides = (self.suppressor[j] == i) | (self.kept[i] & self.kept[j])
        return i[decides], j[decides], overlaps[decides]

    def _waiting(self, start: int) -> np.ndarray:
        return start + np.flatnonzero(self.kept[start:])

    def _crowded(self, winners: np.ndarray, start: int) -> bool:
        """Return True if so many boxes from `start` on are near that a full scan is cheaper than a search."""
        later = np.arange(start, len(self.kept), (len(self.kept) - start) // _SAMPLE + 1)
        sample = self._near_each_other(winners[:_SAMPLE], later)
        return bool(np.count_nonzero(sample) > _CROWDED * sample.size)

    def _compare_within(self, block: np.ndarray) -> None:
        """Compare boxes of one block, all of which are still kept, with each other."""
        pairs = np.nonzero(self._near_each_other(block, block) & _LATER[: len(block), : len(block)])
        suppressor: dict[int, int] = {}
        for i, j, overlaps in self._overlaps(block[pairs[0]], block[pairs[1]]):
            over = overlaps > self._threshold
            for better, worse in zip(i[over].tolist(), j[over].tolist()):
                if better not in suppressor:
                    suppressor.setdefault(worse, better)
            self.kept[list(suppressor)] = False
            self.suppressor[list(suppressor)] = list(suppressor.values())
            self._note(i, j, overlaps)

    def _looked_through(self, winners: np.ndarray, waiting: np.ndarray) -> Iterator[_Pairs]:
        """Kept boxes and later ones near them, each one's by rising number, from a look at all."""
        for first in range(0, len(waiting), _WIDTH):
            later = waiting[first : first + _WIDTH]
            better, worse = np.nonzero(self._near_each_other(winners, later))
            yield winners[better], later[worse]

    def _searched(self, winners: np.ndarray, start: int, grid: BucketGrid) -> Iterator[_Pairs]:
        """The same of the boxes from `start` on, from the grid."""
        for k, ids in grid.near(self._upright(winners)):
            waiting = np.flatnonzero((ids >= start) & self.kept[ids])
            better, worse = winners[k[waiting]], ids[waiting]
            near = _near(self._upright(better), self._upright(worse))
            yield better[near], worse[near]

    def _compare_beyond(self, pairs: Iterator[_Pairs]) -> None:
        """Compare kept boxes with later ones."""
        for better, worse in pairs:
            for i, j, overlaps in self._overlaps(better, worse):
                # Of an index that repeats the last value stays: reversed, a box's best suppressor.
                over = np.flatnonzero((overlaps > self._threshold) & self.kept[j])[::-1]
                self.suppressor[j[over]] = i[over]
                self.kept[j[over]] = False
                self._note(i, j, overlaps)

    def _near_each_other(self, i: np.ndarray, j: np.ndarray) -> np.ndarray:
        """`_near` of every pair, [boxes i, boxes j]."""
        return _near(self._upright(i)[:, :, None], self._upright(j)[:, None])

    def _upright(self, ids: np.ndarray) -> np.ndarray:
        return np.take(self._all_upright, ids, axis=1)  # contiguous, as the result of an index is not

    def _overlaps(self, i: np.ndarray, j: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        for start in range(0, len(i), _PAIRS_AT_ONCE):
            part = slice(start, start + _PAIRS_AT_ONCE)
            boxes = (np.take(self._boxes, ids[part], axis=1) for ids in (i, j))
            yield i[part], j[part], iou(*boxes)

    def _note(self, i: np.ndarray, j: np.ndarray, overlaps: np.ndarray) -> None:
        """Count what the plain procedure compares: boxes with kept ones, up to the first suppressor."""
        made = self.kept[i] & (i <= self.suppressor[j])
        self.compared += int(np.count_nonzero(made))
        self._noted.append((i[made], j[made], overlaps[made]))
        distance = np.abs(overlaps[made] - self._threshold)
        self.margin = min(self.margin, float(distance.min(initial=np.inf)))


def _near(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Mark the upright boxes, [4, ...], that overlap."""
    near_x, near_y = np.abs(a[:2] - b[:2]) < a[2:] + b[2:]
    near: np.ndarray = near_x & near_y
    return near
