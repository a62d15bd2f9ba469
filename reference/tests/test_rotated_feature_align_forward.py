"""rotated_feature_align forward."""

from __future__ import annotations

import numpy as np
import pytest
from mluops_reference import (
    rotated_feature_align_backward,
    rotated_feature_align_forward,
    rotated_feature_align_forward_baseline,
)

OPERATOR = "rotated_feature_align_forward"
BOTH = pytest.mark.parametrize(
    "function", [rotated_feature_align_forward, rotated_feature_align_forward_baseline]
)


def random_call(seed, shape=(2, 9, 11, 3)):
    rng = np.random.default_rng(seed)
    boxes = np.concatenate([rng.uniform(-3, 14, (*shape[:3], 4)), rng.uniform(-4, 4, (*shape[:3], 1))], 3)
    return rng.standard_normal(shape), boxes


@BOTH
def test_known_answers(function, known_answer):
    known_answer.agrees(function(**known_answer.inputs, **known_answer.params), "output")


@pytest.mark.parametrize("points", [1, 5])
@pytest.mark.parametrize("seed", range(4))
def test_the_backward_is_the_transpose(points, seed):
    values, boxes = random_call(seed)
    gradient = np.random.default_rng(seed + 100).standard_normal(values.shape)
    options = {"spatial_scale": 0.7, "points": points}
    forward = rotated_feature_align_forward(values, boxes, **options)
    backward = rotated_feature_align_backward(gradient, boxes, **options)
    assert (forward * gradient).sum() == pytest.approx((values * backward).sum(), rel=1e-12)


@pytest.mark.parametrize("points", [1, 5])
def test_the_baseline_in_double_agrees(points):
    values, boxes = random_call(7)
    options = {"spatial_scale": 0.7, "points": points, "coordinates": np.float64}
    expected = rotated_feature_align_forward(values, boxes, **options)
    np.testing.assert_allclose(
        rotated_feature_align_forward_baseline(values, boxes, **options), expected, atol=1e-12
    )


@BOTH
def test_a_box_elsewhere_leaves_the_bits_of_the_input(function):
    values = np.array([-0.0, np.nan, 1.0], np.float32).reshape(1, 1, 3, 1)
    boxes = np.full((1, 1, 3, 5), 100, np.float32)
    output = function(values, boxes, spatial_scale=1.0, points=5).astype(np.float32)
    assert np.array_equal(output, values, equal_nan=True)
    if function is rotated_feature_align_forward:
        assert np.signbit(output.flat[0])


@BOTH
def test_a_cell_of_weight_0_passes_on_its_infinity(function):
    values = np.array([1.0, np.inf, 2.0, 3.0], np.float32).reshape(1, 1, 4, 1)
    boxes = np.zeros((1, 1, 4, 5), np.float32)
    boxes[..., 1] = [
        [[0, 50, 3, 2]]
    ]  # x: beside the infinity, outside, on the last cell, between the last two
    output = function(values, boxes, spatial_scale=1.0, points=1)[0, 0, :, 0]
    np.testing.assert_array_equal(output, [np.nan, np.inf, 5.0, 5.0])


def test_specials_disturb_no_other_pixel():
    values, boxes = random_call(3)
    clean = rotated_feature_align_forward(values, boxes, spatial_scale=0.7, points=5)
    spoilt = values.copy()
    spoilt[0, 4, 5, 1] = np.nan
    output = rotated_feature_align_forward(spoilt, boxes, spatial_scale=0.7, points=5)
    touched = np.isnan(output)
    assert 0 < touched.sum() < 30
    assert not touched[..., [0, 2]].any()
    np.testing.assert_allclose(output[~touched], clean[~touched], atol=1e-12)


@pytest.mark.parametrize(("points", "boxes"), [(3, (1, 2, 2, 5)), (1, (1, 2, 2, 4)), (1, (1, 2, 3, 5))])
def test_arguments_that_do_not_fit_are_refused(points, boxes):
    with pytest.raises(ValueError, match="must be"):
        rotated_feature_align_forward(
            np.zeros((1, 2, 2, 1)), np.zeros(boxes), spatial_scale=1.0, points=points
        )
