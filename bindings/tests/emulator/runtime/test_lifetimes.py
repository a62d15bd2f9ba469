"""Objects left at the end, objects that pass through a call, and the log."""

from __future__ import annotations

import gc
import signal
import subprocess
import sys
import weakref

import numpy as np
import pytest
from mluops.constants import mluOpStatus_t
from mluops_emulator import Emulator
from mluops_emulator.discovery import discover
from mluops_emulator.violations import Kind

SUCCESS = mluOpStatus_t.MLUOP_STATUS_SUCCESS


def test_nothing_is_alive_at_first(machine):
    assert machine.emulator.alive() == []


def test_what_is_not_released_is_alive_oldest_first(machine):
    machine.malloc(64)
    machine.queue()
    machine.descriptor(3)
    kinds = [resource.text.split(" 0x")[0] for resource in machine.emulator.alive()]
    assert kinds == ["the buffer of 64 bytes at", "the queue", "the tensor descriptor"]


def test_what_was_there_before_can_be_left_out(machine):
    machine.malloc(64)
    mark = machine.emulator.newest
    machine.handle()
    assert [resource.text[:10] for resource in machine.emulator.alive(since=mark)] == ["the handle"]


def test_leaks_are_violations_when_the_emulator_closes(machine):
    machine.malloc(64)
    machine.emulator.close()
    [(kind, text)] = machine.taken()
    assert kind is Kind.LEAK
    assert text.endswith("was never released")


def test_leaks_are_told_once(machine, capfd):
    machine.malloc(64)
    machine.emulator.close()
    machine.emulator.close()
    assert capfd.readouterr().err.count("[leak]") == 1


def test_many_leaks_are_counted(machine, capfd):
    for _ in range(13):
        machine.malloc(64)
    machine.emulator.close()
    assert "3 further buffers and objects were never released" in capfd.readouterr().err


def test_a_clean_end_says_nothing(machine, capfd):
    machine.library.cnrtFree(machine.malloc(64))
    machine.emulator.close()
    assert capfd.readouterr().err == ""


def test_leaks_are_told_at_the_end_of_the_process():
    program = (
        "import ctypes, mluops\n"
        "library = mluops.load('emulator')\n"
        "library.cnrtMalloc(ctypes.byref(ctypes.c_void_p()), 4096)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], check=True, stderr=subprocess.PIPE)
    assert done.stderr.count(b"allocated at <string>:3 (<module>), was never released") == 1


def test_an_emulator_that_nobody_uses_is_collected():
    emulator = Emulator()
    emulator.address("cnrtMalloc")
    gone = weakref.ref(emulator)
    del emulator
    gc.collect()
    assert gone() is None


def test_a_violation_is_written_to_standard_error_once(machine, capfd):
    machine.library.cnrtFree(12345)
    assert capfd.readouterr().err.count("foreign pointer: 0x3039 was never allocated") == 1


def test_a_refusal_is_written_with_the_functions_name(machine, capfd):
    machine.library.mluOpDestroy(None)
    assert capfd.readouterr().err == "[mluops emulator] [ERROR] [mluOpDestroy] `handle` is NULL.\n"


@pytest.mark.parametrize(
    ("variable", "value"), [("MLUOP_MIN_LOG_LEVEL", "FATAL"), ("MLUOP_LOG_PRINT", "OFF")]
)
def test_the_log_is_silenced_as_the_librarys_is(make_machine, monkeypatch, capfd, variable, value):
    monkeypatch.setenv(variable, value)
    make_machine().library.mluOpDestroy(None)
    assert capfd.readouterr().err == ""


@pytest.fixture
def interrupted(monkeypatch):
    """Let mluOpAbs be interrupted by a signal whose handler raises `error`."""

    def interrupt_by(error):
        def handler(number, frame):
            raise error

        def host(call):
            signal.raise_signal(signal.SIGUSR1)
            return SUCCESS

        monkeypatch.setitem(discover("mluops_emulator.operators"), "mluOpAbs", host)
        return signal.signal(signal.SIGUSR1, handler)

    previous = signal.getsignal(signal.SIGUSR1)
    yield interrupt_by
    signal.signal(signal.SIGUSR1, previous)


class TimeIsUp(BaseException):
    """As raised by the signal handler of a time limit."""


def test_ctrl_c_in_a_kernel_reaches_the_caller(machine, interrupted):
    interrupted(KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt):
        machine.library.mluOpAbs(None, None, None, None, None)


def test_a_time_limit_in_a_kernel_reaches_the_caller_as_it_was_raised(machine, interrupted):
    error = TimeIsUp("after 1 s")
    interrupted(error)
    with pytest.raises(TimeIsUp) as raised:
        machine.library.mluOpAbs(None, None, None, None, None)
    assert raised.value is error


def test_the_library_works_on_after_an_interruption(machine, interrupted):
    interrupted(KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt):
        machine.library.mluOpAbs(None, None, None, None, None)
    assert machine.download(machine.upload(np.ones(1)), np.float64, 1) == [1.0]
    assert machine.taken() == []


def test_the_hosts_lack_of_memory_is_a_lack_of_device_memory(machine, monkeypatch):
    def host(call):
        raise MemoryError

    monkeypatch.setitem(discover("mluops_emulator.operators"), "mluOpAbs", host)
    status = machine.library.mluOpAbs(None, None, None, None, None)
    assert status == mluOpStatus_t.MLUOP_STATUS_ALLOC_FAILED
    assert machine.taken() == []
