"""What a case feeds to an operator."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from mluops_conformance.fills.registry import FillContext, make
from mluops_conformance.fills.stream import seed_for
from mluops_conformance.operators.base import CASE_DTYPE, Arrays, Operator, Scalar, Tensor, shape_of

if TYPE_CHECKING:
    from mluops_conformance.language.model import Case


def dtype_of(tensor: Tensor, case: Case) -> np.dtype[Any]:
    """The storage dtype of a tensor in a case."""
    return np.dtype(case.dtype if tensor.dtype == CASE_DTYPE else tensor.dtype)


def scalars_of(case: Case) -> dict[str, Scalar]:
    """Every dimension and scalar parameter by name."""
    return {**case.dims, **case.params}


def fill_inputs(case: Case, operator: Operator, seed: int, attempt: int = 0) -> Arrays:
    """Make every input that the case does not leave out, in its storage dtype; others at each `attempt`."""
    return {
        tensor.name: filled(case, operator, tensor, seed, attempt)
        for tensor in operator.inputs
        if tensor.name not in case.absent
    }


def excess(case: Case, operator: Operator, seed: int = 0) -> str | None:
    """Why the data of a case ask for more work than is tested, or None."""
    if operator.implied is None or operator.implied.tensor not in case.data or not case.compare:
        return None
    decisive = filled(case, operator, operator.tensor(operator.implied.tensor), seed)
    return operator.implied.complaint(decisive, scalars_of(case))


@lru_cache(maxsize=64)
def _folder(file: str) -> Path:
    return Path(file).parent


def filled(
    case: Case, operator: Operator, tensor: Tensor, seed: int, attempt: int = 0
) -> np.ndarray[Any, Any]:
    """Make one input."""
    context = FillContext(
        tensor=tensor.name,
        shape=shape_of(tensor, case.dims),
        dtype=dtype_of(tensor, case),
        dims=case.dims,
        params=case.params,
        folder=_folder(case.origin.file),
    )
    operand = f"{tensor.name}#{attempt}" if attempt else tensor.name
    return make(case.data[tensor.name], operator.fills, context, seed_for(case.id, operand, seed))
