"""The local scale of the pointwise criterion bounds what rounding can do, at every element."""

from __future__ import annotations

import numpy as np
import pytest
from mluops_conformance.execution.inputs import fill_inputs, scalars_of
from mluops_conformance.judging.values import Threshold
from mluops_conformance.judging.verdict import Interpretation, judge
from mluops_conformance.operators import _local_scale, operator_names, the_operator
from mluops_conformance.operators._local_scale import add_neighbours, magnitude, over_neighbours

UNIT_ROUNDOFF = 2.0**-24
FLOOR = 1e-5


@pytest.fixture
def maps():
    values = np.zeros((1, 4, 5, 1))
    values[0, 1, 2] = 3
    values[0, 3, 4] = 7
    return values


def test_a_maximum_over_neighbours_reaches_one_pixel_in_every_direction(maps):
    assert over_neighbours(np.maximum, maps)[0, :, :, 0].tolist() == [
        [0, 3, 3, 3, 0],
        [0, 3, 3, 3, 0],
        [0, 3, 3, 7, 7],
        [0, 0, 0, 7, 7],
    ]


def test_a_sum_over_neighbours_counts_each_once(maps):
    assert over_neighbours(np.add, maps)[0, 2, 3, 0] == 10


def test_over_neighbours_leaves_its_argument(maps):
    before = maps.copy()
    over_neighbours(np.add, maps)
    assert np.array_equal(maps, before)


@pytest.mark.parametrize("combine", [np.add, np.maximum])
@pytest.mark.parametrize("elements", [1, 24, 1000])
def test_neighbours_are_added_whatever_the_size_of_a_block(combine, elements, monkeypatch):
    monkeypatch.setattr(_local_scale, "ELEMENTS_AT_ONCE", elements)
    maps = np.random.RandomState(0).randint(0, 9, (2, 5, 3, 4)).astype(np.float32)
    expected = maps + 0.5 * over_neighbours(combine, maps)
    add_neighbours(maps, combine, 0.5)
    assert np.array_equal(maps, expected)


def test_a_magnitude_is_finite():
    values = np.array([-2, np.nan, np.inf, -np.inf], np.float16)
    assert magnitude(values).tolist() == [2, 0, 0, 0]


@pytest.mark.parametrize("name", [name for name in operator_names() if the_operator(name).scale])
def test_a_scale_is_no_less_than_what_it_scales(network_case, name):
    case, operator = network_case(name), the_operator(name)
    inputs, scalars = fill_inputs(case, operator, seed=0), scalars_of(case)
    expected, scale = operator.reference(inputs, scalars), operator.scale(inputs, scalars)
    for output, bound in scale.outputs.items():
        assert (bound * (1 + FLOOR) >= abs(expected.outputs[output])).all()


@pytest.fixture
def deform():
    """Noise sampled far from the origin, where rounded coordinates matter more than rounded values."""
    rng = np.random.default_rng(5)
    inputs = {
        "input": rng.uniform(-1, 1, (1, 300, 7, 2)).astype(np.float32),
        "rois": np.array([[0, 0.3, y, 5.9, y + 2.7] for y in rng.uniform(250, 290, 200)], np.float32),
    }
    scalars = {"pooled_height": 1, "pooled_width": 2, "spatial_scale": 1.0, "sampling_ratio": 1, "gamma": 0.1}
    return inputs, scalars


def moved(inputs, shift):
    rois = inputs["rois"].astype(np.float64)
    rois[:, 1:] += shift
    return {**inputs, "rois": rois}


@pytest.mark.parametrize("sign", [-1, 1])
def test_deform_allows_for_six_roundings_of_a_coordinate(deform, sign):
    inputs, scalars = deform
    operator = the_operator("deform_roi_pool_forward")
    expected = operator.reference(inputs, scalars).outputs["output"]
    shifted = operator.reference(moved(inputs, sign * 6 * UNIT_ROUNDOFF * 290), scalars).outputs["output"]
    scale = operator.scale(inputs, scalars).outputs["output"]
    assert (np.abs(shifted - expected) <= FLOOR * scale).all()
    assert (np.abs(shifted - expected) > FLOOR * np.abs(expected)).any()


