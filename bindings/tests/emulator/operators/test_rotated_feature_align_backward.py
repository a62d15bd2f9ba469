"""rotated_feature_align_backward on both devices, through the C interface where not said otherwise."""

from __future__ import annotations

import numpy as np
import pytest
from mluops import operators
from mluops_emulator.device import MODELS
from mluops_emulator.operators.rotated_feature_align_backward import kernel


def scatter(handle, box, points=1, shape=(5, 6), value=1.0, at=(4, 5), dtype=np.float32, spatial_scale=1.0):
    """The map that the gradient `value` of one pixel gives; the others have none, and boxes far away."""
    top = np.zeros((1, *shape, 1), dtype)
    boxes = np.full((1, *shape, 5), -1000, dtype)
    top[0, at[0], at[1]], boxes[0, at[0], at[1]] = value, box
    return operators.rotated_feature_align_backward(
        handle, top, boxes, spatial_scale=spatial_scale, points=points
    )[0, :, :, 0]


def expected_map(shape, *cells):
    expected = np.zeros(shape, np.float32)
    for y, x, value in cells:
        expected[y, x] += value
    return expected


@pytest.mark.parametrize("dtype", [np.float32, np.float16])
def test_values_of_mmcvs_unit_test(handle, known_answers, dtype):
    [case] = known_answers("rotated_feature_align_backward")
    actual = operators.rotated_feature_align_backward(
        handle,
        np.ones((2, 4, 4, 3), dtype),
        np.array(case["bboxes"], dtype),
        spatial_scale=case["spatial_scale"],
        points=case["points"],
    )
    assert actual == pytest.approx(np.array(case["expected"]), rel=1e-3)


def test_the_gradient_goes_to_the_pixel_and_to_the_corners_of_its_point(handle):
    actual = scatter(handle, [1.25, 2.5, 0, 0, 0], value=8.0)
    cells = [(4, 5, 8), (1, 2, 3), (1, 3, 3), (2, 2, 1), (2, 3, 1)]
    assert np.array_equal(actual, expected_map((5, 6), *cells))


def test_box_coordinates_are_scaled(handle):
    actual = scatter(handle, [4, 8, 0, 0, 0], spatial_scale=0.25)
    assert np.array_equal(actual, expected_map((5, 6), (4, 5, 1), (1, 2, 1)))


@pytest.mark.parametrize(
    ("box", "cell"),
    [((-1, 2), (0, 2)), ((5, 2), (4, 2)), ((1, -1), (1, 0)), ((1, 6), (1, 5)), ((4.5, 5.5), (4, 5))],
)
def test_points_on_the_border_count_clamped(handle, box, cell):
    actual = scatter(handle, [*box, 0, 0, 0])
    assert np.array_equal(actual, expected_map((5, 6), (4, 5, 1), (*cell, 1)))


@pytest.mark.parametrize("box", [(-1.01, 2), (5.01, 2), (1, -1.01), (1, 6.01)])
def test_points_beyond_the_border_do_not(handle, box):
    assert np.array_equal(scatter(handle, [*box, 0, 0, 0]), expected_map((5, 6), (4, 5, 1)))


def test_five_points_are_the_centre_and_the_corners_of_the_box(handle):
    """Width along x and height along y at angle 0."""
    actual = scatter(handle, [5, 6, 4, 2, 0], points=5, shape=(11, 13), at=(0, 0))
    cells = [(0, 0), (5, 6), (6, 8), (6, 4), (4, 4), (4, 8)]
    assert np.array_equal(actual, expected_map((11, 13), *((y, x, 1) for y, x in cells)))


def test_the_box_turns_from_x_towards_y(handle):
    """Width (4, 3) and height (-3, 4) in (x, y): the four corners by hand, centre (x, y) = (10, 10)."""
    actual = scatter(handle, [10, 10, 10, 10, np.arctan2(3, 4)], points=5, shape=(21, 22), at=(0, 0))
    cells = [(0, 0), (10, 10), (17, 11), (11, 3), (3, 9), (9, 17)]
    assert actual == pytest.approx(expected_map((21, 22), *((y, x, 1) for y, x in cells)), abs=1e-5)


