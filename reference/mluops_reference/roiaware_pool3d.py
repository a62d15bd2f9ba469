"""RoI-aware pooling of point clouds, backward."""

from __future__ import annotations

from typing import Iterator

import numpy as np

from .numeric import slices
from .scatter import add_in_order, scatter_add

MAX, AVERAGE = 0, 1
"""Values of `pool_method`."""

_VOXELS_AT_ONCE = 1 << 14
_POINTS_AT_ONCE = 1 << 20
_VOXEL_COST = 64  # the arrays of a voxel's gradient, in points
_CHANNELS_AT_ONCE = 16  # even
_ROWS_AT_ONCE = 512


def roiaware_pool3d_backward(
    pts_idx_of_voxels: np.ndarray,
    argmax: np.ndarray,
    grad_out: np.ndarray,
    *,
    pool_method: int,
    pts_num: int,
) -> np.ndarray:
    """Give each voxel's gradient back to the points that were pooled in it.

    Source: open-mmlab/mmcv common/cuda/roiaware_pool3d_cuda_kernel.cuh:199-258. Maximum: a voxel's gradient
    goes to point `argmax`, channel by channel. Average: an n-th of it goes to each of the voxel's n points;
    a point that is listed twice gets two shares. Kernels round 1/n to float32, here it is float64: a
    relative difference of 3e-8.

    Parameters
    ----------
    pts_idx_of_voxels : int32 ndarray, [boxes_num, out_x, out_y, out_z, max_pts_each_voxel]
        Slot 0 counts the voxel's points, which follow; slots past the count are never read, nor is any of
        this when `pool_method` is 0.
    argmax : int32 ndarray, [boxes_num, out_x, out_y, out_z, channels]
        -1 for no point. Not read when `pool_method` is 1.
    grad_out : ndarray, [boxes_num, out_x, out_y, out_z, channels]
    pool_method : int
        0 maximum, 1 average.
    pts_num : int

    Returns
    -------
    ndarray, float64, [pts_num, channels]

    Raises
    ------
    ValueError
        A count above max_pts_each_voxel - 1, a point outside [0, pts_num) (argmax: or -1), another
        `pool_method`, or shapes that do not fit.
    """
    pts_idx, argmax, gradients = _by_voxel(pts_idx_of_voxels, argmax, grad_out, pool_method)
    with np.errstate(all="ignore"):
        if pool_method == MAX:
            return _backward_max(argmax, gradients, pts_num)
        return _backward_average(pts_idx, gradients, pts_num)


def roiaware_pool3d_backward_baseline(
    pts_idx_of_voxels: np.ndarray,
    argmax: np.ndarray,
    grad_out: np.ndarray,
    *,
    pool_method: int,
    pts_num: int,
) -> np.ndarray:
    """The same gradient as a correct device of `grad_out`'s precision may compute it.

    Shares are g x (1/n) in float32, then rounded; sums round to the dtype after every addition. Voxels come
    in descending order.

    Returns
    -------
    ndarray, the dtype of `grad_out`, [pts_num, channels]
    """
    pts_idx, argmax, gradients = _by_voxel(pts_idx_of_voxels, argmax, grad_out, pool_method)
    sums = np.zeros((pts_num, gradients.shape[1]), gradients.dtype)
    with np.errstate(all="ignore"):
        if pool_method == MAX:
            for points, values, column in zip(_points_of_channels(argmax, pts_num).T, gradients.T, sums.T):
                voxels = np.flatnonzero(points >= 0)[::-1]
                add_in_order(column, points[voxels], values[voxels])
            return sums
        filled, counts = (values[::-1] for values in _filled(pts_idx))
        share = np.float32(1) / counts.astype(np.float32)
        shares = (gradients[filled] * share[:, None]).astype(gradients.dtype)
        for part in slices(counts, _POINTS_AT_ONCE):
            points, used = _points_of(pts_idx, filled[part], pts_num)
            add_in_order(sums, points[used], shares[part][np.nonzero(used)[0]])
    return sums


def _backward_max(argmax: np.ndarray, gradients: np.ndarray, pts_num: int) -> np.ndarray:
    voxels, channels = argmax.shape
    argmax = _points_of_channels(argmax, pts_num)
    sums = np.zeros((channels, pts_num + 1))  # the first of a row takes what belongs to no point
    for start in range(0, voxels, _VOXELS_AT_ONCE):
        part = slice(start, start + _VOXELS_AT_ONCE)
        for block in _channel_blocks(channels):
            points = _columns(argmax[part, block] + np.int32(1), np.intp)
            values = _columns(gradients[part, block], np.float64)
            for row, point, value in zip(sums[block], points, values):
                scatter_add(row, point, value)
    return np.ascontiguousarray(sums[:, 1:].T)


