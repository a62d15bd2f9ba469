"""Handles on emulators with planted faults, and the smallest calls of operators."""

from __future__ import annotations

import mluops
import numpy as np
import pytest
from mluops.operators import masked_im2col_forward, nms_rotated, rotated_feature_align_backward

FEATURE = np.arange(1.0, 7.0, dtype=np.float32).reshape(1, 1, 2, 3)
HALF_OVERLAPPED = np.array([[0, 0, 3, 2, 0], [1, 0, 3, 2, 0], [9, 9, 3, 2, 0]], np.float32)


@pytest.fixture
def handle_with():
    """Make a handle on an emulator of its own; arguments are names of faults."""
    made = []

    def make(*faults):
        made.append(mluops.Handle(mluops.load("emulator", faults=faults)))
        return made[-1]

    yield make
    for handle in made:
        handle.close()
        handle.library.symbols.close()


@pytest.fixture
def pixels():
    """Copy the pixels of a 2x3 map [[1, 2, 3], [4, 5, 6]] at positions (y, x) to a row."""

    def call(handle, *positions, **scalars):
        mask = np.array(positions, np.int32).T.copy()
        sizes = {"kernel_h": 1, "kernel_w": 1, "pad_h": 0, "pad_w": 0, **scalars}
        return masked_im2col_forward(handle, FEATURE, *mask, **sizes)

    return call


@pytest.fixture
def kept():
    """Return the kept ones of three boxes: the first two have an IoU of 1/2, and scores rise."""

    def call(handle, iou_threshold, boxes=HALF_OVERLAPPED):
        scores = np.array([0.1, 0.2, 0.3], np.float32)
        return nms_rotated(handle, boxes, scores, iou_threshold).tolist()

    return call


@pytest.fixture
def aligned():
    """The gradients of a 1x2 map that both pixels, of gradients 1 and 10, sampled at one position (y, x)."""

    def call(handle, y, x):
        boxes = np.tile(np.array([y, x, 0, 0, 0], np.float32), (1, 1, 2, 1))
        gradient = np.array([1, 10], np.float32).reshape(1, 1, 2, 1)
        result = rotated_feature_align_backward(handle, gradient, boxes, spatial_scale=1.0, points=1)
        return result.reshape(-1).tolist()

    return call
