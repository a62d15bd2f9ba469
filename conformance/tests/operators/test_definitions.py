"""Definitions fit the C functions that they describe, and say all that a judgement needs."""

from __future__ import annotations

import pytest
from mluops.signatures import MLUOP
from mluops_conformance.judging.measures import MEASURES
from mluops_conformance.operators import operators
from mluops_conformance.operators.base import CASE_DTYPE, shape_of
from mluops_emulator.discovery import discover

HANDLE_AND_WORKSPACE = {"handle", "workspace", "workspace_size"}

OPERATORS = [pytest.param(operator, id=name) for name, operator in operators().items()]
FUNCTIONS = [
    pytest.param(operator, function, id=function)
    for operator in operators().values()
    for function in (*operator.functions, *operator.workspace_functions)
]


def bindable(operator):
    pointers = {tensor.name for tensor in operator.tensors}
    descriptors = {f"{tensor.name}_desc" for tensor in operator.tensors if tensor.described}
    scalars = {scalar.name for scalar in (*operator.dims, *operator.params)}
    return HANDLE_AND_WORKSPACE | pointers | descriptors | scalars


@pytest.mark.parametrize(("operator", "function"), FUNCTIONS)
def test_every_parameter_of_the_c_function_has_a_value(operator, function):
    assert set(MLUOP[function].parameter_names) <= bindable(operator)


@pytest.mark.parametrize("operator", OPERATORS)
def test_every_tensor_and_scalar_reaches_the_c_function(operator):
    parameters = set(MLUOP[operator.functions[0]].parameter_names)
    assert {tensor.name for tensor in operator.tensors} <= parameters
    assert {param.name for param in operator.params} <= parameters


@pytest.mark.parametrize("operator", OPERATORS)
def test_shapes_are_made_of_dimensions(operator):
    sizes = {dim.name: 2 for dim in operator.dims}
    assert all(min(shape_of(tensor, sizes)) > 0 for tensor in operator.tensors)


def words(entry):
    return entry.replace(" unless ", "*").split("*")


def test_every_dimension_shapes_a_tensor():
    unused = {
        (name, dim.name)
        for name, operator in operators().items()
        for dim in operator.dims
        if not any(dim.name in words(entry) for tensor in operator.tensors for entry in tensor.shape)
    }
    assert unused == set()


@pytest.mark.parametrize(("operator", "function"), FUNCTIONS)
def test_the_emulator_has_every_c_function(operator, function):
    assert function in discover("mluops_emulator.operators")


@pytest.mark.parametrize("operator", OPERATORS)
def test_thresholds_are_of_measures_that_are_taken(operator):
    criteria = operator.criteria
    taken = {*criteria.measures, *(name for names in criteria.by_series.values() for name in names)}
    assert taken <= set(MEASURES)
    assert set(criteria.rates) <= taken | {"pointwise"}


@pytest.mark.parametrize("operator", OPERATORS)
def test_dynamic_thresholds_have_a_baseline(operator):
    assert operator.baseline or not operator.criteria.rates


@pytest.mark.parametrize("operator", OPERATORS)
def test_outputs_that_are_rounded_have_a_local_scale(operator):
    rounds = any(output.dtype == CASE_DTYPE for output in operator.outputs) and not operator.criteria.bitwise
    assert bool(operator.scale) == rounds
