"""An emulator for each test, and the raw C calls that most tests begin with."""

from __future__ import annotations

import ctypes

import mluops
import numpy as np
import pytest
from mluops.constants import cnrtMemTransDir_t, mluOpStatus_t
from mluops.types import cnrtNotifier_t, cnrtQueue_t, mluOpHandle_t, mluOpTensorDescriptor_t
from mluops_emulator.discovery import discover

FLOAT, ARRAY = 2, 4


class Machine:
    """An emulated library with short forms of what tests call over and over."""

    def __init__(self, **options):
        self.library = mluops.load("emulator", **{"keeps_context": True, **options})
        self.emulator = self.library.symbols

    def malloc(self, nbytes):
        address = ctypes.c_void_p()
        assert self.library.cnrtMalloc(ctypes.byref(address), nbytes) == 0
        return address.value

    def upload(self, array):
        array = np.ascontiguousarray(array)
        address = self.malloc(array.nbytes)
        assert self.copy_in(address, array) == 0
        return address

    def copy_in(self, address, array):
        direction = cnrtMemTransDir_t.cnrtMemcpyHostToDev
        return self.library.cnrtMemcpy(address, array.ctypes.data, array.nbytes, direction)

    def copy_out(self, array, address):
        direction = cnrtMemTransDir_t.cnrtMemcpyDevToHost
        return self.library.cnrtMemcpy(array.ctypes.data, address, array.nbytes, direction)

    def download(self, address, dtype, count):
        array = np.empty(count, dtype)
        assert self.copy_out(array, address) == 0
        return array

    def queue(self):
        return self._made(cnrtQueue_t(), self.library.cnrtQueueCreate)

    def notifier(self):
        return self._made(cnrtNotifier_t(), self.library.cnrtNotifierCreate)

    def handle(self, queue=None):
        handle = self._made(mluOpHandle_t(), self.library.mluOpCreate)
        assert self.library.mluOpSetQueue(handle, queue) == 0
        return handle

    def descriptor(self, *dims, dtype=FLOAT, layout=ARRAY):
        descriptor = self._made(mluOpTensorDescriptor_t(), self.library.mluOpCreateTensorDescriptor)
        if dims:
            sizes = (ctypes.c_int * len(dims))(*dims)
            assert self.library.mluOpSetTensorDescriptor(descriptor, layout, dtype, len(dims), sizes) == 0
        return descriptor

    def taken(self):
        """The kinds and texts of the violations so far."""
        return [(violation.kind, violation.text) for violation in self.emulator.take_violations()]

    def _made(self, pointer, create):
        assert create(ctypes.byref(pointer)) == 0
        return pointer


@pytest.fixture
def make_machine():
    made = []

    def make(**options):
        made.append(Machine(**options))
        return made[-1]

    yield make
    for machine in made:
        machine.emulator.close()


@pytest.fixture
def machine(make_machine):
    return make_machine()


@pytest.fixture
def absolute(monkeypatch):
    """Give the emulator mluOpAbs, and return a function that calls it on a machine's float arrays."""

    def host(call):
        def kernel():
            x = call.array("x", np.float32, call["x_desc"].dims)
            call.array("y", np.float32, call["y_desc"].dims, write=True)[...] = np.abs(x)

        call.enqueue(kernel)
        return mluOpStatus_t.MLUOP_STATUS_SUCCESS

    monkeypatch.setitem(discover("mluops_emulator.operators"), "mluOpAbs", host)

    def call(machine, handle, x, y, count, y_count=None):
        x_desc, y_desc = machine.descriptor(count), machine.descriptor(y_count or count)
        return machine.library.mluOpAbs(handle, x_desc, x, y_desc, y)

    return call
