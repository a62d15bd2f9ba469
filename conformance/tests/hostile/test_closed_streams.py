"""A run whose output cannot be written goes on: its files are whole, and its exit code is the verdict."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from mluops_conformance.results.reader import load_run

pytestmark = pytest.mark.slow

FAILING = """\
operator: nms_rotated
cases:
  - {id: it, dims: {N: 3}, descriptors: {boxes: {dtype: HALF}}}
"""


@pytest.fixture
def here(tmp_path, case_text):
    (tmp_path / "cases.yaml").write_text(case_text, encoding="utf-8")
    return tmp_path


@pytest.fixture
def in_shell(here):
    """Run the command with a redirection of the shell."""

    def call(redirection, *words):
        command = [sys.executable, "-m", "mluops_conformance", *words]
        line = '"$@" ' + redirection
        return subprocess.run(
            ["bash", "-o", "pipefail", "-c", line, "sh", *command],
            cwd=here,
            env={**os.environ, "MLUOPS_BACKEND": "emulator"},
            capture_output=True,
            text=True,
            timeout=240,
        )

    return call


CLOSED = [">&-", "2>&-", "<&- >&- 2>&-", "> /dev/full", "2> /dev/full", "| true", "2>&1 >/dev/null | true"]


@pytest.mark.parametrize(
    ("workers", "redirection"),
    [("0", redirection) for redirection in CLOSED]
    + [("1", redirection) for redirection in ("<&- >&- 2>&-", "> /dev/full", "2>&1 >/dev/null | true")],
)
def test_a_run_whose_output_goes_nowhere_ends_with_its_verdict(in_shell, here, workers, redirection):
    done = in_shell(redirection, "run", "--cases", "cases.yaml", "--out", "r", "-n", workers)
    assert done.returncode == 0
    run = load_run(here / "r")
    assert (run.counts, run.problems) == ({"passed": 3}, ())
    assert (here / "r/junit.xml").read_text(encoding="utf-8").rstrip().endswith("</testsuites>")


@pytest.mark.parametrize("redirection", [">&- 2>&-", "> /dev/full 2>&1", "2>&1 | true"])
def test_a_case_that_fails_unheard_still_fails_the_run(in_shell, here, redirection):
    (here / "failing.yaml").write_text(FAILING, encoding="utf-8")
    done = in_shell(redirection, "run", "--cases", "failing.yaml", "--out", "r", "-n", "0")
    assert done.returncode == 1
    assert load_run(here / "r").counts == {"failed": 1}


def test_an_error_that_nobody_hears_keeps_its_exit_code(in_shell):
    assert in_shell("2>&-", "run", "--cases", "nothing.yaml").returncode == 4
