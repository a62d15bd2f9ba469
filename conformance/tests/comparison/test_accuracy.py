"""Drift of measures of passing cases, and loosened thresholds."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from mluops_conformance.comparison.changes import Limits, drifts, loosened
from mluops_conformance.judging.values import Threshold


@pytest.fixture
def drift(case):
    """Return a check of the drift of a measure from one value to another; threshold 1e-5."""

    def ask(before, after, measure="diff1", **more):
        pair = case("op/a", measures={measure: before}), case("op/a", measures={measure: after}, **more)
        return drifts([pair], Limits())

    return ask


def test_a_measure_that_more_than_doubled_has_drifted(drift):
    (found,) = drift(1e-6, 2.1e-6)
    assert (found.id, found.output, found.measure) == ("op/a", "output", "diff1")
    assert found.factor == pytest.approx(2.1)
    assert found.is_worse


def test_a_measure_that_more_than_halved_has_drifted_to_the_better(drift):
    (found,) = drift(2.1e-6, 1e-6)
    assert not found.is_worse


@pytest.mark.parametrize(("before", "after"), [(1e-6, 1e-6), (1e-6, 2e-6), (2e-6, 1e-6), (0.0, 0.0)])
def test_up_to_the_limit_is_no_drift(drift, before, after):
    assert drift(before, after) == []


def test_what_is_below_the_floor_is_nothing_whatever_its_factor(drift):
    assert drift(1e-12, 0.9e-7) == []
    assert drift(0.0, 0.9e-7) == []


def test_an_exact_result_that_is_exact_no_longer_has_grown_without_bound(drift):
    (found,) = drift(0.0, 2e-7)
    assert found.factor == math.inf


def test_more_diff4_is_not_worse(drift):
    assert drift(0.1, 0.9, "diff4", threshold=1.0) == []


def test_a_measure_without_a_threshold_says_nothing(case):
    old, new = case("op/a", measures={"diff3": 0.1}), case("op/a", measures={"diff3": 9.0})
    unjudged = replace(new, outputs=(replace(new.outputs[0], thresholds={}),))
    assert drifts([(old, unjudged)], Limits()) == []


@pytest.mark.parametrize("outcomes", [("failed", "passed"), ("passed", "failed")])
def test_a_case_that_does_not_pass_twice_is_a_matter_of_outcomes(case, outcomes):
    old, new = (
        case("op/a", outcome, measures={"diff1": value}) for outcome, value in zip(outcomes, (1e-6, 1e-4))
    )
    assert drifts([(old, new)], Limits()) == []


def test_the_limit_can_be_chosen(case):
    pair = case("op/a", measures={"diff1": 1e-6}), case("op/a", measures={"diff1": 1.6e-6})
    assert len(drifts([pair], Limits(drift=1.5))) == 1


def test_what_grew_most_comes_first(case):
    pairs = [
        (
            case(f"op/{factor}", measures={"diff1": 1e-7}),
            case(f"op/{factor}", measures={"diff1": factor * 1e-7}),
        )
        for factor in (3, 9, 5)
    ]
    assert [found.id for found in drifts(pairs, Limits())] == ["op/9", "op/5", "op/3"]


@pytest.fixture
def judged(case):
    """Makes a case by its threshold and the origin of that."""

    def make(threshold, origin="dynamic 10 x baseline 1e-6"):
        record = case("op/a", measures={"diff1": 1e-6})
        output = replace(record.outputs[0], thresholds={"diff1": Threshold(threshold, origin)})
        return replace(record, outputs=(output,))

    return make


@pytest.mark.parametrize("origin", ["case", "command line"])
def test_a_threshold_that_a_user_loosened_is_told(judged, origin):
    (found,) = loosened([(judged(1e-5), judged(1e-3, origin))])
    assert (found.measure, found.before, found.after, found.origin) == ("diff1", 1e-5, 1e-3, origin)


def test_a_strict_threshold_that_a_user_took_away_is_told(judged):
    assert len(loosened([(judged(1e-9, "command line"), judged(1e-5))])) == 1


def test_a_threshold_that_grew_with_its_baseline_is_not(judged):
    assert loosened([(judged(1e-5), judged(1e-3))]) == []


@pytest.mark.parametrize("outcomes", [("xfailed", "xfailed"), ("passed", "xfailed"), ("xfailed", "passed")])
def test_a_measure_of_a_case_that_does_not_pass_is_no_drift(case, outcomes):
    old, new = (
        case("op/a", outcome, measures={"diff1": value}) for outcome, value in zip(outcomes, (1e-6, 9e-6))
    )
    assert drifts([(old, new)], Limits()) == []


def test_a_threshold_that_shrank_or_stayed_is_not(case):
    old = case("op/a", measures={"diff1": 1e-6}, threshold=1e-5)
    assert loosened([(old, old), (old, case("op/a", measures={"diff1": 1e-6}, threshold=1e-6))]) == []
