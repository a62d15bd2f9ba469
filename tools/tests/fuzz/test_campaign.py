"""Random cases find a planted fault, and are told with the smallest case that shows it."""

from __future__ import annotations

import pytest
from mluops_conformance import cli, exit_codes
from mluops_conformance.execution import session

FAULT = "roiaware_pool3d_backward/not-shared"


def test_a_correct_library_has_no_failure(command) -> None:
    _, lines, _ = command(
        "fuzz", "masked_im2col_forward", "-n", 15, "--most-elements", 2000, "--backend", "emulator"
    )
    assert "failed" not in lines[-3]
    assert "error" not in lines[-3]


@pytest.fixture
def found(command, tmp_path):
    return command(
        "fuzz", "roiaware_pool3d_backward", "--dtype", "float32", "-n", 15, "--most-elements", 2000,
        "--fault", FAULT, "--seed", 3, "--out", tmp_path / "found",
    )  # fmt: skip


def test_a_planted_fault_is_found_and_the_exit_code_says_so(found) -> None:
    code, lines, _ = found
    assert code == exit_codes.FAILED
    assert any(line.startswith("roiaware_pool3d_backward float32: ") for line in lines)


def test_the_file_of_what_was_found_fails_again(found, command, tmp_path) -> None:
    file = tmp_path / "found" / "roiaware_pool3d_backward.yaml"
    words = ["run", "--cases", file, "--out", tmp_path / "run", "-n", 0, "--fault", FAULT]
    assert command("lint", file)[0] == exit_codes.PASSED
    assert command(*words)[0] == exit_codes.FAILED


def test_a_found_case_has_the_same_data_in_a_run_without_a_seed(found, monkeypatch) -> None:
    _, lines, _ = found
    assert any("id: ordinary-float32-3-" in line for line in lines)
    options = []
    monkeypatch.setattr(session, "Session", lambda given: options.append(given) or 1 / 0)
    assert cli.main(["fuzz", "nms_rotated", "--seed", "3"]) == exit_codes.INTERNAL_ERROR
    assert options[0].seed == 0


def test_an_operator_that_does_not_exist_is_named_with_the_one_that_does(command) -> None:
    code, _, complaint = command("fuzz", "nms_rotate")
    assert code == exit_codes.USAGE
    assert "nms_rotate" in complaint
    assert "nms_rotated" in complaint


def test_a_dtype_that_no_operator_takes_is_refused(command) -> None:
    code, _, complaint = command("fuzz", "nms_rotated", "--dtype", "float16", "--backend", "emulator")
    assert code == exit_codes.USAGE
    assert "float16" in complaint


def test_a_case_that_the_operator_has_no_answer_for_is_no_finding(command) -> None:
    """Aligned boxes must be as many on both sides, which no dimension says."""
    code, lines, _ = command("fuzz", "box_iou_rotated", "-n", 12, "--backend", "emulator")
    assert code == exit_codes.PASSED
    assert lines[0].split() == ["operator", "dtype", "not", "defined", "passed"]
