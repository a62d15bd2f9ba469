"""RoI-aware pooling of point clouds, forward."""

from __future__ import annotations

from math import prod
from typing import Any, Iterator, NamedTuple

import numpy as np

from .bucket_grid import BucketGrid
from .numeric import run_starts, slices

__all__ = ["RoiawarePool3dForward", "roiaware_pool3d_forward", "roiaware_pool3d_forward_baseline"]

MAX, AVERAGE = 0, 1
"""Values of `pool_method`."""

_POINTS_AT_ONCE = 1 << 21
_FEW_PAIRS = 1 << 11  # of boxes and points: a look at all costs less than a grid
_CELLS_ACROSS = 64  # the cloud of points, from side to side
_MARGIN = 1 / 64  # far above all rounding, in half as well


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
    """Voxels that keep points, the fullest first. Voxel k keeps `points[start[k] : start[k] + number[k]]`."""

    voxel: np.ndarray
    number: np.ndarray
    start: np.ndarray
    points: np.ndarray

    def slots(self) -> Iterator[np.ndarray]:
        """Yield the points of each slot, one of each voxel that fills it: these are the first voxels."""
        for slot in range(self.number.max(initial=0)):
            users = int(np.count_nonzero(self.number > slot))
            yield self.points[self.start[:users] + slot]


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
    voxels = int(np.prod(shape))
    pts_idx = np.zeros((voxels, max_pts_each_voxel), np.int32)
    argmax = np.full((voxels, channels), -1 if pool_method == MAX else 0, np.int32)
    pooled = np.zeros((voxels, channels))
    features = pts_feature.astype(np.result_type(pts_feature, np.float32), copy=False)
    with np.errstate(all="ignore"):
        for kept in _keep(rois, pts, grid, max_pts_each_voxel - 1, np.dtype(coordinates), reciprocal):
            _list_points(kept, pts_idx)
            if pool_method == AVERAGE:
                pooled[kept.voxel] = _averages(kept, features)
            else:
                pooled[kept.voxel], argmax[kept.voxel] = _maxima(kept, features)
    return RoiawarePool3dForward(
        *(table.reshape(*shape, table.shape[1]) for table in (argmax, pts_idx, pooled))
    )


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
    points, rois = pts.T.astype(dtype), rois.astype(dtype)
    ids = np.flatnonzero(np.isfinite(points[0]) & np.isfinite(points[1]))  # no box holds another point
    if slots == 0 or not len(ids):
        return
    for part, (box, point) in _candidates(rois, points, ids):
        box, point, voxel = _place(rois[part], points, box, point, grid, reciprocal)
        voxel += (part.start + box) * np.int64(prod(grid))
        yield _by_voxel(voxel, point, len(pts), slots)


def _candidates(rois: np.ndarray, points: np.ndarray, ids: np.ndarray) -> Iterator[tuple[slice, np.ndarray]]:
    """Yield some boxes at a time, with the pairs of one of them and a point that may be inside of it."""
    if 0 < len(rois) * len(ids) <= _FEW_PAIRS:
        yield slice(0, len(rois)), np.stack([np.arange(len(rois)).repeat(len(ids)), np.tile(ids, len(rois))])
        return
    cells = _seen_from_above(points[:2, ids], ids)
    for part in slices(np.full(len(rois), points.shape[1]), _POINTS_AT_ONCE):
        yield part, _near(rois[part], cells)


def _seen_from_above(points: np.ndarray, ids: np.ndarray) -> BucketGrid:
    """Return points, [2, n], as small boxes of a grid. Rounding moves no point beyond its box."""
    x, y = points.astype(np.float64)
    reach = np.full(len(ids), max(np.ptp(x), np.ptp(y)) / _CELLS_ACROSS or 1.0)
    return BucketGrid(np.stack([x, y, reach, reach]), ids)


