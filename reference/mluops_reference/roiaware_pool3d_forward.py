"""RoI-aware pooling of point clouds, forward."""

from __future__ import annotations

from typing import Any, Iterator, NamedTuple

import numpy as np

from .numeric import run_starts, slices

__all__ = ["RoiawarePool3dForward", "roiaware_pool3d_forward", "roiaware_pool3d_forward_baseline"]

MAX, AVERAGE = 0, 1
"""Values of `pool_method`."""

_POINTS_AT_ONCE = 1 << 20


class RoiawarePool3dForward(NamedTuple):
    """The result of `roiaware_pool3d_forward`, in the order of the C function's outputs.

    Attributes
    ----------
    argmax : ndarray, int32, [boxes_num, out_x, out_y, out_z, channels]
        The point that gave the maximum; -1 for none. All 0 where the method is average.
    pts_idx_of_voxels : ndarray, int32, [boxes_num, out_x, out_y, out_z, max_pts_each_voxel]
        The number of kept points, then the points in ascending order, then zeros.
    pooled_features : ndarray, [boxes_num, out_x, out_y, out_z, channels]
    """

    argmax: np.ndarray
    pts_idx_of_voxels: np.ndarray
    pooled_features: np.ndarray


class _Kept(NamedTuple):
    """Points that voxels keep, voxel by voxel and ascending: `slot` counts from 0 in each voxel."""

    voxel: np.ndarray
    point: np.ndarray
    slot: np.ndarray


def roiaware_pool3d_forward(
    rois: np.ndarray,
    pts: np.ndarray,
    pts_feature: np.ndarray,
    *,
    pool_method: int,
    max_pts_each_voxel: int,
    out_x: int,
    out_y: int,
    out_z: int,
    coordinates: Any = np.float64,
    reciprocal: bool = False,
) -> RoiawarePool3dForward:
    """Pool the features of the points in each voxel of each box.

    Source: open-mmlab/mmcv common/cuda/roiaware_pool3d_cuda_kernel.cuh. With the point in the frame of the
    box, ::

        a, b = X - cx, Y - cy
        lx = a cos(-heading) - b sin(-heading),  ly = a sin(-heading) + b cos(-heading),  lz = Z - cz

    a point is inside where not abs(Z - (cz + dz / 2)) > dz / 2, abs(lx) < dx / 2 and abs(ly) < dy / 2. Its
    voxel is int((lx + dx / 2) / (dx / out_x)), likewise along y, and int(lz / (dz / out_z)), each within the
    grid.
    A voxel keeps its first max_pts_each_voxel - 1 points, by ascending number. The maximum is the first
    of the largest features, NaN never counts; the average is the sum divided by the number of kept points.

    Parameters
    ----------
    rois : ndarray, [boxes_num, 7]
        (cx, cy, cz of the bottom face, dx, dy, dz, heading in radians).
    pts : ndarray, [pts_num, 3]
    pts_feature : ndarray, [pts_num, channels]
    pool_method : int
        0 maximum, 1 average.
    max_pts_each_voxel : int
        Slots of a voxel, the count included.
    out_x, out_y, out_z : int
        Voxels of a box along each axis.
    coordinates : dtype
        The type in which points are placed; every operation rounds to it.
    reciprocal : bool
        True: a coordinate is multiplied by the rounded reciprocal of the voxel's side instead of divided by
        the side. Where a point lies on an inner face, the two may choose different voxels.

    Returns
    -------
    RoiawarePool3dForward
        `pooled_features` in float64; 0 in a voxel that keeps no point.

    Raises
    ------
    ValueError
        Another `pool_method`, a size below 1, or shapes that do not fit.
    """
    grid = (out_x, out_y, out_z)
    _check(rois, pts, pts_feature, pool_method, (*grid, max_pts_each_voxel))
    shape, channels = (len(rois), *grid), pts_feature.shape[1]
    pts_idx = np.zeros((*shape, max_pts_each_voxel), np.int32)
    argmax = np.full((*shape, channels), -1 if pool_method == MAX else 0, np.int32)
    pooled = np.zeros((*shape, channels))
    features = pts_feature.astype(np.float64)
    with np.errstate(all="ignore"):
        for kept in _keep(rois, pts, grid, max_pts_each_voxel - 1, np.dtype(coordinates), reciprocal):
            _list_points(kept, pts_idx.reshape(-1, max_pts_each_voxel))
            starts = run_starts(kept.voxel)
            voxels, sums = kept.voxel[starts], pooled.reshape(-1, channels)
            if pool_method == AVERAGE:
                counts = np.diff(np.append(starts, len(kept.voxel)))
                sums[voxels] = np.add.reduceat(features[kept.point], starts) / counts[:, None]
            else:
                sums[voxels], argmax.reshape(-1, channels)[voxels] = _maxima(features, kept.point, starts)
    return RoiawarePool3dForward(argmax, pts_idx, pooled)


def roiaware_pool3d_forward_baseline(
    rois: np.ndarray,
    pts: np.ndarray,
    pts_feature: np.ndarray,
    *,
    pool_method: int,
    max_pts_each_voxel: int,
    out_x: int,
    out_y: int,
    out_z: int,
    coordinates: Any = np.float64,
    reciprocal: bool = False,
) -> RoiawarePool3dForward:
    """Return the same features as a correct device of this precision may compute them.

    Averages are summed in float32, last points first, and divided in float32; then all is rounded to the
    dtype of `pts_feature`. Points and voxels are those of `roiaware_pool3d_forward`.
    """
    exact = roiaware_pool3d_forward(
        rois,
        pts,
        pts_feature,
        pool_method=pool_method,
        max_pts_each_voxel=max_pts_each_voxel,
        out_x=out_x,
        out_y=out_y,
        out_z=out_z,
        coordinates=coordinates,
        reciprocal=reciprocal,
    )
    pooled = exact.pooled_features
    with np.errstate(all="ignore"):
        if pool_method == AVERAGE:
            slots = exact.pts_idx_of_voxels.reshape(-1, max_pts_each_voxel)
            pooled = _rounded_averages(slots, pts_feature).reshape(pooled.shape)
        return exact._replace(pooled_features=pooled.astype(pts_feature.dtype))


