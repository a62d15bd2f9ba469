"""Exceptions: what a status means and what to do about it.

`MluOpError` and `CnrtError` have a subclass for each status of their library, found by `status_error`; a
status that no subclass stands for raises the base class, with its number.
"""

from __future__ import annotations

import ctypes
import os
from typing import ClassVar

from mluops.constants import cnrtRet_t, mluOpStatus_t


class Error(Exception):
    """Everything that this package raises on its own account."""


class LoadError(Error):
    """No library was loaded; the message lists every place tried and the variables to set."""


class MissingSymbol(Error):
    """The library, of another release, lacks the function, or has it with other parameters."""


class ForkedProcess(Error):
    """A library that a parent process loaded is used in its fork."""


class Closed(Error):
    """A handle, descriptor, queue, notifier or array is used after its `close`."""


class ArgumentTypeError(Error, TypeError, ctypes.ArgumentError):
    """A C function got an argument of the wrong type, or the wrong number of them."""


class ArgumentValueError(Error, ValueError):
    """An argument of the right type has a value that cannot be used: a shape, an address, a name."""


class ArgumentOverflowError(ArgumentValueError, OverflowError):
    """A number does not fit the library's integers."""


class StatusError(Error):
    """A C function answered with a status other than success.

    Parameters
    ----------
    function : str
        The C function's name.
    status : int
        What it returned, an enum member where the number is known.
    text : str, optional
        The library's own words for it; the class's otherwise.
    hint : str, optional
        What to do about it; the class's otherwise.
    """

    code: ClassVar[int]
    meaning: ClassVar[str] = ""
    remedy: ClassVar[str] = ""

    def __init__(self, function: str, status: int, text: str = "", hint: str = "") -> None:
        super().__init__(function, status, text, hint)
        self.function = function
        self.status = status
        self.text = text or self.meaning
        self.hint = hint or self.remedy

    def __str__(self) -> str:
        name = getattr(self.status, "name", "an unknown status")
        sentence = f"{self.function} returned {name} ({int(self.status)})"
        if self.text:
            sentence += f": {self.text}"
        return f"{sentence}. {self.hint}." if self.hint else f"{sentence}."


class CndrvError(StatusError):
    """A function of CNDrv answered with a status other than CN_SUCCESS."""


class MluOpError(StatusError):
    """A status of libmluops.

    Attributes
    ----------
    log : str
        The lines that the library logged in the call, which name the check that failed, where
        `Library.keeps_log` is set; empty otherwise, and where they could not be told from another thread's.
    stream : str
        The stream that the library logs to; empty where its log does not help.
    """

    log = ""
    stream = "stdout"

    def __str__(self) -> str:
        text = super().__str__()
        if self.log:
            return f"{text} The library's log: {self.log}"
        if not self.stream:
            return text
        return (
            f"{text} The library's log on {self.stream} may say why; Library.keeps_log = True puts it here."
        )


class NotInitialized(MluOpError):
    code = mluOpStatus_t.MLUOP_STATUS_NOT_INITIALIZED
    meaning = "the library could not be initialised"


class AllocFailed(MluOpError):
    code = mluOpStatus_t.MLUOP_STATUS_ALLOC_FAILED
    meaning = "the library could not allocate memory"


class BadParam(MluOpError):
    code = mluOpStatus_t.MLUOP_STATUS_BAD_PARAM
    meaning = "a handle, pointer, layout, data type, shape or scalar is not one that the function takes"


class InternalError(MluOpError):
    code = mluOpStatus_t.MLUOP_STATUS_INTERNAL_ERROR
    meaning = "an operation inside the library failed"
    remedy = "MLUOP_MIN_LOG_LEVEL=0 shows all of the log"


class ArchMismatch(MluOpError):
    code = mluOpStatus_t.MLUOP_STATUS_ARCH_MISMATCH
    meaning = "the device is of a series that the function does not support"


