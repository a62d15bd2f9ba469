"""Arrays in device memory."""

from __future__ import annotations

import ctypes
import math
from typing import TYPE_CHECKING, Any, Union

import numpy as np

from mluops.constants import cnrtMemTransDir_t
from mluops.descriptor import TensorDescriptor
from mluops.lifetime import Resource

if TYPE_CHECKING:
    from typing import Sequence

    from numpy.typing import DTypeLike, NDArray

    from mluops.descriptor import Layout
    from mluops.library import CFunction, Library
    from mluops.queue import Queue

Operand = Union["DeviceArray", "NDArray[Any]"]

_ASYNCHRONOUS_COPIES = ("cnrtMemcpyAsync_V3", "cnrtMemcpyAsync_V2", "cnrtMemcpyAsync")


class DeviceArray(Resource):
    """A contiguous array in device memory.

    `empty` and `from_numpy` allocate; the constructor is for memory that belongs to somebody else.

    Parameters
    ----------
    library : Library
    shape : sequence of int
    dtype : dtype-like
    address : int
        A device address; 0 for an array without elements.
    owner : object, optional
        Whom the memory belongs to: kept alive, and left to release it.

    Attributes
    ----------
    shape : tuple of int
    dtype : numpy.dtype
    """

    def __init__(
        self,
        library: Library,
        shape: Sequence[int],
        dtype: DTypeLike,
        address: int,
        owner: object = None,
        *,
        release: CFunction | None = None,
    ) -> None:
        # a plain int would pass for a C int too, its upper half cut off
        super().__init__(library, ctypes.c_void_p(address), release, owner)
        self.shape = tuple(shape)
        self.dtype = np.dtype(dtype)
        self._descriptors: dict[Layout, TensorDescriptor] = {}

    @classmethod
    def empty(cls, library: Library, shape: Sequence[int], dtype: DTypeLike) -> DeviceArray:
        """Allocate an array; nothing is allocated for one without elements.

        Raises
        ------
        ValueError
            For a negative dimension.
        CnrtError
            When the device has not enough memory.
        """
        library.ensure_own_process()
        if any(extent < 0 for extent in shape):
            raise ValueError(f"no array has the shape {list(shape)}: a dimension is negative")
        nbytes = _nbytes(shape, np.dtype(dtype))
        if nbytes == 0:
            return cls(library, shape, dtype, 0)
        address = ctypes.c_void_p()
        library.cnrtMalloc.checked(ctypes.byref(address), nbytes)
        return cls(library, shape, dtype, address.value or 0, release=library.cnrtFree)

    @classmethod
    def from_numpy(cls, library: Library, array: NDArray[Any]) -> DeviceArray:
        """Copy `array` to the device."""
        copy = cls.empty(library, array.shape, array.dtype)
        copy.copy_from(array)
        return copy

    @property
    def pointer(self) -> int:
        """The device address; 0 for an array without elements."""
        address: int | None = self.raw.value
        return address or 0

    @property
    def nbytes(self) -> int:
        return _nbytes(self.shape, self.dtype)

    def numpy(self) -> NDArray[Any]:
        """Copy the array to the host. The queue of a call that writes it is to be synchronised before."""
        array: NDArray[Any] = np.empty(self.shape, self.dtype)
        self._copy(array.ctypes.data, self.pointer, cnrtMemTransDir_t.cnrtMemcpyDevToHost)
        return array

    def copy_from(self, source: Operand, queue: Queue | None = None) -> None:
        """Copy `source`, of the same shape and dtype, into this array.

        With a `queue` the copy is one of its tasks, and both ends are kept until it is synchronised;
        without one it is done on return.
        """
        if source.shape != self.shape or source.dtype != self.dtype:
            raise ValueError(f"cannot copy {source.dtype}{source.shape} into {self.dtype}{self.shape}")
        if isinstance(source, DeviceArray):
            self._copy(self.pointer, source.pointer, cnrtMemTransDir_t.cnrtMemcpyDevToDev, queue, source)
        else:
            host = np.asarray(source, order="C")
            self._copy(self.pointer, host.ctypes.data, cnrtMemTransDir_t.cnrtMemcpyHostToDev, queue, host)

    def fill_bytes(self, value: int) -> None:
        """Set every byte to `value`."""
        if self.nbytes:
            self.library.cnrtMemset.checked(self, value, self.nbytes)

    def truncate(self, count: int) -> None:
        """Keep only the first `count` entries of the first axis. The memory stays as it is."""
        if not 0 <= count <= self.shape[0]:
            raise ValueError(f"there are {self.shape[0]} entries, not {count}")
        self._close_descriptors()
        self.shape = (count, *self.shape[1:])

    def descriptor(self, layout: Layout = "ARRAY") -> TensorDescriptor:
        """Return the array's descriptor in `layout`, the same one each time; it closes with the array."""
        if layout not in self._descriptors:
            self._descriptors[layout] = TensorDescriptor(self.library, self.shape, self.dtype, layout)
        return self._descriptors[layout]

    def close(self) -> None:
        """Free the memory, unless it is another's, and destroy the descriptors."""
        self._close_descriptors()
        super().close()

    def __repr__(self) -> str:
        place = "closed" if self.closed else f"at {self.pointer:#x}"
        return f"<DeviceArray {self.dtype}{list(self.shape)} {place}>"

    def _close_descriptors(self) -> None:
        while self._descriptors:
            self._descriptors.popitem()[1].close()

    def _copy(
        self,
        target: int,
        source: int,
        direction: cnrtMemTransDir_t,
        queue: Queue | None = None,
        end: object = None,
    ) -> None:
        nbytes = self.nbytes
        if nbytes == 0:
            return
        if queue is None:
            self.library.cnrtMemcpy.checked(target, source, nbytes, direction)
        else:
            copy = self.library.first(*_ASYNCHRONOUS_COPIES)
            copy.checked(target, source, nbytes, queue, direction)
            queue.keep(self, end)


def _nbytes(shape: Sequence[int], dtype: np.dtype[Any]) -> int:
    return math.prod(shape) * dtype.itemsize