def test_infinity_reaches_also_cells_of_weight_zero(handle):
    actual = scatter(handle, [1, 2, 0, 0, 0], value=np.inf)
    assert actual[1, 2] == np.inf
    assert np.isnan([actual[1, 3], actual[2, 2], actual[2, 3]]).all()
    assert actual[0].tolist() == [0] * 6


@pytest.mark.parametrize("dtype", [np.float32, np.float16])
def test_each_step_is_rounded_to_the_storage_type(handle, dtype):
    """The same formula in NumPy scalars of the storage type, for the one pixel that has a gradient."""
    rng = np.random.default_rng(11)
    for _ in range(20):
        value = dtype(rng.standard_normal())
        box = [*rng.uniform(4, 16, 2), *rng.uniform(2, 9, 2), rng.uniform(-4, 4)]
        box = np.array(box, dtype)
        actual = scatter(handle, box, 5, (8, 9), value, dtype=dtype, spatial_scale=0.3)
        assert np.array_equal(actual, scattered(box, (8, 9), value, dtype))


def scattered(box, shape, value, T):
    y, x, width, height = (field * T(0.3) for field in box[:4])
    cosine, sine = T(np.cos(np.float32(box[4]))), T(np.sin(np.float32(box[4])))
    wx, wy = cosine * (width / T(2)), sine * (width / T(2))
    hx, hy = -sine * (height / T(2)), cosine * (height / T(2))
    result = np.zeros(shape, T)
    corners = [(y + wy + hy, x + wx + hx), (y - wy + hy, x - wx + hx)]
    corners += [(y - wy - hy, x - wx - hx), (y + wy - hy, x + wx - hx)]
    for py, px in [(y, x), *corners]:
        if -1 <= py <= shape[0] and -1 <= px <= shape[1]:
            for row, row_weight in on_axis(py, shape[0], T):
                for column, column_weight in on_axis(px, shape[1], T):
                    result[row, column] += value * (row_weight * column_weight)
    result[4, 5] += value
    return result


def on_axis(coordinate, size, T):
    coordinate = max(coordinate, T(0))
    low = int(coordinate)
    if low >= size - 1:
        return (size - 1, T(1)), (size - 1, T(0))
    return (low, T(1) - (coordinate - T(low))), (low + 1, coordinate - T(low))


def random_case(dtype, channels=70):
    rng = np.random.default_rng(4)
    boxes = np.empty((2, 9, 12, 5))
    boxes[..., 0], boxes[..., 1] = rng.uniform(-8, 80, (2, 9, 12)), rng.uniform(-8, 104, (2, 9, 12))
    boxes[..., 2:4], boxes[..., 4] = rng.uniform(8, 60, (2, 9, 12, 2)), rng.uniform(-4, 4, (2, 9, 12))
    return rng.standard_normal((2, 9, 12, channels)).astype(dtype), boxes.astype(dtype)


def run(device, case, seed=0, points=5):
    bottom = np.empty_like(case[0])
    rng = np.random.default_rng(seed)
    kernel(*case, bottom, spatial_scale=0.125, points=points, device=device, rng=rng)
    return bottom


@pytest.mark.parametrize("points", [1, 5])
def test_devices_and_seeds_agree_but_for_the_order_of_sums(small_device, points):
    case = random_case(np.float32)
    results = [run(device, case, 0, points) for device in (*MODELS.values(), small_device)]
    results.append(run(small_device, case, 1, points))
    for result in results[1:]:
        assert result == pytest.approx(results[0], abs=1e-5)


def test_the_order_of_additions_shows_in_half(device):
    case = random_case(np.float16)
    assert np.array_equal(run(device, case, seed=0), run(device, case, seed=0))
    assert not np.array_equal(run(device, case, seed=0), run(device, case, seed=1))


def test_a_gradient_is_neither_lost_nor_made(device):
    """Without samples beyond the map each pixel adds its gradient 1 + points times."""
    top = np.ones((1, 16, 16, 2), np.float32)
    boxes = np.zeros((1, 16, 16, 5), np.float32)
    boxes[..., :2], boxes[..., 2:4] = 8, 5
    assert run(device, (top, boxes)).sum() == pytest.approx(6 * top.sum())
