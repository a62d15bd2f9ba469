"""Addresses that stand for device memory and objects, where no host access succeeds."""

from __future__ import annotations

import mmap
import resource

import numpy as np

MAP_NORESERVE = 0x4000  # mmap has the name from Python 3.13 on
PROT_NONE = 0

WANTED_BYTES = 1 << 40
"""Far more than any device memory, so that a freed address is seldom given out again."""

SMALLEST_BYTES = 1 << 26


class Reservation:
    """A range of the process's address space that is mapped without access.

    Attributes
    ----------
    start, end : int
        The range. It costs address space only; of a limited one (RLIMIT_AS) a quarter is taken.
    """

    def __init__(self) -> None:
        self._map, size = _reserve(_affordable_bytes())
        self.start = int(np.frombuffer(self._map, np.uint8).ctypes.data)
        self.end = self.start + size

    def __contains__(self, address: int) -> bool:
        return self.start <= address < self.end


def _affordable_bytes() -> int:
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    return WANTED_BYTES if limit == resource.RLIM_INFINITY else min(WANTED_BYTES, limit // 4)


def _reserve(size: int) -> tuple[mmap.mmap, int]:
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | MAP_NORESERVE
    while True:
        size -= size % mmap.PAGESIZE
        try:
            return mmap.mmap(-1, size, flags=flags, prot=PROT_NONE), size
        except OSError:
            if size <= SMALLEST_BYTES:
                raise
            size //= 2
