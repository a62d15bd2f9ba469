"""The facets that cases cover, from cases of a few lines."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from mluops_conformance.coverage.facets import (
    NOT_RUN,
    calls,
    dtypes,
    entries,
    layouts,
    outcomes_of,
    statements,
    values,
)
from mluops_conformance.language.model import Case, DescriptorOverride, Origin, Step
from mluops_conformance.language.requirements import Requirement
from mluops_conformance.operators import the_operator

ORIGIN = Origin("nms.yaml", 1)
NMS = {"nms_rotated": the_operator("nms_rotated")}
REFUSED = {"statuses": ("BAD_PARAM",), "mode": "status"}


@pytest.fixture
def case():
    """Makes a case of nms_rotated, by its id without the operator."""
    plain = Case("", "nms_rotated", ORIGIN, {"N": 3, "box_dim": 5}, {"iou_threshold": 0.5}, "float32")

    def make(name="it", **fields):
        return replace(plain, id=f"nms_rotated/{name}", **fields)

    return make


def requirement(name, status="tested"):
    return Requirement(name, "nms_rotated", "document", "1.1", "It holds.", status, ORIGIN)


def test_a_statement_is_open_without_a_case_and_without_a_reason(case):
    covered = statements(
        [
            requirement("a"),
            requirement("b"),
            requirement("c", "not-testable"),
            requirement("d", "contradicted"),
        ],
        [case(checks=("a", "d"))],
    )
    assert [(entry.requirement.id, len(entry.cases), entry.is_open) for entry in covered] == [
        ("a", 1, False),
        ("b", 0, True),
        ("c", 0, False),
        ("d", 1, False),
    ]


def test_cases_of_one_entry_stand_together(case):
    grouped = entries([case("a:N=1"), case("b"), case("a:N=2")])
    assert {name: len(cases) for name, cases in grouped.items()} == {"a": 2, "b": 1}


def test_a_case_that_the_run_lacks_was_not_run(case):
    assert outcomes_of([case("a"), case("b")], {"nms_rotated/a": "failed"}) == {"failed": 1, NOT_RUN: 1}


def test_calls_go_by_function_and_expected_status(case):
    found = calls([case("a"), case("b", **REFUSED), case("c", call="workspace"), case("d")], NMS)
    assert {key: len(cases) for key, cases in found.items()} == {
        (("mluOpNmsRotated",), "SUCCESS"): 2,
        (("mluOpNmsRotated",), "BAD_PARAM"): 1,
        (("mluOpGetNmsRotatedWorkspaceSize",), "SUCCESS"): 1,
    }


def test_a_case_of_several_calls_counts_under_each_function(case):
    overlaps = Case("", "box_iou_rotated", ORIGIN, {"n": 3, "m": 3, "aligned": 0}, {"mode": 0}, "float32")
    both = {**NMS, "box_iou_rotated": the_operator("box_iou_rotated")}
    found = calls([case(after=(Step("overlaps", overlaps),))], both)
    assert {key: len(cases) for key, cases in found.items()} == {
        (("mluOpBoxIouRotated",), "SUCCESS"): 1,
        (("mluOpNmsRotated",), "SUCCESS"): 1,
    }


def test_dtypes_are_counted_by_mlu_ops_names(case):
    found = dtypes([case()], NMS["nms_rotated"])
    assert (found["boxes"].accepted, found["output"].accepted) == ({"FLOAT": 1}, {"INT32": 1})


def test_a_refused_call_counts_for_the_tensor_whose_dtype_it_changes(case):
    refused = case(descriptors={"boxes": DescriptorOverride(dtype="float16")}, **REFUSED)
    found = dtypes([case(), refused], NMS["nms_rotated"])
    assert (found["boxes"].refused, found["scores"].refused) == ({"HALF": 1}, {})


def test_a_null_descriptor_has_no_layout(case):
    found = layouts([case(descriptors={"boxes": DescriptorOverride(null=True)})], NMS["nms_rotated"])
    assert sorted(found) == ["output", "scores"]


def test_an_accepted_layout_counts_as_it_is_said(case):
    found = layouts([case(descriptors={"boxes": DescriptorOverride(layout="NHWC")})], NMS["nms_rotated"])
    assert found["boxes"].accepted == {"NHWC": 1}


def test_a_value_counts_as_refused_only_where_no_call_with_it_is_accepted(case):
    refused = [case(dims={"N": 3, "box_dim": width}, **REFUSED) for width in (4, 5)]
    found = values([case(params={"iou_threshold": math.nan}), *refused], NMS["nms_rotated"])
    assert (found["box_dim"].accepted, found["box_dim"].refused) == ({5: 1}, {4: 1})
    assert list(map(str, found["iou_threshold"].accepted)) == ["nan"]
