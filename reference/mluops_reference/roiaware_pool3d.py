"""RoI-aware pooling of point clouds, backward."""

from __future__ import annotations

from typing import Iterator

import numpy as np

from .numeric import slices
from .scatter import ELEMENTS_AT_ONCE, add_in_order, scatter_add

__all__ = ["roiaware_pool3d_backward", "roiaware_pool3d_backward_baseline"]

MAX, AVERAGE = 0, 1
"""Values of `pool_method`."""

_VOXELS_AT_ONCE = 1 << 13
_SLOTS_AT_ONCE = 128
_POINTS_AT_ONCE = 1 << 20
_CHANNELS_AT_ONCE = 16  # even
_ROWS_AT_ONCE = 512
_MANY_VOXELS = 256  # a call of scatter_add costs as much as some hundred additions
_WIDE = 512  # channels from which on rows are added one by one


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
            if _beyond(argmax, pts_num, lowest=-1):
                raise _no_argmax(argmax, pts_num)
            for points, values, column in zip(argmax.T, gradients.T, sums.T):
                voxels = np.flatnonzero(points >= 0)[::-1]
                add_in_order(column, points[voxels], values[voxels])
            return sums
        filled, counts = (values[::-1] for values in _filled(pts_idx))
        share = np.float32(1) / counts.astype(np.float32)
        shares = (gradients[filled] * share[:, None]).astype(gradients.dtype)
        for part in slices(counts, _POINTS_AT_ONCE):
            points = _listed(pts_idx, filled[part], counts[part], pts_num)
            add_in_order(sums, points, np.repeat(shares[part], counts[part], axis=0))
    return sums


