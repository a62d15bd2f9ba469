from __future__ import annotations

import numpy as np
import pytest
from mluops_conformance.engine.plan import elements
from mluops_conformance.fills.registry import FillContext, make
from mluops_conformance.language.load import select
from mluops_conformance.language.model import FillSpec
from mluops_conformance.operators import the_operator
from mluops_conformance.operators.base import CASE_DTYPE, shape_of


@pytest.fixture
def network_case():
    """The smallest case of an operator that a network has, or of those that check outputs."""

    def smallest(operator):
        cases = select((), [f"operator={operator} dtype=float32 mode=check status=SUCCESS"])
        computing = [case for case in cases if case.compare and case.call == "operator"]
        return min(computing, key=lambda case: ("network" not in case.tags, elements(case)))

    return smallest


@pytest.fixture
def filled():
    """Data of one tensor: filled(operator, tensor, fill, dims, params, dtype, seed, **options)."""

    def fill(operator, tensor, name, dims, params, dtype="float32", seed=7, **options):
        definition = the_operator(operator)
        described = definition.tensor(tensor)
        storage = np.dtype(dtype if described.dtype == CASE_DTYPE else described.dtype)
        context = FillContext(tensor, shape_of(described, dims), storage, dims, params)
        return make(FillSpec(name, options), definition.fills, context, seed)

    return fill
