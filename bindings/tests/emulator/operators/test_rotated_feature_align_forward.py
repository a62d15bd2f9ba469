"""rotated_feature_align_forward on both devices, through the C interface where not said otherwise."""

from __future__ import annotations

import numpy as np
import pytest
from mluops import operators

FUNCTION = "mluOpRotatedFeatureAlignForward"
NAN = float("nan")


def align(handle, values, box, points=1, spatial_scale=1.0, dtype=np.float32):
    """Align a map of one channel whose boxes are all the same."""
    values = np.array(values, dtype)
    boxes = np.broadcast_to(np.array(box, dtype), (1, *values.shape, 5))
    return operators.rotated_feature_align_forward(
        handle, values[np.newaxis, :, :, np.newaxis], boxes, spatial_scale=spatial_scale, points=points
    )[0, :, :, 0]


@pytest.mark.parametrize(("points", "expected"), [(1, [[3, 4], [4, 6]]), (5, [[5, 6], [6, 8]])])
@pytest.mark.parametrize("dtype", [np.float32, np.float16])
def test_values_of_the_headers_example(handle, dtype, points, expected):
    """The header prints points 1 beside the output of points 5."""
    actual = align(handle, [[1, 2], [2, 4]], [0, 2, 2, 1, 1], points, dtype=dtype)
    assert actual.tolist() == expected


def test_a_box_is_y_x_width_height_angle(handle):
    """Corners of a box two wide and none high lie on its row."""
    values = np.arange(12.0).reshape(3, 4)
    assert np.array_equal(align(handle, values, [1, 2, 2, 0, 0], points=5), values + 6 + 7 + 7 + 5 + 5)


def test_a_sample_is_interpolated_and_its_pixel_added_once(handle):
    values = np.arange(12.0).reshape(3, 4)
    assert np.array_equal(align(handle, values, [1.25, 1.5, 0, 0, 0]), values + 6.5)


def test_box_coordinates_are_scaled(handle):
    values = np.arange(12.0).reshape(3, 4)
    assert np.array_equal(align(handle, values, [4, 8, 0, 0, 0], spatial_scale=0.25), values + 6)


@pytest.mark.parametrize(
    ("centre", "sample"),
    [((-1, 2), 2), ((3, 2), 10), ((1, -1), 4), ((1, 4), 7), ((3.01, 2), 0), ((1, -1.01), 0)],
)
def test_points_on_the_border_count_clamped_and_those_beyond_add_nothing(handle, centre, sample):
    values = np.arange(12.0).reshape(3, 4)
    assert np.array_equal(align(handle, values, [*centre, 0, 0, 0]), values + sample)


def test_without_a_point_on_the_map_every_bit_stays(handle):
    values = np.array([[-0.0, NAN], [np.inf, 1e-40]], np.float32)
    actual = align(handle, values, [50, 50, 1, 1, 0], points=5)
    assert actual.tobytes() == values.tobytes()


def aligning(batches=2, height=3, width=4, channels=6, points=5, spatial_scale=0.5, dtype="FLOAT"):
    tensors = {
        "input": ["NHWC", dtype, [batches, height, width, channels]],
        "bboxes": ["ARRAY", dtype, [batches, height, width, 5]],
        "output": ["NHWC", dtype, [batches, height, width, channels]],
    }
    return tensors, {"points": points, "spatial_scale": spatial_scale}


@pytest.mark.parametrize("dtype", ["FLOAT", "HALF"])
def test_a_valid_call_is_accepted(caller, dtype):
    assert caller.status(FUNCTION, *aligning(dtype=dtype)) == "SUCCESS"


@pytest.mark.parametrize("name", ["input", "bboxes", "output"])
@pytest.mark.parametrize("what", ["{}", "{}_desc"])
def test_null_is_a_bad_parameter(caller, name, what):
    assert caller.status(FUNCTION, *aligning(), null=[what.format(name)]) == "BAD_PARAM"


def test_a_null_handle_is_a_bad_parameter(caller):
    assert caller.status(FUNCTION, *aligning(), null=["handle"]) == "BAD_PARAM"


@pytest.mark.parametrize("axis", range(4))
@pytest.mark.parametrize("name", ["input", "bboxes", "output"])
def test_no_dimension_is_free(caller, name, axis):
    tensors, scalars = aligning()
    tensors[name][2][axis] += 2
    assert caller.status(FUNCTION, tensors, scalars) == "BAD_PARAM"


@pytest.mark.parametrize("name", ["input", "bboxes", "output"])
@pytest.mark.parametrize("dtype", ["HALF", "DOUBLE", "INT32"])
def test_one_tensor_of_another_dtype_is_a_bad_parameter(caller, name, dtype):
    tensors, scalars = aligning()
    tensors[name][1] = dtype
    assert caller.status(FUNCTION, tensors, scalars) == "BAD_PARAM"


@pytest.mark.parametrize(
    ("name", "status"), [("input", "BAD_PARAM"), ("bboxes", "SUCCESS"), ("output", "BAD_PARAM")]
)
def test_layout_counts_only_for_feature_maps(caller, name, status):
    tensors, scalars = aligning()
    tensors[name][0] = "NCHW"
    assert caller.status(FUNCTION, tensors, scalars) == status


@pytest.mark.parametrize("size", ["batches", "height", "width", "channels"])
def test_zero_elements_are_a_bad_parameter(caller, size):
    assert caller.status(FUNCTION, *aligning(**{size: 0})) == "BAD_PARAM"


@pytest.mark.parametrize(
    ("points", "spatial_scale", "status"),
    [
        (1, 0.5, "SUCCESS"),
        (5, float("inf"), "SUCCESS"),
        (0, 0.5, "BAD_PARAM"),
        (4, 0.5, "BAD_PARAM"),
        (5, 0.0, "BAD_PARAM"),
        (5, -0.5, "BAD_PARAM"),
        (5, NAN, "BAD_PARAM"),
    ],
)
def test_points_are_one_or_five_and_the_scale_is_positive(caller, points, spatial_scale, status):
    assert caller.status(FUNCTION, *aligning(points=points, spatial_scale=spatial_scale)) == status


@pytest.mark.parametrize("name", ["input", "bboxes", "output"])
def test_strides_that_are_not_contiguous_are_not_supported(caller, name):
    tensors, scalars = aligning()
    dims = tensors[name][2]
    tensors[name].append([dims[1] * dims[2] * dims[3], dims[2] * dims[3], 1, dims[2]])
    assert caller.status(FUNCTION, tensors, scalars) == "NOT_SUPPORTED"


@pytest.mark.parametrize("scalars", [{"points": 3}, {"spatial_scale": 0.0}])
def test_two_to_the_31_elements_count_before_points_and_scale(caller, scalars):
    """rotated_feature_align_backward checks them the other way round."""
    call = aligning(height=1 << 10, width=1 << 10, channels=1 << 10, **scalars)
    assert caller.status(FUNCTION, *call) == "NOT_SUPPORTED"
