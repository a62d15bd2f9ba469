"""roiaware_pool3d forward."""

from __future__ import annotations

from importlib import import_module

import numpy as np
import pytest
from mluops_reference import roiaware_pool3d_forward, roiaware_pool3d_forward_baseline

OPERATOR = "roiaware_pool3d_forward"
SCALARS = ("pool_method", "max_pts_each_voxel", "out_x", "out_y", "out_z")
BOTH = pytest.mark.parametrize("function", [roiaware_pool3d_forward, roiaware_pool3d_forward_baseline])


@pytest.fixture(autouse=True, params=[1 << 20, 0], ids=["all pairs", "grid"])
def most_pairs(request, monkeypatch):
    """Up to so many pairs of boxes and points are all looked at."""
    module = import_module("mluops_reference.roiaware_pool3d_forward")  # the package has its function
    monkeypatch.setattr(module, "_FEW_PAIRS", request.param)


def literal(rois, pts, features, pool_method, max_pts_each_voxel, out_x, out_y, out_z):
    """Pool point by point."""
    grid = (out_x, out_y, out_z)
    idx = np.zeros((len(rois), *grid, max_pts_each_voxel), np.int32)
    for n, (cx, cy, cz, dx, dy, dz, heading) in enumerate(rois):
        for p, (x, y, z) in enumerate(pts):
            a, b, c, s = x - cx, y - cy, np.cos(-heading), np.sin(-heading)
            local_x, local_y, local_z = a * c - b * s, a * s + b * c, z - cz
            if abs(z - (cz + dz / 2)) > dz / 2 or not (abs(local_x) < dx / 2 and abs(local_y) < dy / 2):
                continue
            steps = ((local_x + dx / 2) * out_x / dx, (local_y + dy / 2) * out_y / dy, local_z * out_z / dz)
            voxel = idx[(n, *(min(max(int(step), 0), size - 1) for step, size in zip(steps, grid)))]
            if voxel[0] < max_pts_each_voxel - 1:
                voxel[0] += 1
                voxel[voxel[0]] = p
    pooled = np.zeros((len(rois), *grid, features.shape[1]))
    for place in np.ndindex(len(rois), *grid):
        kept = features[idx[place][1 : idx[place][0] + 1]]
        if len(kept):
            pooled[place] = kept.max(axis=0) if pool_method == 0 else kept.mean(axis=0)
    return idx, pooled


@BOTH
@pytest.mark.parametrize("coordinates", [np.float64, np.float32])
def test_known_answers(function, coordinates, known_answer):
    scalars = {name: known_answer.params[name] for name in SCALARS}
    result = function(**known_answer.inputs, **scalars, coordinates=coordinates)
    for name, expected in known_answer.expected.items():
        if name == "sum_pooled":
            assert result.pooled_features.sum() == pytest.approx(expected, abs=0.01)
        else:
            known_answer.agrees(getattr(result, name), name)


@pytest.mark.parametrize("pool_method", [0, 1])
@pytest.mark.parametrize("seed", range(4))
def test_points_are_pooled_as_one_by_one(pool_method, seed):
    rng = np.random.default_rng(seed)
    rois = np.column_stack(
        [rng.uniform(-3, 3, (5, 3)), rng.uniform(1, 8, (5, 3)), rng.uniform(-4, 4, (5, 1))]
    )
    pts, features = rng.uniform(-5, 5, (200, 3)), rng.standard_normal((200, 4))
    scalars = {"pool_method": pool_method, "max_pts_each_voxel": 4, "out_x": 3, "out_y": 2, "out_z": 4}
    result = roiaware_pool3d_forward(rois, pts, features, **scalars)
    idx, pooled = literal(rois, pts, features, **scalars)
    assert idx[..., 0].max() == 3
    np.testing.assert_array_equal(result.pts_idx_of_voxels, idx)
    np.testing.assert_allclose(result.pooled_features, pooled, rtol=1e-13)


def counts(rois, pts):
    """The number of points in each of some boxes of one voxel."""
    size = {"max_pts_each_voxel": 9, "out_x": 1, "out_y": 1, "out_z": 1}
    pts = np.array(pts, float)
    result = roiaware_pool3d_forward(np.array(rois, float), pts, pts[:, :1], pool_method=0, **size)
    return result.pts_idx_of_voxels[:, 0, 0, 0, 0].tolist()


