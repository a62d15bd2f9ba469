"""Trials of operators on clouds of points, by loops over points."""

from __future__ import annotations

import math
from typing import Any, Iterator

import numpy as np

from mluops_tools.cpu.trials.trial import Trial, integers, random

MEAN, MAX = 1, 2
"""Numbers of mluOpReduceMode_t."""


def ball_query() -> Trial:
    """Return a trial: the first points in a ball, repeated where there are fewer than asked for."""
    centres, points = random(2, 5, 3), random(2, 40, 3, seed=1)
    least, most, asked = 0.3, 0.8, 6
    indices = np.zeros((2, 5, asked), np.int32)
    for batch, centre in np.ndindex(2, 5):
        distances = ((points[batch] - centres[batch, centre]) ** 2).sum(1)
        found = [k for k, d in enumerate(distances) if d == 0 or least**2 <= d < most**2][:asked]
        if found:
            indices[batch, centre] = found[0]
            indices[batch, centre, : len(found)] = found
    given: dict[str, Any] = {
        "new_xyz": centres,
        "xyz": points,
        "min_radius": least,
        "max_radius": most,
        "nsample": asked,
    }
    return Trial(
        "ball query", "mluOpBallQuery", {**given, "idx": np.zeros_like(indices)}, {"idx": indices}, 0
    )


def three_nn() -> Trial:
    """Return a trial: squared distances to the three nearest points, and their indices."""
    unknown, known = random(2, 11, 3), random(2, 30, 3, seed=1)
    squares = ((unknown[:, :, None] - known[:, None]) ** 2).sum(-1)
    nearest = np.argsort(squares, axis=-1, kind="stable")[..., :3]
    expected = {"dist2": np.take_along_axis(squares, nearest, -1), "idx": nearest.astype(np.int32)}
    return Trial("three nearest", "mluOpThreeNNForward", {"unknown": unknown, "known": known}, expected)


def three_interpolate() -> list[Trial]:
    """Return trials of the weighted sum of three features, and of its gradient."""
    features, indices, weights = random(2, 4, 9), integers(2, 7, 3, below=9), random(2, 7, 3, seed=2)
    gradient = random(2, 4, 7, seed=3)
    output, back = np.zeros((2, 4, 7), np.float32), np.zeros_like(features)
    for batch, point, k in np.ndindex(2, 7, 3):
        index, weight = indices[batch, point, k], weights[batch, point, k]
        output[batch, :, point] += features[batch, :, index] * weight
        back[batch, :, index] += gradient[batch, :, point] * weight
    common = {"indices": indices, "weights": weights}
    return [
        Trial(
            "three interpolate",
            "mluOpThreeInterpolateForward",
            {**common, "features": features},
            {"output": output},
        ),
        Trial(
            "gradient of three interpolate",
            "mluOpThreeInterpolateBackward",
            {**common, "grad_output": gradient},
            {"grad_features": back},
        ),
    ]


def voxelization() -> Trial:
    """Return a trial: points gathered by the voxel that they are in, voxels in order of their first point."""
    points = random(60, 4, low=-0.2, high=4.2)
    size, limits, most_points, most_voxels = np.ones(3, np.float32), (0, 0, 0, 4, 4, 2), 3, 20
    voxels, places = np.zeros((most_voxels, most_points, 4), np.float32), np.zeros((most_voxels, 3), np.int32)
    counts = np.zeros(most_voxels, np.int32)
    seen: dict[tuple[int, ...], int] = {}
    for point in points:
        place = tuple(map(int, np.floor(point[2::-1])))
        if not all(0 <= value < end for value, end in zip(place, (2, 4, 4))):
            continue
        if place not in seen and len(seen) < most_voxels:
            places[len(seen)] = place
            seen[place] = len(seen)
        voxel = seen.get(place)
        if voxel is not None and counts[voxel] < most_points:
            voxels[voxel, counts[voxel]] = point
            counts[voxel] += 1
    given: dict[str, Any] = {
        "points": points,
        "voxel_size": size,
        "coors_range": np.array(limits, np.float32),
    }
    given.update(max_points=most_points, max_voxels=most_voxels, NDim=3, deterministic=True)
    expected = {"voxels": voxels, "coors": places, "num_points_per_voxel": counts}
    return Trial(
        "voxelization",
        "mluOpVoxelization",
        given,
        {**expected, "voxel_num": np.array([len(seen)], np.int32)},
        0,
    )


def voxel_pooling() -> Trial:
    """Return a trial: features added up in the cell that their point is in."""
    places, features = integers(2, 30, 3, below=6) - 1, random(2, 30, 8)
    pooled, memo = np.zeros((2, 4, 5, 8), np.float32), np.full((2, 30, 3), -1, np.int32)
    for batch, point in np.ndindex(2, 30):
        x, y, z = places[batch, point]
        if 0 <= x < 5 and 0 <= y < 4 and 0 <= z < 2:
            pooled[batch, y, x] += features[batch, point]
            memo[batch, point] = batch, y, x
    given: dict[str, Any] = {
        "batch_size": 2,
        "num_points": 30,
        "num_channels": 8,
        "num_voxel_x": 5,
        "num_voxel_y": 4,
    }
    given.update(num_voxel_z=2, geom_xyz=places, input_features=features)
    given["pos_memo"] = np.full_like(memo, -1)
    return Trial(
        "voxel pooling", "mluOpVoxelPoolingForward", given, {"output_features": pooled, "pos_memo": memo}
    )


