"""Random legal cases: small, repeatable, and of every part of an operator's definition."""

from __future__ import annotations

import random
from math import prod
from pathlib import Path

import pytest
from mluops_conformance.execution.inputs import fill_inputs
from mluops_conformance.language.dump import to_yaml
from mluops_conformance.language.load import load
from mluops_conformance.operators import operator_names, the_operator
from mluops_conformance.operators.base import shape_of
from mluops_tools.fuzz.draw import Space, drawn_dims, nbytes, ordinary, special
from mluops_tools.fuzz.illegal import Statuses, illegal

NUMBERS = range(25)


def drawn(operator: str, draw=ordinary, most_bytes: int = 1 << 14) -> list:
    definition = the_operator(operator)
    return [
        draw(definition, dtype, f"case-{dtype}-{n}", random.Random(n), Space(most_bytes=most_bytes))
        for dtype in definition.dtypes
        for n in NUMBERS
    ]


@pytest.mark.parametrize("draw", [ordinary, special])
@pytest.mark.parametrize("operator", operator_names())
def test_lint_accepts_every_drawn_case(operator: str, draw, tmp_path: Path) -> None:
    for number, case in enumerate(drawn(operator, draw)):
        file = tmp_path / f"{number}.yaml"
        file.write_text(to_yaml(case))
        (again,) = load([file])
        assert to_yaml(again).partition("\n")[2] == to_yaml(case).partition("\n")[2]


@pytest.mark.parametrize("operator", operator_names())
def test_the_inputs_of_every_drawn_case_can_be_made(operator: str) -> None:
    for case in drawn(operator):
        made = fill_inputs(case, the_operator(operator), 0)
        assert set(made) == {tensor.name for tensor in the_operator(operator).inputs} - case.absent


@pytest.mark.parametrize("operator", operator_names())
def test_no_drawn_case_is_larger_than_asked_for(operator: str) -> None:
    cases = drawn(operator, special, 1 << 13)
    assert max(nbytes(case, the_operator(operator)) for case in cases) <= 1 << 13


def test_optional_tensors_are_given_and_left_out() -> None:
    cases = drawn("deform_roi_pool_forward")
    assert {"offset" in case.absent for case in cases} == {True, False}


def test_every_accepted_value_of_a_parameter_is_drawn() -> None:
    assert {case.params["points"] for case in drawn("rotated_feature_align_backward")} == {1, 5}


def test_short_data_are_written_by_hand_as_well() -> None:
    fills = {case.data["rois"].name for case in drawn("deform_roi_pool_forward")}
    assert fills == {"rois", "values"}


def test_special_cases_have_sizes_at_the_limits_of_the_device() -> None:
    cores = Space().device.cores
    sizes = {size for case in drawn("masked_im2col_forward", special) for size in case.dims.values()}
    assert sizes & {cores - 1, cores, cores + 1}


def test_special_cases_limit_the_job_and_repeat_the_call() -> None:
    cases = drawn("rotated_feature_align_forward", special)
    assert {case.clusters for case in cases} >= {None, 0, 1}
    assert {case.mode for case in cases} == {"check", "repeat"}


def test_special_cases_ask_for_the_workspace_alone() -> None:
    assert {case.call for case in drawn("nms_rotated", special)} == {"operator", "workspace"}


def test_ordinary_cases_are_calls_of_the_operator_without_a_job_limit() -> None:
    cases = drawn("nms_rotated")
    assert {(case.call, case.clusters, case.mode) for case in cases} == {("operator", None, "check")}


def special_values(operator: str) -> set[str]:
    """The special values in drawn data."""
    fills = [spec for case in drawn(operator, special) for spec in case.data.values()]
    return {value for spec in fills if spec.name == "special" for value in spec.options["values"]}


def test_data_have_nan_infinity_and_both_zeros() -> None:
    assert special_values("masked_im2col_forward") >= {"nan", "inf", "-inf", "zero", "-zero"}


def test_samples_weigh_no_infinity() -> None:
    """Infinity times a weight within rounding of 0 is undecided."""
    assert special_values("rotated_feature_align_forward") == {
        "nan", "zero", "-zero", "denormal", "-denormal",
    }  # fmt: skip


def test_some_boxes_are_equal() -> None:
    operator = the_operator("nms_rotated")
    cases = [ordinary(operator, "float32", f"case-{n}", random.Random(n), Space()) for n in range(100)]
    assert 0.0 in {case.data["boxes"].options.get("spread") for case in cases}


def test_all_sizes_are_the_same_now_and_then() -> None:
    sizes = [drawn_dims(the_operator("roiaware_pool3d_forward"), random.Random(n)) for n in range(30)]
    assert any(len(set(dims.values())) == 1 for dims in sizes)


def test_illegal_calls_name_tensors_of_about_65536_elements() -> None:
    statuses, operator = Statuses("MLU370"), the_operator("rotated_feature_align_forward")
    cases = [
        illegal(operator, "float32", f"case-{n}", random.Random(n), Space(), statuses) for n in range(120)
    ]
    elements = [prod(shape_of(operator.tensor("input"), case.dims)) for case in cases]
    assert any(abs(count - 2**16) <= 2**11 for count in elements)
