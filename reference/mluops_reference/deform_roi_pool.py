"""Deformable RoI pooling, forward."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .bilinear import corners
from .numeric import all_finite, slices
from .roi_sampling import AxisSamples, Pooling, sample_bins
from .window_pooling import pool_windows

__all__ = ["deform_roi_pool_forward", "deform_roi_pool_forward_baseline"]

_SAMPLES_AT_ONCE = 3 << 18
_BIN_COST = 8  # a bin's own arrays, in samples
_ELEMENTS_AT_ONCE = 1 << 20


def deform_roi_pool_forward(
    input: np.ndarray,
    rois: np.ndarray,
    offset: np.ndarray | None,
    *,
    pooled_height: int,
    pooled_width: int,
    spatial_scale: float,
    sampling_ratio: int,
    gamma: float,
    coordinates: Any = np.float64,
) -> np.ndarray:
    """Average bilinear samples of each bin of each region of interest.

    Source: open-mmlab/mmcv common/cuda/deform_roi_pool_cuda_kernel.cuh:11-75; `roi_sampling` gives the
    formulas.

    Parameters
    ----------
    input : ndarray, [batches, height, width, channels]
    rois : ndarray, [num_rois, 5]
        (batch index, x1, y1, x2, y2), in pixels of the image. A batch index is truncated; NaN reads as 0.
    offset : ndarray, [num_rois, 2, pooled_height, pooled_width], or None
        Shift of each bin in units of gamma x the roi's size: channel 0 moves x, channel 1 moves y.
    pooled_height, pooled_width : int
        Bins of a roi.
    spatial_scale, gamma : float
        Map cells per image pixel, and the scale of offsets. Rounded to float32.
    sampling_ratio : int
        Samples per bin and axis; not positive: as many as the bin is wide in cells, rounded up.
    coordinates : dtype
        float64; or float16 to compute scalars, bins, grids and sample positions in half, rounding after every
        operation as half kernels do. Weights are products of the fractions of those positions, in float64: a
        fraction of a half is exact, and what half products and sums add is the rounding error to be judged.

    Returns
    -------
    ndarray, float64, [num_rois, pooled_height, pooled_width, channels]
        A bin without samples is 0. NaN and infinity follow the literal rule: every cell beside a sample is
        multiplied by its weight, also by a weight of 0.

    Raises
    ------
    ValueError
        A batch index outside the input, or shapes that do not fit.
    """
    pooling = Pooling(pooled_height, pooled_width, spatial_scale, sampling_ratio, gamma)
    check_shapes(input, rois, offset, pooling)
    output = np.zeros((len(rois), pooled_height, pooled_width, input.shape[3]))
    if input.size and output.size:
        with np.errstate(all="ignore"):
            bins = lay_bins(input, rois, offset, pooling, np.dtype(coordinates))
            _pool(input, bins, output.reshape(-1, input.shape[3]))
    return output


def deform_roi_pool_forward_baseline(
    input: np.ndarray,
    rois: np.ndarray,
    offset: np.ndarray | None,
    *,
    pooled_height: int,
    pooled_width: int,
    spatial_scale: float,
    sampling_ratio: int,
    gamma: float,
    coordinates: Any = np.float32,
) -> np.ndarray:
    """The same average as a correct device of the input's precision may compute it.

    Weights, products and sums are of the input's dtype and round after every operation. `coordinates` is
    the type of the sample positions: float32, or float16 for a device that computes them in half too.
    Samples are added in the opposite order of the kernels'.

    Returns
    -------
    ndarray, the input's dtype, [num_rois, pooled_height, pooled_width, channels]
    """
    pooling = Pooling(pooled_height, pooled_width, spatial_scale, sampling_ratio, gamma)
    check_shapes(input, rois, offset, pooling)
    output = np.zeros((len(rois), pooled_height, pooled_width, input.shape[3]), input.dtype)
    if input.size and output.size:
        with np.errstate(all="ignore"):
            bins = lay_bins(input, rois, offset, pooling, np.dtype(coordinates))
            output.reshape(-1, input.shape[3])[...] = _average(input, bins, input.dtype)
    return output


class Bins(NamedTuple):
    """The image of each bin and its samples on both axes."""

    batch: np.ndarray
    y: AxisSamples
    x: AxisSamples

    def select(self, bins: np.ndarray) -> Bins:
        return Bins(self.batch[bins], self.y.select(bins), self.x.select(bins))


def check_shapes(input: np.ndarray, rois: np.ndarray, offset: np.ndarray | None, pooling: Pooling) -> None:
    if input.ndim != 4:
        raise ValueError(f"input must be [batches, height, width, channels], not {input.shape}")
    if rois.ndim != 2 or rois.shape[1] != 5:
        raise ValueError(f"rois must be [num_rois, 5], not {rois.shape}")
    expected = (len(rois), 2, pooling.height, pooling.width)
    if offset is not None and offset.shape != expected:
        raise ValueError(f"offset must be {expected} or None, not {offset.shape}")


def lay_bins(
    input: np.ndarray,
    rois: np.ndarray,
    offset: np.ndarray | None,
    pooling: Pooling,
    dtype: np.dtype,
) -> Bins:
    batch = np.trunc(np.where(np.isnan(rois[:, 0]), 0, rois[:, 0]).astype(np.float64))
    outside = np.flatnonzero((batch < 0) | (batch >= len(input)))
    if outside.size:
        roi = int(outside[0])
        raise ValueError(f"rois[{roi}] names image {rois[roi, 0]}, but input has {len(input)}")
    y, x = sample_bins(rois, offset, input.shape[1:3], pooling, dtype)
    return Bins(np.repeat(batch.astype(np.intp), pooling.height * pooling.width), y, x)


def _pool(input: np.ndarray, bins: Bins, output: np.ndarray) -> None:
    """Average in float64: by windows where all is finite, sample by sample elsewhere."""
    finite = all_finite(input)
    sampled = (bins.y.grid > 0) & (bins.x.grid > 0)
    literal = ~(bins.y.finite & bins.x.finite)
    if not finite:
        literal |= touched_by(~np.isfinite(input).all(axis=3), bins)
    regular = np.flatnonzero(sampled & ~literal)
    costs = (bins.y.grid + bins.x.grid)[regular] // 2 + _BIN_COST
    for piece in slices(costs, _SAMPLES_AT_ONCE):
        rows = regular[piece]
        pool_windows(input, *bins.select(rows), rows, output, finite=finite)
    irregular = np.flatnonzero(sampled & literal)
    for piece in slices(np.full(len(irregular), input.shape[3]), _ELEMENTS_AT_ONCE):
        rows = irregular[piece]
        output[rows] = _average(input, bins.select(rows), output.dtype)


def touched_by(cells: np.ndarray, bins: Bins) -> np.ndarray:
    """Mark the bins whose sampled rectangle contains one of `cells` ([batches, height, width])."""
    top, bottom = bins.y.footprint()
    left, right = bins.x.footprint()
    sums = np.zeros((cells.shape[0], cells.shape[1] + 1, cells.shape[2] + 1), np.int64)
    sums[:, 1:, 1:] = cells.cumsum(axis=1).cumsum(axis=2)
    at = bins.batch
    inside = sums[at, bottom + 1, right + 1] - sums[at, top, right + 1]
    inside += sums[at, top, left] - sums[at, bottom + 1, left]
    touched: np.ndarray = inside > 0
    return touched


def _average(input: np.ndarray, bins: Bins, dtype: np.dtype) -> np.ndarray:
    """Average the samples of each bin in `dtype`, one sample of every bin at a time, last ones first."""
    _, height, width, channels = input.shape
    cells = input.reshape(-1, channels)
    total = np.zeros((len(bins.batch), channels), dtype)
    for i in reversed(range(bins.y.grid.max(initial=0))):
        for j in reversed(range(bins.x.grid.max(initial=0))):
            active = np.flatnonzero((i < bins.y.grid) & (j < bins.x.grid))
            batch, y, x = bins.select(active)
            at = corners(y.taps(i), x.taps(j), width, dtype)
            inside = np.flatnonzero(at.inside)
            image = batch[inside] * (height * width)
            sample = np.zeros((len(inside), channels), dtype)
            for cell, weight in zip(at.cells[:, inside], at.weights[:, inside]):
                sample += weight[:, None] * cells[image + cell].astype(dtype)
            total[active[inside]] += sample
    total /= np.maximum(bins.y.grid * bins.x.grid, 1).astype(dtype)[:, None]
    return total
