"""nms_rotated."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from mluops_reference import box_iou_rotated, nms_rotated
from mluops_reference.nms_rotated import Decisions

# Cambricon/mlu-ops nms_rotated/test_case/case_0.prototxt: boxes and, last, scores
GTEST_BOXES = [
    [38.036514, 44.058296, 76.07303, 88.11659, -6.082778, 93.81902],
    [91.79959, 55.04429, 62.07001, 58.083786, -1.9476388, 44.75213],
    [27.077477, 35.36132, 36.918552, 8.501514, 2.5079517, 17.714779],
    [59.31596, 91.84213, 89.73799, 53.165974, -3.6281948, 52.33262],
    [87.93831, 90.81037, 82.889084, 10.222817, 2.1459012, 57.311134],
    [76.47139, 47.362793, 48.93106, 51.782955, -5.0691767, 47.4815],
    [94.32543, 49.159447, 77.217674, 87.01473, -1.7076445, 17.443638],
    [83.55798, 86.07876, 64.63593, 42.383194, 5.375663, 83.818504],
    [42.85918, 27.60124, 85.71836, 55.20248, -3.8479629, 1.4785486],
    [48.292194, 99.58641, 74.462814, 6.2464223, -0.5106058, 40.223507],
    [15.989693, 38.46205, 31.979385, 7.350371, 4.036286, 17.336584],
    [44.70762, 42.030655, 30.030104, 84.06131, 4.727026, 52.638794],
    [14.034878, 75.28604, 7.349304, 12.214461, 5.3827934, 52.903885],
    [38.342, 44.98451, 76.684, 31.648478, 3.87105, 82.017784],
    [68.04426, 31.695873, 72.53987, 63.391747, -4.687422, 37.957146],
    [87.36918, 64.858635, 34.32211, 76.04191, 4.796234, 22.873613],
    [53.53455, 69.1399, 98.634674, 4.5031176, 5.449618, 93.20516],
    [13.524315, 52.337536, 13.121555, 86.82013, 3.1243913, 57.55157],
    [79.45964, 91.85791, 53.926464, 69.77701, 0.3243342, 85.826256],
    [42.597267, 65.3315, 85.194534, 52.800785, 1.2795093, 45.09527],
    [30.660233, 69.836815, 61.320465, 8.119286, 4.5211773, 22.513323],
    [14.787077, 53.11216, 2.9864452, 13.29456, -1.9330322, 40.017075],
    [51.67712, 63.561813, 34.999424, 45.733086, 4.966307, 20.55136],
    [64.54196, 17.871546, 55.597996, 11.139291, 2.2407773, 94.58399],
    [46.7669, 23.624908, 93.5338, 47.249817, 1.4499142, 14.596735],
    [62.449074, 29.722784, 84.18112, 59.445568, -1.3116122, 79.96576],
    [73.84168, 93.523766, 62.128246, 72.68578, -5.8764386, 1.2337121],
    [60.57495, 97.966576, 29.935051, 79.36127, -3.0235758, 12.911091],
    [75.45853, 46.085175, 74.69966, 92.17035, 4.8934207, 99.85965],
    [32.861797, 83.14204, 65.723595, 12.535324, -3.2079747, 33.89237],
    [28.737076, 43.103443, 57.47415, 11.039183, -0.9455622, 59.47538],
    [46.953247, 88.81998, 93.906494, 86.6392, -5.0719643, 50.493046],
    [22.771402, 85.64404, 45.542805, 37.615547, -3.2918544, 86.6261],
    [24.015018, 78.99009, 30.517097, 85.87578, 0.04947444, 36.88001],
]
GTEST_KEPT = [28, 23, 16, 32, 18, 30, 17, 4, 12, 9, 21, 20, 2, 10]

# open-mmlab/mmcv tests/test_ops/test_nms_rotated.py:26-103
MMCV_BOXES = [[6, 3, 8, 7, 0.5], [3, 6, 9, 11, 0.6], [3, 7, 10, 12, 0.3], [1, 4, 13, 7, 0.6]]
MMCV_SCORES = [0.7, 0.8, 0.5, 0.9]

SQUARE = [0, 0, 2, 2, 0]


def nms(boxes, scores, threshold):
    return nms_rotated(np.array(boxes, np.float32), np.array(scores, np.float32), threshold)


def kept(boxes, scores, threshold):
    output, result_num, *_ = nms(boxes, scores, threshold)
    return output[:result_num].tolist()


def literal(boxes, scores, threshold):
    """Kept indices and the margin, one comparison after the other."""
    overlaps = box_iou_rotated(boxes, boxes)
    threshold = np.float32(threshold)
    waiting = [i for i in np.argsort(-scores, kind="stable") if scores[i] > -np.inf]
    keep, margin = [], np.inf
    while waiting:
        best, *others = waiting
        keep.append(best)
        margin = min([margin, *(abs(overlaps[best, i] - threshold) for i in others)])
        waiting = [i for i in others if not overlaps[best, i] > threshold]
    return keep, margin


def random_boxes(n, span, seed=1):
    rng = np.random.default_rng(seed)
    sizes = np.exp(rng.uniform(0, 4, (n, 2)))
    boxes = np.column_stack([rng.uniform(0, span, (n, 2)), sizes, rng.uniform(-4, 4, n)])
    return boxes.astype(np.float32), rng.permutation(n).astype(np.float32)


def test_the_gtest_case():
    table = np.array(GTEST_BOXES, np.float32)
    assert kept(table[:, :5], table[:, 5], 0.2) == GTEST_KEPT


def test_the_rest_of_the_output_is_zero():
    table = np.array(GTEST_BOXES, np.float32)
    output, result_num, *_ = nms(table[:, :5], table[:, 5], 0.2)
    assert (output.dtype, output.shape, result_num) == (np.int32, (34,), 14)
    assert not output[14:].any()


def test_the_unit_test_of_mmcv():
    assert kept(MMCV_BOXES, MMCV_SCORES, 0.5) == [3, 1, 0]


def test_labels_are_ignored():
    labelled = [[*box, label] for box, label in zip(MMCV_BOXES, [1, 0, 1, 0])]
    assert kept(labelled, MMCV_SCORES, 0.5) == [3, 1, 0]
    assert kept([[*SQUARE, 0], [*SQUARE, 1]], [0.3, 0.9], 0.5) == [1]


def test_boxes_shifted_apart_by_label():
    boxes = [[27, 24, 8, 7, 0.5], [3, 6, 9, 11, 0.6], [24, 28, 10, 12, 0.3], [1, 4, 13, 7, 0.6]]
    assert kept(boxes, MMCV_SCORES, 0.5) == [3, 1, 0, 2]


@pytest.mark.parametrize(
    ("boxes", "threshold", "expected"),
    [
        ([[0, 0, 3, 2, 0], [1, 0, 3, 2, 0]], 0.5, [0, 1]),  # equal to the threshold
        ([[0, 0, 2, 2, 0], [2, 0, 2, 2, 0]], 0.0, [0, 1]),  # touching
        ([[0, 0, 10, 10, 0], [4, 0, 10, 10, 0], [8, 0, 10, 10, 0]], 0.3, [0, 2]),  # a suppressed one between
        ([[160, 153, 230, 23, -0.6457718], [190, 127, 80, 21, -0.8028515]], 0.2, [0]),
        ([[160, 153, 230, 23, 0.6457718], [190, 127, 80, 21, 0.8028515]], 0.2, [0, 1]),
    ],
)
def test_known_decisions(boxes, threshold, expected):
    # Cambricon/mlu-ops gtest reference; detectron2 #1207, #4961 for the angles
    assert kept(boxes, [0.9, 0.8, 0.7][: len(boxes)], threshold) == expected


def test_equal_scores_keep_the_lower_index_first():
    assert kept([SQUARE] * 4, [0.5, 0.9, 0.5, 0.9], 1.0) == [1, 3, 0, 2]
    assert kept([SQUARE] * 4, [0.5, 0.9, 0.5, 0.9], 0.5) == [1]


def test_zero_and_negative_scores_take_part():
    apart = [[10 * k, 0, 2, 2, 0] for k in range(4)]
    assert kept(apart, [-1.0, 0.0, -5.0, np.inf], 0.5) == [3, 1, 0, 2]


@pytest.mark.parametrize("score", [-np.inf, np.nan])
def test_a_score_of_minus_infinity_or_nan_is_never_kept_and_suppresses_nothing(score):
    assert kept([SQUARE, SQUARE], [score, 0.1], 0.5) == [1]
    assert kept([SQUARE, SQUARE], [score, score], 0.5) == []


@pytest.mark.parametrize("threshold", [np.nan, np.inf, 1.0])
def test_a_threshold_that_nothing_exceeds_keeps_every_box(threshold):
    assert kept([SQUARE, SQUARE], [0.3, 0.9], threshold) == [1, 0]


@pytest.mark.parametrize("threshold", [-0.1, -np.inf])
def test_a_negative_threshold_keeps_the_best_box_only(threshold):
    boxes = [[0, 0, 0, 0, 0], [np.nan, 0, 2, 2, 0], [50, 0, 2, 2, 0]]
    assert kept(boxes, [0.1, 0.2, 0.9], threshold) == [2]


@pytest.mark.parametrize(
    "box", [[0, 0, 0, 2, 0], [0, 0, -2, 2, 0], [np.nan, 0, 2, 2, 0], [0, 0, np.inf, 2, 0]]
)
def test_a_box_without_area_or_not_finite_neither_suppresses_nor_is_suppressed(box):
    assert kept([box, box, SQUARE, SQUARE], [0.9, 0.8, 0.7, 0.6], 0.0) == [0, 1, 2]


def test_the_threshold_is_rounded_to_float32():
    boxes = [[0, 0, 10, 10, 0], [0, 0, 10, 1, 0]]  # an overlap of 0.1; float32(0.1) is above it
    assert box_iou_rotated(*np.array(boxes, np.float64)[:, None])[0, 0] == pytest.approx(0.1, abs=1e-15)
    assert kept(boxes, [0.9, 0.8], 0.1) == [0, 1]
    assert nms(boxes, [0.9, 0.8], 0.1).margin == pytest.approx(1.49e-9, rel=1e-2)


def test_no_boxes():
    output, result_num, margin, _ = nms(np.zeros((0, 5)), [], 0.5)
    assert (output.shape, result_num, margin) == ((0,), 0, np.inf)


@pytest.mark.parametrize(
    ("threshold", "expected"),
    [(0.5, 0.5 - 3 / 7), (0.375, 3 / 7 - 0.375), (0.125, 0.125), (-0.25, 0.25), (np.nan, np.inf)],
)
def test_the_margin_is_the_closest_comparison(threshold, expected):
    # Overlaps are 3/7, and 0 with the third box.
    boxes = [[0, 0, 10, 10, 0], [4, 0, 10, 10, 0], [80, 0, 10, 10, 0]]
    assert nms(boxes, [0.9, 0.8, 0.7], threshold).margin == pytest.approx(expected)


def test_a_suppressed_box_is_not_compared_again():
    boxes = [[0, 0, 10, 10, 0], [0, 0, 10, 10, 0], [0, 0, 10, 6, 0]]
    # 0 suppresses 1 with an overlap of 1, and 2 with 0.6; 1 and 2 never meet anyone else.
    assert nms(boxes, [0.9, 0.8, 0.7], 0.5).margin == pytest.approx(0.1)


@pytest.mark.parametrize("n", [2, 40, 200, 500])
@pytest.mark.parametrize("span", [30, 300, 3000])
@pytest.mark.parametrize("threshold", [0.0, 0.1, 0.3, 0.9])
def test_random_boxes_as_one_comparison_after_the_other(n, span, threshold):
    boxes, scores = random_boxes(n, span)
    output, result_num, margin, _ = nms_rotated(boxes, scores, threshold)
    keep, expected_margin = literal(boxes, scores, threshold)
    assert output[:result_num].tolist() == keep
    assert margin == pytest.approx(expected_margin, rel=1e-9, abs=1e-15)


def test_random_boxes_with_special_ones_among_them():
    boxes, scores = random_boxes(300, 100, seed=2)
    rng = np.random.default_rng(3)
    boxes[rng.integers(0, 300, 20), rng.integers(0, 2, 20)] = np.nan
    boxes[rng.integers(0, 300, 20), rng.integers(2, 4, 20)] = 0
    scores[rng.integers(0, 300, 20)] = -np.inf
    output, result_num, *_ = nms_rotated(boxes, scores, 0.2)
    assert output[:result_num].tolist() == literal(boxes, scores, 0.2)[0]


ALWAYS, NEVER = -1, 1


@pytest.mark.parametrize("crowded", [ALWAYS, NEVER])
@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("suppression._BLOCK", 3),
        ("suppression._WIDTH", 7),
        ("suppression._PAIRS_AT_ONCE", 5),
        ("bucket_grid._PAIRS_AT_ONCE", 50),
    ],
)
def test_blocks_and_pieces_of_any_size_give_the_same(crowded, setting, value, monkeypatch):
    monkeypatch.setattr("mluops_reference.suppression._CROWDED", crowded)
    monkeypatch.setattr(f"mluops_reference.{setting}", value)
    boxes, scores = random_boxes(400, 200, seed=4)
    output, result_num, margin, _ = nms_rotated(boxes, scores, 0.3)
    keep, expected_margin = literal(boxes, scores, 0.3)
    assert output[:result_num].tolist() == keep
    assert margin == pytest.approx(expected_margin, rel=1e-9)


def test_what_is_kept_is_kept_again():
    boxes, scores = random_boxes(2000, 300, seed=5)
    output, result_num, *_ = nms_rotated(boxes, scores, 0.3)
    survivors = output[:result_num]
    again = nms_rotated(boxes[survivors], scores[survivors], 0.3)
    assert again.output.tolist() == list(range(result_num))


def test_kept_boxes_do_not_overlap_by_more_than_the_threshold():
    boxes, scores = random_boxes(2000, 300, seed=6)
    output, result_num, *_ = nms_rotated(boxes, scores, 0.3)
    overlaps = box_iou_rotated(boxes[output[:result_num]], boxes[output[:result_num]])
    assert np.triu(overlaps, 1).max() <= np.float32(0.3)


def test_shapes_that_do_not_fit_are_refused():
    for boxes, scores in (
        (np.zeros((4, 7)), np.zeros(4)),
        (np.zeros((4, 5)), np.zeros(3)),
        (np.zeros(5), [1]),
    ):
        with pytest.raises(ValueError, match="boxes must be"):
            nms(boxes, scores, 0.5)


@pytest.mark.parametrize("moved", [[], [3], [0, 7, 40], range(60)])
def test_decisions_of_earlier_calls_change_no_answer(moved):
    boxes, scores = random_boxes(60, span=6)
    decisions = Decisions()
    nms_rotated(boxes, scores, 0.3, decisions=decisions)
    boxes[list(moved), 0] += 0.25
    again, alone = nms_rotated(boxes, scores, 0.3, decisions=decisions), nms_rotated(boxes, scores, 0.3)
    assert (again.output == alone.output).all()
    assert (again.uncertain == alone.uncertain).all()


def test_decisions_are_those_of_a_threshold():
    boxes = np.float32([SQUARE, [0.5, 0.3, 2, 2, 0.3]])
    overlap = float(box_iou_rotated(boxes[:1], boxes[1:], mode=0, aligned=True)[0])
    decisions = Decisions()
    for threshold, uncertain in ((overlap - 0.2, 0), (overlap, 1), (overlap + 0.2, 0)):
        found = nms_rotated(boxes, np.float32([2, 1]), threshold, decisions=decisions)
        assert len(found.uncertain) == uncertain


def test_decided_pairs_are_looked_at_once(monkeypatch):
    boxes, scores = random_boxes(60, span=6)
    decisions = Decisions()
    nms_rotated(boxes, scores, 0.3, decisions=decisions)
    looked_at = []
    module = sys.modules["mluops_reference.nms_rotated"]
    monkeypatch.setattr(
        module, "_decided", lambda first, *_: looked_at.append(len(first)) or np.ones(len(first), bool)
    )
    nms_rotated(boxes, scores, 0.3, decisions=decisions)
    assert looked_at == [0]
