"""Limits of a process that a faulty library may end, stop or drive in a circle."""

from __future__ import annotations

import faulthandler
import math
import os
import resource
import signal
import time

from mluops.log import STDERR, STDOUT
from mluops_conformance.results.outcomes import how_it_ended


def leave_signals_to_parent() -> None:
    """Let this process, and compilers that it starts, go on at Ctrl-C, and end at once at SIGTERM."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


def be_silent() -> None:
    """Let this process write no output, no traceback of a crash and no core file."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (STDOUT, STDERR):  # libraries write a line for each refused call
        os.dup2(nowhere, stream)
    faulthandler.disable()  # an inherited one writes to a stream of its own


def limit_processor_time(seconds: float) -> None:
    """Let this process end when it has spent some more processor time."""
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(time.process_time() + seconds), hard))


def processor_time(pid: int) -> float:
    """Return the seconds of processor time that another process has spent."""
    return time.clock_gettime((~pid << 3) | 2)  # the clock of a process, as clock_getcpuclockid(3) names it


def end_of(exit_code: int) -> tuple[str, str]:
    """Return the outcome of a process that ended before its time, and the reason."""
    if exit_code == -signal.SIGXCPU:
        return "timeout", "it used up its processor time"
    return "crashed", how_it_ended(exit_code)
