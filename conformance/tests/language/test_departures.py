"""The arguments that a case changes, in words."""

from __future__ import annotations

import pytest
from mluops_conformance.language.dump import departures
from mluops_conformance.language.model import Case, DescriptorOverride, Origin


def case(**more):
    dims, params = {"N": 3, "box_dim": 5}, {"iou_threshold": 0.5}
    return Case("nms_rotated/it", "nms_rotated", Origin("c.yaml", 1), dims, params, "float32", **more)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({}, ("N 3, box_dim 5, iou_threshold 0.5",)),
        (
            {"descriptors": {"boxes": DescriptorOverride(strides=(6, 1))}},
            ("descriptor of `boxes`: strides: [6, 1]",),
        ),
        (
            {"descriptors": {"boxes": DescriptorOverride(dtype="HALF", shape=(3, 4))}},
            ("descriptor of `boxes`: dtype: HALF, shape: [3, 4]",),
        ),
        ({"descriptors": {"boxes": DescriptorOverride(null=True)}}, ("descriptor of `boxes`: NULL",)),
        ({"pointers": frozenset({"scores", "boxes"})}, ("`boxes`: pointer NULL", "`scores`: pointer NULL")),
        ({"absent": frozenset({"offset"})}, ("`offset`: descriptor and pointer NULL",)),
        ({"clusters": 0}, ("clusters: 0",)),
    ],
)
def test_what_a_case_changes(more, words):
    assert departures(case(**more)) == words


def test_a_scalar_that_is_not_as_the_shapes_are():
    changed = Case(
        "op/it",
        "op",
        Origin("c.yaml", 1),
        {"kernel_h": 3},
        {"kernel_h": 0},
        "float32",
        statuses=("BAD_PARAM",),
    )
    assert departures(changed) == ("kernel_h: 0, where the shapes have 3",)
