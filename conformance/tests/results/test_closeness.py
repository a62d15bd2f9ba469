"""The distance of a case from its thresholds."""

from __future__ import annotations

import math

import pytest
from mluops_conformance.comparison.changes import closeness
from mluops_conformance.judging.values import OutputVerdict, Threshold


@pytest.fixture
def of(started):
    """The closeness of a case by measures and thresholds of its outputs."""

    def ask(*outputs):
        verdicts = [
            OutputVerdict(
                "y", "passed", measures=measures, thresholds={k: Threshold(v, "") for k, v in limits.items()}
            )
            for measures, limits in outputs
        ]
        return closeness(started().finished("passed", outputs=tuple(verdicts)))

    return ask


def test_the_worst_measure_of_all_outputs_counts(of):
    assert of(
        ({"diff1": 1e-6, "diff2": 3e-6}, {"diff1": 1e-5, "diff2": 1e-5}), ({"diff1": 0}, {"diff1": 1})
    ) == (pytest.approx(0.3))


def test_measures_without_a_threshold_and_diff4_say_nothing(of):
    assert of(({"diff3": 9.0, "diff4": 0.5}, {"diff4": 1.0})) is None


def test_a_threshold_of_zero_is_met_or_not(of):
    assert of(({"diff3": 0.0}, {"diff3": 0.0})) == 0
    assert of(({"diff3": 1e-30}, {"diff3": 0.0})) == math.inf


def test_a_measure_that_is_no_number_is_beyond_all_thresholds(of):
    assert of(({"diff1": math.nan}, {"diff1": 1.0})) == math.inf
