"""The handle: mlu-ops' context on one device."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, Dict, Tuple

from mluops.errors import ArgumentValueError, Closed, NotInitialized
from mluops.lifetime import Resource, usable
from mluops.queue import Queue, require_queue
from mluops.types import address_of, mluOpHandle_t

if TYPE_CHECKING:
    from mluops.constants import mluOpDataType_t
    from mluops.descriptor import Layout, TensorDescriptor
    from mluops.library import Library

DESCRIPTORS = 256
"""Tensors of different shapes that a handle keeps descriptors for."""

NEEDED = (  # by mlu-ops from a release on, newest first: CNRT and CNDrv; mluOpCreate refuses older ones
    ((1, 0, 0), "CNRT older than 6.7.0 or a CNDrv older than 2.7.0"),
    ((0, 8, 0), "CNRT older than 6.3.0 or a CNDrv older than 2.3.0"),
    ((0, 0, 0), "CNRT older than 5.0.0"),
)


class Descriptors(Dict[Tuple[object, ...], "TensorDescriptor"]):
    """Descriptors by shape, dtype and layout, hashed by identity: queued calls keep the whole dict."""

    __hash__ = object.__hash__  # type: ignore[assignment]


class Handle(Resource):
    """A context of mlu-ops on the current device.

    Parameters
    ----------
    library : Library
    queue : Queue, optional
        Where the handle's operators run; the device's default queue otherwise.

    Raises
    ------
    MluOpError
        `NotInitialized` says which CNRT this mlu-ops needs and which one was loaded.
    ArgumentTypeError
        `queue` is no Queue of this library.
    """

    def __init__(self, library: Library, queue: Queue | None = None) -> None:
        require_queue(usable(library), queue)
        raw = mluOpHandle_t()
        try:
            library.mluOpCreate.checked(ctypes.byref(raw))
        except NotInitialized as error:
            raise NotInitialized(error.function, error.status, hint=_needs(library)) from None
        self._hold(library, raw, library.mluOpDestroy.checked, None, queue)

    @classmethod
    def borrow(
        cls, library: Library, address: Any, queue: Queue | None = None, owner: object = None
    ) -> Handle:
        """Use a handle that somebody else created and will destroy.

        Parameters
        ----------
        library : Library
            The same libmluops that created it.
        address : int or ctypes pointer
            The mluOpHandle_t.
        queue : Queue, optional
            A queue to set on it; it keeps the one that it has otherwise.
        owner : object, optional
            Kept alive as long as the handle is borrowed.

        Raises
        ------
        ArgumentTypeError, ArgumentValueError
            `address` is not an address, or NULL; `queue` is no Queue of this library.
        """
        require_queue(usable(library), queue)
        number = address_of(address, "address", mluOpHandle_t)
        if not number:
            raise ArgumentValueError("address is NULL: no handle can be borrowed from it")
        handle = cls.__new__(cls)
        handle._hold(library, ctypes.cast(number, mluOpHandle_t), None, owner, queue)
        return handle

    def _hold(self, library: Library, raw: Any, release: Any, owner: object, queue: Queue | None) -> None:
        self._held: list[Queue | None] = [None]  # outlives the handle, which is destroyed before its queue
        self.descriptors = Descriptors()
        super().__init__(library, raw, release, owner, self._held)
        if queue is not None:
            library.mluOpSetQueue.checked(self, queue)

    def queue_address(self) -> int:
        """Return the address of the queue that the handle has now; 0 is the default queue.

        Raises
        ------
        Closed
            The handle or its queue is closed.
        """
        address = self.library.queue_of(self.raw)
        held = self._held[0]
        if held is not None and held.closed and held.address == address:
            raise Closed("the handle's queue is closed: give it another one by mluOpSetQueue")
        return address

    @property
    def queue(self) -> Queue | None:
        """The queue that the handle has now, however it was set; None for the default queue."""
        address = self.queue_address()
        held = self._held[0]
        if held is not None and held.address == address:
            return held
        return Queue.borrow(self.library, address) if address else None

    def described(self, shape: tuple[int, ...], code: mluOpDataType_t, layout: Layout) -> TensorDescriptor:
        """Return a descriptor for the calls of this handle, the same one each time; it lives as long.

        Nobody may change it. A handle has no more than `DESCRIPTORS` of them.
        """
        found = self.descriptors.get((shape, code, layout))
        if found is None:
            from mluops.descriptor import TensorDescriptor

            found = TensorDescriptor(self.library, shape, code, layout)
            if len(self.descriptors) >= DESCRIPTORS:
                self.descriptors = Descriptors()  # queued calls keep those that they use
            self.descriptors[shape, code, layout] = found
        return found

    def close(self) -> None:
        """Destroy the handle, unless it is another's, and its descriptors."""
        self.descriptors = Descriptors()
        super().close()

    def adopt(self, queue: object) -> None:
        """Keep a queue alive that was set by mluOpSetQueue."""
        self._held[0] = queue if isinstance(queue, Queue) else None

    def synchronize(self) -> None:
        """Wait until everything in the handle's queue has finished."""
        self.library.synchronize(self.queue_address())

    def __repr__(self) -> str:
        if self.closed:
            return self._described()
        queue = self.library.queue_of(self)
        place = f"on queue {queue:#x}" if queue else "on the default queue"
        return self._described(f"at {address_of(self.raw, 'handle'):#x}", place)


def _needs(library: Library) -> str:
    too_old = next(old for release, old in NEEDED if library.version >= release)
    return (
        f"mlu-ops {_dotted(library.version)} refuses a {too_old}; "
        f"this CNRT is {_dotted(library.cnrt_version)} ({library.cnrt_path}). "
        "Install a newer CNToolkit; MLUOP_CHECK_DEP_VERSION=0 in the environment turns that check off"
    )


def _dotted(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))
