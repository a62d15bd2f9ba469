"""masked_col2im_forward on both devices, through the C interface."""

from __future__ import annotations

import numpy as np
import pytest
from mluops import operators


def scatter(handle, col, mask_h_idx, mask_w_idx, height, width, dtype=np.float32):
    """Return the map without its axis of one batch."""
    masks = np.array(mask_h_idx, np.int32), np.array(mask_w_idx, np.int32)
    return operators.masked_col2im_forward(handle, np.array(col, dtype), *masks, height=height, width=width)[
        0
    ]


@pytest.mark.parametrize("dtype", [np.float32, np.float16])
def test_columns_go_to_their_cells_and_other_cells_are_zero(handle, dtype):
    im = scatter(handle, [[1, 2, 3], [4, 5, 6]], [1, 0, 1], [0, 2, 2], 2, 3, dtype)
    assert im.tolist() == [[[0, 0, 2], [1, 0, 3]], [[0, 0, 5], [4, 0, 6]]]


def test_every_bit_arrives(handle):
    values = np.array([[np.nan, np.inf, -0.0], [-np.inf, 1e-45, 3.0]], np.float32)
    im = scatter(handle, values, [0, 0, 0], [0, 1, 2], 1, 3)
    assert im.tobytes() == values.tobytes()


def test_cells_without_a_column_are_positive_zeros(handle):
    im = scatter(handle, [[7]], [0], [0], 2, 2)
    assert not np.signbit(im).any()


def test_no_columns_leave_a_map_of_zeros(handle):
    im = scatter(handle, np.zeros((2, 0)), [], [], 2, 3)
    assert im.tolist() == [[[0, 0, 0], [0, 0, 0]]] * 2


def test_columns_beyond_a_batch_of_each_core_arrive(handle):
    col = np.arange(3 * 5000).reshape(3, 5000)
    places = np.random.default_rng(3).permutation(100 * 60)[:5000]
    im = scatter(handle, col, places // 60, places % 60, 100, 60).reshape(3, -1)
    assert np.array_equal(im[:, places], col)
    assert np.count_nonzero(im) == np.count_nonzero(col)


def test_an_index_outside_of_the_map_is_reported(handle, violations):
    with pytest.raises(Exception, match="cnrtQueueSync"):
        scatter(handle, [[1]], [2], [0], 2, 2)
    assert violations()
