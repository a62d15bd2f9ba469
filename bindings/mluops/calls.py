"""Calls of operators with arrays, by the header's names: descriptors, workspace and copies are made."""

from __future__ import annotations

import ctypes
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Iterable, Mapping, Sequence

from mluops.array import DeviceArray, Operand
from mluops.binding import WORKSPACE, WORKSPACE_SIZE, Plan, operator_name, plan_of
from mluops.dtypes import dtype_and_code, name_of
from mluops.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    BadParam,
    Closed,
    Error,
    NotSupported,
    status_error,
)
from mluops.handle import Handle
from mluops.host import host_array, known_dtype, writable_array
from mluops.lifetime import Resource
from mluops.queue import Queue
from mluops.workspace import Workspace, scratch_of

if TYPE_CHECKING:
    from mluops.descriptor import Layout
    from mluops.dtypes import DataType
    from mluops.functions import CFunction
    from mluops.library import Library

Accepted = Mapping[str, Sequence[str]]


def call(
    handle: Handle,
    name: str,
    /,
    *,
    layouts: Mapping[str, Layout] | None = None,
    workspace: Workspace | DeviceArray | None = None,
    synchronize: bool = True,
    **arguments: Any,
) -> None:
    """Call an operator by its C name and the header's parameter names.

    Tensors are given without their descriptors, which are made, and the workspace without its size, which is
    asked for. What the function writes is given too: an ndarray is filled when the call returns.

    Parameters
    ----------
    handle : Handle
    name : str
        The C function, as "mluOpBoxIouRotated".
    layouts : mapping of str to str, optional
        The layout of a tensor by its name; "ARRAY" otherwise.
    workspace : Workspace or DeviceArray, optional
        Memory to use; what is needed is allocated otherwise.
    synchronize : bool
        Whether to wait for the end. Without it all arrays are DeviceArrays, and are kept until the handle's
        queue is synchronised.
    **arguments
        Arrays, None for an optional tensor, and numbers, by the header's names.

    Raises
    ------
    ArgumentTypeError, ArgumentValueError
        For what does not fit the header: nothing has been called then.
    MluOpError, CnrtError
        For what the library refuses.
    """
    made = Call(handle, name, layouts=layouts, workspace=workspace, synchronize=synchronize)
    for tensor in layouts or ():
        made.require_known(tensor, made.plan.operands)
    made.give(**arguments)
    made.run()


