"""Trials of operators on boxes, by loops over boxes."""

from __future__ import annotations

import math
from itertools import product
from typing import Any

import numpy as np

from mluops_tools.cpu.trials.trial import Trial, random


def _boxes(count: int, seed: int = 0) -> np.ndarray:
    """Return boxes x1, y1, x2, y2 in a square of 10."""
    corners = random(count, 2, low=0, high=8, seed=seed)
    sizes = random(count, 2, low=1, high=4, seed=seed + 100)
    return np.concatenate([corners, corners + sizes], 1)


def _overlap(one: np.ndarray, other: np.ndarray, offset: float = 0) -> tuple[float, float, float]:
    """Return the area that two boxes share, and the area of each."""
    width = max(min(one[2], other[2]) - max(one[0], other[0]) + offset, 0)
    height = max(min(one[3], other[3]) - max(one[1], other[1]) + offset, 0)
    areas = [float((box[2] - box[0] + offset) * (box[3] - box[1] + offset)) for box in (one, other)]
    return float(width * height), areas[0], areas[1]


def _iou(one: np.ndarray, other: np.ndarray, offset: float = 0) -> float:
    shared, first, second = _overlap(one, other, offset)
    return shared / (first + second - shared)


def bbox_overlaps() -> list[Trial]:
    """Return trials of all pairs, and of pairs row by row as a part of the first box."""
    one, other = _boxes(6), _boxes(9, 1)
    pairs = np.array([[_iou(a, b) for b in other] for a in one], np.float32)
    shares = [_overlap(a, b, 1) for a, b in zip(one, other)]
    rows = np.array([shared / first for shared, first, _ in shares], np.float32)
    given: dict[str, Any] = {"bbox1": one, "bbox2": other, "mode": 0, "aligned": False, "offset": 0}
    aligned = {**given, "bbox2": other[:6], "mode": 1, "aligned": True, "offset": 1}
    return [
        Trial("bbox overlaps", "mluOpBboxOverlaps", given, {"ious": pairs}),
        Trial("bbox overlaps, aligned", "mluOpBboxOverlaps", aligned, {"ious": rows}),
    ]


def poly_nms() -> Trial:
    """Return a trial: boxes as polygons, of which those that overlap one with a better score go."""
    boxes, scores = _boxes(12, 2), random(12, low=0, high=1, seed=3)
    kept: list[int] = []
    for k in np.argsort(-scores):
        if all(_iou(boxes[k], boxes[j]) <= 0.2 for j in kept):
            kept.append(int(k))
    polygons = np.concatenate([boxes[:, [0, 1, 2, 1, 2, 3, 0, 3]], scores[:, None]], 1)
    output = np.ma.masked_all(12, np.int32)
    output[: len(kept)] = sorted(kept)
    expected = {"output": output, "output_size": np.array([len(kept)], np.int32)}
    return Trial("poly nms", "mluOpPolyNms", {"boxes": polygons, "iou_threshold": 0.2}, expected, 0)


def prior_box() -> Trial:
    """Return a trial: boxes of each size and ratio around each cell, as parts of the image."""
    least, most, ratios = (4.0, 6.0), (8.0, 10.0), (1.0, 2.0, 0.5)
    variances, height, width, step = (0.1, 0.1, 0.2, 0.2), 3, 4, (9.0, 8.0)
    sizes = []
    for small, large in zip(least, most):
        sizes += [(small * math.sqrt(ratio), small / math.sqrt(ratio)) for ratio in ratios]
        sizes.append((math.sqrt(small * large),) * 2)
    boxes = np.zeros((height, width, len(sizes), 4), np.float32)
    for y, x, (k, (w, h)) in product(range(height), range(width), enumerate(sizes)):
        middle = ((x + 0.5) * step[1], (y + 0.5) * step[0])
        corners = (middle[0] - w / 2, middle[1] - h / 2, middle[0] + w / 2, middle[1] + h / 2)
        boxes[y, x, k] = np.clip(np.array(corners) / (32, 27, 32, 27), 0, 1)
    given: dict[str, Any] = {"height": height, "width": width, "im_height": 27, "im_width": 32, "offset": 0.5}
    given.update(step_h=step[0], step_w=step[1], clip=True, min_max_aspect_ratios_order=False)
    lists = {"min_sizes": least, "max_sizes": most, "aspect_ratios": ratios, "variances": variances}
    given.update({name: np.array(values, np.float32) for name, values in lists.items()})
    expected = {"output": boxes, "var": np.broadcast_to(np.array(variances, np.float32), boxes.shape)}
    return Trial("prior box", "mluOpPriorBox", given, expected)


