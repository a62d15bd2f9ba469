"""The cases that are tried with a fault, their order, and the end of the trial."""

from __future__ import annotations

from dataclasses import replace

import pytest
from mluops_conformance.execution.options import RunOptions
from mluops_conformance.language.load import load
from mluops_conformance.selftest.campaign import attempt, concerned, hunt
from mluops_emulator.faults import FAULTS

CASES = {
    "masked_im2col_forward": """
  - id: large
    dims: {channels: 400, height: 20, width: 20, kernel_h: 1, kernel_w: 1, mask_cnt: 30}
  - id: small
    dims: {channels: 2, height: 5, width: 4, kernel_h: 3, kernel_w: 2}
    matrix: {mask_cnt: [3, 4, 5]}
  - id: wide
    dims: {channels: 2, height: 5, width: 9, kernel_h: 3, kernel_w: 2, mask_cnt: 7}
  - id: tall
    dims: {channels: 2, height: 9, width: 5, kernel_h: 3, kernel_w: 2, mask_cnt: 7}
  - id: more
    dims: {channels: 3, height: 9, width: 7, kernel_h: 3, kernel_w: 2, mask_cnt: 9}
""",
    "rotated_feature_align_backward": """
  - id: other
    dims: {batch: 1, height: 5, width: 6, channels: 4}
""",
}
IN_A_ROW = """\
operator: masked_col2im_forward
cases:
  - id: behind
    dims: {channels: 2, height: 5, width: 4, mask_cnt: 3}
    after:
      windows:
        operator: masked_im2col_forward
        dims: {kernel_h: 1, kernel_w: 1}
        data: {mask_h_idx: {fill: arange}, mask_w_idx: {fill: zeros}}
    data:
      col: {from: windows.data_col}
      mask_h_idx: {from: windows.mask_h_idx}
      mask_w_idx: {from: windows.mask_w_idx}
"""
OPTIONS = RunOptions(backend="emulator")


@pytest.fixture
def cases(tmp_path):
    for operator, entries in CASES.items():
        (tmp_path / f"{operator}.yaml").write_text(f"operator: {operator}\ncases:{entries}", encoding="utf-8")
    return list(load([tmp_path]))


def ids(cases):
    return [case.id.partition("/")[2] for case in cases]


def test_a_fault_of_an_operator_concerns_its_cases_small_ones_first(cases):
    found = concerned(FAULTS["masked_im2col_forward/no-pad"], cases)
    assert ids(found) == [
        "small:mask_cnt=3",
        "small:mask_cnt=4",
        "small:mask_cnt=5",
        "wide",
        "tall",
        "more",
        "large",
    ]


def test_a_fault_of_any_concerns_all_cases(cases):
    assert len(concerned(FAULTS["any/past-output"], cases)) == len(cases)


def test_a_fault_of_the_workspace_concerns_operators_that_have_one(cases):
    assert "other" not in ids(concerned(FAULTS["workspace/small"], cases))


@pytest.fixture
def in_a_row(tmp_path):
    path = tmp_path / "in-a-row.yaml"
    path.write_text(IN_A_ROW, encoding="utf-8")
    return load([path])


def test_a_fault_of_an_operator_concerns_cases_that_call_it_before_their_own(in_a_row):
    assert ids(concerned(FAULTS["masked_im2col_forward/outputs-late"], in_a_row)) == ["behind"]


def test_such_a_case_counts_for_the_operator_of_the_fault(in_a_row):
    trial = hunt(FAULTS["masked_im2col_forward/outputs-late"], in_a_row, OPTIONS)
    assert (trial.executed, trial.is_caught) == ({"masked_im2col_forward": 1}, True)


def test_the_hunt_ends_when_three_entries_have_caught_the_fault(cases):
    trial = hunt(FAULTS["masked_im2col_forward/row-order"], cases, OPTIONS)
    assert [catch.entry.partition("/")[2] for catch in trial.catches] == [*["small"] * 3, "wide", "tall"]
    assert trial.tried == 5


def test_a_fault_of_any_is_hunted_until_every_operator_has_caught_it(cases):
    trial = hunt(FAULTS["any/past-output"], cases, OPTIONS)
    assert [(catch.operator, catch.how) for catch in trial.catches] == [
        ("masked_im2col_forward", "memory"),
        ("rotated_feature_align_backward", "memory"),
    ]


def test_large_cases_are_tried_while_nothing_has_caught_the_fault(cases):
    trial = hunt(FAULTS["masked_im2col_forward/16-bit-index"], cases, OPTIONS)
    assert (trial.tried, trial.catches) == (7, ())


def test_large_cases_are_left_out_once_something_has(cases):
    few = [case for case in cases if case.entry_id.endswith(("/small", "/large"))]
    assert hunt(FAULTS["masked_im2col_forward/row-order"], few, OPTIONS).tried == 3


def test_without_a_fault_every_case_is_tried_and_none_is_caught(cases):
    trial = attempt(cases, OPTIONS)
    assert (trial.fault, trial.tried, trial.catches) == ("", 8, ())


def test_an_operator_whose_cases_catch_nothing_is_missed(cases):
    trial = hunt(FAULTS["masked_im2col_forward/row-order"], cases, OPTIONS)
    uncaught = replace(trial, executed={**trial.executed, "nms_rotated": 4})
    assert (trial.missed, trial.is_caught) == ([], True)
    assert (uncaught.missed, uncaught.is_caught) == (["nms_rotated"], False)


def test_a_case_that_breaks_the_harness_has_caught_the_fault(cases):
    trial = hunt(FAULTS["any/out-of-memory"], cases, OPTIONS)
    assert {catch.how for catch in trial.catches} == {"error"}
    assert "cnrtErrorNoMem" in trial.catches[0].reason