class Call:
    """One call of an operator: what is given to it, and what has to be done around it.

    Parameters
    ----------
    handle : Handle
    *names : str
        The C function; of several names, the first one that the library has.
    layouts, workspace, synchronize
        As of `call`.
    accepts : mapping of str to sequence of str, optional
        The dtypes that the function is documented to take, by operand: lists become arrays of the first, and
        a refusal names them.

    Raises
    ------
    ArgumentTypeError, ArgumentValueError
    """

    def __init__(
        self,
        handle: Handle,
        *names: str,
        layouts: Mapping[str, Layout] | None = None,
        workspace: Workspace | DeviceArray | None = None,
        synchronize: bool = True,
        accepts: Accepted | None = None,
    ) -> None:
        if not isinstance(handle, Handle):
            raise ArgumentTypeError(f"handle must be a Handle, not a {type(handle).__name__}")
        if handle.closed:
            raise Closed("handle is closed")
        self.handle = handle
        self.library = handle.library
        self.function = _function(self.library, names)
        self.plan: Plan = plan_of(self.function.name)
        self.synchronize = synchronize
        self._layouts = layouts or {}
        self._accepts = accepts or {}
        self._workspace = workspace
        self._queue = 0
        self._values: dict[int, Any] = {0: handle}
        self._operands: dict[str, Operand | None] = {}
        self._new: dict[str, tuple[Sequence[int], DataType]] = {}
        self._outputs: list[str] = []
        self._zeroed: list[str] = []
        self._temporary: list[DeviceArray] = []
        self._results: list[DeviceArray] = []

    def give(self, **arguments: Any) -> None:
        """Give arguments by the header's names: arrays, or None, and values."""
        for name, value in arguments.items():
            if name in self.plan.operands:
                self._operands[name] = None if value is None else self._operand(name, value)
            elif name in self.plan.values:
                index, convert = self.plan.values[name]
                self._values[index] = convert(name, value)
            else:
                self.require_known(name, [*self.plan.operands, *self.plan.values])

    def value(self, name: str) -> Any:
        """Return a value that was given, as C gets it."""
        return self._values[self.plan.values[name][0]]

    def lengths(self, name: str, dimensions: str) -> tuple[int, ...]:
        """Return the shape of an operand that has the `dimensions` named, as "N H W C".

        Raises
        ------
        ArgumentValueError
            For another number of dimensions.
        """
        shape = self._given(name).shape
        if len(shape) != dimensions.count(" ") + 1:
            text = f"{name} must have the dimensions [{dimensions}], not the shape {list(shape)}"
            raise ArgumentValueError(text)
        return shape

    def like(self, name: str) -> DataType:
        """Return the dtype of an operand, for an output of the same."""
        operand = self._given(name)
        return operand.code if isinstance(operand, DeviceArray) else operand.dtype

    def output(
        self,
        name: str,
        shape: Sequence[int],
        dtype: DataType,
        out: Operand | None = None,
        *,
        zeroed: bool = False,
    ) -> None:
        """Say what the function writes; without `out` it is allocated. `zeroed` sets it to 0 before the call.

        Raises
        ------
        ArgumentTypeError, ArgumentValueError
            `shape` is none, or `out` has another shape or dtype.
        """
        if min(shape, default=0) < 0:
            raise ArgumentValueError(f"no {name} has the shape {list(shape)}: a dimension is negative")
        self._outputs.append(name)
        if zeroed:
            self._zeroed.append(name)
        if out is None:
            self._operands.pop(name, None)
            self._new[name] = (shape, dtype)
            return
        out = self._operands[name] = self._operand(name, out, "out")
        expected, code = dtype_and_code(dtype)
        if out.shape != tuple(shape) or out.dtype != expected:
            wanted = f"{name_of(code)}{list(shape)}"
            raise ArgumentValueError(f"out must be {wanted}, not {out.dtype}{list(out.shape)}")

    def run(self) -> dict[str, Operand]:
        """Make the call, and wait for it unless told otherwise; return the outputs by name.

        Raises
        ------
        ArgumentTypeError
            Something was not given.
        MluOpError, CnrtError
            For what the library refuses.
        """
        self._require_complete()
        failed = True
        try:
            arrays = self._arrays()
            self._queue = self.library.queue_of(self.handle)
            if self._zeroed:
                self._zero(arrays)
            self._invoke(self._arguments(arrays))
            results = self._fetched(arrays)
            failed = False
        finally:
            self._release(failed)
        return results

    def _operand(self, name: str, value: Any, what: str = "") -> Operand:
        """Return an array that can be used; `what` is how the caller knows it."""
        if isinstance(value, DeviceArray):
            if value.library is not self.library or value.closed:
                self._require_usable(what or name, value)
            return value
        what = what or name
        if not self.synchronize:
            raise ArgumentTypeError(
                f"{what} must be a DeviceArray where the call does not wait (synchronize=False), not a "
                f"{type(value).__name__}; DeviceArray.from_numpy makes one"
            )
        if self.plan.operands[name].written:
            return writable_array(what, value)
        accepted = self._accepts.get(name)
        return known_dtype(what, host_array(what, value, accepted[0] if accepted else None))

    def _require_usable(self, what: str, array: DeviceArray) -> None:
        if array.closed:
            raise Closed(f"{what} is a closed DeviceArray")
        if not self.library.shares_memory_with(array.library):
            raise ArgumentTypeError(
                f"{what} is a DeviceArray of another library, {array.library!r}; the handle's is "
                f"{self.library!r}"
            )

    def require_known(self, name: str, known: Iterable[str]) -> None:
        """Raise an ArgumentTypeError with a suggestion unless the function has a parameter to give."""
        names = [*known]
        if name in names:
            return
        near = get_close_matches(name, names, n=1)
        hint = f"did you mean {near[0]}?" if near else f"it has {', '.join(names)}"
        raise ArgumentTypeError(f"{self.function.name} has no parameter {name!r} to give: {hint}")

    def _require_complete(self) -> None:
        plan, operands = self.plan, self._operands
        if len(operands) + len(self._new) == len(plan.operands) and len(self._values) > len(plan.values):
            return
        missing = [name for name in plan.operands if name not in operands and name not in self._new]
        missing += [name for name, (index, _) in plan.values.items() if index not in self._values]
        raise ArgumentTypeError(f"{self.function.name} lacks {', '.join(missing)}")

    def _given(self, name: str) -> Operand:
        operand = self._operands.get(name)
        if operand is None:
            raise ArgumentTypeError(f"{name} must be an array, not None")
        return operand

    def _arrays(self) -> dict[str, DeviceArray | None]:
        """Return every operand in device memory; copies and outputs are allocated."""
        arrays: dict[str, DeviceArray | None] = {}
        for name, operand in self._operands.items():
            if operand is None or isinstance(operand, DeviceArray):
                arrays[name] = operand
            else:
                arrays[name] = self._sent(name)
        for name, (shape, dtype) in self._new.items():
            array = arrays[name] = DeviceArray.empty(self.library, shape, dtype)
            self._results.append(array)
        return arrays

    def _sent(self, name: str) -> DeviceArray:
        operand = self._given(name)
        array = DeviceArray.empty(self.library, operand.shape, operand.dtype)
        self._temporary.append(array)
        if name not in self._outputs:
            array.copy_from(operand)
        return array

    def _zero(self, arrays: Mapping[str, DeviceArray | None]) -> None:
        for name in self._zeroed:
            array = arrays[name]
            if array is not None:
                waits = name in self._new or self.synchronize
                array.fill_bytes(0, None if waits else self.handle.queue or Queue.borrow(self.library, 0))

    def _arguments(self, arrays: Mapping[str, DeviceArray | None]) -> list[Any]:
        values = self._values
        for name, (pointer, descriptor, _) in self.plan.operands.items():
            array = arrays[name]
            values[pointer] = array
            if descriptor is not None:
                layout = self._layouts.get(name, "ARRAY")
                values[descriptor] = None if array is None else array.descriptor(layout)
        if self.plan.scratch:
            self._place_scratch()
        return [values[index] for index in range(len(values))]

    def _place_scratch(self) -> None:
        nbytes = self._needed()
        block = scratch_of(self._workspace, nbytes, self.handle, self._queue)
        if self._workspace is None and self.synchronize and block is not None:
            self._temporary.append(block)
        self._values[self.plan.scratch[WORKSPACE]] = block
        self._values[self.plan.scratch[WORKSPACE_SIZE]] = nbytes

    def _needed(self) -> int:
        """Ask for the size of the workspace; it is 0 where the query leaves it as it was."""
        name = self.plan.query
        if not name or not self.library.has(name):
            if isinstance(self._workspace, (Workspace, DeviceArray)):
                return self._workspace.nbytes
            raise ArgumentTypeError(f"{self.function.name} lacks workspace: no function tells its size")
        query, size = getattr(self.library, name), ctypes.c_size_t()
        asked = [self._values[index] for index in self.plan.asked]
        _called(query, [self.handle, *asked, ctypes.byref(size)], self.synchronize)
        return size.value

    def _invoke(self, arguments: list[Any]) -> None:
        try:
            _called(self.function, arguments, self.synchronize)
        except (BadParam, NotSupported) as error:
            hint = self._dtype_hint()
            error.hint = f"{hint}. {error.hint}" if hint and error.hint else hint or error.hint
            raise
        if not self.synchronize:
            used = [item for item in arguments if isinstance(item, Resource) and item.used_by_tasks]
            self.library.pending.keep(self._queue, used)

    def _dtype_hint(self) -> str:
        """Name the operands whose dtype is none of those that are documented."""
        wrong = []
        for name, accepted in self._accepts.items():
            operand = self._operands.get(name)
            if operand is not None and operand.dtype.name not in accepted:
                wrong.append(f"{name} is {operand.dtype.name}, and should be {' or '.join(accepted)}")
        return "; ".join(wrong)

    def _fetched(self, arrays: Mapping[str, DeviceArray | None]) -> dict[str, Operand]:
        """Return the outputs, on the host if all operands were there, and fill the arrays of the host."""
        if self.synchronize:
            self.handle.synchronize()
        results: dict[str, Operand] = {}
        on_host = not any(isinstance(operand, DeviceArray) for operand in self._operands.values())
        for name in self._new:
            array = arrays[name]
            assert array is not None, "new outputs are allocated"
            results[name] = array.numpy() if on_host else array
        if on_host:
            self._temporary += self._results
        for name, operand in self._operands.items():
            array = arrays[name]
            if array is not None and array is not operand and self.plan.operands[name].written:
                array.copy_to(self._given(name))
        for name in self._outputs:
            if name not in results:
                results[name] = self._given(name)
        return results

    def _release(self, failed: bool) -> None:
        """Free what only the call needs, all of it whatever fails on the way."""
        if not (self._temporary or failed):
            return
        first: Error | None = None
        for array in [*self._temporary, *(self._results if failed else [])]:
            try:
                array.close()
            except Error as error:
                first = first or error
        if first is not None and not failed:
            raise first


def _function(library: Library, names: tuple[str, ...]) -> CFunction:
    """Return the first of the functions that the library has."""
    found: CFunction | None = library.operators.get(names)
    if found is None:
        found = library.operators[names] = library.first(*map(operator_name, names))
    return found


def _called(function: CFunction, arguments: list[Any], observed: bool) -> None:
    """Call, without the checks that a `Call` has made already, and raise the error of a status.

    The log is read only of a call that is `observed`: that takes longer than to queue a kernel.
    """
    log = ""
    try:
        if observed:
            status, log = function.library.log.call(function.pointer, *arguments)
        else:
            status = function.pointer(*arguments)
    except (ctypes.ArgumentError, AttributeError):  # a missing function has no pointer
        function.checked(*arguments)  # explains it
        raise
    if status:
        raise status_error(function.name, status, function.library.describe(function.name, status), log)