def _near(rois: np.ndarray, cells: BucketGrid) -> np.ndarray:
    """Return the boxes and the points that may be inside of them, [2, pairs]."""
    x, y, _, dx, dy, _, _ = rois.T.astype(np.float64)
    reach = np.hypot(dx, dy) * (0.5 + _MARGIN) + np.finfo(rois.dtype).tiny
    pairs = [np.stack(pair) for pair in cells.near(np.stack([x, y, reach, reach]))]
    return np.concatenate([np.empty((2, 0), np.intp), *pairs], axis=1)


def _place(
    rois: np.ndarray,
    points: np.ndarray,
    box: np.ndarray,
    point: np.ndarray,
    grid: tuple[int, int, int],
    reciprocal: bool,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Keep the pairs whose point is inside of the box. Return their boxes, points and voxels."""
    dtype = rois.dtype
    angle = -rois[:, 6].astype(np.float64)
    cos, sin = np.cos(angle).astype(dtype), np.sin(angle).astype(dtype)
    centre, half = rois[:, :3].T, rois[:, 3:6].T / dtype.type(2)
    z = points[2].take(point) - (centre[2] + half[2]).take(box)
    inside = np.flatnonzero(~(np.abs(z) > half[2].take(box)))
    box, point = box[inside], point[inside]
    a, b = (points[axis].take(point) - centre[axis].take(box) for axis in (0, 1))
    cos, sin = cos.take(box), sin.take(box)
    x, y = a * cos - b * sin, a * sin + b * cos
    inside = np.flatnonzero((np.abs(x) < half[0].take(box)) & (np.abs(y) < half[1].take(box)))
    box, point = box[inside], point[inside]
    local = (x[inside] + half[0, box], y[inside] + half[1, box], points[2, point] - centre[2, box])
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


def _by_voxel(voxel: np.ndarray, point: np.ndarray, pts_num: int, slots: int) -> _Kept:
    """Return the first points of each voxel, as many as it has slots."""
    voxel, point = np.divmod(np.sort(voxel * pts_num + point), pts_num)
    start = run_starts(voxel)
    count = np.minimum(np.diff(np.append(start, len(voxel))), slots)
    falling = np.argsort(-count, kind="stable")
    start = start[falling]
    return _Kept(voxel[start], count[falling], start, point)


def _list_points(kept: _Kept, pts_idx: np.ndarray) -> None:
    pts_idx[kept.voxel, 0] = kept.number
    for slot, points in enumerate(kept.slots()):
        pts_idx[kept.voxel[: len(points)], slot + 1] = points


def _averages(kept: _Kept, features: np.ndarray) -> np.ndarray:
    sums = np.zeros((len(kept.voxel), features.shape[1]))
    for points in kept.slots():
        sums[: len(points)] += features.take(points, axis=0)
    sums /= kept.number[:, None]
    return sums


def _maxima(kept: _Kept, features: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return each voxel's maximum and its point by channel; 0 and -1 where nothing exceeds -inf."""
    maxima = np.full((len(kept.voxel), features.shape[1]), -np.inf, features.dtype)
    turn = np.zeros(maxima.shape, np.int32)  # the slot of the maximum, from 1
    for slot, points in enumerate(kept.slots(), 1):
        values, largest, last = features.take(points, axis=0), maxima[: len(points)], turn[: len(points)]
        np.maximum(last, (values > largest) * np.int32(slot), out=last)
        np.fmax(largest, values, out=largest)
    maxima[turn == 0] = 0
    return maxima, np.where(turn > 0, kept.points[kept.start[:, None] + turn - 1], -1)


def _rounded_averages(slots: np.ndarray, pts_feature: np.ndarray) -> np.ndarray:
    counts = slots[:, 0]
    averages = np.zeros((len(slots), pts_feature.shape[1]), np.float32)
    for turn in range(counts.max(initial=0), 0, -1):
        listed = np.flatnonzero(counts >= turn)
        averages[listed] += pts_feature[slots[listed, turn]].astype(np.float32)
    averages /= np.maximum(counts, 1)[:, None].astype(np.float32)
    return averages
