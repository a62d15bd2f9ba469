"""Trials of operators that take values between the points of a feature map, by loops over places."""

from __future__ import annotations

import math
from typing import Any, Iterator

import numpy as np

from mluops_tools.cpu.trials.trial import Trial, random


def corners(image: np.ndarray, y: float, x: float) -> Iterator[tuple[int, int, float]]:
    """Yield the points around a place, and their weights; points outside have none."""
    low_y, low_x = math.floor(y), math.floor(x)
    for row, weight_y in ((low_y, low_y + 1 - y), (low_y + 1, y - low_y)):
        for column, weight_x in ((low_x, low_x + 1 - x), (low_x + 1, x - low_x)):
            if 0 <= row < image.shape[0] and 0 <= column < image.shape[1]:
                yield row, column, weight_y * weight_x


def bilinear(image: np.ndarray, y: float, x: float) -> Any:
    """Return the value between the points around a place."""
    return sum(
        (weight * image[row, column] for row, column, weight in corners(image, y, x)),
        np.zeros(image.shape[2:]),
    )


def spread(image: np.ndarray, y: float, x: float, value: Any) -> None:
    """Add a value to the points around a place: the gradient of `bilinear`."""
    for row, column, weight in corners(image, y, x):
        image[row, column] += weight * value


def roi_crop() -> list[Trial]:
    """Return trials: values at places given as parts of an image, and the gradient."""
    images, grid = random(2, 5, 6, 4), random(4, 3, 3, 2, low=-0.95, high=0.95, seed=1)
    gradient = random(4, 3, 3, 4, seed=2)
    output, back = np.zeros((4, 3, 3, 4), np.float32), np.zeros_like(images)
    for number, row, column in np.ndindex(4, 3, 3):
        y, x = (grid[number, row, column] + 1) * (4, 5) / 2
        image = number // 2
        output[number, row, column] = bilinear(images[image], y, x)
        spread(back[image], y, x, gradient[number, row, column])
    layouts = {"input": "NHWC", "grid": "ARRAY", "output": "NHWC"}
    others = {"grad_output": "NHWC", "grid": "ARRAY", "grad_input": "NHWC"}
    return [
        Trial(
            "roi crop",
            "mluOpRoiCropForward",
            {"input": images, "grid": grid},
            {"output": output},
            1e-5,
            layouts,
        ),
        Trial(
            "gradient of roi crop",
            "mluOpRoiCropBackward",
            {"grad_output": gradient, "grid": grid},
            {"grad_input": back},
            1e-5,
            others,
        ),
    ]


def border_align() -> list[Trial]:
    """Return trials: the largest of some values along each side of a box, and the gradient."""
    height, width, channels, steps = 4, 5, 3, 5
    images = random(1, height, width, 4 * channels)
    starts = random(1, height * width, 2, low=0, high=1, seed=1)
    boxes = np.concatenate([starts, starts + random(1, height * width, 2, low=0.5, high=2, seed=2)], -1)
    output = np.zeros((1, height * width, 4, channels), np.float32)
    gradient, back, indices = (
        random(*output.shape, seed=3),
        np.zeros_like(images),
        np.zeros(output.shape, np.int32),
    )
    for number, side in np.ndindex(height * width, 4):
        part = slice(side * channels, (side + 1) * channels)
        places = _along(boxes[0, number].astype(float), side, steps)
        values = [bilinear(images[0, :, :, part], y, x) for y, x in places]
        output[0, number, side], indices[0, number, side] = np.max(values, 0), np.argmax(values, 0)
        for channel, index in enumerate(indices[0, number, side]):
            y, x = places[int(index)]
            spread(back[0, :, :, side * channels + channel], y, x, gradient[0, number, side, channel])
    common = {"boxes": boxes, "pool_size": steps}
    layouts = dict.fromkeys(("input", "output", "argmax_idx"), "NHWC")
    others = dict.fromkeys(("grad_output", "grad_input", "argmax_idx"), "NHWC")
    expected = {"output": output, "argmax_idx": indices}
    backward = {**common, "grad_output": gradient, "argmax_idx": indices}
    return [
        Trial(
            "border align", "mluOpBorderAlignForward", {**common, "input": images}, expected, 1e-5, layouts
        ),
        Trial(
            "gradient of border align",
            "mluOpBorderAlignBackward",
            backward,
            {"grad_input": back},
            1e-5,
            others,
        ),
    ]


def _along(box: np.ndarray, side: int, steps: int) -> list[tuple[float, float]]:
    """Return the places y, x along a side of a box: the top and left one forwards, the others backwards."""
    x1, y1, x2, y2 = box
    x, y = (x1, y1) if side < 2 else (x2, y2)
    dx, dy = ((x2 - x1, 0), (0, y2 - y1), (x1 - x2, 0), (0, y1 - y2))[side]
    return [(y + dy * k / steps, x + dx * k / steps) for k in range(steps + 1)]


