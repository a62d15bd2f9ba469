"""A loaded library: every C function of mlu_op.h and cnrt.h as an attribute."""

from __future__ import annotations

import ctypes
import os
from functools import cached_property
from typing import Any, Callable, NoReturn, Protocol

from mluops.constants import cnrtRet_t, mluOpStatus_t
from mluops.errors import ArgumentTypeError, Error, ForkedProcess, MissingSymbol, status_error
from mluops.signatures import CNDRV, CNRT, MLUOP, Function
from mluops.types import ctype, integers_of, prototype

SIGNATURES = {**MLUOP, **CNRT, **CNDRV}


class Symbols(Protocol):
    """Where the addresses of the C functions come from: shared libraries, or the emulator."""

    kind: str  # "device" or "emulator"
    path: str

    def address(self, name: str) -> int | None:
        """Return the address of a C function, None where there is none."""


class _Members(dict):  # type: ignore[type-arg]
    """Enum members by number; a number without a member stands for itself."""

    def __missing__(self, number: int) -> int:
        return number


_STATUSES: dict[str, Callable[[int], int]] = {
    enum.__name__: _Members((int(member), member) for member in enum).__getitem__
    for enum in (mluOpStatus_t, cnrtRet_t)
}


STATUS_TYPES = frozenset([*_STATUSES, "CNresult"])
"""Results that say whether a call succeeded; any other is no error, whatever its value."""


class Declared:
    """What is known of a library's C function before it is called."""

    def __init__(self, library: Library, signature: Function) -> None:
        self.library = library  # keeps the code behind the address alive
        self.signature = signature
        self.name = signature.name
        self.__doc__ = f"{signature}, since {signature.since}."

    @property
    def parameters(self) -> tuple[str, ...]:
        """The header's parameter names, in order."""
        return self.signature.parameter_names

    def __repr__(self) -> str:
        return f"<{self.signature}, since {self.signature.since}>"


class CFunction(Declared):
    """A C function of a library.

    A call checks and converts the arguments by the header's types, as ctypes does, makes the raw C call and
    returns its result: a status as a member of mluOpStatus_t or cnrtRet_t (a plain int where the number is
    unknown), `const char*` as bytes. A bad status raises nothing; `checked` is there for that.

    Attributes
    ----------
    pointer : ctypes function pointer
        The same call without the naming of wrong arguments, where a tenth of a microsecond counts.

    Raises
    ------
    ArgumentTypeError
        For an argument of the wrong type, or a wrong number of them. Nothing is called then.
    """

    def __init__(self, library: Library, signature: Function, address: int) -> None:
        super().__init__(library, signature)
        self._count = len(signature.parameter_types)
        integers = enumerate(map(integers_of, signature.parameter_types))
        self._integers = [(index, range_[0], range_[-1]) for index, range_ in integers if range_]
        self.pointer = prototype(signature)(address)
        if signature.result in _STATUSES:
            self.pointer.restype = _STATUSES[signature.result]

    def __call__(self, *args: Any) -> Any:
        if len(args) != self._count:
            wanted = f"{self._count} argument{'' if self._count == 1 else 's'}"
            names = ", ".join(self.parameters)
            raise ArgumentTypeError(f"{self.name} takes {wanted} ({names}), not {len(args)}")
        try:
            return self.pointer(*args)
        except ctypes.ArgumentError as error:
            raise self._explained(error, args) from None

    def checked(self, *args: Any) -> None:
        """Call, and raise the `StatusError` of a status other than success.

        Raises
        ------
        StatusError
        ArgumentTypeError
            As of a call, and for an integer that the parameter's type does not hold: in a plain call it
            wraps, as in C.
        """
        if len(args) == self._count:
            for index, least, most in self._integers:
                if type(args[index]) is int and not least <= args[index] <= most:
                    spelling = self.signature.parameter_types[index]
                    raise ArgumentTypeError(f"{self._place(index)}: {args[index]} does not fit {spelling}")
        status = self(*args)
        if status and self.signature.result in STATUS_TYPES:
            raise status_error(self.name, status, self.library.describe(self.name, status))

    def _explained(self, error: ctypes.ArgumentError, args: tuple[Any, ...]) -> ArgumentTypeError:
        for index, (argument, spelling) in enumerate(zip(args, self.signature.parameter_types)):
            if not _converts(argument, spelling):
                return ArgumentTypeError(f"{self._place(index)}: expected {spelling}, got {_kind(argument)}")
        return ArgumentTypeError(f"{self.name}: {error}")

    def _place(self, index: int) -> str:
        return f"{self.name}, argument {index + 1} ({self.parameters[index]})"


class MissingFunction(Declared):
    """A C function that this library lacks, or has with other parameters: calling it explains so."""

    def __call__(self, *args: Any) -> NoReturn:
        raise MissingSymbol(self.library.absence(self.signature))

    checked = __call__

    def __repr__(self) -> str:
        return f"{super().__repr__()[:-1]}, missing in this library>"


