"""The cells and the weights of a coordinate."""

from __future__ import annotations

import numpy as np
import pytest
from mluops_emulator.operators.arithmetic import arithmetic_of
from mluops_emulator.operators.bilinear import axis_taps, corners, is_inside

FLOAT, HALF = arithmetic_of(np.float32), arithmetic_of(np.float16)


def taps(coordinate, size, arithmetic=FLOAT):
    return tuple(field.item() for field in axis_taps(np.float32([coordinate]), size, arithmetic))


@pytest.mark.parametrize(
    ("coordinate", "inside"),
    [(-1.0, True), (-1.0001, False), (5.0, True), (5.001, False), (np.nan, True), (np.inf, False)],
)
def test_minus_one_and_the_size_are_inside(coordinate, inside):
    assert is_inside(np.float32([coordinate]), FLOAT.scalar(5)) == inside


@pytest.mark.parametrize(
    ("coordinate", "expected"),
    [
        (2.25, (2, 3, 0.75, 0.25)),
        (2.0, (2, 3, 1.0, 0.0)),
        (0.0, (0, 1, 1.0, 0.0)),
        (-1.0, (0, 1, 1.0, 0.0)),
        (3.75, (3, 4, 0.25, 0.75)),
        (4.0, (4, 4, 1.0, 0.0)),
        (5.0, (4, 4, 1.0, 0.0)),
    ],
)
def test_cells_and_weights_on_an_axis_of_five(coordinate, expected):
    assert taps(coordinate, 5) == expected


@pytest.mark.parametrize("coordinate", [-1.0, 0.0, 0.5, 1.0])
def test_an_axis_of_one_cell_has_only_that(coordinate):
    assert taps(coordinate, 1) == (0, 0, 1.0, 0.0)


def test_nan_falls_on_the_first_cells_with_weights_that_are_nan():
    low, high, *weights = taps(np.nan, 5)
    assert (low, high) == (0, 1)
    assert np.isnan(weights).all()


def test_half_cells_beyond_2048_have_no_weights_between_them():
    assert taps(2050.0, 4000, HALF) == (2050, 2051, 1.0, 0.0)


def test_corners_come_row_by_row_with_the_products_of_weights():
    y, x = axis_taps(np.float32([1.25]), 4, FLOAT), axis_taps(np.float32([2.5]), 10, FLOAT)
    cells, weights = corners(y, x, 10, FLOAT)
    assert cells.ravel().tolist() == [12, 13, 22, 23]
    assert weights.ravel().tolist() == [0.375, 0.375, 0.125, 0.125]


def test_half_weights_are_rounded():
    y = axis_taps(np.float32([1.0 / 3]), 4, FLOAT)
    y_half = axis_taps(np.float32(np.float16([1.0 / 3])), 4, HALF)
    assert corners(y_half, y_half, 4, HALF)[1][0] == np.float16(y_half.low_weight**2)
    assert corners(y, y, 4, FLOAT)[1][0] == y.low_weight**2
