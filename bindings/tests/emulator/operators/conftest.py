"""Emulated devices, and raw calls of operators from descriptions of their arguments."""

from __future__ import annotations

import ctypes
import json
from collections import ChainMap
from dataclasses import replace
from pathlib import Path

import mluops
import numpy as np
import pytest
from mluops.constants import cnrtMemTransDir_t, mluOpDataType_t
from mluops.descriptor import set_descriptor
from mluops.types import mluOpHandle_t, mluOpTensorDescriptor_t
from mluops_emulator.device import MODELS

DATA = Path(__file__).parent / "data"


@pytest.fixture(scope="session")
def known_answers():
    """Load the cases of a file in data/."""
    return lambda name: json.loads((DATA / f"{name}.json").read_text())


@pytest.fixture(params=sorted(MODELS))
def device(request):
    return MODELS[request.param]


@pytest.fixture
def small_device():
    """A device whose cores hold the least that one alignment unit of channels needs."""
    return replace(MODELS["MLU370"], clusters=1, nram_bytes=(128 << 10) + 10 * 128 + 64)


@pytest.fixture
def handle(device):
    library = mluops.load("emulator", device=device.name)
    with mluops.Handle(library) as handle:
        yield handle
    library.symbols.close()


@pytest.fixture
def violations(handle):
    """The texts of what the emulator objected to so far."""
    return lambda: [str(violation) for violation in handle.library.symbols.take_violations()]


@pytest.fixture(scope="session")
def random_boxes():
    """Make float32 boxes [number, 5] with centres and sizes in the given ranges, and any angle."""

    def make(rng, number, centres, sizes):
        columns = [(rng.uniform(*centres, (number, 2))), rng.uniform(*sizes, (number, 2))]
        return np.hstack([*columns, rng.uniform(-4, 4, (number, 1))]).astype(np.float32)

    return make


class Caller:
    """Calls C functions with descriptors made from (layout, dtype, dims[, strides]) by tensor name.

    Nothing is synchronised, so no kernel runs: what is called is all in the queue when the library closes.
    """

    def __init__(self, library):
        self.library = library
        self.handle = self._made(mluOpHandle_t(), library.mluOpCreate)
        self.memory = self._made(
            ctypes.c_void_p(), lambda address: library.cnrtMalloc(address, 1 << 20)
        ).value
        self.size = ctypes.c_size_t(12345)

    def status(self, function, tensors, scalars, null=()):
        """The name of the status, without its prefix; parameters in `null` are NULL."""
        c_function = getattr(self.library, function)
        is_query = function.startswith("mluOpGet")
        arguments = ChainMap(
            dict.fromkeys(null),
            scalars,
            {f"{name}_desc": self._descriptor(*spec) for name, spec in tensors.items()},
            dict.fromkeys([*tensors, "workspace", "result_num"], self.memory),
            {"handle": self.handle, "workspace_size": ctypes.byref(self.size) if is_query else 1 << 20},
        )
        status = c_function(*(arguments[parameter] for parameter in c_function.parameters))
        return status.name.replace("MLUOP_STATUS_", "")

    def content(self):
        """The memory that all pointers point to, once the queue is done."""
        assert self.library.cnrtQueueSync(None) == 0
        host = np.empty(1 << 20, np.uint8)
        direction = cnrtMemTransDir_t.cnrtMemcpyDevToHost
        assert self.library.cnrtMemcpy(host.ctypes.data, self.memory, host.nbytes, direction) == 0
        return host

    def _descriptor(self, layout, dtype, dims, strides=None):
        descriptor = self._made(mluOpTensorDescriptor_t(), self.library.mluOpCreateTensorDescriptor)
        code = mluOpDataType_t[f"MLUOP_DTYPE_{dtype}"]
        set_descriptor(self.library, descriptor, dims, code, layout, strides)
        return descriptor

    def _made(self, pointer, create):
        assert create(ctypes.byref(pointer)) == 0
        return pointer


@pytest.fixture
def make_caller():
    made = []

    def make(**options):
        made.append(Caller(mluops.load("emulator", **options)))
        return made[-1]

    yield make
    for caller in made:
        caller.library.symbols.close()


@pytest.fixture
def caller(make_caller):
    return make_caller()