def _backward_max(argmax: np.ndarray, gradients: np.ndarray, pts_num: int) -> np.ndarray:
    """Add element by element, in the order of the tensors: neighbours go to different channels."""
    output = np.empty((pts_num, argmax.shape[1]))
    for block in _channel_blocks(argmax.shape[1]):
        width, rows = block.stop - block.start, pts_num + 1
        # One more than the points: index -1 of the next channel is this sum, which nobody reads.
        sums = np.zeros((width, rows))
        step = max(1, min(len(argmax), ELEMENTS_AT_ONCE // width))
        first = np.tile(np.arange(width) * rows, step)
        for start in range(0, len(argmax), step):
            part = slice(start, start + step), block
            points, values = argmax[part].reshape(-1), gradients[part].astype(np.float64).reshape(-1)
            if _beyond(points, pts_num, lowest=-1):
                raise _no_argmax(argmax, pts_num)
            scatter_add(sums.reshape(-1), points + first[: len(points)], values)
        output[:, block] = sums[:, :pts_num].T
    return output


def _backward_average(pts_idx: np.ndarray, gradients: np.ndarray, pts_num: int) -> np.ndarray:
    """Add two channels at once, as one complex number.

    Slots that many voxels use are added slot by slot, others voxel by voxel.
    """
    channels = gradients.shape[1]
    filled, counts = _filled(pts_idx)
    if channels >= _WIDE:
        return _backward_average_of_wide(pts_idx, filled, gradients, pts_num)
    output = np.empty((pts_num, channels))
    order = np.argsort(-counts, kind="stable")
    filled, counts = filled[order], counts[order]
    at_once = min(len(filled), _VOXELS_AT_ONCE)
    buffer = np.empty((_CHANNELS_AT_ONCE // 2, at_once), np.complex128)
    for block in _channel_blocks(channels):
        values = np.ascontiguousarray(gradients[:, block])
        sums = np.zeros(((values.shape[1] + 1) // 2, pts_num), np.complex128)
        for start in range(0, len(filled), _VOXELS_AT_ONCE):
            part = slice(start, start + _VOXELS_AT_ONCE)
            voxels, used = filled[part], counts[part]
            pairs = _columns(_shares(values, voxels, used), buffer)
            shared = int(used[_MANY_VOXELS - 1]) if len(used) >= _MANY_VOXELS else 0
            for columns in _slots(pts_idx, voxels, used, shared, pts_num):
                for pair_sums, pair in zip(sums, pairs):
                    for column in columns:
                        scatter_add(pair_sums, column, pair[: len(column)])
            left = used[used > shared] - shared
            for piece in slices(left, _POINTS_AT_ONCE):
                points = _listed(pts_idx, voxels[piece], left[piece], pts_num, after=shared)
                for pair_sums, pair in zip(sums, pairs):
                    scatter_add(pair_sums, points, np.repeat(pair[piece], left[piece]))
        output[:, block] = np.ascontiguousarray(sums.T).view(np.float64)[:, : values.shape[1]]
    return output


def _backward_average_of_wide(
    pts_idx: np.ndarray, filled: np.ndarray, gradients: np.ndarray, pts_num: int
) -> np.ndarray:
    """Add row by row."""
    output = np.zeros((pts_num, gradients.shape[1]))
    for voxel in filled:
        count = pts_idx[voxel, 0]
        points = pts_idx[voxel, 1 : count + 1]
        if _beyond(points, pts_num):
            first = int(np.argmax((points < 0) | (points >= pts_num)))
            raise _no_point(voxel, points[first], pts_num)
        share = gradients[voxel].astype(np.float64) / count
        for point in points.tolist():
            row = output[point]
            row += share
    return output


def _shares(values: np.ndarray, voxels: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Return each point's share of its voxel, [voxels, pairs]: a pair of channels is one complex number."""
    channels = values.shape[1]
    shares = np.zeros((len(voxels), channels + channels % 2))
    np.divide(values.take(voxels, axis=0), counts[:, None], out=shares[:, :channels], dtype=np.float64)
    return shares.view(np.complex128)


def _slots(
    pts_idx: np.ndarray, voxels: np.ndarray, counts: np.ndarray, slots: int, pts_num: int
) -> Iterator[list[np.ndarray]]:
    """The points of the first slots of voxels in descending order of their counts, slot by slot.

    Each array, intp, has the points of as many voxels, from the first on, as use its slot; it holds until
    the next list.
    """
    users = np.searchsorted(-counts, -np.arange(slots), side="left").tolist()
    buffer = np.empty((min(slots, _SLOTS_AT_ONCE), len(voxels)), np.intp)
    for start in range(0, slots, _SLOTS_AT_ONCE):
        stop = min(start + _SLOTS_AT_ONCE, slots)
        points = pts_idx[voxels[: users[start]], start + 1 : stop + 1]
        if _beyond(points, pts_num):
            used = np.arange(start, stop) < counts[: users[start], None]
            for row, column in np.argwhere(used & ((points < 0) | (points >= pts_num))):
                raise _no_point(voxels[row], points[row, column], pts_num)
        yield [column[:count] for column, count in zip(_columns(points, buffer), users[start:stop])]


def _listed(
    pts_idx: np.ndarray, voxels: np.ndarray, counts: np.ndarray, pts_num: int, *, after: int = 0
) -> np.ndarray:
    """So many points of each of some voxels, one after the other, past its first slots, intp."""
    ends = np.cumsum(counts)
    slots = np.arange(after + 1, after + 1 + counts.sum()) - np.repeat(ends - counts, counts)
    rows = np.repeat(voxels, counts)
    points: np.ndarray = pts_idx[rows, slots].astype(np.intp)
    if _beyond(points, pts_num):
        first = int(np.argmax((points < 0) | (points >= pts_num)))
        raise _no_point(rows[first], points[first], pts_num)
    return points


def _beyond(points: np.ndarray, pts_num: int, *, lowest: int = 0) -> bool:
    return bool(points.min(initial=lowest) < lowest or points.max(initial=-1) >= pts_num)


def _no_point(voxel: int, point: int, pts_num: int) -> ValueError:
    return ValueError(f"pts_idx_of_voxels, voxel {voxel}: {point} is not a point below {pts_num}")


def _no_argmax(argmax: np.ndarray, pts_num: int) -> ValueError:
    voxel, channel = np.argwhere((argmax < -1) | (argmax >= pts_num))[0]
    return ValueError(
        f"argmax, voxel {voxel}, channel {channel}: {argmax[voxel, channel]} is neither -1 "
        f"nor a point below {pts_num}"
    )


def _columns(table: np.ndarray, out: np.ndarray) -> np.ndarray:
    """``table.T`` in the first rows and columns of `out`, copied in blocks that stay in the nearest cache."""
    rows, columns = table.shape
    for start in range(0, rows, _ROWS_AT_ONCE):
        block = slice(start, min(start + _ROWS_AT_ONCE, rows))
        out[:columns, block] = table[block].T
    return out[:columns, :rows]


def _channel_blocks(channels: int) -> Iterator[slice]:
    return (
        slice(start, min(start + _CHANNELS_AT_ONCE, channels))
        for start in range(0, channels, _CHANNELS_AT_ONCE)
    )


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


def _filled(pts_idx: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The voxels that hold points, and how many each."""
    counts, slots = pts_idx[:, 0].copy(), pts_idx.shape[1] - 1
    if counts.max(initial=0) > slots:
        voxel = int(counts.argmax())
        raise ValueError(f"pts_idx_of_voxels, voxel {voxel}: count {counts[voxel]} above its {slots} slots")
    voxels = np.flatnonzero(counts > 0)
    return voxels, counts[voxels]
