"""Random legal cases: small, repeatable, and of every part of an operator's definition."""

from __future__ import annotations

import math
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

COUNT = 25


def drawn(operator: str, draw=ordinary, most_bytes: int = 1 << 14, count: int = COUNT) -> list:
    definition = the_operator(operator)
    return [
        draw(definition, dtype, f"case-{dtype}-{n}", random.Random(n), Space(most_bytes=most_bytes))
        for dtype in definition.dtypes
        for n in range(count)
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
    assert {case.call for case in drawn("nms_rotated", special, count=100)} == {"operator", "workspace"}


def test_ordinary_cases_are_calls_of_the_operator_without_a_job_limit() -> None:
    cases = drawn("nms_rotated")
    assert {(case.call, case.clusters, case.mode) for case in cases} == {("operator", None, "check")}


def large(operator: str, count: int = 400) -> list:
    """Special cases with all the memory that a search gives them."""
    definition = the_operator(operator)
    return [
        special(definition, definition.dtypes[0], f"case-{n}", random.Random(n), Space())
        for n in range(count)
    ]


def test_a_legal_map_has_more_pixels_than_16_bits_count() -> None:
    cases = large("masked_col2im_forward")
    assert max(case.dims["height"] * case.dims["width"] for case in cases) > 2**16


def test_channels_are_drawn_at_limits_that_move_with_another_size() -> None:
    """A slice of averages is below 65536 channels only beside tens of thousands of slots."""
    operator = the_operator("roiaware_pool3d_backward")
    limit, device = operator.limit("avg_channel_slice"), Space().device
    beyond = [
        case
        for case in large("roiaware_pool3d_backward", 1500)
        if case.params["pool_method"] == 1
        and case.dims["channels"] > limit.of(device, 4, {**case.dims, **case.params})
    ]
    assert beyond


def test_costly_sizes_stay_ordinary() -> None:
    cases = large("nms_rotated")
    assert max(nbytes(case, the_operator("nms_rotated")) for case in cases) <= Space().ordinary_bytes


def test_most_costly_sizes_are_small() -> None:
    sizes = [case.dims["N"] for case in drawn("nms_rotated", count=200)]
    assert sorted(sizes)[len(sizes) // 2] <= 6 < max(sizes)


def test_aligned_boxes_are_as_many_on_both_sides() -> None:
    aligned = [case for case in drawn("box_iou_rotated", special) if case.dims["aligned"]]
    assert aligned
    assert all(case.dims["n"] == case.dims["m"] for case in aligned)


def written(operator: str, tensor: str) -> list[tuple[float, ...]]:
    """The rows of a tensor that cases have in them."""
    specs = [case.data[tensor] for case in large(operator) if tensor in case.data]
    return [row for spec in specs if spec.name == "values" for row in spec.options["values"]]


def test_regions_are_empty_and_reversed_now_and_then() -> None:
    rows = written("deform_roi_pool_forward", "rois")
    assert any(row[1] == row[3] != 0 for row in rows)
    assert any(row[3] < row[1] for row in rows)


def test_boxes_hold_nan_and_infinity_where_there_is_an_answer() -> None:
    numbers = [number for row in written("box_iou_rotated", "bbox1") for number in row]
    assert any(map(math.isnan, numbers))
    assert {math.inf, -math.inf} <= set(numbers)


def test_boxes_are_finite_where_the_documents_demand_it() -> None:
    numbers = [number for row in written("nms_rotated", "boxes") for number in row]
    assert all(map(math.isfinite, numbers))


def test_boxes_have_no_area_now_and_then() -> None:
    sides = {side for row in written("nms_rotated", "boxes") for side in row[2:4]}
    assert {0.0, -1.0} <= sides


def test_special_values_of_scalars_are_drawn() -> None:
    thresholds = [case.params["iou_threshold"] for case in large("nms_rotated")]
    assert any(map(math.isnan, thresholds))
    assert {0.0, 1.0, -1.0, math.inf} <= set(thresholds)


def special_values(operator: str) -> set[str]:
    """The special values in drawn data."""
    fills = [spec for case in drawn(operator, special, count=100) for spec in case.data.values()]
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
