"""Bilinear interpolation, one axis at a time: the two cells a coordinate falls on, and their weights.

The rule is that of mmcv's kernels, which the vendor's follow: a coordinate below -1 or above the size is
outside, -1 and the size themselves are inside; after that test, it is clamped to [0, size - 1].
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mluops_emulator.operators.arithmetic import to_int

if TYPE_CHECKING:
    from mluops_emulator.operators.arithmetic import Arithmetic
    from mluops_emulator.operators.arrays import Bools, Floats, Ints


class Taps(NamedTuple):
    """The two cells that each coordinate of one axis falls on, and their weights."""

    low: Ints
    high: Ints
    low_weight: Floats
    high_weight: Floats

    def at(self, index: Ints) -> Taps:
        """The taps at `index`, in its shape."""
        return Taps(self.low[index], self.high[index], self.low_weight[index], self.high_weight[index])


def is_inside(coordinate: Floats, size: Floats) -> Bools:
    """Mark the coordinates that contribute; NaN contributes."""
    outside: Bools = (coordinate < -1) | (coordinate > size)
    return ~outside


def clamp_to_first(coordinate: Floats) -> Floats:
    """Coordinates at or below 0 fall on the first cell."""
    return np.where(coordinate <= 0, np.float32(0), coordinate)


def is_at_end(low: Ints, size: int) -> Bools:
    """Mark the coordinates whose lower cell is the last one; their upper cell is the last one too."""
    return low >= size - 1


def axis_taps(coordinate: Floats, size: int, arithmetic: Arithmetic) -> Taps:
    """Cells and weights of coordinates that are inside.

    Parameters
    ----------
    coordinate : float32
        In cells, on the storage type's grid.
    size : int
        Cells of this axis, at least 1.
    """
    clamped = clamp_to_first(coordinate)
    low = to_int(clamped)
    at_end = is_at_end(low, size)
    low = np.where(at_end, size - 1, low)
    high = np.where(at_end, low, low + 1)
    cell = arithmetic.number(low)
    high_weight = arithmetic.rounded(np.where(at_end, cell, clamped) - cell)
    low_weight = arithmetic.rounded(1 - high_weight)
    return Taps(low, high, low_weight, high_weight)


def corners(y: Taps, x: Taps, width: int, arithmetic: Arithmetic) -> tuple[Ints, Floats]:
    """The four cells of each point and their weights, on a new first axis.

    The order is (low y, low x), (low y, high x), (high y, low x), (high y, high x). All four products are
    formed, also those of weight 0.

    Returns
    -------
    cells : int64
        y * width + x.
    weights : float32
        On the storage type's grid.
    """
    row = np.stack([y.low, y.low, y.high, y.high])
    column = np.stack([x.low, x.high, x.low, x.high])
    row_weight = np.stack([y.low_weight, y.low_weight, y.high_weight, y.high_weight])
    column_weight = np.stack([x.low_weight, x.high_weight, x.low_weight, x.high_weight])
    return row * width + column, arithmetic.rounded(row_weight * column_weight)
