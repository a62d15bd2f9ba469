"""The steps of a case: each takes the values that it needs and returns those that it gives.

`execute` puts them in order, and hands each value to the steps that name its type.
"""

from __future__ import annotations

import ctypes
from dataclasses import replace
from math import prod
from typing import TYPE_CHECKING, Any, Mapping, Sequence

import numpy as np
from mluops import CnrtError, TensorDescriptor
from mluops.constants import mluOpDataType_t, mluOpStatus_t

from mluops_conformance.errors import CaseDataError
from mluops_conformance.execution.buffers import DECOY_BYTES, GuardedBuffer, unwritten
from mluops_conformance.execution.expectations import Expected, expect
from mluops_conformance.execution.inputs import (
    WORTH_ASKING,
    decisive_input,
    dtype_of,
    excess,
    fill_inputs,
    scalars_of,
    total_device,
)
from mluops_conformance.execution.values import (
    Buffers,
    Called,
    Descriptors,
    Earlier,
    Fetched,
    Found,
    Inputs,
    Stop,
    Task,
    Workspace,
    blame,
    close,
)
from mluops_conformance.fills.stream import Stream, seed_for
from mluops_conformance.operators.base import Arrays, Tensor, shape_of

if TYPE_CHECKING:
    from mluops import Library

    from mluops_conformance.language.model import Case


MOST_ATTEMPTS = 20
WORKSPACE_ITEM = 4  # bytes; what operators keep in a workspace is float32 or int32
UNWRITTEN_SIZE = 0x7FD3_7FD3_7FD3_7FD3
"""Stands where a workspace query writes its answer, before it does."""


def fill(task: Task) -> Inputs:
    """Make the inputs.

    Raises
    ------
    CaseDataError
        They ask for more work than is tested.
    """
    decisive = decisive_input(task.case, task.operator, task.seed)
    why = excess(task.case, task.operator, decisive)
    if why:
        raise CaseDataError(f"{task.case.origin}: {why}")
    return Inputs(fill_inputs(task.case, task.operator, task.seed, decisive))


def compute_expectation(task: Task, inputs: Inputs) -> tuple[Inputs, Expected]:
    """Compute what each output must be, and how far from it a correct device may be.

    Rows on which a decision hangs by a thread (an IoU at the threshold) are changed a little, where the
    operator can do so; what is left of them, and what the case itself gives, is run as it is.
    Nothing is expected yet of a call whose inputs earlier calls write.
    """
    if task.case.links:
        return inputs, Expected()
    arrays = inputs.arrays
    for attempt in range(1, MOST_ATTEMPTS + 1):
        expected = expect(task.case, task.operator, arrays, task.session)
        settled = _settled(task, arrays, expected, attempt) if expected.uncertain else arrays
        if settled is arrays:
            break
        arrays = settled
    if expected.uncertain:
        expected = replace(expected, notes={**expected.notes, "uncertain": len(expected.uncertain)})
    return Inputs(arrays), expected


def _settled(task: Task, arrays: Arrays, expected: Expected, attempt: int) -> Arrays:
    case, settle = task.case, task.operator.settle
    if settle is None or attempt == MOST_ATTEMPTS:
        return arrays
    stream = Stream(seed_for(case.id, f"settled#{attempt}", task.seed))
    return settle(case.data, arrays, scalars_of(case), expected.uncertain, stream)


def allocate(
    task: Task, inputs: Inputs, earlier: Earlier, before: Buffers, called: Called
) -> tuple[Buffers, Found]:
    """Copy the inputs to fresh memory of the device and poison the outputs; linked ones are there already."""
    found = close(task, before.of, called)
    placement = task.placement()
    buffers = {}
    linked = {
        name: earlier.of[link.step][Buffers].of[link.tensor]
        for name, link in task.case.links.items()
        if name in task.pointed
    }
    for name in placement.order([name for name in task.pointed if name not in linked]):
        tensor = task.operator.tensor(name)
        itemsize = dtype_of(tensor, task.case).itemsize
        size = prod(shape_of(tensor, task.case.dims)) * itemsize
        lead = placement.lead(itemsize)
        buffers[name] = GuardedBuffer(task.session.library, size, inputs.arrays.get(name), lead)
    return Buffers(buffers, placement, linked), found


def allocate_decoys(task: Task) -> tuple[Buffers, Workspace]:
    """Put a little memory behind every pointer of a call that must be refused."""
    size = DECOY_BYTES if task.operator.workspace_functions else 0
    wanted = [*task.pointed, *(["workspace"] if size and "workspace" not in task.case.pointers else [])]
    return Buffers({name: task.session.decoy() for name in wanted}), Workspace(size)


