"""The C side of an entry point: its function type, and what it answers when it fails."""

from __future__ import annotations

import ctypes
from functools import lru_cache
from typing import Any, NamedTuple

from mluops.constants import cnrtRet_t, mluOpStatus_t
from mluops.signatures.function import Function
from mluops.types import ctype

from mluops_emulator.context import INVALID_VALUE
from mluops_emulator.violations import Kind

_POINTERS = (ctypes._Pointer, ctypes.c_char_p, ctypes.c_void_p)


def callback_type(function: Function) -> Any:
    """The type of a C function pointer behind which every pointer arrives, and leaves, as its address."""
    return ctypes.CFUNCTYPE(*map(_by_value, (function.result, *function.parameter_types)))


@lru_cache(maxsize=None)
def _by_value(spelling: str) -> Any:
    if spelling.endswith(("*", "]")):
        return ctypes.c_void_p
    found = ctype(spelling)
    return ctypes.c_void_p if found is not None and issubclass(found, _POINTERS) else found


class Answers(NamedTuple):
    """The statuses of a family of functions for calls that fail."""

    refused: int
    unsupported: int
    no_memory: int
    misuse: dict[Kind, int]

    def misused(self, kind: Kind) -> int:
        """The answer to a misuse; `refused` unless the family has a better one."""
        return self.misuse.get(kind, self.refused)


_ANSWERS: dict[str, Answers] = {
    "mluOpStatus_t": Answers(
        mluOpStatus_t.MLUOP_STATUS_BAD_PARAM,
        mluOpStatus_t.MLUOP_STATUS_NOT_SUPPORTED,
        mluOpStatus_t.MLUOP_STATUS_ALLOC_FAILED,
        {
            Kind.NOT_SYNCHRONISED: mluOpStatus_t.MLUOP_STATUS_EXECUTION_FAILED,
            Kind.INTERNAL: mluOpStatus_t.MLUOP_STATUS_INTERNAL_ERROR,
        },
    ),
    "cnrtRet_t": Answers(
        cnrtRet_t.cnrtErrorArgsInvalid,
        cnrtRet_t.cnrtErrorNotSupport,
        cnrtRet_t.cnrtErrorNoMem,
        {
            Kind.WRONG_DIRECTION: cnrtRet_t.cnrtErrorMemcpyDirectionInvalid,
            Kind.NOT_SYNCHRONISED: cnrtRet_t.cnrtErrorIllegalState,
            Kind.RELEASED_WHILE_QUEUED: cnrtRet_t.cnrtErrorIllegalState,
            Kind.DESTROYED_OBJECT: cnrtRet_t.cnrtErrorInvalidResourceHandle,
            Kind.FOREIGN_OBJECT: cnrtRet_t.cnrtErrorInvalidResourceHandle,
            Kind.INTERNAL: cnrtRet_t.cnrtErrorUnknown,
        },
    ),
    "CNresult": Answers(INVALID_VALUE, INVALID_VALUE, INVALID_VALUE, {}),
}

_WITHOUT_CONTEXT = frozenset(
    [
        *("cnrtFree", "cnrtFreeHost", "cnrtHostMalloc", "cnrtGetErrorStr", "cnrtGetErrorName"),
        *("cnrtGetLastError", "cnrtPeekAtLastError", "cnrtGetLibVersion", "cnrtDriverGetVersion"),
        *("cnrtGetDevice", "cnrtGetDeviceCount", "cnrtDeviceGetAttribute", "cnrtGetDeviceProperties"),
        *("cnrtGetDeviceProperties_V3", "cnrtDeviceGetPCIBusId"),
    ]
)
"""Functions of CNRT that release something, or ask for what needs no context."""

_NO_STATUS = Answers(0, 0, 0, {})


def answers(function: Function) -> Answers:
    """Return the answers of `function` to a failure; functions without a status answer 0 or NULL."""
    return _ANSWERS.get(function.result, _NO_STATUS)


def answer_without_context(function: Function) -> int:
    """Return the answer of a function whose device context is lost; 0 where it needs none, or releases."""
    name = function.name
    if name.startswith("mluOp"):
        return mluOpStatus_t.MLUOP_STATUS_EXECUTION_FAILED if _uses_device(function) else 0
    if function.result != "cnrtRet_t" or name in _WITHOUT_CONTEXT or name.endswith("Destroy"):
        return 0
    return cnrtRet_t.cnrtErrorKernelTrap


def _uses_device(function: Function) -> bool:
    """Return whether a function of mlu_op.h makes a handle or launches kernels on device memory."""
    return function.name == "mluOpCreate" or any("void*" in kind for kind in function.parameter_types)
