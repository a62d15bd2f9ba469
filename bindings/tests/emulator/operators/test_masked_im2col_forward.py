"""masked_im2col_forward on both devices, through the C interface."""

from __future__ import annotations

import numpy as np
import pytest
from mluops import operators

# Mask indices of Cambricon/mlu-ops, masked_im2col_forward/test_case/case_0.prototxt, for a map of 8 x 8.
GTEST_H = [-4, -1, -1, -1, 3, 3, 2, 7, 7, 7]
GTEST_W = [-4, -1, 1, 7, -1, 3, 7, -1, 4, 7]


def im2col(handle, feature, mask_h_idx, mask_w_idx, kernel, pad):
    return operators.masked_im2col_forward(
        handle,
        feature,
        np.array(mask_h_idx, np.int32),
        np.array(mask_w_idx, np.int32),
        kernel_h=kernel[0],
        kernel_w=kernel[1],
        pad_h=pad[0],
        pad_w=pad[1],
    )


def window(feature, h, w, kernel, pad):
    """One column, element by element."""
    channels, height, width = feature.shape[1:]
    column = np.zeros((channels, *kernel), feature.dtype)
    for i in range(kernel[0]):
        for j in range(kernel[1]):
            y, x = h - pad[0] + i, w - pad[1] + j
            if 0 <= y < height and 0 <= x < width:
                column[:, i, j] = feature[0, :, y, x]
    return column.ravel()


def test_the_example_of_the_vendors_header(handle):
    """mlu_op.h, documentation of mluOpMaskedIm2colForward."""
    feature = np.arange(1, 10, dtype=np.float32).reshape(1, 1, 3, 3)
    actual = im2col(handle, feature, [-1, 1], [-1, 1], (2, 2), (1, 1))
    assert actual.T.tolist() == [[0, 0, 0, 0], [1, 2, 4, 5]]


def test_windows_at_corners_and_in_the_middle(handle):
    """Worked out by hand: lower right corner, upper left corner, middle."""
    feature = np.arange(1, 10, dtype=np.float32).reshape(1, 1, 3, 3)
    actual = im2col(handle, feature, [2, 0, 1], [2, 0, 1], (3, 3), (1, 1))
    expected = [[5, 6, 0, 8, 9, 0, 0, 0, 0], [0, 0, 0, 0, 1, 2, 0, 4, 5], [1, 2, 3, 4, 5, 6, 7, 8, 9]]
    assert actual.T.tolist() == expected


def test_a_masked_convolution_of_mmcvs_unit_test(handle, known_answers):
    [case] = known_answers("masked_conv2d")
    h, w = case["mask_h_idx"], case["mask_w_idx"]
    columns = im2col(handle, np.array(case["feature"], np.float32), h, w, (3, 3), (1, 1))
    expected = np.array(case["expected"])
    weight, bias = np.array(case["weight"]).reshape(3, -1), np.array(case["bias"])
    assert weight @ columns + bias[:, np.newaxis] == pytest.approx(expected[0][:, h, w], rel=1e-3, abs=1e-5)


@pytest.mark.parametrize("dtype", [np.float32, np.float16])
@pytest.mark.parametrize("kernel", [(4, 4), (14, 14), (2, 5)])
@pytest.mark.parametrize("pad", [(1, 1), (0, 3), (-2, 1)])
def test_columns_are_windows_channel_by_channel(handle, dtype, kernel, pad):
    feature = np.random.default_rng(23).uniform(1, 10, (1, 8, 8, 9)).astype(dtype)
    actual = im2col(handle, feature, GTEST_H, GTEST_W, kernel, pad)
    expected = [window(feature, h, w, kernel, pad) for h, w in zip(GTEST_H, GTEST_W)]
    assert np.array_equal(actual.T, expected)


@pytest.mark.parametrize("index", [-(2**31), 2**31 - 1])
def test_indices_far_outside_give_zeros(handle, index):
    feature = np.ones((1, 2, 3, 4), np.float32)
    actual = im2col(handle, feature, [index, 1], [1, index], (2, 3), (1, 1))
    assert actual.view(np.uint32).max() == 0


@pytest.mark.parametrize("dtype", [np.uint16, np.uint32])
def test_bits_are_copied(handle, dtype):
    """Signalling NaN, -0 and denormals among them."""
    floating = np.dtype(f"f{np.dtype(dtype).itemsize}")
    top = 1 << (8 * floating.itemsize - 1)
    bits = np.array([top, 1, top | 3, 0x7D01, 0x7FA00001 & (2 * top - 1), 0xFFFF], dtype)
    feature = bits.view(floating).reshape(1, 1, 2, 3)
    actual = im2col(handle, feature, [0, 0, 0, 1, 1, 1], [0, 1, 2] * 2, (1, 1), (0, 0))
    assert actual.view(dtype)[0].tolist() == bits.tolist()


def test_more_masks_than_cores_with_a_remainder(handle):
    rng = np.random.default_rng(5)
    feature = rng.standard_normal((1, 3, 20, 30)).astype(np.float32)
    h, w = rng.integers(-3, 24, 101), rng.integers(-3, 34, 101)
    actual = im2col(handle, feature, h, w, (3, 2), (1, 0))
    assert np.array_equal(actual.T, [window(feature, y, x, (3, 2), (1, 0)) for y, x in zip(h, w)])