def points_in_boxes() -> Trial:
    """Return a trial: the first of some turned boxes that holds a point, or -1."""
    points, boxes = random(2, 50, 3, low=-3, high=3), random(2, 6, 7, low=-2, high=2, seed=1)
    boxes[:, :, 3:6] = random(2, 6, 3, low=1, high=3, seed=2)
    found = np.full((2, 50), -1, np.int32)
    for batch, point in np.ndindex(2, 50):
        inside = _boxes_around(points[batch, point], boxes[batch])
        found[batch, point] = next(inside, -1)
    return Trial(
        "points in boxes",
        "mluOpPointsInBoxes",
        {"points": points, "boxes": boxes},
        {"points_indices": found},
        0,
    )


def _boxes_around(point: np.ndarray, boxes: np.ndarray) -> Iterator[int]:
    for number, (x, y, z, dx, dy, dz, angle) in enumerate(boxes.astype(float)):
        cos, sin = math.cos(-angle), math.sin(-angle)
        along, across = (
            (point[0] - x) * cos - (point[1] - y) * sin,
            (point[0] - x) * sin + (point[1] - y) * cos,
        )
        if abs(point[2] - z) <= dz / 2 and abs(along) < dx / 2 and abs(across) < dy / 2:
            yield number


def roipoint_pool3d() -> Trial:
    """Return a trial: points in turned boxes with their features, and flags of empty boxes."""
    points, features, boxes = random(2, 60, 3), random(2, 60, 5, seed=1), random(2, 4, 7, seed=2)
    boxes[:, :, 3:6] = 1.0
    boxes[0, 3, :3] = 9.0
    pooled, empty = np.zeros((2, 4, 8, 8), np.float32), np.zeros((2, 4), np.int32)
    for batch, number in np.ndindex(2, 4):
        box = boxes[batch, number].copy()
        box[2] += box[5] / 2  # its place is the middle of its floor
        inside = [k for k in range(60) if next(_boxes_around(points[batch, k], box[None]), None) is not None]
        empty[batch, number] = not inside
        for k in range(8 if inside else 0):
            index = inside[k % len(inside)]
            pooled[batch, number, k] = (*points[batch, index], *features[batch, index])
    given: dict[str, Any] = {
        "batch_size": 2,
        "pts_num": 60,
        "boxes_num": 4,
        "feature_in_len": 5,
        "sampled_pts_num": 8,
    }
    given.update(points=points, point_features=features, boxes3d=boxes)
    expected = {"pooled_features": pooled, "pooled_empty_flag": empty}
    return Trial("roipoint pool 3d", "mluOpRoiPointPool3d", given, expected, 0)


def dynamic_point_to_voxel() -> list[Trial]:
    """Return trials: features of points reduced by voxel, and the gradient of the largest."""
    features, places = random(20, 6), integers(20, 3, below=2)
    places[4] = -1  # of no voxel
    kept = np.where((places < 0).any(1)[:, None], -1, places)
    unique, numbers, counts = np.unique(kept, axis=0, return_inverse=True, return_counts=True)
    numbers = numbers.reshape(-1) - 1  # the first one is that of no voxel
    unique, counts = unique[1:], counts[1:]
    largest = np.array([features[numbers == k].max(0) for k in range(len(unique))])
    means = np.array([features[numbers == k].mean(0) for k in range(len(unique))])
    expected = {
        "voxel_coors": _padded(unique.astype(np.int32), 20),
        "point2voxel_map": numbers.astype(np.int32),
        "voxel_points_count": _padded(counts.astype(np.int32), 20),
        "voxel_num": np.array([len(unique)], np.int32),
    }
    forward = [
        Trial(
            f"dynamic point to voxel, {word}",
            "mluOpDynamicPointToVoxelForward",
            {"reduce_type": mode, "feats": features, "coors": places},
            {**expected, "voxel_feats": _padded(values, 20), "coors": np.ma.masked_all((20, 3), np.int32)},
        )
        for word, mode, values in (("max", MAX, largest), ("mean", MEAN, means))
    ]
    gradient = random(20, 6, seed=3)
    back = np.zeros_like(features)
    for voxel, channel in np.ndindex(len(unique), 6):
        members = np.flatnonzero(numbers == voxel)
        back[members[features[members, channel].argmax()], channel] = gradient[voxel, channel]
    given: dict[str, Any] = {"reduce_type": MAX, "grad_voxel_feats": gradient, "feats": features}
    given.update(
        {name: np.ma.filled(values, 0) for name, values in expected.items() if name != "voxel_coors"}
    )
    given["voxel_feats"] = np.ma.filled(_padded(largest, 20), 0)
    name = "gradient of dynamic point to voxel"
    return [*forward, Trial(name, "mluOpDynamicPointToVoxelBackward", given, {"grad_feats": back})]


def _padded(values: np.ndarray, count: int) -> np.ma.MaskedArray:
    """Return an array of `count` rows, of which those behind the values may hold anything."""
    rows = np.ma.masked_all((count, *values.shape[1:]), values.dtype)
    rows[: len(values)] = values
    return rows


TRIALS = (
    ball_query(),
    three_nn(),
    *three_interpolate(),
    voxelization(),
    voxel_pooling(),
    points_in_boxes(),
    roipoint_pool3d(),
    *dynamic_point_to_voxel(),
)