class Library:
    """The C functions of libmluops and libcnrt, or of the emulator, as attributes.

    Get one from `mluops.load`. Threads may share it; a forked process may not, and loads its own.

    Attributes
    ----------
    backend : str
        "device" or "emulator".
    path, cnrt_path : str
        The files that were loaded; "emulator" for the emulator.
    found_via : str
        Which step of the search found `path`.
    symbols : Symbols
        Where the addresses come from: for the emulator, the `mluops_emulator.Emulator`.
    """

    def __init__(self, symbols: Symbols, found_via: str) -> None:
        self.symbols = symbols
        self.found_via = found_via
        self.backend = symbols.kind
        self.path = symbols.path
        self.cnrt_path: str = getattr(symbols, "cnrt_path", symbols.path)
        self.process = os.getpid()

    def __getattr__(self, name: str) -> Any:
        signature = SIGNATURES.get(name)
        if signature is None:
            raise AttributeError(_unknown(name))
        function = self._bound(signature)
        return self.__dict__.setdefault(name, function)  # two threads get one object

    def _bound(self, signature: Function) -> Declared:
        address = self.symbols.address(signature.name)
        if address is None or self._has_older_form(signature):
            return MissingFunction(self, signature)
        return CFunction(self, signature, address)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *SIGNATURES})

    def __repr__(self) -> str:
        return f"<mluops.Library {self.path} ({self.backend}, found via {self.found_via})>"

    def has(self, name: str) -> bool:
        """Whether the library has the C function `name` with the parameters that it is declared with."""
        return name in SIGNATURES and isinstance(getattr(self, name), CFunction)

    def first(self, *names: str) -> Any:
        """Return the first of the C functions `names` that the library has, the last if it has none."""
        return getattr(self, next(filter(self.has, names), names[-1]))

    @cached_property
    def version(self) -> tuple[int, int, int]:
        """The release of mlu-ops as it names itself; 1.5.1, 1.7.1 and 1.8.1 say x.y.0."""
        return self._version(self.mluOpGetLibVersion)

    @cached_property
    def cnrt_version(self) -> tuple[int, int, int]:
        return self._version(self.cnrtGetLibVersion.checked)

    @staticmethod
    def _version(query: Callable[..., Any]) -> tuple[int, int, int]:
        major, minor, patch = ctypes.c_int(), ctypes.c_int(), ctypes.c_int()
        query(ctypes.byref(major), ctypes.byref(minor), ctypes.byref(patch))
        return major.value, minor.value, patch.value

    def describe(self, name: str, status: int) -> str:
        """Return the library's own words for a status of the function `name`; CNDrv has none."""
        if name in CNDRV:
            return ""
        function = self.cnrtGetErrorStr if name in CNRT else self.mluOpGetErrorString
        text: bytes | None = function(status) if isinstance(function, CFunction) else None
        return (text or b"").decode("utf-8", "replace")

    def absence(self, signature: Function) -> str:
        """Say in one sentence why a function that is declared cannot be called."""
        name = signature.name
        if name in CNDRV:
            release = f"the libcndrv that {self.path} needs"
        elif name in CNRT:
            release = f"{self.cnrt_path} (CNRT {self._printed_version('cnrt_version')})"
        else:
            release = f"{self.path} (mlu-ops {self._printed_version('version')})"
        if self.symbols.address(name) is not None:
            return f"{release} has {name} with other parameters; these came with {signature.since}"
        gaps = f" (but not in {', '.join(signature.absent_in)})" if signature.absent_in else ""
        end = f" and is gone since {signature.until}" if signature.until else ""
        return f"{release} lacks {name}, which came with {signature.since}{gaps}{end}"

    def _printed_version(self, attribute: str) -> str:
        try:
            return ".".join(map(str, getattr(self, attribute)))
        except Error:
            return "of unknown version"

    def _has_older_form(self, signature: Function) -> bool:
        return signature.older_form_since is not None and self.version < _release(signature.since)

    def ensure_own_process(self) -> None:
        """Raise `ForkedProcess` in a fork of the process that loaded the library."""
        if os.getpid() != self.process:
            raise ForkedProcess(
                f"{self.path} was loaded by process {self.process}, and process {os.getpid()} is its fork: "
                "a device's context does not survive that. Let each worker call mluops.load() itself, before "
                "the parent uses the device, or start the workers by multiprocessing's 'spawn'."
            )


def _release(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.lstrip("v").split(".")))


def _converts(argument: Any, spelling: str) -> bool:
    try:
        ctype(spelling).from_param(argument)
    except (TypeError, OverflowError, ctypes.ArgumentError):
        return False
    return True


def _kind(argument: Any) -> str:
    name = type(argument).__name__
    return f"a closed {name}" if getattr(argument, "closed", False) else name


def _unknown(name: str) -> str:
    from difflib import get_close_matches

    near = get_close_matches(name, SIGNATURES, n=3)
    hint = f"; did you mean {', '.join(near)}?" if near else ""
    return f"mlu_op.h, cnrt.h and the part of cn_api.h in use have no function {name!r}{hint}"
