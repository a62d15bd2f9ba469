"""Ways to take a sample: a call repeated, the difference of two, a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import tracemalloc
from math import ceil
from typing import Any, Callable, Mapping, Sequence

from mluops_tools.bench import spawn
from mluops_tools.bench.benchmark import Probe, Sample

SAMPLE_SECONDS = 0.02
"""A call that takes less is made so often that clocks and timers no longer matter."""

ROUNDS = 5
"""Times of each of two calls whose difference is a sample."""

Call = Callable[[], Any]


def _fastest(call: Call) -> float:
    """Seconds of a call, the least of five where it is a short one: a single one may be interrupted."""
    first = _clocked(call, 1).wall
    return first if first > SAMPLE_SECONDS else min(first, *(_clocked(call, 1).wall for _ in range(4)))


class Repeated:
    """A call in this process.

    Parameters
    ----------
    call : callable
        It is made before any sample: to warm up, to see how long it takes, to count its memory.
    """

    def __init__(self, call: Call) -> None:
        self._call = call
        call()
        self._calls = ceil(SAMPLE_SECONDS / max(_fastest(call), 1e-9))
        self.memory: int | None = extra_memory(call)

    def sample(self) -> Sample:
        return _clocked(self._call, self._calls)


class Difference:
    """The extra time of a call over another call that does a part of the same.

    A sample is the difference of two minima, each of `ROUNDS` times that were taken in turn: what disturbs a
    time makes it longer, and the difference of two single ones is mostly that of their disturbances.
    """

    memory = None

    def __init__(self, call: Call, part: Call) -> None:
        self._call, self._part = Repeated(call), Repeated(part)

    def sample(self) -> Sample:
        pairs = [(self._call.sample(), self._part.sample()) for _ in range(ROUNDS)]
        whole, part = (Sample(*map(min, zip(*samples))) for samples in zip(*pairs))
        return Sample(whole.wall - part.wall, whole.cpu - part.cpu)


class Process:
    """A command, from its start to its end, with all the processes that it starts.

    Parameters
    ----------
    command : callable
        Gives the words of the command, anew for each sample.
    variables : mapping, optional
        Environment variables beside those of this process.
    """

    def __init__(
        self, command: Callable[[], Sequence[str]], variables: Mapping[str, str] | None = None
    ) -> None:
        self._command = command
        self._environment = {**os.environ, **(variables or {})}
        self.memory: int | None = None

    def sample(self) -> Sample:
        command = self._command()
        ended = subprocess.run(
            [sys.executable, spawn.__file__, *command],
            capture_output=True,
            env=self._environment,
            encoding="utf-8",
        )
        if ended.returncode:
            raise RuntimeError(f"exit status {ended.returncode} of {' '.join(command)}\n{ended.stderr}")
        taken = json.loads(ended.stdout)
        self.memory = max(self.memory or 0, taken["memory"])
        return Sample(taken["wall"], taken["cpu"])


def repeated(make: Callable[[], Call]) -> Callable[[], Probe]:
    """For `Benchmark.prepare`: a call that is made first, together with its inputs."""
    return lambda: Repeated(make())


def extra_memory(call: Call) -> int:
    """Bytes that a call has allocated at its peak, beyond those of its result."""
    tracemalloc.start()
    try:
        result = call()
        kept, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    del result
    return peak - kept


def _clocked(call: Call, calls: int) -> Sample:
    wall, cpu = time.perf_counter(), time.process_time()
    for _ in range(calls):
        call()
    return Sample((time.perf_counter() - wall) / calls, (time.process_time() - cpu) / calls)
