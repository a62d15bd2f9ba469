"""A case that takes its process with it, hangs or needs an exabyte has its outcome, and all others run."""

from __future__ import annotations

import json
import signal
from collections import Counter
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest

pytestmark = pytest.mark.slow

FINE = """\
operator: roiaware_pool3d_backward
cases:
  - id: fine
    dims: {boxes_num: 1, out_x: 2, out_y: 3, out_z: 4, channels: 5, max_pts_each_voxel: 6}
    params: {pool_method: 1}
    matrix: {pts_num: [%s]}
"""
HANGS = """\
operator: deform_roi_pool_forward
cases:
  - id: hangs
    timeout: 2
    dims: {batches: 1, hi: 5, wi: 6, channels: 4, num_rois: 3, pooled_height: 2, pooled_width: 3}
"""
CRASHES = """\
operator: rotated_feature_align_backward
cases:
  - id: crashes
    dims: {batch: 1, height: 5, width: 6, channels: 4}
"""
WANTS_TOO_MUCH = """\
operator: nms_rotated
cases:
  - id: needs-an-exabyte
    dims: {N: 6}
"""
FAULTS = ("rotated_feature_align_backward/segfault", "deform_roi_pool_forward/hang", "workspace/huge")

ABORTS = """\
operator: masked_im2col_forward
cases:
  - id: aborts
    dims: {channels: 2, height: 5, width: 4, kernel_h: 3, kernel_w: 2, mask_cnt: 7}
"""
EXITS = """\
operator: roiaware_pool3d_backward
cases:
  - id: exits
    dims: {boxes_num: 1, out_x: 2, out_y: 3, out_z: 4, channels: 5, max_pts_each_voxel: 6, pts_num: 7}
    params: {pool_method: 0}
"""


def finished(folder):
    lines = (folder / "results.jsonl").read_text(encoding="utf-8").splitlines()
    return {event["id"]: event for event in map(json.loads, lines) if event["event"] == "finished"}


def ends(folder):
    """Count the ends of each case in a run."""
    lines = (folder / "results.jsonl").read_text(encoding="utf-8").splitlines()
    return Counter(event["id"] for event in map(json.loads, lines) if event["event"] == "finished")


def planted(*names):
    return [word for name in names for word in ("--fault", name)]


@pytest.fixture(scope="module", params=["one worker", "two workers", "resumed by one worker"])
def hundred(request, tmp_path_factory, command_in):
    """A run of 97 cases that are fine and three that are not.

    The third begins without workers, where the case that crashes ends the process, and is resumed.
    """
    folder = tmp_path_factory.mktemp("hundred")
    cases = {
        "fine": FINE % ", ".join(map(str, range(3, 100))),
        "hangs": HANGS,
        "crashes": CRASHES,
        "more": WANTS_TOO_MUCH,
    }
    for name, text in cases.items():
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    workers = {"one worker": "1", "two workers": "2"}.get(request.param, "0")
    done = command_in(folder, "run", "--cases", ".", "--out", "r", "-n", workers, *planted(*FAULTS))
    if workers == "0":
        assert done.returncode == -signal.SIGSEGV
        done = command_in(folder, "run", "--resume", "r", "-n", "1")
    return SimpleNamespace(
        done=done, records=finished(folder / "r"), ends=ends(folder / "r"), junit=folder / "r/junit.xml"
    )


def test_every_case_ends_with_its_outcome(hundred):
    outcomes = Counter(record["outcome"] for record in hundred.records.values())
    assert outcomes == {"passed": 97, "crashed": 1, "timeout": 1, "failed": 1}


def test_such_a_run_fails_without_a_traceback_of_the_harness(hundred):
    assert hundred.done.returncode == 1
    assert "Traceback" not in hundred.done.stdout


def test_a_crash_is_named_by_its_signal(hundred):
    record = hundred.records["rotated_feature_align_backward/crashes"]
    assert (record["outcome"], record["reason"]) == ("crashed", "its process was ended by SIGSEGV")


