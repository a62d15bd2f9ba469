"""The bilinear rule along one axis."""

from __future__ import annotations

import numpy as np
import pytest
from mluops_reference.bilinear import taps


def weights_of(position: float, size: int, dtype: type = np.float64) -> dict[int, float] | None:
    inside, low, high, fraction = (field[0] for field in taps(np.array([position], dtype), size))
    if not inside:
        return None
    weights = {int(low): 0.0}
    for cell, weight in ((int(low), 1 - fraction), (int(high), fraction)):
        weights[cell] = weights.get(cell, 0.0) + float(weight)
    return weights


@pytest.mark.parametrize(
    ("position", "expected"),
    [
        (np.nextafter(-1, -2), None),
        (-1, {0: 1, 1: 0}),
        (-0.5, {0: 1, 1: 0}),
        (0, {0: 1, 1: 0}),
        (0.25, {0: 0.75, 1: 0.25}),
        (2, {2: 1, 3: 0}),
        (2.5, {2: 0.5, 3: 0.5}),
        (3, {3: 1}),
        (3.75, {3: 1}),
        (4, {3: 1}),
        (np.nextafter(4, 5), None),
        (np.inf, None),
        (-np.inf, None),
    ],
)
def test_a_position_on_four_cells(position, expected):
    assert weights_of(position, 4) == expected


def test_the_one_cell_of_a_map_takes_all():
    assert [weights_of(position, 1) for position in (-1, 0.5, 1)] == [{0: 1}] * 3


def test_nan_is_inside_at_the_first_cell_with_a_nan_weight():
    inside, low, high, fraction = taps(np.array([np.nan]), 4)
    assert (inside[0], low[0], high[0]) == (True, 0, 1)
    assert np.isnan(fraction[0])


def test_nan_on_a_single_cell_is_clamped_to_it():
    assert weights_of(np.nan, 1) == {0: 1}


def test_half_compares_with_the_size_as_half_rounds_it():
    assert np.float16(2051) == 2052
    assert weights_of(2052, 2051, np.float16) == {2050: 1}
    assert weights_of(2052, 2051, np.float32) is None
