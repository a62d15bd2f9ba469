"""roiaware_pool3d backward."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from mluops_reference import roiaware_pool3d_backward, roiaware_pool3d_backward_baseline

MAX, AVERAGE = 0, 1

# Cambricon/mlu-ops roiaware_pool3d_backward/test_case/case_1_float_avg.prototxt
GTEST_POINTS = [
    [0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    [4, 2, 4, 75, 84, 0, 0, 0, 0, 0],
    [7, 7, 29, 45, 54, 58, 62, 74, 0, 0],
    [2, 25, 45, 0, 0, 0, 0, 0, 0, 0],
    [1, 52, 0, 0, 0, 0, 0, 0, 0, 0],
    [1, 72, 0, 0, 0, 0, 0, 0, 0, 0],
    [4, 27, 57, 66, 84, 0, 0, 0, 0, 0],
    [8, 9, 10, 27, 37, 60, 88, 91, 96, 0],
    [3, 18, 19, 85, 0, 0, 0, 0, 0, 0],
    [3, 0, 19, 79, 0, 0, 0, 0, 0, 0],
    [0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    [4, 47, 74, 77, 88, 0, 0, 0, 0, 0],
    [0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    [8, 9, 13, 20, 28, 48, 67, 81, 88, 0],
    [8, 14, 31, 41, 59, 61, 71, 95, 99, 0],
    [8, 29, 37, 56, 60, 77, 83, 98, 99, 0],
]


def backward(points, argmax, gradients, pool_method, pts_num, function=roiaware_pool3d_backward):
    """Call with tables of one row a voxel."""
    gradients = np.asarray(gradients)
    shape = (1, 1, 1, len(gradients))
    return function(
        np.array(points, np.int32).reshape(*shape, -1),
        np.array(argmax, np.int32).reshape(*shape, -1),
        gradients.reshape(*shape, -1),
        pool_method=pool_method,
        pts_num=pts_num,
    )


def literal(points, argmax, gradients, pool_method, pts_num):
    gradients = np.asarray(gradients, np.float64)
    sums = np.zeros((pts_num, gradients.shape[1]))
    for v, c in np.ndindex(*gradients.shape):
        if pool_method == AVERAGE:
            for k in range(1, points[v][0] + 1):
                sums[points[v][k], c] += gradients[v, c] / points[v][0]
        elif argmax[v][c] != -1:
            sums[argmax[v][c], c] += gradients[v, c]
    return sums


def random_case(voxels, channels, pts_num, slots, seed=3):
    rng = np.random.default_rng(seed)
    points = rng.integers(0, pts_num, (voxels, slots + 1))
    points[:, 0] = rng.integers(-2, slots + 1, voxels)
    argmax = rng.integers(-1, pts_num, (voxels, channels))
    return points, argmax, rng.uniform(-100, 100, (voxels, channels)).astype(np.float32)


def test_minus_one_is_no_point_and_zero_is_one():
    # open-mmlab/mmcv #2046
    gradients = np.array([[1, 2], [4, 8]], np.float32)
    any_points = np.full((2, 4), 77)
    np.testing.assert_array_equal(
        backward(any_points, [[0, 2], [-1, 2]], gradients, MAX, 3), [[1, 0], [0, 0], [0, 10]]
    )


def test_points_of_the_gtest_average_case():
    gradients = np.random.default_rng(4).uniform(-100, 100, (16, 3)).astype(np.float32)
    any_argmax = np.full((16, 3), 999)
    np.testing.assert_allclose(
        backward(GTEST_POINTS, any_argmax, gradients, AVERAGE, 100),
        literal(GTEST_POINTS, None, gradients, AVERAGE, 100),
        rtol=1e-13,
    )


def test_a_point_listed_twice_gets_two_shares():
    np.testing.assert_array_equal(backward([[4, 1, 1, 0, 1, 9]], [[0]], [[8.0]], AVERAGE, 2), [[2], [6]])


def test_slots_past_the_count_are_never_read():
    np.testing.assert_array_equal(backward([[1, 0, -7, 999]], [[0]], [[8.0]], AVERAGE, 2), [[8], [0]])


@pytest.mark.parametrize("count", [0, -1, -(2**31)])
def test_a_count_that_is_not_positive_contributes_nothing(count):
    assert not backward([[count, 0, 1]], [[0]], [[np.nan]], AVERAGE, 2).any()


@pytest.mark.parametrize("pool_method", [MAX, AVERAGE])
@pytest.mark.parametrize("channels", [1, 2, 5, 17])
def test_random_tables(pool_method, channels):
    case = random_case(200, channels, 50, 9)
    np.testing.assert_allclose(
        backward(*case, pool_method, 50), literal(*case, pool_method, 50), rtol=1e-12, atol=1e-12
    )


@pytest.mark.parametrize("many", [1, 3, 100], ids=lambda many: f"many={many}")
@pytest.mark.parametrize("pool_method", [MAX, AVERAGE])
def test_many_voxels_are_added_in_pieces(pool_method, many, monkeypatch):
    for name, size in (
        ("ELEMENTS_AT_ONCE", 14),
        ("_VOXELS_AT_ONCE", 7),
        ("_SLOTS_AT_ONCE", 4),
        ("_MANY_VOXELS", many),
        ("_POINTS_AT_ONCE", 10),
        ("_CHANNELS_AT_ONCE", 2),
        ("_ROWS_AT_ONCE", 3),
    ):
        monkeypatch.setattr(f"mluops_reference.roiaware_pool3d.{name}", size)
    case = random_case(100, 5, 20, 6)
    np.testing.assert_allclose(
        backward(*case, pool_method, 20), literal(*case, pool_method, 20), rtol=1e-12, atol=1e-12
    )


@pytest.mark.parametrize("pool_method", [MAX, AVERAGE])
def test_without_voxels_no_point_gets_a_gradient(pool_method):
    none = np.zeros((0, 2, 2, 2, 3), np.int32)
    gradient = roiaware_pool3d_backward(none, none, none.astype(float), pool_method=pool_method, pts_num=2)
    assert gradient.tolist() == [[0, 0, 0], [0, 0, 0]]


@pytest.mark.parametrize("function", [roiaware_pool3d_backward, roiaware_pool3d_backward_baseline])
def test_one_full_voxel_makes_the_others_no_larger(function):
    points = np.zeros((300, 20001), np.int32)
    points[:, 0] = 1
    points[7] = [20000, *range(20000)]
    argmax, gradients = np.zeros((300, 1), np.int32), np.ones((300, 1), np.float32)
    tracemalloc.start()
    backward(points, argmax, gradients, AVERAGE, 20000, function)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak - points.nbytes < points.nbytes / 4  # a copy of the points is the test's own


@pytest.mark.parametrize("pool_method", [MAX, AVERAGE])
def test_the_slow_scatter_of_old_numpy_gives_the_same(pool_method, monkeypatch):
    case = random_case(100, 5, 20, 6)
    expected = literal(*case, pool_method, 20)
    for fast in (False, True):
        monkeypatch.setattr("mluops_reference.scatter._AT_IS_FAST", fast)
        np.testing.assert_allclose(backward(*case, pool_method, 20), expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("pool_method", [MAX, AVERAGE])
def test_special_gradients_reach_their_own_points_and_channels_only(pool_method):
    points, argmax = [[1, 0], [1, 1], [1, 1]], [[0, 0], [1, 1], [1, 1]]
    gradients = [[np.nan, 1.0], [np.inf, 2.0], [-np.inf, 3.0]]
    np.testing.assert_array_equal(
        backward(points, argmax, gradients, pool_method, 3), [[np.nan, 1], [np.nan, 5], [0, 0]]
    )


@pytest.mark.parametrize("value", [-2, 5, 2**31 - 1])
def test_an_argmax_out_of_range_is_refused(value):
    with pytest.raises(
        ValueError, match=rf"argmax, voxel 1, channel 0: {value} is neither -1 nor a point below 5"
    ):
        backward([[0, 0]] * 2, [[4], [value]], [[1.0]] * 2, MAX, 5)


@pytest.mark.parametrize("many", [1, 256], ids=lambda many: f"many={many}")
@pytest.mark.parametrize("value", [-1, 5])
def test_a_point_out_of_range_is_refused(value, many, monkeypatch):
    monkeypatch.setattr("mluops_reference.roiaware_pool3d._MANY_VOXELS", many)
    with pytest.raises(ValueError, match=rf"pts_idx_of_voxels, voxel 1: {value} is not a point below 5"):
        backward([[1, 4], [1, value]], [[0]] * 2, [[1.0]] * 2, AVERAGE, 5)


def test_a_count_that_leaves_its_row_is_refused():
    with pytest.raises(ValueError, match="voxel 0: count 3 above its 2 slots"):
        backward([[3, 0, 0]], [[0]], [[1.0]], AVERAGE, 5)


def test_an_unknown_pool_method_is_refused():
    with pytest.raises(ValueError, match=r"pool_method must be 0 .* not 2"):
        backward([[0, 0]], [[0]], [[1.0]], 2, 5)


def test_shapes_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="argmax"):
        backward([[0, 0]], [[0, 0]], [[1.0]], MAX, 5)
    with pytest.raises(ValueError, match="pts_idx_of_voxels"):
        roiaware_pool3d_backward(
            np.zeros((1, 1, 2, 1, 4), np.int32),
            np.zeros((1, 1, 1, 2, 3), np.int32),
            np.zeros((1, 1, 1, 2, 3)),
            pool_method=MAX,
            pts_num=1,
        )


def test_the_absolute_gradient_bounds_the_gradient():
    for pool_method in (MAX, AVERAGE):
        points, argmax, gradients = random_case(200, 3, 20, 9)
        signed = backward(points, argmax, gradients, pool_method, 20)
        scale = backward(points, argmax, np.abs(gradients), pool_method, 20)
        assert (np.abs(signed) <= scale * (1 + 1e-12)).all()


@pytest.mark.parametrize(("dtype", "tolerance"), [("f4", 1e-6), ("f2", 3e-3)])
@pytest.mark.parametrize("pool_method", [MAX, AVERAGE])
def test_the_baseline_is_as_close_as_its_precision(pool_method, dtype, tolerance):
    points, argmax, gradients = random_case(300, 5, 50, 9)
    case = points, argmax, np.abs(gradients).astype(dtype)
    baseline = backward(*case, pool_method, 50, roiaware_pool3d_backward_baseline)
    assert baseline.dtype == dtype
    reference = backward(*case, pool_method, 50)
    error = np.abs(baseline - reference).sum() / reference.sum()
    assert 0 < error < tolerance


def test_the_half_baseline_stops_at_2048():
    # A half that adds ones one by one sticks there: 2048 + 1 rounds back. The reference does not.
    voxels = 4096
    case = np.zeros((voxels, 2)), np.zeros((voxels, 1)), np.ones((voxels, 1), np.float16)
    assert backward(*case, MAX, 1, roiaware_pool3d_backward_baseline) == 2048
    assert backward(*case, MAX, 1) == 4096
