"""What a case needs of the host's and the device's memory, before it takes any."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, NamedTuple

from mluops_conformance.execution.inputs import dtype_of
from mluops_conformance.operators import the_operator
from mluops_conformance.operators.base import shape_of

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


class Need(NamedTuple):
    """Bytes."""

    host: int
    device: int


def need_of(case: Case) -> Need:
    """An upper estimate for one case; nothing for a call that is refused."""
    if case.refused or case.call != "operator":
        return Need(0, 0)
    operator = the_operator(case.operator)
    stored = doubles = 0
    for tensor in operator.tensors:
        elements = 1
        for extent in shape_of(tensor, case.dims):
            elements *= extent
        stored += elements * dtype_of(tensor, case).itemsize
        doubles += 8 * elements * (tensor in operator.outputs)
    return Need(COPIES_ON_THE_HOST * stored + DOUBLES_OF_AN_OUTPUT * doubles, COPIES_ON_THE_DEVICE * stored)


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
