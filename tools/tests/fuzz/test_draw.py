"""Random cases: legal, small, repeatable, and of every part of an operator's definition."""

from __future__ import annotations

from pathlib import Path

import pytest
from mluops_conformance.engine.plan import elements
from mluops_conformance.execution.inputs import fill_inputs
from mluops_conformance.language.dump import to_yaml
from mluops_conformance.language.load import load
from mluops_conformance.operators import operator_names, the_operator
from mluops_tools.fuzz.draw import draw

NUMBERS = range(40)


def drawn(operator: str, most_elements: int = 1 << 12) -> list:
    definition = the_operator(operator)
    return [draw(definition, dtype, 1, n, most_elements) for dtype in definition.dtypes for n in NUMBERS]


@pytest.mark.parametrize("operator", operator_names())
def test_lint_accepts_every_drawn_case(operator: str, tmp_path: Path) -> None:
    for number, case in enumerate(drawn(operator)):
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
    assert max(elements(case) for case in drawn(operator, 3000)) <= 3000


def test_a_case_follows_from_its_seed_and_number_alone() -> None:
    operator = the_operator("nms_rotated")
    assert draw(operator, "float32", 3, 5) == draw(operator, "float32", 3, 5)
    assert draw(operator, "float32", 3, 5) != draw(operator, "float32", 4, 5)
    assert draw(operator, "float32", 3, 5) != draw(operator, "float32", 3, 6)


def test_optional_tensors_are_given_and_left_out() -> None:
    cases = drawn("deform_roi_pool_forward")
    assert {"offset" in case.absent for case in cases} == {True, False}


def test_every_accepted_value_of_a_parameter_is_drawn() -> None:
    assert {case.params["points"] for case in drawn("rotated_feature_align_backward")} == {1, 5}


def test_short_data_are_written_by_hand_as_well() -> None:
    fills = {case.data["rois"].name for case in drawn("deform_roi_pool_forward")}
    assert fills == {"rois", "values"}
