"""`mluops-conformance coverage`, and what `lint` says of requirements."""

from __future__ import annotations

import pytest

CHECKS = """\
operator: masked_im2col_forward
cases:
  - id: tiny
    dims: {channels: 2, height: 5, width: 4, kernel_h: 3, kernel_w: 2, mask_cnt: 7}
    checks: [masked_im2col_forward/1.1/layouts]
"""


def test_every_requirement_of_the_built_in_cases_has_a_case_or_a_reason(command):
    done = command("coverage")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-1].endswith("each has a case or a reason")


def test_a_requirement_that_no_case_checks_is_named_and_the_exit_code_is_1(command, cases):
    done = command("coverage", "--cases", "cases.yaml")
    assert done.returncode == 1
    assert "without a case or a reason: masked_im2col_forward/1.1/" in done.stdout.splitlines()[-1]


def test_the_outcomes_of_a_run_stand_in_a_column_of_their_own(command, cases):
    command("run", "--cases", "cases.yaml", "--out", "r")
    done = command("coverage", "--cases", "cases.yaml", "--run", "r")
    assert "last outcome" in done.stdout
    refused = "mluOpMaskedIm2colForward v0.8.0 BAD_PARAM 1 1 passed"
    assert refused in [" ".join(line.split()) for line in done.stdout.splitlines()]


def test_a_folder_without_a_run_says_so(command, cases):
    done = command("coverage", "--cases", "cases.yaml", "--run", "nowhere")
    assert (done.returncode, done.stdout) == (4, "")
    assert "nowhere/results.jsonl: no run is stored here" in done.stderr


def test_its_help_says_when_the_exit_code_is_1(command):
    done = command("coverage", "--help")
    assert done.stdout.startswith("usage: mluops-conformance coverage")
    assert "The exit code is 1 if a statement has no case, and no reason" in done.stdout


def test_lint_knows_what_can_be_checked(command, tmp_path):
    (tmp_path / "cases.yaml").write_text(CHECKS)
    done = command("lint", "cases.yaml")
    assert done.returncode == 4
    assert (
        "cases.yaml:5:14: checks 'masked_im2col_forward/1.1/layouts', which no requirements file has"
        in done.stderr
    )


@pytest.mark.parametrize("status", ["tested", "contradicted, library: It does not."])
def test_lint_of_a_folder_wants_a_case_for_each_tested_requirement_in_it(command, tmp_path, cases, status):
    (tmp_path / "requirements.yaml").write_text(
        "operator: masked_im2col_forward\ndocument: The document\nrequirements:\n"
        f"  - {{id: masked_im2col_forward/9/a, section: '9', text: It holds., status: {status}}}\n"
    )
    assert ("requirements.yaml:4:5: no case checks" in command("lint", ".").stderr) == (status == "tested")
