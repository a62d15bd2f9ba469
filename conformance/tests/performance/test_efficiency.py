from __future__ import annotations

import pytest
from mluops_conformance.performance.times import (
    Measured,
    Peaks,
    Quantity,
    Work,
    assess,
    bottleneck,
    efficiency,
    grade,
)

WORK = Work(Quantity(6e6, "formula"), Quantity(3e6, "tensors"))
PEAKS = Peaks(compute=Quantity(1e12, "told"), bandwidth=Quantity(300e9, "told"))


def assessed(
    hardware=(20e-6,) * 6, interface=(5e-6,) * 6, work=WORK, peaks=PEAKS, steady=True, network=False
):
    measured = Measured(tuple(hardware), tuple(interface), warm_up=10, steady=steady)
    return assess(measured, work, peaks, network=network, workspace=64)


def test_the_efficiency_is_that_of_gtest():
    # executor.cpp: theory_ops * 1e6 / (us * op/s), and theory_io / (us * GB/s * 1000)
    found = assessed()
    assert found.compute_efficiency == pytest.approx(6e6 * 1e6 / (20 * 1e12))
    assert found.io_efficiency == pytest.approx(3e6 / (20 * 300 * 1000))


def test_the_larger_efficiency_is_the_bottleneck():
    assert bottleneck(0.3, 0.5) == 0.5
    assert bottleneck(None, 0.5) == 0.5
    assert bottleneck(None, None) is None


@pytest.mark.parametrize(
    ("reached", "name"),
    [
        (0.6, "good"),
        (0.59, "qualified"),
        (0.3, "qualified"),
        (0.29, "unqualified"),
        (0.02, "unqualified"),
        (0.01, "poor"),
    ],
)
def test_grades_begin_at_their_least_efficiency(reached, name):
    assert grade(reached, 1e-3) == name


def test_cases_too_short_for_a_grade_get_none():
    assert grade(0.9, 14.9e-6) == ""
    assert grade(0.9, 15e-6) == "good"


def test_the_grade_is_that_of_the_bottleneck():
    assert assessed().grade == "qualified"  # IO 50 %, compute 30 %


def test_more_is_required_of_sizes_that_networks_have():
    assert (assessed(network=True).required, assessed(network=False).required) == (0.6, 0.3)


def test_more_than_a_peak_is_an_error_of_the_measurement_and_gets_no_grade():
    found = assessed(hardware=[1e-6] * 6)
    assert [error.partition(":")[0] for error in found.errors] == [
        "compute efficiency above 100 %",
        "IO efficiency above 100 %",
    ]
    assert found.grade == ""


def test_all_of_a_peak_is_no_error():
    assert assessed(hardware=[10e-6] * 6, work=Work(None, WORK.bytes)).errors == ()


@pytest.mark.parametrize("wrong", [0.0, -1e-6, float("nan")])
def test_times_that_no_clock_may_give_are_an_error_and_make_no_efficiency(wrong):
    found = assessed(hardware=[20e-6] * 5 + [wrong])
    assert found.errors == ("hardware time: 1 of 6 are zero, negative or no number",)
    assert (found.compute_efficiency, found.io_efficiency, found.grade) == (None, None, "")


def test_a_host_clock_that_stands_still_leaves_the_device_s_figures():
    found = assessed(interface=[0.0] * 6)
    assert found.errors == ("interface time: 6 of 6 are zero, negative or no number",)
    assert (found.io_efficiency, found.grade) == (pytest.approx(0.5), "qualified")


def test_an_unknown_peak_leaves_the_efficiency_out_and_names_the_option():
    found = assessed(peaks=Peaks())
    assert (found.compute_efficiency, found.io_efficiency) == (None, None)
    assert [remark.partition("; ")[2] for remark in found.remarks] == [
        "--peak-compute GOP/s gives it",
        "--peak-bandwidth GB/s gives it",
    ]


def test_an_operator_that_computes_nothing_has_no_compute_efficiency_and_misses_no_peak():
    found = assessed(work=Work(None, WORK.bytes), peaks=Peaks(bandwidth=PEAKS.bandwidth))
    assert (found.compute_efficiency, found.remarks) == (None, ())


def test_times_that_did_not_become_steady_are_remarked():
    assert assessed(steady=False).remarks == ("times still changed when the warm-up ended",)


def test_no_work_takes_no_part_of_a_peak():
    assert efficiency(Quantity(0, "formula"), 1e-3, PEAKS.compute) == 0
