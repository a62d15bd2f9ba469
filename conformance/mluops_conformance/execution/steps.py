"""The way of one case, step by step; `modes` makes them up into what is done with it."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass, field
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING, Any, Sequence

import numpy as np
from mluops import CnrtError, MluOpError
from mluops.constants import mluOpStatus_t

from mluops_conformance.errors import CaseDataError
from mluops_conformance.execution import arguments
from mluops_conformance.execution.buffers import GuardedBuffer, unwritten
from mluops_conformance.execution.clock import Clock
from mluops_conformance.execution.expectations import Expected, expect
from mluops_conformance.execution.inputs import dtype_of, excess, fill_inputs, scalars_of
from mluops_conformance.execution.memory import WORTH_ASKING, total_device
from mluops_conformance.execution.placement import Placement
from mluops_conformance.fills.stream import Stream
from mluops_conformance.judging.values import OutputVerdict
from mluops_conformance.language.seeds import seed_for
from mluops_conformance.operators.base import Arrays, Operator, shape_of

if TYPE_CHECKING:
    from mluops import TensorDescriptor

    from mluops_conformance.execution.session import Session
    from mluops_conformance.language.model import Case
    from mluops_conformance.performance.values import Measured, Performance

DECOY_BYTES = 4096
"""What stands behind a pointer of a call that must be refused, whatever size its descriptor claims."""

MOST_ATTEMPTS = 20
WORKSPACE_ITEM = 4  # bytes; what operators keep in a workspace is float32 or int32
UNWRITTEN_SIZE = 0x7FD3_7FD3_7FD3_7FD3
"""Where a workspace query writes its answer, before it does."""


class Stop(Exception):
    """The case is decided; the steps left make no sense.

    Parameters
    ----------
    kind : str
        What was wrong, in the words of `Record.failures`.
    """

    def __init__(self, kind: str = "status") -> None:
        super().__init__(kind)
        self.kind = kind


@dataclass
class State:
    """What the steps of one case hand to each other."""

    case: Case
    operator: Operator
    session: Session
    clock: Clock = field(default_factory=Clock)
    inputs: Arrays = field(default_factory=dict)
    expected: Expected = field(default_factory=Expected)
    buffers: dict[str, GuardedBuffer] = field(default_factory=dict)
    descriptors: dict[str, TensorDescriptor] = field(default_factory=dict)
    workspace_size: int = 0
    function: str = ""
    status: Any = None
    bytes: Arrays = field(default_factory=dict)
    answers: dict[str, list[np.ndarray[Any, Any]]] = field(default_factory=dict)
    wholes: dict[str, list[np.ndarray[Any, Any]]] = field(default_factory=dict)
    calls: list[Arrays] = field(default_factory=list)
    disagreements: list[str] = field(default_factory=list)
    verdicts: list[OutputVerdict] = field(default_factory=list)
    causes: tuple[str, ...] = ()
    reasons: list[str] = field(default_factory=list)
    stopped: str = ""
    error: CnrtError | MluOpError | None = None
    measured: Measured | None = None
    performance: Performance | None = None

    def blame(self, error: CnrtError | MluOpError) -> None:
        """Count what the device or the library says now against the function called last."""
        self.error = self.error or error
        self.reasons += [f"{self.function}: {error}", *self.session.backend.violations()]

    def free(self) -> None:
        """Give back every buffer."""
        self._close(self.buffers)

    def close(self) -> None:
        """Give back every buffer and descriptor; what fails here after something else is a consequence."""
        before = list(self.reasons)
        self.free()
        self._close(self.descriptors)
        self.reasons = before or self.reasons

    def _close(self, resources: dict[str, Any]) -> None:
        for resource in resources.values():
            try:
                resource.close()
            except (CnrtError, MluOpError) as error:
                self.blame(error)
        resources.clear()

    def addends(self) -> int:
        """The most values that any element of an output adds up."""
        assert self.operator.addends is not None
        return self.operator.addends(self.inputs, scalars_of(self.case))

    @cached_property
    def placement(self) -> Placement:
        """Where this case's buffers lie, the same at each of its runs."""
        options = self.session.options
        return Placement(options.placement, seed_for(self.case.id, "placement", options.seed))

    @property
    def described(self) -> tuple[str, ...]:
        """Tensors that are passed with a descriptor."""
        case = self.case
        return tuple(
            tensor.name
            for tensor in self.operator.tensors
            if tensor.described
            and tensor.name not in case.absent
            and not (tensor.name in case.descriptors and case.descriptors[tensor.name].null)
        )

    @property
    def pointed(self) -> tuple[str, ...]:
        """Tensors that are passed with a pointer."""
        left_out = self.case.absent | self.case.pointers
        return tuple(tensor.name for tensor in self.operator.tensors if tensor.name not in left_out)


