"""The caller's memory: results written through pointers, arrays read, ranges copied."""

from __future__ import annotations

import ctypes
import mmap
import os
from collections import deque
from dataclasses import dataclass
from typing import Any

import numpy as np

from mluops_emulator.reservation import Reservation
from mluops_emulator.sites import Site, caller_site
from mluops_emulator.violations import Kind, Misuse, Refused

_LIBC = ctypes.CDLL(None, use_errno=True)
_LIBC.mincore.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p)

REMEMBERED = 1 << 12


@dataclass
class PageLocked:
    """A block of cnrtHostMalloc."""

    block: np.ndarray[Any, Any] | None
    nbytes: int
    number: int
    allocated: Site
    freed: Site | None = None

    def __str__(self) -> str:
        text = f"the host buffer of {self.nbytes} bytes, allocated at {self.allocated}"
        return text if self.freed is None else f"{text}, freed at {self.freed}"


class Host:
    """Access to the memory of the calling process, which device addresses are not part of.

    Parameters
    ----------
    reservation : Reservation
        The addresses that the host may not touch.
    """

    def __init__(self, reservation: Reservation) -> None:
        self._reservation = reservation
        self._live: dict[int, PageLocked] = {}
        self._freed: deque[tuple[int, PageLocked]] = deque(maxlen=REMEMBERED)
        self._strings: dict[bytes, Any] = {}
        self._residency = ctypes.create_string_buffer(1)  # what mincore says, which nobody reads

    def checked(self, address: int | None, what: str) -> int:
        """A pointer that the host may use; NULL is refused, and a device address is a Misuse."""
        if not address:
            raise Refused(f"`{what}` is NULL.")
        if address in self._reservation:
            text = f"`{what}` is {address:#x}, which only the device can reach; give host memory."
            raise Misuse(Kind.DEVICE_POINTER, text)
        return address

    def store(self, address: int | None, ctype: Any, value: Any, what: str) -> None:
        """Write a result through an output pointer."""
        ctype.from_address(self.checked(address, what)).value = value

    def load(self, address: int | None, ctype: Any, what: str) -> Any:
        """Read a value through a pointer."""
        return ctype.from_address(self.checked(address, what)).value

    def load_array(self, address: int | None, ctype: Any, count: int, what: str) -> tuple[Any, ...]:
        """Read `count` values."""
        if count == 0:
            return ()
        return tuple((ctype * count).from_address(self.checked(address, what)))

    def store_array(self, address: int | None, ctype: Any, values: tuple[Any, ...], what: str) -> None:
        """Write values one behind the other."""
        (ctype * len(values)).from_address(self.checked(address, what))[:] = values

    def store_version(self, pointers: tuple[int | None, ...], version: tuple[int, int, int]) -> None:
        """Write a version through the pointers `major`, `minor` and `patch`."""
        for address, number, what in zip(pointers, version, ("major", "minor", "patch")):
            self.store(address, ctypes.c_int, number, what)

    def load_string(self, address: int | None, what: str) -> bytes:
        """Read a C string."""
        return ctypes.string_at(self.checked(address, what))

    def string(self, text: bytes) -> int:
        """The address of a C string that lives as long as the library."""
        if text not in self._strings:
            self._strings[text] = ctypes.create_string_buffer(text)
        return ctypes.addressof(self._strings[text])

    def require(self, address: int, nbytes: int, what: str) -> None:
        """Raise a Misuse unless a range is memory of this process."""
        self.checked(address, what)
        first = address - address % mmap.PAGESIZE
        pages = -(-(address + nbytes - first) // mmap.PAGESIZE)
        if pages > len(self._residency):
            self._residency = ctypes.create_string_buffer(pages)
        if _LIBC.mincore(first, pages * mmap.PAGESIZE, self._residency) != 0:
            reason = os.strerror(ctypes.get_errno())
            text = f"`{what}`: {nbytes} bytes at {address:#x} are not all mapped ({reason})."
            raise Misuse(Kind.UNMAPPED_HOST_MEMORY, text)

    def allocate(self, nbytes: int, number: int) -> int:
        """Allocate page-locked host memory; here, ordinary memory with its history."""
        block = np.empty(nbytes, np.uint8)
        address = int(block.ctypes.data)
        self._live[address] = PageLocked(block, nbytes, number, caller_site())
        return address

    def release(self, address: int) -> None:
        """Free memory of `allocate`."""
        buffer = self._live.pop(address, None)
        if buffer is None:
            raise self._explain(address)
        buffer.freed = caller_site()
        buffer.block = None
        self._freed.append((address, buffer))

    def live(self) -> list[PageLocked]:
        """Page-locked memory that has not been freed, oldest first."""
        return list(self._live.values())

    def _explain(self, address: int) -> Misuse:
        for start, buffer in reversed(self._freed):
            if start == address:
                return Misuse(Kind.DOUBLE_FREE, f"{buffer}; free it once.")
        return Misuse(Kind.FOREIGN_POINTER, f"{address:#x} was never allocated by cnrtHostMalloc.")
