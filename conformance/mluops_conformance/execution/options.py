"""Options that decide the outcome of a case, and the cache of what references give."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable

from mluops_conformance.errors import UserError
from mluops_conformance.performance.times import LEAST
from mluops_conformance.support import formatting
from mluops_conformance.support.flags import Flags, flag, real, size, whole

if TYPE_CHECKING:
    from mluops_conformance.execution.cache import Cache
    from mluops_conformance.language.model import Case

BACKEND_VARIABLE = "MLUOPS_BACKEND"
BACKENDS = ("auto", "device", "cpu", "emulator")
EMULATED_DEVICES = ("MLU370", "MLU590")
PLACEMENTS = ("aligned", "unaligned", "shuffled")
"""Layouts of buffers; see `buffers.Placement`."""
MODES = ("check", "perf")
OPERATORS_HELP = "folder of further operators, with their cases in PATH/cases (repeatable)"
PERF_FLAGS = ("mode", "perf-repeats", "perf-seconds", "peak-bandwidth", "peak-compute")
"""Flags of the performance mode."""


@dataclass(frozen=True)
class RunOptions(Flags):
    """Decide the outcome of a case, besides the case itself."""

    backend: str = flag(
        "auto",
        "auto: a device, or the emulator if there is none; device: a device only; "
        "cpu: a library built by build-cpu",
        variable=BACKEND_VARIABLE,
        choices=BACKENDS,
    )
    library: str = flag(
        "", "libmluops.so to load, or its folder (default: MLUOPS_LIBRARY, NEUWARE_HOME, ...)", metavar="FILE"
    )
    cnrt: str = flag("", "libcnrt.so to load", metavar="FILE")
    emulated_device: str = flag(
        EMULATED_DEVICES[0], "the device that the emulator reports", choices=EMULATED_DEVICES
    )
    fault: tuple[str, ...] = flag(
        (),
        "plant a fault into the emulator (repeatable; 'selftest --list' names them)",
        metavar="NAME",
    )
    cases: tuple[str, ...] = flag(
        (), "case file or folder (repeatable; default: the built-in cases)", metavar="PATH"
    )
    operators: tuple[str, ...] = flag((), OPERATORS_HELP, metavar="PATH")
    known_issues: tuple[str, ...] = flag(
        (), "known issues beside the built-in ones (repeatable)", metavar="FILE"
    )
    placement: str = flag(
        PLACEMENTS[0],
        "position of buffers: as allocated, unaligned, or unaligned in random order",
        choices=PLACEMENTS,
    )
    queues: int = flag(
        1, "number of queues on which the calls of a process take turns", type=whole(1), metavar="N"
    )
    seed: int = flag(0, "seed of all random data", type=int, metavar="N")
    threshold: tuple[str, ...] = flag(
        (), "override a threshold in every case (repeatable)", metavar="MEASURE=VALUE"
    )
    static_thresholds: bool = flag(
        False, "judge by the documents' static thresholds instead of those from a baseline"
    )
    timeout: float = flag(300.0, "time limit of a case that sets none", type=real, metavar="SECONDS")
    mode: str = flag(
        MODES[0],
        "check: each case in its own mode; perf: check, and measure times, on a device only",
        choices=MODES,
    )
    perf_repeats: int = flag(100, "number of times that perf keeps for a case", type=int, metavar="N")
    perf_seconds: float = flag(
        10.0,
        f"time limit of perf's calls of a case; at least {LEAST} calls are made",
        type=float,
        metavar="SECONDS",
    )
    peak_bandwidth: float = flag(
        0.0,
        "peak bandwidth of the device, for IO efficiency (default: the device's own report)",
        type=float,
        metavar="GB/s",
    )
    peak_compute: float = flag(
        0.0,
        "peak of the device in float32; half has twice as much (default: the device's own report)",
        type=float,
        metavar="GOP/s",
    )

    def check(self) -> None:
        """Refuse values that no case could be run with.

        Raises
        ------
        UserError
        """
        _check_performance(self)
        if self.backend not in BACKENDS:
            raise UserError(f"{BACKEND_VARIABLE} is {self.backend!r}; it may be {', '.join(BACKENDS)}")
        if self.backend == "emulator" and (self.library or self.cnrt):
            raise UserError("--library and --cnrt name a device's libraries, and --backend emulator has none")
        if not 0 < self.timeout < math.inf:
            raise UserError(f"--timeout {self.timeout:g}: write seconds above 0")
        _check_thresholds(self.thresholds)

    def limit_of(self, case: Case) -> float:
        """Return the time limit of a case in seconds: its own, or that of the run."""
        return case.timeout or self.timeout

    @property
    def thresholds(self) -> dict[str, float]:
        """Return the thresholds of the command line by measure.

        Raises
        ------
        UserError
            An entry is not MEASURE=VALUE.
        """
        return dict(_threshold(text) for text in self.threshold)


@dataclass(frozen=True)
class CacheOptions(Flags):
    """Name the cache's folder, none if empty, and how many bytes it may hold."""

    folder: str = flag(
        "",
        "keep results of references in FOLDER, and reuse them for the same inputs; "
        "runs may share it, and you may remove it at any time",
        name="cache",
        metavar="FOLDER",
    )
    limit: int = flag(
        10 << 30,
        "size limit of that folder, for example 500M or 2G; the entry unused for longest is deleted first "
        f"(default: {formatting.size(10 << 30)})",
        name="cache-limit",
        type=size,
        metavar="SIZE",
    )

    def open(self) -> Cache:
        """Return the cache that they describe.

        Raises
        ------
        UserError
            The folder cannot be made.
        """
        from mluops_conformance.execution.cache import Cache

        try:
            return Cache(Path(self.folder), self.limit)
        except OSError as error:
            raise UserError(f"--cache {self.folder}: the folder cannot be used: {error.strerror}") from None


