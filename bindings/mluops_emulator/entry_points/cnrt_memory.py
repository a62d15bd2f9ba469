"""CNRT: device and page-locked memory, copies and fills."""

from __future__ import annotations

from ctypes import c_size_t, c_void_p
from typing import TYPE_CHECKING

from mluops_emulator.copies import Transfer, fill, transfer
from mluops_emulator.discovery import by_name
from mluops_emulator.queues import Work
from mluops_emulator.sites import caller_site
from mluops_emulator.violations import Kind, Misuse, Refused

if TYPE_CHECKING:
    from mluops_emulator.emulator import Emulator


def _require_wanted(emulator: Emulator, pPtr: int | None, nbytes: int) -> None:
    emulator.host.checked(pPtr, "pPtr")
    if nbytes == 0:
        raise Refused("0 bytes wanted; it is nowhere said what CNRT gives then.")


def _malloc(emulator: Emulator, pPtr: int | None, nbytes: int, constant: bool) -> None:
    _require_wanted(emulator, pPtr, nbytes)
    address = emulator.memory.allocate(nbytes, emulator.inventory.number(), constant)
    emulator.host.store(pPtr, c_void_p, address, "pPtr")


def cnrtMalloc(emulator: Emulator, pPtr: int | None, nbytes: int) -> None:
    _malloc(emulator, pPtr, nbytes, constant=False)


def cnrtMallocConstant(emulator: Emulator, pPtr: int | None, nbytes: int) -> None:
    _malloc(emulator, pPtr, nbytes, constant=True)


def cnrtFree(emulator: Emulator, ptr: int | None) -> None:
    """Free device memory; NULL is ignored. Memory that queued work uses stays."""
    if ptr is None:
        return
    allocation = emulator.memory.starting_at(ptr)
    for queue, work in emulator.scheduler.pending():
        for access in work.accesses:
            if access.start < allocation.end and allocation.start < access.end:
                text = (
                    f"{allocation} is `{access.what}` of {work.name}, called at {work.site}, on {queue.name}"
                )
                raise Misuse(Kind.RELEASED_WHILE_QUEUED, f"{text}; synchronise before freeing it.")
    emulator.memory.release(ptr)


def cnrtHostMalloc(emulator: Emulator, pPtr: int | None, nbytes: int) -> None:
    _require_wanted(emulator, pPtr, nbytes)
    address = emulator.host.allocate(nbytes, emulator.inventory.number())
    emulator.host.store(pPtr, c_void_p, address, "pPtr")


def cnrtFreeHost(emulator: Emulator, ptr: int | None) -> None:
    if ptr is not None:
        emulator.host.release(ptr)


def _now(emulator: Emulator, action: Transfer) -> None:
    """Synchronous: waits for the default queue, as CNRT does, and for no other."""
    default = emulator.scheduler.default
    emulator.finish(emulator.scheduler.run(default))
    emulator.scheduler.require_ordered(action.accesses, default)
    action.run()


def _queued(emulator: Emulator, name: str, action: Transfer, queue: int | None) -> None:
    work = Work(name, caller_site(), action.run, action.accesses)
    emulator.scheduler.submit(emulator.queue(queue), work)


def cnrtMemcpy(emulator: Emulator, dst: int | None, src: int | None, nbytes: int, direction: int) -> None:
    _now(emulator, transfer(emulator, dst, src, nbytes, direction))


def cnrtMemcpyAsync(
    emulator: Emulator, dst: int | None, src: int | None, nbytes: int, queue: int | None, direction: int
) -> None:
    _queued(emulator, "cnrtMemcpyAsync", transfer(emulator, dst, src, nbytes, direction), queue)


def cnrtMemset(emulator: Emulator, ptr: int | None, value: int, nbytes: int) -> None:
    _now(emulator, fill(emulator, ptr, value, nbytes))


def cnrtMemsetAsync(emulator: Emulator, ptr: int | None, value: int, nbytes: int, queue: int | None) -> None:
    _queued(emulator, "cnrtMemsetAsync", fill(emulator, ptr, value, nbytes), queue)


def cnrtMemGetInfo(emulator: Emulator, free: int | None, total: int | None) -> None:
    emulator.host.store(free, c_size_t, emulator.memory.free_bytes, "free")
    emulator.host.store(total, c_size_t, emulator.memory.total, "total")


ENTRY_POINTS = {
    **by_name(
        cnrtMalloc,
        cnrtMallocConstant,
        cnrtFree,
        cnrtHostMalloc,
        cnrtFreeHost,
        cnrtMemcpy,
        cnrtMemcpyAsync,
        cnrtMemset,
        cnrtMemsetAsync,
        cnrtMemGetInfo,
    ),
    "cnrtMemcpyAsync_V2": cnrtMemcpyAsync,
    "cnrtMemcpyAsync_V3": cnrtMemcpyAsync,
}
