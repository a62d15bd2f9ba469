"""Thresholds: static, dynamic, by device series, and layered; each says where it comes from."""

from __future__ import annotations

import pytest
from mluops_conformance.judging.thresholds import resolve
from mluops_conformance.judging.values import Threshold
from mluops_conformance.operators.base import Criteria

DYNAMIC = Criteria(
    measures=("diff1", "diff2", "diff4"),
    source="the document, 1.5.1",
    rates={"diff1": 10, "diff2": 10, "diff4": 1},
    by_series={"MLU2": ("diff1", "diff2")},
)
COPY = Criteria(measures=("diff3",), source="the document, 1.5.1", static={"float16": 0.0, "float32": 0.0})


def test_the_floor_holds_where_the_baseline_is_better():
    assert resolve(DYNAMIC, "float32", baseline={"diff1": 1.2e-8})["diff1"] == Threshold(
        1e-5, "dynamic 10 x baseline 1.2e-8; floor 1e-5 (float32); the document, 1.5.1"
    )


def test_the_rate_times_the_baseline_holds_above_the_floor():
    assert resolve(DYNAMIC, "float32", baseline={"diff1": 2e-5})["diff1"].value == pytest.approx(2e-4)


def test_the_floor_of_half_is_1e_3():
    assert resolve(DYNAMIC, "float16", baseline={"diff1": 1e-8})["diff1"].value == 1e-3


def test_without_a_baseline_the_origin_says_so():
    assert resolve(DYNAMIC, "float32")["diff2"] == Threshold(
        1e-5, "floor 1e-5 (float32), no baseline; the document, 1.5.1"
    )


def test_a_pure_copy_has_zero_as_its_whole_threshold():
    assert resolve(COPY, "float16") == {"diff3": Threshold(0.0, "static 0 (float16); the document, 1.5.1")}


def test_integers_must_be_equal():
    assert resolve(COPY, "int32")["diff3"].value == 0


def test_diff4_is_judged_on_the_300_series_only():
    assert list(resolve(DYNAMIC, "float32", series="MLU370-X8")) == ["diff1", "diff2", "diff4"]
    assert list(resolve(DYNAMIC, "float32", series="MLU270")) == ["diff1", "diff2"]


def test_a_case_replaces_the_operator_and_the_command_line_both():
    found = resolve(DYNAMIC, "float32", case={"diff1": 1, "diff2": 2}, command_line={"diff2": 3})
    assert found["diff1"] == Threshold(1.0, "case")
    assert found["diff2"] == Threshold(3.0, "command line")


def test_the_pointwise_criterion_comes_with_a_scale_and_four_times_the_baseline():
    found = resolve(DYNAMIC, "float32", baseline={"pointwise": 3e-6}, pointwise=True)
    assert found["pointwise"].value == pytest.approx(1.2e-5)
    assert "pointwise" not in resolve(DYNAMIC, "float32", baseline={"pointwise": 3e-6})


def test_a_pointwise_threshold_for_all_operators_leaves_out_those_without_a_scale():
    assert "pointwise" not in resolve(COPY, "int32", command_line={"pointwise": 1e-3})


def test_a_case_with_a_pointwise_threshold_and_no_scale_is_refused():
    with pytest.raises(ValueError, match="the output has no local scale"):
        resolve(COPY, "int32", case={"pointwise": 1e-3})


def test_a_misspelt_measure_is_named_with_its_neighbour():
    with pytest.raises(ValueError, match="case: unknown measure 'dif1'; did you mean diff1"):
        resolve(DYNAMIC, "float32", case={"dif1": 1e-3})


@pytest.mark.parametrize("value", [-1.0, float("nan")])
def test_a_threshold_that_could_only_fail_or_only_pass_is_refused(value):
    with pytest.raises(ValueError, match="command line: the threshold of diff1 is"):
        resolve(DYNAMIC, "float32", command_line={"diff1": value})


def test_a_negative_threshold_switches_diff4_off():
    assert resolve(DYNAMIC, "float32", case={"diff4": -1})["diff4"] == Threshold(-1.0, "case")


def test_a_dtype_without_a_static_threshold_is_refused():
    with pytest.raises(ValueError, match="no static threshold of diff1 for float64"):
        resolve(DYNAMIC, "float64")
