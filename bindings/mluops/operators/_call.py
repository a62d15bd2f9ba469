"""What the calls of whole operators have in common."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, Callable, Sequence

import numpy as np

from mluops.array import DeviceArray, Operand
from mluops.descriptor import set_descriptor
from mluops.errors import ArgumentTypeError, Error
from mluops.handle import Handle
from mluops.types import mluOpTensorDescriptor_t

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

    from mluops.descriptor import Layout
    from mluops.library import CFunction


class Call:
    """One call of an operator; what only the call needs is released at the end of its block.

    Parameters
    ----------
    handle : Handle
    *operands : DeviceArray or ndarray
        All that the user gave. If none is on the device, the results go back to the host.

    Raises
    ------
    ArgumentTypeError
        The handle is none, as where a library is given in its place.
    """

    def __init__(self, handle: Handle, *operands: Operand | None) -> None:
        if not isinstance(handle, Handle):
            raise ArgumentTypeError(f"handle must be a Handle, not a {type(handle).__name__}")
        self.handle = handle
        self.library = handle.library
        self._for_host = DeviceArray not in map(type, operands)
        self._borrowed: list[tuple[Callable[[Any], None], Any]] = []

    def __enter__(self) -> Call:
        return self

    def __exit__(self, failure: type[BaseException] | None, *_: object) -> None:
        first = None
        for release, resource in reversed(self._borrowed):  # all of them, whatever fails on the way
            try:
                release(resource)
            except Error as error:
                first = first or error
        if failure is None and first is not None:
            raise first

    def on_device(self, operand: Operand) -> DeviceArray:
        """Return the operand, or a copy of it in device memory."""
        if isinstance(operand, DeviceArray):
            return operand
        if not isinstance(operand, np.ndarray):
            raise _no_array("an operand", operand)
        array = DeviceArray.from_numpy(self.library, operand)
        self._borrowed.append((DeviceArray.close, array))
        return array

    def output(self, shape: Sequence[int], dtype: DTypeLike) -> DeviceArray:
        """Allocate a result, which `result` hands over."""
        array = DeviceArray.empty(self.library, shape, dtype)
        if self._for_host:
            self._borrowed.append((DeviceArray.close, array))
        return array

    def descriptor(self, output: DeviceArray, layout: Layout = "ARRAY") -> mluOpTensorDescriptor_t:
        """Describe an output, which needs that only for this call."""
        desc = mluOpTensorDescriptor_t()
        self.library.mluOpCreateTensorDescriptor.checked(ctypes.byref(desc))
        self._borrowed.append((self.library.mluOpDestroyTensorDescriptor.checked, desc))
        set_descriptor(self.library, desc, output.shape, output.dtype, layout)
        return desc

    def scratch(self, nbytes: int) -> ctypes.c_void_p:
        """Allocate bytes on the device; NULL if there are none."""
        address = ctypes.c_void_p()
        if nbytes:
            self.library.cnrtMalloc.checked(ctypes.byref(address), nbytes)
            self._borrowed.append((self.library.cnrtFree.checked, address))
        return address

    def workspace(self, query: CFunction, *arguments: Any) -> tuple[ctypes.c_void_p, int]:
        """Allocate as many bytes as `query` asks for; none where it leaves the size as it was."""
        size = ctypes.c_size_t(0)
        query.checked(self.handle, *arguments, ctypes.byref(size))
        return self.scratch(size.value), size.value

    def run(self, function: CFunction, *arguments: Any) -> None:
        """Call the operator and wait for it."""
        function.checked(self.handle, *arguments)
        self.handle.synchronize()

    def result(self, array: DeviceArray) -> Operand:
        """Return an output where the operands came from."""
        return array.numpy() if self._for_host else array


def _no_array(name: str, operand: object) -> ArgumentTypeError:
    return ArgumentTypeError(f"{name} must be an ndarray or a DeviceArray, not a {type(operand).__name__}")


def lengths(name: str, operand: Operand, dimensions: str) -> tuple[int, ...]:
    """Return the shape of an operand that has the `dimensions` named, as "N H W C".

    Raises
    ------
    ArgumentTypeError
        The operand is no array.
    ValueError
        For another number of dimensions.
    """
    if not isinstance(operand, (DeviceArray, np.ndarray)):
        raise _no_array(name, operand)
    shape = operand.shape
    if len(shape) != len(dimensions.split()):
        raise ValueError(f"{name} must have the dimensions [{dimensions}], not the shape {list(shape)}")
    return shape
