"""Deformable RoI pooling, backward."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .bilinear import corners
from .deform_roi_pool import Bins, check_shapes, lay_bins, touched_by
from .numeric import all_finite, float32, slices
from .roi_sampling import AxisSamples, Pooling, roi_sizes
from .scatter import add_in_order
from .window_gradients import arranged, place_gradients, spread_over_windows

__all__ = ["DeformRoiPoolBackward", "deform_roi_pool_backward", "deform_roi_pool_backward_baseline"]

_SAMPLES_AT_ONCE = 3 << 18
_BIN_COST = 8  # a bin's own arrays, in samples
_ELEMENTS_AT_ONCE = 1 << 20


class DeformRoiPoolBackward(NamedTuple):
    """The result of `deform_roi_pool_backward`.

    Attributes
    ----------
    grad_input : ndarray, [batches, height, width, channels]
    grad_offset : ndarray, [num_rois, 2, pooled_height, pooled_width], or None
        None where no offset was given.
    """

    grad_input: np.ndarray
    grad_offset: np.ndarray | None


def deform_roi_pool_backward(
    grad_output: np.ndarray,
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
    of_offset: bool = True,
) -> DeformRoiPoolBackward:
    """Return the gradients of the map and of the offsets.

    Source: open-mmlab/mmcv common/cuda/deform_roi_pool_cuda_kernel.cuh:80-170. With G the gradient of a bin
    over its number of samples, each sample inside the map adds G times its four bilinear weights to its
    cells, and to the gradient of its bin's offset, summed over the channels, ::

        gamma * width  * G * ((y - yl) * V11 + (yh - y) * V01 + (yl - y) * V10 + (y - yh) * V00)
        gamma * height * G * ((x - xl) * V11 + (xh - x) * V10 + (xl - x) * V01 + (x - xh) * V00)

    along x and along y, V the cells (V01 the lower row, the higher column). Weights are of the coordinate
    clamped to the map; y and x here are not clamped, so that between -1 and 0 the gradient of the offset is
    not 0, although the forward is constant there.

    Parameters
    ----------
    grad_output : ndarray, [num_rois, pooled_height, pooled_width, channels]
    input : ndarray, [batches, height, width, channels]
    rois, offset, pooled_height, pooled_width, spatial_scale, sampling_ratio, gamma, coordinates
        As for `deform_roi_pool_forward`.
    of_offset : bool
        False leaves out the gradient of the offsets.

    Returns
    -------
    DeformRoiPoolBackward
        In float64. NaN and infinity follow the literal rule: all products are formed, also by a weight of 0.

    Raises
    ------
    ValueError
        A batch index outside the input, or shapes that do not fit.
    """
    pooling = Pooling(pooled_height, pooled_width, spatial_scale, sampling_ratio, gamma)
    _check(grad_output, input, rois, offset, pooling)
    of_offset = of_offset and offset is not None
    gradients = grad_output.reshape(-1, input.shape[3])
    grad_input, moved = np.zeros(input.shape), np.zeros((len(gradients), 2))
    if input.size and gradients.size:
        with np.errstate(all="ignore"):
            bins = lay_bins(input, rois, offset, pooling, np.dtype(coordinates))
            _spread(gradients, input, bins, grad_input, moved if of_offset else None)
    if not of_offset or offset is None:
        return DeformRoiPoolBackward(grad_input, None)
    with np.errstate(all="ignore"):
        return DeformRoiPoolBackward(
            grad_input, _by_offset(moved, rois, pooling, np.dtype(coordinates), moved.dtype)
        )


def deform_roi_pool_backward_baseline(
    grad_output: np.ndarray,
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
) -> DeformRoiPoolBackward:
    """Return the same gradients as a correct device of the input's precision may compute them.

    Weights, products and sums are of the input's dtype and round after every operation. `coordinates` is the
    type of the sample positions. Samples are added in the opposite order of the kernels'.
    """
    pooling = Pooling(pooled_height, pooled_width, spatial_scale, sampling_ratio, gamma)
    _check(grad_output, input, rois, offset, pooling)
    gradients = grad_output.reshape(-1, input.shape[3])
    dtype = input.dtype
    grad_input, moved = np.zeros(input.shape, dtype), np.zeros((len(gradients), 2), dtype)
    with np.errstate(all="ignore"):
        if input.size and gradients.size:
            bins = lay_bins(input, rois, offset, pooling, np.dtype(coordinates))
            _spread_literally(gradients, input, bins, grad_input, moved if offset is not None else None)
        if offset is None:
            return DeformRoiPoolBackward(grad_input, None)
        return DeformRoiPoolBackward(
            grad_input, _by_offset(moved, rois, pooling, np.dtype(coordinates), dtype)
        )


def _check(
    grad_output: np.ndarray,
    input: np.ndarray,
    rois: np.ndarray,
    offset: np.ndarray | None,
    pooling: Pooling,
) -> None:
    check_shapes(input, rois, offset, pooling)
    expected = (len(rois), pooling.height, pooling.width, input.shape[3])
    if grad_output.shape != expected:
        raise ValueError(f"grad_output must be {expected}, not {grad_output.shape}")


def _spread(
    gradients: np.ndarray,
    input: np.ndarray,
    bins: Bins,
    grad_input: np.ndarray,
    moved: np.ndarray | None,
) -> None:
    """Add in float64: by windows where all is finite, sample by sample elsewhere."""
    finite = moved is None or all_finite(input)
    sampled = (bins.y.grid > 0) & (bins.x.grid > 0)
    literal = ~(bins.y.finite & bins.x.finite & np.isfinite(gradients).all(axis=1))
    if not finite:
        literal |= touched_by(~np.isfinite(input).all(axis=3), bins)
    regular = np.flatnonzero(sampled & ~literal)
    costs = (bins.y.grid + bins.x.grid)[regular] // 2 + _BIN_COST
    for piece in slices(costs, _SAMPLES_AT_ONCE):
        rows = regular[piece]
        part = arranged(*bins.select(rows))
        spread_over_windows(gradients[rows], part, grad_input)
        if moved is not None:
            moved[rows] = place_gradients(input, gradients[rows], part, finite=finite)
    irregular = np.flatnonzero(sampled & literal)
    for piece in slices(np.full(len(irregular), input.shape[3]), _ELEMENTS_AT_ONCE):
        rows = irregular[piece]
        own = None if moved is None else np.zeros((len(rows), 2))
        _spread_literally(gradients[rows], input, bins.select(rows), grad_input, own)
        if moved is not None and own is not None:
            moved[rows] = own


def _spread_literally(
    gradients: np.ndarray, input: np.ndarray, bins: Bins, grad_input: np.ndarray, moved: np.ndarray | None
) -> None:
    """Add in the dtype of `grad_input`, one sample of every bin at a time, last ones first."""
    dtype = grad_input.dtype
    _, height, width, channels = input.shape
    cells, sums = input.reshape(-1, channels), grad_input.reshape(-1, channels)
    counts = np.maximum(bins.y.grid * bins.x.grid, 1).astype(dtype)[:, None]
    shares = gradients.astype(dtype) / counts
    for i in reversed(range(bins.y.grid.max(initial=0))):
        for j in reversed(range(bins.x.grid.max(initial=0))):
            active = np.flatnonzero((i < bins.y.grid) & (j < bins.x.grid))
            batch, y, x = bins.select(active)
            at = corners(y.taps(i), x.taps(j), width, dtype)
            inside = np.flatnonzero(at.inside)
            taken = batch[inside] * (height * width) + at.cells[:, inside]
            own = shares[active[inside]]
            for cell, weight in zip(taken, at.weights[:, inside]):
                add_in_order(sums, cell, weight[:, None] * own)
            if moved is not None:
                levers = _levers(y, i, dtype)[:, inside], _levers(x, j, dtype)[:, inside]
                moved[active[inside]] += _movement(cells[taken].astype(dtype), own, *levers)


def _levers(axis: AxisSamples, i: int, dtype: np.dtype) -> np.ndarray:
    """Return each sample's distance from its low cell and to its high cell, [2, samples], not clamped."""
    position, at = axis.position(i), axis.taps(i)
    return np.stack(
        [position - at.low.astype(position.dtype), at.high.astype(position.dtype) - position]
    ).astype(dtype)


