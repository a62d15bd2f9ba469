"""Results whose size the device decides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mluops.queue import Queue

if TYPE_CHECKING:
    from mluops.array import DeviceArray
    from mluops.handle import Handle


class Selection:
    """A result of an operator that does not wait: an array, and how many of its entries are valid.

    Attributes
    ----------
    output : DeviceArray
        With room for all entries.
    count : DeviceArray, int32 [1]
        How many of the first ones are valid, once the queue has got there.
    """

    def __init__(self, handle: Handle, output: DeviceArray, count: DeviceArray) -> None:
        self.output = output
        self.count = count
        self._queue = handle.queue or Queue.borrow(handle.library, 0)

    def result(self) -> DeviceArray:
        """Wait for the queue of the call, and return the valid entries."""
        if not self._queue.closed:  # closing it has waited for the call
            self._queue.synchronize()
        return self.output[: int(self.count.numpy()[0])]

    def __repr__(self) -> str:
        return f"<Selection from {self.output!r}>"