def _check(
    rois: np.ndarray,
    pts: np.ndarray,
    pts_feature: np.ndarray,
    pool_method: int,
    sizes: tuple[int, ...],
) -> None:
    if pool_method not in (MAX, AVERAGE):
        raise ValueError(f"pool_method must be 0 or 1, not {pool_method}")
    if min(sizes) < 1:
        raise ValueError(f"out_x, out_y, out_z and max_pts_each_voxel must be 1 or more, not {sizes}")
    if rois.ndim != 2 or rois.shape[1] != 7:
        raise ValueError(f"rois must be [boxes_num, 7], not {rois.shape}")
    if pts.ndim != 2 or pts.shape[1] != 3:
        raise ValueError(f"pts must be [pts_num, 3], not {pts.shape}")
    if pts_feature.ndim != 2 or len(pts_feature) != len(pts):
        raise ValueError(f"pts_feature must be [{len(pts)}, channels], not {pts_feature.shape}")


def _keep(
    rois: np.ndarray,
    pts: np.ndarray,
    grid: tuple[int, int, int],
    slots: int,
    dtype: np.dtype,
    reciprocal: bool,
) -> Iterator[_Kept]:
    """Yield the points that voxels keep, some boxes at a time; voxels are counted over all boxes."""
    points = pts.T.astype(dtype)
    if slots == 0 or not len(pts):
        return
    for part in slices(np.full(len(rois), len(pts)), _POINTS_AT_ONCE):
        box, point, voxel = _place(rois[part].astype(dtype), points, grid, reciprocal)
        voxel += (part.start + box) * np.int64(np.prod(grid))
        order = np.argsort(voxel, kind="stable")
        voxel, point = voxel[order], point[order]
        starts = run_starts(voxel)
        slot = np.arange(len(voxel)) - np.repeat(starts, np.diff(np.append(starts, len(voxel))))
        first = np.flatnonzero(slot < slots)
        if first.size:
            yield _Kept(voxel[first], point[first], slot[first])


def _place(
    rois: np.ndarray, points: np.ndarray, grid: tuple[int, int, int], reciprocal: bool
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the boxes and numbers of the points inside of boxes, and their voxels within the box."""
    dtype = rois.dtype
    angle = -rois[:, 6].astype(np.float64)
    cos, sin = np.cos(angle).astype(dtype), np.sin(angle).astype(dtype)
    half = rois[:, 3:6] / dtype.type(2)
    z = points[2] - (rois[:, 2] + half[:, 2])[:, None]
    box, point = np.nonzero(~(np.abs(z) > half[:, 2:3]))
    a, b = points[0][point] - rois[box, 0], points[1][point] - rois[box, 1]
    x = a * cos[box] - b * sin[box]
    y = a * sin[box] + b * cos[box]
    inside = (np.abs(x) < half[box, 0]) & (np.abs(y) < half[box, 1])
    box, point = box[inside], point[inside]
    local = (x[inside] + half[box, 0], y[inside] + half[box, 1], points[2][point] - rois[box, 2])
    voxel = np.zeros(len(box), np.int64)
    for axis, (offset, cells) in enumerate(zip(local, grid)):
        side = rois[:, 3 + axis] / dtype.type(cells)
        steps = offset * (dtype.type(1) / side)[box] if reciprocal else offset / side[box]
        voxel = voxel * cells + _truncated(steps, cells)
    return box, point, voxel


def _truncated(steps: np.ndarray, cells: int) -> np.ndarray:
    """Return the voxel along an axis; NaN, from a side of 0, names the first."""
    index: np.ndarray = np.nan_to_num(np.clip(steps.astype(np.float64), 0, cells - 1)).astype(np.int64)
    return index


def _list_points(kept: _Kept, pts_idx: np.ndarray) -> None:
    pts_idx[kept.voxel, kept.slot + 1] = kept.point
    ends = np.append(run_starts(kept.voxel)[1:], len(kept.voxel)) - 1
    pts_idx[kept.voxel[ends], 0] = kept.slot[ends] + 1


def _maxima(features: np.ndarray, points: np.ndarray, starts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return each run's maximum and its point by channel; 0 and -1 where nothing exceeds -inf."""
    values = features[points]
    values[np.isnan(values)] = -np.inf
    maxima = np.maximum.reduceat(values, starts)
    lengths = np.diff(np.append(starts, len(points)))
    held = values == np.repeat(maxima, lengths, axis=0)
    first = np.minimum.reduceat(np.where(held, points[:, None], len(features)), starts)
    none = maxima == -np.inf
    return np.where(none, 0, maxima), np.where(none, -1, first)


def _rounded_averages(slots: np.ndarray, pts_feature: np.ndarray) -> np.ndarray:
    counts = slots[:, 0]
    averages = np.zeros((len(slots), pts_feature.shape[1]), np.float32)
    for turn in range(counts.max(initial=0), 0, -1):
        listed = np.flatnonzero(counts >= turn)
        averages[listed] += pts_feature[slots[listed, turn]].astype(np.float32)
    averages /= np.maximum(counts, 1)[:, None].astype(np.float32)
    return averages
