"""rotated_feature_align backward."""

from __future__ import annotations

import numpy as np
import pytest
from mluops_reference import rotated_feature_align_backward, rotated_feature_align_backward_baseline

# open-mmlab/mmcv tests/test_ops/test_rotated_feature_align.py:35-148: boxes of [2, 4, 4] pixels, scale 1/8,
# points 1; the gradient of the input for an output gradient of ones.
MMCV_BOXES = [
    [13.08, 12.688, 11.214, 93.944, -0.91905],
    [38.104, 10.134, 146.59, 90.306, -0.98211],
    [-53.213, 49.508, 51.513, 32.055, -0.31954],
    [26.974, 25.248, 54.495, 3.1083, -0.62127],
    [-15.604, -51.908, 239.98, 15.008, -1.2546],
    [31.354, -7.3635, 67.879, 35.081, -0.33851],
    [-5.3292, 9.1946, 12.834, 10.485, -1.3039],
    [-23.925, 36.623, 39.875, 72.009, -0.65934],
    [72.114, -23.781, 29.106, 84.501, -1.134],
    [26.258, -7.7034, 176.29, 106.15, -1.2156],
    [38.057, 46.016, 12.965, 6.9384, -1.0855],
    [24.428, -16.189, 205.72, 31.622, -0.15719],
    [3.8226, 29.608, 14.457, 68.179, -0.91997],
    [25.003, -42.49, 96.007, 49.086, -1.4786],
    [85.983, 54.98, 78.08, 100.03, -1.0926],
    [9.9065, 41.457, 5.9799, 17.973, -0.56313],
    [-18.244, 4.6309, 53.01, 24.31, -0.70345],
    [19.419, 36.704, 52.39, 54.133, -0.3773],
    [56.387, 23.752, 9.0441, 17.792, -1.5583],
    [36.303, 16.396, 20.283, 19.148, -0.83419],
    [32.169, 30.521, 26.283, 196.8, -0.30454],
    [25.788, -32.189, 88.882, 102.07, -1.5328],
    [8.4676, -16.668, 24.657, 112.75, -0.40388],
    [-10.799, 6.0422, 9.5807, 33.677, -0.35438],
    [69.363, 10.85, 25.968, 22.311, -0.16408],
    [2.814, 4.6843, 3.1289, 21.48, -0.67583],
    [26.661, 45.29, 6.1679, 30.005, -0.89806],
    [5.0871, 13.234, 92.087, 49.622, -0.2802],
    [-12.643, 25.176, 50.488, 54.246, -0.4484],
    [-34.521, 0.98435, 52.413, 9.7996, -0.84218],
    [49.829, -10.808, 29.848, 73.579, -0.62672],
    [80.446, 28.064, 45.273, 53.809, -1.2359],
]
MMCV_GRADIENT = [
    [1.0, 1.8507, 1.1493, 1.5222],
    [1.0, 1.1511, 1.2139, 1.4778],
    [1.0, 1.2629, 1.3721, 1.0],
    [3.0, 1.0, 1.0, 2.0],
    [1.2687, 1.5055, 1.2382, 1.0],
    [1.1458, 1.4258, 1.416, 1.0],
    [1.0, 1.0, 1.0, 1.0],
    [1.0, 1.0, 1.0, 1.0],
]


def align(top, boxes, function=rotated_feature_align_backward, spatial_scale=1.0, points=5, **options):
    return function(np.asarray(top), np.asarray(boxes), spatial_scale=spatial_scale, points=points, **options)


def literal(top, boxes, spatial_scale, points, T=np.float64):
    batches, height, width, _ = top.shape
    bottom = top.astype(np.float64)
    scale = T(np.float32(spatial_scale))

    def axis(position, size):
        position = position if position > 0 or np.isnan(position) else T(0)
        low = 0 if np.isnan(position) else int(position)
        if low >= size - 1:
            return (size - 1, 1.0), (size - 1, 0.0)
        return (low, 1 - (float(position) - low)), (low + 1, float(position) - low)

    for b, h, w in np.ndindex(batches, height, width):
        box = boxes[b, h, w]
        y, x, bw, bh = (T(value) * scale for value in box[:4])
        c, s = T(np.cos(float(box[4]))), T(np.sin(float(box[4])))
        wx, wy, hx, hy = c * (bw / T(2)), s * (bw / T(2)), -s * (bh / T(2)), c * (bh / T(2))
        corners = [(y, x), (y + wy + hy, x + wx + hx), (y - wy + hy, x - wx + hx)]
        corners += [(y - wy - hy, x - wx - hx), (y + wy - hy, x + wx - hx)]
        for py, px in corners[:points]:
            if py < -1 or py > height or px < -1 or px > width:
                continue
            for row, weight_y in axis(py, height):
                for column, weight_x in axis(px, width):
                    bottom[b, row, column] += weight_y * weight_x * top[b, h, w].astype(np.float64)
    return bottom


