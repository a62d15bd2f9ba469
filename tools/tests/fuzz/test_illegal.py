"""Calls with wrong arguments expect the statuses of every check that they break."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from mluops_conformance.language.load import load
from mluops_conformance.language.model import Case, DescriptorOverride, Origin
from mluops_conformance.operators import operator_names, the_operator
from mluops_tools.fuzz.draw import Space
from mluops_tools.fuzz.illegal import CHANGES, Statuses, expecting, illegal
from mluops_tools.fuzz.pool import Drawing
from mluops_tools.fuzz.text import case_file, entry


@pytest.fixture(scope="module")
def statuses() -> Statuses:
    return Statuses("MLU370")


@pytest.fixture
def of(statuses: Statuses):
    return lambda case: statuses.of(case, the_operator(case.operator))


def test_a_legal_call_breaks_no_check(of, boxes: Case) -> None:
    assert of(boxes) == ()


@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"pointers": frozenset({"handle"})}, ("BAD_PARAM",)),
        ({"pointers": frozenset({"workspace"})}, ("BAD_PARAM",)),
        ({"descriptors": {"boxes": DescriptorOverride(null=True)}}, ("BAD_PARAM",)),
        ({"descriptors": {"boxes": DescriptorOverride(dtype="HALF")}}, ("BAD_PARAM",)),
        ({"descriptors": {"boxes": DescriptorOverride(strides=(6, 1))}}, ("NOT_SUPPORTED",)),
        ({"dims": {"N": 429496730, "box_dim": 5}}, ("NOT_SUPPORTED",)),
        ({"dims": {"N": 0, "box_dim": 5}}, ("SUCCESS",)),
        ({"call": "workspace", "descriptors": {"boxes": DescriptorOverride(null=True)}}, ("BAD_PARAM",)),
    ],
)
def test_a_wrong_argument_has_the_status_of_its_check(of, boxes: Case, changed, expected) -> None:
    assert of(replace(boxes, **changed)) == expected


def test_a_legal_call_is_not_expected_to_be_refused(boxes: Case) -> None:
    assert not Drawing(Space()).is_expected(replace(boxes, statuses=("BAD_PARAM",)))


def test_two_wrong_arguments_have_both_statuses(of, boxes: Case) -> None:
    wrong = replace(
        boxes, pointers=frozenset({"boxes"}), descriptors={"scores": DescriptorOverride(strides=(2,))}
    )
    assert of(wrong) == ("BAD_PARAM", "NOT_SUPPORTED")


def test_the_checks_of_the_emulator_are_as_before(of, boxes: Case, statuses: Statuses) -> None:
    from mluops_emulator import checks

    before = checks.verdict, checks.launch
    of(boxes)
    assert (checks.verdict, checks.launch) == before


def test_a_layout_that_no_check_looks_at_is_computed_as_any_other(statuses: Statuses, boxes: Case) -> None:
    changed = replace(boxes, descriptors={"boxes": DescriptorOverride(layout="NHWC")})
    assert expecting(changed, the_operator("nms_rotated"), statuses) == changed


@pytest.fixture
def regions() -> Case:
    """A legal call of deform_roi_pool_forward."""
    dims = {"batches": 1, "hi": 2, "wi": 2, "channels": 3, "num_rois": 1}
    return Case(
        id="deform_roi_pool_forward/regions",
        operator="deform_roi_pool_forward",
        origin=Origin("test", 1),
        dims={**dims, "pooled_height": 1, "pooled_width": 1},
        params={"spatial_scale": 1.0, "sampling_ratio": 0, "gamma": 0.1},
        dtype="float32",
        absent=frozenset({"offset"}),
    )


def test_a_call_without_elements_succeeds_whatever_its_pointers(statuses: Statuses, regions: Case) -> None:
    empty = regions.but(dims={**regions.dims, "hi": 0}, pointers=frozenset({"input"}))
    expected = expecting(empty, the_operator(regions.operator), statuses)
    assert (expected.statuses, expected.compare, expected.mode) == (("SUCCESS",), False, "check")


@pytest.mark.parametrize(("dim", "status"), [("channels", "BAD_PARAM"), ("hi", "SUCCESS")])
def test_a_size_of_0_alone_has_the_status_of_the_first_check(
    statuses: Statuses, regions: Case, dim: str, status: str
) -> None:
    """Two checks of deform_roi_pool_forward look for outputs without elements."""
    empty = regions.but(dims={**regions.dims, dim: 0})
    assert expecting(empty, the_operator(regions.operator), statuses).statuses == (status,)


def test_null_for_a_tensor_with_elements_may_be_refused_all_the_same(
    statuses: Statuses, regions: Case
) -> None:
    """The checks look at the pair of offset and its descriptor before they look at the map."""
    given = regions.but(dims={**regions.dims, "hi": 0}, absent=frozenset(), pointers=frozenset({"offset"}))
    expected = expecting(given, the_operator(regions.operator), statuses)
    assert expected.statuses == ("BAD_PARAM", "SUCCESS")


def test_a_wrong_argument_beside_no_elements_may_be_refused(statuses: Statuses, regions: Case) -> None:
    wrong = {"rois": DescriptorOverride(dtype="INT32")}
    empty = regions.but(dims={**regions.dims, "hi": 0}, descriptors=wrong)
    expected = expecting(empty, the_operator(regions.operator), statuses)
    assert expected.statuses == ("BAD_PARAM", "SUCCESS")


def test_pointers_of_tensors_without_elements_are_null_now_and_then(statuses: Statuses) -> None:
    operator, space = the_operator("deform_roi_pool_forward"), Space(most_bytes=1 << 12)
    drawn = [
        illegal(operator, "float32", f"call-{number}", random.Random(number), space, statuses)
        for number in range(300)
    ]
    assert any(case.pointers == {"input"} and not case.compare for case in drawn)


def test_a_tensor_is_left_out_with_its_descriptor_now_and_then(statuses: Statuses) -> None:
    operator, space = the_operator("deform_roi_pool_backward"), Space(most_bytes=1 << 12)
    drawn = [
        illegal(operator, "float32", f"call-{number}", random.Random(number), space, statuses)
        for number in range(300)
    ]
    left_out = {"offset": DescriptorOverride(null=True)}
    (found, *_) = [case for case in drawn if case.pointers == {"offset"} and case.descriptors == left_out]
    assert found.statuses == ("BAD_PARAM",)


def test_a_rank_is_wrong_alone_now_and_then(statuses: Statuses) -> None:
    """The first and the last dimension stay: each may have a check of its own."""
    operator, space = the_operator("nms_rotated"), Space(most_bytes=1 << 12)
    drawn = [
        illegal(operator, "float32", f"call-{number}", random.Random(number), space, statuses)
        for number in range(300)
    ]
    shapes = [(case.dims, case.descriptors["boxes"].shape) for case in drawn if "boxes" in case.descriptors]
    assert any(shape == (dims["N"], 1, dims["box_dim"]) for dims, shape in shapes)


@pytest.mark.parametrize("argument", ["handle", "workspace_size"])
def test_queries_get_null_for_their_own_arguments(statuses: Statuses, argument: str) -> None:
    operator, space = the_operator("masked_col2im_forward"), Space(most_bytes=1 << 12)
    drawn = [
        illegal(operator, "float32", f"call-{number}", random.Random(number), space, statuses)
        for number in range(150)
    ]
    queries = [case for case in drawn if case.call == "workspace"]
    assert any(case.pointers == {argument} and case.statuses == ("BAD_PARAM",) for case in queries)


def test_nothing_is_expected_of_a_tensor_that_no_descriptor_can_have(statuses: Statuses, boxes: Case) -> None:
    changed = replace(boxes, descriptors={"boxes": DescriptorOverride(shape=(2**31 - 1, 2**31 - 1, 3))})
    assert expecting(changed, the_operator("nms_rotated"), statuses) is None


def test_a_shape_that_no_check_looks_at_expects_nothing(statuses: Statuses) -> None:
    operator = the_operator("roiaware_pool3d_backward")
    case = Case(
        id="roiaware_pool3d_backward/points",
        operator=operator.name,
        origin=Origin("test", 1),
        dims={dim.name: 2 for dim in operator.dims},
        params={"pool_method": 0},
        dtype="float32",
        descriptors={"grad_in": DescriptorOverride(shape=(3, 2))},
    )
    assert expecting(case, operator, statuses) is None


@pytest.mark.parametrize("operator", operator_names())
def test_a_case_file_holds_every_illegal_call(operator: str, statuses: Statuses, tmp_path) -> None:
    definition, space = the_operator(operator), Space(most_bytes=1 << 14)
    cases = [
        illegal(definition, definition.dtypes[0], f"call-{number}", random.Random(number), space, statuses)
        for number in range(30)
    ]
    file = tmp_path / "found.yaml"
    file.write_text(case_file(definition, map(entry, cases)))
    assert load([file]) == cases


def test_a_tensor_with_2_31_elements_is_refused_and_a_smaller_one_is_not(statuses: Statuses) -> None:
    operator = the_operator("nms_rotated")
    cases = [
        illegal(operator, "float32", "call", random.Random(number), Space(most_bytes=1 << 14), statuses)
        for number in range(600)
    ]
    sizes = {case.dims["N"] * case.dims["box_dim"] for case in cases}
    assert {size >= 2**31 for size in sizes if 2**31 - 20 < size < 2**31 + 20} == {True, False}


def test_no_scalar_asks_for_endless_work_of_a_library_that_misses_another_mistake(statuses: Statuses) -> None:
    """No check refuses 2^31 - 1 samples of a bin."""
    operator, space = the_operator("deform_roi_pool_forward"), Space(most_bytes=1 << 12)
    drawn = [
        illegal(operator, "float32", f"call-{number}", random.Random(number), space, statuses)
        for number in range(250)
    ]
    assert max(case.params["sampling_ratio"] for case in drawn) < 2**15
    assert any(case.params.get("pooled_height", 1) < 0 for case in drawn)


def test_a_scale_that_is_not_positive_must_be_refused(statuses: Statuses) -> None:
    operator, space = the_operator("rotated_feature_align_forward"), Space(most_bytes=1 << 12)
    drawn = [
        illegal(operator, "float32", f"call-{number}", random.Random(number), space, statuses)
        for number in range(150)
    ]
    wrong = [case for case in drawn if case.params["spatial_scale"] <= 0]
    assert wrong
    assert all("BAD_PARAM" in case.statuses for case in wrong)


def test_a_tensor_that_lost_its_elements_gets_no_other_size(boxes: Case) -> None:
    """Two changes may meet in one call."""
    empty = boxes.but(dims={"N": 7, "box_dim": 0})
    (product,) = [change for change in CHANGES if change.__name__ == "_product"]
    drawn = [product(the_operator("nms_rotated"), empty, random.Random(number)) for number in range(20)]
    assert {case.dims["box_dim"] for case in drawn} == {0}
