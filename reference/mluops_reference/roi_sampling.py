"""The samples of deform_roi_pool: a regular grid in every bin of every region of interest.

Source: open-mmlab/mmcv common/cuda/deform_roi_pool_cuda_kernel.cuh:11-75. With roi = (batch, x1, y1, x2,
y2), on each axis ::

    start = first * spatial_scale - 0.5
    size = (last * spatial_scale - 0.5) - start
    bin = size / pooled
    grid = sampling_ratio if sampling_ratio > 0 else ceil(bin)
    position = ((start + gamma * size * offset) + p * bin) + ((i + 0.5) * bin) / grid

Offset channel 0 moves x, channel 1 moves y. Every operation rounds to the coordinates' dtype, in this order.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .bilinear import Taps, taps
from .numeric import float32


class Pooling(NamedTuple):
    """The scalar parameters of deform_roi_pool."""

    height: int
    width: int
    spatial_scale: float
    sampling_ratio: int
    gamma: float


class AxisSamples(NamedTuple):
    """The samples of some bins along one axis of a map: sample i of a bin is at `position(...)`.

    `origin`, `bin_size` and `grid` have one element a bin.
    """

    origin: np.ndarray
    bin_size: np.ndarray
    grid: np.ndarray
    map_size: int

    def select(self, bins: np.ndarray) -> AxisSamples:
        """The samples of these bins alone."""
        return AxisSamples(self.origin[bins], self.bin_size[bins], self.grid[bins], self.map_size)

    def position(self, i: int | np.ndarray) -> np.ndarray:
        """The coordinate of sample `i` of each bin."""
        dtype = self.origin.dtype
        within = np.asarray(i + 0.5).astype(dtype) * self.bin_size / self.grid.astype(dtype)
        position: np.ndarray = self.origin + within
        return position

    def taps(self, i: int | np.ndarray) -> Taps:
        """The cells that sample `i` of each bin falls between."""
        return taps(self.position(i), self.map_size)

    @property
    def finite(self) -> np.ndarray:
        """Mark the bins with finite coordinates."""
        finite: np.ndarray = np.isfinite(self.origin) & np.isfinite(self.bin_size)
        return finite

    def footprint(self) -> tuple[np.ndarray, np.ndarray]:
        """The first and the last cell that each bin's samples can touch: positions are monotonic in i."""
        ends = np.stack([self.position(0), self.position(self.grid - 1)])
        cells = np.clip(np.nan_to_num(ends.astype(np.float64)), 0, self.map_size - 1).astype(np.intp)
        return cells.min(axis=0), np.minimum(cells.max(axis=0) + 1, self.map_size - 1)


def sample_bins(
    rois: np.ndarray,
    offset: np.ndarray | None,
    map_size: tuple[int, int],
    pooling: Pooling,
    dtype: np.dtype,
) -> tuple[AxisSamples, AxisSamples]:
    """Lay the sampling grids of all bins, y and x, bins in the order [roi, pooled_height, pooled_width].

    Parameters
    ----------
    rois : ndarray, [num_rois, 5]
    offset : ndarray, [num_rois, 2, pooled_height, pooled_width], or None
    map_size : (height, width)
    pooling : Pooling
    dtype : dtype
        The type coordinates are computed in. The adaptive grid is decided in float32 where that is float64,
        as kernels do: ceil() is discontinuous, and in double it would differ for bins of an integral size.
    """
    scale, gamma = (
        np.float64(float32(scalar)).astype(dtype) for scalar in (pooling.spatial_scale, pooling.gamma)
    )
    steps_y = np.arange(pooling.height)[:, None]
    steps_x = np.arange(pooling.width)
    shape = (len(rois), pooling.height, pooling.width)

    def lay(first: int, offset_channel: int, steps: np.ndarray, cells: int) -> AxisSamples:
        edges = rois[:, first], rois[:, first + 2]
        start, size = _extent(edges, scale, dtype)
        bin_size = _per_bin(size / dtype.type(steps.size))
        start = _per_bin(start)
        if offset is not None:
            start = start + gamma * _per_bin(size) * offset[:, offset_channel].astype(dtype)
        origin = start + steps.astype(dtype) * bin_size
        grid = _per_bin(_grid(edges, scale, steps.size, pooling.sampling_ratio, dtype))
        return AxisSamples(_spread(origin, shape), _spread(bin_size, shape), _spread(grid, shape), cells)

    return lay(2, 1, steps_y, map_size[0]), lay(1, 0, steps_x, map_size[1])


def roi_sizes(rois: np.ndarray, spatial_scale: float, dtype: np.dtype) -> np.ndarray:
    """Return each roi's width and height in map cells, [num_rois, 2], every operation rounded to `dtype`."""
    scale = np.float64(float32(spatial_scale)).astype(dtype)
    return np.stack([_extent((rois[:, k], rois[:, k + 2]), scale, dtype)[1] for k in (1, 2)], axis=1)


def _spread(values: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """Return values of this shape in one row; numpy.broadcast_to takes longer than few of them."""
    spread = np.empty(shape, values.dtype)
    spread[...] = values
    return spread.reshape(-1)


def _per_bin(per_roi: np.ndarray) -> np.ndarray:
    return per_roi[:, None, None]


def _extent(
    edges: tuple[np.ndarray, np.ndarray], scale: np.generic, dtype: np.dtype
) -> tuple[np.ndarray, np.ndarray]:
    start, end = (edge.astype(dtype) * scale - dtype.type(0.5) for edge in edges)
    return start, end - start


def _grid(
    edges: tuple[np.ndarray, np.ndarray],
    scale: np.generic,
    pooled: int,
    sampling_ratio: int,
    dtype: np.dtype,
) -> np.ndarray:
    """Samples of each roi's bins along one axis; a size that is not finite has none."""
    if sampling_ratio > 0:
        return np.full(len(edges[0]), sampling_ratio)
    decided_in = min(dtype, np.dtype(np.float32))
    _, size = _extent(edges, scale.astype(decided_in), decided_in)
    grid = np.ceil(size / decided_in.type(pooled)).astype(np.float64)
    return np.where(np.isfinite(grid), grid, 0).astype(np.int64)
