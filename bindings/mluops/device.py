"""Devices: how many there are, which one is current, what they are."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING

from mluops.constants import cnrtDeviceAttr_t
from mluops.errors import CnrtNoDevice
from mluops.types import cnrtDeviceProp_t

if TYPE_CHECKING:
    from mluops.library import Library

ARCHITECTURES = {
    220: "MLU220",
    270: "MLU270",
    290: "MLU290",
    372: "MLU370",
    592: "MLU590",
    613: "MTP613",
    617: "MTP617",
}
"""The device that mlu-ops selects by instruction set (core/context.cpp), independent of the card's name."""

_PROPERTIES = ("cnrtGetDeviceProperties_V3", "cnrtGetDeviceProperties")


class Device:
    """A device, by its ordinal among the visible ones; the current device by default.

    Parameters
    ----------
    library : Library
    ordinal : int, optional
        Counted from 0 over the devices that MLU_VISIBLE_DEVICES leaves.

    Raises
    ------
    CnrtError
        By the constructor and by all that it asks the device for.
    """

    def __init__(self, library: Library, ordinal: int | None = None) -> None:
        library.ensure_own_process()
        self.library = library
        self.ordinal = _current(library) if ordinal is None else ordinal

    @staticmethod
    def count(library: Library) -> int:
        """Return the number of visible devices."""
        number = ctypes.c_uint()
        try:
            library.cnrtGetDeviceCount.checked(ctypes.byref(number))
        except CnrtNoDevice:
            return 0
        return number.value

    def make_current(self) -> None:
        """Let this thread's handles, queues and memory be this device's from now on."""
        self.library.cnrtSetDevice.checked(self.ordinal)

    @property
    def name(self) -> str:
        """The name of the card, as "MLU370-X8"."""
        properties = cnrtDeviceProp_t()
        query = self.library.first(*_PROPERTIES)
        query.checked(ctypes.byref(properties), self.ordinal)
        return str(properties.name.decode("utf-8", "replace"))

    @property
    def isa_version(self) -> int:
        """The architecture: 372 for MLU370, 592 for MLU590."""
        return self.attribute(cnrtDeviceAttr_t.cnrtAttrISAVersion)

    @property
    def architecture(self) -> str:
        """The device that mlu-ops takes it for: "MLU370" for every card of instruction set 372; else ""."""
        return ARCHITECTURES.get(self.isa_version, "")

    @property
    def series(self) -> str:
        """The series, "300" for MLU370, "500" for MLU590."""
        return f"{self.isa_version // 100}00"

    @property
    def clusters(self) -> int:
        return self.attribute(cnrtDeviceAttr_t.cnrtAttrClusterCount)

    @property
    def cores_per_cluster(self) -> int:
        return self.attribute(cnrtDeviceAttr_t.cnrtAttrMcorePerCluster)

    @property
    def nram_bytes(self) -> int:
        """The neural memory of one core, in bytes."""
        return self.attribute(cnrtDeviceAttr_t.cnrtAttrNramSizePerMcore)

    @property
    def sram_bytes(self) -> int:
        """The memory that the cores of a cluster share, in bytes."""
        return self.attribute(cnrtDeviceAttr_t.cnrtAttrSramSizePerMcore)

    def attribute(self, attribute: cnrtDeviceAttr_t) -> int:
        """Return what cnrtDeviceGetAttribute answers to a member of `cnrtDeviceAttr_t`."""
        value = ctypes.c_int()
        self.library.cnrtDeviceGetAttribute.checked(ctypes.byref(value), attribute, self.ordinal)
        return value.value

    def __repr__(self) -> str:
        return f"<Device {self.ordinal} of {self.library.cnrt_path}>"


def _current(library: Library) -> int:
    ordinal = ctypes.c_int()
    library.cnrtGetDevice.checked(ctypes.byref(ordinal))
    return ordinal.value
