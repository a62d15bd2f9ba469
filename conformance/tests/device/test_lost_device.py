"""A kernel that traps loses its process the device; the cases behind it are not made to pay for that."""

from __future__ import annotations

from collections import Counter

import pytest

pytestmark = pytest.mark.slow

CASES = """\
operator: masked_im2col_forward
defaults:
  dims: {channels: 1, height: 5, width: 4, kernel_h: 1, kernel_w: 1}
cases:
  - id: copy
    matrix: {mask_cnt: [1, 2, 3, 4, 5, 6, 7, 8]}
"""
LOST = "the device is lost to this process: no other case was executed in it"


def outcomes(run):
    return Counter(record["outcome"] for record in run.records.values())


@pytest.fixture(scope="module")
def trapped(standin, tmp_path_factory):
    """A run in which the cases of 6 and 3 elements trap."""
    folder = tmp_path_factory.mktemp("trapped")
    return standin().run(folder, cases={"copy": CASES}, STANDIN_FAULTS="trap@6 trap@3")


def test_the_case_that_trapped_fails_with_what_the_device_said(trapped):
    record = trapped.records["masked_im2col_forward/copy:mask_cnt=6"]
    assert (record["outcome"], record["failures"]) == ("failed", ["status"])
    assert "cnrtQueueSync returned cnrtErrorKernelTrap (100132)" in record["reason"]


def test_its_record_says_that_the_device_was_lost(trapped):
    assert trapped.records["masked_im2col_forward/copy:mask_cnt=3"]["reason"].endswith(LOST)


def test_every_other_case_passes_in_a_new_process(trapped):
    assert (trapped.code, outcomes(trapped)) == (1, {"passed": 6, "failed": 2})


def test_a_process_that_ended_itself_is_not_taken_for_a_crash(trapped):
    finished = [event["id"] for event in trapped.events if event["event"] == "finished"]
    assert sorted(finished) == sorted(set(finished))
    assert "crashed" not in trapped.out


def test_without_workers_the_cases_behind_it_are_skipped_for_that_reason(device, tmp_path):
    done = device.run(tmp_path, "-n", "0", cases={"copy": CASES}, STANDIN_FAULTS="trap@3")
    skipped = {record["reason"] for record in done.records.values() if record["outcome"] == "skipped"}
    assert outcomes(done) == {"passed": 5, "failed": 1, "skipped": 2}
    assert skipped == {
        "masked_im2col_forward/copy:mask_cnt=3 lost the device to this process; -n 1 goes on in a new one"
    }


def test_an_error_after_which_the_device_works_costs_no_other_case(device, tmp_path):
    done = device.run(tmp_path, "-n", "0", cases={"copy": CASES}, STANDIN_FAULTS="execution-failed@3")
    assert outcomes(done) == {"passed": 7, "failed": 1}
    assert LOST not in done.out


def test_a_device_that_stays_away_is_an_error_of_each_case_left(device, tmp_path):
    """Every new process finds no device: that says nothing about the operators, and comes to an end."""
    done = device.run(tmp_path, cases={"copy": CASES}, STANDIN_FAULTS="trap@6", STANDIN_GONE="gone")
    assert outcomes(done) == {"passed": 2, "failed": 1, "error": 5}
    reason = done.records["masked_im2col_forward/copy:mask_cnt=1"]["reason"]
    assert reason.startswith("its process found no device to use: ")
    assert "counts no device" in reason


def test_what_a_device_that_stays_away_leaves_is_not_emulated(device, tmp_path):
    """Without an option, too: the run has begun on a device."""
    home = tmp_path / "neuware/lib64"
    home.mkdir(parents=True)
    (home / "libmluops.so").symlink_to(device.mluops)
    (home / "libcnrt.so").symlink_to(device.cnrt)
    (tmp_path / "copy.yaml").write_text(CASES, encoding="utf-8")
    variables = {"NEUWARE_HOME": str(home.parent), "STANDIN_FAULTS": "trap@6", "STANDIN_GONE": "gone"}
    done = device.plain(tmp_path, "run", "--out", "r", "--cases", "copy.yaml", **variables)
    assert {record["backend"] for record in done.records.values()} == {"device"}
    assert outcomes(done) == {"passed": 2, "failed": 1, "error": 5}