def describe(task: Task) -> Descriptors:
    """Create and set the descriptors."""
    case, tensor = task.case, task.operator.tensor
    return Descriptors(
        {name: descriptor_of(task.session.library, tensor(name), case) for name in task.described}
    )


def query_workspace(
    task: Task, buffers: Buffers, descriptors: Descriptors, before: Workspace, last: Called
) -> tuple[Buffers, Workspace, Called]:
    """Ask for the workspace size and allocate that much, unless the case passes NULL."""
    if not task.operator.workspace_functions:
        return buffers, before, last
    called, workspace = _workspace_size(task, buffers, descriptors, 0)
    _expect_status(task, called, ("SUCCESS",))
    _expect_plausible(task, called, workspace)
    if "workspace" in task.case.pointers:
        return buffers, workspace, called
    lead = buffers.placement.lead(WORKSPACE_ITEM) if buffers.placement else 0
    buffer = GuardedBuffer(task.session.library, workspace.size, lead=lead)
    return replace(buffers, of={**buffers.of, "workspace": buffer}), workspace, called


def _expect_plausible(task: Task, called: Called, workspace: Workspace) -> None:
    """Stop at a workspace that no device holds, as of a negative size or one that wrapped."""
    size = workspace.size
    total = total_device(task.session.library) if size >= WORTH_ASKING else size
    if size > total:
        negative = f" ({size - (1 << 64)} as a signed number)" if size >= 1 << 63 else ""
        reason = (
            f"{called.function} reported a workspace of {size} bytes{negative}, "
            f"and the device has {total} in all"
        )
        raise Stop(Found((reason,)), "memory")


def call(
    task: Task, buffers: Buffers, descriptors: Descriptors, workspace: Workspace
) -> tuple[Called, Workspace]:
    """Call the operator (or the workspace query, where that is the case's subject)."""
    if task.case.call == "workspace":
        return _workspace_size(task, buffers, descriptors, UNWRITTEN_SIZE)
    function, values = prepared(task, buffers, descriptors, workspace)
    return Called(_function_name(task), function(*values)), workspace


def prepared(
    task: Task, buffers: Buffers, descriptors: Descriptors, workspace: Workspace
) -> tuple[Any, tuple[Any, ...]]:
    """Return the operator's C function, as this library has it, and its arguments."""
    function = getattr(task.session.library, _function_name(task))
    values = {**_tensor_arguments(task, buffers, descriptors), "workspace_size": workspace.size}
    return function, bound(function, values, task.case)


def _function_name(task: Task) -> str:
    """Return the name of the operator's C function in this library."""
    return _name_in(task.session.library, task.operator.functions)


def _name_in(library: Library, names: Sequence[str]) -> str:
    """Return the first of the names that the library has; else the first of all."""
    return next(filter(library.has, names), names[0])


def synchronize(task: Task, called: Called) -> None:
    """Wait for the kernel, where a device reports its errors. The next call is on the next queue."""
    try:
        task.session.handle.synchronize()
        task.session.take_turns()
    except CnrtError as error:
        wanted = task.case.statuses
        found = Found() if is_expected(called, wanted) else Found((_unexpected(called, wanted),))
        raise Stop(found + blame(task, called, error)) from error


def check_status(task: Task, called: Called) -> None:
    """Compare the status with the expected ones."""
    _expect_status(task, called, task.case.statuses)


def fetch(task: Task, buffers: Buffers, called: Called) -> Fetched:
    """Copy every buffer back; errors of the kernel may show only here."""
    try:
        return Fetched({name: buffer.fetch() for name, buffer in buffers.of.items()})
    except CnrtError as error:
        raise Stop(blame(task, called, error)) from error


def check_memory(task: Task, inputs: Inputs, buffers: Buffers) -> Found:
    """Look at the red zones, which must be intact, and at the inputs, which must be unchanged."""
    reasons = []
    for name, buffer in buffers.of.items():
        damage = buffer.damage()
        if damage:
            reasons.append(f"memory of `{name}`: {damage}")
        if name in inputs.arrays and not buffer.holds(inputs.arrays[name]):
            reasons.append(f"input `{name}` was changed by the call")
    return Found((*reasons, *task.session.backend.violations()))


