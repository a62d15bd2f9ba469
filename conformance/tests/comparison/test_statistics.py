"""The rank test against published values, and what robust figures must not be moved by."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mluops_conformance.comparison.times import EXACT_UP_TO, least_p, mann_whitney, spread

MALES, FEMALES = (19, 22, 16, 29, 24), (20, 11, 17, 12)
"""Ages at diagnosis: Wild and Chapman's example, as in the documentation of scipy.stats.mannwhitneyu."""

SAMPLES = st.lists(st.integers(0, 50), min_size=1, max_size=30)


def test_a_published_example():
    assert mann_whitney(MALES, FEMALES) == pytest.approx(1 / 9, abs=1e-15)


def test_tied_values_take_the_corrected_normal_approximation():
    """U = 23.5 of 25, variance 25/12 (11 - (6 + 6)/90) = 22.639, z = (11 - 0.5)/4.758 = 2.2068."""
    assert mann_whitney([1, 2, 3, 3, 5], [3.5, 5, 6, 7, 8]) == pytest.approx(0.02733, abs=5e-5)


@pytest.mark.parametrize(
    ("first", "second", "p"),
    [(3, 3, 2 / 20), (5, 5, 2 / 252), (4, 6, 2 / 210), (8, 8, 2 / 12870)],
)
def test_samples_that_do_not_overlap_have_the_least_p_which_counts_the_orders(first, second, p):
    assert mann_whitney(range(first), range(100, 100 + second)) == pytest.approx(p)
    assert least_p(first, second) == pytest.approx(p)


def test_the_least_p_of_thousands_of_times_is_not_counted_out():
    assert 0 <= least_p(4000, 4000) < 1e-300


@pytest.mark.parametrize(("u", "refused"), [(2, True), (3, False)])
def test_the_critical_value_of_five_and_five_at_five_per_cent_is_two(u, refused):
    """Table of Mann and Whitney; U counts the pairs in which the second sample lies below."""
    second = {2: (4.5, 4.6, 6, 7, 8), 3: (4.5, 3.5, 6, 7, 8)}[u]
    assert (mann_whitney((1, 2, 3, 4, 5), second) <= 0.05) is refused


def test_the_exact_and_the_approximate_p_meet_where_one_takes_over():
    first = list(range(0, 2 * EXACT_UP_TO, 2))
    second = [value + 7 for value in first]
    approximate = mann_whitney([2, *first[1:]], second)  # two equal values below all others: U stays
    assert mann_whitney(first, second) == pytest.approx(approximate, rel=0.02)


@given(SAMPLES, SAMPLES)
def test_p_is_a_probability_and_does_not_care_which_sample_comes_first(first, second):
    p = mann_whitney(first, second)
    assert 0 < p <= 1
    assert p == pytest.approx(mann_whitney(second, first))


@given(SAMPLES, SAMPLES)
def test_p_depends_on_ranks_alone(first, second):
    assert mann_whitney([2.0**v for v in first], [2.0**v for v in second]) == mann_whitney(first, second)


def test_equal_values_are_no_difference():
    assert mann_whitney([1] * 30, [1] * 30) == 1


def test_no_difference_is_found_by_chance_more_often_than_p_says():
    generator = random.Random(7)
    found = sum(
        mann_whitney([generator.random() for _ in range(9)], [generator.random() for _ in range(9)]) <= 0.05
        for _ in range(2000)
    )
    assert found <= 0.06 * 2000


def test_spread_is_the_standard_deviation_of_normal_values_relative_to_their_median():
    generator = random.Random(3)
    assert spread([generator.gauss(10, 0.5) for _ in range(4001)]) == pytest.approx(0.05, rel=0.1)


def test_one_wild_value_does_not_move_the_spread():
    assert spread([10, 10.1, 9.9, 10, 1000]) == pytest.approx(spread([10, 10.1, 9.9, 10, 10]), abs=0.02)
