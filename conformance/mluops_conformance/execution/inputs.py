"""Make the inputs of a case, and estimate its need of memory before it takes any."""

from __future__ import annotations

import ctypes
from functools import lru_cache
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from mluops_conformance.fills.registry import FillContext, make
from mluops_conformance.fills.stream import seed_for
from mluops_conformance.operators import the_operator
from mluops_conformance.operators.base import CASE_DTYPE, Arrays, Operator, Scalar, Tensor, shape_of

if TYPE_CHECKING:
    from mluops import Library

    from mluops_conformance.language.model import Case


WORTH_ASKING = 1 << 28
"""Bytes below which no machine is asked how much it has."""
DOUBLES_OF_AN_OUTPUT = 3
"""Expectation, local scale, and what computing them takes beside."""
COPIES_ON_THE_HOST = 3
"""As made, with its red zones, and as copied back."""
COPIES_ON_THE_DEVICE = 2
"""The tensor, and as much in a workspace."""


def dtype_name(tensor: Tensor, case: Case) -> str:
    """The NumPy name of a tensor's storage dtype in a case."""
    return case.dtype if tensor.dtype == CASE_DTYPE else tensor.dtype


def dtype_of(tensor: Tensor, case: Case) -> np.dtype[Any]:
    """The storage dtype of a tensor in a case."""
    return np.dtype(dtype_name(tensor, case))


def scalars_of(case: Case) -> dict[str, Scalar]:
    """Every dimension and scalar parameter by name."""
    return {**case.dims, **case.params}


def fill_inputs(case: Case, operator: Operator, seed: int, made: Arrays | None = None) -> Arrays:
    """Make every input that the case has a fill for, in its storage dtype; those of `made` are there."""
    made = made or {}
    return {
        tensor.name: made[tensor.name] if tensor.name in made else filled(case, operator, tensor, seed)
        for tensor in operator.inputs
        if tensor.name in case.data
    }


def decisive_input(case: Case, operator: Operator, seed: int = 0) -> Arrays:
    """Make the input that decides how much work a case asks for; empty where the dimensions decide it."""
    if operator.implied is None or operator.implied.tensor not in case.data or not case.compare:
        return {}
    tensor = operator.tensor(operator.implied.tensor)
    return {tensor.name: filled(case, operator, tensor, seed)}


def excess(case: Case, operator: Operator, decisive: Arrays) -> str | None:
    """Return the reason why the data of a case ask for more work than is tested; None if they do not."""
    if operator.implied is None or not decisive:
        return None
    return operator.implied.complaint(decisive[operator.implied.tensor], scalars_of(case))


@lru_cache(maxsize=64)
def _folder(file: str) -> Path:
    return Path(file).parent


def filled(case: Case, operator: Operator, tensor: Tensor, seed: int) -> np.ndarray[Any, Any]:
    """Make one input."""
    context = FillContext(
        tensor=tensor.name,
        shape=shape_of(tensor, case.dims),
        dtype=dtype_of(tensor, case),
        dims=case.dims,
        params=case.params,
        folder=_folder(case.origin.file),
    )
    return make(case.data[tensor.name], operator.fills, context, seed_for(case.id, tensor.name, seed))


class Need(NamedTuple):
    """Bytes."""

    host: int
    device: int


def need_of(case: Case) -> Need:
    """An upper estimate for one case, all its calls together; nothing for a call that is refused."""
    if case.refused or case.call != "operator":
        return Need(0, 0)
    sizes = [_bytes_of(call) for call in case.calls]
    stored, doubles = sum(size.device for size in sizes), sum(size.host for size in sizes)
    return Need(COPIES_ON_THE_HOST * stored + DOUBLES_OF_AN_OUTPUT * doubles, COPIES_ON_THE_DEVICE * stored)


def _bytes_of(call: Case) -> Need:
    """Bytes of the tensors of a call on the device, and of its outputs as doubles on the host."""
    operator = the_operator(call.operator)
    sizes = {tensor.name: prod(shape_of(tensor, call.dims)) for tensor in operator.tensors}
    stored = sum(
        sizes[tensor.name] * dtype_of(tensor, call).itemsize
        for tensor in operator.tensors
        if tensor.name not in call.links
    )
    return Need(sum(8 * sizes[tensor.name] for tensor in operator.outputs), stored)


def available_host() -> int:
    """Bytes that processes may take without swapping; as good as unlimited where the system does not tell."""
    try:
        with open("/proc/meminfo", encoding="ascii") as lines:
            return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:"))
    except (OSError, StopIteration):
        return 1 << 62


def available_device(library: Library) -> int:
    """Bytes that are free on the current device."""
    return _device_memory(library)[0]


def total_device(library: Library) -> int:
    """Bytes that the current device has."""
    return _device_memory(library)[1]


def _device_memory(library: Library) -> tuple[int, int]:
    free, total = ctypes.c_size_t(), ctypes.c_size_t()
    library.cnrtMemGetInfo.checked(ctypes.byref(free), ctypes.byref(total))
    return free.value, total.value
