"""What the device in use can do at most: as the options say, or as it tells of itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

import mluops
import numpy as np
from mluops.constants import cnrtDeviceAttr_t

from mluops_conformance.execution.inputs import dtype_of
from mluops_conformance.operators import the_operator
from mluops_conformance.performance.values import Peaks, Quantity

if TYPE_CHECKING:
    from mluops_conformance.execution.backends import Backend
    from mluops_conformance.execution.options import RunOptions
    from mluops_conformance.language.model import Case

OPERATIONS_A_CYCLE = {np.dtype(np.float16): 64, np.dtype(np.int16): 64}
OTHERS_A_CYCLE = 32
"""Of one core, in vectors, by dtype (mlu-ops' gtest, executor.cpp:950-970: the peak that it uses)."""

TRANSFERS_A_CLOCK = 2
"""Of double data rate memory, as all of these devices have."""

ONE_CLUSTER = {"MLU370": Quantity(128e9, "one cluster of an MLU370 (gtest, executor.cpp:1174-1185)")}


def peaks_for(case: Case, backend: Backend, options: RunOptions) -> Peaks:
    """The peaks of the part of a device that a case uses, those that are known.

    A peak of operations is the cores' vector units', for the dtype of the operator's first input, as in gtest
    (executor.cpp:1147-1158).
    """
    return Peaks(
        _compute(case, backend, options.peak_compute), _bandwidth(case, backend, options.peak_bandwidth)
    )


def _compute(case: Case, backend: Backend, given: float) -> Quantity | None:
    dtype = dtype_of(the_operator(case.operator).inputs[0], case)
    a_cycle = OPERATIONS_A_CYCLE.get(dtype, OTHERS_A_CYCLE)
    cores, all_cores = backend.figures.limited_to(case.clusters).cores, backend.figures.cores
    if given:
        share = cores / all_cores * a_cycle / OTHERS_A_CYCLE
        return Quantity(1e9 * given * share, f"--peak-compute, for {dtype} on {cores} of {all_cores} cores")
    clock = 1000 * _attribute(backend, cnrtDeviceAttr_t.cnrtAttrIpuClockRate)
    if not clock:
        return None
    origin = f"{a_cycle} operations of {dtype} a cycle x {cores} cores x {clock / 1e6:g} MHz"
    return Quantity(float(a_cycle * cores * clock), origin)


def _bandwidth(case: Case, backend: Backend, given: float) -> Quantity | None:
    if given:
        return Quantity(1e9 * given, "--peak-bandwidth")
    series = next((name for name in ONE_CLUSTER if backend.device.startswith(name)), "")
    if series and case.clusters in (0, 1):
        return ONE_CLUSTER[series]
    clock = 1000 * _attribute(backend, cnrtDeviceAttr_t.cnrtAttrMemClockRate)
    bits = _attribute(backend, cnrtDeviceAttr_t.cnrtAttrGmemBusWidth)
    if not (clock and bits):
        return None
    origin = f"{TRANSFERS_A_CLOCK} x {clock / 1e6:g} MHz of memory x {bits} bits"
    return Quantity(TRANSFERS_A_CLOCK * clock * bits / 8, origin)


def _attribute(backend: Backend, attribute: cnrtDeviceAttr_t) -> int:
    """What the device says; 0 where it does not tell."""
    try:
        return max(backend.asked.attribute(attribute), 0)
    except mluops.CnrtError:
        return 0