def test_a_crash_leaves_where_it_happened_with_its_record(hundred):
    log = hundred.records["rotated_feature_align_backward/crashes"]["log"]
    assert log.startswith("Fatal Python error: Segmentation fault")
    assert "in segfault" in log


def test_a_hang_in_native_code_ends_at_the_limit_of_its_case(hundred):
    record = hundred.records["deform_roi_pool_forward/hangs"]
    assert (record["outcome"], record["reason"]) == ("timeout", "no end after 2 s; its process was ended")


def test_a_hang_leaves_where_it_waited_with_its_record(hundred):
    assert "in deadlock" in hundred.records["deform_roi_pool_forward/hangs"]["log"]


def test_a_workspace_that_no_device_has_fails_with_what_was_wanted(hundred):
    record = hundred.records["nms_rotated/needs-an-exabyte"]
    assert (record["outcome"], record["failures"]) == ("failed", ["memory"])
    assert "reported a workspace of 1152921504606846976 bytes, and the device has" in record["reason"]


def test_junit_counts_what_went_wrong_and_stays_well_formed(hundred):
    suites = ElementTree.parse(hundred.junit).getroot()
    assert [suites.get(name) for name in ("tests", "failures", "errors", "skipped")] == ["100", "1", "2", "0"]


def test_no_case_was_executed_twice(hundred):
    assert set(hundred.ends.values()) == {1}


def test_every_record_and_the_notice_name_the_planted_faults(hundred):
    assert all(all(fault in record["device"] for fault in FAULTS) for record in hundred.records.values())
    assert all(fault in hundred.done.stderr for fault in FAULTS)


def test_the_line_that_repeats_a_case_plants_its_faults_again(hundred):
    repro = hundred.records["nms_rotated/needs-an-exabyte"]["repro"]
    assert all(f"--fault {fault}" in repro for fault in FAULTS)


@pytest.mark.parametrize(
    ("text", "fault", "reason"),
    [
        (ABORTS, "masked_im2col_forward/abort", "its process was ended by SIGABRT"),
        (EXITS, "roiaware_pool3d_backward/exit", "its process exited with 7"),
    ],
)
def test_one_worker_is_replaced_when_it_is_gone(command, tmp_path, text, fault, reason):
    (tmp_path / "cases.yaml").write_text(text, encoding="utf-8")
    (tmp_path / "more.yaml").write_text(WANTS_TOO_MUCH, encoding="utf-8")
    done = command("run", "--cases", ".", "--out", "r", "-n", "1", *planted(fault))
    outcomes = {record["outcome"]: record["reason"] for record in finished(tmp_path / "r").values()}
    assert (done.returncode, outcomes) == (1, {"crashed": reason, "passed": ""})


def test_a_device_error_while_copying_back_fails_its_own_case_alone(command, tmp_path):
    refusal = "  - id: refused\n    dims: {N: 6, box_dim: 7}\n    expect: {status: BAD_PARAM}\n"
    (tmp_path / "cases.yaml").write_text(WANTS_TOO_MUCH + refusal, encoding="utf-8")
    command("run", "--cases", ".", "--out", "r", "-n", "0", *planted("any/no-wait"))
    records = finished(tmp_path / "r")
    assert records["nms_rotated/needs-an-exabyte"]["failures"] == ["status"]
    assert records["nms_rotated/refused"]["outcome"] == "passed"


def test_an_unknown_fault_is_refused_with_those_like_it(command, cases):
    done = command("run", "--cases", "cases.yaml", "--fault", "masked_im2col_forward/abbort")
    assert done.returncode == 4
    assert "did you mean masked_im2col_forward/abort" in done.stderr


@pytest.mark.parametrize("words", [("--backend", "device"), ("--library", "libmluops.so")])
def test_a_fault_is_planted_into_nothing_but_the_emulator(command, cases, words):
    done = command("run", "--cases", "cases.yaml", "--fault", "masked_im2col_forward/abort", *words)
    assert done.returncode == 4
    assert "--fault" in done.stderr
