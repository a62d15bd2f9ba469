"""The library of a run: a device's, or the emulator's, and never one in place of the other."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import mluops
from mluops.errors import ArgumentValueError, visible_devices

from mluops_conformance.errors import NoDeviceError, UserError
from mluops_conformance.execution.options import RunOptions
from mluops_conformance.language.model import sized
from mluops_conformance.operators import the_operator
from mluops_conformance.operators.limits import Device
from mluops_conformance.results.outcomes import CPU_SEED, NOT_HARDWARE, compiled, with_faults

if TYPE_CHECKING:
    from mluops import Library

    from mluops_conformance.language.model import Case


NO_LIBRARY = "no libmluops.so found; 'mluops-conformance doctor' lists the places that were searched"
LIBRARY_VARIABLES = ("MLUOPS_LIBRARY", "MLUOPS_CNRT_LIBRARY")


@dataclass(frozen=True)
class Backend:
    """An opened library.

    Parameters
    ----------
    library : Library
        What is called.
    device : str
        The card's name, or the name the emulator answers as and the faults that are planted into it.
    reason : str
        Why it was chosen, one sentence.
    card : int
        Which of the visible devices it is.
    """

    library: Library
    device: str
    reason: str
    card: int = 0

    @property
    def emulated(self) -> bool:
        return self.library.backend == "emulator"

    @property
    def hardware(self) -> bool:
        """True if times and limits are a device's, not those of the emulator or of kernels on a CPU."""
        return self.name == "device"

    @property
    def name(self) -> str:
        return self.library.backend

    @cached_property
    def asked(self) -> mluops.Device:
        """The device itself, which tells what it is."""
        return mluops.Device(self.library, self.card)

    @cached_property
    def names(self) -> tuple[str, str]:
        """The names of the device that cases may use: the card's, and the one that mlu-ops selects for it."""
        return self.device, self.asked.architecture

    def notice(self) -> str:
        """One line that says what the run talks to; unmistakable where it is no hardware."""
        if self.emulated:
            return f"EMULATED {self.device}: nothing in this run is evidence about hardware ({self.reason})"
        if self.name == "cpu":
            worth = NOT_HARDWARE["cpu"][1]
            told = compiled(self.library.source or "", os.environ)
            return f"{told}, as {self.device}: {worth} ({self.reason})"
        return f"{self.device}: {self.reason}"

    def each_device(self) -> tuple[Backend, ...]:
        """The same with each of the visible devices, which workers share out among them."""
        if self.emulated:
            return (self,)
        devices = [mluops.Device(self.library, card) for card in range(mluops.Device.count(self.library))]
        return tuple(replace(self, device=device.name, card=device.ordinal) for device in devices)

    @cached_property
    def figures(self) -> Device:
        """Return the numbers that the device reports for its cores and their memory."""
        asked = self.asked
        return Device(asked.nram_bytes, asked.clusters, asked.cores_per_cluster, asked.sram_bytes)

    def sized(self, case: Case) -> Case:
        """A case with the sizes that it has on this device."""
        return sized(case, the_operator(case.operator), self.figures) if case.follows_device else case

    def parallelism(self) -> int:
        """Return the number of cases that can run at once: one a device; without one, one a core."""
        return mluops.Device.count(self.library) if self.hardware else os.cpu_count() or 1

    def violations(self) -> list[str]:
        """Return the emulator's complaints about the calls since the last time; none with a device."""
        take = getattr(self.library.symbols, "take_violations", tuple)
        return [str(violation) for violation in take()]


def open_backend(options: RunOptions, card: int = 0) -> Backend:
    """Load what `options.backend` asks for.

    Raises
    ------
    NoDeviceError
        `device` was asked for, and the library does not load, counts no device or makes no handle on it.
    UserError
        A fault is to be planted that there is not, or into something else than the emulator.
    """
    if options.fault:
        return _faulty_emulator(options)
    if options.backend == "emulator":
        return _emulator(options, "--backend emulator")
    try:
        return _device(options, card)
    except (mluops.Error, NoDeviceError) as error:
        if options.backend != "auto":
            raise NoDeviceError(f"--backend {options.backend}, and there is none to use.\n{error}") from error
        if options.library or options.cnrt or any(map(os.environ.get, LIBRARY_VARIABLES)):
            text = f"{error}\nA library was named, so the emulator does not replace it."
            raise NoDeviceError(text) from error
        return _emulator(options, NO_LIBRARY if isinstance(error, mluops.LoadError) else str(error))


def _device(options: RunOptions, card: int) -> Backend:
    library = mluops.load(options.library or None, cnrt=options.cnrt or None)
    if options.backend not in ("auto", library.backend):
        raise NoDeviceError(f"{library.path} is for --backend {library.backend} alone")
    if library.backend == "cpu":
        _seed(options)
    count = mluops.Device.count(library)
    if not count:
        raise NoDeviceError(f"{library.cnrt_path} counts no device. {visible_devices()}.")
    device = mluops.Device(library, card % count)
    device.make_current()
    with mluops.Queue(library) as queue, mluops.Handle(library, queue):
        pass  # what would keep every case from running is said here, once
    return Backend(library, device.name, f"{library.path} ({library.found_via})", device.ordinal)


def _seed(options: RunOptions) -> None:
    """Give the run's seed to a library for the CPU, which reads its variables once, unless it has one.

    Workers inherit the variable; reports and repro lines name it. Seed 0 is the library's own default. The
    number is even: an odd one makes copies late, and shows races that are in the library itself.
    """
    if options.seed and not os.environ.get(CPU_SEED):
        os.environ[CPU_SEED] = str(2 * options.seed)


def _faulty_emulator(options: RunOptions) -> Backend:
    if options.backend in ("device", "cpu") or options.library or options.cnrt:
        raise UserError(
            "--fault plants faults into the emulator alone: leave out --library, --cnrt and device"
        )
    try:
        backend = _emulator(options, "--fault requires the emulator")
    except ArgumentValueError as error:
        raise UserError(f"--fault: {error}") from None
    return replace(backend, device=with_faults(backend.device, options.fault))


def _emulator(options: RunOptions, reason: str) -> Backend:
    library = mluops.load(
        "emulator",
        device=options.emulated_device,
        seed=options.seed,
        faults=options.fault,
        keeps_context=True,  # a failed kernel takes nothing from the next case
    )
    return Backend(library, options.emulated_device, reason)
