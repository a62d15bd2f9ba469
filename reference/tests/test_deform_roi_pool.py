"""deform_roi_pool forward."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from mluops_reference import deform_roi_pool_forward, deform_roi_pool_forward_baseline

PARAMETERS: dict[str, Any] = {
    "pooled_height": 2,
    "pooled_width": 3,
    "spatial_scale": 1.0,
    "sampling_ratio": 0,
    "gamma": 0.1,
}


def pool(input, rois, offset=None, function=deform_roi_pool_forward, **parameters):
    rois = np.asarray(rois)
    if rois.dtype != np.float16:
        rois = rois.astype(np.float32)
    return function(np.asarray(input), rois, offset, **{**PARAMETERS, **parameters})


def sample(input, y, x, **parameters):
    """Image 0 at one point: a roi without size, sampled once."""
    at = {"pooled_height": 1, "pooled_width": 1, "sampling_ratio": 1}
    return pool(input, [[0, x + 0.5, y + 0.5, x + 0.5, y + 0.5]], **{**at, **parameters})[0, 0, 0]


def literal_sample(image, y, x):
    height, width, channels = image.shape
    if y < -1 or y > height or x < -1 or x > width:
        return np.zeros(channels)

    def axis(position, size):
        position = 0 if position <= 0 else position
        low = 0 if math.isnan(position) else int(position)
        if low >= size - 1:
            return size - 1, size - 1, 0
        return low, low + 1, float(position) - low

    (top, bottom, fy), (left, right, fx) = axis(y, height), axis(x, width)
    corners = (top, left), (top, right), (bottom, left), (bottom, right)
    weights = (1 - fy) * (1 - fx), (1 - fy) * fx, fy * (1 - fx), fy * fx
    return sum(weight * image[corner].astype(np.float64) for corner, weight in zip(corners, weights))


def literal(input, rois, offset, T=np.float64, **parameters):
    """The formula as it is written, one sample at a time, coordinates in T."""
    p = {**PARAMETERS, **parameters}
    pooled = p["pooled_height"], p["pooled_width"]
    decide = np.float16 if T is np.float16 else np.float32
    output = np.zeros((len(rois), *pooled, input.shape[3]))
    for n, ph, pw in np.ndindex(*output.shape[:3]):
        axes = []
        for first, channel, step, count in ((2, 1, ph, pooled[0]), (1, 0, pw, pooled[1])):

            def extent(T, first=first, n=n):
                scale = T(np.float32(p["spatial_scale"]))
                start = T(rois[n, first]) * scale - T(0.5)
                return start, (T(rois[n, first + 2]) * scale - T(0.5)) - start

            start, size = extent(T)
            quotient = extent(decide)[1] / decide(count)
            grid = p["sampling_ratio"]
            if grid <= 0:
                grid = math.ceil(quotient) if np.isfinite(quotient) else 0
            bin_size = size / T(count)
            if offset is not None:
                start = start + T(np.float32(p["gamma"])) * size * T(offset[n, channel, ph, pw])
            origin = start + T(step) * bin_size
            axes.append([origin + T(i + 0.5) * bin_size / T(grid) for i in range(grid)])
        image = input[0 if np.isnan(rois[n, 0]) else int(rois[n, 0])]
        total = sum((literal_sample(image, y, x) for y in axes[0] for x in axes[1]), np.zeros(input.shape[3]))
        output[n, ph, pw] = total / max(len(axes[0]) * len(axes[1]), 1)
    return output


def random_case(rng, dtype=np.float32, rois=6, size=(2, 9, 11, 3)):
    corners = rng.uniform(-4, 14, (rois, 2, 2))
    corners[::3] = np.sort(corners[::3], axis=1)  # the others may be turned over
    corners[1::3] = np.sort(corners[1::3], axis=1)
    boxes = np.column_stack([rng.integers(0, size[0], rois), corners.reshape(rois, 4)]).astype(dtype)
    offset = rng.uniform(-3, 3, (rois, 2, 2, 3)).astype(dtype)
    return rng.uniform(-1, 1, size).astype(dtype), boxes, offset


UNIT = {"pooled_height": 2, "pooled_width": 2, "sampling_ratio": 2}


@pytest.mark.parametrize(
    ("image", "roi", "expected"),
    [
        ([[1, 2], [3, 4]], [0, 0, 0, 1, 1], [[1, 1.25], [1.5, 1.75]]),
        (
            [[1, 2, 5, 6], [3, 4, 7, 8], [9, 10, 13, 14], [11, 12, 15, 16]],
            [0, 0, 0, 3, 3],
            [[1.9375, 4.75], [7.5625, 10.375]],
        ),
    ],
)
@pytest.mark.parametrize("offset", [None, np.zeros((1, 2, 2, 2), np.float32)])
def test_the_unit_tests_of_mmcv(image, roi, expected, offset):
    # open-mmlab/mmcv tests/test_ops/test_deform_roi_pool.py:20-39,101-127
    image = np.array(image, np.float32)[None, :, :, None]
    np.testing.assert_array_equal(pool(image, [roi], offset, **UNIT)[0, :, :, 0], expected)


def test_channels_are_independent():
    # open-mmlab/mmcv tests/test_ops/test_deform_roi_pool.py, its two-channel case
    image = np.array([[[1, 4], [2, 3]], [[3, 2], [4, 1]]], np.float32)[None]
    pooled = pool(image, [[0, 0, 0, 1, 1]], **UNIT)
    np.testing.assert_array_equal(pooled[0, :, :, 1], [[4, 3.75], [3.5, 3.25]])


def test_the_example_of_mlu_op_h():
    image = np.array([[1, 2], [2, 4]], np.float32)[None, :, :, None]
    offset = np.full((1, 2, 1, 1), 0.5, np.float32)
    at = {"pooled_height": 1, "pooled_width": 1, "sampling_ratio": 1, "gamma": 1.0}
    assert pool(image, [[0, 0, 0, 1, 1]], offset, **at) == 2.25


@pytest.mark.parametrize("offset", [None, np.zeros((1, 2, 2, 2), np.float32)])
def test_an_adaptive_grid_with_the_half_pixel_shift(offset):
    # open-mmlab/mmcv #2903
    image = np.arange(1, 17, dtype=np.float32).reshape(1, 4, 4, 1)
    pooled = pool(image, [[0, 0, 0, 3, 3]], offset, pooled_height=2, pooled_width=2)
    np.testing.assert_array_equal(pooled.ravel(), [2.5625, 4, 8.3125, 9.75])


@pytest.mark.parametrize(
    ("offset", "expected"),
    [(None, [5.5, 6.5]), (np.array([[[[0.5, 0]], [[0, 0.5]]]], np.float32), [6.5, 10.5])],
)
def test_offset_channel_0_moves_x_and_channel_1_moves_y(offset, expected):
    # Cambricon/mlu-ops gtest reference and the mmcv kernel
    image = np.arange(1, 13, dtype=np.float32).reshape(1, 3, 4, 1)
    at = {"pooled_height": 1, "pooled_width": 2, "sampling_ratio": 1, "gamma": 1.0}
    pooled = pool(image, [[0, 0.5, 0.5, 2.5, 2.5]], offset, **at)
    np.testing.assert_array_equal(pooled.ravel(), expected)


@pytest.mark.parametrize("sampling_ratio", [0, 1, 3])
@pytest.mark.parametrize("with_offset", [False, True])
@pytest.mark.parametrize("spatial_scale", [1.0, 0.3])
def test_random_rois_also_turned_and_beyond_the_border(sampling_ratio, with_offset, spatial_scale):
    input, rois, offset = random_case(np.random.default_rng(5))
    rois[:, 1:] /= spatial_scale
    offset = offset if with_offset else None
    parameters = {"sampling_ratio": sampling_ratio, "spatial_scale": spatial_scale}
    np.testing.assert_allclose(
        pool(input, rois, offset, **parameters), literal(input, rois, offset, **parameters), atol=1e-14
    )


@pytest.mark.parametrize("seed", range(3))
def test_half_coordinates_step_by_step(seed):
    input, rois, offset = random_case(np.random.default_rng(seed), np.float16, size=(1, 40, 70, 2))
    rois[:, 1:] *= 20
    parameters = {"spatial_scale": 0.2, "coordinates": np.float16}
    pooled = pool(input, rois, offset, **parameters)
    expected = literal(input, rois, offset, np.float16, spatial_scale=0.2)
    np.testing.assert_allclose(pooled, expected, atol=1e-14)
    assert np.abs(pooled - pool(input, rois, offset, spatial_scale=0.2)).max() > 1e-3


def test_half_data_with_exact_coordinates_is_the_default():
    input, rois, offset = random_case(np.random.default_rng(6), np.float16)
    np.testing.assert_allclose(pool(input, rois, offset), literal(input, rois, offset), atol=1e-14)


@pytest.mark.parametrize("y", [-1.0, -0.5, 0.0, 2.0, 2.5, 3.0, 4.0])
def test_a_sample_on_the_border_is_clamped(y):
    image = np.array([1, 10, 100, 1000], np.float32).reshape(1, 4, 1, 1)
    expected = {-1.0: 1, -0.5: 1, 0.0: 1, 2.0: 100, 2.5: 550, 3.0: 1000, 4.0: 1000}
    assert sample(image, y, 0.0) == expected[y]
    assert sample(image.transpose(0, 2, 1, 3), 0.0, y) == expected[y]


@pytest.mark.parametrize("y", [-1.001, 4.001])
def test_a_sample_beyond_the_border_is_zero(y):
    assert sample(np.ones((1, 4, 4, 1), np.float32), y, 0.0) == 0


def test_the_grid_is_decided_in_float32():
    # 70 x float32(0.1) is above 7 in double, and exactly 7 in float32: one sample a bin, not two.
    image = (np.arange(8.0, dtype=np.float32) ** 2).reshape(1, 1, 8, 1)
    pooled = pool(image, [[0, 5, 5, 75, 5]], pooled_height=1, pooled_width=7, spatial_scale=0.1)
    assert not pooled.any()  # no height: no samples
    pooled = pool(image, [[0, 5, 5, 75, 7]], pooled_height=1, pooled_width=7, spatial_scale=0.1)
    between = (image.ravel()[:-1] + image.ravel()[1:]) / 2
    np.testing.assert_allclose(pooled.ravel(), between, rtol=1e-6)


@pytest.mark.parametrize("roi", [[0, 5, 2, 1, 4], [0, 5, 4, 1, 2], [0, 2, 2, 2, 2]])
def test_a_roi_turned_over_or_without_size_has_no_adaptive_samples(roi):
    assert not pool(np.ones((1, 8, 8, 1), np.float32), [roi]).any()


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("field", [1, 2, 3, 4])
def test_a_roi_size_that_is_not_finite_has_no_adaptive_samples(value, field):
    roi = np.array([[0, 1, 1, 5, 5]], np.float32)
    roi[0, field] = value
    assert not pool(np.ones((1, 8, 8, 1), np.float32), roi).any()


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("field", [1, 2, 3, 4])
def test_a_roi_that_is_not_finite_follows_the_formula(value, field):
    rois = np.array([[0, 1, 1, 5, 5], [0, 1, 1, 5, 5]], np.float32)
    rois[0, field] = value
    input = np.random.default_rng(7).uniform(size=(1, 8, 8, 2)).astype(np.float32)
    with np.errstate(invalid="ignore"):
        expected = literal(input, rois, None, sampling_ratio=2)
    np.testing.assert_allclose(pool(input, rois, sampling_ratio=2), expected, atol=1e-14)
    assert not np.isfinite(expected[0]).all() or not expected[0].any()


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_special_values_reach_every_sample_beside_them(value):
    rng = np.random.default_rng(8)
    input, rois, offset = random_case(rng, rois=20)
    input[0, 4, 5, 1] = value
    input[1, 0, 0, 0] = value
    input[1, 8, 10, 2] = -value
    with np.errstate(invalid="ignore"):
        expected = literal(input, rois, offset)
    assert 0 < np.isfinite(expected).sum() < expected.size
    np.testing.assert_allclose(pool(input, rois, offset), expected, atol=1e-14)


def test_infinity_beside_a_sample_of_weight_zero_is_nan():
    image = np.array([1, np.inf, 3], np.float32).reshape(1, 3, 1, 1)
    assert np.isnan(sample(image, 0.0, 0.0))
    assert sample(image, 2.0, 0.0) == 3


def test_the_largest_finite_values_are_finite():
    image = np.full((1, 4, 4, 1), np.finfo(np.float32).max, np.float32)
    np.testing.assert_allclose(pool(image, [[0, 1, 1, 3, 3]]), image[0, 0, 0, 0], rtol=1e-14)


@pytest.mark.parametrize("settings", [("EXTENT", 2), ("STRIP_ELEMENTS", 60), ("WINDOW_BINS", 1)])
def test_windows_of_any_size_give_the_same(settings, monkeypatch):
    monkeypatch.setattr(f"mluops_reference.window_pooling.{settings[0]}", settings[1])
    input, rois, offset = random_case(np.random.default_rng(9), rois=30)
    np.testing.assert_allclose(pool(input, rois, offset), literal(input, rois, offset), atol=1e-14)


def test_many_rois_are_pooled_in_pieces(monkeypatch):
    monkeypatch.setattr("mluops_reference.deform_roi_pool._SAMPLES_AT_ONCE", 50)
    monkeypatch.setattr("mluops_reference.deform_roi_pool._ELEMENTS_AT_ONCE", 7)
    input, rois, offset = random_case(np.random.default_rng(10), rois=30)
    input[0, 4, 5, 1] = np.nan
    np.testing.assert_allclose(pool(input, rois, offset), literal(input, rois, offset), atol=1e-14)


def test_bins_wider_than_their_tiles():
    input = np.random.default_rng(11).uniform(-1, 1, (1, 90, 120, 1)).astype(np.float32)
    rois = [[0, 0, 0, 119, 89], [0, 10, 5, 60, 70], [0, 3, 3, 8, 9]]
    np.testing.assert_allclose(pool(input, rois), literal(input, np.array(rois), None), atol=1e-14)


@pytest.mark.parametrize("shape", [(1, 0, 4, 2), (1, 4, 0, 2), (1, 4, 4, 0)])
def test_a_map_without_cells_pools_to_zeros(shape):
    assert not pool(np.zeros(shape, np.float32), [[0, 0, 0, 2, 2]]).any()


def test_no_rois_pool_to_nothing():
    assert pool(np.zeros((1, 4, 4, 2), np.float32), np.zeros((0, 5))).shape == (0, 2, 3, 2)


@pytest.mark.parametrize("batch", [-1, 2, np.inf])
def test_a_roi_of_an_image_that_is_not_there_is_refused(batch):
    with pytest.raises(ValueError, match=r"rois\[1\] names image .* input has 2"):
        pool(np.ones((2, 4, 4, 1), np.float32), [[0, 0, 0, 2, 2], [batch, 0, 0, 2, 2]])


def test_shapes_that_do_not_fit_are_refused():
    image, roi = np.ones((1, 4, 4, 1)), [[0, 0, 0, 2, 2]]
    with pytest.raises(ValueError, match="input must be"):
        pool(image[0], roi)
    with pytest.raises(ValueError, match="rois must be"):
        pool(image, [[0, 0, 0, 2]])
    with pytest.raises(ValueError, match=r"offset must be \(1, 2, 2, 3\) or None"):
        pool(image, roi, np.zeros((1, 2, 3, 2)))


def test_the_absolute_input_bounds_the_output():
    input, rois, offset = random_case(np.random.default_rng(12), rois=20)
    scale = pool(np.abs(input), rois, offset)
    assert (np.abs(pool(input, rois, offset)) <= scale + 1e-15).all()


@pytest.mark.parametrize(
    ("dtype", "coordinates", "tolerance"),
    [("f4", np.float32, 1e-5), ("f2", np.float32, 1e-3), ("f2", np.float16, 1e-3)],
)
def test_the_baseline_is_as_close_as_its_precision(dtype, coordinates, tolerance):
    input, rois, offset = random_case(np.random.default_rng(13), dtype, rois=20)
    input = np.abs(input)
    baseline = pool(input, rois, offset, deform_roi_pool_forward_baseline, coordinates=coordinates)
    assert baseline.dtype == input.dtype
    exact = np.float16 if coordinates is np.float16 else np.float64
    reference = pool(input, rois, offset, coordinates=exact)
    assert 0 < np.abs(baseline - reference).sum() / reference.sum() < tolerance


def test_the_half_baseline_sticks_at_2048():
    # Cambricon/mlu-ops half kernel: 3600 ones add up to 2048, so that their average is 0.569
    at = {"pooled_height": 1, "pooled_width": 1, "sampling_ratio": 60, "coordinates": np.float16}
    rois = np.array([[0, 1, 1, 3, 3]], np.float16)
    stuck = pool(np.ones((1, 4, 4, 1), np.float16), rois, None, deform_roi_pool_forward_baseline, **at)
    assert stuck.item() == pytest.approx(0.569, abs=1e-3)
    assert pool(np.ones((1, 4, 4, 1), np.float16), rois, **at).item() == pytest.approx(1, rel=1e-12)
