"""`mluops-conformance selftest`: the matrix of planted faults and the cases that catch them."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.slow

ROW_ORDER = "masked_im2col_forward/row-order"
MISSED = "masked_im2col_forward/16-bit-index"
ABORT = "masked_im2col_forward/abort"


@pytest.fixture
def selftest(command, cases):
    """Try named faults on the cases of `cases`: a right one in two dtypes, and a refusal."""

    def call(*faults, folder=cases.name):
        words = [word for fault in faults for word in ("--fault", fault)]
        return command("selftest", "--cases", folder, "-n", "1", *words)

    return call


def row(done, fault):
    """The row of a fault: its name, how many caught it, of how many, how, and the first of them."""
    (line,) = (line for line in done.stdout.splitlines() if line.startswith(fault))
    return line.split(maxsplit=3)


def test_a_caught_fault_stands_beside_the_cases_and_how_they_caught_it(selftest):
    done = selftest(ROW_ORDER)
    assert row(done, ROW_ORDER)[:3] == [ROW_ORDER, "2", "3"]
    assert row(done, ROW_ORDER)[3].split() == ["values", "masked_im2col_forward/tiny:dtype=float32"]


def test_all_caught_and_no_false_alarm_is_a_pass(selftest):
    done = selftest(ROW_ORDER)
    assert done.returncode == 0
    assert "1 fault: 1 caught, 0 not; 3 cases without a fault: 0 false alarms" in done.stdout


def test_a_fault_that_no_case_catches_fails_the_command(selftest):
    done = selftest(ROW_ORDER, MISSED)
    assert done.returncode == 1
    said = "(indices are read as 16-bit numbers): none of 3 cases of masked_im2col_forward"
    assert f"NOT CAUGHT {MISSED} {said}" in done.stdout


def test_every_operator_has_to_catch_what_concerns_it(selftest, cases):
    other = "operator: nms_rotated\ncases:\n  - id: query\n    call: workspace\n    dims: {N: 3}\n"
    cases.with_name("others.yaml").write_text(other)
    done = selftest("any/last-element", folder=cases.parent)
    assert done.returncode == 1
    assert "none of 1 case of nms_rotated" in done.stdout
    assert "of masked_im2col_forward" not in done.stdout


def test_a_case_that_is_not_good_without_a_fault_catches_none(selftest, cases):
    cases.write_text(cases.read_text().replace("BAD_PARAM", "NOT_SUPPORTED"))
    assert row(selftest(MISSED), MISSED)[1:3] == ["0", "2"]


def test_a_case_that_is_not_good_without_a_fault_fails_the_command(selftest, cases):
    cases.write_text(cases.read_text().replace("BAD_PARAM", "NOT_SUPPORTED"))
    done = selftest(ROW_ORDER)
    assert done.returncode == 1
    assert "FALSE ALARM masked_im2col_forward/refused (status):" in done.stdout


def test_a_fault_that_ends_its_process_is_caught_as_a_crash(selftest):
    done = selftest(ABORT)
    assert row(done, ABORT)[3].split()[0] == "crashed"
    assert done.returncode == 0


def test_only_the_memory_beside_a_buffer_tells_of_a_write_there(selftest):
    assert row(selftest("any/past-output"), "any/past-output")[3].split()[0] == "memory"


def test_the_list_names_every_fault_with_what_it_replaces(command):
    done = command("selftest", "--list")
    listed = [line for line in done.stdout.splitlines() if line.startswith(ROW_ORDER)]
    assert len(done.stdout.splitlines()) > 40
    assert listed[0].split(maxsplit=1)[1].startswith("rows are in the order (i, j, c)")
    assert listed[0].split()[-1] == "operators.masked_im2col_forward.permute_columns"


def test_an_unknown_fault_is_refused_with_those_like_it(selftest):
    done = selftest("masked_im2col_forward/row-oder")
    assert done.returncode == 4
    assert f"did you mean {ROW_ORDER}" in done.stderr


@pytest.mark.parametrize("others", [(), (ROW_ORDER,)])
def test_a_fault_of_an_operator_without_cases_is_refused(selftest, others):
    done = selftest("nms_rotated/upright", *others)
    assert done.returncode == 4
    assert "none of these cases calls what nms_rotated/upright breaks" in done.stderr


def test_a_run_is_refused_in_which_nothing_calls_what_is_broken(command, cases):
    words = ("run", "--cases", cases.name, "-n", "0", "--fault", "nms_rotated/upright")
    done = command(*words)
    assert done.returncode == 4
    assert "--fault: none of the selected cases calls what nms_rotated/upright breaks" in done.stderr
    assert command(*words, "--fault", ROW_ORDER).returncode == 1
