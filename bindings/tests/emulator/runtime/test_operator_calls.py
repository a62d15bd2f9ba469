"""The common part of every operator's call, shown by a mluOpAbs that the fixture `absolute` adds."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest
from mluops.constants import cnrtRet_t, mluOpStatus_t
from mluops_emulator.call import Call
from mluops_emulator.discovery import discover
from mluops_emulator.violations import Kind

X = np.array([-1.0, 2.0, -3.0], np.float32)
BAD_PARAM = mluOpStatus_t.MLUOP_STATUS_BAD_PARAM
EXECUTION_FAILED = mluOpStatus_t.MLUOP_STATUS_EXECUTION_FAILED


@pytest.fixture
def queue(machine):
    return machine.queue()


@pytest.fixture
def handle(machine, queue):
    return machine.handle(queue)


def synchronised(machine, queue):
    """Synchronise, and give the status and the violations."""
    return machine.library.cnrtQueueSync(queue), machine.taken()


def test_the_result_is_there_after_synchronisation(machine, absolute, queue, handle):
    x, y = machine.upload(X), machine.malloc(12)
    absolute(machine, handle, x, y, 3)
    machine.library.cnrtQueueSync(queue)
    assert machine.download(y, np.float32, 3).tolist() == [1.0, 2.0, 3.0]


def test_the_result_is_not_there_before(machine, absolute, handle):
    x, y = machine.upload(X), machine.malloc(12)
    absolute(machine, handle, x, y, 3)
    assert machine.copy_out(np.empty(3, np.float32), y) == cnrtRet_t.cnrtErrorIllegalState
    [(kind, text)] = machine.taken()
    assert kind is Kind.NOT_SYNCHRONISED
    assert "while mluOpAbs, called at" in text
    assert "writes `y`" in text


def test_the_next_operator_of_the_queue_needs_no_synchronisation(machine, absolute, queue, handle):
    x, y, z = machine.upload(X), machine.malloc(12), machine.malloc(12)
    absolute(machine, handle, x, y, 3)
    absolute(machine, handle, y, z, 3)
    machine.library.cnrtQueueSync(queue)
    assert machine.download(z, np.float32, 3).tolist() == [1.0, 2.0, 3.0]


def test_an_operator_of_another_queue_does(machine, absolute, handle):
    x, y, z = machine.upload(X), machine.malloc(12), machine.malloc(12)
    absolute(machine, handle, x, y, 3)
    assert absolute(machine, machine.handle(machine.queue()), y, z, 3) == EXECUTION_FAILED
    assert [kind for kind, _ in machine.taken()] == [Kind.NOT_SYNCHRONISED]


def test_a_host_pointer_given_to_a_kernel(machine, absolute, queue, handle):
    absolute(machine, handle, X.ctypes.data, machine.malloc(12), 3)
    status, [(kind, text)] = synchronised(machine, queue)
    assert (status, kind) == (cnrtRet_t.cnrtErrorKernelTrap, Kind.HOST_POINTER)
    assert f"`x` is {X.ctypes.data:#x}" in text


def test_a_NULL_pointer_given_to_a_kernel(machine, absolute, queue, handle):
    absolute(machine, handle, None, machine.malloc(12), 3)
    _, [(kind, text)] = synchronised(machine, queue)
    assert kind is Kind.NULL_POINTER
    assert "`x` is NULL" in text


def test_freed_memory_given_to_a_kernel(machine, absolute, queue, handle):
    x = machine.upload(X)
    machine.library.cnrtFree(x)
    absolute(machine, handle, x, machine.malloc(12), 3)
    _, [(kind, text)] = synchronised(machine, queue)
    assert kind is Kind.USE_AFTER_FREE
    assert f"freed at {__file__}" in text


def test_a_buffer_too_small_for_its_descriptor(machine, absolute, queue, handle):
    absolute(machine, handle, machine.upload(X), machine.malloc(8), 3)
    _, [(kind, text)] = synchronised(machine, queue)
    assert kind is Kind.OUT_OF_BOUNDS
    assert "`y` needs 12 bytes" in text


def test_constant_memory_is_not_written(machine, absolute, queue, handle):
    y = ctypes.c_void_p()
    machine.library.cnrtMallocConstant(ctypes.byref(y), 12)
    absolute(machine, handle, machine.upload(X), y, 3)
    _, [(kind, _)] = synchronised(machine, queue)
    assert kind is Kind.WRITE_TO_CONSTANT


def test_constant_memory_is_read(machine, absolute, queue, handle):
    x, y = ctypes.c_void_p(), machine.malloc(12)
    machine.library.cnrtMallocConstant(ctypes.byref(x), 12)
    machine.copy_in(x, X)
    absolute(machine, handle, x, y, 3)
    assert synchronised(machine, queue) == (cnrtRet_t.cnrtSuccess, [])


def test_a_descriptor_destroyed_while_its_call_waits(machine, absolute, handle):
    x_desc, y_desc = machine.descriptor(3), machine.descriptor(3)
    machine.library.mluOpAbs(handle, x_desc, machine.upload(X), y_desc, machine.malloc(12))
    assert machine.library.mluOpDestroyTensorDescriptor(x_desc) == BAD_PARAM
    [(kind, text)] = machine.taken()
    assert kind is Kind.RELEASED_WHILE_QUEUED
    assert "was given to mluOpAbs, called at" in text


def test_a_descriptor_destroyed_after_synchronisation(machine, absolute, queue, handle):
    x_desc, y_desc = machine.descriptor(3), machine.descriptor(3)
    machine.library.mluOpAbs(handle, x_desc, machine.upload(X), y_desc, machine.malloc(12))
    machine.library.cnrtQueueSync(queue)
    assert machine.library.mluOpDestroyTensorDescriptor(x_desc) == 0


def test_a_descriptor_changed_while_its_call_waits_does_not_change_the_call(machine, absolute, queue, handle):
    x_desc, y_desc, y = machine.descriptor(3), machine.descriptor(3), machine.malloc(12)
    machine.library.mluOpAbs(handle, x_desc, machine.upload(X), y_desc, y)
    machine.library.mluOpSetTensorDescriptorDim(x_desc, 1, (ctypes.c_int * 1)(1000))
    machine.library.cnrtQueueSync(queue)
    assert machine.download(y, np.float32, 3).tolist() == [1.0, 2.0, 3.0]


def test_a_destroyed_descriptor_given_to_an_operator(machine, absolute, handle):
    desc = machine.descriptor(3)
    machine.library.mluOpDestroyTensorDescriptor(desc)
    status = machine.library.mluOpAbs(
        handle, desc, machine.upload(X), machine.descriptor(3), machine.malloc(12)
    )
    [(kind, text)] = machine.taken()
    assert (status, kind) == (BAD_PARAM, Kind.DESTROYED_OBJECT)
    assert "`x_desc` is the tensor descriptor" in text


def test_a_destroyed_handle_given_to_an_operator(machine, absolute, handle):
    machine.library.mluOpDestroy(handle)
    assert absolute(machine, handle, machine.upload(X), machine.malloc(12), 3) == BAD_PARAM
    assert [kind for kind, _ in machine.taken()] == [Kind.DESTROYED_OBJECT]


def test_a_handle_whose_queue_is_destroyed(machine, absolute, queue, handle):
    machine.library.cnrtQueueDestroy(queue)
    assert absolute(machine, handle, machine.upload(X), machine.malloc(12), 3) == BAD_PARAM
    assert [kind for kind, _ in machine.taken()] == [Kind.DESTROYED_OBJECT]


def test_an_input_is_read_only_for_kernels(machine, monkeypatch, queue, handle):
    def host(call):
        call.enqueue(lambda: call.array("x", np.float32, (3,)).fill(0))
        return mluOpStatus_t.MLUOP_STATUS_SUCCESS

    monkeypatch.setitem(discover("mluops_emulator.operators"), "mluOpAbs", host)
    desc = machine.descriptor(3)
    machine.library.mluOpAbs(handle, desc, machine.upload(X), desc, machine.malloc(12))
    _, [(kind, text)] = synchronised(machine, queue)
    assert kind is Kind.INTERNAL
    assert "read-only" in text


def test_a_defect_in_host_checks_is_an_internal_error(machine, monkeypatch, handle):
    monkeypatch.setitem(
        discover("mluops_emulator.operators"), "mluOpAbs", lambda call: call["no_such_argument"]
    )
    desc = machine.descriptor(3)
    status = machine.library.mluOpAbs(handle, desc, None, desc, None)
    [(kind, text)] = machine.taken()
    assert (status, kind) == (mluOpStatus_t.MLUOP_STATUS_INTERNAL_ERROR, Kind.INTERNAL)
    assert "KeyError: 'no_such_argument'" in text


@pytest.fixture
def seen(machine, monkeypatch):
    """A function that makes a call of mluOpNmsRotated and gives what the operator sees."""
    calls = []

    def host(call):
        calls.append(call)
        return mluOpStatus_t.MLUOP_STATUS_SUCCESS

    monkeypatch.setitem(discover("mluops_emulator.operators"), "mluOpNmsRotated", host)

    def call(handle=None, threshold=0.5, boxes_desc=None, workspace=None, size=0) -> Call:
        machine.library.mluOpNmsRotated(
            handle, threshold, boxes_desc, None, None, None, workspace, size, None, None, None
        )
        return calls[-1]

    return call


def test_scalars_arrive_as_the_C_function_gets_them(seen):
    assert seen(threshold=0.1)["iou_threshold"] == np.float32(0.1)


def test_sizes_above_32_bits_arrive_whole(seen):
    assert seen(size=1 << 40)["workspace_size"] == 1 << 40


def test_NULL_arrives_as_None(seen):
    call = seen()
    assert (call["handle"], call["boxes_desc"], call["boxes"]) == (None, None, None)


def test_a_descriptor_arrives_as_its_content(machine, seen):
    assert seen(boxes_desc=machine.descriptor(34, 5))["boxes_desc"].dims == (34, 5)


def test_more_workspace_than_declared_is_out_of_bounds(machine, seen):
    call = seen(workspace=machine.malloc(64), size=32)
    with pytest.raises(Exception, match="needs 64 bytes of `workspace`, but `workspace_size` is 32"):
        call.array("workspace", np.float32, (16,))


def test_the_order_of_atomics_repeats_with_the_seed(make_machine, monkeypatch):
    drawn = []

    def host(call):
        drawn.append(call.rng.permutation(100).tolist())
        return mluOpStatus_t.MLUOP_STATUS_SUCCESS

    monkeypatch.setitem(discover("mluops_emulator.operators"), "mluOpAbs", host)
    for seed in (1, 1, 2):
        make_machine(seed=seed).library.mluOpAbs(None, None, None, None, None)
    assert drawn[0] == drawn[1] != drawn[2]


def test_the_order_of_atomics_differs_from_call_to_call(machine, monkeypatch):
    drawn = []

    def host(call):
        drawn.append(call.rng.permutation(100).tolist())
        return mluOpStatus_t.MLUOP_STATUS_SUCCESS

    monkeypatch.setitem(discover("mluops_emulator.operators"), "mluOpAbs", host)
    for _ in range(2):
        machine.library.mluOpAbs(None, None, None, None, None)
    assert drawn[0] != drawn[1]
    machine.emulator.reseed(0)
    machine.library.mluOpAbs(None, None, None, None, None)
    assert drawn[2] == drawn[0]
