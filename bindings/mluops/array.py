"""Arrays in device memory."""

from __future__ import annotations

import ctypes
import math
import weakref
from typing import TYPE_CHECKING, Any, NoReturn, Union

import numpy as np

from mluops.constants import cnrtMemTransDir_t, mluOpDataType_t
from mluops.descriptor import TensorDescriptor
from mluops.dtypes import dtype_and_code, holds, name_of
from mluops.errors import ArgumentTypeError, ArgumentValueError
from mluops.host import checked_shape, require_ndarray
from mluops.indexing import Block, block_of, reshaped
from mluops.lifetime import Release, Resource, usable
from mluops.queue import Queue, require_queue
from mluops.types import address_of

if TYPE_CHECKING:
    from typing import Iterator, Sequence

    from numpy.typing import NDArray

    from mluops.descriptor import Layout
    from mluops.dtypes import DataType
    from mluops.library import Library

Operand = Union["DeviceArray", "NDArray[Any]"]

_ASYNCHRONOUS_COPIES = ("cnrtMemcpyAsync_V3", "cnrtMemcpyAsync_V2", "cnrtMemcpyAsync")
_OF_THE_SHAPE = (np.shape, np.ndim, np.size)
_NOT_BY_ITSELF = "a DeviceArray does not become an ndarray by itself: its .numpy() copies it to the host"
_TO_HOST = cnrtMemTransDir_t.cnrtMemcpyDevToHost
_TO_DEVICE = cnrtMemTransDir_t.cnrtMemcpyHostToDev
_ON_DEVICE = cnrtMemTransDir_t.cnrtMemcpyDevToDev


