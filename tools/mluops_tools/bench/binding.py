"""Benchmarks of the binding's own cost, over C functions that do nothing."""

from __future__ import annotations

import ctypes
from functools import partial
from itertools import count
from typing import Any, List, Tuple

from mluops import DeviceArray, Handle, Library, Queue, TensorDescriptor, Workspace
from mluops.functions import CFunction
from mluops.operators import masked_im2col_forward, nms_rotated

from mluops_tools.bench.benchmark import Benchmark, Probe
from mluops_tools.bench.probes import Call, Difference, repeated

Calls = List[Tuple[CFunction, Tuple[Any, ...]]]

BOXES = 78

QUESTIONS = frozenset(["mluOpGetQueue", "cnrtGetDevice"])
"""C calls that the binding makes on its own account."""


class Idle:
    """Symbols of a library whose functions return 0, success, whatever their arguments.

    fegetround() is such a function: 0 is the rounding mode that every program starts in. Those alone that
    have to write something are Python's. A handle has a queue of its own, as those of frameworks have:
    getrlimit() writes the same number for it each time.
    """

    kind, path = "emulator", "nothing behind it"

    def __init__(self) -> None:
        self._libm = ctypes.CDLL("libm.so.6")
        self._writing = {
            "mluOpGetQueue": ctypes.CDLL(None).getrlimit,
            "mluOpGetNmsRotatedWorkspaceSize": _function_of(3)(_answer_one_byte),
            "mluOpGetMaskedIm2colForwardWorkspaceSize": _function_of(8)(_answer_one_byte),
            "cnrtMalloc": _function_of(2)(_answer_address),
        }

    def address(self, name: str) -> int | None:
        function = self._writing.get(name, self._libm.fegetround)
        return ctypes.cast(function, ctypes.c_void_p).value


def idle_library() -> Library:
    """A library that does nothing, of the newest release."""
    library = Library(Idle(), "benchmark")
    library.__dict__["version"] = (1, 11, 1)
    return library


def nms_rotated_call(library: Library) -> Call:
    """`mluops.operators.nms_rotated` on device arrays that are ready; what it returns is allocated."""
    handle = Handle(library, Queue(library))
    boxes = DeviceArray.empty(library, (BOXES, 5), "float32")
    scores = DeviceArray.empty(library, (BOXES,), "float32")
    return lambda: nms_rotated(handle, boxes, scores, 0.3)


def ready_call(library: Library, synchronize: bool = False) -> Call:
    """`masked_im2col_forward` on arrays, output and workspace that are ready."""
    handle, workspace = Handle(library, Queue(library)), Workspace(library, 1)
    feature = DeviceArray.empty(library, (1, 8, 5, 5), "float32")
    index = DeviceArray.empty(library, (BOXES,), "int32")
    out = DeviceArray.empty(library, (72, BOXES), "float32")
    return lambda: masked_im2col_forward(
        handle,
        feature,
        index,
        index,
        kernel_h=3,
        kernel_w=3,
        pad_h=1,
        pad_w=1,
        out=out,
        workspace=workspace,
        synchronize=synchronize,
    )


def borrow_call(library: Library) -> Call:
    """A `DeviceArray` around memory that is there, made and dropped."""
    return lambda: DeviceArray.borrow(library, (BOXES, 5), "float32", 1 << 40)


def recorded(library: Library, call: Call) -> Calls:
    """The C calls that a call makes, in order, but for the questions after a queue and a device."""
    call()  # a library makes its functions when they are first used
    functions = [found for found in vars(library).values() if isinstance(found, CFunction)]
    functions = [function for function in functions if function.name not in QUESTIONS]
    pointers = [function.pointer for function in functions]
    calls: Calls = []
    for function in functions:
        vars(function)["pointer"] = _recording(function, function.pointer, calls)
    call()
    for function, pointer in zip(functions, pointers):
        vars(function)["pointer"] = pointer
    return calls


def _recording(function: CFunction, pointer: Any, calls: Calls) -> Any:
    def call(*arguments: Any) -> Any:
        calls.append((function, tuple(map(_outlasting, arguments))))
        return pointer(*arguments)

    return call


def raw_calls(library: Library, call: Call) -> Call:
    """The C calls that a call makes, by bare ctypes pointers and with arguments that are ready."""
    ready = [(function.pointer, arguments) for function, arguments in recorded(library, call)]

    def replay() -> None:
        for pointer, arguments in ready:
            pointer(*arguments)

    return replay


def binding_overhead() -> Probe:
    """`nms_rotated` less its raw calls."""
    library = idle_library()
    call = nms_rotated_call(library)
    return Difference(call, raw_calls(library, call))


def ready_overhead(synchronize: bool) -> Probe:
    """`masked_im2col_forward` with ready arrays less its raw calls."""
    library = idle_library()
    call = ready_call(library, synchronize)
    return Difference(call, raw_calls(library, call))


def call_overhead() -> Probe:
    """A call through a library's attribute less the same by a bare ctypes pointer."""
    library = idle_library()
    descriptor = TensorDescriptor(library, (BOXES, 5), "float32")
    pointer = library.mluOpGetTensorElementNum.pointer
    return Difference(lambda: library.mluOpGetTensorElementNum(descriptor), lambda: pointer(descriptor))


def _function_of(count: int) -> Any:
    """The type of a C function with so many arguments, all as wide as a pointer."""
    return ctypes.CFUNCTYPE(ctypes.c_int, *[ctypes.c_void_p] * count)


def _answer_one_byte(*arguments: int) -> int:
    ctypes.c_size_t.from_address(arguments[-1]).value = 1
    return 0


_free_addresses = count(1 << 40, 1 << 20)


def _answer_address(pointer: int, size: int) -> int:
    ctypes.c_size_t.from_address(pointer).value = next(_free_addresses)
    return 0


def _outlasting(argument: Any) -> Any:
    """The raw handle of a resource, which stays one when the resource is closed."""
    return getattr(argument, "_as_parameter_", argument)


BENCHMARKS = (
    Benchmark("binding/ready-arrays-over-the-raw-calls", partial(ready_overhead, False), target=15e-6),
    Benchmark("binding/ready-arrays-and-waiting", partial(ready_overhead, True), target=15e-6),
    Benchmark("binding/borrowed-array", repeated(lambda: borrow_call(idle_library()))),
    Benchmark("binding/nms_rotated-over-its-raw-calls", binding_overhead),
    Benchmark("binding/call-over-bare-ctypes", call_overhead),
    Benchmark("binding/nms_rotated", repeated(lambda: nms_rotated_call(idle_library()))),
)
