from __future__ import annotations

import ctypes
import subprocess
import sys

import numpy as np
import pytest
from mluops.constants import cnrtRet_t
from mluops_emulator.violations import Kind

HERE = __file__


def test_memory_keeps_what_is_copied_to_it(machine):
    address = machine.upload(np.arange(1000, dtype=np.int32))
    assert np.array_equal(machine.download(address, np.int32, 1000), np.arange(1000))


def test_fresh_memory_is_nan_as_float(machine):
    assert np.isnan(machine.download(machine.malloc(4000), np.float32, 1000)).all()


def test_fresh_memory_is_nan_as_half(machine):
    assert np.isnan(machine.download(machine.malloc(2001), np.float16, 1000)).all()


def test_fresh_memory_is_a_wild_index_as_int32(machine):
    assert (machine.download(machine.malloc(4000), np.int32, 1000) > 2**30).all()


def test_a_partial_copy_leaves_the_rest_of_large_memory_poisoned(machine):
    address = machine.malloc(3 << 20)
    machine.copy_in(address + 4096, np.zeros(1 << 20, np.uint8))
    content = machine.download(address, np.float32, 3 << 18)
    assert np.isnan(content).sum() == 2 << 18


def test_a_host_that_reads_device_memory_faults():
    program = (
        "import ctypes, mluops\n"
        "library, address = mluops.load('emulator'), ctypes.c_void_p()\n"
        "library.cnrtMalloc(ctypes.byref(address), 4096)\n"
        "ctypes.string_at(address, 1)\n"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == -11


def test_freed_addresses_are_not_given_out_again_soon(machine):
    seen = set()
    for _ in range(100):
        address = machine.malloc(64)
        machine.library.cnrtFree(address)
        seen.add(address)
    assert len(seen) == 100


def test_more_than_the_device_has_is_not_allocated(make_machine):
    machine = make_machine(memory_bytes=1 << 20)
    machine.malloc(1 << 19)
    status = machine.library.cnrtMalloc(ctypes.byref(ctypes.c_void_p()), (1 << 19) + 1)
    assert status == cnrtRet_t.cnrtErrorNoMem


def test_freed_memory_can_be_allocated_again(make_machine):
    machine = make_machine(memory_bytes=1 << 20)
    machine.library.cnrtFree(machine.malloc(1 << 20))
    assert machine.malloc(1 << 20)


def test_the_free_and_the_total_memory_are_told(make_machine):
    machine = make_machine(memory_bytes=1 << 20)
    machine.malloc(4096)
    free, total = ctypes.c_size_t(), ctypes.c_size_t()
    machine.library.cnrtMemGetInfo(ctypes.byref(free), ctypes.byref(total))
    assert (free.value, total.value) == ((1 << 20) - 4096, 1 << 20)


def test_nothing_is_allocated_for_0_bytes(machine):
    status = machine.library.cnrtMalloc(ctypes.byref(ctypes.c_void_p()), 0)
    assert status == cnrtRet_t.cnrtErrorArgsInvalid


def test_a_NULL_result_pointer_allocates_nothing(machine):
    machine.library.cnrtMalloc(None, 4096)
    assert machine.emulator.alive() == []


def test_freeing_NULL_is_a_success(machine):
    assert machine.library.cnrtFree(None) == cnrtRet_t.cnrtSuccess


def test_freeing_twice_names_the_first_time(machine):
    address = machine.malloc(64)
    machine.library.cnrtFree(address)
    assert machine.library.cnrtFree(address) == cnrtRet_t.cnrtErrorArgsInvalid
    [(kind, text)] = machine.taken()
    assert kind is Kind.DOUBLE_FREE
    assert f"freed at {HERE}:" in text


def test_freeing_the_inside_of_a_buffer_is_refused(machine):
    address = machine.malloc(64)
    machine.library.cnrtFree(address + 16)
    [(kind, text)] = machine.taken()
    assert kind is Kind.FOREIGN_POINTER
    assert "16 bytes into the buffer of 64 bytes" in text


def test_freeing_host_memory_is_refused(machine):
    machine.library.cnrtFree(np.empty(8).ctypes.data)
    assert [kind for kind, _ in machine.taken()] == [Kind.FOREIGN_POINTER]


@pytest.mark.parametrize("offset", [0, 8])
def test_use_after_free_tells_where_it_was_allocated_and_freed(machine, offset):
    address = machine.malloc(64)
    machine.library.cnrtFree(address)
    assert machine.copy_out(np.empty(8, np.uint8), address + offset) == cnrtRet_t.cnrtErrorArgsInvalid
    [(kind, text)] = machine.taken()
    assert kind is Kind.USE_AFTER_FREE
    assert text.count(HERE) == 1  # the helper that allocates lies in another file
    assert "allocated at" in text
    assert "freed at" in text


def test_an_access_beyond_a_buffer_tells_its_size(machine):
    address = machine.malloc(64)
    machine.copy_out(np.empty(65, np.uint8), address)
    [(kind, text)] = machine.taken()
    assert kind is Kind.OUT_OF_BOUNDS
    assert "needs 65 bytes" in text
    assert "the buffer of 64 bytes" in text


def test_an_access_behind_a_buffer_is_one_beyond_it(machine):
    address = machine.malloc(64)
    machine.copy_out(np.empty(1, np.uint8), address + 64)
    assert [kind for kind, _ in machine.taken()] == [Kind.OUT_OF_BOUNDS]


def test_an_address_that_was_never_given_out_is_foreign(machine):
    address = machine.malloc(64)
    machine.copy_out(np.empty(1, np.uint8), address + (1 << 30))
    assert [kind for kind, _ in machine.taken()] == [Kind.FOREIGN_POINTER]


def test_page_locked_memory_can_be_used_by_the_host(machine):
    address = ctypes.c_void_p()
    machine.library.cnrtHostMalloc(ctypes.byref(address), 64)
    ctypes.memset(address, 7, 64)
    assert ctypes.string_at(address, 64) == b"\x07" * 64


def test_page_locked_memory_is_freed_once(machine):
    address = ctypes.c_void_p()
    machine.library.cnrtHostMalloc(ctypes.byref(address), 64)
    assert machine.library.cnrtFreeHost(address) == cnrtRet_t.cnrtSuccess
    assert machine.library.cnrtFreeHost(address) == cnrtRet_t.cnrtErrorArgsInvalid
    assert [kind for kind, _ in machine.taken()] == [Kind.DOUBLE_FREE]


def test_host_memory_of_others_is_not_freed(machine):
    machine.library.cnrtFreeHost(np.empty(8).ctypes.data)
    assert [kind for kind, _ in machine.taken()] == [Kind.FOREIGN_POINTER]
