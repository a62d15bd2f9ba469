"""The cases, and their parts, on which the baseline is computed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from mluops_conformance.execution.expectations import expect
from mluops_conformance.execution.inputs import fill_inputs, scalars_of
from mluops_conformance.execution.options import RunOptions
from mluops_conformance.execution.session import Session
from mluops_conformance.language.load import select
from mluops_conformance.operators import operator_names, the_operator

CASE = "deform_roi_pool_forward/channels:dtype=float32,channels=33"


@pytest.fixture(scope="module")
def given_and_sampled():
    """The inputs of a case of many independent regions and channels, and those that its baseline got."""
    operator = the_operator("deform_roi_pool_forward")
    sampled = []

    def baseline(inputs, scalars):
        sampled.append(inputs)
        return operator.baseline(inputs, scalars)

    (case,) = select((), [CASE])
    case = replace(case, dims={**case.dims, "num_rois": 300})
    inputs = fill_inputs(case, operator, 0)
    expect(case, replace(operator, baseline=baseline), inputs, Session(RunOptions(backend="emulator")))
    return inputs, sampled[0]


def test_the_baseline_takes_every_third_of_three_hundred_regions(given_and_sampled):
    given, sampled = given_and_sampled
    assert np.array_equal(sampled["rois"], given["rois"][::3])


def test_shifts_stay_with_their_regions(given_and_sampled):
    given, sampled = given_and_sampled
    assert np.array_equal(sampled["offset"], given["offset"][::3])


def test_the_baseline_takes_the_first_eight_channels_of_the_whole_map(given_and_sampled):
    given, sampled = given_and_sampled
    assert np.array_equal(sampled["input"], given["input"][..., :8])


def test_a_further_reading_is_evaluated_where_it_is_asked_for():
    operator, asked = the_operator("deform_roi_pool_forward"), []
    half = operator.interpretations["half coordinates"]

    def reference(inputs, scalars):
        asked.append("half coordinates")
        return half.reference(inputs, scalars)

    readings = {"half coordinates": replace(half, reference=reference)}
    (case,) = select((), ["deform_roi_pool_forward/channels:dtype=float16,channels=33"])
    session = Session(RunOptions(backend="emulator"))
    inputs = fill_inputs(case, operator, 0)
    rights = expect(case, replace(operator, interpretations=readings), inputs, session).interpretations
    assert asked == []
    assert [right.name for right in rights["output"]] == ["double", "half coordinates"]
    assert rights["output"][1].expected.shape == rights["output"][-1].expected.shape
    assert asked == ["half coordinates"]


@pytest.fixture
def asking():
    """The right answers of a case that compares at stricter thresholds first, and what is evaluated."""
    operator, asked = the_operator("deform_roi_pool_forward"), []

    def noting(name):
        def noted(inputs, scalars):
            asked.append(name)
            return getattr(operator, name)(inputs, scalars)

        return noted

    (case,) = select((), [CASE])
    session = Session(RunOptions(backend="emulator"))
    session.floors_first = True
    inputs = fill_inputs(case, operator, 0)
    noted = replace(operator, **{name: noting(name) for name in ("baseline", "scale", "addends")})
    return expect(case, noted, inputs, session).interpretations["output"], asked


def test_an_answer_at_sight_takes_the_expectation_for_its_local_scale(asking):
    rights, asked = asking
    right = rights.stricter[0]()
    assert asked == []
    assert right.thresholds["pointwise"].value == 1e-5
    assert np.array_equal(right.scale, np.abs(right.expected))


@pytest.mark.slow
def test_no_local_scale_is_smaller_than_the_expectation():
    """Else an output could pass at sight, and fail by its local scale."""
    for name in operator_names():
        operator = the_operator(name)
        for case in select((), [f"operator={name} suite=smoke mode=check"]):
            if operator.scale is None or case.after or not case.data or not case.compare:
                continue
            inputs = fill_inputs(case, operator, 0)
            expected = operator.reference(inputs, scalars_of(case)).outputs
            scale = operator.scale(inputs, scalars_of(case)).outputs
            for output, of_output in scale.items():
                finite = np.isfinite(expected[output])
                assert (np.abs(expected[output]) <= of_output * (1 + 1e-6))[finite].all(), case.id


def test_floors_are_known_without_the_baseline(asking):
    rights, asked = asking
    assert rights.stricter[1]().thresholds["diff1"].value == 1e-5
    assert asked == ["scale", "addends"]


def test_the_plain_answer_has_thresholds_from_the_baseline(asking):
    rights, asked = asking
    assert rights[0].thresholds["diff1"].origin.startswith("dynamic 10 x baseline")
    assert asked.count("baseline") == 1


def test_a_reading_of_half_precision_is_none_of_float32():
    operator = the_operator("deform_roi_pool_forward")
    (case,) = select((), [CASE])
    session = Session(RunOptions(backend="emulator"))
    rights = expect(case, operator, fill_inputs(case, operator, 0), session).interpretations
    assert [right.name for right in rights["output"]] == ["double"]


def test_what_equal_calls_may_differ_by_needs_no_baseline(asking):
    rights, asked = asking
    assert rights.scaled.addends is not None
    assert asked == ["scale", "addends"]
