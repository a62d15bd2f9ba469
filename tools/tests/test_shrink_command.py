"""`shrink` prints the smallest case that still fails, as a case file."""

from __future__ import annotations

from pathlib import Path

import pytest
from mluops_conformance import exit_codes
from mluops_conformance.language.load import load

CASES = """\
operator: nms_rotated
cases:
  - {id: many, dims: {N: 30}}
  - {id: others, dims: {N: 40}}
"""
FAULT = ("--fault", "nms_rotated/last-block")


@pytest.fixture
def cases(tmp_path: Path) -> Path:
    file = tmp_path / "cases.yaml"
    file.write_text(CASES)
    return file


@pytest.mark.slow
def test_the_smallest_case_is_a_case_file_that_fails(command, cases: Path, tmp_path: Path) -> None:
    small = tmp_path / "small.yaml"
    words = ["shrink", "nms_rotated/many", "--cases", cases, *FAULT, "--seconds", 5, "--out", small]
    assert command(*words)[0] == exit_codes.FAILED
    (case,) = load([small])
    assert case.dims == {"N": 1, "box_dim": 5}
    run = ["run", "--cases", small, *FAULT, "-n", 0, "--out", tmp_path / "run"]
    assert command(*run)[0] == exit_codes.FAILED


def test_a_case_that_passes_is_left_alone(command, cases: Path) -> None:
    code, lines, _ = command("shrink", "nms_rotated/many", "--cases", cases, "--backend", "emulator")
    assert code == exit_codes.PASSED
    assert lines == ["nms_rotated/many: it passes; nothing to make small"]


def test_a_query_of_several_cases_is_refused(command, cases: Path) -> None:
    code, _, complaint = command("shrink", "nms_rotated", "--cases", cases, "--backend", "emulator")
    assert code == exit_codes.USAGE
    assert "selects 2 cases" in complaint


@pytest.mark.slow
def test_an_artefact_becomes_a_case_with_its_numbers(command, cases: Path, tmp_path: Path) -> None:
    out, small = tmp_path / "run", tmp_path / "small.yaml"
    command("run", "nms_rotated/many", "--cases", cases, *FAULT, "--save", "failed", "-n", 0, "--out", out)
    (artefact,) = (out / "artefacts").glob("*.npz")
    assert command("shrink", artefact, *FAULT, "--seconds", 5, "--out", small)[0] == exit_codes.FAILED
    (case,) = load([small])
    assert case.dims["N"] == 1
    assert {spec.name for spec in case.data.values()} <= {"values", "constant", "zeros"}
