"""Device memory: allocations in a range of addresses that the host cannot reach."""

from __future__ import annotations

import mmap
from bisect import bisect_right, insort
from collections import deque
from typing import Any

import numpy as np
from mluops.constants import cnrtRet_t

from mluops_emulator.sites import Site, caller_site
from mluops_emulator.violations import Kind, Misuse, Refused

POISON = 0x7FFF
"""Every two fresh bytes: NaN as half and as bfloat16, and in pairs NaN as float and 2147450879 as int32."""

CHUNK_BYTES = 1 << 20
"""Memory is poisoned by chunks, when first touched: what a copy overwrites whole is never written twice."""

ALIGNMENT = mmap.PAGESIZE
GAP = mmap.PAGESIZE
"""Addresses behind every allocation that belong to none."""

REMEMBERED = 1 << 12
"""Freed allocations that can still be told from foreign pointers."""


class Allocation:
    """A block of device memory with its history.

    Parameters
    ----------
    start, nbytes : int
        Where it lies.
    constant : bool
        Whether kernels may only read it (cnrtMallocConstant).
    number : int
        Counts allocations and objects of an emulator in the order of their creation.
    """

    def __init__(self, start: int, nbytes: int, constant: bool, number: int) -> None:
        self.start = start
        self.nbytes = nbytes
        self.constant = constant
        self.number = number
        self.allocated = caller_site()
        self.freed: Site | None = None
        self._bytes: np.ndarray[Any, Any] | None = None
        self._host_address = 0
        self._fresh = set(range(-(-nbytes // CHUNK_BYTES)))

    @property
    def end(self) -> int:
        return self.start + self.nbytes

    def __str__(self) -> str:
        text = f"the buffer of {self.nbytes} bytes at {self.start:#x}, allocated at {self.allocated}"
        return text if self.freed is None else f"{text}, freed at {self.freed}"

    def release(self, site: Site) -> None:
        """Give the bytes back to the host, and remember who asked for it."""
        self.freed = site
        self._bytes = None
        self._fresh = set()

    def host_address(self, begin: int, end: int, overwrite: bool) -> int:
        """The address in host memory of the bytes that `bytes` gives."""
        self.bytes(begin, end, overwrite)
        return self._host_address + begin

    def bytes(self, begin: int, end: int, overwrite: bool) -> np.ndarray[Any, Any]:
        """The bytes from `begin` up to `end`; poisoned before unless the caller will `overwrite` them all."""
        if self._bytes is None:
            self._bytes = np.empty(self.nbytes + self.nbytes % 2, np.uint8)
            self._host_address = int(self._bytes.ctypes.data)
        if self._fresh:
            for chunk in self._fresh.intersection(range(begin // CHUNK_BYTES, -(-end // CHUNK_BYTES))):
                self._touch(chunk, begin, end if overwrite else begin)
        return self._bytes[begin:end]

    def _touch(self, chunk: int, overwritten_from: int, overwritten_to: int) -> None:
        assert self._bytes is not None
        start, stop = chunk * CHUNK_BYTES, min((chunk + 1) * CHUNK_BYTES, len(self._bytes))
        if not (overwritten_from <= start and stop <= overwritten_to):
            self._bytes[start:stop].view(np.uint16)[:] = POISON
        self._fresh.remove(chunk)


class Memory:
    """The memory of a device.

    Parameters
    ----------
    start, end : int
        The range of addresses to give out.
    total : int
        Bytes that may be allocated at a time.
    """

    def __init__(self, start: int, end: int, total: int) -> None:
        self.start, self.end, self.total = start, end, total
        self.used = 0
        self._next = start
        self._live: dict[int, Allocation] = {}
        self._starts: list[int] = []
        self._freed: deque[Allocation] = deque(maxlen=REMEMBERED)

    def __contains__(self, address: int) -> bool:
        return self.start <= address < self.end

    @property
    def free_bytes(self) -> int:
        return self.total - self.used

    def live(self) -> list[Allocation]:
        """Return the allocations that have not been freed, oldest first."""
        return list(self._live.values())

    def allocate(self, nbytes: int, number: int, constant: bool = False) -> int:
        """Reserve memory.

        Returns
        -------
        int
            Its address, aligned to a page.

        Raises
        ------
        Refused
            With cnrtErrorNoMem where the device, or its range of addresses, has too little left.
        """
        if nbytes > self.free_bytes:
            raise Refused(
                f"{nbytes} bytes of device memory wanted, {self.free_bytes} of {self.total} are free.",
                cnrtRet_t.cnrtErrorNoMem,
            )
        start = self._place(nbytes)
        self._live[start] = Allocation(start, nbytes, constant, number)
        insort(self._starts, start)
        self.used += nbytes
        return start

    def release(self, address: int) -> None:
        """Free the allocation that starts at `address`; anything else is a Misuse."""
        allocation = self.starting_at(address)
        del self._live[address]
        del self._starts[bisect_right(self._starts, address) - 1]
        self.used -= allocation.nbytes
        allocation.release(caller_site())
        self._freed.append(allocation)

    def starting_at(self, address: int) -> Allocation:
        """The live allocation that starts at `address`."""
        allocation = self._live.get(address)
        if allocation is not None:
            return allocation
        freed = self._freed_at(address)
        if freed is not None and freed.start == address:
            raise Misuse(Kind.DOUBLE_FREE, f"{freed}; free it once.")
        around = self._live_before(address)
        if around is not None and address < around.end:
            text = f"{address:#x} lies {address - around.start} bytes into {around}; free its start."
            raise Misuse(Kind.FOREIGN_POINTER, text)
        raise Misuse(Kind.FOREIGN_POINTER, f"{address:#x} was never allocated by cnrtMalloc.")

    def array(
        self, address: int, dtype: Any, count: int, *, write: bool, what: str = "memory"
    ) -> np.ndarray[Any, Any]:
        """A view of device memory as a kernel may use it.

        Parameters
        ----------
        address : int
            Where the elements start; it need not be aligned to them.
        dtype : dtype-like
            Type of the elements.
        count : int
            Number of elements.
        write : bool
            False gives a read-only view.
        what : str
            Name for error messages.

        Returns
        -------
        ndarray of shape (count,)

        Raises
        ------
        Misuse
            The range is not inside one live allocation, or is written and constant.
        """
        dtype = np.dtype(dtype)
        if count == 0:
            return np.empty(0, dtype)
        nbytes = count * dtype.itemsize
        view: np.ndarray[Any, Any] = self.bytes(address, nbytes, what=what, kernel_writes=write).view(dtype)
        view.flags.writeable = write
        return view

    def bytes(
        self, address: int, nbytes: int, *, what: str, overwrite: bool = False, kernel_writes: bool = False
    ) -> np.ndarray[Any, Any]:
        """The bytes of a live range; `overwrite` promises that all of them are about to be written."""
        allocation = self.find(address, nbytes, what)
        if kernel_writes and allocation.constant:
            raise Misuse(Kind.WRITE_TO_CONSTANT, f"`{what}` is {allocation}, by cnrtMallocConstant.")
        begin = address - allocation.start
        return allocation.bytes(begin, begin + nbytes, overwrite)

    def host_address(self, address: int, nbytes: int, *, what: str, overwrite: bool = False) -> int:
        """The address in host memory of a live range, for copies; parameters as of `bytes`."""
        allocation = self.find(address, nbytes, what)
        begin = address - allocation.start
        return allocation.host_address(begin, begin + nbytes, overwrite)

    def find(self, address: int, nbytes: int, what: str) -> Allocation:
        """The live allocation that holds a range of bytes; there being none is a Misuse."""
        allocation = self._live_before(address)
        if allocation is not None and address + nbytes <= allocation.end:
            return allocation
        raise self._explain(address, nbytes, what, allocation)

    def _explain(self, address: int, nbytes: int, what: str, before: Allocation | None) -> Misuse:
        if address not in self:
            text = f"`{what}` is {address:#x}, which is not device memory."
            return Misuse(Kind.HOST_POINTER, text)
        if before is not None and address < before.end + GAP:
            left = max(before.end - address, 0)
            text = f"`{what}` needs {nbytes} bytes at {address:#x}, but {left} are left of {before}."
            return Misuse(Kind.OUT_OF_BOUNDS, text)
        freed = self._freed_at(address)
        if freed is not None:
            return Misuse(Kind.USE_AFTER_FREE, f"`{what}` at {address:#x} lies in {freed}.")
        text = f"`{what}` at {address:#x} lies in no buffer that was ever allocated."
        return Misuse(Kind.FOREIGN_POINTER, text)

    def _live_before(self, address: int) -> Allocation | None:
        index = bisect_right(self._starts, address) - 1
        return self._live[self._starts[index]] if index >= 0 else None

    def _freed_at(self, address: int) -> Allocation | None:
        return next((a for a in reversed(self._freed) if a.start <= address < a.end), None)

    def _place(self, nbytes: int) -> int:
        """The next free range, going round: an address comes back as late as possible."""
        size = _aligned(nbytes) + GAP
        for start in (self._next, self.start):
            start = self._past_live(start, size)
            if start + size <= self.end:
                self._next = start + size
                return start
        raise Refused(f"no {size} consecutive addresses are left.", cnrtRet_t.cnrtErrorNoMem)

    def _past_live(self, start: int, size: int) -> int:
        before = self._live_before(start)
        if before is not None:
            start = max(start, _aligned(before.end) + GAP)
        for index in range(bisect_right(self._starts, start), len(self._starts)):
            following = self._starts[index]
            if start + size <= following:
                break
            start = _aligned(self._live[following].end) + GAP
        return start


def _aligned(address: int) -> int:
    return -(-address // ALIGNMENT) * ALIGNMENT
