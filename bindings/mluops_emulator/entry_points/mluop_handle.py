"""mluOp: handles and their modes, statuses and the version."""

from __future__ import annotations

import os
from ctypes import c_int, c_size_t, c_void_p
from enum import IntEnum
from typing import TYPE_CHECKING

from mluops.constants import mluOpAtomicsMode_t, mluOpQuantizeRoundMode_t, mluOpStatus_t

from mluops_emulator.descriptors import DTYPE_BYTES
from mluops_emulator.discovery import by_name
from mluops_emulator.objects import Handle
from mluops_emulator.violations import Refused

if TYPE_CHECKING:
    from mluops_emulator.emulator import Emulator

NEEDED_CNRT = (((1, 0, 0), (6, 7, 0)), ((0, 8, 0), (6, 3, 0)), ((0, 0, 0), (5, 0, 0)))
"""The oldest CNRT that mluOpCreate accepts, by the release of mlu-ops from which on it does."""


def mluOpCreate(emulator: Emulator, handle: int | None) -> None:
    emulator.host.checked(handle, "handle")
    _require_dependencies(emulator)
    limited = Handle(emulator.context.device, emulator.context.union_limit)
    address = emulator.objects.create(limited, emulator.inventory.number())
    emulator.host.store(handle, c_void_p, address, "handle")


def mluOpUpdateContextInformation(emulator: Emulator, handle: int | None) -> None:
    found = _handle(emulator, handle)
    found.device, found.job = emulator.context.device, emulator.context.union_limit


def mluOpDestroy(emulator: Emulator, handle: int | None) -> None:
    emulator.objects.destroy(handle, Handle, "handle")


def mluOpSetQueue(emulator: Emulator, handle: int | None, queue: int | None) -> None:
    found = _handle(emulator, handle)
    emulator.queue(queue)
    found.queue = queue


def mluOpGetQueue(emulator: Emulator, handle: int | None, queue: int | None) -> None:
    emulator.host.store(queue, c_void_p, _handle(emulator, handle).queue, "queue")


def mluOpSetQuantizeRoundMode(emulator: Emulator, handle: int | None, round_mode: int) -> None:
    found = _handle(emulator, handle)
    _require_member(mluOpQuantizeRoundMode_t, round_mode, "round_mode")
    found.round_mode = round_mode


def mluOpGetQuantizeRoundMode(emulator: Emulator, handle: int | None, round_mode: int | None) -> None:
    emulator.host.store(round_mode, c_int, _handle(emulator, handle).round_mode, "round_mode")


def mluOpSetAtomicsMode(emulator: Emulator, handle: int | None, atomics_mode: int) -> None:
    found = _handle(emulator, handle)
    _require_member(mluOpAtomicsMode_t, atomics_mode, "atomics_mode")
    found.atomics_mode = atomics_mode


def mluOpGetAtomicsMode(emulator: Emulator, handle: int | None, atomics_mode: int | None) -> None:
    emulator.host.store(atomics_mode, c_int, _handle(emulator, handle).atomics_mode, "atomics_mode")


def mluOpGetErrorString(emulator: Emulator, status: int) -> int:
    known = status in list(mluOpStatus_t)
    text = mluOpStatus_t(status).name if known else f"unknown mluOpStatus_t {status}"
    return emulator.host.string(text.encode())


def mluOpGetLibVersion(emulator: Emulator, major: int | None, minor: int | None, patch: int | None) -> None:
    emulator.host.store_version((major, minor, patch), emulator.version)


def mluOpGetSizeOfDataType(emulator: Emulator, data_type: int, size: int | None) -> None:
    if data_type not in DTYPE_BYTES:
        raise Refused(f"`data_type` {data_type} has no size.")
    emulator.host.store(size, c_size_t, DTYPE_BYTES[data_type], "size")


def _handle(emulator: Emulator, address: int | None) -> Handle:
    return emulator.objects.get(address, Handle, "handle")


def _require_dependencies(emulator: Emulator) -> None:
    needed = next(cnrt for release, cnrt in NEEDED_CNRT if emulator.version >= release)
    if emulator.cnrt_version < needed and os.environ.get("MLUOP_CHECK_DEP_VERSION", "1") != "0":
        text = f"CNRT {emulator.cnrt_version} is too old: {needed} is needed."
        raise Refused(text, mluOpStatus_t.MLUOP_STATUS_NOT_INITIALIZED)


def _require_member(enum: type[IntEnum], number: int, what: str) -> None:
    if number not in list(enum):
        raise Refused(f"`{what}` {number} is no {enum.__name__}.")


ENTRY_POINTS = by_name(
    mluOpCreate,
    mluOpUpdateContextInformation,
    mluOpDestroy,
    mluOpSetQueue,
    mluOpGetQueue,
    mluOpSetQuantizeRoundMode,
    mluOpGetQuantizeRoundMode,
    mluOpSetAtomicsMode,
    mluOpGetAtomicsMode,
    mluOpGetErrorString,
    mluOpGetLibVersion,
    mluOpGetSizeOfDataType,
)
