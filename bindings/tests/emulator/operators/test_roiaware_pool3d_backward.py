"""roiaware_pool3d_backward on both devices, through the C interface where not said otherwise."""

from __future__ import annotations

import numpy as np
import pytest
from mluops import operators
from mluops_emulator.device import MODELS
from mluops_emulator.operators.roiaware_pool3d_backward import average_kernel, max_kernel

MAX, AVERAGE = 0, 1

# pts_idx_of_voxels of Cambricon/mlu-ops, roiaware_pool3d_backward/test_case/case_1_float_avg.prototxt.
GTEST_VOXELS = """
0 0 0 0 0 0 0 0 0 0       4 2 4 75 84 0 0 0 0 0      7 7 29 45 54 58 62 74 0 0    2 25 45 0 0 0 0 0 0 0
1 52 0 0 0 0 0 0 0 0      1 72 0 0 0 0 0 0 0 0       4 27 57 66 84 0 0 0 0 0      8 9 10 27 37 60 88 91 96 0
3 18 19 85 0 0 0 0 0 0    3 0 19 79 0 0 0 0 0 0      0 0 0 0 0 0 0 0 0 0          4 47 74 77 88 0 0 0 0 0
0 0 0 0 0 0 0 0 0 0       8 9 13 20 28 48 67 81 88 0 8 14 31 41 59 61 71 95 99 0  8 29 37 56 60 77 83 98 99 0
"""


def backward(handle, pool_method, pts_idx_of_voxels, argmax, grad_out, pts_num):
    return operators.roiaware_pool3d_backward(
        handle, pts_idx_of_voxels, argmax, grad_out, pool_method=pool_method, pts_num=pts_num
    )


def by_box(values, dtype=np.int32):
    """[voxels, n] as one box of 1 x 1 x voxels."""
    return np.array(values, dtype)[np.newaxis, np.newaxis, np.newaxis]


@pytest.mark.parametrize("dtype", [np.float32, np.float16])
def test_max_gives_each_gradient_to_its_point_and_none_to_minus_one(handle, dtype):
    """open-mmlab/mmcv issue 2046: -1 is no index, 0 is one."""
    actual = backward(
        handle, MAX, by_box(np.zeros((2, 4))), by_box([[0, 2], [-1, 2]]), by_box([[1, 2], [4, 8]], dtype), 3
    )
    assert actual.tolist() == [[1, 0], [0, 0], [0, 10]]


def test_max_does_not_read_the_voxels(handle):
    voxels = by_box(np.full((2, 4), 99))
    assert backward(handle, MAX, voxels, by_box([[0], [1]]), by_box([[1], [2]], np.float32), 2).sum() == 3


def test_average_does_not_read_argmax(handle):
    argmax = by_box(np.full((1, 1), 99))
    assert backward(handle, AVERAGE, by_box([[1, 1]]), argmax, by_box([[5]], np.float32), 2)[1] == 5


def test_average_shares_among_the_points_and_leaves_unused_slots(handle):
    voxels = by_box([[2, 3, 1, 0], [0, 1, 1, 1], [-3, 2, 2, 2], [3, 0, 0, 1]])
    grad_out = by_box([[8], [100], [100], [6]], np.float32)
    actual = backward(handle, AVERAGE, voxels, by_box(np.zeros((4, 1))), grad_out, 4)
    assert actual.ravel().tolist() == [4, 6, 0, 4]


def test_shares_are_products_with_a_float_reciprocal(handle):
    """Also in half, where only the product is rounded."""
    gradient = np.float16(3.1)
    voxels, grad_out = by_box([[3, 0, 1, 2]]), by_box([[gradient]], np.float16)
    actual = backward(handle, AVERAGE, voxels, by_box([[0]]), grad_out, 3)
    assert actual[0, 0] == np.float16(np.float32(gradient) * (np.float32(1) / np.float32(3)))


def test_average_on_the_vendors_voxels(handle):
    voxels = np.array(GTEST_VOXELS.split(), np.int32).reshape(2, 2, 2, 2, 10)
    grad_out = np.random.default_rng(6).uniform(-100, 100, (2, 2, 2, 2, 3)).astype(np.float32)
    expected = np.zeros((100, 3))
    for row, gradient in zip(voxels.reshape(-1, 10), grad_out.reshape(-1, 3).astype(np.float64)):
        for point in row[1 : row[0] + 1]:
            expected[point] += gradient / row[0]
    argmax = np.zeros((2, 2, 2, 2, 3), np.int32)
    actual = backward(handle, AVERAGE, voxels, argmax, grad_out, 100)
    assert actual == pytest.approx(expected, rel=1e-5, abs=1e-5)


def test_half_sums_stick_at_2048(handle):
    argmax, grad_out = by_box(np.zeros((4096, 1))), by_box(np.ones((4096, 1)), np.float16)
    assert backward(handle, MAX, by_box(np.zeros((4096, 1))), argmax, grad_out, 1) == 2048


@pytest.mark.parametrize(
    ("pool_method", "voxel", "argmax", "complaint"),
    [
        (MAX, [0, 0], 3, "argmax is 3"),
        (MAX, [0, 0], -2, "argmax is -2"),
        (AVERAGE, [1, 3], 0, "pts_idx_of_voxels is 3"),
        (AVERAGE, [2, 0], 0, "count of points in a voxel is 2"),
    ],
)
def test_indices_out_of_range_are_reported(handle, violations, pool_method, voxel, argmax, complaint):
    with pytest.raises(Exception, match="cnrtQueueSync"):
        backward(handle, pool_method, by_box([voxel]), by_box([[argmax]]), by_box([[1]], np.float32), 3)
    assert any(complaint in text for text in violations())


def test_the_deprecated_name_does_the_same(handle):
    library = handle.library
    assert library.has("mluOpRoiawarePool3dBackward")
    assert library.mluOpRoiawarePool3dBackward.parameters == library.mluOpRoiAwarePool3dBackward.parameters


def random_case(dtype, voxels=500, slots=9, channels=70, points=40):
    rng = np.random.default_rng(7)
    pts_idx = rng.integers(0, points, (voxels, slots)).astype(np.int32)
    pts_idx[:, 0] = rng.integers(0, slots, voxels)
    argmax = rng.integers(-1, points, (voxels, channels)).astype(np.int32)
    return argmax, pts_idx, rng.standard_normal((voxels, channels)).astype(dtype), points


def run(kernel, device, case, seed=0):
    argmax, pts_idx, grad_out, points = case
    grad_in = np.empty((points, grad_out.shape[1]), grad_out.dtype)
    indices = argmax if kernel is max_kernel else pts_idx
    kernel(indices, grad_out, grad_in, device=device, rng=np.random.default_rng(seed))
    return grad_in


@pytest.mark.parametrize("kernel", [max_kernel, average_kernel])
def test_devices_and_seeds_agree_but_for_the_order_of_sums(small_device, kernel):
    case = random_case(np.float32)
    results = [run(kernel, device, case) for device in (*MODELS.values(), small_device)]
    results.append(run(kernel, small_device, case, seed=1))
    for result in results[1:]:
        assert result == pytest.approx(results[0], abs=1e-4)


@pytest.mark.parametrize("kernel", [max_kernel, average_kernel])
def test_the_order_of_additions_shows_in_half(device, kernel):
    case = random_case(np.float16)
    assert np.array_equal(run(kernel, device, case), run(kernel, device, case))
    assert not np.array_equal(run(kernel, device, case), run(kernel, device, case, seed=1))
