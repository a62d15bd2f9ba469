"""deform_roi_pool_forward on both devices, through the C interface where not said otherwise."""

from __future__ import annotations

import numpy as np
import pytest
from mluops import operators
from mluops_emulator.device import MODELS
from mluops_emulator.operators.deform_roi_pool_forward import kernel

# From open-mmlab/mmcv tests/test_ops/test_deform_roi_pool.py (offsets there are all zero).
SQUARES = np.float32([[1, 2, 5, 6], [3, 4, 7, 8], [9, 10, 13, 14], [11, 12, 15, 16]])
MMCV = [
    ([[1, 2], [3, 4]], [0, 0, 0, 1, 1], [1, 1.25, 1.5, 1.75]),
    ([[4, 3], [2, 1]], [0, 0, 0, 1, 1], [4, 3.75, 3.5, 3.25]),
    (SQUARES, [0, 0, 0, 3, 3], [1.9375, 4.75, 7.5625, 10.375]),
]


def pool(handle, image, roi, offset=None, pooled=(1, 1), dtype=np.float32, **scalars):
    """Pool one region of one image [height, width] of one channel; the values, flattened."""
    options = {"spatial_scale": 1.0, "sampling_ratio": 0, "gamma": 0.1, **scalars}
    output = operators.deform_roi_pool_forward(
        handle,
        np.asarray(image, dtype)[np.newaxis, :, :, np.newaxis],
        np.array([roi], dtype),
        None if offset is None else np.asarray(offset, dtype)[np.newaxis],
        pooled_height=pooled[0],
        pooled_width=pooled[1],
        **options,
    )
    return output.ravel().tolist()


@pytest.mark.parametrize("dtype", [np.float32, np.float16])
@pytest.mark.parametrize(("image", "roi", "expected"), MMCV)
def test_values_of_mmcvs_unit_test(handle, image, roi, expected, dtype):
    offset = np.zeros((2, 2, 2))
    assert pool(handle, image, roi, offset, (2, 2), dtype, sampling_ratio=2) == expected


def test_the_example_of_the_vendors_header(handle):
    """mlu_op.h, documentation of mluOpDeformRoiPoolForward."""
    offset = [[[0.5]], [[0.5]]]
    assert pool(handle, [[1, 2], [2, 4]], [0, 0, 0, 1, 1], offset, sampling_ratio=1, gamma=1.0) == [2.25]


@pytest.mark.parametrize("offset", [None, np.zeros((2, 2, 2))], ids=["without", "zero"])
def test_a_zero_offset_is_as_good_as_none(handle, offset):
    """open-mmlab/mmcv issue 2903: half-pixel shift and adaptive grid."""
    image = np.arange(1, 17).reshape(4, 4)
    assert pool(handle, image, [0, 0, 0, 3, 3], offset, (2, 2)) == [2.5625, 4.0, 8.3125, 9.75]


OFFSETS = [(None, [5.5, 6.5]), ([[[0.5, 0.0]], [[0.0, 0.5]]], [6.5, 10.5])]


@pytest.mark.parametrize(("offset", "expected"), OFFSETS)
def test_offsets_move_x_first_then_y_by_the_size_of_the_region(handle, offset, expected):
    """The rule of mmcv's kernel, worked out by hand on an image of three rows and four columns."""
    image = np.arange(1, 13).reshape(3, 4)
    roi = [0, 0.5, 0.5, 2.5, 2.5]
    assert pool(handle, image, roi, offset, (1, 2), sampling_ratio=1, gamma=1.0) == expected


def test_samples_beyond_the_map_count_for_the_mean(handle):
    """Samples at -1.5, -0.5, 0.5 and 1.5 in each direction; those beyond -1 add nothing."""
    assert pool(handle, np.ones((2, 2)), [0, -1.5, -1.5, 2.5, 2.5], sampling_ratio=4) == [9 / 16]


@pytest.mark.parametrize("roi", [[0, 3, 1, 1, 4], [0, 1, 3, 4, 1], [0, 3, 3, 1, 1]], ids=["x", "y", "both"])
def test_a_reversed_region_has_no_samples_in_an_adaptive_grid(handle, roi):
    assert pool(handle, np.ones((6, 6)), roi) == [0.0]


def test_a_reversed_region_is_walked_backwards_with_a_fixed_grid(handle):
    image = np.arange(36).reshape(6, 6)
    forward = pool(handle, image, [0, 1, 1, 5, 5], pooled=(1, 2), sampling_ratio=2)
    assert pool(handle, image, [0, 5, 1, 1, 5], pooled=(1, 2), sampling_ratio=2) == forward[::-1]


@pytest.mark.parametrize("bad", [np.nan, np.inf, 1e30])
def test_a_size_that_is_no_int_has_no_samples_in_an_adaptive_grid(handle, bad):
    assert pool(handle, np.ones((6, 6)), [0, 1, 1, bad, 4]) == [0.0]


def test_a_nan_region_gives_nan_with_a_fixed_grid(handle):
    assert np.isnan(pool(handle, np.ones((6, 6)), [0, 1, 1, np.nan, 4], sampling_ratio=2)).all()


def test_weight_zero_times_infinity_is_nan(handle):
    """The sample lies exactly on cell (1, 1); the cells beside it are multiplied by 0."""
    image = np.ones((4, 4))
    image[2, 2] = np.inf
    assert np.isnan(pool(handle, image, [0, 1, 1, 2, 2], sampling_ratio=1)).all()


