"""What is refused at a glance is refused by the full comparison too."""

from __future__ import annotations

import numpy as np
import pytest
from mluops_conformance.judging.glance import Glance
from mluops_conformance.judging.refusal import reasons
from mluops_conformance.judging.tally import tally
from mluops_conformance.judging.values import Threshold

MEASURES = ("diff1", "diff3", "diff3_2", "pointwise")


def thresholds_of(measure, value):
    return {measure: Threshold(value, "case")}


def refuses(output, expected, measure, value, scale=None):
    return Glance(expected, output.dtype, scale).refuses(output, thresholds_of(measure, value))


@pytest.mark.parametrize("dtype", ["float32", "float16", "int32"])
@pytest.mark.parametrize("magnitude", [1e-7, 1e-3, 1.0, 100.0])
@pytest.mark.parametrize("seed", range(5))
def test_a_full_comparison_agrees(dtype, magnitude, seed):
    random = np.random.RandomState(seed)
    expected = random.uniform(-1, 1, 40) * magnitude
    if dtype == "int32":
        expected = np.rint(expected).astype(np.int32)
    scale = random.uniform(0, 2, 40) * magnitude
    output = (expected * random.uniform(0.5, 1.5, 40)).astype(dtype)
    found, glance = tally(output, expected, scale), Glance(expected, output.dtype, scale)
    for measure in MEASURES:
        for value in 10.0 ** np.arange(-9, 3, 0.25):
            if glance.refuses(output, thresholds_of(measure, value)):
                assert list(reasons(found, thresholds_of(measure, value)))


@pytest.mark.parametrize("measure", MEASURES)
def test_zeros_for_ordinary_values_are_refused(measure):
    expected = np.linspace(0.5, 1, 20)
    assert refuses(np.zeros(20, np.float32), expected, measure, 1e-2, scale=expected)


@pytest.mark.parametrize("measure", MEASURES)
def test_a_right_output_is_not_refused(measure):
    expected = np.linspace(0.5, 1, 20)
    assert not refuses(expected.astype(np.float32), expected, measure, 0.0, scale=expected)


def test_nothing_is_said_of_special_values():
    expected = np.array([1.0, np.nan, 2.0])
    assert not refuses(np.array([9.0, 9.0, 9.0], np.float32), expected, "diff1", 1e-5)


def test_where_nothing_is_expected_the_absolute_error_counts():
    output = np.array([1e-6, 0.0], np.float32)
    assert not refuses(output, np.zeros(2), "diff1", 1e-5)
    assert refuses(output, np.zeros(2), "diff1", 1e-7)


def test_copies_that_differ_anywhere_are_refused_by_a_threshold_of_zero():
    expected = np.arange(4, dtype=np.float32)
    assert refuses(expected + np.float32(1e-7), expected, "diff3", 0.0)
