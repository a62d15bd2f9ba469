"""masked_im2col forward."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from mluops_reference import masked_im2col_forward

# Cambricon/mlu-ops masked_im2col_forward/test_case/case_{0,1,2}.prototxt: [1, 8, 8, 8], pad 1
GTEST_H = [-4, -1, -1, -1, 3, 3, 2, 7, 7, 7]
GTEST_W = [-4, -1, 1, 7, -1, 3, 7, -1, 4, 7]


def im2col(feature, h, w, kernel, pad):
    return masked_im2col_forward(
        np.asarray(feature),
        np.array(h, np.int32),
        np.array(w, np.int32),
        kernel_h=kernel[0],
        kernel_w=kernel[1],
        pad_h=pad[0],
        pad_w=pad[1],
    )


def literal(feature, h, w, kernel, pad):
    _, channels, height, width = feature.shape
    columns = np.zeros((channels, *kernel, len(h)), feature.dtype)
    for c, i, j, m in np.ndindex(*columns.shape):
        y, x = h[m] - pad[0] + i, w[m] - pad[1] + j
        if 0 <= y < height and 0 <= x < width:
            columns[c, i, j, m] = feature[0, c, y, x]
    return columns.reshape(-1, len(h))


def test_the_example_of_mlu_op_h():
    feature = np.arange(1, 10, dtype=np.float32).reshape(1, 1, 3, 3)
    columns = im2col(feature, [-1, 1], [-1, 1], (2, 2), (1, 1))
    np.testing.assert_array_equal(columns, [[0, 1], [0, 2], [0, 4], [0, 5]])


def test_corner_windows():
    # Cambricon/mlu-ops masked_im2col host and kernel code
    feature = np.arange(1, 10, dtype=np.float32).reshape(1, 1, 3, 3)
    columns = im2col(feature, [2, 0, 1], [2, 0, 1], (3, 3), (1, 1))
    np.testing.assert_array_equal(
        columns.T,
        [[5, 6, 0, 8, 9, 0, 0, 0, 0], [0, 0, 0, 0, 1, 2, 0, 4, 5], [1, 2, 3, 4, 5, 6, 7, 8, 9]],
    )


def test_rows_are_ordered_as_the_weights_of_a_convolution():
    known = json.loads((Path(__file__).parent / "data" / "masked_conv2d.json").read_text())
    h, w = known["mask_h_idx"], known["mask_w_idx"]
    columns = im2col(np.array(known["feature"], np.float32), h, w, (3, 3), (1, 1))
    weight = np.array(known["weight"])
    output = np.zeros((3, 16, 16))
    output[:, h, w] = weight.reshape(3, -1) @ columns + np.array(known["bias"])[:, None]
    np.testing.assert_allclose(output[None], known["masked_conv_output"], rtol=1e-3, atol=1e-5)


@pytest.mark.parametrize(
    ("kernel", "dtype"), [((4, 4), "f4"), ((14, 14), "f4"), ((4, 4), "f2"), ((1, 3), "f4")]
)
@pytest.mark.parametrize("pad", [(1, 1), (0, 2), (-2, 0)])
def test_positions_inside_across_and_beyond_the_border(kernel, dtype, pad):
    feature = np.random.default_rng(1).uniform(1, 10, (1, 8, 8, 8)).astype(dtype)
    columns = im2col(feature, GTEST_H, GTEST_W, kernel, pad)
    assert columns.dtype == feature.dtype
    np.testing.assert_array_equal(columns, literal(feature, GTEST_H, GTEST_W, kernel, pad))


def test_bits_are_copied():
    bits = np.array([0x7FC00001, 0xFF800000, 0x80000000, 0x00000001], np.uint32)
    columns = im2col(bits.view(np.float32).reshape(1, 1, 2, 2), [0, 0, 1, 1], [0, 1, 0, 1], (1, 1), (0, 0))
    np.testing.assert_array_equal(columns.view(np.uint32)[0], bits)


def test_what_is_outside_is_positive_zero():
    columns = im2col(np.full((1, 1, 2, 2), np.nan, np.float32), [5, -5], [0, 0], (1, 1), (0, 0))
    assert not columns.view(np.uint32).any()


def test_the_ends_of_int32_do_not_wrap_around():
    ends = [np.iinfo(np.int32).min, np.iinfo(np.int32).max]
    assert not im2col(np.ones((1, 1, 4, 4), np.float32), ends, ends, (3, 3), (2, -2)).any()


def test_no_positions_give_no_columns():
    assert im2col(np.ones((1, 2, 4, 4), np.float32), [], [], (3, 3), (1, 1)).shape == (18, 0)


def test_many_channels_are_copied_in_pieces(monkeypatch):
    monkeypatch.setattr("mluops_reference.masked_im2col._ELEMENTS_AT_ONCE", 200)
    feature = np.random.default_rng(2).uniform(size=(1, 7, 5, 6)).astype(np.float32)
    columns = im2col(feature, [0, 4, 2], [5, 0, 3], (3, 3), (1, 1))
    np.testing.assert_array_equal(columns, literal(feature, [0, 4, 2], [5, 0, 3], (3, 3), (1, 1)))


def test_more_than_one_image_is_refused():
    with pytest.raises(ValueError, match=r"feature must be \[1, channels"):
        im2col(np.ones((2, 1, 4, 4)), [0], [0], (1, 1), (0, 0))


def test_indices_of_two_lengths_are_refused():
    with pytest.raises(ValueError, match="of one length"):
        im2col(np.ones((1, 1, 4, 4)), [0], [0, 1], (1, 1), (0, 0))
