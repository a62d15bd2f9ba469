"""A case whose call goes wrong on a device fails alone: the other cases are not affected."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple
from xml.etree import ElementTree

import pytest

pytestmark = pytest.mark.slow

CASES = """\
operator: masked_im2col_forward
defaults:
  dims: {channels: 1, height: 5, width: 4, kernel_h: 1, kernel_w: 1}
cases:
  - id: copy
    matrix: {mask_cnt: [%s]}
  - id: hanging
    timeout: 2
    matrix: {mask_cnt: [%s]}
"""


class Wrong(NamedTuple):
    """The end of a case: its outcome, the failures in the words of the record, the start of its reason."""

    outcome: str
    failures: list[str]
    reason: str


RETURNED = "mluOpMaskedIm2colForward returned"
FAULTS = {
    "underrun": Wrong(
        "failed", ["memory"], "memory of `data_col`: written before its start, at bytes -3 to -1"
    ),
    "overrun": Wrong("failed", ["memory"], "memory of `data_col`: written past its end, at bytes"),
    "workspace-overrun": Wrong("failed", ["memory"], "memory of `workspace`: written past its end, at bytes"),
    "silent": Wrong("failed", ["memory", "values"], "status SUCCESS, but `data_col` was not written at all"),
    "wrong-value": Wrong("failed", ["values"], "data_col: diff3 is"),
    "changed-input": Wrong("failed", ["memory"], "input `feature` was changed by the call"),
    "segfault": Wrong("crashed", [], "its process was ended by SIGSEGV"),
    "segfault-in-kernel": Wrong("crashed", [], "its process was ended by SIGSEGV"),
    "abort": Wrong("crashed", [], "its process was ended by SIGABRT"),
    "abort-in-kernel": Wrong("crashed", [], "its process was ended by SIGABRT"),
    "hang": Wrong("timeout", [], "no end after 2 s; its process was ended"),
    "hang-in-kernel": Wrong("timeout", [], "no end after 2 s; its process was ended"),
    "internal-error": Wrong("failed", ["status"], f"{RETURNED} MLUOP_STATUS_INTERNAL_ERROR (4)"),
    "unheard-of-status": Wrong("failed", ["status"], f"{RETURNED} the unknown status 99"),
}
SIZES = {fault: size for size, fault in enumerate(FAULTS, start=11)}
"""Each fault happens to the case whose output has so many elements."""


def listed(sizes):
    return ", ".join(map(str, sizes))


@pytest.fixture(scope="module")
def run(standin, tmp_path_factory):
    """A run of 40 cases, in some of which the device does what `FAULTS` says."""
    hanging = [SIZES[fault] for fault in FAULTS if fault.startswith("hang")]
    others = [size for size in range(1, 41) if size not in hanging]
    return standin().run(
        tmp_path_factory.mktemp("faults"),
        cases={"copy": CASES % (listed(others), listed(hanging))},
        STANDIN_FAULTS=" ".join(f"{fault}@{size}" for fault, size in SIZES.items()),
    )


def record_of(run, fault):
    (record,) = (entry for id, entry in run.records.items() if id.endswith(f"mask_cnt={SIZES[fault]}"))
    return record


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_has_its_outcome_and_reason(run, fault):
    record, wrong = record_of(run, fault), FAULTS[fault]
    assert (record["outcome"], record["failures"]) == (wrong.outcome, wrong.failures)
    assert record["reason"].startswith(wrong.reason)


@pytest.mark.parametrize(
    ("fault", "place"), [("segfault", "in call"), ("segfault-in-kernel", "in synchronize")]
)
def test_a_crash_leaves_where_it_happened_with_its_record(run, fault, place):
    log = record_of(run, fault)["log"]
    assert "Fatal Python error: Segmentation fault" in log
    assert place in log


@pytest.mark.parametrize(("fault", "place"), [("hang", "in call"), ("hang-in-kernel", "in synchronize")])
def test_a_hang_leaves_where_it_waited_with_its_record(run, fault, place):
    assert place in record_of(run, fault)["log"]


def test_every_other_case_passes(run):
    outcomes = Counter(record["outcome"] for record in run.records.values())
    assert outcomes == {"passed": 26, "failed": 8, "crashed": 4, "timeout": 2}


def test_such_a_run_fails_without_a_traceback_of_the_harness(run):
    assert run.code == 1
    assert "Traceback" not in run.out + run.err


def test_junit_counts_what_went_wrong_and_stays_well_formed(run):
    suites = ElementTree.parse(run.folder / "junit.xml").getroot()
    assert [suites.get(name) for name in ("tests", "failures", "errors", "skipped")] == ["40", "8", "6", "0"]


def test_the_report_says_what_happened_on_which_device(run):
    assert run.out.splitlines()[-1] == (
        "26 passed, 8 failed, 4 crashed, 2 timeouts (on MLU370-X8, libmluops 1.11.1)"
    )
