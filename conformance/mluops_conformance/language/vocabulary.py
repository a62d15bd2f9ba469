"""The names that the cases of one operator may use."""

from __future__ import annotations

from typing import Any, Mapping

import numpy as np

from mluops_conformance.fills.registry import GENERIC, Fill
from mluops_conformance.judging.measures import MEASURES as ALL_MEASURES
from mluops_conformance.language.model import FillSpec
from mluops_conformance.language.requirements import Requirement
from mluops_conformance.operators.base import CASE_DTYPE, Dim, Operator, Param, Tensor
from mluops_conformance.operators.limits import Limit

__all__ = ["MEASURES", "Vocabulary"]

MEASURES = tuple(ALL_MEASURES)
"""Measures that can have a threshold."""


class Vocabulary:
    """An operator's names, looked up for every case of a file.

    Attributes
    ----------
    dims, limits, params, inputs, tensors, described : dict by name
    default_fills : dict of str to FillSpec
        By input, where it has one.
    fills : dict of str to Fill
        The operator's own before the generic ones.
    pointers : dict of str to tuple of str
        What may be NULL, by the value of a case's `call`.
    stated : mapping of str to Requirement, optional
        What cases may check, by id; anything where it is None.
    """

    def __init__(self, operator: Operator, stated: Mapping[str, Requirement] | None = None) -> None:
        self.operator = operator
        self.stated = stated
        self.dims: dict[str, Dim] = {dim.name: dim for dim in operator.dims}
        self.limits: dict[str, Limit] = {limit.name: limit for limit in operator.limits}
        self.params: dict[str, Param] = {param.name: param for param in operator.params}
        self.inputs: dict[str, Tensor] = {tensor.name: tensor for tensor in operator.inputs}
        self.tensors: dict[str, Tensor] = {tensor.name: tensor for tensor in operator.tensors}
        self.described = {name: tensor for name, tensor in self.tensors.items() if tensor.described}
        self.default_fills: dict[str, FillSpec] = {
            tensor.name: _spec(tensor.fill) for tensor in operator.inputs if tensor.fill is not None
        }
        self.fills: dict[str, Fill] = {**GENERIC, **operator.fills}
        workspace = ("workspace",) if operator.workspace_function else ()
        self.pointers: dict[str, tuple[str, ...]] = {
            "operator": ("handle", *self.tensors, *workspace),
            "workspace": ("handle", "workspace_size"),
        }

    def dtype_of(self, tensor: Tensor, dtype: str) -> np.dtype[Any]:
        """The storage dtype of a tensor in a case of a dtype."""
        return np.dtype(dtype if tensor.dtype == CASE_DTYPE else tensor.dtype)


def _spec(fill: Mapping[str, Any]) -> FillSpec:
    return FillSpec(fill["fill"], {name: value for name, value in fill.items() if name != "fill"})
