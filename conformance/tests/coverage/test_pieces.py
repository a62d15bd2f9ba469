"""`lint` names each piece that an operator lacks."""

from __future__ import annotations

import mluops_reference
import pytest
from mluops_conformance.coverage import pieces
from mluops_conformance.language.load import load_cases, select
from mluops_conformance.language.requirements import own_requirements
from mluops_conformance.operators import operator_names
from mluops_conformance.support.files import cases_root

NAME = "box_iou_rotated"


@pytest.fixture
def complete():
    """The cases and the requirements of an operator."""
    return select((), [f"operator={NAME}"]), own_requirements()


def missing(cases, stated):
    return [problem.text for problem in pieces.pieces_missing([NAME], cases, stated)]


def test_no_operator_of_the_project_lacks_a_piece():
    assert (
        list(pieces.pieces_missing(operator_names(), load_cases((cases_root(),)), own_requirements())) == []
    )


def test_requirements_are_missing(complete):
    text = "operator 'box_iou_rotated' has no requirements: write cases/box_iou_rotated/requirements.yaml"
    assert missing(complete[0], {}) == [text]


def test_a_case_that_checks_float32_outputs_is_missing(complete):
    refused = [case for case in complete[0] if case.refused]
    text = "has no float32 case whose outputs are checked: write one with the tag network"
    assert missing(refused, complete[1]) == [f"operator 'box_iou_rotated' {text}"]


def test_a_reference_is_missing(complete, monkeypatch):
    monkeypatch.delattr(mluops_reference, NAME)
    text = "operator 'box_iou_rotated' has no reference: mluops_reference publishes no box_iou_rotated"
    assert missing(*complete) == [text]


def test_files_of_the_project_are_missing(complete, monkeypatch, tmp_path):
    (tmp_path / "pyproject.toml").touch()
    monkeypatch.setattr(pieces, "cases_root", lambda: tmp_path / "cases")
    before = "operator 'box_iou_rotated' has no "
    assert [text.replace(before, "") for text in missing(*complete)] == [
        "known answers: write reference/tests/test_box_iou_rotated.py",
        "wrapper: bindings/mluops/operators/box_iou_rotated.py",
        "emulated kernel: bindings/mluops_emulator/operators/box_iou_rotated.py",
        "planted faults: bindings/mluops_emulator/faults/box_iou_rotated.py",
        "page (python -m mluops_conformance.coverage.page docs/operators): docs/operators/box_iou_rotated.md",
    ]


def test_a_missing_piece_is_told_at_the_definition(complete):
    (problem,) = pieces.pieces_missing([NAME], complete[0], {})
    assert problem.origin.file.endswith("operators/box_iou_rotated.py")
    assert problem.origin.line > 1