def expect_untouched(inputs: Inputs, fetched: Fetched) -> Found:
    """Find what was written by a call that was refused or had nothing to do."""
    reasons = []
    for name, raw in fetched.of.items():
        words = raw.view(np.uint16)
        held = unwritten(words)
        if held.size < words.size and name not in inputs.arrays:
            first = np.setdiff1d(np.arange(words.size), held, assume_unique=True)[0]
            reasons.append(f"`{name}` was written at byte {2 * first}, although the call computes nothing")
    return Found(tuple(reasons))


def check_workspace(task: Task, called: Called, workspace: Workspace) -> Found:
    """A query that succeeds answers enough bytes; one that is refused leaves the size alone."""
    case, operator = task.case, task.operator
    if case.call != "workspace" or "workspace_size" in case.pointers:
        return Found()
    written = workspace.size != UNWRITTEN_SIZE
    if case.refused or not case.compare:
        text = f"{called.function} wrote size {workspace.size} although it must not write one"
        return Found((text,) if written else ())
    if not written:
        return Found((f"status SUCCESS, but {called.function} did not write the size",))
    itemsize = np.dtype(case.dtype).itemsize
    least = operator.least_workspace(scalars_of(case), itemsize) if operator.least_workspace else 0
    text = f"{called.function} answered {workspace.size} bytes, but {least} are needed"
    return Found((text,) if workspace.size < least else ())


def _tensor_arguments(task: Task, buffers: Buffers, descriptors: Descriptors) -> dict[str, Any]:
    values: dict[str, Any] = {
        "handle": None if "handle" in task.case.pointers else task.session.handle,
        "workspace": None,
    }
    for tensor in task.operator.tensors:
        values[tensor.name] = None
        values[f"{tensor.name}_desc"] = None
    values.update({name: buffer.address for name, buffer in {**buffers.linked, **buffers.of}.items()})
    values.update({f"{name}_desc": descriptor for name, descriptor in descriptors.of.items()})
    return values


def _workspace_size(
    task: Task, buffers: Buffers, descriptors: Descriptors, before: int
) -> tuple[Called, Workspace]:
    name = _name_in(task.session.library, task.operator.workspace_functions)
    function = getattr(task.session.library, name)
    size = ctypes.c_size_t(before)
    pointer = None if "workspace_size" in task.case.pointers else ctypes.byref(size)
    values: Mapping[str, Any] = {**_tensor_arguments(task, buffers, descriptors), "workspace_size": pointer}
    status = function(*bound(function, values, task.case))
    return Called(name, status), Workspace(size.value)


def _statuses(names: Sequence[str]) -> list[mluOpStatus_t]:
    return [mluOpStatus_t[f"MLUOP_STATUS_{name}"] for name in names]


def is_expected(called: Called, expected: Sequence[str]) -> bool:
    """Return whether the function returned one of these statuses."""
    return called.status in _statuses(expected)


def _expect_status(task: Task, called: Called, expected: Sequence[str]) -> None:
    if not is_expected(called, expected):
        raise Stop(Found((_unexpected(called, expected), *task.session.backend.violations())))


def _unexpected(called: Called, expected: Sequence[str]) -> str:
    wanted = " or ".join(map(_status_text, _statuses(expected)))
    return f"{called.function} returned {_status_text(called.status)}, expected {wanted}"


def _status_text(status: Any) -> str:
    return (
        f"{status.name} ({status.value})"
        if isinstance(status, mluOpStatus_t)
        else f"the unknown status {status}"
    )


def descriptor_of(library: Library, tensor: Tensor, case: Case) -> TensorDescriptor:
    """The tensor's descriptor with what the case overrides in it."""
    override = case.descriptors.get(tensor.name)
    shape, dtype, layout, strides = shape_of(tensor, case.dims), dtype_of(tensor, case), tensor.layout, None
    if override is not None:
        shape = shape if override.shape is None else override.shape
        dtype = dtype if override.dtype is None else _mluop_dtype(override.dtype)
        layout = override.layout or layout
        strides = override.strides
    return TensorDescriptor(library, shape, dtype, layout, strides)


def bound(function: Any, values: Mapping[str, Any], case: Case) -> tuple[Any, ...]:
    """Arguments of `function` in order: from `values` where those have the name, else the case's scalars."""
    return tuple(values[name] if name in values else _scalar(name, case) for name in function.parameters)


def _scalar(name: str, case: Case) -> Any:
    return case.params[name] if name in case.params else case.dims[name]


def _mluop_dtype(name: str) -> Any:
    try:
        return mluOpDataType_t[f"MLUOP_DTYPE_{name}"]
    except KeyError:
        return np.dtype(name)