def add_device(add: Callable[..., Any], default: str | None, meaning: str) -> None:
    """Declare `--emulated-device` with `add_argument`, for commands that execute nothing."""
    add("--emulated-device", choices=EMULATED_DEVICES, default=default, help=meaning)


def add_operators(add: Callable[..., Any]) -> None:
    """Declare `--operators` with `add_argument`, for commands that execute nothing."""
    add("--operators", action="append", default=[], metavar="PATH", help=OPERATORS_HELP)


def _check_performance(options: RunOptions) -> None:
    repeats, seconds, limit = options.perf_repeats, options.perf_seconds, options.timeout
    if repeats < LEAST:
        raise UserError(f"--perf-repeats {repeats}: write {LEAST} or more; fewer times give no interval")
    if not 0 < seconds < math.inf:
        raise UserError(f"--perf-seconds {seconds:g}: write seconds above 0")
    if options.mode == "perf" and seconds >= limit:
        raise UserError(f"--perf-seconds {seconds:g} uses up --timeout {limit:g}: cases would time out")
    for name, peak in (("bandwidth", options.peak_bandwidth), ("compute", options.peak_compute)):
        if not 0 <= peak < math.inf:
            raise UserError(f"--peak-{name} {peak:g}: write a number above 0, or leave it out")


def _check_thresholds(thresholds: dict[str, float]) -> None:
    from mluops_conformance.judging.measures import MEASURES
    from mluops_conformance.language.model import suggestion

    for measure, value in thresholds.items():
        if measure not in MEASURES:
            raise UserError(f"--threshold {measure}: no such measure{suggestion(measure, MEASURES)}")
        if not MEASURES[measure].accepts_limit(value):
            raise UserError(f"--threshold {measure}={value:g}: write a number that is not negative")


def _threshold(text: str) -> tuple[str, float]:
    measure, _, value = text.partition("=")
    try:
        return measure, float(value)
    except ValueError:
        raise UserError(f"--threshold {text}: write MEASURE=VALUE, as diff1=1e-4") from None
