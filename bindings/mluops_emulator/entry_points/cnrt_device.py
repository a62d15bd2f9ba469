"""CNRT: the device and what is known of it; errors and versions."""

from __future__ import annotations

import ctypes
from ctypes import c_int, c_uint
from typing import TYPE_CHECKING, Callable

from mluops.constants import cnrtDeviceAttr_t as Attr
from mluops.constants import cnrtRet_t

from mluops_emulator.device import DeviceModel
from mluops_emulator.discovery import by_name
from mluops_emulator.queues import Notifier, Queue
from mluops_emulator.violations import Refused

if TYPE_CHECKING:
    from mluops_emulator.emulator import Emulator

PCI_BUS_ID = "0000:00:00.0"
NAME_BYTES = 256

ATTRIBUTES: dict[int, Callable[[DeviceModel], int]] = {
    Attr.cnrtAttrComputeCapabilityMajor: lambda device: device.isa // 100,
    Attr.cnrtAttrComputeCapabilityMinor: lambda device: device.isa // 10 % 10,
    Attr.cnrtAttrFP16ComputingSupported: lambda device: 1,
    Attr.cnrtAttrINT8ComputingSupported: lambda device: 1,
    Attr.cnrtAttrBF16ComputingSupported: lambda device: int(device.isa >= 500),
    Attr.cnrtAttrMaxClusterCountPerUnionTask: lambda device: device.largest_union // 4,
    Attr.cnrtAttrClusterCount: lambda device: device.clusters,
    Attr.cnrtAttrMcorePerCluster: lambda device: device.cores_per_cluster,
    Attr.cnrtAttrISAVersion: lambda device: device.isa,
    Attr.cnrtAttrIsMultipleTensorProcessor: lambda device: 0,
    Attr.cnrtAttrNramSizePerMcore: lambda device: device.nram_bytes,
    Attr.cnrtAttrSramSizePerMcore: lambda device: device.sram_bytes,
    Attr.cnrtAttrTotalMemSize: lambda device: device.memory_bytes >> 20,
    Attr.cnrtAttrPciBusID: lambda device: 0,
    Attr.cnrtAttrPciDeviceID: lambda device: 0,
    Attr.cnrtAttrPciDomainID: lambda device: 0,
}
"""The attributes of an emulated device; others are not supported."""


def cnrtGetDeviceCount(emulator: Emulator, pCount: int | None) -> None:
    emulator.host.store(pCount, c_uint, 1, "pCount")


def cnrtGetDevice(emulator: Emulator, pOrdinal: int | None) -> None:
    emulator.host.store(pOrdinal, c_int, 0, "pOrdinal")


def cnrtSetDevice(emulator: Emulator, ordinal: int) -> None:
    _require_device(ordinal)


def cnrtDeviceGetAttribute(emulator: Emulator, pValue: int | None, attr: int, device: int) -> None:
    _require_device(device)
    if attr not in ATTRIBUTES:
        raise Refused(f"the emulated device has no attribute {attr:#x}.", cnrtRet_t.cnrtErrorNotSupport)
    emulator.host.store(pValue, c_int, ATTRIBUTES[attr](emulator.device), "pValue")


def cnrtGetDeviceProperties(emulator: Emulator, prop: int | None, device: int) -> None:
    """Fill in the name, which is all that lies at the same place in every release."""
    _require_device(device)
    name = f"{emulator.device.name} (emulated)".encode()
    emulator.host.store(prop, ctypes.c_char * NAME_BYTES, name, "prop")


def cnrtDeviceGetPCIBusId(emulator: Emulator, pciBusId: int | None, length: int, device: int) -> None:
    _require_device(device)
    if length <= len(PCI_BUS_ID):
        raise Refused(f"`len` is {length}, and {len(PCI_BUS_ID) + 1} bytes are needed.")
    text = ctypes.c_char * (len(PCI_BUS_ID) + 1)
    emulator.host.store(pciBusId, text, PCI_BUS_ID.encode(), "pciBusId")


def cnrtDeviceReset(emulator: Emulator) -> None:
    """Drop everything on the device: what waits, memory, queues and notifiers."""
    emulator.scheduler.drop_all()
    for allocation in emulator.memory.live():
        emulator.memory.release(allocation.start)
    for kind in (Queue, Notifier):
        for record in emulator.objects.live(kind):
            emulator.objects.destroy(record.address, kind, "device")


def cnrtGetErrorName(emulator: Emulator, err: int) -> int:
    return emulator.host.string(_member(err).name.encode())


def cnrtGetErrorStr(emulator: Emulator, err: int) -> int:
    return emulator.host.string(f"{_member(err).name} ({err}), by the emulator".encode())


def cnrtPeekAtLastError(emulator: Emulator) -> int:
    return emulator.last_error


def cnrtGetLastError(emulator: Emulator) -> int:
    error, emulator.last_error = emulator.last_error, cnrtRet_t.cnrtSuccess
    return error


def cnrtGetLibVersion(emulator: Emulator, major: int | None, minor: int | None, patch: int | None) -> None:
    emulator.host.store_version((major, minor, patch), emulator.cnrt_version)


def _member(number: int) -> cnrtRet_t:
    return cnrtRet_t(number) if number in list(cnrtRet_t) else cnrtRet_t.cnrtErrorUnknown


def _require_device(ordinal: int) -> None:
    if ordinal != 0:
        text = f"there is no device {ordinal}: one device, 0, is emulated."
        raise Refused(text, cnrtRet_t.cnrtErrorDeviceInvalid)


ENTRY_POINTS = {
    **by_name(
        cnrtGetDeviceCount,
        cnrtGetDevice,
        cnrtSetDevice,
        cnrtDeviceGetAttribute,
        cnrtGetDeviceProperties,
        cnrtDeviceGetPCIBusId,
        cnrtDeviceReset,
        cnrtGetErrorName,
        cnrtGetErrorStr,
        cnrtPeekAtLastError,
        cnrtGetLastError,
        cnrtGetLibVersion,
    ),
    "cnrtGetDeviceProperties_V3": cnrtGetDeviceProperties,
    "cnrtDriverGetVersion": cnrtGetLibVersion,
}
