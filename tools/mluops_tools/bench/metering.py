"""A run with a further plugin: what each case costs besides its references and its kernel.

`python -m mluops_tools.bench.metering` takes the words of the command line. The environment variable `FILE`
says where the figures go: a JSON list of [wall, CPU] seconds, a case each, from the first of its hooks to the
last. All that is neither inside of a reference, baseline or local scale nor inside of queued work of the
emulator counts, be it the harness's or the emulator's.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import Any, Callable, Iterator

import pytest
from mluops_conformance.cli import main
from mluops_conformance.commands import run
from mluops_conformance.operators import operators
from mluops_emulator.queues import Scheduler

from mluops_tools.bench.benchmark import Sample

FILE = "MLUOPS_BENCH_FILE"

EVALUATIONS = ("reference", "baseline", "scale")
"""The attributes of an operator that compute something."""

KERNELS: Any = Scheduler
"""The class whose method `run` executes queued work."""


class Meter:
    """Sums the time inside of the functions that it stands around."""

    def __init__(self) -> None:
        self.inside = Sample(0.0, 0.0)

    def around(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """The same function, metered."""

        def metered(*arguments: Any, **keywords: Any) -> Any:
            before = now()
            try:
                return function(*arguments, **keywords)
            finally:
                self.inside = _sum(self.inside, _difference(now(), before))

        return metered


class Metering:
    """Keeps what every case costs outside of the meter."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._meter = Meter()
        self._costs: list[Sample] = []
        for operator in operators().values():
            for attribute in EVALUATIONS:
                function = getattr(operator, attribute)
                if function is not None:
                    object.__setattr__(operator, attribute, self._meter.around(function))
        KERNELS.run = self._meter.around(KERNELS.run)

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self) -> Iterator[None]:
        before, inside = now(), self._meter.inside
        yield
        cost = _difference(now(), before)
        self._costs.append(_difference(cost, _difference(self._meter.inside, inside)))

    def pytest_unconfigure(self) -> None:
        self._file.write_text(json.dumps(self._costs), encoding="utf-8")


def pytest_configure(config: pytest.Config) -> None:
    if FILE in os.environ:
        config.pluginmanager.register(Metering(Path(os.environ[FILE])))


def now() -> Sample:
    """Both clocks."""
    return Sample(time.perf_counter(), time.thread_time())


def _sum(first: Sample, second: Sample) -> Sample:
    return Sample(first.wall + second.wall, first.cpu + second.cpu)


def _difference(later: Sample, earlier: Sample) -> Sample:
    return Sample(later.wall - earlier.wall, later.cpu - earlier.cpu)


if __name__ == "__main__":
    vars(run)["PLUGINS"] = (*run.PLUGINS, "mluops_tools.bench.metering")
    sys.exit(main())
