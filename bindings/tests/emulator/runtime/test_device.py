from __future__ import annotations

import ctypes

import numpy as np
import pytest
from mluops.constants import cnrtDeviceAttr_t, cnrtRet_t
from mluops.types import cnrtDeviceProp_t
from mluops_emulator import Emulator
from mluops_emulator.violations import Kind

Attr = cnrtDeviceAttr_t

# facts of the two series: arch, NRAM and SRAM sizes as public material has them
KNOWN = [
    ("MLU370", Attr.cnrtAttrISAVersion, 372),
    ("MLU590", Attr.cnrtAttrISAVersion, 592),
    ("MLU370", Attr.cnrtAttrNramSizePerMcore, 768 << 10),
    ("MLU590", Attr.cnrtAttrNramSizePerMcore, 512 << 10),
    ("MLU370", Attr.cnrtAttrSramSizePerMcore, 4096 << 10),
    ("MLU590", Attr.cnrtAttrSramSizePerMcore, 2048 << 10),
    ("MLU370", Attr.cnrtAttrMcorePerCluster, 4),
    ("MLU590", Attr.cnrtAttrClusterCount, 12),
    ("MLU590", Attr.cnrtAttrMaxClusterCountPerUnionTask, 8),
]


def attribute(machine, number, device=0):
    value = ctypes.c_int(-1)
    status = machine.library.cnrtDeviceGetAttribute(ctypes.byref(value), number, device)
    return status, value.value


@pytest.mark.parametrize(("device", "number", "value"), KNOWN)
def test_attributes(make_machine, device, number, value):
    assert attribute(make_machine(device=device), number) == (cnrtRet_t.cnrtSuccess, value)


def test_the_total_memory_is_told_in_mebibytes(make_machine):
    assert attribute(make_machine(memory_bytes=5 << 20), Attr.cnrtAttrTotalMemSize)[1] == 5


def test_an_unknown_attribute_is_not_supported(machine):
    assert attribute(machine, 0x7FFF)[0] == cnrtRet_t.cnrtErrorNotSupport


def test_one_device_is_counted(machine):
    count = ctypes.c_uint()
    machine.library.cnrtGetDeviceCount(ctypes.byref(count))
    assert count.value == 1


def test_another_device_is_invalid(machine):
    assert machine.library.cnrtSetDevice(1) == cnrtRet_t.cnrtErrorDeviceInvalid
    assert attribute(machine, Attr.cnrtAttrISAVersion, 1)[0] == cnrtRet_t.cnrtErrorDeviceInvalid


def test_the_name_says_that_the_device_is_emulated(machine):
    properties = cnrtDeviceProp_t()
    machine.library.cnrtGetDeviceProperties(ctypes.byref(properties), 0)
    assert properties.name == b"MLU370 (emulated)"


def test_an_unknown_device_lists_the_known_ones():
    with pytest.raises(ValueError, match="no device 'MLU270' to emulate; there are MLU370, MLU590"):
        Emulator("MLU270")


def test_the_bus_id_needs_room(machine):
    buffer = ctypes.create_string_buffer(12)
    assert machine.library.cnrtDeviceGetPCIBusId(buffer, 12, 0) == cnrtRet_t.cnrtErrorArgsInvalid
    wide = ctypes.create_string_buffer(13)
    machine.library.cnrtDeviceGetPCIBusId(wide, 13, 0)
    assert wide.value == b"0000:00:00.0"


def test_the_last_error_is_kept_until_it_is_taken(machine):
    machine.library.cnrtSetDevice(1)
    machine.library.cnrtSetDevice(0)
    peeked, taken = machine.library.cnrtPeekAtLastError(), machine.library.cnrtGetLastError()
    assert (peeked, taken) == (cnrtRet_t.cnrtErrorDeviceInvalid,) * 2
    assert machine.library.cnrtGetLastError() == cnrtRet_t.cnrtSuccess


def test_what_mluOp_refuses_is_no_error_of_CNRT(machine):
    machine.library.mluOpDestroy(None)
    assert machine.library.cnrtPeekAtLastError() == cnrtRet_t.cnrtSuccess


def test_errors_have_their_names(machine):
    assert machine.library.cnrtGetErrorName(100100) == b"cnrtErrorNoMem"


def test_a_reset_frees_everything_on_the_device(machine):
    address, queue = machine.malloc(64), machine.queue()
    machine.library.cnrtMemsetAsync(address, 0, 64, queue)
    machine.library.cnrtDeviceReset()
    assert machine.emulator.alive() == []
    machine.copy_out(np.empty(64, np.uint8), address)
    assert [kind for kind, _ in machine.taken()] == [Kind.USE_AFTER_FREE]
