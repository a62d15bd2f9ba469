"""What a case feeds to an operator."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict

import numpy as np

from mluops_conformance.fills.registry import make
from mluops_conformance.language.seeds import seed_for
from mluops_conformance.operators.base import CASE_DTYPE, Arrays, Operator, Scalar, Tensor, shape_of

if TYPE_CHECKING:
    from mluops_conformance.language.model import Case


def dtype_of(tensor: Tensor, case: Case) -> np.dtype[Any]:
    """The storage dtype of a tensor in a case."""
    return np.dtype(case.dtype if tensor.dtype == CASE_DTYPE else tensor.dtype)


def scalars_of(case: Case) -> Dict[str, Scalar]:
    """Every dimension and scalar parameter by name."""
    return {**case.dims, **case.params}