def roi_align_rotated() -> list[Trial]:
    """Return trials: means of places in the bins of turned boxes, and the gradient."""
    bins, parts = 2, 2
    images = random(1, 8, 9, 3)
    rois = np.array([[0, 4, 4, 4, 3, 0.4], [0, 5, 3, 3, 5, -0.7]], np.float32)
    output = np.zeros((2, bins, bins, 3), np.float32)
    gradient, back = random(*output.shape, seed=1), np.zeros_like(images)
    for number, row, column, k, m in np.ndindex(2, bins, bins, parts, parts):
        _, x, y, w, h, angle = rois[number].astype(float)
        across = -w / 2 + (column + (m + 0.5) / parts) * w / bins
        down = -h / 2 + (row + (k + 0.5) / parts) * h / bins
        there_y = down * math.cos(angle) - across * math.sin(angle) + y - 0.5
        there_x = down * math.sin(angle) + across * math.cos(angle) + x - 0.5
        output[number, row, column] += bilinear(images[0], there_y, there_x) / parts**2
        spread(back[0], there_y, there_x, gradient[number, row, column] / parts**2)
    given: dict[str, Any] = {"rois": rois, "pooled_height": bins, "pooled_width": bins}
    given.update(sample_ratio=parts, spatial_scale=1.0, aligned=True, clockwise=False)
    layouts = {"features": "NHWC", "output": "NHWC"}
    others = {"top_grad": "NHWC", "bottom_grad": "NHWC"}
    return [
        Trial(
            "roi align rotated",
            "mluOpRoiAlignRotatedForward",
            {**given, "features": images},
            {"output": output},
            1e-4,
            layouts,
        ),
        Trial(
            "gradient of roi align rotated",
            "mluOpRoiAlignRotatedBackward",
            {**given, "top_grad": gradient},
            {"bottom_grad": back},
            1e-4,
            others,
        ),
    ]


def ms_deform_attn(channels: int) -> list[Trial]:
    """Return trials: weighted sums of places on maps of several sizes, and the gradients."""
    batch, heads, queries, points = 1, 2, 5, 4
    shapes = np.array([[6, 5], [3, 4]], np.int32)
    starts = np.array([0, 30], np.int32)
    values = random(batch, 42, heads, channels)
    places = random(batch, queries, heads, 2, points, 2, low=0, high=1, seed=1)
    weights = random(batch, queries, heads, 2, points, low=0, high=1, seed=2)
    output = np.zeros((batch, queries, heads, channels), np.float32)
    back, weight_back = np.zeros_like(values), np.zeros_like(weights)
    place_back = np.zeros_like(places)
    gradient = random(*output.shape, seed=3)
    for n, query, head, level, point in np.ndindex(batch, queries, heads, 2, points):
        height, width = shapes[level]
        x, y = places[n, query, head, level, point].astype(float) * (width, height) - 0.5
        weight, slope = weights[n, query, head, level, point], gradient[n, query, head]
        for row, column in (
            (r, c) for r in (math.floor(y), math.floor(y) + 1) for c in (math.floor(x), math.floor(x) + 1)
        ):
            if not (0 <= row < height and 0 <= column < width):
                continue
            at = (n, starts[level] + row * width + column, head)
            part_y, part_x = 1 - abs(y - row), 1 - abs(x - column)
            output[n, query, head] += weight * part_y * part_x * values[at]
            back[at] += weight * part_y * part_x * slope
            product = float((slope * values[at]).sum())
            weight_back[n, query, head, level, point] += part_y * part_x * product
            along = (
                math.copysign(1, column - x) * part_y * width,
                math.copysign(1, row - y) * part_x * height,
            )
            place_back[n, query, head, level, point] += np.array(along) * weight * product
    spatial = {"data_spatial_shapes": shapes, "data_level_start_index": starts, "data_value": values}
    forward = {**spatial, "data_sampling_loc": places, "data_attn_weight": weights, "im2col_step": 1}
    backward: dict[str, Any] = {"spatial_shapes": shapes, "level_start_index": starts, "value": values}
    backward.update(sampling_loc=places, attn_weight=weights, grad_output=gradient, im2col_step=1)
    backward.update(grad_value=np.zeros_like(values), grad_sampling_loc=np.zeros_like(places))
    backward["grad_attn_weight"] = np.zeros_like(weights)
    expected = {"grad_value": back, "grad_sampling_loc": place_back, "grad_attn_weight": weight_back}
    name = f"attention to places, {channels} channels"
    return [
        Trial(name, "mluOpMsDeformAttnForward", forward, {"data_col": output}, 1e-4),
        Trial(f"gradients of {name}", "mluOpMsDeformAttnBackward", backward, expected, 1e-3),
    ]


TRIALS = (*roi_crop(), *border_align(), *roi_align_rotated(), *ms_deform_attn(8), *ms_deform_attn(32))
