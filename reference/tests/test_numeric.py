"""Rounding, a look for special values, and cutting into pieces."""

from __future__ import annotations

import numpy as np
import pytest
from mluops_reference.numeric import all_finite, float32, run_starts, slices


def test_a_scalar_is_rounded_to_float32():
    assert float32(0.1) == 0.100000001490116119384765625


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("place", [0, 70000, 99999])
def test_one_value_that_is_not_finite_is_found_anywhere(bad, place):
    values = np.full(100000, np.finfo(np.float32).max, np.float32)
    assert all_finite(values)
    values[place] = bad
    assert not all_finite(values)


@pytest.mark.parametrize("limit", [1, 5, 7, 100])
def test_slices_cover_every_item_once_in_order(limit):
    costs = np.array([0, 0, 3, 1, 4, 1, 0, 5, 9, 2, 6, 0])
    covered = [k for piece in slices(costs, limit) for k in range(*piece.indices(len(costs)))]
    assert covered == list(range(len(costs)))


def test_slices_stay_below_twice_the_limit_unless_one_item_is_larger():
    costs = np.array([3, 1, 4, 1, 5, 9, 2, 6])
    assert max(costs[piece].sum() for piece in slices(costs, 9)) < 18


def test_nothing_gives_no_slices():
    assert list(slices(np.array([], dtype=int), 5)) == []


def test_runs_start_where_a_key_differs_from_its_neighbour():
    np.testing.assert_array_equal(run_starts(np.array([4, 4, 2, 4, 4, 4])), [0, 2, 3])