def fill(state: State) -> None:
    """Make the inputs.

    Raises
    ------
    CaseDataError
        They ask for more work than is tested.
    """
    why = excess(state.case, state.operator, state.session.options.seed)
    if why:
        raise CaseDataError(f"{state.case.origin}: {why}")
    state.inputs = fill_inputs(state.case, state.operator, state.session.options.seed)


def refer(state: State) -> None:
    """Compute what each output must be, and how far from it a correct device may be.

    Rows on which a decision hangs by a thread (an IoU at the threshold) are changed a little, where the
    operator can do so; what is left of them, and what the case itself gives, is run as it is.
    """
    for attempt in range(1, MOST_ATTEMPTS + 1):
        state.expected = expect(state.case, state.operator, state.inputs, state.session)
        settled = _settled(state, attempt) if state.expected.uncertain else state.inputs
        if settled is state.inputs:
            break
        state.inputs = settled
    if state.expected.uncertain:
        state.expected.notes["uncertain"] = len(state.expected.uncertain)


def _settled(state: State, attempt: int) -> Arrays:
    case, settle = state.case, state.operator.settle
    if settle is None or attempt == MOST_ATTEMPTS:
        return state.inputs
    stream = Stream(seed_for(case.id, f"settled#{attempt}", state.session.options.seed))
    return settle(case.data, state.inputs, scalars_of(case), state.expected.uncertain, stream)


def allocate(state: State) -> None:
    """Copy the inputs to fresh memory of the device and poison the outputs."""
    state.free()
    for name in state.placement.order(state.pointed):
        tensor = state.operator.tensor(name)
        itemsize = dtype_of(tensor, state.case).itemsize
        size = prod(shape_of(tensor, state.case.dims)) * itemsize
        state.buffers[name] = GuardedBuffer(
            state.session.library, size, state.inputs.get(name), state.placement.lead(itemsize)
        )


def allocate_decoys(state: State) -> None:
    """Put a little memory behind every pointer of a call that must be refused."""
    for name in state.pointed:
        state.buffers[name] = GuardedBuffer(state.session.library, DECOY_BYTES)
    state.workspace_size = DECOY_BYTES if state.operator.workspace_function else 0
    if state.workspace_size and "workspace" not in state.case.pointers:
        state.buffers["workspace"] = GuardedBuffer(state.session.library, DECOY_BYTES)


def describe(state: State) -> None:
    """Create and set the descriptors."""
    for name in state.described:
        tensor = state.operator.tensor(name)
        state.descriptors[name] = arguments.describe(state.session.library, tensor, state.case)


def query_workspace(state: State) -> None:
    """Ask for the workspace size and allocate that much, unless the case passes NULL."""
    if state.operator.workspace_function is None:
        return
    state.workspace_size = _workspace_size(state, 0)
    _expect_status(state, ("SUCCESS",))
    _check_plausible(state)
    if "workspace" not in state.case.pointers:
        lead = state.placement.lead(WORKSPACE_ITEM)
        state.buffers["workspace"] = GuardedBuffer(state.session.library, state.workspace_size, lead=lead)


def _check_plausible(state: State) -> None:
    """A workspace that no device holds is a wrong answer, as of a negative size or one that wrapped."""
    size = state.workspace_size
    if size < WORTH_ASKING:
        return
    total = total_device(state.session.library)
    if size > total:
        negative = f" ({size - (1 << 64)} as a signed number)" if size >= 1 << 63 else ""
        state.reasons.append(
            f"{state.function} answered a workspace of {size} bytes{negative}, "
            f"and the device has {total} in all"
        )
        raise Stop("memory")


def call(state: State) -> None:
    """Call the operator (or the workspace query, where that is the case's subject)."""
    if state.case.call == "workspace":
        state.workspace_size = _workspace_size(state, UNWRITTEN_SIZE)
        return
    function, values = prepared(state)
    state.status = function(*values)