def test_a_region_takes_its_image_by_batch_index(handle):
    images = np.float32([1, 2, 3]).reshape(3, 1, 1, 1) * np.ones((3, 4, 4, 1), np.float32)
    rois = np.float32([[2, 1, 1, 3, 3], [0, 1, 1, 3, 3], [1.9, 1, 1, 3, 3]])
    output = operators.deform_roi_pool_forward(
        handle, images, rois, pooled_height=1, pooled_width=1, spatial_scale=1.0, sampling_ratio=0, gamma=0.1
    )
    assert output.ravel().tolist() == [3, 1, 2]


def test_a_batch_index_out_of_range_is_reported(handle, violations):
    with pytest.raises(Exception, match="cnrtQueueSync"):
        pool(handle, np.ones((4, 4)), [1, 1, 1, 3, 3])
    assert any("batch index of a region is 1" in text for text in violations())


def test_sums_of_half_stick_at_2048(handle):
    """60 x 60 ones: the sum stops at 2048, times the reciprocal of 3600 in half."""
    ones = np.ones((8, 8))
    expected = np.float16(np.float32(2048) * np.float32(np.float16(1 / 3600)))
    assert pool(handle, ones, [0, 1, 1, 5, 5], dtype=np.float16, sampling_ratio=60) == [expected]


def test_more_samples_than_half_can_count_give_zero(handle):
    assert pool(handle, np.ones((8, 8)), [0, 1, 1, 5, 5], dtype=np.float16, sampling_ratio=257) == [0.0]


def random_case(dtype, channels=70):
    rng = np.random.default_rng(3)
    corner, size = rng.uniform(-2, 10, (40, 2)), rng.uniform(0.5, 14, (40, 2))
    return {
        "input": rng.standard_normal((2, 11, 17, channels)).astype(dtype),
        "rois": np.hstack([rng.integers(0, 2, (40, 1)), corner, corner + size]).astype(dtype),
        "offset": rng.uniform(-1, 1, (40, 2, 3, 2)).astype(dtype),
        "output": np.empty((40, 3, 2, channels), dtype),
    }


def run(device, case, sampling_ratio=0):
    kernel(**case, spatial_scale=0.9, sampling_ratio=sampling_ratio, gamma=0.3, device=device)
    return case["output"].copy()


@pytest.mark.parametrize("dtype", [np.float32, np.float16])
@pytest.mark.parametrize("sampling_ratio", [0, 3])
def test_devices_give_the_same_whatever_their_cores_and_slices(small_device, dtype, sampling_ratio):
    case = random_case(dtype)
    results = [run(device, case, sampling_ratio) for device in (*MODELS.values(), small_device)]
    assert np.array_equal(results[0], results[1])
    assert np.array_equal(results[0], results[2])


def test_half_is_near_float(device):
    exact = run(device, random_case(np.float32))
    half = run(device, random_case(np.float16)).astype(np.float32)
    assert 0 < np.abs(half - exact).mean() < 0.01


@pytest.mark.parametrize("dtype", [np.float32, np.float16])
def test_each_step_is_rounded_to_the_storage_type(device, dtype):
    """The same formula one sample at a time, in NumPy scalars of the storage type."""
    case = random_case(dtype, channels=3)
    actual = run(device, case)
    for roi in range(0, 40, 7):
        for row in range(3):
            for column in range(2):
                expected = pooled_bin(case, roi, row, column, dtype)
                assert np.array_equal(actual[roi, row, column], expected)


def pooled_bin(case, roi, row, column, T):
    batch, x1, y1, x2, y2 = case["rois"][roi]
    starts, bins, grids = [], [], []
    for low, high, shift, pooled in ((y1, y2, 1, 3), (x1, x2, 0, 2)):
        start = low * T(0.9) - T(0.5)
        extent = high * T(0.9) - T(0.5) - start
        bins.append(extent / T(pooled))
        grids.append(int(np.ceil(bins[-1])))
        starts.append(start + T(0.3) * extent * case["offset"][roi, shift, row, column])
    total = np.zeros(3, T)
    for i in range(grids[0]):
        for j in range(grids[1]):
            y = starts[0] + T(row) * bins[0] + T(i + 0.5) * bins[0] / T(grids[0])
            x = starts[1] + T(column) * bins[1] + T(j + 0.5) * bins[1] / T(grids[1])
            total += interpolated(case["input"][int(batch)], y, x, T)
    return total * (T(1) / T(max(grids[0] * grids[1], 1)))


def interpolated(image, y, x, T):
    height, width, _ = image.shape
    if y < -1 or y > height or x < -1 or x > width:
        return np.zeros(3, T)
    (y0, y1, hy, ly), (x0, x1, hx, lx) = on_axis(y, height, T), on_axis(x, width, T)
    upper = image[y0, x0] * (hy * hx) + image[y0, x1] * (hy * lx)
    return upper + image[y1, x0] * (ly * hx) + image[y1, x1] * (ly * lx)


def on_axis(coordinate, size, T):
    coordinate = max(coordinate, T(0))
    low = int(coordinate)
    if low >= size - 1:
        return size - 1, size - 1, T(1), T(0)
    return low, low + 1, T(1) - (coordinate - T(low)), coordinate - T(low)
