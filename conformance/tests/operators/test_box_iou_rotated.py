"""box_iou_rotated tells which overlaps are wrong, and which of them a float32 hull gives as well."""

from __future__ import annotations

import numpy as np
from mluops_conformance.operators import the_operator
from mluops_conformance.operators.limits import Device

EXAMINE = the_operator("box_iou_rotated").examine
MLU590 = Device(512 << 10, 8, 4, 2048 << 10)
HALF_WIDTH = ([[5, 5, 8, 8, -1.2]], [[5, 5, 4, 8, -1.2]])
CROSSING = ([[0, 0, 16, 4, 0]], [[0, 0, 4, 16, 0]])  # 16 of 112 are shared


def found(first, second, got, mode=0, aligned=1):
    inputs = {"bbox1": np.array(first, np.float32), "bbox2": np.array(second, np.float32)}
    outputs = {"ious": np.array(got, np.float32)}
    findings = EXAMINE(inputs, {"mode": mode, "aligned": aligned}, outputs, MLU590)
    return [(finding.text, finding.cause) for finding in findings]


def test_a_wrong_overlap_of_ordinary_boxes_is_no_hulls():
    ((text, cause),) = found(*CROSSING, [0.25])
    assert cause == ""
    assert text == (
        "overlap 0 is 0.25 and not 0.142857143: no float32 hull gets this pair wrong: "
        "(0, 0, 16, 4, 0) and (0, 0, 4, 16, 0)"
    )


def test_the_value_of_a_hull_is_told_as_such():
    ((text, cause),) = found(*HALF_WIDTH, [0.26315787])
    assert cause == "float32-hull"
    assert text.startswith(
        "overlap 0 is 0.263157874 and not 0.5: a float32 hull gets this pair wrong: (5, 5, 8, 8,"
    )


def test_another_value_of_the_same_pair_is_not():
    ((_, cause),) = found(*HALF_WIDTH, [0.9])
    assert cause == ""


def test_over_the_first_box_a_hull_gives_another_value():
    shared = 0.26315787 * (64 + 32) / (1 + 0.26315787)
    ((_, cause),) = found(*HALF_WIDTH, [shared / 64], mode=1)
    assert cause == "float32-hull"
    ((_, cause),) = found(*HALF_WIDTH, [0.26315787], mode=1)
    assert cause == ""


def test_a_value_that_one_rounding_of_thousands_gives_is_told_as_well():
    turned = ([[5, 5, 8, 8, -1.2]], [[5, 5, 8, 8, 1.9415927]])
    ((_, cause),) = found(*turned, [0.74162453])
    assert cause == "float32-hull"


def test_an_overlap_of_every_pair_is_named_by_its_place():
    first, second = CROSSING[0] * 2, CROSSING[1] * 3
    right = np.full((2, 3), 1 / 7)
    right[1, 2] = 0.5
    ((text, _),) = found(first, second, right, aligned=0)
    assert text.startswith("overlap 5 is 0.5 and not")


def test_after_twenty_unexplained_overlaps_the_others_are_counted():
    told = found(CROSSING[0] * 100, CROSSING[1] * 100, [0.5] * 100)
    assert told[-1] == ("36 more overlaps are off", "")


def test_where_all_are_off_by_little_that_is_said():
    assert found(*CROSSING, [1 / 7 + 5e-5]) == [
        ("no overlap is off by more than 0.0001, but all together are too far off", "")
    ]