def prepared(state: State) -> tuple[Any, tuple[Any, ...]]:
    """The operator's C function, as this library has it, and its arguments."""
    library = state.session.library
    state.function = next(filter(library.has, state.operator.functions), state.operator.functions[0])
    values = {**_tensor_arguments(state), "workspace_size": state.workspace_size}
    function = getattr(library, state.function)
    return function, arguments.bind(function, values, state.case)


def synchronize(state: State) -> None:
    """Wait for the kernel; a device reports here what went wrong in it."""
    try:
        state.session.handle.synchronize()
    except CnrtError as error:
        if state.status not in _statuses(state.case.statuses):
            state.reasons.append(_unexpected(state, state.case.statuses))
        state.blame(error)
        raise Stop from error


def check_status(state: State) -> None:
    """Compare the status with the expected ones."""
    _expect_status(state, state.case.statuses)


def fetch(state: State) -> None:
    """Copy every buffer back; errors of the kernel may show only here."""
    try:
        state.bytes = {name: buffer.fetch() for name, buffer in state.buffers.items()}
    except CnrtError as error:
        state.blame(error)
        raise Stop from error


def check_memory(state: State) -> None:
    """No red zone may be touched, and no input changed."""
    for name, buffer in state.buffers.items():
        damage = buffer.damage()
        if damage:
            state.reasons.append(f"memory of `{name}`: {damage}")
        if name in state.inputs and not buffer.holds(state.inputs[name]):
            state.reasons.append(f"input `{name}` was changed by the call")
    state.reasons += state.session.backend.violations()


def expect_untouched(state: State) -> None:
    """Nothing may be written by a call that was refused or had nothing to do."""
    for name, raw in state.bytes.items():
        words = raw.view(np.uint16)
        held = unwritten(words)
        if held.size < words.size and name not in state.inputs:
            first = np.setdiff1d(np.arange(words.size), held, assume_unique=True)[0]
            state.reasons.append(f"`{name}` was written at byte {2 * first}, though nothing had to be done")


def check_workspace(state: State) -> None:
    """A query that succeeds answers enough bytes; one that is refused leaves the size alone."""
    if state.case.call != "workspace" or "workspace_size" in state.case.pointers:
        return
    written = state.workspace_size != UNWRITTEN_SIZE
    if state.case.refused or not state.case.compare:
        if written:
            state.reasons.append(
                f"{state.function} wrote the size {state.workspace_size}, though it had none"
            )
        return
    itemsize = np.dtype(state.case.dtype).itemsize
    least = (
        state.operator.least_workspace(scalars_of(state.case), itemsize)
        if state.operator.least_workspace
        else 0
    )
    if not written:
        state.reasons.append(f"status SUCCESS, but {state.function} did not write the size")
    elif state.workspace_size < least:
        state.reasons.append(
            f"{state.function} answered {state.workspace_size} bytes, and {least} are needed"
        )


def _tensor_arguments(state: State) -> dict[str, Any]:
    values: dict[str, Any] = {
        "handle": None if "handle" in state.case.pointers else state.session.handle,
        "workspace": None,
    }
    for tensor in state.operator.tensors:
        values[tensor.name] = None
        values[f"{tensor.name}_desc"] = None
    values.update({name: buffer.address for name, buffer in state.buffers.items()})
    values.update({f"{name}_desc": descriptor for name, descriptor in state.descriptors.items()})
    return values


def _workspace_size(state: State, before: int) -> int:
    assert state.operator.workspace_function is not None
    state.function = state.operator.workspace_function
    function = getattr(state.session.library, state.function)
    size = ctypes.c_size_t(before)
    pointer = None if "workspace_size" in state.case.pointers else ctypes.byref(size)
    values = {**_tensor_arguments(state), "workspace_size": pointer}
    state.status = function(*arguments.bind(function, values, state.case))
    return size.value


def _statuses(names: Sequence[str]) -> list[mluOpStatus_t]:
    return [mluOpStatus_t[f"MLUOP_STATUS_{name}"] for name in names]


def _expect_status(state: State, expected: Sequence[str]) -> None:
    if state.status not in _statuses(expected):
        state.reasons += [_unexpected(state, expected), *state.session.backend.violations()]
        raise Stop


def _unexpected(state: State, expected: Sequence[str]) -> str:
    wanted = " or ".join(map(_status_text, _statuses(expected)))
    return f"{state.function} returned {_status_text(state.status)}, expected {wanted}"


def _status_text(status: Any) -> str:
    return (
        f"{status.name} ({status.value})"
        if isinstance(status, mluOpStatus_t)
        else f"the unknown status {status}"
    )
