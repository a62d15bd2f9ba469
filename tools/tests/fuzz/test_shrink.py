"""A failing example becomes as small as its failure allows."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
import pytest
from mluops_conformance.execution.inputs import fill_inputs
from mluops_conformance.language.model import Case, DescriptorOverride, FillSpec
from mluops_conformance.operators import the_operator
from mluops_tools.fuzz.pool import Example
from mluops_tools.fuzz.shrink import shrink


@pytest.fixture
def boxes(boxes: Case) -> Case:
    return replace(
        boxes,
        dims={"N": 40, "box_dim": 5},
        params={"iou_threshold": 0.437},
        data={
            "boxes": FillSpec("rotated_boxes", {"spread": 0.1}),
            "scores": FillSpec("distinct_uniform", {"range": (0, 1)}),
        },
        mode="repeat",
        repeat=3,
        clusters=1,
    )


def shrunk(case: Case, fails) -> Case:
    return shrink(Example(case, "shuffled"), lambda example: fails(example.case), time.monotonic() + 60).case


def test_a_failure_of_every_call_becomes_the_plainest_one(boxes: Case) -> None:
    small = shrink(Example(boxes, "shuffled", 2), lambda example: True, time.monotonic() + 60)
    assert (small.placement, small.queues) == ("aligned", 1)
    assert (small.case.mode, small.case.repeat, small.case.clusters) == ("check", 1, None)
    assert small.case.dims == {"N": 1, "box_dim": 5}
    assert small.case.params == {"iou_threshold": 0.3}


def test_a_size_becomes_the_least_that_fails(boxes: Case) -> None:
    assert shrunk(boxes, lambda case: case.dims["N"] >= 23).dims["N"] == 23


def test_the_call_keeps_what_the_failure_needs(boxes: Case) -> None:
    small = shrunk(boxes, lambda case: case.clusters == 1 and case.params["iou_threshold"] > 0.4)
    assert small.clusters == 1
    assert small.params == {"iou_threshold": 1.0}


def test_one_number_among_many_is_found(boxes: Case) -> None:
    """The failure needs the box with the greatest x, and nothing else of it."""
    greatest = fill_inputs(boxes, the_operator("nms_rotated"), 0)["boxes"][:, 0].max()

    def fails(case: Case) -> bool:
        return float(greatest) in fill_inputs(case, the_operator("nms_rotated"), 0)["boxes"][:, 0]

    small = shrunk(boxes, fails)
    assert small.dims["N"] == 1
    assert small.data["boxes"].options["values"] == ((float(greatest), 0.0, 0.0, 0.0, 0.0),)
    assert len(small.data["scores"].options["values"]) == 1


def test_numbers_become_round(boxes: Case) -> None:
    case = replace(boxes, dims={"N": 1, "box_dim": 5}, data={**boxes.data, "boxes": FillSpec("zeros")})
    case = replace(case, data={**case.data, "scores": FillSpec("values", {"values": (0.734126,)})})

    def fails(case: Case) -> bool:
        (score,) = fill_inputs(case, the_operator("nms_rotated"), 0)["scores"]
        return bool(0.7 < score < 0.8)

    (score,) = shrunk(case, fails).data["scores"].options["values"]
    assert np.float32(score) == np.float32(0.73)


def test_scores_stay_distinct(boxes: Case) -> None:
    small = shrunk(boxes, lambda case: case.dims["N"] >= 3)
    scores = fill_inputs(small, the_operator("nms_rotated"), 0)["scores"]
    assert len(set(scores.tolist())) == 3


def test_only_the_wrong_argument_is_left(boxes: Case) -> None:
    wrong = {"scores": DescriptorOverride(strides=(2,)), "output": DescriptorOverride(dtype="BOOL")}
    case = replace(boxes, data={}, mode="status", repeat=1, descriptors=wrong, statuses=("BAD_PARAM",))
    small = shrunk(case, lambda case: "output" in case.descriptors)
    assert dict(small.descriptors) == {"output": DescriptorOverride(dtype="BOOL")}


def test_nothing_is_tried_after_the_end(boxes: Case) -> None:
    tried = []
    assert shrink(Example(boxes), lambda example: tried.append(example) or True, 0) == Example(boxes)
    assert tried == []
