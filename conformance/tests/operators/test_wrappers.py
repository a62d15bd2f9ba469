"""The binding's function of every operator computes what the definition's reference does."""

from __future__ import annotations

import inspect

import mluops.operators
import numpy as np
import pytest
from mluops import Handle
from mluops_conformance.execution.inputs import fill_inputs, scalars_of
from mluops_conformance.operators import operator_names, the_operator


@pytest.fixture(scope="module")
def handle():
    with Handle(mluops.load("emulator")) as made:
        yield made


@pytest.mark.parametrize("name", operator_names())
def test_a_wrapper_passes_every_operand_and_scalar_to_its_place(handle, network_case, name):
    case, operator = network_case(name), the_operator(name)
    inputs, scalars = fill_inputs(case, operator, seed=0), scalars_of(case)
    wrapper = getattr(mluops.operators, name)
    given = {**inputs, **scalars}
    found = wrapper(
        handle, **{key: given[key] for key in inspect.signature(wrapper).parameters if key in given}
    )
    expected = operator.reference(inputs, scalars)
    for tensor, array in zip(operator.outputs, found if isinstance(found, tuple) else (found,)):
        valid = slice(expected.valid.get(tensor.name))
        np.testing.assert_allclose(array, expected.outputs[tensor.name][valid], rtol=1e-4, atol=1e-4)
