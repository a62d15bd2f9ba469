"""Cases that mean nothing on a backend, and the reason."""

from __future__ import annotations

import json
from dataclasses import replace

import mluops
import pytest
from mluops_conformance.execution.session import obstacle, why_left_out


@pytest.mark.parametrize(
    ("change", "outcome", "reason"),
    [
        ({"requires": frozenset({"device"})}, "skipped", "only means something on a device"),
        ({"series": frozenset({"MLU590"})}, "unsupported", "for MLU590; this is MLU370"),
        ({"library": ">=2.0"}, "unsupported", "for libmluops >=2.0; this is 1.11.1"),
        ({"clusters": 9}, "unsupported", "for 9 clusters; this device has 8"),
    ],
)
def test_the_reason_is_told(session, case_of, change, outcome, reason):
    found = obstacle(replace(case_of("nms_rotated", "dims: {N: 2}"), **change), session.backend)
    assert found is not None
    assert found[0] == outcome
    assert reason in found[1]


def test_times_are_measured_on_a_device_alone(session, case_of):
    case = case_of("nms_rotated", "dims: {N: 2}")
    emulated = ("skipped", "only a device has times; this run is emulated")
    assert obstacle(case, session.backend, "perf") == emulated
    assert obstacle(replace(case, mode="perf"), session.backend) == emulated


@pytest.mark.parametrize("change", [{"statuses": ("BAD_PARAM",)}, {"call": "workspace"}, {"compare": False}])
def test_what_computes_nothing_has_no_time(session, case_of, change):
    case = replace(case_of("nms_rotated", "dims: {N: 2}"), **change)
    assert obstacle(case, session.backend) is None
    assert obstacle(case, session.backend, "perf") == (
        "skipped",
        "it computes nothing, so there is no time to measure",
    )


def test_a_case_without_conditions_is_executed(session, case_of):
    assert obstacle(case_of("nms_rotated", "dims: {N: 2}"), session.backend) is None


def test_a_library_without_the_operator_is_unsupported_and_says_since_when(session, case_of):
    old = replace(session.backend, library=mluops.load("emulator", version=(0, 7, 0)))
    outcome, reason = obstacle(case_of("masked_im2col_forward", IM2COL), old)
    assert outcome == "unsupported"
    assert "which came with v0.8.0" in reason


IM2COL = "dims: {channels: 2, height: 5, width: 4, kernel_h: 3, kernel_w: 2, mask_cnt: 7}"


def test_a_case_that_no_memory_holds_is_skipped_with_the_figures(session, case_of):
    fields = "dims: {batch: 1, height: 20000, width: 20000, channels: 5}"
    outcome, reason = obstacle(case_of("rotated_feature_align_backward", fields), session.backend)
    assert outcome == "skipped"
    assert "GB of host memory" in reason


@pytest.mark.parametrize(
    ("functions", "reason"),
    [
        (("mluOpAbs", "mluOpAbs_v2"), ""),
        (("mluOpDiv",), "left out of the library for the CPU: it needs a fast exponential (div.mlu:7)"),
        (("mluOpLog",), "mluOpLog was not selected when the library for the CPU was built"),
    ],
)
def test_a_library_for_the_cpu_tells_why_it_lacks_functions(tmp_path, functions, reason):
    left_out = {"functions": ["mluOpDiv"], "reason": "it needs a fast exponential", "place": "div.mlu:7"}
    stored = {"folders": {"abs": ["mluOpAbs"]}, "left_out": [left_out]}
    (tmp_path / "mluops-cpu.json").write_text(json.dumps(stored))
    assert why_left_out(str(tmp_path / "libmluops.so"), functions) == reason
