"""RoI-aware pooling of point clouds, backward."""

from __future__ import annotations

from typing import Iterator

import numpy as np

from .numeric import widen
from .scatter import add_in_order, scatter_add

MAX, AVERAGE = 0, 1
"""Values of `pool_method`."""

_VOXELS_AT_ONCE = 1 << 14
_POINTS_AT_ONCE = 1 << 22
_CHANNELS_AT_ONCE = 16
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
    pts_idx, argmax, gradients = _checked(pts_idx_of_voxels, argmax, grad_out, pool_method, pts_num)
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
    pts_idx, argmax, gradients = _checked(pts_idx_of_voxels, argmax, grad_out, pool_method, pts_num)
    channels = gradients.shape[1]
    sums = np.zeros((pts_num, channels), gradients.dtype)
    with np.errstate(all="ignore"):
        if pool_method == MAX:
            voxel, channel = np.nonzero(argmax[::-1] >= 0)
            voxel = len(argmax) - 1 - voxel
            index = argmax[voxel, channel] * np.int64(channels) + channel
            add_in_order(sums.reshape(-1), index, gradients[voxel, channel])
            return sums
        counts = np.maximum(pts_idx[:, 0], 1).astype(np.float32)
        shares = (gradients * (np.float32(1) / counts)[:, None]).astype(gradients.dtype)
        for start in reversed(range(0, len(pts_idx), _VOXELS_AT_ONCE)):
            part = pts_idx[start : start + _VOXELS_AT_ONCE][::-1]
            voxel, slot = np.nonzero(_used(part))
            add_in_order(sums, part[voxel, slot + 1], shares[start : start + len(part)][::-1][voxel])
    return sums


def _backward_max(argmax: np.ndarray, gradients: np.ndarray, pts_num: int) -> np.ndarray:
    channels = gradients.shape[1]
    sums = np.zeros((channels, pts_num + 1))  # the first of a row takes what belongs to no point
    for part in _pieces(len(argmax), _VOXELS_AT_ONCE):
        for start in range(0, channels, _CHANNELS_AT_ONCE):
            block = slice(start, start + _CHANNELS_AT_ONCE)
            points = (argmax[part, block] + np.int32(1)).T.astype(np.intp, order="C")
            values = widen(gradients[part, block].T)
            for channel_sums, point, value in zip(sums[block], points, values):
                scatter_add(channel_sums, point, value)
    return np.ascontiguousarray(sums[:, 1:].T)


def _backward_average(pts_idx: np.ndarray, gradients: np.ndarray, pts_num: int) -> np.ndarray:
    """Add two channels at once, as one complex number, and one slot of many voxels at once."""
    channels = gradients.shape[1]
    sums = np.zeros(((channels + 1) // 2, pts_num), np.complex128)
    step = min(_VOXELS_AT_ONCE, max(1, _POINTS_AT_ONCE // pts_idx.shape[1]))
    for part in _pieces(len(pts_idx), step):
        order = np.argsort(-pts_idx[part, 0], kind="stable")  # slot k is used by the first voxels
        counts = np.maximum(pts_idx[part, 0][order], 0)
        shares = widen(gradients[part][order]) / np.maximum(counts, 1)[:, None]
        pairs = np.zeros((len(sums), len(order)), np.complex128)
        pairs.real = shares[:, 0::2].T
        pairs.imag[: channels // 2] = shares[:, 1::2].T
        points = _columns(pts_idx[part, 1 : counts[0] + 1], order)
        users = np.searchsorted(-counts, -np.arange(len(points))).tolist()
        for pair, pair_sums in zip(pairs, sums):
            for point, used in zip(points, users):
                scatter_add(pair_sums, point[:used], pair[:used])
    output = np.empty((pts_num, channels))
    output[:, 0::2] = sums.real.T
    output[:, 1::2] = sums.imag[: channels // 2].T
    return output


def _columns(table: np.ndarray, order: np.ndarray) -> np.ndarray:
    """``table[order].T`` as indices, in blocks that stay in the nearest cache."""
    columns = np.empty((table.shape[1], len(order)), np.intp)
    for start in range(0, len(order), _ROWS_AT_ONCE):
        block = slice(start, start + _ROWS_AT_ONCE)
        columns[:, block] = table[order[block]].T
    return columns


def _checked(
    pts_idx_of_voxels: np.ndarray, argmax: np.ndarray, grad_out: np.ndarray, pool_method: int, pts_num: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The three tensors with one row a voxel, every index that will be read within range."""
    if pool_method not in (MAX, AVERAGE):
        raise ValueError(f"pool_method must be 0 (maximum) or 1 (average), not {pool_method}")
    if grad_out.ndim != 5 or argmax.shape != grad_out.shape:
        raise ValueError(
            f"argmax {argmax.shape} and grad_out {grad_out.shape} must be of one shape of 5 dimensions"
        )
    if pts_idx_of_voxels.ndim != 5 or pts_idx_of_voxels.shape[:4] != grad_out.shape[:4]:
        raise ValueError(
            f"pts_idx_of_voxels {pts_idx_of_voxels.shape} does not fit grad_out {grad_out.shape}"
        )
    voxels = int(np.prod(grad_out.shape[:4]))
    pts_idx, points, gradients = (
        tensor.reshape(voxels, tensor.shape[4]) for tensor in (pts_idx_of_voxels, argmax, grad_out)
    )
    if pool_method == MAX:
        if points.min(initial=-1) < -1 or points.max(initial=-1) >= pts_num:
            _refuse(
                "argmax", points, (points < -1) | (points >= pts_num), 0, f"neither -1 nor below {pts_num}"
            )
    else:
        for part in _pieces(voxels, _VOXELS_AT_ONCE):
            _check_points(pts_idx[part], part.start, pts_num)
    return pts_idx, points, gradients


def _check_points(pts_idx: np.ndarray, first_voxel: int, pts_num: int) -> None:
    slots = pts_idx.shape[1] - 1
    counts, points = pts_idx[:, :1], pts_idx[:, 1:]
    _refuse("pts_idx_of_voxels", counts, counts > slots, first_voxel, f"a count above the {slots} slots")
    wrong = _used(pts_idx) & ((points < 0) | (points >= pts_num))
    _refuse("pts_idx_of_voxels", points, wrong, first_voxel, f"not a point below {pts_num}")


def _refuse(name: str, values: np.ndarray, wrong: np.ndarray, first_voxel: int, why: str) -> None:
    """Raise ValueError at the first wrong value, if there is one."""
    if wrong.any():
        voxel, column = np.argwhere(wrong)[0]
        raise ValueError(f"{name}, voxel {first_voxel + voxel}: {values[voxel, column]} is {why}")


def _used(pts_idx: np.ndarray) -> np.ndarray:
    """Which slots of each voxel hold a point."""
    used: np.ndarray = np.arange(pts_idx.shape[1] - 1) < pts_idx[:, :1]
    return used


def _pieces(voxels: int, step: int) -> Iterator[slice]:
    return (slice(start, start + step) for start in range(0, voxels, step))
