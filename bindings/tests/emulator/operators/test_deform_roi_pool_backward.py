"""deform_roi_pool_backward on both devices, through the C interface."""

from __future__ import annotations

import numpy as np
import pytest
from mluops import operators

MAP = np.arange(1, 17).reshape(4, 4)


def backward(handle, grad_output, roi, offset=None, sampling_ratio=1, gamma=1.0, dtype=np.float32):
    """Return both gradients of one region and channel of `MAP`; of one shift where there is one bin."""
    bins = np.array(grad_output, dtype)
    shifts = None if offset is None else np.array(offset, dtype).reshape(1, 2, *bins.shape)
    grad_input, grad_offset = operators.deform_roi_pool_backward(
        handle,
        bins[np.newaxis, :, :, np.newaxis],
        MAP.astype(dtype)[np.newaxis, :, :, np.newaxis],
        np.array([[0, *roi]], dtype),
        shifts,
        pooled_height=bins.shape[0],
        pooled_width=bins.shape[1],
        spatial_scale=1.0,
        sampling_ratio=sampling_ratio,
        gamma=gamma,
    )
    return grad_input[0, :, :, 0], None if grad_offset is None else grad_offset.ravel().tolist()


def test_gradients_of_four_bins_without_an_offset(handle):
    grad_input, grad_offset = backward(handle, [[1, 2], [3, 4]], [0.5, 0.5, 3.5, 2.5], sampling_ratio=2)
    assert grad_offset is None
    assert grad_input.tolist() == [
        [0.15625, 0.375, 0.65625, 0.3125],
        [0.625, 1.4375, 2.0, 0.9375],
        [0.46875, 1.0625, 1.34375, 0.625],
        [0, 0, 0, 0],
    ]


@pytest.mark.parametrize("dtype", [np.float32, np.float16])
def test_one_sample_between_four_pixels(handle, dtype):
    """The sample is at (1.5, 1.5); the region has two pixels a side, and the map grows by 1 and 4."""
    grad_input, grad_offset = backward(handle, [[8]], [1, 1, 3, 3], [0, 0], dtype=dtype)
    assert grad_input[1:3, 1:3].tolist() == [[2, 2], [2, 2]]
    assert grad_input.sum() == 8
    assert grad_offset == [16, 64]


def test_before_the_first_pixel_the_offset_has_a_gradient_although_the_map_is_constant(handle):
    """The sample is at (-0.25, -0.25), in a region of half a pixel."""
    grad_input, grad_offset = backward(handle, [[1]], [0, 0, 0.5, 0.5], [0, 0])
    assert grad_offset == [0.5, 2]
    assert grad_input[0, 0] == grad_input.sum() == 1


def test_a_sample_beyond_the_limit_adds_nothing(handle):
    grad_input, grad_offset = backward(handle, [[1]], [-2, -2, -1, -1], [0, 0])
    assert not grad_input.any()
    assert grad_offset == [0, 0]


def test_an_adaptive_grid_of_a_region_without_size_has_no_sample(handle):
    grad_input, grad_offset = backward(handle, [[1]], [2, 2, 2, 2], [0, 0], sampling_ratio=0)
    assert not grad_input.any()
    assert grad_offset == [0, 0]


def test_an_offset_moves_the_samples_by_gamma_times_the_size(handle):
    """A shift of 0.5 along x with gamma 0.5 moves the sample by half a pixel, from x 1.5 to 2."""
    grad_input, _ = backward(handle, [[8]], [1, 1, 3, 3], [0.5, 0], gamma=0.5)
    assert grad_input[1:3, 2].tolist() == [4, 4]
    assert grad_input.sum() == 8