def test_a_box_far_from_all_points_keeps_none():
    assert counts([[900, 0, 0, 1, 1, 1, 0], [0, 0, 0, 1, 1, 1, 0]], [[0, 0, 0.5], [3, 3, 0.5]]) == [0, 1]


def test_a_box_keeps_points_up_to_its_corners_but_not_on_its_sides():
    box = [1000, 2000, 0, 2, 4, 1, 0]
    corner = [1001 - 1e-12, 2002 - 1e-12, 0.5]
    assert counts([box], [corner, [1001, 2000, 0.5], [1000, 1998, 0.5]]) == [1]


def test_an_infinite_box_keeps_all_points_that_have_a_place():
    pts = [[0, 0, 0], [1e30, -1e30, 0], [np.nan, 0, 0], [0, np.inf, 0]]
    assert counts([[0, 0, -1, np.inf, np.inf, 2, 0.3]], pts) == [2]


def test_a_point_of_unknown_height_is_at_every_height():
    assert counts([[0, 0, 5, 2, 2, 2, 0.3]], [[0.1, 0.2, np.nan]]) == [1]


def test_without_a_point_that_has_a_place_all_boxes_are_empty():
    assert counts([[0, 0, 0, 1, 1, 1, 0]], [[np.nan, 0, 0]]) == [0]


def one_voxel(features, pool_method, function=roiaware_pool3d_forward, **options):
    features = np.asarray(features)
    pts = np.zeros((len(features), 3))
    rois = np.array([[0.0, 0, -1, 2, 2, 2, 0]])
    scalars = {"max_pts_each_voxel": 8, "out_x": 1, "out_y": 1, "out_z": 1, **options}
    result = function(rois, pts, features, pool_method=pool_method, **scalars)
    return result.pooled_features.ravel().tolist(), result.argmax.ravel().tolist()


@BOTH
def test_nan_loses_every_comparison(function):
    assert one_voxel([[np.nan, np.nan], [2.0, np.nan], [1.0, np.nan]], 0, function) == ([2.0, 0.0], [1, -1])


@BOTH
def test_an_average_takes_nan(function):
    pooled, argmax = one_voxel([[np.nan], [2.0]], 1, function)
    assert np.isnan(pooled[0])
    assert argmax == [0]


def test_a_half_average_is_summed_in_float32():
    features = np.array([[60000.0], [60000.0], [1000.0]], np.float16)
    pooled, _ = one_voxel(features, 1, roiaware_pool3d_forward_baseline)
    assert pooled == [np.float16(121000 / 3)]


@pytest.mark.parametrize(("reciprocal", "counts"), [(False, [0, 1, 1, 1, 1]), (True, [1, 1, 0, 2, 0])])
def test_a_reciprocal_may_choose_another_voxel_on_an_inner_face(reciprocal, counts):
    rois = np.array([[0, 0, 0, 2, 2, 2.1, 0]], np.float32)
    faces = np.arange(1, 5, dtype=np.float32) * (rois[0, 5] / np.float32(5))
    pts = np.column_stack([np.zeros((4, 2)), faces]).astype(np.float32)
    result = roiaware_pool3d_forward(
        rois,
        pts,
        pts[:, :1],
        pool_method=0,
        max_pts_each_voxel=3,
        out_x=1,
        out_y=1,
        out_z=5,
        coordinates=np.float32,
        reciprocal=reciprocal,
    )
    assert result.pts_idx_of_voxels[..., 0].ravel().tolist() == counts


@pytest.mark.parametrize(
    "change", [{"pool_method": 2}, {"out_y": 0}, {"max_pts_each_voxel": 0}, {"rois": np.zeros((1, 6))}]
)
def test_arguments_that_do_not_fit_are_refused(change):
    call = {
        "rois": np.zeros((1, 7)),
        "pts": np.zeros((2, 3)),
        "pts_feature": np.zeros((2, 1)),
        "pool_method": 0,
        "max_pts_each_voxel": 2,
        "out_x": 1,
        "out_y": 1,
        "out_z": 1,
    }
    with pytest.raises(ValueError, match="must be"):
        roiaware_pool3d_forward(**{**call, **change})
