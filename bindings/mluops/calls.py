"""Calls of operators with arrays, by the header's names: descriptors, workspace and copies are made."""

from __future__ import annotations

import ctypes
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Iterable, Mapping, NamedTuple

from mluops.array import DeviceArray, Operand
from mluops.binding import Plan, operator_name, plan_of
from mluops.errors import ArgumentTypeError, BadParam, Closed, NotSupported
from mluops.handle import Handle
from mluops.operands import Accepted, Operands
from mluops.queue import Queue
from mluops.workspace import Workspace, scratch_of

if TYPE_CHECKING:
    from mluops.descriptor import Layout
    from mluops.functions import CFunction
    from mluops.library import Library


class Found(NamedTuple):
    """An operator of a library.

    Attributes
    ----------
    function : CFunction
    plan : Plan
    query : CFunction or None
        The function that tells the size of the workspace.
    """

    function: CFunction
    plan: Plan
    query: CFunction | None


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
    made.require_layouts()
    made.give(**arguments)
    made.require_no_part_in_common()
    made.run()


class Call(Operands):
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

    __slots__ = ("_layouts", "_query", "_queue", "_values", "_workspace", "function", "handle")

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
        if synchronize is not True and synchronize is not False:
            kind = type(synchronize).__name__
            raise ArgumentTypeError(f"synchronize must be True or False, not a {kind}")
        library = handle.library
        self.function, plan, self._query = library.operators.get(names) or _found(library, names)
        Operands.__init__(self, library, plan, accepts or {}, synchronize)
        self.handle = handle
        self._layouts = layouts or {}
        self._workspace = workspace
        self._queue = 0
        self._values: dict[int, Any] = {0: handle._as_parameter_}

    def give(self, **arguments: Any) -> None:
        """Give arguments by the header's names: arrays, or None, and values."""
        operands, values, library, ready = self.plan.operands, self.plan.values, self.library, self.ready
        for name, value in arguments.items():
            if name in operands:
                if type(value) is DeviceArray and value.library is library and not value.closed:
                    ready[name] = value  # the case that has to be fast
                else:
                    self.take(name, value)
            elif name in values:
                index, convert = values[name]
                self._values[index] = convert(name, value)
            else:
                self.require_known(name, [*operands, *values])

    def value(self, name: str) -> Any:
        """Return a value that was given, as C gets it."""
        return self._values[self.plan.values[name][0]]

    def run(self) -> dict[str, Operand]:
        """Make the call, and wait for it unless told otherwise; return the outputs by name.

        Raises
        ------
        ArgumentTypeError
            Something was not given.
        MluOpError, CnrtError
            For what the library refuses.
        """
        plan = self.plan
        if len(self.ready) != len(plan.operands) or len(self._values) <= len(plan.values):
            self._require_complete()
        failed = True
        try:
            if self.host or self.new:
                self.send()
            self._queue = self.handle.queue_address()
            if self._zeroed:
                self._zero()
            self._invoke()
            results = self.fetch()
            failed = False
        finally:
            if self.new or self._temporary:
                self.release(failed)
        return results

    def require_layouts(self) -> None:
        """Raise an ArgumentTypeError unless the layouts are names or numbers, of tensors that there are."""
        if not isinstance(self._layouts, Mapping):
            kind = type(self._layouts).__name__
            raise ArgumentTypeError(f"layouts must map names of tensors to layouts, not be a {kind}")
        for tensor, layout in self._layouts.items():
            self.require_known(tensor, self.plan.operands)
            if not isinstance(layout, (str, int)):
                kind = type(layout).__name__
                raise ArgumentTypeError(f"layouts[{tensor!r}] must be a name or a number, not a {kind}")

    def require_known(self, name: str, known: Iterable[str]) -> None:
        """Raise an ArgumentTypeError with a suggestion unless the function has a parameter to give."""
        names = [*known]
        if name in names:
            return
        near = get_close_matches(name, names, n=1)
        hint = f"did you mean {near[0]}?" if near else f"it has {', '.join(names)}"
        raise ArgumentTypeError(f"{self.function.name} has no parameter {name!r} to give: {hint}")

    def _require_complete(self) -> None:
        plan = self.plan
        missing = [name for name in plan.operands if name not in self]
        missing += [name for name, (index, _) in plan.values.items() if index not in self._values]
        if missing:
            raise ArgumentTypeError(f"{self.function.name} lacks {', '.join(missing)}")

    def _zero(self) -> None:
        for name in self._zeroed:
            array = self.ready[name]
            if array is not None:
                array.fill_bytes(0, None if name in self.new else Queue.borrow(self.library, self._queue))

    def _invoke(self) -> None:
        self._place_operands()
        block = self._place_scratch() if self.plan.scratch else None
        used = (block, self.handle.descriptors, *self.ready.values())
        try:
            self.function.succeed(*self.plan.in_order(self._values))
        except (BadParam, NotSupported) as error:
            hint = self.dtype_hint()
            error.hint = f"{hint}. {error.hint}" if hint and error.hint else hint or error.hint
            raise
        if self.synchronize:
            self.library.synchronize(self._queue)
        else:
            self.library.pending.keep(self._queue, used)

    def _place_operands(self) -> None:
        """Put addresses and descriptors where they belong."""
        values, ready, layouts, handle = self._values, self.ready, self._layouts, self.handle
        for name, (pointer, descriptor, _) in self.plan.operands.items():
            array = ready[name]
            if array is None:
                values[pointer] = None
                if descriptor is not None:
                    values[descriptor] = None
                continue
            values[pointer] = array._as_parameter_
            if descriptor is not None:
                key = (array.shape, array.code, layouts.get(name, "ARRAY"))
                values[descriptor] = (handle.descriptors.get(key) or handle.described(*key))._as_parameter_

    def _place_scratch(self) -> DeviceArray | None:
        nbytes, workspace = self._needed(), self._workspace
        block = scratch_of(workspace, nbytes, self.handle, self._queue)
        if block is workspace and block is not None:
            self.require_apart("workspace", block)
        if workspace is None and self.synchronize and block is not None:
            self.free_after(block)
        address = None if block is None else block._as_parameter_
        self._values.update(zip(self.plan.scratch, (address, nbytes)))
        return block

    def _needed(self) -> int:
        """Ask for the size of the workspace; it is 0 where the query leaves it as it was."""
        query = self._query
        if query is None:
            if isinstance(self._workspace, (Workspace, DeviceArray)):
                return self._workspace.nbytes
            raise ArgumentTypeError(f"{self.function.name} lacks workspace: no function tells its size")
        size = ctypes.c_size_t()
        query.succeed(*self.plan.asked(self._values), ctypes.byref(size))
        return size.value


def _found(library: Library, names: tuple[str, ...]) -> Found:
    """Find the first of the functions that the library has, once for all calls."""
    function: CFunction = library.first(*map(operator_name, names))
    plan = plan_of(function.name)
    query = getattr(library, plan.query) if plan.query and library.has(plan.query) else None
    return library.operators.setdefault(names, Found(function, plan, query))
