"""The stub of a library's C functions: each with its parameters by name, and their types."""

from __future__ import annotations

import ctypes
from typing import Any, Iterable, Iterator

from mluops import types
from mluops.signatures import Function
from mluops.types import ctype

HEAD = '''"""The C functions of a `Library` with their types. `mluops_tools.abi.generate` writes it."""

import ctypes
from typing import Any

from _ctypes import _CArgObject, _Pointer

from mluops import types
from mluops.array import DeviceArray
from mluops.constants import cnrtRet_t, mluOpStatus_t
from mluops.descriptor import TensorDescriptor
from mluops.functions import CFunction
from mluops.handle import Handle
from mluops.queue import Notifier, Queue

_Address = DeviceArray | ctypes.Array[Any] | _Pointer[Any] | ctypes.c_void_p | _CArgObject | int | None
'''

MANAGED = {
    "mluOpHandle_t": "Handle",
    "mluOpTensorDescriptor_t": "TensorDescriptor",
    "cnrtQueue_t": "Queue",
    "cnrtNotifier_t": "Notifier",
}
"""Classes of the binding that stand for a raw handle."""

RESULTS = {
    "mluOpStatus_t": "mluOpStatus_t",
    "cnrtRet_t": "cnrtRet_t",
    "void": "None",
    "const char*": "bytes | None",
}


def function_stub(functions: Iterable[Function]) -> str:
    """Return the text of the stub."""
    functions = sorted(functions, key=lambda function: function.name.lower())
    spellings = {spelling for function in functions for spelling in function.parameter_types}
    pointed = sorted(filter(None, {_pointee(spelling) for spelling in spellings}))
    parts = [
        HEAD,
        "".join(f"{_alias(name)} = {_references(name)}\n" for name in pointed),
        *("".join(_class(function)) for function in functions),
        "class Functions:\n" + "".join(_attribute(function) for function in functions),
    ]
    return "\n".join(parts)


def _class(function: Function) -> Iterator[str]:
    parameters = "".join(
        f", {name}: {annotation_of(spelling)}"
        for name, spelling in zip(function.parameter_names, function.parameter_types)
    )
    yield f"class _{function.name}(CFunction):\n"
    yield f"    def __call__(self{parameters}) -> {RESULTS.get(function.result, 'int')}: ...\n"
    yield f"    def checked(self{parameters}) -> None: ...\n"


def _attribute(function: Function) -> str:
    return (
        f"    @property\n    def {function.name}(self) -> _{function.name}:\n"
        f'        """{function}, since {function.since}."""\n'
    )


def annotation_of(spelling: str) -> str:
    """Return what a parameter of a C type takes, as an annotation."""
    kind: Any = ctype(spelling)
    if kind is ctypes.c_void_p:
        return "_Address"
    if kind is ctypes.c_char_p:
        return "bytes | None"
    pointee = _pointee(spelling)
    if pointee:
        return _alias(pointee)
    if hasattr(types, kind.__name__):
        managed = MANAGED.get(kind.__name__)
        return f"{managed} | types.{kind.__name__} | None" if managed else f"types.{kind.__name__} | None"
    if issubclass(kind, ctypes._Pointer):
        return "Any"
    return "bool" if kind is ctypes.c_bool else "float" if kind is ctypes.c_float else "int"


def _pointee(spelling: str) -> str:
    """Return the type behind a pointer to a number, a structure or a handle; "" for another type."""
    kind = ctype(spelling)
    if kind in (None, ctypes.c_void_p, ctypes.c_char_p) or hasattr(types, kind.__name__):
        return ""
    target = getattr(kind, "_type_", None)
    if not isinstance(target, type) or target.__name__.startswith("LP_"):
        return ""
    return f"{'types' if hasattr(types, target.__name__) else 'ctypes'}.{_portable(target)}"


def _portable(target: type) -> str:
    """Return a type's name in C; c_long and its like are other names of int64_t and size_t."""
    names: dict[type, str] = {ctypes.c_int64: "c_int64", ctypes.c_size_t: "c_size_t", ctypes.c_int: "c_int"}
    return names.get(target, target.__name__)


def _alias(name: str) -> str:
    return f"_{name.split('.')[1]}_p"


def _references(name: str) -> str:
    return f"_CArgObject | ctypes.Array[{name}] | _Pointer[{name}] | {name} | None"
