"""The use of sample places in a judgement of deform_roi_pool_backward."""

from __future__ import annotations

import numpy as np
import pytest
from mluops_conformance.execution.expectations import expect
from mluops_conformance.execution.inputs import fill_inputs
from mluops_conformance.execution.options import RunOptions
from mluops_conformance.execution.session import Session
from mluops_conformance.language.load import select
from mluops_conformance.operators import the_operator
from mluops_conformance.operators._pooled_rois import Axis, grids_of

SCALARS = {"pooled_height": 1, "pooled_width": 1, "spatial_scale": 1.0, "sampling_ratio": 1, "gamma": 1.0}
FLOOR = 1e-5


@pytest.fixture
def operator():
    return the_operator("deform_roi_pool_backward")


def axis(first, step, number):
    return Axis(np.array([first]), np.array([step]), np.array([number]), 3)


def call(*rois, sampling_ratio=1, channels=2):
    """Inputs and scalars of regions on a map of 6 x 7 pixels, one bin each."""
    rng = np.random.default_rng(3)
    inputs = {
        "grad_output": rng.uniform(0.5, 1, (len(rois), 1, 1, channels)).astype(np.float32),
        "input": rng.uniform(-1, 1, (1, 6, 7, channels)).astype(np.float32),
        "rois": np.array(rois, np.float32),
        "offset": np.zeros((len(rois), 2, 1, 1), np.float32),
    }
    return inputs, {**SCALARS, "sampling_ratio": sampling_ratio}


def test_a_pixel_counts_the_samples_less_than_a_pixel_away():
    assert axis(0.25, 0.5, 4).of_pixels(np.zeros(1)).tolist() == [[2, 4, 2]]


def test_samples_may_run_backwards():
    assert axis(1.75, -0.5, 4).of_pixels(np.zeros(1)).tolist() == [[2, 4, 2]]


def test_samples_of_no_size_are_all_at_one_place():
    assert axis(0.25, 0.0, 4).of_pixels(np.zeros(1)).tolist() == [[4, 4, 0]]


def test_samples_near_a_pixel_may_be_on_either_side():
    assert axis(1.0005, 0.5, 3).on_lines(np.array([0.001])).tolist() == [2]


def test_samples_beyond_the_size_of_the_map_are_not_on_it():
    assert axis(-1.5, 1.0, 6).on_map().tolist() == [4]


@pytest.mark.parametrize(("sampling_ratio", "doubtful"), [(2, False), (3, True)])
def test_coordinates_that_float32_holds_leave_no_doubt(sampling_ratio, doubtful):
    inputs, scalars = call([0, 1.5, 2.5, 3.5, 4.5], sampling_ratio=sampling_ratio)
    assert grids_of(inputs, scalars, (6, 7)).doubtful.tolist() == [doubtful]


def test_the_gradient_of_the_offset_is_absent_with_the_offset(operator):
    assert operator.absent_with({"offset"}) == {"offset", "grad_offset"}
    assert operator.absent_with(()) == frozenset()


def test_a_pixel_adds_up_the_samples_around_it(operator):
    inputs, scalars = call([0, 1.75, 2.75, 3.75, 4.75], [0, 1.75, 2.75, 3.75, 4.75])
    counts = operator.addends(inputs, scalars)["grad_input"][0, :, :, 0]
    assert np.argwhere(counts == 2).tolist() == [[3, 2], [3, 3], [4, 2], [4, 3]]
    assert counts.sum() == 8


@pytest.mark.parametrize(("channels", "additions"), [(2, 4 + 1 + 2), (33, 4 + 2 + 32)])
def test_an_offset_adds_up_vectors_of_channels_then_lanes_then_samples(operator, channels, additions):
    inputs, scalars = call([0, 1, 1, 3, 3], sampling_ratio=2, channels=channels)
    assert operator.addends(inputs, scalars)["grad_offset"].ravel().tolist() == [additions]


@pytest.mark.parametrize(("offset", "expected"), [(True, 4 * (13 + 28) * 2), (False, 4 * 13 * 2)])
def test_operations_are_counted_in_each_channel_of_a_sample_on_the_map(operator, offset, expected):
    inputs, scalars = call([0, 1, 1, 3, 3], [0, 60, 60, 70, 70], sampling_ratio=2)
    if not offset:
        del inputs["offset"]
    assert operator.theory.operations(inputs, scalars, {}) == expected


def test_the_derivative_on_either_side_of_a_pixel_is_right(operator):
    """0.1 is not a float32: the sample may be on either side of column 3."""
    inputs, scalars = call([0, 24, 12.5, 46, 32.5])
    scalars["spatial_scale"] = 0.1
    beside = {**inputs, "rois": inputs["rois"].astype(np.float64) + np.array([0, -1e-5, 0, -1e-5, 0])}
    scale = operator.scale(inputs, scalars).outputs["grad_offset"]
    one, other = (operator.reference(given, scalars).outputs["grad_offset"] for given in (inputs, beside))
    assert abs(one - other).max() > 1e-3
    assert (abs(one - other) <= FLOOR * scale).all()


def test_a_derivative_within_a_cell_is_judged(operator):
    inputs, scalars = call([0, 2.65, 1.3, 4.65, 3.3])
    scale = operator.scale(inputs, scalars).outputs["grad_offset"]
    assert (FLOOR * scale < 1e-3).all()


@pytest.mark.parametrize("far", [-3e5, 1e9])
def test_a_far_region_leaves_the_scale_of_pixels_that_it_cannot_reach(operator, far):
    near = [[0, 1.75, 2.75, 3.75, 4.75]] * 2
    inputs, scalars = call(*near)
    inputs["grad_output"][1] = 0
    before = operator.scale(inputs, scalars).outputs["grad_input"]
    inputs["rois"][1, 1:] = far, 2, far + 10, 4
    inputs["grad_output"][1] = 1
    assert np.array_equal(before, operator.scale(inputs, scalars).outputs["grad_input"])


def test_the_baseline_of_a_sum_over_channels_is_held_against_the_sum_of_as_many(operator):
    (case,) = select((), ["deform_roi_pool_backward/channels:dtype=float32,channels=33"])
    inputs = fill_inputs(case, operator, 0)
    expected = expect(case, operator, inputs, Session(RunOptions(backend="emulator")))
    assert expected.interpretations["grad_offset"][0].thresholds["diff1"].value < 1e-3


def test_an_absent_output_is_not_expected(operator):
    (case,) = select((), ["deform_roi_pool_backward/no-offset:dtype=float32,sampling_ratio=0"])
    inputs = fill_inputs(case, operator, 0)
    expected = expect(case, operator, inputs, Session(RunOptions(backend="emulator")))
    assert list(expected.interpretations) == ["grad_input"]
