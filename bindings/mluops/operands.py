"""The arrays of one call: checked, brought to the device, and fetched from it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Mapping, Sequence

import numpy as np

from mluops.array import DeviceArray, Operand
from mluops.dtypes import dtype_and_code, name_of
from mluops.errors import ArgumentTypeError, ArgumentValueError, Closed, Error
from mluops.host import host_array, known_dtype, writable_array

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mluops.binding import Plan
    from mluops.dtypes import DataType
    from mluops.library import Library

Accepted = Mapping[str, Sequence[str]]


class Operands:
    """The arrays that a call is given, and those that it makes.

    Parameters
    ----------
    library : Library
    plan : Plan
        Which operands the function has.
    accepted : mapping of str to sequence of str
        The dtypes that are documented, by operand.
    synchronize : bool
        Whether the call waits; only then arrays of the host are taken.

    Attributes
    ----------
    ready : dict
        Operands in device memory by name; None for an optional one that is left out.
    host : dict
        Operands in host memory, which `send` copies.
    new : dict
        Shape and dtype of outputs that `send` allocates.
    """

    __slots__ = (
        "_accepted",
        "_outputs",
        "_temporary",
        "_to_host",
        "_zeroed",
        "host",
        "library",
        "new",
        "plan",
        "ready",
        "synchronize",
    )

    def __init__(self, library: Library, plan: Plan, accepted: Accepted, synchronize: bool) -> None:
        self.library = library
        self.plan = plan
        self.synchronize = synchronize
        self.ready: dict[str, DeviceArray | None] = {}
        self.host: dict[str, NDArray[Any]] = {}
        self.new: dict[str, tuple[Sequence[int], DataType]] = {}
        self._accepted = accepted
        self._outputs: tuple[str, ...] = ()
        self._zeroed: tuple[str, ...] = ()
        self._temporary: tuple[DeviceArray, ...] = ()
        self._to_host = False

    def __contains__(self, name: str) -> bool:
        return name in self.ready or name in self.host or name in self.new

    def take(self, name: str, value: Any, what: str = "") -> None:
        """Take an array, or None, for an operand; `what` is its name to the caller.

        Raises
        ------
        ArgumentTypeError, ArgumentValueError
            It is no array that the call can use.
        """
        if value is None or isinstance(value, DeviceArray):
            if value is not None and (value.library is not self.library or value.closed):
                self._require_usable(what or name, value)
            self.ready[name] = value
        else:
            self.host[name] = self._host_array(name, value, what or name)

    def __getitem__(self, name: str) -> Operand:
        """Return an operand that was given."""
        operand: Operand | None = self.ready.get(name)
        if operand is not None:
            return operand
        operand = self.host.get(name)
        if operand is None:
            raise ArgumentTypeError(f"{name} must be an array, not None")
        return operand

    def lengths(self, name: str, dimensions: str) -> tuple[int, ...]:
        """Return the shape of an operand that has the `dimensions` named, as "N H W C".

        Raises
        ------
        ArgumentValueError
            For another number of dimensions.
        """
        shape = self[name].shape
        if len(shape) != dimensions.count(" ") + 1:
            text = f"{name} must have the dimensions [{dimensions}], not the shape {list(shape)}"
            raise ArgumentValueError(text)
        return shape

    def like(self, name: str) -> DataType:
        """Return the dtype of an operand, for an output of the same."""
        operand = self[name]
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
            `shape` is none, or `out` has another shape or dtype, or shares memory with an input.
        """
        self._outputs += (name,)
        if zeroed:
            self._zeroed += (name,)
        shape = tuple(shape)
        if out is None:
            if min(shape, default=0) < 0:
                raise ArgumentValueError(f"no {name} has the shape {list(shape)}: a dimension is negative")
            self.new[name] = (shape, dtype)
            return
        self.take(name, out, "out")
        if type(out) is not DeviceArray:
            _require_output(out, shape, dtype)
            return
        if out.shape != shape or out.code is not dtype:
            _require_output(out, shape, dtype)
        self.require_apart("out", out, name)

    def send(self) -> None:
        """Copy what lies on the host to the device, and allocate what is written."""
        self._to_host = not any(array is not None for array in self.ready.values())
        for name, array in self.host.items():
            sent = self.ready[name] = DeviceArray.empty(self.library, array.shape, array.dtype)
            self.free_after(sent)
            if name not in self._outputs:
                sent.copy_from(array)
        for name, (shape, dtype) in self.new.items():
            self.ready[name] = DeviceArray.empty(self.library, shape, dtype)

    def free_after(self, array: DeviceArray) -> None:
        """Free an array with those that only the call needs."""
        self._temporary += (array,)

    def fetch(self) -> dict[str, Operand]:
        """Fill the arrays of the host that the function wrote, and return the outputs by name.

        New ones are ndarrays where nothing was given in device memory.
        """
        for name, array in self.host.items():
            if self.plan.operands[name].written:
                self._on_device(name).copy_to(array)
        results: dict[str, Operand] = {}
        for name in self._outputs:
            if name in self.host:
                results[name] = self.host[name]
                continue
            made = self._on_device(name)
            results[name] = made.numpy() if self._to_host and name in self.new else made
        return results

    def release(self, failed: bool) -> None:
        """Free what only the call needs, all of it whatever fails on the way."""
        freed = self._temporary
        if self.new and (failed or self._to_host):
            freed += tuple(array for name in self.new if (array := self.ready.get(name)) is not None)
        first: Error | None = None
        for array in freed:
            try:
                array.close()
            except Error as error:
                first = first or error
        if first is not None and not failed:
            raise first

    def dtype_hint(self) -> str:
        """Name the operands whose dtype is none of those that are documented."""
        wrong = []
        for name, accepted in self._accepted.items():
            operand = self.host.get(name, self.ready.get(name))
            if operand is not None and operand.dtype.name not in accepted:
                wrong.append(f"{name} is {operand.dtype.name}, and should be {' or '.join(accepted)}")
        return "; ".join(wrong)

    def _on_device(self, name: str) -> DeviceArray:
        array = self.ready[name]
        assert array is not None, "outputs are allocated"
        return array

    def _host_array(self, name: str, value: Any, what: str) -> NDArray[Any]:
        if not self.synchronize:
            raise ArgumentTypeError(
                f"{what} must be a DeviceArray where the call does not wait (synchronize=False), not a "
                f"{type(value).__name__}; DeviceArray.from_numpy makes one"
            )
        if self.plan.operands[name].written:
            array = writable_array(what, value)
            for other, taken in self.host.items():
                if self.plan.operands[other].written and np.may_share_memory(array, taken):
                    raise ArgumentValueError(f"{what} shares memory with {other}, which the call writes too")
            return array
        accepted = self._accepted.get(name)
        return known_dtype(what, host_array(what, value, accepted[0] if accepted else None))

    def _require_usable(self, what: str, array: DeviceArray) -> None:
        if array.closed:
            raise Closed(f"{what} is a closed DeviceArray")
        if not self.library.shares_memory_with(array.library):
            raise ArgumentTypeError(
                f"{what} is a DeviceArray of another library, {array.library!r}; the handle's is "
                f"{self.library!r}"
            )

    def require_no_part_in_common(self) -> None:
        """Refuse device memory that a call writes, and that lies in part where another operand does."""
        for name, place in self.plan.operands.items():
            array = self.ready.get(name)
            if array is None or not place.written:
                continue
            for other, ready in self.ready.items():
                if ready is None or ready.start == array.start:  # the same place: the operator may work there
                    continue
                if ready.start < array.end and array.start < ready.end:
                    raise ArgumentValueError(f"{name} shares a part of its memory with {other}")

    def require_apart(self, what: str, array: DeviceArray, name: str = "") -> None:
        """Refuse memory that a call writes, and that lies where another operand does."""
        # Written out, not shared with the check above: each call that takes `out` passes here.
        start, end = array.start, array.end
        for other, ready in self.ready.items():
            if ready is not None and ready.start < end and start < ready.end and other != name:
                raise ArgumentValueError(f"{what} shares memory with {other}, which the call uses too")


def _require_output(out: Operand, shape: tuple[int, ...], dtype: DataType) -> None:
    expected, code = dtype_and_code(dtype)
    if out.shape != shape or out.dtype != expected:
        wanted = f"{name_of(code)}{list(shape)}"
        raise ArgumentValueError(f"out must be {wanted}, not {out.dtype}{list(out.shape)}")


def several(out: Any, *names: str) -> Sequence[Any]:
    """Return the parts of an `out` for several outputs, each an array or None.

    Raises
    ------
    ArgumentTypeError
        It is no tuple of as many.
    """
    if out is None:
        return (None,) * len(names)
    if not isinstance(out, (tuple, list)) or len(out) != len(names):
        raise ArgumentTypeError(f"out must be a tuple of {len(names)}: {', '.join(names)}")
    return out
