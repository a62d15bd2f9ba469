"""Find upright boxes that may overlap, in time near to the number found."""

from __future__ import annotations

from typing import Iterator

import numpy as np

from .numeric import slices

_LAYER_FACTOR = 4
_LAYERS = 10
_CELLS_ACROSS = 1 << 20
_PAIRS_AT_ONCE = 1 << 19


class BucketGrid:
    """Boxes in the cells that hold their centres, in a layer for every factor 4 of size.

    A layer's cells are as wide as its largest box, so that a box of any size overlaps only boxes of the
    cells within its own reach plus half a cell. Within a layer cells are numbered row by row: a range of
    columns is one range of sorted keys.

    Parameters
    ----------
    x, y : ndarray, [n]
        Centres; finite.
    reach_x, reach_y : ndarray, [n]
        Half sides; finite.
    ids : integer ndarray, [n]
        What the boxes are called in answers.
    """

    def __init__(
        self, x: np.ndarray, y: np.ndarray, reach_x: np.ndarray, reach_y: np.ndarray, ids: np.ndarray
    ) -> None:
        reach = np.maximum(reach_x, reach_y)
        largest = max(float(reach.max()), np.finfo(np.float64).tiny)
        rank = np.floor(
            np.log(largest / np.maximum(reach, largest / _LAYER_FACTOR**_LAYERS)) / np.log(_LAYER_FACTOR)
        )
        ranks, layer = np.unique(rank, return_inverse=True)
        self._origin = x.min(), y.min()
        span = max(np.ptp(x), np.ptp(y))
        self._reach = largest / _LAYER_FACTOR**ranks
        self._cell = np.maximum(2 * self._reach, span / _CELLS_ACROSS)
        columns, rows = self._cells(x, self._cell[layer], 0), self._cells(y, self._cell[layer], 1)
        self._columns, self._rows = int(columns.max()) + 1, int(rows.max()) + 1
        keys = self._key(layer, rows, columns)
        order = np.argsort(keys, kind="stable")
        self._keys, self._ids = keys[order], ids[order]

    def near(
        self, x: np.ndarray, y: np.ndarray, reach_x: np.ndarray, reach_y: np.ndarray
    ) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """For each given box k, by rising k, the boxes of the grid that may overlap it: pieces of (k, id)."""
        left, right = self._range(x, reach_x, 0, self._columns)
        top, bottom = self._range(y, reach_y, 1, self._rows)
        rows = bottom - top  # [boxes, layers]
        strip = np.repeat(np.arange(rows.size), rows.reshape(-1))
        row = np.arange(len(strip)) - np.repeat(np.cumsum(rows) - rows.reshape(-1), rows.reshape(-1))
        row += top.reshape(-1)[strip]
        box, layer = np.divmod(strip, rows.shape[1])
        first = np.searchsorted(self._keys, self._key(layer, row, left.reshape(-1)[strip]))
        last = np.searchsorted(self._keys, self._key(layer, row, right.reshape(-1)[strip]))
        found = np.maximum(last - first, 0)
        for piece in slices(found, _PAIRS_AT_ONCE):
            counts = found[piece]
            within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
            yield np.repeat(box[piece], counts), self._ids[within + np.repeat(first[piece], counts)]

    def _range(
        self, centre: np.ndarray, reach: np.ndarray, axis: int, cells: int
    ) -> tuple[np.ndarray, np.ndarray]:
        """The cells, first and past the last, that may hold centres of overlapping boxes: [boxes, layers]."""
        reach = reach[:, None] + self._reach
        first = self._cells(centre[:, None] - reach, self._cell, axis)
        last = self._cells(centre[:, None] + reach, self._cell, axis)
        return np.clip(first, 0, cells), np.clip(last + 1, 0, cells)

    def _cells(self, position: np.ndarray, cell: np.ndarray, axis: int) -> np.ndarray:
        cells: np.ndarray = np.clip(np.floor((position - self._origin[axis]) / cell), -1, _CELLS_ACROSS + 1)
        return cells.astype(np.int64)

    def _key(self, layer: np.ndarray, row: np.ndarray, column: np.ndarray) -> np.ndarray:
        # One column more than there are, so that the end of a row is not the start of the next.
        key: np.ndarray = (layer * self._rows + row) * (self._columns + 1) + column
        return key
