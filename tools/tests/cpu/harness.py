"""Runs a kernel of intrinsics.mlu: here, or as a program, since a trap loses a process its device."""

from __future__ import annotations

import ctypes
import json
import sys
from typing import Any, Sequence

import numpy as np

TO_DEVICE, TO_HOST = 0, 2
BLOCK, UNION1 = 1, 4
KERNEL_TRAP = 100132


class Dim3(ctypes.Structure):
    _fields_ = (("x", ctypes.c_uint), ("y", ctypes.c_uint), ("z", ctypes.c_uint))


class Kernels:
    """The kernels of a shared library, and the device below them."""

    def __init__(self, library: str, cnrt: str) -> None:
        self.cnrt = ctypes.CDLL(cnrt)
        self.library = ctypes.CDLL(library)

    def buffer(self, array: np.ndarray) -> ctypes.c_void_p:
        pointer = ctypes.c_void_p()
        size = ctypes.c_size_t(array.nbytes)
        assert self.cnrt.cnrtMalloc(ctypes.byref(pointer), size) == 0
        assert self.cnrt.cnrtMemcpy(pointer, array.ctypes.data_as(ctypes.c_void_p), size, TO_DEVICE) == 0
        return pointer

    def run(
        self,
        name: str,
        out: np.ndarray,
        a: Any = (0.0,),
        b: Any = (0.0,),
        count: int | None = None,
        other: int | None = None,
        tasks: int = 1,
        kind: int = BLOCK,
    ) -> int:
        """Launch a kernel and copy its result into `out`; return the status of synchronizing."""
        first, second = (np.ascontiguousarray(values) for values in (a, b))
        buffers = [self.buffer(array) for array in (out, first, second)]
        sizes = (len(first) if count is None else count, len(out) if other is None else other)
        getattr(self.library, f"launch_{name}")(Dim3(tasks, 1, 1), kind, None, *buffers, *sizes)
        status: int = self.cnrt.cnrtQueueSync(None)
        if status == 0:
            target = out.ctypes.data_as(ctypes.c_void_p)
            assert self.cnrt.cnrtMemcpy(target, buffers[0], ctypes.c_size_t(out.nbytes), TO_HOST) == 0
            for pointer in buffers:
                self.cnrt.cnrtFree(pointer)
        return status


def main(arguments: Sequence[str]) -> None:
    """Run one kernel on int32 or float32 data, given as JSON, and print status and result."""
    library, cnrt, text = arguments
    wanted = json.loads(text)
    out = np.zeros(wanted.pop("results", 4), wanted.pop("dtype", "int32"))
    a = np.array(wanted.pop("a", [1, 2, 3, 4]), "float32" if out.dtype == np.float32 else "int32")
    status = Kernels(library, cnrt).run(wanted.pop("name"), out, a, **wanted)
    print(json.dumps({"status": status, "result": out.tolist()}))


if __name__ == "__main__":
    main(sys.argv[1:])
