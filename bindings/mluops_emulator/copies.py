"""Copies and fills: which side is which is checked when they are asked for, the memory when they are done."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Callable, NamedTuple

from mluops.constants import cnrtMemTransDir_t, cnrtRet_t

from mluops_emulator.queues import Access
from mluops_emulator.violations import Kind, Misuse, Refused

if TYPE_CHECKING:
    from mluops_emulator.emulator import Emulator

HOST, DEVICE = "host", "device"

SIDES = {
    cnrtMemTransDir_t.cnrtMemcpyHostToDev: (HOST, DEVICE),
    cnrtMemTransDir_t.cnrtMemcpyDevToDev: (DEVICE, DEVICE),
    cnrtMemTransDir_t.cnrtMemcpyDevToHost: (DEVICE, HOST),
    cnrtMemTransDir_t.cnrtMemcpyHostToHost: (HOST, HOST),
    cnrtMemTransDir_t.cnrtMemcpyPeerToPeer: (DEVICE, DEVICE),
}
"""The side of the source and of the destination, by direction."""


class Transfer(NamedTuple):
    """A checked copy or fill: the device memory that it uses, and the doing."""

    accesses: tuple[Access, ...]
    run: Callable[[], None]


def transfer(emulator: Emulator, dst: int | None, src: int | None, nbytes: int, direction: int) -> Transfer:
    """A copy.

    Raises
    ------
    Refused
        For NULL and for a number that is no direction.
    Misuse
        Where a side is not the kind of memory that the direction says.
    """
    if nbytes == 0:
        return Transfer((), lambda: None)
    sides = SIDES.get(direction)  # type: ignore[call-overload]
    if sides is None:
        raise Refused(f"{direction} is no copy direction.", cnrtRet_t.cnrtErrorMemcpyDirectionInvalid)
    source, destination = _given(src, "src"), _given(dst, "dst")
    found = _side(emulator, source), _side(emulator, destination)
    if found != sides:
        raise _misdirected(source, destination, found, direction)
    accesses = (
        Access(source, source + nbytes, False, "src"),
        Access(destination, destination + nbytes, True, "dst"),
    )

    def run() -> None:
        read = _readable(emulator, source, nbytes, sides[0])
        ctypes.memmove(_writable(emulator, destination, nbytes, sides[1]), read, nbytes)

    return Transfer(tuple(access for access, side in zip(accesses, sides) if side == DEVICE), run)


def fill(emulator: Emulator, ptr: int | None, value: int, nbytes: int) -> Transfer:
    """A fill of device memory with the low byte of `value`."""
    if nbytes == 0:
        return Transfer((), lambda: None)
    start = _given(ptr, "ptr")

    def run() -> None:
        emulator.memory.bytes(start, nbytes, what="ptr", overwrite=True)[:] = value & 0xFF

    return Transfer((Access(start, start + nbytes, True, "ptr"),), run)


def _given(address: int | None, what: str) -> int:
    if address is None:
        raise Refused(f"`{what}` is NULL.")
    return address


def _side(emulator: Emulator, address: int) -> str:
    return DEVICE if address in emulator.memory else HOST


def _misdirected(source: int, destination: int, found: tuple[str, str], direction: int) -> Misuse:
    fitting = next(name for name, sides in SIDES.items() if sides == found)
    return Misuse(
        Kind.WRONG_DIRECTION,
        f"{cnrtMemTransDir_t(direction).name} from `src` {source:#x} ({found[0]} memory) to `dst` "
        f"{destination:#x} ({found[1]} memory), which {fitting.name} copies.",
    )


def _readable(emulator: Emulator, address: int, nbytes: int, side: str) -> int:
    if side == HOST:
        emulator.host.require(address, nbytes, "src")
        return address
    return emulator.memory.host_address(address, nbytes, what="src")


def _writable(emulator: Emulator, address: int, nbytes: int, side: str) -> int:
    if side == HOST:
        emulator.host.require(address, nbytes, "dst")
        return address
    return emulator.memory.host_address(address, nbytes, what="dst", overwrite=True)
