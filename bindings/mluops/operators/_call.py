"""What the calls of whole operators have in common."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, Sequence

import numpy as np

from mluops.array import DeviceArray, Operand

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

    from mluops.handle import Handle
    from mluops.library import CFunction


class Call:
    """One call of an operator; the device memory that only the call needs is freed at the end of its block.

    Parameters
    ----------
    handle : Handle
    *operands : DeviceArray or ndarray
        All that the user gave. If none is on the device, the results go back to the host.
    """

    def __init__(self, handle: Handle, *operands: Operand | None) -> None:
        self.handle = handle
        self._for_host = not any(isinstance(operand, DeviceArray) for operand in operands)
        self._temporaries: list[DeviceArray] = []

    def __enter__(self) -> Call:
        return self

    def __exit__(self, *_: object) -> None:
        for array in self._temporaries:
            array.close()

    def on_device(self, operand: Operand) -> DeviceArray:
        """Return the operand, or a copy of it in device memory."""
        if isinstance(operand, DeviceArray):
            return operand
        return self._temporary(DeviceArray.from_numpy(self.handle.library, np.asarray(operand)))

    def scratch(self, shape: Sequence[int], dtype: DTypeLike) -> DeviceArray:
        """Allocate what only this call needs."""
        return self._temporary(DeviceArray.empty(self.handle.library, shape, dtype))

    def output(self, shape: Sequence[int], dtype: DTypeLike) -> DeviceArray:
        """Allocate a result, which `result` hands over."""
        array = DeviceArray.empty(self.handle.library, shape, dtype)
        return self._temporary(array) if self._for_host else array

    def workspace(self, query: CFunction, *arguments: Any) -> DeviceArray:
        """Allocate as many bytes as `query` asks for; none if it leaves the size as it was."""
        size = ctypes.c_size_t(0)
        query.checked(self.handle, *arguments, ctypes.byref(size))
        return self.scratch((size.value,), np.uint8)

    def run(self, function: CFunction, *arguments: Any) -> None:
        """Call the operator and wait for it."""
        function.checked(self.handle, *arguments)
        self.handle.synchronize()

    def result(self, array: DeviceArray) -> Operand:
        """Return an output where the operands came from."""
        return array.numpy() if self._for_host else array

    def _temporary(self, array: DeviceArray) -> DeviceArray:
        self._temporaries.append(array)
        return array


def lengths(name: str, operand: Operand, dimensions: str) -> tuple[int, ...]:
    """Return the shape of an operand with the `dimensions` named, as "N H W C".

    Raises
    ------
    ValueError
        For another number of dimensions.
    """
    shape = np.shape(operand) if not isinstance(operand, DeviceArray) else operand.shape
    if len(shape) != len(dimensions.split()):
        raise ValueError(f"{name} must have the dimensions [{dimensions}], not the shape {list(shape)}")
    return tuple(shape)
