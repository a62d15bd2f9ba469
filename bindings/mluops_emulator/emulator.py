"""A stand-in for libmluops.so and libcnrt.so: C function pointers in front of Python and NumPy."""

from __future__ import annotations

import ctypes
import mmap
import os
import sys
import traceback
import weakref
from dataclasses import replace
from functools import partial
from itertools import count
from types import FrameType
from typing import Any, Callable, Iterable

import numpy as np
from mluops.constants import cnrtRet_t
from mluops.signatures import CNDRV, CNRT, MLUOP
from mluops.signatures.function import Function

from mluops_emulator.abi import answer_without_context, answers, callback_type
from mluops_emulator.call import Decoder
from mluops_emulator.context import Context
from mluops_emulator.device import MODELS, DeviceModel
from mluops_emulator.discovery import discover
from mluops_emulator.faults import Planted, faults_named
from mluops_emulator.host import Host
from mluops_emulator.interruption import raise_in
from mluops_emulator.inventory import Inventory, Resource, report_leaks
from mluops_emulator.log import Log
from mluops_emulator.memory import Memory
from mluops_emulator.objects import Objects
from mluops_emulator.queues import Queue, Scheduler
from mluops_emulator.reservation import Reservation
from mluops_emulator.sites import Site, caller_site
from mluops_emulator.violations import Kind, Misuse, Refused, Violation

DEFAULT_QUEUES = (None, 1, 2)
"""NULL, cnrtQueuePerThread and cnrtQueueLegacy: one and the same queue here."""

OBJECTS_SHARE = 16
"""One part in so many of the reserved addresses is for handles and descriptors."""