def yolo_box() -> Trial:
    """Return a trial: boxes and scores of a network's output, nought where nothing is likely."""
    anchors, classes, size, least = np.array([10, 13, 16, 30], np.int32), 3, (90, 120), 0.45
    x = random(2, 2 * (5 + classes), 3, 4, low=-2, high=2)
    boxes, scores = np.zeros((2, 2, 4, 12), np.float32), np.zeros((2, 2, classes, 12), np.float32)
    logistic = 1 / (1 + np.exp(-x.astype(float)))
    for image, anchor, row, column in np.ndindex(2, 2, 3, 4):
        at = (image, slice(anchor * (5 + classes), (anchor + 1) * (5 + classes)), row, column)
        likely, raw = logistic[at], x[at]
        if likely[4] < least:
            continue
        middle = ((column + likely[0]) * size[1] / 4, (row + likely[1]) * size[0] / 3)
        width = math.exp(raw[2]) * anchors[2 * anchor] * size[1] / (32 * 4)
        height = math.exp(raw[3]) * anchors[2 * anchor + 1] * size[0] / (32 * 3)
        low = np.maximum((middle[0] - width / 2, middle[1] - height / 2), 0)
        high = np.minimum((middle[0] + width / 2, middle[1] + height / 2), (size[1] - 1, size[0] - 1))
        boxes[image, anchor, :, row * 4 + column] = (*low, *high)
        scores[image, anchor, :, row * 4 + column] = likely[4] * likely[5:]
    given: dict[str, Any] = {"x": x, "img_size": np.array([size] * 2, np.int32), "anchors": anchors}
    given.update(class_num=classes, conf_thresh=least, downsample_ratio=32, clip_bbox=True, scale=1.0)
    given.update(iou_aware=False, iou_aware_factor=0.5)
    return Trial("yolo box", "mluOpYoloBox", given, {"boxes": boxes, "scores": scores}, 1e-4)


def generate_proposals() -> Trial:
    """Return a trial: anchors moved and clipped, the best ones, without those that overlap a better one."""
    rows, columns, kinds, most, size = 3, 4, 2, 10, np.array([[20, 24]], np.float32)
    anchors = _boxes(rows * columns * kinds, 4) * 2
    scores, moves = (
        random(len(anchors), low=0, high=1, seed=5),
        random(len(anchors), 4, low=-0.3, high=0.3, seed=6),
    )
    variances = np.full((len(anchors), 4), 0.5, np.float32)
    proposals = np.array([_moved(*entry, size[0]) for entry in zip(anchors, moves, variances)])
    kept: list[int] = []
    for k in np.argsort(-scores):
        large = bool((proposals[k, 2:] - proposals[k, :2] >= 1).all())
        if large and len(kept) < most and all(_iou(proposals[k], proposals[j]) <= 0.4 for j in kept):
            kept.append(int(k))
    boxes, probabilities = np.ma.masked_all((most, 4), np.float32), np.ma.masked_all((most, 1), np.float32)
    boxes[: len(kept)], probabilities[: len(kept), 0] = proposals[kept], scores[kept]
    grid = (rows, columns, kinds)
    given: dict[str, Any] = {"pre_nms_top_n": 20, "post_nms_top_n": most, "nms_thresh": 0.4, "min_size": 1.0}
    given.update(eta=1.0, pixel_offset=False, scores=scores.reshape(1, *grid), im_shape=size)
    given.update(bbox_deltas=moves.reshape(1, rows, columns, 4 * kinds))
    given.update(anchors=anchors.reshape(*grid, 4), variances=variances.reshape(*grid, 4))
    number = np.array([len(kept)], np.int32)
    expected = {"rpn_rois": boxes, "rpn_roi_probs": probabilities, "rpn_rois_num": number}
    expected["rpn_rois_batch_size"] = number
    return Trial("generate proposals", "mluOpGenerateProposalsV2", given, expected, 1e-4)


def _moved(anchor: np.ndarray, move: np.ndarray, variance: np.ndarray, size: np.ndarray) -> np.ndarray:
    """Return an anchor that is moved, scaled, and clipped to an image."""
    extent = anchor[2:] - anchor[:2]
    middle = anchor[:2] + extent / 2 + variance[:2] * move[:2] * extent
    half = np.exp(variance[2:] * move[2:]) * extent / 2
    moved = np.concatenate([middle - half, middle + half])
    return np.asarray(np.clip(moved, 0, [size[1], size[0]] * 2))


def sort_vertices() -> Trial:
    """Return a trial: corners in order of their angle, the first once more behind them."""
    vertices, mask = random(2, 7, 24, 2), np.zeros((2, 7, 24), bool)
    counts = np.zeros((2, 7), np.int32)
    indices = np.zeros((2, 7, 9), np.int32)
    generator = np.random.default_rng(1)
    for batch, pair in np.ndindex(2, 7):
        valid = np.sort(generator.choice(24, 3 + pair % 6, replace=False))
        mask[batch, pair, valid], counts[batch, pair] = True, len(valid)
        angles = np.arctan2(vertices[batch, pair, valid, 1], vertices[batch, pair, valid, 0]) % (2 * math.pi)
        order = valid[np.argsort(angles)]
        spare = 8 + int(np.argmin(mask[batch, pair, 8:]))
        indices[batch, pair] = spare
        indices[batch, pair, : len(valid) + 1] = (*order, order[0])
    given = {"vertices": vertices, "mask": mask, "num_valid": counts}
    return Trial("sort vertices", "mluOpDiffIouRotatedSortVerticesForward", given, {"idx": indices}, 0)


TRIALS = (*bbox_overlaps(), poly_nms(), prior_box(), yolo_box(), generate_proposals(), sort_vertices())
