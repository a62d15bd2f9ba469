"""masked_col2im forward."""

from __future__ import annotations

import numpy as np
import pytest
from mluops_reference import masked_col2im_forward

OPERATOR = "masked_col2im_forward"


def scatter(col, rows, columns, height, width):
    col = np.asarray(col, np.float32)
    index = np.array(rows, np.int32), np.array(columns, np.int32)
    return masked_col2im_forward(col, *index, im_shape=(1, len(col), height, width))


def test_known_answers(known_answer):
    im = masked_col2im_forward(**known_answer.inputs, im_shape=known_answer.expected["im"].shape)
    known_answer.agrees(im, "im")


def test_bits_are_copied():
    col = np.array([[0x80000000, 0x7FC00001, 0x00000001]], np.uint32).view(np.float32)
    im = scatter(col, [0, 0, 0], [0, 1, 2], 1, 3)
    assert im.view(np.uint32).tolist() == [[[[0x80000000, 0x7FC00001, 0x00000001]]]]


def test_the_last_column_of_a_repeated_position_stays():
    assert scatter([[1, 2, 3]], [0, 0, 0], [1, 1, 0], 1, 2).tolist() == [[[[3, 2]]]]


def test_the_last_of_many_columns_of_one_position_stays_in_every_channel():
    columns = np.tile(np.arange(500.0), (130, 1))
    assert set(scatter(columns, [0] * 500, [0] * 500, 1, 1).ravel().tolist()) == {499.0}


def test_without_columns_the_map_is_zero():
    assert scatter(np.empty((2, 0)), [], [], 2, 2).tolist() == np.zeros((1, 2, 2, 2)).tolist()


@pytest.mark.parametrize(("row", "column"), [(-1, 0), (2, 0), (0, -1), (0, 3)])
def test_a_position_outside_the_map_is_refused(row, column):
    with pytest.raises(
        ValueError, match=rf"mask position 1 is \({row}, {column}\), outside the map of 2 x 3"
    ):
        scatter([[1, 2]], [0, row], [0, column], 2, 3)


@pytest.mark.parametrize("im_shape", [(2, 1, 2, 2), (1, 2, 2, 2), (1, 1, 2)])
def test_shapes_that_do_not_fit_are_refused(im_shape):
    index = np.zeros(3, np.int32)
    with pytest.raises(ValueError, match="must be"):
        masked_col2im_forward(np.zeros((1, 3), np.float32), index, index, im_shape=im_shape)
