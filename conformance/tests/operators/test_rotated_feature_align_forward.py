"""The definition of rotated_feature_align_forward: its scale, addends, operations and limits."""

from __future__ import annotations

import numpy as np
import pytest
from mluops_conformance.language.model import KNOWN_DEVICES
from mluops_conformance.operators import the_operator
from mluops_emulator.device import MODELS
from mluops_emulator.operators import rotated_feature_align_forward as emulated

OPERATOR = the_operator("rotated_feature_align_forward")
UNIT_ROUNDOFF = 2.0**-24
FLOOR = 1e-5
ODD = [-3e5, 1e9, 3e38, np.inf, -np.inf, np.nan]


def values_of(function, inputs, points=5, spatial_scale=1.0):
    return function(inputs, {"spatial_scale": spatial_scale, "points": points}).outputs["output"]


@pytest.fixture
def boxes():
    """A box at each pixel of a map of 32 x 32 x 8, two pixels wide and high."""
    rng = np.random.default_rng(2)
    values = np.zeros((1, 32, 32, 5), np.float32)
    values[..., :2] = np.moveaxis(np.indices((32, 32)), 0, 2) + rng.uniform(-1, 1, (32, 32, 2))
    values[..., 2:] = [2, 2, 0.3]
    return {"input": rng.uniform(-1, 1, (1, 32, 32, 8)).astype(np.float32), "bboxes": values}


def with_odd_box(inputs, field, value):
    values = inputs["bboxes"].copy()
    values[0, 16, 16, field] = value
    return {**inputs, "bboxes": values}


def test_the_scale_without_samples_is_the_pixels_own_value(boxes):
    boxes["bboxes"][..., :2] = 500
    assert np.allclose(values_of(OPERATOR.scale, boxes), np.abs(boxes["input"]), rtol=1e-6, atol=0)


def test_the_scale_allows_for_six_roundings_of_a_coordinate():
    rng = np.random.default_rng(5)
    boxes = np.zeros((1, 300, 7, 5))
    boxes[..., 0] = np.arange(300)[:, None] + rng.uniform(-1, 1, (300, 7))
    boxes[..., 1] = np.arange(7) + rng.uniform(-1, 1, (300, 7))
    inputs = {"input": rng.uniform(-1, 1, (1, 300, 7, 2)).astype(np.float32), "bboxes": boxes}
    shift = 6 * UNIT_ROUNDOFF * 300
    moved = {**inputs, "bboxes": boxes + np.array([shift, -shift, 0, 0, 0])}
    error = np.abs(values_of(OPERATOR.reference, moved, 1) - values_of(OPERATOR.reference, inputs, 1))
    assert (error <= FLOOR * values_of(OPERATOR.scale, inputs, 1)).all()


@pytest.mark.parametrize("field", [0, 2, 4])
@pytest.mark.parametrize("value", ODD)
def test_an_odd_box_leaves_the_scale_of_all_other_pixels(boxes, field, value):
    before = values_of(OPERATOR.scale, boxes)
    after = values_of(OPERATOR.scale, with_odd_box(boxes, field, value))
    before[0, 16, 16] = after[0, 16, 16] = 0
    assert np.array_equal(before, after)


@pytest.mark.parametrize("field", [0, 2])
@pytest.mark.parametrize("value", [0, -3e5, 1e6, 1e9])
def test_a_baseline_stays_within_the_scale_of_any_box(boxes, field, value):
    inputs = with_odd_box(boxes, field, value)
    error = np.abs(values_of(OPERATOR.baseline, inputs) - values_of(OPERATOR.reference, inputs))
    assert np.max(error / values_of(OPERATOR.scale, inputs)) < FLOOR


def test_a_corner_that_rounding_moves_by_pixels_is_allowed_for(boxes):
    inputs = with_odd_box(boxes, 3, 921480000)
    inputs["bboxes"][0, 16, 16, [0, 1, 4]] = [460740053, 53, 0]
    inputs["input"] = np.abs(inputs["input"])
    scale = values_of(OPERATOR.scale, inputs, spatial_scale=0.3)
    error = values_of(OPERATOR.baseline, inputs, spatial_scale=0.3) - values_of(
        OPERATOR.reference, inputs, spatial_scale=0.3
    )
    assert np.abs(error[0, 16, 16]).max() > 0.01
    assert (np.abs(error) < FLOOR * scale).all()


@pytest.mark.parametrize(
    ("centre", "points", "count"),
    [((1, 1), 1, 5), ((1, 1), 5, 21), ((50, 1), 5, 1), ((-0.75, -0.75), 5, 9), ((np.nan, 1), 1, 5)],
)
def test_a_pixel_adds_up_itself_and_four_corners_of_each_sample(centre, points, count):
    boxes = np.array([[[[*centre, 0.75, 0.75, 0]]]], np.float32)
    inputs = {"input": np.zeros((1, 3, 4, 1), np.float32), "bboxes": np.broadcast_to(boxes, (1, 3, 4, 5))}
    counts = OPERATOR.addends(inputs, {"spatial_scale": 1.0, "points": points})["output"]
    assert counts.shape == (1, 3, 4, 1)
    assert set(counts.ravel()) == {count}


def test_one_operation_an_element_and_point():
    inputs = {"input": np.zeros((2, 3, 4, 5), np.float32)}
    assert OPERATOR.theory.operations(inputs, {"points": 5}, {}) == 600


@pytest.mark.parametrize(
    ("name", "itemsize", "size"),
    [("MLU370", 4, 16352), ("MLU370", 2, 32704), ("MLU590", 4, 9824), ("MLU590", 2, 19648)],
)
def test_channels_are_taken_in_slices(name, itemsize, size):
    limit = OPERATOR.limit("channel_slice").of(KNOWN_DEVICES[name], itemsize, {})
    assert limit == size == emulated.channel_limit(MODELS[name], itemsize)
