"""The C types of mlu_op.h, cnrt.h and cn_api.h as ctypes types, with the headers' names.

Every opaque handle is a pointer class of its own, so that ctypes refuses one handle in the place of another.
`ctype` finds the type of a C spelling, `prototype` that of a whole function; both serve the callers of the
library as well as those who stand in for it.
"""

from __future__ import annotations

import ctypes
import operator
from enum import IntEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from mluops import constants
from mluops.errors import ArgumentTypeError, ArgumentValueError
from mluops.signatures.function import Function

if TYPE_CHECKING:
    _Pointer = ctypes._Pointer[ctypes.Structure]
else:
    _Pointer = ctypes._Pointer


def _opaque(name: str) -> type[ctypes.Structure]:
    return type(name, (ctypes.Structure,), {"__module__": __name__})


class mluOpHandle_t(_Pointer):
    _type_ = _opaque("mluOpContext")


class mluOpTensorDescriptor_t(_Pointer):
    _type_ = _opaque("mluOpTensorStruct")


class mluOpTensorSetDescriptor_t(_Pointer):
    _type_ = _opaque("mluOpTensorSetStruct")


class mluOpSeqDataDescriptor_t(_Pointer):
    _type_ = _opaque("mluOpSeqDataStruct")


class mluOpAdamWDescriptor_t(_Pointer):
    _type_ = _opaque("mluOpAdamWStruct")


class mluOpCarafeDescriptor_t(_Pointer):
    _type_ = _opaque("mluOpCarafeStruct")


class mluOpDCNDescriptor_t(_Pointer):
    _type_ = _opaque("mluOpDCNStruct")


class mluOpFFTPlan_t(_Pointer):
    _type_ = _opaque("mluOpFFTStruct")


class mluOpNmsDescriptor_t(_Pointer):
    _type_ = _opaque("mluOpNmsStruct")


class mluOpRoiAlignForwardDescriptor_t(_Pointer):
    _type_ = _opaque("mluOpRoiAlignForwardStruct")


class mluOpSparseConvolutionDescriptor_t(_Pointer):
    _type_ = _opaque("mluOpSparseConvolutionStruct")


class CNcontext(_Pointer):
    _type_ = _opaque("CNcontext_st")


class CNctxConfigParam(ctypes.Union):
    """The value of a CNctxConfigParamType."""

    _fields_ = (
        ("visibleCluster", ctypes.c_uint64),
        ("visibleClusterNumber", ctypes.c_uint64),
        ("unionLimit", ctypes.c_int),
    )


class cnrtQueue_t(_Pointer):
    _type_ = _opaque("cnrtQueue_st")


class cnrtNotifier_t(_Pointer):
    _type_ = _opaque("cnrtNotifier_st")


class cnrtDeviceProp_t(ctypes.Structure):
    """The device properties, of which only `name` lies where every CNRT puts it.

    The C structure is 256 bytes in CNRT 6.0.2 and 584 in 6.14.1, and a library fills as many as it was built
    with: this one leaves room for more. Everything but the name is read by cnrtDeviceGetAttribute.
    """

    _fields_ = (("name", ctypes.c_char * 256), ("_rest", ctypes.c_char * (4096 - 256)))


_SCALARS: dict[str, Any] = {
    "void": None,
    "bool": ctypes.c_bool,
    "char": ctypes.c_char,
    "int": ctypes.c_int,
    "unsigned int": ctypes.c_uint,
    "int32_t": ctypes.c_int32,
    "int64_t": ctypes.c_int64,
    "size_t": ctypes.c_size_t,
    "float": ctypes.c_float,
}

_INTEGER_CODES = frozenset("bBhHiIlLqQ")
"""The `_type_` codes of ctypes' integers."""

_POINTERS: dict[str, Any] = {
    "void*": ctypes.c_void_p,
    "const void*": ctypes.c_void_p,
    "const char*": ctypes.c_char_p,
    "int32_t*": ctypes.c_void_p,  # only result_num of mluOpNmsRotated, which is device memory: an address
}


@lru_cache(maxsize=None)
def ctype(spelling: str) -> Any:
    """Return the ctypes type of a C spelling, such as "const mluOpTensorDescriptor_t" or "int[]".

    Parameters
    ----------
    spelling : str
        A C type of the signature tables. Arrays decay to pointers; enums become c_int, which takes members
        of `constants`; `const` only counts in "const char*", a C string (bytes), where "char*" is a buffer.

    Returns
    -------
    type or None
        None for "void".

    Raises
    ------
    KeyError
        For a type that no header of the binding has.
    """
    if spelling in _POINTERS:
        return _POINTERS[spelling]
    plain = spelling.replace("const ", "").replace("[]", "*")
    if plain.endswith("*"):
        return _POINTERS.get(plain) or ctypes.POINTER(ctype(plain[:-1].strip()))
    return _named(plain)


def _named(name: str) -> Any:
    if name in _SCALARS:
        return _SCALARS[name]
    found = globals().get(name) or getattr(constants, name, None)
    if not isinstance(found, type):
        raise KeyError(f"no C type {name!r} in mluops.types or mluops.constants")
    return ctypes.c_int if issubclass(found, IntEnum) else found


@lru_cache(maxsize=None)
def integers_of(spelling: str) -> range | None:
    """The numbers that an integer type of a C spelling holds; None for another type."""
    kind = ctype(spelling)
    if getattr(kind, "_type_", "") not in _INTEGER_CODES:
        return None
    signed = kind(-1).value < 0
    bits = 8 * ctypes.sizeof(kind) - signed
    return range(-(2**bits) if signed else 0, 2**bits)


def address_of(value: Any, what: str, own: type[_Pointer] | None = None) -> int:
    """Return the address that an int or a ctypes pointer stands for.

    Parameters
    ----------
    value : int or ctypes pointer
        None is refused: 0 stands for NULL.
    what : str
        The argument's name, for the errors.
    own : type, optional
        The handle type that the address is of; another opaque handle is refused.

    Raises
    ------
    ArgumentTypeError, ArgumentValueError
    """
    if isinstance(value, ctypes.c_void_p):
        return value.value or 0
    if isinstance(value, ctypes._Pointer):
        if own is not None and isinstance(value, _handle_types()) and not isinstance(value, own):
            raise ArgumentTypeError(f"{what} must be a {own.__name__}, not a {type(value).__name__}")
        return ctypes.cast(value, ctypes.c_void_p).value or 0
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        name = type(value).__name__
        raise ArgumentTypeError(f"{what} must be an address, as an int or a ctypes pointer, not a {name}")
    try:
        address = operator.index(value)
    except TypeError:  # an ndarray has the method, and refuses unless it is one integer
        raise ArgumentTypeError(f"{what} must be an address, not the elements of an array") from None
    if not 0 <= address < 1 << 64:
        raise ArgumentValueError(f"{what} is {address:#x}, which is not an address of 64 bits")
    return address


def raw_queue(address: int) -> cnrtQueue_t:
    """Return the cnrtQueue_t at an address; 0 is the default queue."""
    return cnrtQueue_t.from_buffer(ctypes.c_void_p(address))


@lru_cache(maxsize=None)
def _handle_types() -> tuple[type, ...]:
    return tuple(
        kind
        for kind in globals().values()
        if isinstance(kind, type) and issubclass(kind, ctypes._Pointer) and hasattr(kind, "_type_")
    )


def prototype(function: Function) -> Any:
    """Return the ctypes function type of `function`: it takes an address, or a Python callable to wrap."""
    return ctypes.CFUNCTYPE(ctype(function.result), *map(ctype, function.parameter_types))
