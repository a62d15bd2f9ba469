"""The cases, and their parts, on which the baseline is computed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from mluops_conformance.execution.expectations import expect
from mluops_conformance.execution.inputs import fill_inputs
from mluops_conformance.execution.options import RunOptions
from mluops_conformance.execution.session import Session
from mluops_conformance.language.load import select
from mluops_conformance.operators import the_operator

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
