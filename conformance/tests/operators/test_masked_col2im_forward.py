"""masked_col2im_forward: what is expected of columns with one position."""

from __future__ import annotations

import numpy as np
import pytest
from mluops_conformance.operators import the_operator

SIZES = {"channels": 2, "height": 3, "width": 4}


def expected(col):
    positions = {"mask_h_idx": np.array([1, 0, 1], np.int32), "mask_w_idx": np.array([2, 0, 2], np.int32)}
    return the_operator("masked_col2im_forward").reference({"col": col, **positions}, SIZES).outputs["im"]


def test_equal_columns_may_share_a_position():
    im = expected(np.array([[5, 7, 5], [6, 8, 6]], np.float32))
    assert im[0, :, 1, 2].tolist() == [5, 6]
    assert im[0, :, 0, 0].tolist() == [7, 8]


def test_different_columns_at_one_position_have_no_right_answer():
    with pytest.raises(ValueError, match=r"column 0 and a later one .* position, \(1, 2\): which of them"):
        expected(np.array([[5, 7, 5], [6, 8, 9]], np.float32))


def test_zeros_of_either_sign_differ():
    with pytest.raises(ValueError, match="not defined"):
        expected(np.array([[0.0, 7, -0.0], [6, 8, 6]], np.float32))