class ExecutionFailed(MluOpError):
    code = mluOpStatus_t.MLUOP_STATUS_EXECUTION_FAILED
    meaning = "the kernel could not be executed"
    remedy = "The device may need a new process to recover"


class NotSupported(MluOpError):
    code = mluOpStatus_t.MLUOP_STATUS_NOT_SUPPORTED
    meaning = "the function does not support these arguments"
    remedy = "Common causes are strides that are not contiguous and tensors of 2^31 elements or more"


class NumericalOverflow(MluOpError):
    code = mluOpStatus_t.MLUOP_STATUS_NUMERICAL_OVERFLOW
    meaning = "a number of the computation overflowed"


class CnrtError(StatusError):
    """A status of libcnrt."""


class CnrtNotReady(CnrtError):
    code = cnrtRet_t.cnrtErrorNotReady
    meaning = "the work before it has not finished"


class CnrtInit(CnrtError):
    code = cnrtRet_t.cnrtErrorInit
    meaning = "CNRT could not initialise the driver"
    remedy = "Check with cnmon that the driver runs and is not older than CNRT needs"


class CnrtNoDevice(CnrtError):
    code = cnrtRet_t.cnrtErrorNoDevice
    meaning = "no MLU is visible to this process"

    def __init__(self, function: str, status: int, text: str = "", hint: str = "") -> None:
        super().__init__(function, status, text, hint or visible_devices())


class CnrtDeviceInvalid(CnrtError):
    code = cnrtRet_t.cnrtErrorDeviceInvalid
    meaning = "no device has this ordinal"
    remedy = "Ordinals count the visible devices only, from 0"


class CnrtArgsInvalid(CnrtError):
    code = cnrtRet_t.cnrtErrorArgsInvalid
    meaning = "an argument is not one that the function takes"


class CnrtSys(CnrtError):
    code = cnrtRet_t.cnrtErrorSys
    meaning = "a call to the operating system failed"


class CnrtSysNoMem(CnrtError):
    code = cnrtRet_t.cnrtErrorSysNoMem
    meaning = "the host has no memory left"


class CnrtInvalidResourceHandle(CnrtError):
    code = cnrtRet_t.cnrtErrorInvalidResourceHandle
    meaning = "the queue or notifier is not valid"
    remedy = "It may have been destroyed, or belong to another device or process"


class CnrtIllegalState(CnrtError):
    code = cnrtRet_t.cnrtErrorIllegalState
    meaning = "the object is in a state that does not allow this"


class CnrtNotSupport(CnrtError):
    code = cnrtRet_t.cnrtErrorNotSupport
    meaning = "this device or driver does not support it"


class CnrtOpsNotPermitted(CnrtError):
    code = cnrtRet_t.cnrtErrorOpsNotPermitted
    meaning = "the operation is not permitted"


class CnrtQueue(CnrtError):
    code = cnrtRet_t.cnrtErrorQueue
    meaning = "the queue failed"


class CnrtNoMem(CnrtError):
    code = cnrtRet_t.cnrtErrorNoMem
    meaning = "the device has no memory left for this"
    remedy = "Other processes on the card count too; cnmon shows them"


class CnrtAssert(CnrtError):
    code = cnrtRet_t.cnrtErrorAssert
    meaning = "an assertion in a kernel failed"


class CnrtKernelTrap(CnrtError):
    code = cnrtRet_t.cnrtErrorKernelTrap
    meaning = "a kernel trapped"
    remedy = "The device context is lost: go on in a new process"


class CnrtKernelUserTrap(CnrtError):
    code = cnrtRet_t.cnrtErrorKernelUserTrap
    meaning = "a kernel trapped on purpose"
    remedy = "The device context is lost: go on in a new process"


class CnrtNotFound(CnrtError):
    code = cnrtRet_t.cnrtErrorNotFound
    meaning = "a named symbol was not found"


