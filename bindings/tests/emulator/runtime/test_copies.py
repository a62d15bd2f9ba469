from __future__ import annotations

import ctypes
import mmap

import numpy as np
import pytest
from mluops.constants import cnrtMemTransDir_t, cnrtRet_t
from mluops_emulator.violations import Kind

HOST_TO_DEV = cnrtMemTransDir_t.cnrtMemcpyHostToDev
DEV_TO_DEV = cnrtMemTransDir_t.cnrtMemcpyDevToDev
DEV_TO_HOST = cnrtMemTransDir_t.cnrtMemcpyDevToHost
HOST_TO_HOST = cnrtMemTransDir_t.cnrtMemcpyHostToHost


def test_device_memory_is_copied_on_the_device(machine):
    source, target = machine.upload(np.arange(8.0)), machine.malloc(64)
    machine.library.cnrtMemcpy(target, source, 64, DEV_TO_DEV)
    assert np.array_equal(machine.download(target, np.float64, 8), np.arange(8.0))


def test_host_memory_is_copied_on_the_host(machine):
    source, target = np.arange(8.0), np.zeros(8)
    machine.library.cnrtMemcpy(target.ctypes.data, source.ctypes.data, 64, HOST_TO_HOST)
    assert np.array_equal(target, source)


def test_a_copy_to_an_unaligned_address_keeps_its_neighbours(machine):
    address = machine.upload(np.zeros(8, np.uint8))
    machine.copy_in(address + 3, np.full(2, 9, np.uint8))
    assert machine.download(address, np.uint8, 8).tolist() == [0, 0, 0, 9, 9, 0, 0, 0]


@pytest.mark.parametrize("wrong", [HOST_TO_DEV, DEV_TO_DEV, HOST_TO_HOST])
def test_a_wrong_direction_copies_nothing(machine, wrong):
    address, target = machine.upload(np.ones(8, np.uint8)), np.zeros(8, np.uint8)
    status = machine.library.cnrtMemcpy(target.ctypes.data, address, 8, wrong)
    assert status == cnrtRet_t.cnrtErrorMemcpyDirectionInvalid
    assert not target.any()


def test_a_wrong_direction_names_the_right_one(machine):
    target = np.zeros(8, np.uint8)
    machine.library.cnrtMemcpy(target.ctypes.data, machine.malloc(8), 8, HOST_TO_DEV)
    [(kind, text)] = machine.taken()
    assert kind is Kind.WRONG_DIRECTION
    assert "which cnrtMemcpyDevToHost copies" in text


def test_no_direction_is_refused_without_blame(machine):
    status = machine.library.cnrtMemcpy(machine.malloc(8), machine.malloc(8), 8, 5)
    assert status == cnrtRet_t.cnrtErrorMemcpyDirectionInvalid
    assert machine.taken() == []


def test_a_NULL_side_is_refused(machine):
    assert (
        machine.library.cnrtMemcpy(None, machine.malloc(8), 8, DEV_TO_HOST) == cnrtRet_t.cnrtErrorArgsInvalid
    )


def test_copying_0_bytes_needs_no_pointers(machine):
    assert machine.library.cnrtMemcpy(None, None, 0, DEV_TO_HOST) == cnrtRet_t.cnrtSuccess


def test_a_host_address_without_memory_is_told_before_it_faults(machine):
    unmapped = mmap.mmap(-1, 1 << 20)
    address = ctypes.addressof(ctypes.c_char.from_buffer(unmapped))
    del unmapped
    status = machine.library.cnrtMemcpy(machine.malloc(1 << 20), address, 1 << 20, HOST_TO_DEV)
    assert status == cnrtRet_t.cnrtErrorArgsInvalid
    assert [kind for kind, _ in machine.taken()] == [Kind.UNMAPPED_HOST_MEMORY]


def test_a_fill_sets_every_byte_to_the_low_byte_of_the_value(machine):
    address = machine.upload(np.zeros(8, np.uint8))
    machine.library.cnrtMemset(address + 2, 0x1FE, 4)
    assert machine.download(address, np.uint8, 8).tolist() == [0, 0, 254, 254, 254, 254, 0, 0]


def test_a_fill_beyond_a_buffer_fills_nothing(machine):
    address = machine.upload(np.zeros(8, np.uint8))
    machine.library.cnrtMemset(address, 1, 9)
    assert [kind for kind, _ in machine.taken()] == [Kind.OUT_OF_BOUNDS]
    assert not machine.download(address, np.uint8, 8).any()


def test_a_fill_of_host_memory_is_refused(machine):
    target = np.zeros(8, np.uint8)
    machine.library.cnrtMemset(target.ctypes.data, 1, 8)
    assert [kind for kind, _ in machine.taken()] == [Kind.HOST_POINTER]


@pytest.mark.parametrize("name", ["cnrtMemcpyAsync", "cnrtMemcpyAsync_V2", "cnrtMemcpyAsync_V3"])
def test_an_asynchronous_copy_is_done_at_synchronisation(machine, name):
    queue, address, target = machine.queue(), machine.upload(np.ones(8, np.uint8)), np.zeros(8, np.uint8)
    getattr(machine.library, name)(target.ctypes.data, address, 8, queue, DEV_TO_HOST)
    before = target.copy()
    machine.library.cnrtQueueSync(queue)
    assert (before.tolist(), target.tolist()) == ([0] * 8, [1] * 8)
