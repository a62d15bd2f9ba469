"""Trials of operators on images, filters and sequences, by loops over points."""

from __future__ import annotations

import math
from typing import Any, Iterator

import numpy as np

from mluops_tools.cpu.trials.trial import Trial, described, integers, random

COLLECT, DISTRIBUTE = 0, 1


def tin_shift() -> list[Trial]:
    """Return trials: groups of channels shifted in time, and so their gradient."""
    values, shifts = random(2, 6, 8, 5), integers(2, 4, below=5) - 2
    shifted = np.zeros_like(values)
    for n, time, channel in np.ndindex(2, 6, 8):
        there = time + shifts[n, channel // 2]
        if 0 <= there < 6:
            shifted[n, there, channel] = values[n, time, channel]
    given = {"shifts": shifts}
    return [
        Trial("tin shift", "mluOpTinShiftForward", {**given, "input": values}, {"output": shifted}, 0),
        Trial(
            "gradient of tin shift",
            "mluOpTinShiftBackward",
            {**given, "grad_output": values},
            {"grad_input": shifted},  # by the same shifts, as its documentation says
            0,
        ),
    ]


def _masked_pairs(
    height: int, width: int, mask: int
) -> Iterator[tuple[tuple[int, int], int, tuple[int, int]]]:
    """Yield each point, a number in the mask around it, and the point that this stands for."""
    half = (mask - 1) // 2
    for row, column, mask_row, mask_column in np.ndindex(height, width, mask, mask):
        there = (row + mask_row - half, column + mask_column - half)
        if 0 <= there[0] < height and 0 <= there[1] < width:
            yield (row, column), mask_row * mask + mask_column, there


def psamask() -> list[Trial]:
    """Return trials of both kinds of the mask, and of the gradients."""
    height, width, mask = 4, 5, 3
    x, gradient = random(2, height, width, mask * mask), random(2, height, width, height * width, seed=1)
    trials = []
    for word, kind in (("collect", COLLECT), ("distribute", DISTRIBUTE)):
        y, back = np.zeros_like(gradient), np.zeros_like(x)
        for (row, column), number, (to_row, to_column) in _masked_pairs(height, width, mask):
            at = (row, column, to_row * width + to_column)
            if kind == DISTRIBUTE:
                at = (to_row, to_column, row * width + column)
            y[(slice(None), *at)] = x[:, row, column, number]
            back[:, row, column, number] = gradient[(slice(None), *at)]
        given: dict[str, Any] = {"psa_type": kind, "h_mask": mask, "w_mask": mask}
        layouts = dict.fromkeys(("x", "y", "dx", "dy"), "NHWC")
        trials += [
            _laid_out(
                Trial(f"psamask, {word}", "mluOpPsamaskForward", {**given, "x": x}, {"y": y}, 0, layouts)
            ),
            _laid_out(
                Trial(
                    f"gradient of psamask, {word}",
                    "mluOpPsamaskBackward",
                    {**given, "dy": gradient},
                    {"dx": back},
                    0,
                    layouts,
                )
            ),
        ]
    return trials


def _laid_out(trial: Trial) -> Trial:
    """Return a trial with the layouts of its own tensors alone."""
    names = {*trial.given, *trial.expected}
    layouts = {name: layout for name, layout in trial.layouts.items() if name in names}
    return Trial(
        trial.name, trial.function, trial.given, trial.expected, trial.tolerance, layouts, trial.objects
    )


def psroipool() -> list[Trial]:
    """Return trials: means of bins, each bin of its own channels, and the gradient."""
    bins, channels = 3, 2  # more cores than bins: a memory core does not know that it has none
    images = random(2, 8, 9, bins * bins * channels)
    rois = np.array([[0, 1, 1, 6, 5], [1, 0, 2, 7, 7], [1, 3, 3, 5, 5]], np.float32)
    output = np.zeros((3, bins, bins, channels), np.float32)
    gradient, back, mapping = (
        random(*output.shape, seed=1),
        np.zeros_like(images),
        np.zeros(output.shape, np.int32),
    )
    for number, row, column, channel in np.ndindex(*output.shape):
        image, x1, y1, x2, y2 = rois[number]
        source = (channel * bins + row) * bins + column
        cells = (int(image), _bin(y1, y2, bins, row, 8), _bin(x1, x2, bins, column, 9), source)
        mapping[number, row, column, channel] = source
        output[number, row, column, channel] = images[cells].mean()
        back[cells] += gradient[number, row, column, channel] / images[cells].size
    given: dict[str, Any] = {"rois": rois, "pooled_height": bins, "pooled_width": bins, "spatial_scale": 1.0}
    given["output_dim"] = channels
    layouts = dict.fromkeys(("input", "output", "mapping_channel"), "NHWC")
    others = dict.fromkeys(("top_grad", "bottom_grad", "mapping_channel"), "NHWC")
    expected = {"output": output, "mapping_channel": mapping}
    forward = {**given, "input": images, "group_size": bins}
    backward = {**given, "top_grad": gradient, "mapping_channel": mapping}
    return [
        Trial("ps roi pool", "mluOpPsRoiPoolForward", forward, expected, 1e-5, layouts),
        Trial(
            "gradient of ps roi pool",
            "mluOpPsRoiPoolBackward",
            backward,
            {"bottom_grad": back},
            1e-5,
            others,
        ),
    ]


def _bin(low: float, high: float, bins: int, number: int, size: int) -> slice:
    step = (high + 1 - low) / bins
    first, last = math.floor(low + number * step), math.ceil(low + (number + 1) * step)
    return slice(min(max(first, 0), size), min(max(last, 0), size))


TURNED = (
    *((1, 2, 3, 4, 5, 6, 7, 8, 9), (2, 3, 6, 1, 5, 9, 4, 7, 8), (3, 6, 9, 2, 5, 8, 1, 4, 7)),
    *((6, 9, 8, 3, 5, 7, 2, 1, 4), (9, 8, 7, 6, 5, 4, 3, 2, 1), (8, 7, 4, 9, 5, 1, 6, 3, 2)),
    *((7, 4, 1, 8, 5, 2, 9, 6, 3), (4, 1, 2, 7, 5, 3, 8, 9, 6)),
)
"""The elements of a 3 x 3 filter, turned by multiples of 45 degrees: those of oriented response networks."""


def active_rotated_filter() -> Trial:
    """Return a trial: each filter written once for each rotation, its elements where the indices say."""
    turns = len(TURNED)
    filters, indices = random(3, 2, turns, 3, 3), np.zeros((turns, 9, turns), np.int32)
    for orientation, element, turn in np.ndindex(indices.shape):
        indices[orientation, element, turn] = (orientation + turn) % turns * 9 + TURNED[turn][element]
    output = np.zeros((3, turns, 2, turns * 9), np.float32)
    for out, channel, orientation, element, turn in np.ndindex(3, 2, *indices.shape):
        value = filters[out, channel, orientation].flat[element]
        output[out, turn, channel, indices[orientation, element, turn] - 1] = value
    given = {"input": filters, "indices": indices.reshape(turns, 3, 3, turns)}
    expected = {"output": output.reshape(3 * turns, 2 * turns, 3, 3)}
    return Trial("active rotated filter", "mluOpActiveRotatedFilterForward", given, expected, 0)


def carafe() -> Trial:
    """Return a trial: each point of a larger image as a weighted sum of a window."""
    size, groups, scale, height, width = 3, 2, 2, 4, 5
    images, masks = (
        random(1, height, width, 4),
        random(1, height * 2, width * 2, groups * size * size, seed=1),
    )
    output = np.zeros((1, height * scale, width * scale, 4), np.float32)
    for row, column, channel, k in np.ndindex(height * scale, width * scale, 4, size * size):
        y, x = row // scale + k // size - size // 2, column // scale + k % size - size // 2
        if 0 <= y < height and 0 <= x < width:
            weight = masks[0, row, column, channel // 2 * size * size + k]
            output[0, row, column, channel] += weight * images[0, y, x, channel]
    layouts = dict.fromkeys(("input", "mask", "output"), "NHWC")
    setting = ("mluOpSetCarafeDescriptor", 4, size, groups, scale)
    made = described("Carafe", "carafe_desc", setting)
    given = {"input": images, "mask": masks}
    return Trial("carafe", "mluOpCarafeForward", given, {"output": output}, 1e-5, layouts, made)


def mutual_information() -> list[Trial]:
    """Return trials: the logarithm of a sum over all paths through a lattice, and its gradients."""
    batch, symbols, frames = 2, 4, 6
    px, py = random(batch, symbols, frames + 1), random(batch, symbols + 1, frames, seed=1)
    p = np.full((batch, symbols + 1, frames + 1), -np.inf)
    p[:, 0, 0] = 0
    for s, t in np.ndindex(symbols + 1, frames + 1):
        if s:
            p[:, s, t] = np.logaddexp(p[:, s, t], p[:, s - 1, t] + px[:, s - 1, t])
        if t:
            p[:, s, t] = np.logaddexp(p[:, s, t], p[:, s, t - 1] + py[:, s, t - 1])
    slope, p_back = random(batch, low=0.5, high=1.5, seed=2), np.zeros_like(p)
    px_back, py_back = np.zeros_like(px), np.zeros_like(py)
    p_back[:, -1, -1] = slope
    for s, t in reversed(list(np.ndindex(symbols + 1, frames + 1))):
        if s < symbols:
            px_back[:, s, t] = p_back[:, s + 1, t] * np.exp(p[:, s, t] + px[:, s, t] - p[:, s + 1, t])
            p_back[:, s, t] += px_back[:, s, t]
        if t < frames:
            py_back[:, s, t] = p_back[:, s, t + 1] * np.exp(p[:, s, t] + py[:, s, t] - p[:, s, t + 1])
            p_back[:, s, t] += py_back[:, s, t]
    common: dict[str, Any] = {"px": px, "py": py, "opt_boundary": None}
    lattice = p.astype(np.float32)
    backward = {**common, "p": lattice, "ans_grad": slope, "overwrite_ans_grad": False}
    return [
        Trial(
            "mutual information",
            "mluOpMutualInformationForward",
            common,
            {"p": lattice, "ans": lattice[:, -1, -1].copy()},
            1e-4,
        ),
        Trial(
            "gradients of mutual information",
            "mluOpMutualInformationBackward",
            backward,
            {"px_grad": px_back, "py_grad": py_back, "ans_grad": slope},
            1e-4,
        ),
    ]


TRIALS = (*tin_shift(), *psamask(), *psroipool(), active_rotated_filter(), carafe(), *mutual_information())