def _movement(cells: np.ndarray, shares: np.ndarray, y: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Return what samples gain when they move along x and along y, [samples, 2].

    Parameters
    ----------
    cells : ndarray, [4, samples, channels]
        The cells of `corners`: row by row.
    shares : ndarray, [samples, channels]
    y, x : ndarray, [2, samples]
        The levers of both axes.
    """
    low_low, low_high, high_low, high_high = cells
    (below, above), (left, right) = y[..., None], x[..., None]
    along_x = below * high_high + above * low_high - below * high_low - above * low_low
    along_y = left * high_high + right * high_low - left * low_high - right * low_low
    moved: np.ndarray = np.stack([(along * shares).sum(axis=1) for along in (along_x, along_y)], axis=1)
    return moved


def _by_offset(
    moved: np.ndarray, rois: np.ndarray, pooling: Pooling, coordinates: np.dtype, dtype: np.dtype
) -> np.ndarray:
    """Return the gradients by offset, [num_rois, 2, pooled_height, pooled_width]."""
    sizes = roi_sizes(rois, pooling.spatial_scale, coordinates)
    factors = (sizes * np.float64(float32(pooling.gamma)).astype(coordinates)).astype(dtype)
    by_roi = moved.reshape(len(rois), pooling.height, pooling.width, 2).transpose(0, 3, 1, 2)
    return np.ascontiguousarray(by_roi * factors[:, :, None, None])