class Emulator:
    """An emulated device with its libraries.

    Every entry point refuses misuse, does nothing then, and answers with an error code; `violations` has what
    was done wrong, and standard error a line about it.

    Parameters
    ----------
    device : str
        "MLU370" or "MLU590".
    seed : int
        Decides the order of atomics.
    memory_bytes : int, optional
        Device memory; by default the model's, but no more than half of the host's.
    version, cnrt_version : tuple of int
        The releases of mlu-ops and CNRT to answer as; functions that came later are missing.
    faults : iterable of str
        Names of faults that are planted into kernels and entry points.
    keeps_context : bool
        Whether the device works on after a kernel has failed. A device does not: its context is lost, and
        all that needs it is refused from then on. Only what releases something still succeeds.

    Attributes
    ----------
    violations : list of Violation
        Every misuse so far, in order.
    kind, path : str
        Both "emulator".
    """

    kind = "emulator"
    path = "emulator"

    def __init__(
        self,
        device: str = "MLU370",
        *,
        seed: int = 0,
        memory_bytes: int | None = None,
        version: tuple[int, int, int] = (1, 11, 1),
        cnrt_version: tuple[int, int, int] = (6, 14, 1),
        faults: Iterable[str] = (),
        keeps_context: bool = False,
    ) -> None:
        self.device = _model(device, memory_bytes)
        self.version, self.cnrt_version = version, cnrt_version
        self.faults = frozenset(faults)
        self.context_lost, self._keeps_context = False, keeps_context
        self._planted = Planted(faults_named(self.faults))
        self.violations: list[Violation] = []
        self.log = Log()
        self._make_machine()
        self.context = Context(self.device)
        self.gen_case_directory = os.environ.get("MLUOP_GEN_CASE_DIR", "./gen_case").encode()
        self.last_error: int = cnrtRet_t.cnrtSuccess
        self.reseed(seed)
        self._callbacks: dict[str, Any] = {}
        self._closing = weakref.finalize(self, report_leaks, self.inventory, self.log, self.violations)

    def _make_machine(self) -> None:
        self._reservation = Reservation()
        start, end = self._reservation.start, self._reservation.end
        border = start + (end - start) // OBJECTS_SHARE
        self.host = Host(self._reservation)
        self.context_address = start
        self.objects = Objects(start + mmap.PAGESIZE, border)
        self.memory = Memory(border, end, self.device.memory_bytes)
        self.inventory = Inventory(self.memory, self.host, self.objects)
        self.scheduler = Scheduler(self.report)

    def reseed(self, seed: int) -> None:
        """Begin anew with the order of atomics: the calls that follow repeat those after an equal seed."""
        self.seed = seed
        self._calls = count()

    def generator(self) -> np.random.Generator:
        """The random numbers of the next call."""
        return np.random.default_rng((self.seed, next(self._calls)))

    def address(self, name: str) -> int | None:
        """The address of a C function; None where the release lacks it, or no header has it."""
        callback = self._callbacks.get(name)
        if callback is None:
            function = self._declared(name)
            if function is None:
                return None
            # of two threads that come here, neither may replace what the other has the address of
            callback = self._callbacks.setdefault(name, callback_type(function)(self._guarded(function)))
        address: int | None = ctypes.cast(callback, ctypes.c_void_p).value
        return address

    def implements(self, name: str) -> bool:
        """Return whether the emulator does what a C function does, or else refuses each call of it."""
        return any(name in discover(f"mluops_emulator.{folder}") for folder in ("entry_points", "operators"))

    def take_violations(self) -> list[Violation]:
        """The violations since the last time this was asked."""
        taken, self.violations[:] = list(self.violations), []
        return taken

    @property
    def newest(self) -> int:
        """The number of the newest buffer or object; to be given to `alive` later."""
        return self.inventory.newest

    def alive(self, since: int = 0) -> list[Resource]:
        """Buffers and objects that were made after resource number `since` and not released."""
        return self.inventory.alive(since)

    def close(self) -> None:
        """Drop what is queued and record what was not released; the end of the process does so otherwise."""
        self.scheduler.drop_all()
        self._closing()

    def report(self, function: str, site: Site, error: Exception) -> None:
        """Record a misuse, or a defect of the emulator itself."""
        if isinstance(error, MemoryError):
            self.log.error(function, f"the host has no memory left for the emulated device: {error}")
            return
        kind, text = Kind.INTERNAL, traceback.format_exc()
        if isinstance(error, Misuse):
            kind, text = error.kind, error.text
        violation = Violation(kind, function, text, site)
        self.violations.append(violation)
        self.log.error(function, f"{kind.value}: {text} [called at {site}]")

    def queue(self, address: int | None) -> Queue:
        """The queue behind a pointer; NULL is the default queue."""
        if address in DEFAULT_QUEUES:
            return self.scheduler.default
        return self.objects.get(address, Queue, "queue")

    def finish(self, succeeded: bool) -> None:
        """Turn failed queued work into the error of the call that waited for it."""
        if not succeeded:
            self.context_lost = not self._keeps_context
            raise Refused("queued work failed, see above.", cnrtRet_t.cnrtErrorKernelTrap)

    def _declared(self, name: str) -> Function | None:
        for table, release in ((MLUOP, self.version), (CNRT, self.cnrt_version)):
            if name in table:
                return table[name] if _has(release, table[name]) else None
        return CNDRV.get(name)

    def _guarded(self, function: Function) -> Callable[..., Any]:
        """The entry point behind a wall that no exception passes."""
        implementation, lost = self._implementation(function), answer_without_context(function)

        def entry_point(*arguments: Any) -> Any:
            with self._planted:
                try:
                    if lost and self.context_lost:
                        raise Refused("the device context is lost: go on in a new process.", lost)
                    result = implementation(*arguments)
                    return 0 if result is None else result
                except BaseException as error:
                    return self._failed(function, error, sys._getframe(1))

        return entry_point

    def _implementation(self, function: Function) -> Callable[..., Any]:
        core = discover("mluops_emulator.entry_points")
        if function.name in core:
            return partial(core[function.name], self)
        operators = discover("mluops_emulator.operators")
        if function.name in operators:
            operator, decoder = operators[function.name], Decoder(self, function)
            return lambda *arguments: operator(decoder(arguments))
        return partial(_unsupported, function)

    def _failed(self, function: Function, error: BaseException, caller: FrameType) -> int:
        status = self._status(function, error)
        if not isinstance(error, Exception):
            raise_in(caller, error)
        elif isinstance(error, Refused):
            self.log.error(function.name, str(error))
        else:
            self.report(function.name, caller_site(), error)
        if function.result == "cnrtRet_t":
            self.last_error = status
        return status

    def _status(self, function: Function, error: BaseException) -> int:
        family = answers(function)
        if isinstance(error, Refused):
            return family.refused if error.status is None else error.status
        if isinstance(error, MemoryError):
            return family.no_memory
        return family.misused(error.kind if isinstance(error, Misuse) else Kind.INTERNAL)


def _model(name: str, memory_bytes: int | None) -> DeviceModel:
    if name not in MODELS:
        raise ValueError(f"no device {name!r} to emulate; there are {', '.join(MODELS)}")
    affordable = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
    size = min(MODELS[name].memory_bytes, affordable) if memory_bytes is None else memory_bytes
    return replace(MODELS[name], memory_bytes=size)


def _has(release: tuple[int, ...], function: Function) -> bool:
    if release < _release(function.since) or release in map(_release, function.absent_in):
        return False
    return function.until is None or release < _release(function.until)


def _release(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text[1:].split("."))


def _unsupported(function: Function, *_: Any) -> None:
    raise Refused("the emulator has no such function.", answers(function).unsupported)
