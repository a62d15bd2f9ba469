"""The steps of the performance mode: time the calls of a kernel that is right, and compare with the peaks."""

from __future__ import annotations

import ctypes
import time
from math import prod
from typing import TYPE_CHECKING, Any, Sequence

import mluops
import numpy as np
from mluops import Notifier, Queue
from mluops.constants import cnrtDeviceAttr_t
from mluops.errors import CnrtError, MluOpError, status_error

from mluops_conformance.execution.expectations import Expected
from mluops_conformance.execution.inputs import dtype_of, scalars_of
from mluops_conformance.execution.steps import prepared
from mluops_conformance.execution.values import (
    Buffers,
    Called,
    Decided,
    Descriptors,
    Found,
    Inputs,
    Stop,
    Task,
    Verdicts,
    Workspace,
    blame,
)
from mluops_conformance.judging.values import FAILED
from mluops_conformance.language.competitors import competitors_of, figures
from mluops_conformance.language.load import case_paths
from mluops_conformance.operators import the_operator
from mluops_conformance.operators.base import shape_of
from mluops_conformance.performance.times import (
    Measured,
    Peaks,
    Performance,
    Quantity,
    Times,
    Work,
    assess,
    measure,
)
from mluops_conformance.support.files import gc_paused

if TYPE_CHECKING:
    from mluops_conformance.execution.backends import Backend
    from mluops_conformance.execution.options import RunOptions
    from mluops_conformance.language.model import Case
    from mluops_conformance.operators.base import Operator

MICROSECONDS, NANOSECONDS = 1e6, 1e9
"""Units in a second."""
NETWORK = "network"
"""The tag of cases with sizes that networks have."""

OPERATIONS_A_CYCLE = {np.dtype(np.float16): 64, np.dtype(np.int16): 64}
OTHERS_A_CYCLE = 32
"""Operations of one core in a cycle, on vectors of other dtypes (mlu-ops' gtest, executor.cpp:950-970)."""

TRANSFERS_A_CLOCK = 2
"""Transfers of double data rate memory in a clock; all of these devices have it."""

ONE_CLUSTER = {"MLU370": Quantity(128e9, "one cluster of an MLU370 (gtest, executor.cpp:1174-1185)")}


def stop_if_wrong(found: Found, verdicts: Verdicts) -> None:
    """Measure nothing of a case that is wrong."""
    if found.reasons or any(verdict.outcome == FAILED for verdict in verdicts.of):
        raise Decided


def time_calls(
    task: Task, buffers: Buffers, descriptors: Descriptors, workspace: Workspace, called: Called
) -> Measured:
    """Time equal calls in one place: an output that calls add up, instead of writing it, shows."""
    with gc_paused():
        call = TimedCall(task.session.queue, *prepared(task, buffers, descriptors, workspace))
        try:
            return measure(call, _repeats(task), task.session.options.perf_seconds)
        except (CnrtError, MluOpError) as error:
            count = f"this was call {call.count} of the measurement"
            raise Stop(blame(task, called, error) + Found((count,))) from error


def assess_times(
    task: Task, inputs: Inputs, expected: Expected, workspace: Workspace, measured: Measured
) -> Performance:
    """Compare the times with the work of a call and the peaks of the device."""
    case, options = task.case, task.session.options
    return assess(
        measured,
        _work(task, inputs, expected),
        peaks_for(case, task.session.backend, options),
        network=NETWORK in case.tags,
        workspace=workspace.size,
        competitors=competitors_of(case, figures(case_paths(options.cases))),
    )


class TimedCall:
    """The case's call between two notifiers; their distance is the hardware time (gtest, executor.cpp:527).

    Its arguments are converted once and for all: Python's part of a call is not the library's.

    Attributes
    ----------
    count : int
        Calls so far.
    """

    def __init__(self, queue: Queue, function: Any, arguments: Sequence[Any]) -> None:
        self._function = function
        address = ctypes.cast(self._function.pointer, ctypes.c_void_p).value or 0
        self._call = ctypes.CFUNCTYPE(ctypes.c_int)(address)
        self._status_of = self._function.pointer.restype
        self._arguments = tuple(map(_converted, self._function.pointer.argtypes, arguments))
        self._queue = queue
        self._start, self._end = Notifier(self._queue.library), Notifier(self._queue.library)
        self.count = 0

    def __call__(self) -> Times:
        """Make the call, wait for its end, and tell its times.

        Raises
        ------
        MluOpError, CnrtError
            The call, or the kernel, failed.
        """
        call, arguments, clock = self._call, self._arguments, time.perf_counter_ns
        self.count += 1
        self._queue.keep(self._start, self._end)  # a queue that fails may not be done with them
        self._start.place(self._queue)
        begun = clock()
        status = call(*arguments)
        interface = clock() - begun
        if status:
            name, library = self._function.name, self._function.library
            raise status_error(name, self._status_of(status), library.describe(name, status))
        self._end.place(self._queue)
        self._queue.synchronize()
        return Times(self._end.duration_us(self._start) / MICROSECONDS, interface / NANOSECONDS)


def _converted(kind: Any, argument: Any) -> Any:
    """An argument as the C type that its parameter has; NULL is None."""
    raw = getattr(argument, "_as_parameter_", argument)
    return raw if raw is None or isinstance(raw, kind) else kind(raw)


def _repeats(task: Task) -> int:
    """Return what a case says that is measured by its own wish, or the run's options."""
    own = task.case.repeat if task.case.mode == "perf" else 1
    return own if own > 1 else task.session.options.perf_repeats


def _work(task: Task, inputs: Inputs, expected: Expected) -> Work:
    moved = Quantity(float(theory_bytes(task.case, task.operator)), "tensors with a descriptor, once each")
    theory = task.operator.theory
    if theory is None:
        return Work(None, moved)
    outputs = {name: rights[0].expected for name, rights in expected.interpretations.items()}
    operations = theory.operations(inputs.arrays, scalars_of(task.case), outputs)
    return Work(Quantity(operations, theory.source), moved)


def theory_bytes(case: Case, operator: Operator) -> int:
    """Bytes of inputs and outputs, each once (gtest, executor.cpp:1160-1172).

    What has no descriptor is left out, as gtest leaves out nms_rotated's `result_num` (nms_rotated.cpp:468).
    """
    absent = operator.absent_with(case.absent)
    return sum(
        prod(shape_of(tensor, case.dims)) * dtype_of(tensor, case).itemsize
        for tensor in operator.tensors
        if tensor.described and tensor.name not in absent
    )


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
    """Return an attribute of the device; 0 if the device does not report it."""
    try:
        return max(backend.asked.attribute(attribute), 0)
    except mluops.CnrtError:
        return 0
