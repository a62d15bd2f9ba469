"""A loaded library: every C function of mlu_op.h and cnrt.h as an attribute."""

from __future__ import annotations

import ctypes
import os
from difflib import get_close_matches
from functools import cached_property
from typing import TYPE_CHECKING, Any, Callable, Protocol

from mluops.errors import Error, ForkedProcess
from mluops.functions import CFunction, Declared, bound
from mluops.log import STDERR, STDOUT, Logged
from mluops.pending import Pending
from mluops.signatures import CNDRV, CNRT, MLUOP, Function
from mluops.types import raw_queue

if TYPE_CHECKING:
    from mluops.c_functions import Functions as _Functions
    from mluops.calls import Found
else:
    _Functions = object

SIGNATURES = {**MLUOP, **CNRT, **CNDRV}


class Symbols(Protocol):
    """The source of the C functions' addresses: shared libraries, or the emulator."""

    kind: str  # "device", "cpu" or "emulator"
    path: str

    def address(self, name: str) -> int | None:
        """Return the address of a C function, None where there is none."""


class Library(_Functions):
    """The C functions of libmluops and libcnrt, or of the emulator, as attributes.

    Get one from `mluops.load`. Threads may share it; a forked process may not, and loads its own.

    Attributes
    ----------
    backend : str
        "device", "emulator", or "cpu" for mlu-ops' own code that `build-cpu` compiled.
    source : str or None
        The commit or release that a library for the CPU was compiled from.
    path, cnrt_path : str
        The files that were loaded; "emulator" for the emulator.
    found_via : str
        Which step of the search found `path`.
    symbols : Symbols
        Where the addresses come from: for the emulator, the `mluops_emulator.Emulator`.
    pending : Pending
        Arrays and descriptors that queued calls still use.
    operators : dict
        The functions that calls by name have found, by the names that were tried.
    keeps_log : bool
        Whether the exception of a refused call has what the library logged in it. That takes redirecting the
        process's standard output for the time of each call, so it is off unless set.
    """

    def __init__(self, symbols: Symbols, found_via: str) -> None:
        self.symbols = symbols
        self.found_via = found_via
        self.backend = symbols.kind
        self.source: str | None = getattr(symbols, "source", None)
        self.path = symbols.path
        self.cnrt_path: str = getattr(symbols, "cnrt_path", symbols.path)
        self.process = os.getpid()
        self.pending = Pending(self)
        self.log = Logged(STDERR if self.backend == "emulator" else STDOUT)
        self.keeps_log = False
        self.operators: dict[tuple[str, ...], Found] = {}

    if not TYPE_CHECKING:  # which reads the functions in c_functions.pyi, so that a misspelt one is an error

        def __getattr__(self, name: str) -> Any:
            signature = SIGNATURES.get(name)
            if signature is None:
                raise AttributeError(_unknown(name))
            function = self._bound(signature)
            return self.__dict__.setdefault(name, function)  # two threads get one object

    def _bound(self, signature: Function) -> Declared:
        address = self.symbols.address(signature.name)
        return bound(self, signature, None if self._has_older_form(signature, address) else address)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *SIGNATURES})

    def __repr__(self) -> str:
        return f"<mluops.Library {self.path} ({self.backend}, found via {self.found_via})>"

    def has(self, name: str) -> bool:
        """Return True if the library has the C function `name` with its declared parameters."""
        return name in SIGNATURES and isinstance(getattr(self, name), CFunction)

    def only_declares(self, name: str) -> bool:
        """Return whether this is an emulator, which refuses each call of the function for want of it."""
        return self.backend == "emulator" and not getattr(self.symbols, "implements", lambda _: True)(name)

    def first(self, *names: str) -> Any:
        """Return the first of the C functions `names` that the library has, the last if it has none."""
        return getattr(self, next(filter(self.has, names), names[-1]))

    def shares_memory_with(self, other: Library) -> bool:
        """Return whether device memory, queues and handles of the other library are valid in this one."""
        if self.backend == other.backend == "device":
            return self.path == other.path and self.cnrt_path == other.cnrt_path
        return self.symbols is other.symbols

    def queue_of(self, handle: Any) -> int:
        """Return the address of a handle's queue, however it was set; 0 is the default queue."""
        queue = ctypes.c_void_p()
        self._get_queue(handle, ctypes.byref(queue))
        return queue.value or 0

    def synchronize(self, queue: int) -> None:
        """Wait for the queue at an address, 0 for the default queue, and release what was kept for it."""
        self.ensure_own_process()
        taken = self.pending.take(queue)
        try:
            self.cnrtQueueSync.succeed(raw_queue(queue))
        except BaseException:
            self.pending.put_back(taken)
            raise

    @cached_property
    def _get_queue(self) -> Any:
        """mluOpGetQueue, with any pointer for the queue's type: no cast of the answer is needed."""
        prototype = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
        return ctypes.cast(self.mluOpGetQueue.pointer, prototype)

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

    def _has_older_form(self, signature: Function, address: int | None) -> bool:
        older = address is not None and signature.older_form_since is not None
        return older and self.version < _release(signature.since)

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


def _unknown(name: str) -> str:
    near = get_close_matches(name, SIGNATURES, n=3)
    hint = f"; did you mean {', '.join(near)}?" if near else ""
    return f"mlu_op.h, cnrt.h and the part of cn_api.h in use have no function {name!r}{hint}"
