"""The verdict of the vendor's evaluator, after its code (evaluator.h, v1.11.1)."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from mluops_conformance.judging.tally import EPSILON, Tally
from mluops_conformance.judging.values import Threshold
from mluops_conformance.judging.vendor import Evaluator, limits_of

NAN, INF = float("nan"), float("inf")
DBL_MAX = sys.float_info.max
AVERAGED = {"diff1": 3e-3, "diff2": 3e-3}
EXACT = {"diff3": 0.0, "diff4": 1.0}


def evaluated(actual, expected, limits, dtype=np.float32):
    return Evaluator().evaluate(np.array(actual, dtype), np.array(expected, np.float64), limits)


def test_a_measure_that_equals_its_threshold_passes():
    assert evaluated([1.5, 2], [1, 2], {"diff3_2": 0.5}).passed
    assert not evaluated([1.5, 2], [1, 2], {"diff3_2": 0.25}).passed


def test_the_reason_names_what_fails():
    verdict = evaluated([1.5, 2], [1, 2], {"diff3_2": 0.25, "diff1": 1})
    assert verdict.errors["diff3_2"] == 0.5
    assert verdict.limits == {"diff3_2": 0.25, "diff1": 1}
    assert verdict.reason == "diff3_2 0.5 above 0.25"


def test_one_wrong_element_among_many_passes():
    expected = np.ones(10_000)
    actual = expected.astype(np.float32)
    actual[17] = 1.1
    assert Evaluator().evaluate(actual, expected, AVERAGED).passed


@pytest.mark.parametrize(("limit", "passed"), [(1.0, False), (0.0, False), (-1.0, True)])
def test_diff4_fails_where_all_errors_have_one_sign_unless_its_threshold_is_negative(limit, passed):
    expected = np.arange(1, 201, dtype=np.float64)
    verdict = Evaluator().evaluate((expected + 0.5).astype(np.float32), expected, {"diff4": limit})
    assert verdict.errors == {"diff4": 0.0}
    assert verdict.passed is passed


def test_diff4_says_nothing_about_few_errors():
    assert evaluated([1.5, 2], [1, 2], {"diff4": 1.0}).errors == {"diff4": -1.0}


@pytest.mark.parametrize("limits", [AVERAGED, EXACT])
@pytest.mark.parametrize(
    ("actual", "expected"),
    [([NAN, 2], [1, 2]), ([1, INF], [1, 2]), ([-INF, 2], [INF, 2]), ([1, 2], [NAN, 2])],
)
def test_special_values_in_the_wrong_place_make_every_measure_the_largest_double(actual, expected, limits):
    verdict = evaluated(actual, expected, limits)
    assert verdict.errors == dict.fromkeys(limits, DBL_MAX)
    assert not verdict.passed


def test_where_special_values_agree_the_rest_is_not_compared():
    verdict = evaluated([NAN, INF, 5], [NAN, INF, 1], {**AVERAGED, "diff4": 1.0})
    assert verdict.passed
    assert verdict.errors == {"diff1": 0.0, "diff2": 0.0, "diff4": -1.0}
    assert verdict.reason == "equal NaN or infinity were met, and it compares nothing else then"


def test_with_thresholds_of_zero_agreeing_special_values_count_as_zeros():
    assert evaluated([NAN, INF, 1], [NAN, INF, 1], EXACT).passed
    assert evaluated([NAN, INF, 5], [NAN, INF, 1], EXACT).errors["diff3"] == pytest.approx(4)


def test_outputs_after_one_that_was_not_compared_are_not_compared_either():
    evaluator = Evaluator()
    one, other = np.array([NAN, 1], np.float32), np.array([5, 6], np.int32)
    evaluator.evaluate(one, one.astype(np.float64), AVERAGED)
    assert evaluator.evaluate(other, np.array([7, 8]), AVERAGED).passed
    assert not Evaluator().evaluate(other, np.array([7, 8]), AVERAGED).passed


def test_an_expectation_that_overflows_the_dtype_is_infinite_to_the_evaluator():
    assert evaluated([INF, 3], [1e6, 2], AVERAGED, np.float16).passed


def test_only_diff4_and_special_values_in_the_wrong_place_pass():
    """DBL_MAX is neither 0 nor 1."""
    assert evaluated([NAN, 1], [1, 1], {"diff4": 1.0}).passed


@pytest.mark.parametrize(
    ("actual", "limits", "reason"),
    [([], AVERAGED, "it has nothing to compare"), ([1], {}, "it has no criteria")],
)
def test_without_elements_or_criteria_it_passes(actual, limits, reason):
    verdict = evaluated(actual, [5.0] * len(actual), limits)
    assert (verdict.passed, verdict.reason) == (True, reason)


def test_measures_that_are_known_are_not_taken_again():
    assert evaluated([1], [1], {"diff1": 0.5}).passed
    known = Tally(elements=1, error_sum=3.0, expected_sum=4.0 - EPSILON)
    found = Evaluator().evaluate(np.ones(1, np.float32), np.ones(1), {"diff1": 0.5}, known)
    assert found.errors == {"diff1": 0.75}


THRESHOLDS = {name: Threshold(0.5, "x") for name in ("diff1", "diff2", "diff4", "pointwise")}


def test_the_pointwise_criterion_is_none_of_its():
    assert limits_of(THRESHOLDS, {}) == {"diff1": 0.5, "diff2": 0.5, "diff4": 0.5}


def test_where_a_case_names_thresholds_there_are_no_others():
    assert limits_of(THRESHOLDS, {"diff2": 0.5}) == {"diff2": 0.5}
