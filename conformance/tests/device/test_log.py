"""The library logs to stdout: its lines go into records, and never between the lines of a command."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.slow

REFUSED = """
operator: nms_rotated
cases: [{id: half, dims: {N: 6}, descriptors: {boxes: {dtype: HALF}}}]
"""


@pytest.mark.parametrize("workers", ["0", "1"])
def test_the_record_of_an_unexpected_refusal_says_which_check_failed(device, tmp_path, workers):
    done = device.run(tmp_path, "-n", workers, cases={"refused": REFUSED})
    (record,) = done.records.values()
    assert record["outcome"] == "failed"
    assert "[mluOpNmsRotated] Check failed: " in record["log"]


@pytest.mark.parametrize("workers", ["0", "1"])
def test_a_run_prints_no_line_of_the_library(device, tmp_path, workers):
    words = ("nms_rotated tag=refusal N=7 tag!=jobs", "-n", workers)
    done = device.run(tmp_path, *words)
    assert done.code == 0
    assert not [line for line in (done.out + done.err).splitlines() if line.startswith("[standin]")]
    assert "Check failed" not in done.out + done.err


def test_the_doctor_prints_no_line_of_the_library(device, tmp_path):
    done = device.command(tmp_path, "doctor")
    assert done.code == 0
    assert "[standin]" not in done.out + done.err
