from __future__ import annotations

import ctypes

import pytest
from mluops.constants import mluOpStatus_t
from mluops.types import cnrtQueue_t, mluOpHandle_t
from mluops_emulator.violations import Kind

BAD_PARAM = mluOpStatus_t.MLUOP_STATUS_BAD_PARAM


NOT_INITIALIZED = mluOpStatus_t.MLUOP_STATUS_NOT_INITIALIZED


def address(pointer):
    return ctypes.cast(pointer, ctypes.c_void_p).value


def queue_of(machine, handle):
    queue = cnrtQueue_t()
    assert machine.library.mluOpGetQueue(handle, ctypes.byref(queue)) == 0
    return address(queue)


def test_a_handle_begins_with_the_default_queue(machine):
    assert queue_of(machine, machine.handle()) is None


def test_a_handle_keeps_its_queue(machine):
    queue = machine.queue()
    assert queue_of(machine, machine.handle(queue)) == address(queue)


def test_a_NULL_queue_is_the_default_queue(machine):
    handle = machine.handle(machine.queue())
    assert machine.library.mluOpSetQueue(handle, None) == 0
    assert queue_of(machine, handle) is None


def test_a_destroyed_queue_is_not_taken(machine):
    queue, handle = machine.queue(), machine.handle()
    machine.library.cnrtQueueDestroy(queue)
    assert machine.library.mluOpSetQueue(handle, queue) == BAD_PARAM
    assert [kind for kind, _ in machine.taken()] == [Kind.DESTROYED_OBJECT]


@pytest.mark.parametrize("name", ["mluOpCreate", "mluOpDestroy", "mluOpUpdateContextInformation"])
def test_a_NULL_handle_is_bad(machine, name):
    assert getattr(machine.library, name)(None) == BAD_PARAM


# core/context.h: MLUOP_DEP_CNRT_MIN_* at the releases' tags
@pytest.mark.parametrize(
    ("version", "oldest"), [((0, 5, 0), (5, 0, 0)), ((0, 8, 0), (6, 3, 0)), ((1, 11, 1), (6, 7, 0))]
)
def test_a_handle_needs_a_certain_CNRT(make_machine, version, oldest):
    older = (oldest[0], oldest[1] - 1, 9) if oldest[1] else (oldest[0] - 1, 9, 9)
    answers = []
    for cnrt_version in (oldest, older):
        machine = make_machine(version=version, cnrt_version=cnrt_version)
        answers.append(machine.library.mluOpCreate(ctypes.byref(mluOpHandle_t())))
    assert answers == [0, NOT_INITIALIZED]


def test_the_check_of_CNRT_can_be_switched_off(make_machine, monkeypatch):
    monkeypatch.setenv("MLUOP_CHECK_DEP_VERSION", "0")
    machine = make_machine(cnrt_version=(6, 0, 2))
    assert machine.library.mluOpCreate(ctypes.byref(mluOpHandle_t())) == 0


def test_a_handle_is_destroyed_once(machine):
    handle = machine.handle()
    assert machine.library.mluOpDestroy(handle) == 0
    assert machine.library.mluOpDestroy(handle) == BAD_PARAM
    [(kind, text)] = machine.taken()
    assert kind is Kind.DESTROYED_OBJECT
    assert "the handle 0x" in text


def test_a_device_result_pointer_is_a_violation(machine):
    pointer = ctypes.cast(machine.malloc(8), ctypes.POINTER(ctypes.c_size_t))
    assert machine.library.mluOpGetSizeOfDataType(2, pointer) == BAD_PARAM
    assert [kind for kind, _ in machine.taken()] == [Kind.DEVICE_POINTER]


@pytest.mark.parametrize(("name", "default", "other"), [("QuantizeRoundMode", 0, 2), ("AtomicsMode", 1, 2)])
def test_modes_have_defaults_and_are_kept(machine, name, default, other):
    handle, found = machine.handle(), ctypes.c_int(-1)
    get = getattr(machine.library, f"mluOpGet{name}")
    get(handle, ctypes.byref(found))
    before = found.value
    getattr(machine.library, f"mluOpSet{name}")(handle, other)
    get(handle, ctypes.byref(found))
    assert (before, found.value) == (default, other)


@pytest.mark.parametrize("name", ["QuantizeRoundMode", "AtomicsMode"])
def test_an_unknown_mode_is_bad(machine, name):
    assert getattr(machine.library, f"mluOpSet{name}")(machine.handle(), 3) == BAD_PARAM


@pytest.mark.parametrize(("dtype", "size"), [(1, 2), (2, 4), (8, 1), (14, 8), (15, 4), (16, 8), (17, 2)])
def test_sizes_of_data_types(machine, dtype, size):
    found = ctypes.c_size_t()
    machine.library.mluOpGetSizeOfDataType(dtype, ctypes.byref(found))
    assert found.value == size


def test_an_unknown_data_type_has_no_size(machine):
    assert machine.library.mluOpGetSizeOfDataType(0, ctypes.byref(ctypes.c_size_t())) == BAD_PARAM


def test_statuses_have_names(machine):
    assert machine.library.mluOpGetErrorString(3) == b"MLUOP_STATUS_BAD_PARAM"


def test_unknown_statuses_have_text(machine):
    assert b"42" in machine.library.mluOpGetErrorString(42)


def test_the_folder_of_generated_cases_is_kept(machine):
    machine.library.mluOpSetGenCaseDirectory(b"/somewhere")
    length, status = ctypes.c_size_t(), ctypes.c_int(-1)
    text = machine.library.mluOpGetGenCaseDirectory(None, 0, ctypes.byref(length), ctypes.byref(status))
    assert (text, length.value, status.value) == (b"/somewhere", 10, 0)


def test_a_buffer_for_the_folder_must_hold_its_end(machine):
    machine.library.mluOpSetGenCaseDirectory(b"/somewhere")
    length, status = ctypes.c_size_t(), ctypes.c_int(-1)
    buffer = ctypes.create_string_buffer(10)
    machine.library.mluOpGetGenCaseDirectory(buffer, 10, ctypes.byref(length), ctypes.byref(status))
    assert (buffer.value, status.value) == (b"", BAD_PARAM)
