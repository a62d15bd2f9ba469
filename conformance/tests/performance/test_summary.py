from __future__ import annotations

import math
import random

import pytest
from mluops_conformance.performance.times import LEAST, median_interval, summary, variation

RANKS = {6: 1, 8: 1, 9: 2, 10: 2, 20: 6, 30: 10, 50: 18, 100: 40}
"""k of the 95 % interval of the median by n: W. J. Conover, Practical Nonparametric Statistics, table A3."""


@pytest.mark.parametrize("count", RANKS)
def test_the_interval_has_the_tabulated_ranks(count):
    values = list(range(1, count + 1))
    assert median_interval(values) == (RANKS[count], count + 1 - RANKS[count])


def test_fewer_values_than_the_least_give_no_interval():
    assert median_interval([1.0] * (LEAST - 1)) is None
    assert median_interval([1.0] * LEAST) == (1.0, 1.0)


def test_the_interval_holds_in_samples_of_thousands():
    low, high = median_interval(list(range(5000)))
    assert (low + high) / 2 == pytest.approx(2499.5)
    assert high - low == pytest.approx(1.96 * math.sqrt(5000), abs=3)


def test_the_interval_has_the_median_of_a_skewed_distribution_as_often_as_it_says():
    stream = random.Random(5)
    intervals = [median_interval([stream.expovariate(1) for _ in range(25)]) for _ in range(2000)]
    covered = sum(low <= math.log(2) <= high for low, high in intervals)
    assert 0.95 <= covered / 2000 < 0.97  # 95.7 % for 25 values


def test_order_does_not_matter():
    assert summary([3.0, 1.0, 2.0, 6.0, 5.0, 4.0]) == summary([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])


def test_the_variation_is_that_of_the_population():
    assert variation([2.0, 4.0]) == pytest.approx(1 / 3)


def test_times_of_zero_vary_by_nothing():
    assert variation([0.0, 0.0]) == 0
