"""Find upright boxes that may overlap, in time near to the number found."""

from __future__ import annotations

from typing import Iterator

import numpy as np

from .numeric import run_starts, slices

_LAYER_FACTOR = 4
_LAYERS = 10
_CELLS_ACROSS = 1 << 20
_PAIRS_AT_ONCE = 1 << 19


class BucketGrid:
    """Boxes in the cells that hold their centres, in a layer for every factor 4 of size.

    A layer's cells are as wide as its largest box, so that a box of any size overlaps only boxes of the
    cells within its own reach plus half a cell. Cells are numbered row by row: some columns of a row are one
    range of sorted keys. Only rows that hold a box are looked at.

    Parameters
    ----------
    boxes : ndarray, [4, n]
        Centre x and y, half width and height; finite, and the latter positive. At least one.
    ids : integer ndarray, [n]
        What the boxes are called in answers.
    """

    def __init__(self, boxes: np.ndarray, ids: np.ndarray) -> None:
        x, y, reach_x, reach_y = boxes
        reach = np.maximum(reach_x, reach_y)
        ratio = np.minimum(reach.max() / reach, _LAYER_FACTOR**_LAYERS)
        _, layer = np.unique(np.floor(np.log(ratio) / np.log(_LAYER_FACTOR)), return_inverse=True)
        self._reach = np.array([reach[layer == k].max() for k in range(layer.max() + 1)])
        span = max(np.ptp(x), np.ptp(y))
        self._cell = np.maximum(2 * self._reach, span / _CELLS_ACROSS)
        self._origin = x.min(), y.min()
        column, row = self._place(x, self._cell[layer], 0), self._place(y, self._cell[layer], 1)
        self._columns, self._rows = int(column.max()) + 1, int(row.max()) + 1
        keys = (layer * self._rows + row) * self._columns + column
        order = np.argsort(keys, kind="stable")
        self._keys, self._ids = keys[order], ids[order]
        rows = self._keys // self._columns
        self._occupied = rows[run_starts(rows)]

    def near(self, boxes: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """For each given box k, by rising k, the boxes of the grid that may overlap it: pieces of (k, id)."""
        x, y, reach_x, reach_y = boxes
        left, right = self._range(x, reach_x, 0, self._columns)
        top, bottom = self._range(y, reach_y, 1, self._rows)
        first_row = np.arange(len(self._reach)) * self._rows
        first, last = (np.searchsorted(self._occupied, first_row + row) for row in (top, bottom))
        rows = np.maximum(last - first, 0)  # [boxes, layers]
        for some in slices(rows.sum(axis=1), _PAIRS_AT_ONCE):
            window, row = _expand(first[some], rows[some])
            row = self._occupied[row] * self._columns
            begin = np.searchsorted(self._keys, row + left[some].reshape(-1)[window])
            end = np.searchsorted(self._keys, row + right[some].reshape(-1)[window])
            found = np.maximum(end - begin, 0)
            for strips in slices(found, _PAIRS_AT_ONCE):
                strip, place = _expand(begin[strips], found[strips])
                box = some.start + window[strips][strip] // len(self._reach)
                yield box, self._ids[place]

    def _range(
        self, centre: np.ndarray, reach: np.ndarray, axis: int, cells: int
    ) -> tuple[np.ndarray, np.ndarray]:
        """The cells, first and past the last, that may hold centres of overlapping boxes: [boxes, layers]."""
        reach = reach[:, None] + self._reach
        first = self._place(centre[:, None] - reach, self._cell, axis)
        last = self._place(centre[:, None] + reach, self._cell, axis)
        return np.clip(first, 0, cells), np.clip(last + 1, 0, cells)

    def _place(self, position: np.ndarray, cell: np.ndarray, axis: int) -> np.ndarray:
        place = np.floor((position - self._origin[axis]) / cell)
        within: np.ndarray = np.clip(place, -1, _CELLS_ACROSS + 1).astype(np.int64)
        return within


def _expand(first: np.ndarray, counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Every number of the ranges ``first[k], first[k] + 1, ...`` of these lengths, and the k of each."""
    first, counts = first.reshape(-1), counts.reshape(-1)
    k = np.repeat(np.arange(len(counts)), counts)
    return k, np.arange(len(k)) + np.repeat(first - (np.cumsum(counts) - counts), counts)
