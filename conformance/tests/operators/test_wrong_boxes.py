"""nms_rotated tells which boxes are kept or dropped wrongly, by which box, and why."""

from __future__ import annotations

import numpy as np
import pytest
from mluops_conformance.operators import the_operator
from mluops_conformance.operators.limits import Device

EXAMINE, COMPARE = the_operator("nms_rotated").examine, the_operator("nms_rotated").compare
MLU590 = Device(512 << 10, 8, 4, 2048 << 10)
ROW = [[4, 2, 8, 4, 0], [8, 2, 8, 4, 0], [60, 2, 8, 4, 0]]  # IoU 1/3 of the first two
EQUAL = [
    [46.3560715, 9.5201683, 12.7118998, 6.05664682, -2.68439007],
    [46.3560715, 9.52016735, 12.7118998, 6.05664682, -2.68439007],
]
SLIVERS = [
    [33.8804207, 39.6001205, 172.3302, 0.0260510296, 0.932253301],
    [33.8982391, 39.6678391, 172.3302, 0.0260510296, 0.932253301],
]


def outputs(kept, number, count=None):
    output = np.full(number, 0x7FD37FD3, np.int32)
    output[: len(kept)] = kept
    return {"output": output, "result_num": np.array([len(kept) if count is None else count], np.int32)}


def found(boxes, kept, threshold=0.3, scores=(0.9, 0.8, 0.7), count=None, device=MLU590):
    boxes = np.array(boxes, np.float32)
    inputs = {"boxes": boxes, "scores": np.array(scores[: len(boxes)], np.float32)}
    result = outputs(kept, len(boxes), count)
    return [(f.text, f.cause) for f in EXAMINE(inputs, {"iou_threshold": threshold}, result, device)]


def test_a_box_kept_wrongly_is_named_with_the_box_that_overlaps_it():
    ((text, cause),) = found(ROW, [0, 1, 2])
    assert text.startswith(
        "box 1 is kept wrongly: box 0 overlaps it with an IoU of 0.333333333, 0.0333 above the threshold 0.3"
    )
    assert text.endswith("no float32 hull gets this pair wrong: (4, 2, 8, 4, 0) and (8, 2, 8, 4, 0)")
    assert cause == ""


def test_a_box_dropped_wrongly_is_named_with_its_nearest_rival():
    ((text, cause),) = found(ROW, [0, 2], threshold=0.4)
    assert text.startswith(
        "box 1 is dropped wrongly: of the better boxes that are kept, box 0 overlaps it most, with an IoU of "
        "0.333333333, 0.0667 below the threshold 0.4"
    )
    assert cause == ""


def test_a_box_that_nothing_is_near_is_told_so():
    assert found(ROW, [0], threshold=0.3) == [
        ("box 2 is dropped wrongly: no better box that is kept is near it", "")
    ]


def test_what_follows_from_a_wrong_decision_is_not_told():
    chain = [[4, 2, 8, 4, 0], [8, 2, 8, 4, 0], [12, 2, 8, 4, 0]]
    assert [text[:24] for text, _ in found(chain, [0, 1])] == ["box 1 is kept wrongly: b"]


ON_A_LINE = [
    [250.85994, 649.422119, 17.8146553, 7.7464242, 2.54992557],
    [247.598969, 651.613403, 17.8146553, 7.7464242, 2.54992557],
]


@pytest.mark.parametrize(("boxes", "kept"), [(EQUAL, [0, 1]), (SLIVERS, [0]), (ON_A_LINE, [0, 1])])
def test_the_weakness_of_a_hull_is_the_cause_where_it_gives_the_same_answer(boxes, kept):
    ((text, cause),) = found(boxes, kept)
    assert cause == "float32-hull"
    assert "a float32 hull gets this pair wrong: (" in text


def test_what_nothing_explains_comes_first():
    boxes = [*EQUAL, [200, 200, 8, 4, 0]]
    assert [cause for _, cause in found(boxes, [0, 1])] == ["", "float32-hull"]


def test_a_decision_within_rounding_is_right_either_way():
    assert found(ROW[:2], [0, 1], threshold=1 / 3 - 1e-7) == []
    assert found(ROW[:2], [0], threshold=1 / 3 + 1e-7) == []


def test_an_overlap_that_equals_the_threshold_exactly_keeps_the_box():
    ((text, cause),) = found([[0, 0, 3, 2, 0], [1, 0, 3, 2, 0]], [0], threshold=0.5)
    assert text.startswith("box 1 is dropped wrongly")
    assert cause == ""


@pytest.mark.parametrize(
    ("kept", "count", "text"),
    [
        ([0, 2], 7, "result_num is 7, and there are 3 boxes"),
        ([0, 2], -1, "result_num is -1, and there are 3 boxes"),
        ([0, 3], None, "output names box 3, and there are 3"),
        ([0, 0, 2], None, "box 0 is kept 2 times"),
        ([2, 0], None, "box 2 (score 0.699999988) stands before box 0 (score 0.899999976)"),
    ],
)
def test_what_can_stand_in_no_output_is_told(kept, count, text):
    assert (text, "") in found(ROW, kept, count=count)


@pytest.mark.parametrize("threshold", [-0.5, float("nan"), float("inf")])
def test_thresholds_that_no_iou_is_compared_with_follow_their_rules(threshold):
    right = [0] if threshold < 0 else [0, 1, 2]
    assert found(ROW, right, threshold=threshold) == []
    wrong = [0, 1] if threshold < 0 else [0, 2]
    assert len(found(ROW, wrong, threshold=threshold)) == 1


def test_no_box_of_more_than_sram_holds_is_a_cause_of_its_own():
    small = Device(512 << 10, 8, 4, (128 << 10) + 28 + 2 * 24)
    assert found(ROW, [], device=small) == [("no box of 3 is kept", "scores-left-behind")]
    assert "scores-left-behind" not in [cause for _, cause in found(ROW, [], device=small.limited_to(0))]


def test_outputs_are_compared_as_sets_of_boxes():
    assert COMPARE(outputs([0, 3, 4], 6), outputs([0, 2, 4, 5], 6)) == [
        "2 boxes lost: 2, 5",
        "1 box kept beside: 3",
    ]
    assert COMPARE(outputs([4, 0], 6), outputs([0, 4], 6)) == ["the 2 boxes in common stand in another order"]
    assert COMPARE(outputs([0, 4], 6), outputs([0, 4], 6)) == []