def test_rotated_allows_for_six_roundings_of_a_coordinate():
    rng = np.random.default_rng(5)
    boxes = np.zeros((1, 300, 7, 5))
    boxes[..., 0] = np.arange(300)[:, None] + rng.uniform(-1, 1, (300, 7))
    boxes[..., 1] = np.arange(7) + rng.uniform(-1, 1, (300, 7))
    inputs = {"top_output": rng.uniform(-1, 1, (1, 300, 7, 2)).astype(np.float32), "bboxes": boxes}
    scalars = {"spatial_scale": 1.0, "points": 1}
    operator = the_operator("rotated_feature_align_backward")
    shift = 6 * UNIT_ROUNDOFF * 300
    shifted = operator.reference({**inputs, "bboxes": boxes + np.array([shift, -shift, 0, 0, 0])}, scalars)
    error = np.abs(
        shifted.outputs["bottom_input"] - operator.reference(inputs, scalars).outputs["bottom_input"]
    )
    assert (error <= FLOOR * operator.scale(inputs, scalars).outputs["bottom_input"]).all()


@pytest.mark.parametrize("name", ["deform_roi_pool_forward", "rotated_feature_align_backward"])
def test_a_baseline_stays_well_within_the_scale(name, filled):
    operator = the_operator(name)
    dims = {dim.name: 9 for dim in operator.dims}
    params = {**{param.name: param.default for param in operator.params}, "points": 5}
    inputs = {
        tensor.name: filled(name, tensor.name, tensor.fill["fill"], dims, params)
        for tensor in operator.inputs
        if tensor.fill
    }
    scalars = {**dims, **params}
    expected = operator.reference(inputs, scalars).outputs
    computed = operator.baseline(inputs, scalars).outputs
    scale = operator.scale(inputs, scalars).outputs
    (output,) = expected
    assert np.max(np.abs(computed[output] - expected[output]) / scale[output]) < FLOOR / 3


ODD = [-3e5, 1e9, 3e38, np.inf, -np.inf, np.nan]


@pytest.fixture
def regions():
    """128 regions on a map of 32 x 32 x 4."""
    rng = np.random.default_rng(1)
    start = rng.uniform(0, 16, (128, 2))
    inputs = {
        "input": rng.uniform(-1, 1, (1, 32, 32, 4)).astype(np.float32),
        "rois": np.hstack([np.zeros((128, 1)), start, start + 12]).astype(np.float32),
    }
    scalars = {"pooled_height": 3, "pooled_width": 3, "spatial_scale": 1.0, "sampling_ratio": 2, "gamma": 0.1}
    return inputs, scalars


@pytest.fixture
def boxes():
    """A box at each pixel of a map of 32 x 32 x 8, two pixels wide and high."""
    rng = np.random.default_rng(2)
    values = np.zeros((1, 32, 32, 5), np.float32)
    values[..., :2] = np.moveaxis(np.indices((32, 32)), 0, 2) + rng.uniform(-1, 1, (32, 32, 2))
    values[..., 2:] = [2, 2, 0.3]
    inputs = {"top_output": rng.uniform(-1, 1, (1, 32, 32, 8)).astype(np.float32), "bboxes": values}
    return inputs, {"spatial_scale": 1.0, "points": 5}


def with_odd_region(inputs, value):
    rois = inputs["rois"].copy()
    rois[5, 1] = value
    return {**inputs, "rois": rois}


def with_odd_box(inputs, field, value):
    values = inputs["bboxes"].copy()
    values[0, 16, 16, field] = value
    return {**inputs, "bboxes": values}


