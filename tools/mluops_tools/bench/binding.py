"""What the binding adds to the C calls that it makes, measured over C functions that do nothing."""

from __future__ import annotations

import ctypes
from typing import Any, List, Tuple

from mluops import DeviceArray, Handle, Library, Queue, TensorDescriptor
from mluops.functions import CFunction
from mluops.operators import nms_rotated

from mluops_tools.bench.benchmark import Benchmark, Probe
from mluops_tools.bench.probes import Call, Difference, repeated

Calls = List[Tuple[CFunction, Tuple[Any, ...]]]

BOXES = 78
WORKSPACE_QUERY = "mluOpGetNmsRotatedWorkspaceSize"

_Malloc = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t)
_WorkspaceQuery = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)


class Idle:
    """Symbols of a library whose functions return 0, success, whatever their arguments.

    fegetround() is such a function: 0 is the rounding mode that every program starts in. Those alone that
    have to write something are Python's.
    """

    kind, path = "emulator", "nothing behind it"

    def __init__(self) -> None:
        self._libm = ctypes.CDLL("libm.so.6")
        self._writing = {
            WORKSPACE_QUERY: _WorkspaceQuery(_answer_one_byte),
            "cnrtMalloc": _Malloc(_answer_address),
        }

    def address(self, name: str) -> int | None:
        function = self._writing.get(name, self._libm.fegetround)
        return ctypes.cast(function, ctypes.c_void_p).value


class Recorder(CFunction):
    """A C function that keeps what it is called with."""

    def __init__(self, function: CFunction, calls: Calls) -> None:
        vars(self).update(vars(function), _calls=calls)

    _calls: Calls

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        self._calls.append((self, tuple(map(_outlasting, arguments))))
        return super().__call__(*arguments, **named)


def idle_library() -> Library:
    """A library that does nothing, of the newest release."""
    library = Library(Idle(), "benchmark")
    library.__dict__["version"] = (1, 11, 1)
    return library


def nms_rotated_call(library: Library) -> Call:
    """`mluops.operators.nms_rotated` on device arrays that are ready."""
    handle = Handle(library, Queue(library))
    boxes = DeviceArray.empty(library, (BOXES, 5), "float32")
    scores = DeviceArray.empty(library, (BOXES,), "float32")
    return lambda: nms_rotated(handle, boxes, scores, 0.3)


def recorded(library: Library, call: Call) -> Calls:
    """The C calls that a call makes, in order."""
    call()  # a library makes its functions when they are first used
    functions = {name: found for name, found in vars(library).items() if isinstance(found, CFunction)}
    calls: Calls = []
    vars(library).update({name: Recorder(function, calls) for name, function in functions.items()})
    call()
    vars(library).update(functions)
    return calls


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


def call_overhead() -> Probe:
    """A call through a library's attribute less the same by a bare ctypes pointer."""
    library = idle_library()
    descriptor = TensorDescriptor(library, (BOXES, 5), "float32")
    pointer = library.mluOpGetTensorElementNum.pointer
    return Difference(lambda: library.mluOpGetTensorElementNum(descriptor), lambda: pointer(descriptor))


def _answer_one_byte(handle: int, descriptor: int, size: int) -> int:
    ctypes.c_size_t.from_address(size).value = 1
    return 0


def _answer_address(pointer: int, size: int) -> int:
    ctypes.c_size_t.from_address(pointer).value = 1 << 40
    return 0


def _outlasting(argument: Any) -> Any:
    """The raw handle of a resource, which stays one when the resource is closed."""
    return getattr(argument, "_as_parameter_", argument)


BENCHMARKS = (
    Benchmark("binding/nms_rotated-over-its-raw-calls", binding_overhead, target=30e-6),
    Benchmark("binding/call-over-bare-ctypes", call_overhead),
    Benchmark("binding/nms_rotated", repeated(lambda: nms_rotated_call(idle_library()))),
)
