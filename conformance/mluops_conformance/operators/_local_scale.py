"""The local scale of the pointwise criterion (`judging.measures.pointwise`).

What rounding can do to values is covered by the operator applied to absolute values. Where an operator
samples bilinearly at coordinates that it computes, their rounding comes on top: it moves a sample along each
axis by up to `ROUNDINGS` unit roundoffs of the largest number on its way. The sample is then off by that
shift times the differences between its neighbours, however small their own weights are, so that the absolute
values around a sample belong into the scale as well. A sample from far away has a shift of its own, which
belongs only into the scale of the elements that it may reach.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from mluops_conformance.judging.thresholds import POINTWISE

if TYPE_CHECKING:
    from numpy.typing import NDArray

ROUNDINGS = 6
"""On the way to a sample: a corner scaled and shifted, a size, a bin's start, the step within it, the sum."""

LARGE = 1e30

ELEMENTS_AT_ONCE = 1 << 17

UNIT_ROUNDOFF = {"float32": 2.0**-24, "float16": 2.0**-11}

NEAR = 2
"""Samples that reach no further than so many map sizes share one shift, the largest of theirs."""


def magnitude(values: NDArray[Any]) -> NDArray[Any]:
    """Absolute values in float32, or float64 where sums need it; 0 for NaN and Inf, compared by position."""
    absolute: NDArray[Any] = np.abs(values, dtype=np.float32)
    largest = absolute.max()
    if not np.isfinite(largest):
        absolute[~np.isfinite(absolute)] = 0
        largest = absolute.max()
    return absolute if largest < LARGE else absolute.astype(np.float64)


def reach(numbers: NDArray[Any], spatial_scale: float, size: int) -> NDArray[Any]:
    """Return the largest number on the way to each sample, in map pixels, and at least the map's size.

    An infinite coordinate or side counts as the map's size: no sample behind it is on the map, in any
    precision.

    Parameters
    ----------
    numbers : ndarray, [..., numbers of a sample]
        Coordinates and sides in image pixels.
    spatial_scale : float
        Map pixels per image pixel.
    size : int
        The longer side of the map.
    """
    scaled = np.abs(numbers.astype(np.float64) * spatial_scale)
    largest: NDArray[Any] = scaled.max(axis=-1)
    return np.where(np.isfinite(largest), np.maximum(largest, size), size)


def shift_weight(reach: NDArray[Any], dtype: np.dtype[Any]) -> NDArray[Any]:
    """Return how far rounding moves a sample, in map pixels, over the floor of the pointwise threshold.

    Coordinates are float32 at least, for half ones are an interpretation of their own. The sample's distance
    from its pixel, below 1, is then rounded to the storage dtype, by half a unit roundoff at most.

    Parameters
    ----------
    reach : ndarray
        What `reach` gives.
    dtype : dtype
        The storage dtype.
    """
    shift = ROUNDINGS * UNIT_ROUNDOFF["float32"] * reach + UNIT_ROUNDOFF[dtype.name] / 2
    return shift / POINTWISE[dtype.name]


def add_neighbours(maps: NDArray[Any], combine: np.ufunc, weight: float) -> None:
    """Add to each pixel of NHWC maps `weight` times what `over_neighbours` has there, in place.

    The work goes on in blocks of rows that stay in the second-level cache.
    """
    rows = max(1, ELEMENTS_AT_ONCE // max(1, maps.shape[2] * maps.shape[3]))
    for image in maps:
        above = image[:0]
        for start in range(0, len(image), rows):
            block, below = image[start : start + rows], image[start + rows : start + rows + 1]
            before = np.concatenate([above, block, below])[np.newaxis]
            around = over_neighbours(combine, before)[0, len(above) : len(above) + len(block)]
            around *= weight
            above = block[-1:].copy()
            block += around


def over_neighbours(combine: np.ufunc, maps: NDArray[Any]) -> NDArray[Any]:
    """Each pixel of NHWC maps combined with the pixels around it, 3 x 3 in all."""
    for axis in (1, 2):
        combined = maps.copy()
        ahead, behind = combined.swapaxes(0, axis), maps.swapaxes(0, axis)
        combine(ahead[1:], behind[:-1], out=ahead[1:])
        combine(ahead[:-1], behind[1:], out=ahead[:-1])
        maps = combined
    return maps
