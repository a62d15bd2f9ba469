"""mluOp: generated cases. The settings are kept; the emulator generates none."""

from __future__ import annotations

import ctypes
from ctypes import c_int, c_size_t
from typing import TYPE_CHECKING

from mluops.constants import mluOpStatus_t

from mluops_emulator.discovery import by_name
from mluops_emulator.violations import Refused

if TYPE_CHECKING:
    from mluops_emulator.emulator import Emulator


def mluOpSetGenCaseMode(emulator: Emulator, mode: int) -> None:
    if mode:
        emulator.log.info("mluOpSetGenCaseMode", "the emulator generates no cases.")


def mluOpSetGenCaseDirectory(emulator: Emulator, path: int | None) -> None:
    emulator.gen_case_directory = emulator.host.load_string(path, "path")


def mluOpGetGenCaseDirectory(
    emulator: Emulator, buffer: int | None, size: int, path_length: int | None, status: int | None
) -> int | None:
    """Give the folder in `buffer`, or in memory of the library where that is NULL; its length either way."""
    path = emulator.gen_case_directory
    if path_length:
        emulator.host.store(path_length, c_size_t, len(path), "pathLen")
    fits = not buffer or size > len(path)
    answer = mluOpStatus_t.MLUOP_STATUS_SUCCESS if fits else mluOpStatus_t.MLUOP_STATUS_BAD_PARAM
    if status:
        emulator.host.store(status, c_int, answer, "status")
    if not fits:
        raise Refused(f"`bufferSize` is {size}, and {len(path) + 1} bytes are needed.")
    if not buffer:
        return emulator.host.string(path)
    emulator.host.store(buffer, ctypes.c_char * (len(path) + 1), path, "buffer")
    return buffer


ENTRY_POINTS = by_name(mluOpSetGenCaseMode, mluOpSetGenCaseDirectory, mluOpGetGenCaseDirectory)