@pytest.mark.parametrize("value", ODD)
def test_an_odd_region_leaves_the_scale_of_all_others(regions, value):
    inputs, scalars = regions
    scale = the_operator("deform_roi_pool_forward").scale
    before = scale(inputs, scalars).outputs["output"]
    after = scale(with_odd_region(inputs, value), scalars).outputs["output"]
    others = np.arange(128) != 5
    assert np.allclose(before[others], after[others], rtol=1e-12, atol=0)


@pytest.mark.parametrize("field", [0, 2, 4])
@pytest.mark.parametrize("value", ODD)
def test_an_odd_box_leaves_the_scale_of_pixels_far_from_it(boxes, field, value):
    inputs, scalars = boxes
    scale = the_operator("rotated_feature_align_backward").scale
    before = scale(inputs, scalars).outputs["bottom_input"]
    after = scale(with_odd_box(inputs, field, value), scalars).outputs["bottom_input"]
    assert np.array_equal(before[0, 22:, 22:], after[0, 22:, 22:])


def error_over_scale(name, inputs, scalars):
    """The largest error of the baseline, where all are finite, over the scale."""
    operator = the_operator(name)
    (expected,) = operator.reference(inputs, scalars).outputs.values()
    (computed,) = operator.baseline(inputs, scalars).outputs.values()
    (scale,) = operator.scale(inputs, scalars).outputs.values()
    finite = np.isfinite(expected) & np.isfinite(computed) & np.isfinite(scale)
    return np.max(np.abs(computed[finite] - expected[finite]) / np.maximum(scale[finite], 1e-38))


@pytest.mark.parametrize("value", ODD)
def test_a_baseline_stays_within_the_scale_of_an_odd_region_too(regions, value):
    inputs, scalars = regions
    assert error_over_scale("deform_roi_pool_forward", with_odd_region(inputs, value), scalars) < FLOOR


@pytest.mark.parametrize("field", [0, 2])
@pytest.mark.parametrize("value", [-3e5, 1e6, 1e9])
def test_a_baseline_stays_within_the_scale_of_an_odd_box_too(boxes, field, value):
    inputs, scalars = boxes
    name = "rotated_feature_align_backward"
    assert error_over_scale(name, with_odd_box(inputs, field, value), scalars) < FLOOR


def test_a_corner_that_rounding_moves_by_pixels_is_allowed_for(boxes):
    inputs = with_odd_box(boxes[0], 3, 921480000)
    inputs["bboxes"][0, 16, 16, [0, 1, 4]] = [460740053, 53, 0]
    scalars = {"spatial_scale": 0.3, "points": 5}
    name = "rotated_feature_align_backward"
    assert FLOOR / 10 < error_over_scale(name, inputs, scalars) < FLOOR


@pytest.mark.parametrize("value", ODD)
def test_one_per_cent_off_is_refused_beside_an_odd_region(regions, value):
    inputs, scalars = with_odd_region(regions[0], value), regions[1]
    assert refused("deform_roi_pool_forward", inputs, scalars, (99, 1, 2, 3)) == (99, 1, 2, 3)


@pytest.mark.parametrize("value", ODD)
def test_one_per_cent_off_is_refused_beside_an_odd_box(boxes, value):
    inputs, scalars = with_odd_box(boxes[0], 2, value), boxes[1]
    assert refused("rotated_feature_align_backward", inputs, scalars, (0, 25, 25, 3)) == (0, 25, 25, 3)


def refused(name, inputs, scalars, wrong):
    """The worst element of an output that is refused, for one of its elements is off by 1 %."""
    operator = the_operator(name)
    (expected,) = operator.reference(inputs, scalars).outputs.values()
    (scale,) = operator.scale(inputs, scalars).outputs.values()
    actual = expected.astype(np.float32)
    actual[wrong] += 0.01 * scale[wrong]
    right = Interpretation("double", expected, {"pointwise": Threshold(FLOOR, "case")}, scale)
    verdict = judge("output", actual, [right])
    assert verdict.outcome == "failed"
    return verdict.worst[0].index
