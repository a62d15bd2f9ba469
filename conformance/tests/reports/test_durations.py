"""The distribution of a run's time."""

from __future__ import annotations

from dataclasses import replace

from mluops_conformance.reports.text import render_durations


def test_seconds_are_added_up_by_what_was_done(run_of, case):
    text = render_durations(run_of(case(), case(case_id="nms_rotated/other")), 0, report=0.5)
    assert [line.split() for line in text.splitlines()[1:]] == [
        ["fill", "0.500", "25", "%"],
        ["reference", "0.000", "0", "%"],
        ["copy", "0.000", "0", "%"],
        ["call", "1.000", "50", "%"],
        ["judge", "0.000", "0", "%"],
        ["report", "0.500", "25", "%"],
    ]


def test_the_slowest_cases_come_first_and_only_so_many(run_of, case):
    slow = replace(case(case_id="nms_rotated/slow"), seconds={"call": 9.0, "reference": 1.0})
    text = render_durations(run_of(case(), slow, case(case_id="nms_rotated/quick")), 1, report=0.0)
    assert [line.split() for line in text.splitlines()[-2:]] == [
        ["all", "fill", "reference", "copy", "call", "judge", "case"],
        ["10.000", "0.000", "1.000", "0.000", "9.000", "0.000", "nms_rotated/slow"],
    ]


def test_what_else_took_time_has_its_own_name(run_of, case):
    crashed = replace(case(), seconds={"total": 3.0})
    assert "total      3.000" in render_durations(run_of(crashed), 1, report=0.0)


def test_a_run_without_cases_has_only_its_report(run_of):
    assert render_durations(run_of(), 10, report=1.0).splitlines()[-1].split() == [
        "report",
        "1.000",
        "100",
        "%",
    ]
