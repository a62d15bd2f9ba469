"""Device memory that operators use while they run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Union

from mluops.array import DeviceArray
from mluops.errors import ArgumentTypeError, ArgumentValueError, Closed
from mluops.lifetime import usable

if TYPE_CHECKING:
    from mluops.handle import Handle
    from mluops.library import Library
    from mluops.queue import Queue

Scratch = Union["Workspace", DeviceArray]


class Workspace:
    """A workspace that calls on one queue use one after the other; it grows to what the largest needs.

    Parameters
    ----------
    library : Library
    nbytes : int, optional
        The size to begin with.

    Raises
    ------
    ArgumentTypeError, ArgumentValueError
    """

    def __init__(self, library: Library, nbytes: int = 0) -> None:
        self.library = usable(library)
        self._block = DeviceArray.empty(library, (nbytes,), "uint8")
        self._queue: int | None = None
        self._in_use: Queue | None = None

    @property
    def nbytes(self) -> int:
        """The present size."""
        return self._block.nbytes

    def block(self, nbytes: int, handle: Handle, queue: int) -> DeviceArray:
        """Return memory of at least `nbytes` for the next call of a handle, whose queue is at an address.

        Raises
        ------
        Closed
            After `close`.
        ArgumentValueError
            A call on another queue may still use the workspace.
        CnrtError
            The device has not enough memory.
        """
        if self._block.closed:
            raise Closed("workspace is closed")
        if queue != self._queue:
            self._require_free(handle, queue)
        if nbytes > self._block.nbytes:
            self._block = DeviceArray.empty(self.library, (nbytes,), "uint8")  # queued calls keep the old one
        return self._block

    def close(self) -> None:
        """Free the memory; the queue of the calls that use it is to be synchronised before."""
        self._block.close()

    def __enter__(self) -> Workspace:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Workspace of {self.nbytes} bytes>"

    def _require_free(self, handle: Handle, queue: int) -> None:
        last = self._in_use
        busy = self._queue is not None and (last is None or not (last.closed or last.idle))
        if busy and self.library.pending.count(self._queue or 0):
            raise ArgumentValueError(
                "workspace may still be in use on another queue: synchronise that one, or take a Workspace "
                "for each queue"
            )
        self._queue, self._in_use = queue, handle.queue


def scratch_of(workspace: Any, nbytes: int, handle: Handle, queue: int) -> DeviceArray | None:
    """Return the memory for a call that needs `nbytes`; None stands for NULL.

    Parameters
    ----------
    workspace : Workspace, DeviceArray or None
        None allocates what is needed.
    nbytes : int
    handle : Handle
    queue : int
        The address of the handle's queue.

    Raises
    ------
    ArgumentTypeError, ArgumentValueError
        `workspace` is something else, of another library, or too small.
    """
    if workspace is None:
        return DeviceArray.empty(handle.library, (nbytes,), "uint8") if nbytes else None
    if type(workspace) is not Workspace or workspace.library is not handle.library:
        _require_scratch(workspace, nbytes, handle)
    if nbytes == 0:
        return None
    return workspace.block(nbytes, handle, queue) if isinstance(workspace, Workspace) else workspace


def _require_scratch(workspace: Any, nbytes: int, handle: Handle) -> None:
    if not isinstance(workspace, (Workspace, DeviceArray)):
        kind = type(workspace).__name__
        raise ArgumentTypeError(f"workspace must be a Workspace or a DeviceArray, not a {kind}")
    if not handle.library.shares_memory_with(workspace.library):
        raise ArgumentTypeError(f"workspace belongs to another library, {workspace.library!r}")
    if isinstance(workspace, DeviceArray) and workspace.closed:
        raise Closed("workspace is a closed DeviceArray")
    if isinstance(workspace, DeviceArray) and workspace.nbytes < nbytes:
        raise ArgumentValueError(f"workspace has {workspace.nbytes} bytes, but {nbytes} are needed")