class CnrtInvalidKernel(CnrtError):
    code = cnrtRet_t.cnrtErrorInvalidKernel
    meaning = "the kernel is not valid"


class CnrtUnsupportedKernelVersion(CnrtError):
    code = cnrtRet_t.cnrtErrorUnsupportedKernelVersion
    meaning = "the kernel was built for another CNRT"


class CnrtNoKernel(CnrtError):
    code = cnrtRet_t.cnrtErrorNoKernel
    meaning = "there is no kernel of this name for the device"


class CnrtNoModule(CnrtError):
    code = cnrtRet_t.cnrtErrorNoModule
    meaning = "there is no module for the device"


class CnrtSetOnActiveProcess(CnrtError):
    code = cnrtRet_t.cnrtErrorSetOnActiveProcess
    meaning = "the setting must precede the first use of the device"


class CnrtDevice(CnrtError):
    code = cnrtRet_t.cnrtErrorDevice
    meaning = "the device failed"
    remedy = "The device context is lost: go on in a new process"


class CnrtNoAttribute(CnrtError):
    code = cnrtRet_t.cnrtErrorNoAttribute
    meaning = "the device has no such attribute"


class CnrtMemcpyDirectionInvalid(CnrtError):
    code = cnrtRet_t.cnrtErrorMemcpyDirectionInvalid
    meaning = "the direction of the copy does not fit its pointers"


class CnrtBusy(CnrtError):
    code = cnrtRet_t.cnrtErrorBusy
    meaning = "the work before it has not finished"


class CnrtCndrvFuncCall(CnrtError):
    code = cnrtRet_t.cnrtErrorCndrvFuncCall
    meaning = "a call to the driver failed"
    remedy = "The CNRT and the driver may not fit each other"


class CnrtCndevFuncCall(CnrtError):
    code = cnrtRet_t.cnrtErrorCndevFuncCall
    meaning = "a call to the device management library failed"


class CnrtNoCnrtContext(CnrtError):
    code = cnrtRet_t.cnrtErrorNoCnrtContext
    meaning = "the thread has no device context"
    remedy = "cnrtSetDevice makes one"


class CnrtCndrvFuncNotFound(CnrtError):
    code = cnrtRet_t.cnrtErrorCndrvFuncNotFound
    meaning = "the driver lacks a function"
    remedy = "The driver is older than this CNRT needs"


class CnrtInvalidSymbol(CnrtError):
    code = cnrtRet_t.cnrtErrorInvalidSymbol
    meaning = "the device symbol is not valid"


class CnrtUnknown(CnrtError):
    code = cnrtRet_t.cnrtErrorUnknown
    meaning = "the cause is not known"


_BY_STATUS: dict[type[StatusError], dict[int, type[StatusError]]] = {
    base: {int(subclass.code): subclass for subclass in base.__subclasses__()}
    for base in (MluOpError, CnrtError, CndrvError)
}
_FAMILIES = (("mluOp", MluOpError), ("cnrt", CnrtError), ("cn", CndrvError))
"""By how the names of a library's functions begin."""


def status_error(function: str, status: int, text: str = "", log: str = "") -> StatusError:
    """Return the exception for `status` of `function`, whose name says which library it is of.

    `text`, the library's own words, counts where this module has none; `log` is what it logged.
    """
    base = next(base for start, base in _FAMILIES if function.startswith(start))
    cls = _BY_STATUS[base].get(int(status), base)
    error = cls(function, status, cls.meaning or text)
    if isinstance(error, MluOpError):
        error.log = log
    if log and isinstance(error, NotSupported):
        error.hint = ""  # the log names the cause, where the remedy guesses at it
    return error


def visible_devices() -> str:
    """Say what may keep devices from this process, and how to see them."""
    visible = os.environ.get("MLU_VISIBLE_DEVICES")
    state = "is not set" if visible is None else f"is {visible!r}"
    return f"MLU_VISIBLE_DEVICES {state}; cnmon lists the cards of the machine"