def random_case(seed, size=(2, 7, 13, 3), dtype=np.float32):
    rng = np.random.default_rng(seed)
    boxes = np.empty((*size[:3], 5))
    boxes[..., 0] = rng.uniform(-2, size[1] + 2, size[:3])
    boxes[..., 1] = rng.uniform(-2, size[2] + 2, size[:3])
    boxes[..., 2:4] = rng.uniform(0, 6, (*size[:3], 2))
    boxes[..., 4] = rng.uniform(-4, 4, size[:3])
    return rng.uniform(-1, 1, size).astype(dtype), boxes.astype(dtype)


def one_pixel(box, points, size=(1, 5, 6, 1)):
    """The gradient that a box spreads from pixel (0, 0), without the pixel's own."""
    top, boxes = np.zeros(size, np.float32), np.full((*size[:3], 5), -99, np.float32)
    top[0, 0, 0], boxes[0, 0, 0] = 1, box
    bottom = align(top, boxes, points=points)
    bottom[0, 0, 0] -= 1
    return bottom[0, :, :, 0]


def test_the_unit_test_of_mmcv():
    boxes = np.array(MMCV_BOXES, np.float32).reshape(2, 4, 4, 5)
    bottom = align(np.ones((2, 4, 4, 3), np.float32), boxes, spatial_scale=0.125, points=1)
    expected = np.array(MMCV_GRADIENT).reshape(2, 4, 4, 1)
    np.testing.assert_allclose(bottom, np.broadcast_to(expected, bottom.shape), atol=1e-4)


def test_the_first_field_of_a_box_is_y():
    expected = np.zeros((5, 6))
    expected[1, 4] = 1
    np.testing.assert_array_equal(one_pixel([1, 4, 2, 2, 0.3], 1), expected)


def test_the_five_points_of_an_upright_box_twice_as_wide_as_high():
    expected = np.zeros((5, 6))
    expected[2, 3] = expected[1, 1] = expected[1, 5] = expected[3, 1] = expected[3, 5] = 1
    np.testing.assert_array_equal(one_pixel([2, 3, 4, 2, 0], 5), expected)


def test_a_positive_angle_turns_the_width_towards_positive_y():
    expected = np.zeros((5, 6))
    expected[2, 3] = expected[0, 2] = expected[0, 4] = expected[4, 2] = expected[4, 4] = 1
    np.testing.assert_allclose(one_pixel([2, 3, 4, 2, np.pi / 2], 5), expected, atol=1e-6)
    wide = one_pixel([2, 2, 2 * np.sqrt(2), 0, np.pi / 4], 5)
    assert wide[3, 3] == pytest.approx(2, abs=1e-5)
    assert wide[1, 1] == pytest.approx(2, abs=1e-5)


@pytest.mark.parametrize(
    ("y", "row"), [(-1, 0), (-0.5, 0), (0, 0), (4, 4), (4.5, 4), (5, 4), (-1.001, None), (5.001, None)]
)
def test_a_point_on_the_border_is_clamped(y, row):
    expected = np.zeros((5, 6))
    if row is not None:
        expected[row, 2] = 1
    np.testing.assert_array_equal(one_pixel([y, 2, 0, 0, 0], 1), expected)


@pytest.mark.parametrize("points", [1, 5])
@pytest.mark.parametrize("spatial_scale", [1.0, 0.3])
def test_random_boxes(points, spatial_scale):
    top, boxes = random_case(1)
    boxes[..., :4] /= spatial_scale
    np.testing.assert_allclose(
        align(top, boxes, spatial_scale=spatial_scale, points=points),
        literal(top, boxes, spatial_scale, points),
        atol=1e-13,
    )


