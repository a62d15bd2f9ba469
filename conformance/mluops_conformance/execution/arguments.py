"""The arguments of a C call, bound by the parameter names of its declaration."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Mapping

import numpy as np
from mluops import TensorDescriptor
from mluops.constants import mluOpDataType_t, mluOpTensorLayout_t

from mluops_conformance.execution.inputs import dtype_of
from mluops_conformance.operators.base import Tensor, shape_of

if TYPE_CHECKING:
    from mluops import Library

    from mluops_conformance.language.model import Case


def describe(library: Library, tensor: Tensor, case: Case) -> TensorDescriptor:
    """The tensor's descriptor with what the case overrides in it."""
    override = case.descriptors.get(tensor.name)
    shape, dtype, layout, strides = shape_of(tensor, case.dims), dtype_of(tensor, case), tensor.layout, None
    if override is not None:
        shape = shape if override.shape is None else override.shape
        dtype = dtype if override.dtype is None else _mluop_dtype(override.dtype)
        layout = override.layout or layout
        strides = override.strides
    return TensorDescriptor(library, shape, dtype, mluOpTensorLayout_t[f"MLUOP_LAYOUT_{layout}"], strides)


def bind(function: Any, values: Mapping[str, Any], case: Case) -> tuple[Any, ...]:
    """Arguments of `function` in order: from `values` where those have the name, else the case's scalars."""
    return tuple(values[name] if name in values else _scalar(name, case) for name in function.parameters)


def _scalar(name: str, case: Case) -> Any:
    return case.params[name] if name in case.params else case.dims[name]


def _mluop_dtype(name: str) -> Any:
    try:
        return mluOpDataType_t[f"MLUOP_DTYPE_{name}"]
    except KeyError:
        return np.dtype(name)
