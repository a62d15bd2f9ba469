"""The bilinear rule that deform_roi_pool and rotated_feature_align share.

Source: open-mmlab/mmcv common/cuda/common_cuda_helper.hpp:28-119. A sample beyond [-1, size] on either axis
counts for nothing, -1 and size themselves are inside; what is left is clamped to the map. All four products
are formed, also those of weight 0, so that a NaN or an infinity beside a sample reaches the result.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import NamedTuple

import numpy as np

CORNERS = 4


class Taps(NamedTuple):
    """The two map cells that each coordinate of one axis falls between.

    `fraction`, in the coordinate's dtype, is the weight of `high`; that of `low` is 1 - fraction. Where
    `inside` is False the others are valid numbers without meaning. A NaN coordinate is inside, at cell 0,
    with a NaN fraction.
    """

    inside: np.ndarray
    low: np.ndarray
    high: np.ndarray
    fraction: np.ndarray


class Corners(NamedTuple):
    """The four cells of each sample, counted in row-major order, and their weights: shape [4, samples]."""

    inside: np.ndarray
    cells: np.ndarray
    weights: np.ndarray


def taps(position: np.ndarray, size: int) -> Taps:
    """Apply the rule along one axis of `size` cells."""
    # Half cannot hold sizes above 2048 exactly: kernels round the bound to their type before they compare.
    inside = ~((position < -1) | (position > _rounded(size, position.dtype)))
    start = np.where(position > 0, position, 0)
    low = np.minimum(start.astype(np.float64, copy=False), size - 1).astype(np.intp)
    at_end = low == size - 1
    fraction = np.maximum(position, 0)
    fraction -= low.astype(position.dtype)
    fraction[at_end | ~inside] = 0
    return Taps(inside, low, np.where(at_end, low, low + 1), fraction)


def corners(y: Taps, x: Taps, width: int, dtype: np.dtype) -> Corners:
    """Combine the taps of both axes; weights are products in `dtype`."""
    shape = (CORNERS, *np.broadcast(y.low, x.low).shape)
    cells, weights = np.empty(shape, np.intp), np.empty(shape, dtype)
    sides = product(_sides(y, dtype), _sides(x, dtype))
    for corner, ((row, above), (column, before)) in enumerate(sides):
        np.add(row * width, column, out=cells[corner])
        np.multiply(above, before, out=weights[corner])
    return Corners(y.inside & x.inside, cells, weights)


def _sides(axis: Taps, dtype: np.dtype) -> tuple[tuple[np.ndarray, np.ndarray], ...]:
    fraction = axis.fraction.astype(dtype)
    return (axis.low, 1 - fraction), (axis.high, fraction)


@lru_cache(maxsize=256)
def _rounded(size: int, dtype: np.dtype) -> np.generic:
    with np.errstate(over="ignore"):
        rounded: np.generic = np.float64(size).astype(dtype)
    return rounded