class DeviceArray(Resource):
    """A contiguous array in device memory.

    `empty` and `from_numpy` allocate; the constructor, also called `borrow`, is for memory that belongs to
    somebody else. Slices, and what `reshape` returns, are views: they share the memory and close with it.

    Parameters
    ----------
    library : Library
    shape : sequence of int
    dtype : dtype-like or mluOpDataType_t
        "bfloat16" is ml_dtypes' type where that is installed, and uint16 with the same bits otherwise.
    address : int or ctypes pointer
        A device address; 0 only for an array without elements.
    owner : object, optional
        Whom the memory belongs to: kept alive, and left to release it. An array of a DeviceArray closes with
        it.

    Attributes
    ----------
    shape : tuple of int
    dtype : numpy.dtype
    code : mluOpDataType_t
        The type of its descriptors.
    nbytes : int

    Raises
    ------
    ArgumentTypeError, ArgumentValueError
        The dtype, the shape or the address cannot be used.
    """

    used_by_tasks = True

    def __init__(
        self,
        library: Library,
        shape: Sequence[int],
        dtype: DataType,
        address: Any,
        owner: object = None,
        *,
        release: Release = None,
    ) -> None:
        self._describe(checked_shape(shape), *dtype_and_code(dtype))
        number = address_of(address, "address")
        if not number and self.size:
            raise ArgumentValueError(
                f"address is NULL, but {name_of(self.code)}{list(self.shape)} has elements"
            )
        if number + self.nbytes > 1 << 64:
            text = f"{name_of(self.code)}{list(self.shape)} at address {number:#x} ends beyond 64 bits"
            raise ArgumentValueError(text)
        self._hold(usable(library), number, release, owner)

    @classmethod
    def borrow(
        cls, library: Library, shape: Sequence[int], dtype: DataType, address: Any, owner: object = None
    ) -> DeviceArray:
        """Use memory that somebody else allocated and will free; see the class for the parameters."""
        return cls(library, shape, dtype, address, owner)

    @classmethod
    def empty(cls, library: Library, shape: Sequence[int], dtype: DataType) -> DeviceArray:
        """Allocate an array; nothing is allocated for one without elements.

        Raises
        ------
        ArgumentTypeError, ArgumentValueError
            For a dtype that mlu-ops has not, and a negative dimension.
        CnrtError
            When the device has not enough memory.
        """
        array = cls.__new__(cls)
        array._describe(checked_shape(shape), *dtype_and_code(dtype))
        usable(library)
        nbytes = array.nbytes
        if nbytes >= 1 << 63:
            text = f"{name_of(array.code)}{list(array.shape)} has {nbytes} bytes, more than any device"
            raise ArgumentValueError(text)
        if nbytes == 0:
            array._hold(library, 0, None, None)
            return array
        address = ctypes.c_void_p()
        library.cnrtMalloc.succeed(ctypes.byref(address), nbytes)
        array._hold(library, address.value or 0, library.cnrtFree.succeed, None)
        return array

    @classmethod
    def from_numpy(cls, library: Library, array: NDArray[Any], dtype: DataType | None = None) -> DeviceArray:
        """Copy `array` to the device; `dtype` names the type of bits, as "bfloat16" does for uint16."""
        require_ndarray("array", array, "an ndarray")
        copy = cls.empty(library, array.shape, array.dtype if dtype is None else dtype)
        copy.copy_from(array)
        return copy

    @property
    def pointer(self) -> int:
        """The device address; 0 for an array without elements."""
        address: int | None = self.raw.value
        return address or 0

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of elements."""
        return math.prod(self.shape)

    def __len__(self) -> int:
        if not self.shape:
            raise ArgumentTypeError("an array without dimensions has no length")
        return self.shape[0]

    def __bool__(self) -> NoReturn:
        raise ArgumentTypeError("a DeviceArray is neither true nor false; compare with None, or use its size")

    def __iter__(self) -> Iterator[DeviceArray]:
        return (self[index] for index in range(len(self)))

    def __eq__(self, other: object) -> bool:
        """Return whether `other` is this very array; elements are not compared, and asking is an error."""
        if other is self or other is None or isinstance(other, (str, bytes)):
            return other is self
        raise ArgumentTypeError("elements of a DeviceArray are not compared: copy it by its .numpy() first")

    __hash__ = Resource.__hash__

    def __getitem__(self, item: Any) -> DeviceArray:
        """Return a contiguous part: integers for leading dimensions, then at most one slice of step 1."""
        return self._view(block_of(self.shape, item))

    def reshape(self, *shape: Any) -> DeviceArray:
        """Return the same elements in another shape, of which one dimension may be -1."""
        return self._view(Block(0, reshaped(self.shape, shape)))

    def numpy(self) -> NDArray[Any]:
        """Copy the array to the host. The queue of a call that writes it is to be synchronised before."""
        array: NDArray[Any] = np.empty(self.shape, self.dtype)
        self.copy_to(array)
        return array

    def __array__(self, dtype: object = None, copy: object = None) -> object:
        raise ArgumentTypeError(_NOT_BY_ITSELF)

    def __array_ufunc__(self, *_: object, **__: object) -> NoReturn:
        raise ArgumentTypeError(_NOT_BY_ITSELF)

    def __array_function__(self, function: Any, types: object, args: Any, kwargs: Any) -> object:
        """Refuse NumPy's functions, some of which would take the array for an object; not its shape."""
        if function in _OF_THE_SHAPE and args and args[0] is self:
            alike = np.broadcast_to(np.empty((), self.dtype), self.shape)
            return function(alike, *args[1:], **kwargs)
        raise ArgumentTypeError(_NOT_BY_ITSELF)

    def copy(self, queue: Queue | None = None) -> DeviceArray:
        """Return a new array with the same elements; with a `queue`, as of `copy_from`."""
        new = DeviceArray.empty(self.library, self.shape, self.code)
        new.copy_from(self, queue)
        return new

    def copy_from(self, source: Operand, queue: Queue | None = None) -> None:
        """Copy `source`, of the same shape and dtype, into this array.

        With a `queue` the copy is one of its tasks, and both ends are kept until it is synchronised;
        without one it is done on return.

        Raises
        ------
        ArgumentTypeError, ArgumentValueError
        """
        if isinstance(source, DeviceArray):
            self._require_alike("copy from", source)
            self._require_shared(source, "source")
            if source.start < self.end and self.start < source.end and source.start != self.start:
                raise ArgumentValueError("source overlaps the array that it is copied to")
            self._copy(self.pointer, source.pointer, _ON_DEVICE, queue, source)
        else:
            require_ndarray("source", source)
            self._require_alike("copy from", source)
            host = np.asarray(source, order="C")
            self._copy(self.pointer, host.ctypes.data, _TO_DEVICE, queue, host)

    def copy_to(self, out: Operand, queue: Queue | None = None) -> None:
        """Copy this array into `out`, of the same shape and dtype; `queue` as for `copy_from`.

        An ndarray that a queue fills has to be C-contiguous.
        """
        if isinstance(out, DeviceArray):
            out.copy_from(self, queue)
            return
        require_ndarray("out", out)
        self._require_alike("copy into", out)
        if not out.flags.writeable:
            raise ArgumentValueError("out is read-only")
        if out.flags.c_contiguous:
            self._copy(out.ctypes.data, self.pointer, _TO_HOST, queue, out)
        elif queue is None:
            out[...] = self.numpy().view(out.dtype)
        else:
            raise ArgumentValueError("out must be C-contiguous where a queue copies into it")

    def fill_bytes(self, value: int, queue: Queue | None = None) -> None:
        """Set every byte to `value`, -128 to 255, as a task of the queue if one is given."""
        if isinstance(value, int) and not -128 <= value <= 255:
            raise ArgumentValueError(f"value is {value}, which is no byte")
        require_queue(usable(self.library), queue)
        if not self.nbytes:
            return
        if queue is None:
            self.library.cnrtMemset.checked(self, value, self.nbytes)
        else:
            self.library.cnrtMemsetAsync.checked(self, value, self.nbytes, queue)

    def descriptor(self, layout: Layout = "ARRAY") -> TensorDescriptor:
        """Return the array's descriptor in `layout`, the same one each time; it closes with the array."""
        found = self._descriptors.get(layout)
        if found is None:
            found = TensorDescriptor(self.library, self.shape, self.code, layout)
            self._descriptors[layout] = found
        return found

    def close(self) -> None:
        """Free the memory, unless it is another's, and destroy the descriptors and views."""
        while self._descriptors:
            self._descriptors.popitem()[1].close()
        for view in tuple(self._views or ()):
            view.close()
        super().close()

    def __repr__(self) -> str:
        place = () if self.closed else (f"at {self.pointer:#x}",)
        return self._described(f"{name_of(self.code)}{list(self.shape)}", *place)

    def _describe(self, shape: tuple[int, ...], dtype: np.dtype[Any], code: mluOpDataType_t) -> None:
        self.shape, self.dtype, self.code = shape, dtype, code
        self.nbytes = math.prod(shape) * dtype.itemsize

    def _hold(self, library: Library, address: int, release: Release, owner: object) -> None:
        self.start, self.end = address, address + self.nbytes
        # a plain int would pass for a C int too, its upper half cut off
        super().__init__(library, ctypes.c_void_p(address), release, owner)
        self._descriptors: dict[Layout, TensorDescriptor] = {}
        self._views: weakref.WeakSet[DeviceArray] | None = None
        if isinstance(owner, DeviceArray):
            owner._views = owner._views or weakref.WeakSet()
            owner._views.add(self)

    def _view(self, block: Block) -> DeviceArray:
        address = self.pointer + block.start * self.dtype.itemsize
        view = DeviceArray.__new__(DeviceArray)
        view._describe(block.shape, self.dtype, self.code)
        view._hold(self.library, address, None, self)
        view.borrowed = self.borrowed
        return view

    def _require_alike(self, action: str, other: Operand) -> None:
        if other.shape != self.shape or not (other.dtype == self.dtype or holds(other.dtype, self.code)):
            mine = f"{self.dtype}{list(self.shape)}"
            raise ArgumentValueError(f"cannot {action} {other.dtype}{list(other.shape)}: this is {mine}")

    def _require_shared(self, other: DeviceArray, what: str) -> None:
        if not self.library.shares_memory_with(other.library):
            raise ArgumentTypeError(f"{what} belongs to another library, {other.library!r}")

    def _copy(
        self, target: int, source: int, direction: cnrtMemTransDir_t, queue: Queue | None, end: object
    ) -> None:
        require_queue(usable(self.library), queue)
        nbytes = self.nbytes
        if nbytes == 0:
            return
        if queue is None:
            self.library.cnrtMemcpy.succeed(target, source, nbytes, direction)
        else:
            copy = self.library.first(*_ASYNCHRONOUS_COPIES)
            copy.checked(target, source, nbytes, queue, direction)
            queue.keep(self, end)
