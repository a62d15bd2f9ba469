"""deform_roi_pool backward."""

from __future__ import annotations

import numpy as np
import pytest
from mluops_reference import (
    deform_roi_pool_backward,
    deform_roi_pool_backward_baseline,
    deform_roi_pool_forward,
)

OPERATOR = "deform_roi_pool_backward"
BOTH = pytest.mark.parametrize("function", [deform_roi_pool_backward, deform_roi_pool_backward_baseline])
SEEDS = pytest.mark.parametrize("seed", range(12))


def random_call(seed):
    """Return grad_output, input, rois, offset, and the scalars of a small call."""
    rng = np.random.default_rng(seed)
    batches, height, width, channels, num_rois, pooled_height, pooled_width = (
        int(rng.integers(1, high)) for high in (3, 12, 12, 6, 5, 4, 4)
    )
    rois = np.column_stack([rng.integers(0, batches, num_rois), rng.uniform(-4, 10, (num_rois, 4))])
    scalars = {
        "pooled_height": pooled_height,
        "pooled_width": pooled_width,
        "spatial_scale": 0.7,
        "sampling_ratio": int(rng.integers(-1, 4)),
        "gamma": 0.3,
    }
    arrays = (
        rng.standard_normal((num_rois, pooled_height, pooled_width, channels)),
        rng.standard_normal((batches, height, width, channels)),
        rois,
        rng.standard_normal((num_rois, 2, pooled_height, pooled_width)),
    )
    return arrays, scalars


@BOTH
def test_known_answers(function, known_answer):
    result = function(**{"offset": None, **known_answer.inputs}, **known_answer.params)
    for name in known_answer.expected:
        known_answer.agrees(getattr(result, name), name)


@BOTH
def test_without_offset_there_is_no_gradient_of_it(function):
    (grad_output, values, rois, _), scalars = random_call(0)
    assert function(grad_output, values, rois, None, **scalars).grad_offset is None


@SEEDS
def test_the_gradient_of_the_map_is_the_transpose_of_the_forward(seed):
    (grad_output, values, rois, offset), scalars = random_call(seed)
    gradient = deform_roi_pool_backward(grad_output, values, rois, offset, **scalars).grad_input
    forward = deform_roi_pool_forward(values, rois, offset, **scalars)
    assert (gradient * values).sum() == pytest.approx((forward * grad_output).sum(), rel=1e-10, abs=1e-12)


@SEEDS
def test_the_baseline_in_double_agrees(seed):
    arrays, scalars = random_call(seed)
    arrays[0].flat[0] = np.inf if seed % 4 == 2 else arrays[0].flat[0]
    arrays[1].flat[0] = np.nan if seed % 4 == 3 else arrays[1].flat[0]
    expected = deform_roi_pool_backward(*arrays, **scalars)
    baseline = deform_roi_pool_backward_baseline(*arrays, **scalars, coordinates=np.float64)
    for actual, right in zip(baseline, expected):
        np.testing.assert_allclose(actual, right, atol=1e-12)


@pytest.mark.parametrize("seed", range(4))
def test_the_gradient_of_the_offset_is_the_slope_of_the_forward_in_the_interior(seed):
    rng = np.random.default_rng(seed)
    values, grad_output = rng.standard_normal((1, 20, 20, 3)), rng.standard_normal((2, 2, 3, 3))
    rois = np.array([[0, 5.1, 6.2, 11.3, 12.9], [0, 4.3, 3.8, 9.7, 13.1]])
    offset = rng.uniform(-0.2, 0.2, (2, 2, 2, 3))
    scalars = {"pooled_height": 2, "pooled_width": 3, "spatial_scale": 1.0, "sampling_ratio": 2, "gamma": 0.5}
    gradient = deform_roi_pool_backward(grad_output, values, rois, offset, **scalars).grad_offset
    step = 1e-7
    for place in np.ndindex(*offset.shape):
        moved = [offset.copy(), offset.copy()]
        moved[0][place] -= step
        moved[1][place] += step
        before, after = (deform_roi_pool_forward(values, rois, shift, **scalars) for shift in moved)
        slope = ((after - before) * grad_output).sum() / (2 * step)
        assert gradient[place] == pytest.approx(slope, rel=1e-5, abs=1e-6)


@BOTH
def test_beyond_the_last_cell_the_offset_has_no_gradient(function):
    values = np.arange(16.0).reshape(1, 4, 4, 1) ** 2
    rois = np.array([[0.0, 4.1, 4.1, 4.3, 4.3]])
    result = function(
        np.ones((1, 1, 1, 1)),
        values,
        rois,
        np.zeros((1, 2, 1, 1)),
        pooled_height=1,
        pooled_width=1,
        spatial_scale=1.0,
        sampling_ratio=2,
        gamma=1.0,
    )
    assert result.grad_offset.tolist() == [[[[0.0]], [[0.0]]]]


def test_a_batch_that_is_not_there_is_refused():
    (grad_output, values, rois, offset), scalars = random_call(1)
    rois[0, 0] = len(values)
    with pytest.raises(ValueError, match=r"rois\[0\] names image"):
        deform_roi_pool_backward(grad_output, values, rois, offset, **scalars)


def test_a_gradient_that_does_not_fit_is_refused():
    (grad_output, values, rois, offset), scalars = random_call(1)
    with pytest.raises(ValueError, match="grad_output must be"):
        deform_roi_pool_backward(grad_output[..., :0], values, rois, offset, **scalars)
