"""nms_rotated on both devices, through the C interface where not said otherwise."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from mluops import operators
from mluops_emulator.operators.nms_rotated import kernel
from mluops_emulator.operators.overlaps import suppresses
from mluops_emulator.operators.rotated_iou import boxes_of

CASES = json.loads((Path(__file__).parent / "data" / "nms_rotated.json").read_text())

SAME = [[0, 0, 2, 2, 0], [0, 0, 2, 2, 0]]


def kept(handle, boxes, scores, iou_threshold):
    boxes, scores = np.array(boxes, np.float32), np.array(scores, np.float32)
    return operators.nms_rotated(handle, boxes, scores, iou_threshold).tolist()


def run(device, boxes, scores, iou_threshold=0.3, cores=4):
    boxes, scores = np.array(boxes, np.float32), np.array(scores, np.float32)
    workspace = np.empty(boxes.size + len(boxes), np.float32)
    output, result_num = np.full(len(boxes), -7, np.int32), np.empty(1, np.int32)
    kernel(
        boxes, scores, workspace, output, result_num, iou_threshold=iou_threshold, cores=cores, device=device
    )
    return output, result_num[0]


def row_of_boxes(number, gap=3.0):
    """Boxes of size 2 that do not touch, by descending score."""
    boxes = np.zeros((number, 5), np.float32)
    boxes[:, 0], boxes[:, 2:4] = gap * np.arange(number), 2
    return boxes, np.arange(number, 0, -1)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_boxes_kept_by_mmcv_and_by_the_vendors_baseline(handle, case):
    assert kept(handle, case["boxes"], case["scores"], case["iou_threshold"]) == case["kept"]


@pytest.mark.parametrize(
    ("boxes", "iou_threshold", "expected"),
    [
        ([[0, 0, 3, 2, 0], [1, 0, 3, 2, 0]], 0.5, [0, 1]),
        ([[0, 0, 3, 2, 0], [1, 0, 3, 2, 0]], 0.499, [0]),
        ([[0, 0, 2, 2, 0], [2, 0, 2, 2, 0]], 0.0, [0, 1]),
        ([[0, 0, 10, 10, 0], [4, 0, 10, 10, 0], [8, 0, 10, 10, 0]], 0.3, [0, 2]),
    ],
    ids=["equal to the threshold", "above it", "touching", "dropped boxes drop nothing"],
)
def test_overlap_strictly_above_the_threshold_drops(handle, boxes, iou_threshold, expected):
    assert kept(handle, boxes, [0.9, 0.8, 0.7][: len(boxes)], iou_threshold) == expected


@pytest.mark.parametrize(
    ("iou_threshold", "expected"),
    [
        (np.nan, [1, 0]),
        (np.inf, [1, 0]),
        (1.0, [1, 0]),
        (0.99, [1]),
        (-0.0, [1]),
        (-0.1, [1]),
        (-np.inf, [1]),
    ],
)
def test_thresholds_out_of_the_ordinary(handle, iou_threshold, expected):
    assert kept(handle, SAME, [0.3, 0.9], iou_threshold) == expected


@pytest.mark.parametrize("box", [[50, 50, 2, 2, 0], [0, 0, 0, 2, 0]], ids=["far away", "without area"])
def test_a_negative_threshold_drops_every_box_but_the_best(handle, box):
    assert kept(handle, [[0, 0, 2, 2, 0], box], [0.9, 0.3], -1.0) == [0]


@pytest.mark.parametrize("scores", [[0.9, 0.3], [0.3, 0.9]])
def test_boxes_without_area_neither_drop_nor_are_dropped(handle, scores):
    for width in (0, -10):
        boxes = [[0, 0, 4, 4, 0], [0, 0, width, 2, 0]]
        assert sorted(kept(handle, boxes, scores, 0.5)) == [0, 1]


def test_corners_that_barely_reach_into_each_other_overlap(handle):
    """Squares of side 2 on their corners, 2.8 apart; their half diagonals are 1.414."""
    boxes = [[0, 0, 2, 2, np.pi / 4], [2.8, 0, 2, 2, np.pi / 4], [5.65, 0, 2, 2, np.pi / 4]]
    assert kept(handle, boxes, [0.9, 0.8, 0.7], 0.0) == [0, 2]


def test_labels_are_ignored(handle):
    boxes = [[*box, label] for label, box in enumerate(SAME)]
    assert kept(handle, boxes, [0.3, 0.9], 0.5) == [1]


def test_of_equal_scores_the_lower_index_comes_first(handle):
    boxes, _ = row_of_boxes(9)
    assert kept(handle, boxes, [1, 2, 1, 2, 1, 2, 1, 2, 2], 0.5) == [1, 3, 5, 7, 8, 0, 2, 4, 6]


def test_zero_and_negative_scores_count_but_not_minus_infinity_or_nan(handle):
    boxes, _ = row_of_boxes(6)
    assert kept(handle, boxes, [-1, 0, -np.inf, np.nan, 1, -2], 0.5) == [4, 1, 0, 5]


@pytest.mark.parametrize("scores", [[-np.inf] * 2, [np.nan] * 2])
def test_without_a_score_nothing_is_kept(handle, scores):
    assert kept(handle, SAME, scores, 0.5) == []


@pytest.mark.parametrize("field", range(5))
def test_boxes_with_nan_are_kept_and_drop_nothing(handle, field):
    boxes = np.array([[0, 0, 2, 2, 0], [0, 0, 2, 2, 0], [9, 9, 2, 2, 0]], np.float32)
    boxes[0, field] = np.nan
    assert kept(handle, boxes, [0.9, 0.8, 0.7], 0.0) == [0, 1, 2]


@pytest.mark.parametrize("number", [1, 255, 256, 257, 511, 512, 513, 700])
def test_blocks_of_kept_boxes_are_all_written_and_nothing_else(device, number):
    boxes, scores = row_of_boxes(number + 5)
    boxes[number:] = boxes[0]
    output, result_num = run(device, boxes, scores)
    assert result_num == number
    assert output[:number].tolist() == list(range(number))
    assert (output[number:] == -7).all()


@pytest.mark.parametrize("number", range(1, 10))
def test_cores_share_boxes_evenly_or_not(device, number):
    boxes, scores = row_of_boxes(number)
    assert run(device, boxes, scores[::-1])[0].tolist() == list(range(number))[::-1]


def test_one_core_keeps_what_a_cluster_keeps(device, random_boxes):
    rng = np.random.default_rng(9)
    boxes = np.concatenate(
        [rng.uniform(0, 100, (800, 2)), rng.uniform(1, 40, (800, 2)), rng.uniform(-4, 4, (800, 1))], axis=1
    )
    scores = rng.permutation(800)
    alone, together = run(device, boxes, scores, cores=1), run(device, boxes, scores, cores=4)
    assert alone[1] == together[1] < 800
    assert np.array_equal(alone[0], together[0])


def test_looking_ahead_drops_what_one_box_at_a_time_drops(device, random_boxes):
    """Boxes of which most are dropped, against the rule itself with overlaps of all pairs."""
    rng = np.random.default_rng(10)
    boxes = np.concatenate(
        [rng.uniform(0, 30, (300, 2)), rng.uniform(1, 20, (300, 2)), rng.uniform(-4, 4, (300, 1))], axis=1
    )
    scores = rng.permutation(300)
    geometry = boxes_of(boxes.T)
    first, second = np.divmod(np.arange(300 * 300), 300)
    with np.errstate(all="ignore"):
        drops = suppresses(geometry.at(first), geometry.at(second), 0.1).reshape(300, 300)
    left, expected = np.ones(300, bool), []
    for box in np.argsort(-scores):
        if left[box]:
            expected.append(box)
            left &= ~drops[box]
    output, result_num = run(device, boxes, scores, 0.1)
    assert output[:result_num].tolist() == expected


def test_the_workspace_holds_boxes_and_scores(device):
    boxes, scores = row_of_boxes(3)
    workspace = np.full(3 * 5 + 3 + 1, 77, np.float32)
    kernel(
        boxes,
        np.float32(scores),
        workspace[:-1],
        np.empty(3, np.int32),
        np.empty(1, np.int32),
        iou_threshold=0.5,
        cores=4,
        device=device,
    )
    assert workspace[:15].tolist() == boxes.T.ravel().tolist()
    assert workspace[15:].tolist() == [-np.inf] * 3 + [77]
