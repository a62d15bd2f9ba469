"""Whether a device can be used after a call that it answered with an error."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from mluops import CnrtError, DeviceArray, Handle, MluOpError, Queue
from mluops.errors import CnrtAssert, CnrtDevice, CnrtKernelTrap, CnrtKernelUserTrap

if TYPE_CHECKING:
    from mluops import Library

LOSING = (CnrtAssert, CnrtDevice, CnrtKernelTrap, CnrtKernelUserTrap)
"""After these a process's context on the device is lost, whatever its copies still seem to do."""


def works(library: Library) -> bool:
    """Whether the device makes queues and handles, and gives back what is copied to it."""
    sent = np.arange(64, dtype=np.uint8)
    try:
        with Queue(library) as queue, Handle(library, queue), DeviceArray.from_numpy(library, sent) as array:
            queue.synchronize()
            return bool(np.array_equal(array.numpy(), sent))
    except (CnrtError, MluOpError):
        return False