def _backward_average(pts_idx: np.ndarray, gradients: np.ndarray, pts_num: int) -> np.ndarray:
    """Add one slot of many voxels of like counts at once, and two channels as one complex number."""
    channels = gradients.shape[1]
    filled, counts = _filled(pts_idx)
    order = np.argsort(-counts, kind="stable")
    filled, counts = filled[order], counts[order]
    sums = np.zeros(((channels + 1) // 2, pts_num), np.complex128)
    for part in slices(counts + _VOXEL_COST, _POINTS_AT_ONCE):
        points, used = _points_of(pts_idx, filled[part], pts_num)
        columns = _columns(points, np.intp)
        users = np.count_nonzero(used, axis=0).tolist()  # the first voxels of the part
        for block in _channel_blocks(channels):
            shares = gradients[filled[part], block].astype(np.float64)
            shares /= counts[part, None]
            pairs = _paired(shares)
            for row, pair in zip(sums[block.start // 2 :], pairs):
                for column, count in zip(columns, users):
                    scatter_add(row, column[:count], pair[:count])
    output = np.empty((pts_num, channels))
    output[:, 0::2] = sums.real.T
    output[:, 1::2] = sums.imag[: channels // 2].T
    return output


def _paired(shares: np.ndarray) -> np.ndarray:
    """Columns two by two as complex numbers, [column pairs, rows]."""
    rows, columns = shares.shape
    pairs = np.zeros(((columns + 1) // 2, rows), np.complex128)
    pairs.real = shares[:, 0::2].T
    pairs.imag[: columns // 2] = shares[:, 1::2].T
    return pairs


def _columns(table: np.ndarray, dtype: type) -> np.ndarray:
    """``table.T``, contiguous and in a wider type, copied in blocks that stay in the nearest cache."""
    columns: np.ndarray = np.empty(table.shape[::-1], dtype)
    for start in range(0, len(table), _ROWS_AT_ONCE):
        block = slice(start, start + _ROWS_AT_ONCE)
        columns[:, block] = table[block].T
    return columns


def _channel_blocks(channels: int) -> Iterator[slice]:
    return (
        slice(start, min(start + _CHANNELS_AT_ONCE, channels))
        for start in range(0, channels, _CHANNELS_AT_ONCE)
    )


def _points_of(pts_idx: np.ndarray, voxels: np.ndarray, pts_num: int) -> tuple[np.ndarray, np.ndarray]:
    """The slots of some voxels, as many as the fullest has, and which of them hold a point."""
    counts = pts_idx[voxels, 0]
    points = pts_idx[voxels, 1 : counts.max() + 1]
    used = np.arange(points.shape[1]) < counts[:, None]
    wrong = used & ((points < 0) | (points >= pts_num))
    if wrong.any():
        row, column = np.argwhere(wrong)[0]
        raise ValueError(
            f"pts_idx_of_voxels, voxel {voxels[row]}: {points[row, column]} is not a point below {pts_num}"
        )
    return points, used


def _by_voxel(
    pts_idx_of_voxels: np.ndarray, argmax: np.ndarray, grad_out: np.ndarray, pool_method: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The three tensors with one row a voxel."""
    if pool_method not in (MAX, AVERAGE):
        raise ValueError(f"pool_method must be 0 (maximum) or 1 (average), not {pool_method}")
    if grad_out.ndim != 5 or argmax.shape != grad_out.shape:
        raise ValueError(f"argmax {argmax.shape} and grad_out {grad_out.shape} must be of one 5-d shape")
    if pts_idx_of_voxels.ndim != 5 or pts_idx_of_voxels.shape[:4] != grad_out.shape[:4]:
        raise ValueError(f"pts_idx_of_voxels {pts_idx_of_voxels.shape} does not fit {grad_out.shape}")
    voxels = int(np.prod(grad_out.shape[:4]))
    pts_idx, argmax, gradients = (
        tensor.reshape(voxels, tensor.shape[4]) for tensor in (pts_idx_of_voxels, argmax, grad_out)
    )
    return pts_idx, argmax, gradients


def _points_of_channels(argmax: np.ndarray, pts_num: int) -> np.ndarray:
    """Give back `argmax`, every element of it a point or -1."""
    if argmax.min(initial=-1) < -1 or argmax.max(initial=-1) >= pts_num:
        voxel, channel = np.argwhere((argmax < -1) | (argmax >= pts_num))[0]
        raise ValueError(
            f"argmax, voxel {voxel}, channel {channel}: {argmax[voxel, channel]} is neither -1 "
            f"nor a point below {pts_num}"
        )
    return argmax


def _filled(pts_idx: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The voxels that hold points, and how many each."""
    counts, slots = pts_idx[:, 0].copy(), pts_idx.shape[1] - 1
    if counts.max(initial=0) > slots:
        voxel = int(counts.argmax())
        raise ValueError(f"pts_idx_of_voxels, voxel {voxel}: count {counts[voxel]} above its {slots} slots")
    voxels = np.flatnonzero(counts > 0)
    return voxels, counts[voxels]