@pytest.mark.parametrize("points", [1, 5])
def test_half_coordinates_step_by_step(points):
    top, boxes = random_case(2, (1, 30, 60, 1), np.float16)
    bottom = align(top, boxes, spatial_scale=0.9, points=points, coordinates=np.float16)
    np.testing.assert_allclose(bottom, literal(top, boxes, 0.9, points, np.float16), atol=1e-13)
    assert np.abs(bottom - align(top, boxes, spatial_scale=0.9, points=points)).max() > 1e-3


def test_half_data_with_exact_coordinates_is_the_default():
    top, boxes = random_case(3, dtype=np.float16)
    np.testing.assert_allclose(align(top, boxes), literal(top, boxes, 1.0, 5), atol=1e-13)


@pytest.mark.parametrize("points", [1, 5])
def test_many_pixels_are_added_in_pieces(points, monkeypatch):
    monkeypatch.setattr("mluops_reference.rotated_feature_align._ELEMENTS_AT_ONCE", 50)
    top, boxes = random_case(4)
    np.testing.assert_allclose(align(top, boxes, points=points), literal(top, boxes, 1.0, points), atol=1e-13)


def test_boxes_that_all_point_at_one_cell():
    top, boxes = random_case(5)
    boxes[..., :] = (2.25, 3.5, 0, 0, 0)
    np.testing.assert_allclose(align(top, boxes), literal(top, boxes, 1.0, 5), atol=1e-12)


def test_boxes_all_outside_leave_the_gradient_alone():
    top, boxes = random_case(6)
    boxes[..., :2] = -50
    np.testing.assert_array_equal(align(top, boxes), top)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_a_special_gradient_also_reaches_corners_of_weight_zero(value):
    top, boxes = random_case(7)
    top[0, 3, 4, 1] = value
    boxes[0, 3, 4] = (2, 5, 0, 0, 0)
    top[1, 0, 0, 0] = -value
    with np.errstate(invalid="ignore"):
        expected = literal(top, boxes, 1.0, 5)
    assert np.isnan(expected[0, 3, 6, 1])
    np.testing.assert_allclose(align(top, boxes), expected, atol=1e-13)


@pytest.mark.parametrize("value", [np.nan, np.inf])
@pytest.mark.parametrize("field", range(5))
def test_a_box_that_is_not_finite_follows_the_formula(value, field):
    top, boxes = random_case(8)
    boxes[0, 3, 4, field] = value
    with np.errstate(invalid="ignore"):
        expected = literal(top, boxes, 1.0, 5)
    np.testing.assert_allclose(align(top, boxes), expected, atol=1e-13)


def test_the_gradient_of_points_inside_is_kept_in_sum():
    top, boxes = random_case(9)
    boxes[..., 0], boxes[..., 1] = 3, 6
    boxes[..., 2:4] = np.minimum(boxes[..., 2:4], 4)
    total = align(top, boxes).sum(axis=(0, 1, 2))
    np.testing.assert_allclose(total, 6 * top.sum(axis=(0, 1, 2), dtype=np.float64), rtol=1e-9, atol=1e-9)


def test_the_absolute_gradient_bounds_the_gradient():
    top, boxes = random_case(10)
    assert (np.abs(align(top, boxes)) <= align(np.abs(top), boxes) + 1e-15).all()


@pytest.mark.parametrize("points", [0, 2, 6])
def test_other_numbers_of_points_are_refused(points):
    with pytest.raises(ValueError, match=f"points must be 1 or 5, not {points}"):
        align(*random_case(11), points=points)


def test_shapes_that_do_not_fit_are_refused():
    top, boxes = random_case(12)
    with pytest.raises(ValueError, match="top_output must be"):
        align(top[0], boxes)
    with pytest.raises(ValueError, match=r"bboxes must be \(2, 7, 13, 5\), not \(2, 7, 12, 5\)"):
        align(top, boxes[:, :, 1:])


@pytest.mark.parametrize(
    ("dtype", "coordinates", "tolerance"),
    [("f4", np.float32, 1e-5), ("f2", np.float32, 2e-3), ("f2", np.float16, 2e-3)],
)
def test_the_baseline_is_as_close_as_its_precision(dtype, coordinates, tolerance):
    top, boxes = random_case(13, dtype=dtype)
    top = np.abs(top)
    baseline = align(top, boxes, rotated_feature_align_backward_baseline, coordinates=coordinates)
    assert baseline.dtype == top.dtype
    exact = np.float16 if coordinates is np.float16 else np.float64
    reference = align(top, boxes, coordinates=exact)
    assert 0 < np.abs(baseline - reference).sum() / reference.sum() < tolerance
